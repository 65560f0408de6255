"""Exact times waited: what the records say is what GV$SYSTEM_EVENT added up, or an estimate that says why."""

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pylatencymap.interval import Interval
from pylatencymap.oracle.exact_sums import ServerSums, ToldSum
from pylatencymap.units import Unit
from tests.oracle.conftest import READS, SYNC, Story

Make = Callable[..., Story]


def grown(told: Story, found: list[Interval], since: datetime | None = None, skew: float = 0.0) -> float:
    """Seconds that the mock's very waits took from a moment, by default the start of the first interval, to the end of
    the last one.
    """
    event, _, instance = found[0].series.rpartition("@")
    begin = since or datetime.fromtimestamp(found[0].start / 1e6, timezone.utc)
    span = begin, datetime.fromtimestamp(found[-1].end / 1e6, timezone.utc)
    shift = timedelta(seconds=skew)
    before, now = (told.mock.exact(event, instance=int(instance), at=at + shift)[1] for at in span)
    return float(now - before) / 1e6


def of(found: list[Interval], event: str, instance: int = 1) -> list[Interval]:
    return [one for one in found if one.series == f"{event}@{instance}"]


def total(found: list[Interval]) -> float:
    return sum(one.waited or 0.0 for one in found)


def test_ten_minutes_are_exact(story: Make) -> None:
    told = story(exact=True, events=[READS, SYNC])
    found = told.run(600)
    for event in (READS, SYNC):
        for instance in (1, 2):
            series = of(found, event, instance)
            assert len(series) == 200
            assert not any(one.estimated for one in series)
            assert total(series) == pytest.approx(grown(told, series), rel=1e-6)
    assert told.said == []


@pytest.mark.parametrize("skew", [0.2, -0.2, 1.5])
@pytest.mark.parametrize("rates", [None, {READS: {1: {512: 0.4, 16384: 0.1, 2**21: 0.05}}}])
def test_views_that_are_a_moment_apart_have_the_exact_total(story: Make, rates: Any, skew: float) -> None:
    told = story(exact=True, rates=rates)
    told.mock.system_event_skew = skew
    series = of(told.run(600), READS)
    assert not any(one.estimated for one in series)
    assert all(one.waited is not None and one.waited >= 0 for one in series)
    owed = 0.0 if rates is None else 2.1  # the last wait can be in one view alone
    assert total(series) == pytest.approx(grown(told, series, skew=skew), rel=1e-6, abs=owed)


def test_a_sum_that_the_waits_do_not_allow_is_owed_to_the_next_interval() -> None:
    sums = ServerSums("gv$system_event", pytest.fail)
    assert sums.seconds_waited("e@1", Unit.US, {512: 100}, 1, ToldSum(100, 40_000)) == 0.04
    assert sums.seconds_waited("e@1", Unit.US, {512: 100}, 1, ToldSum(101, 40_500)) == 0.04
    assert sums.seconds_waited("e@1", Unit.US, {512: 101}, 1, ToldSum(101, 40_500)) == pytest.approx(0.0405)


Counted = st.lists(st.tuples(st.integers(0, 9), st.sampled_from([2, 64, 1024, 2**20]), st.floats(-3, 3)), min_size=2)


@given(Counted)
def test_each_interval_has_a_time_that_its_waits_allow(steps: list[tuple[int, int, float]]) -> None:
    """Whatever the sums say: here they are wrong by up to three waits at any moment."""
    sums = ServerSums("gv$system_event", lambda _: None)
    counts: dict[Any, Any] = {2: 0, 64: 0, 1024: 0, 2**20: 0}
    last, micros = None, 0
    for waits, bound, off in steps:
        counts[bound] += waits
        micros += waits * (bound * 3 // 4)
        seen = ToldSum(sum(counts.values()), max(micros + round(off * bound), 0))
        found = sums.seconds_waited("e@1", Unit.US, dict(counts), 1, seen)
        if found is not None and last is not None:
            assert waits * bound // 2 - 1e-3 <= (found - last) * 1e6 <= waits * bound + 1e-3
        last = found


def test_a_restart_counts_from_start_up(story: Make) -> None:
    told = story(exact=True, uptime=5000)
    told.happens[31.0] = lambda: told.mock.restart_instance(1)
    series = of(told.run(600), READS)
    (after,) = [one for one in series if one.reset]
    assert not after.estimated
    started = told.mock.instances[1].startup
    rest = [one for one in series if one.start >= after.start]
    assert total(rest) == pytest.approx(grown(told, rest, started), rel=1e-6)


@pytest.mark.parametrize("waits", [2_000_000, -2_000_000])
def test_counters_that_disagree_leave_estimates_and_say_why_once(story: Make, waits: int) -> None:
    told = story(exact=True, uptime=5000, events=[READS, SYNC])
    told.mock.disagree(READS, waits=waits)
    found = told.run(60)
    assert all(one.estimated for one in of(found, READS))
    assert not any(one.estimated for one in of(found, SYNC))
    (why,) = told.said
    assert why.startswith("GV$SYSTEM_EVENT counts ")
    assert f"waits of {READS}@1 and the histogram " in why
    assert "times waited are estimated while they differ" in why


@pytest.mark.parametrize("share", [0.0, 0.95, 1.1])
def test_after_months_of_uptime_the_waits_of_minutes_are_compared(share: float) -> None:
    """One in a thousand of all waits since start-up is more than those of hours."""
    said: list[str] = []
    sums = ServerSums("gv$system_event", said.append)
    found = []
    for step in range(60):
        told = ToldSum(10**9 + int(1000 * step * share), 10**12 + 400_000 * step)
        found.append(sums.seconds_waited("e@1", Unit.US, {512: 10**9 + 1000 * step}, 1, told))
    assert found[0] is not None
    assert found[30:] == [None] * 30
    (why,) = said
    assert "since the first sample, of 10000" in why
    assert why.endswith("times waited are estimated while they differ")


def test_an_old_difference_that_stays_is_none_of_the_waits_drawn(story: Make) -> None:
    told = story(exact=True)
    told.mock.disagree(READS, waits=100_000)
    series = of(told.run(60), READS)
    assert not any(one.estimated for one in series)
    assert total(series) == pytest.approx(grown(told, series), rel=1e-6)


def test_a_difference_that_comes_while_it_runs_ends_the_exact_times(story: Make) -> None:
    told = story(exact=True)
    told.happens[31.0] = lambda: told.mock.disagree(READS, waits=100_000)
    series = of(told.run(60), READS)
    assert not any(one.estimated for one in series[:9])
    assert all(one.estimated for one in series[-9:])
    assert "since the first sample" in told.said[0]


def test_a_view_that_is_read_earlier_or_later_than_before_counts_the_same(story: Make) -> None:
    told = story(exact=True)

    def read_at(skew: float) -> Callable[[], None]:
        return lambda: setattr(told.mock, "system_event_skew", skew)

    told.happens.update({float(second): read_at((second % 7 - 3) / 5) for second in range(10, 300, 20)})
    assert not any(one.estimated for one in of(told.run(300), READS))
    assert told.said == []


@pytest.mark.parametrize("waits", [15, 0])
def test_waits_under_way_are_no_disagreement(story: Make, waits: int) -> None:
    told = story(exact=True, uptime=5000)
    told.mock.disagree(READS, waits=waits)
    told.mock.total_waits_at_start = True
    assert not any(one.estimated for one in told.run(60))


def test_times_that_do_not_fit_the_counts_are_not_believed_for_long() -> None:
    said: list[str] = []
    sums = ServerSums("gv$system_event", said.append)
    found = [
        sums.seconds_waited("e@1", Unit.US, {512: 100 * step}, 1, ToldSum(100 * step, 10**9 * step))
        for step in range(1, 12)
    ]
    assert None in found
    assert said == ["the times of GV$SYSTEM_EVENT for e@1 do not fit the counts: they are estimated"]


def test_a_sum_that_begins_again_costs_its_intervals_alone(story: Make) -> None:
    told = story(exact=True)
    told.mock.wrap(READS, "TIME_WAITED_MICRO", 40, left=10_000_000)
    series = of(told.run(120), READS)
    assert all(one.waited is not None and one.waited >= 0 for one in series)
    assert [one.estimated for one in series].count(False) >= len(series) - 6
    assert total(series) == pytest.approx(grown_by_rate(told), rel=0.05)


def grown_by_rate(told: Story) -> float:
    return float(told.mock.true_seconds(READS, 1)) * told.second()


def test_from_a_container_it_says_whose_waits_these_are(story: Make) -> None:
    told = story(exact=True, containers=())
    told.mock.containers = {1: "CDB$ROOT", 3: "SALES", 4: "HR"}
    told.mock.default_session = told.mock.session_for("mon", "SALES")
    for shown in ("container", "instance"):
        told.said.clear()
        told.mock.pdb_system_event = shown
        assert all(one.estimated for one in told.run(told.second() + 30))
        (why,) = told.said
        assert why.startswith("these waits are of the whole instance, not of SALES alone (--container draws it")
        assert "GV$EVENT_HISTOGRAM_MICRO counts all containers" in why
        assert "Times waited are estimated, because GV$SYSTEM_EVENT may be of SALES alone" in why


def test_a_release_without_foreground_columns(story: Make) -> None:
    told = story(exact=True)
    told.mock.set_version("10.2.0.4.0")
    found = told.run(30)
    assert not any(one.estimated for one in found)
    assert told.samples.last_words() == []
    assert not [word for word in told.said if "SYSTEM_EVENT" in word]


def test_the_share_of_foreground_sessions_is_told_at_the_end(story: Make, mock_view: Any) -> None:
    told = story(exact=True, rates=mock_view.wide_rates(), events=["direct path read", SYNC])
    told.run(60)
    own, whole = (told.mock.exact("direct path read", foreground=one)[1] for one in (True, False))
    (words,) = told.samples.last_words()
    share = float(words.partition("direct path read ")[2].partition("%")[0]) / 100
    assert share == pytest.approx(own / whole, abs=0.03)
    assert SYNC not in words


def test_one_statement_and_one_round_trip_with_the_sums(behind_a_socket: Callable[..., tuple[Story, Any]]) -> None:
    told, _ = behind_a_socket(exact=True)
    before = len(told.mock.queries)
    found = told.run(30)
    samples = [sql for sql in told.mock.queries[before:] if "gv$event_histogram_micro where event" in sql]
    assert len(samples) == 11
    assert all("gv$system_event" in sql and "1000" not in sql and READS not in sql for sql in samples)
    assert total(of(found, READS)) == pytest.approx(grown(told, of(found, READS)), rel=1e-6)


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (
            "hidden",
            "cannot be read (ORA-00942): times waited and averages are estimated. As SYS run: GRANT READ ON SYS",
        ),
        (
            "refused",
            "cannot be read (ORA-01031): times waited and averages are estimated. As SYS run: GRANT READ ON SY",
        ),
        ("failing", "cannot be read (ORA-12850): times waited and averages are estimated"),
        ("taken", "cannot be read (ORA-00942): times waited and averages are estimated. As SYS run: GRANT READ ON SYS"),
        ("slow", "takes 4.0 s a sample, more than the interval: times waited and averages are estimated"),
    ],
)
def test_without_the_view_all_is_as_before_and_said_once(
    behind_a_socket: Callable[..., tuple[Story, Any]], fault: str, why: str
) -> None:
    told, _ = behind_a_socket(exact=True)
    hide, mock = lambda: told.mock.hide_view("gv$system_event"), told.mock
    {
        "hidden": hide,
        "refused": lambda: mock.refuse_view("gv$system_event"),
        "failing": lambda: mock.fail_next(12850, times=None, match="system_event"),
        "taken": lambda: told.happens.update({31.0: hide}),
        "slow": lambda: mock.slow_view("gv$system_event", 4, real_time=False),
    }[fault]()
    found = told.run(120)
    (said,) = told.said
    assert said.startswith("GV$SYSTEM_EVENT ")
    assert why in said
    assert len(told.logins) == 1
    assert told.marks == []
    series = of(found, READS)
    assert all(one.estimated for one in series[-5:])
    assert sum(one.events for one in series) == pytest.approx(told.mock.true_rate(READS, 512, 1) / 600 * sum(
        told.mock.true_rates(READS, 1).values()) * (series[-1].end - series[0].start) / 1e6, abs=12)  # fmt: skip


def test_a_view_that_gives_no_answer_is_left_out_after_two_tries(
    behind_a_socket: Callable[..., tuple[Story, Any]],
) -> None:
    told, _ = behind_a_socket(exact=True, timeout=1.5)
    told.mock.slow_view("gv$system_event", 3.0)
    found = told.run(60)
    (said,) = told.said
    assert said.startswith("GV$SYSTEM_EVENT gives no answer in time: ")
    assert of(found, READS)
    assert all(one.estimated for one in of(found, READS))
    assert sum("system_event" in sql for sql in told.mock.queries) <= 2


def test_a_database_that_hangs_once_keeps_its_exact_times(story: Make) -> None:
    """The first sample after it is without sums, because these may be to blame."""
    from pylatencymap.oracle.connection.driver import Trouble

    told = story(exact=True)

    def hang() -> None:
        late = Trouble("DPY-4024: call timeout of 10000 ms exceeded")
        late.late = True
        answer = told.connections[-1].rows

        def once(*_: Any) -> Any:
            told.connections[-1].rows = answer
            raise late

        told.connections[-1].rows = once

    told.happens[31.0] = hang
    series = of(told.run(120), READS)
    assert told.said == []
    assert [one.estimated for one in series].count(True) == 2
    assert not any(one.estimated for one in series[-20:])


def test_a_connection_that_is_lost_costs_no_exact_time(behind_a_socket: Callable[..., tuple[Story, Any]]) -> None:
    told, _ = behind_a_socket(exact=True)
    told.happens[31.0] = told.mock.drop_next
    told.happens[61.0] = lambda: told.mock.leave(2)
    told.happens[91.0] = lambda: told.mock.join(2)
    found = told.run(180)
    assert len(told.marks) == 1
    assert told.said == []
    for instance in (1, 2):
        assert not any(one.estimated for one in of(found, READS, instance) if not one.gap)
    series = [one for one in of(found, READS) if not one.gap]
    assert total(series) == pytest.approx(grown(told, series), rel=1e-6)
