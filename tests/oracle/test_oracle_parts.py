"""Small parts: statements, rankings, clocks, what the screen says."""

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pylatencymap.oracle import queries
from pylatencymap.oracle.connection.driver import Trouble
from pylatencymap.oracle.connection.troubles import CASES, in_full, in_short
from pylatencymap.oracle.connection_status import ConnectionStatus
from pylatencymap.oracle.history.sources import (
    SnapshotRange,
    awr_views,
    counts_in,
    event_names_kept,
    kept,
    snapshots_until,
    statspack_views,
    sums_in,
)
from pylatencymap.oracle.queries import Views
from pylatencymap.oracle.ranking import compared, ranking_table
from pylatencymap.oracle.records import RecordMaker
from pylatencymap.oracle.server_clock import StartTimes, micros_of_utc, utc_offset
from pylatencymap.oracle.sessions.statements import WaitsWatched, sessions_sample
from pylatencymap.oracle.views import wanted_views
from pylatencymap.report import Report
from pylatencymap.units import Unit

NOW = datetime(2026, 3, 1, 10, 0, 0, 123456)
ODD = 'it\'s "odd"; drop table x --'


def every_statement() -> Iterator[tuple[str, dict[str, object]]]:
    for local in (False, True):
        for instances in (None, "instances"):
            wanted = wanted_views(local)
            views = wanted._replace(instances=wanted.instances if instances else None)
            yield queries.sample(views, [ODD, "b"], [1, 2])
            yield queries.sample(views._replace(histogram="gv$event_histogram", unit=Unit.MS), [ODD], [])
            yield queries.event_names(views), {}
            yield queries.probe(views.histogram), {}
    views = wanted_views(False)
    yield queries.ranking(views, [1])
    yield queries.ranking(views, [])
    yield queries.instance_numbers_up(views), {}
    yield queries.event_names(views._replace(names=None)), {}
    which = SnapshotRange(7, 100, 200)
    for history in (awr_views(), statspack_views("PERFSTAT"), statspack_views("PERFSTAT")._replace(names=None)):
        yield snapshots_until(history, [1], 7, NOW)
        yield counts_in(history, [ODD], which)
        yield sums_in(history, [ODD], which)
        yield event_names_kept(history), {}
        yield kept(history), {}
    yield queries.pack_access()
    yield sessions_sample(WaitsWatched("gv$session", [ODD], [1], "v$containers", {}), has_containers=True)
    yield sessions_sample(WaitsWatched("v$session", [ODD]), has_containers=False)
    yield queries.clocks(), {}


@pytest.mark.parametrize(("statement", "binds"), list(every_statement()))
def test_statements_read_and_hold_no_values(statement: str, binds: dict[str, object]) -> None:
    assert statement.startswith("select /* pylatencymap */ ")
    assert ODD not in statement
    assert ";" not in statement
    assert "for update" not in statement
    for name in binds:
        assert f":{name}" in statement
    for word in ("insert", "update", "delete", "alter", "execute", "limit "):
        assert word not in statement


@given(st.integers(-56, 56), st.datetimes(datetime(2000, 1, 1), datetime(2099, 1, 1)))
def test_the_offset_of_a_server_is_found_from_its_whole_seconds(quarters: int, utc: datetime) -> None:
    offset = timedelta(minutes=15) * quarters
    assert utc_offset((utc + offset).replace(microsecond=0), utc) == offset


def test_a_start_up_time_is_worked_out_once() -> None:
    starts = StartTimes()
    began = datetime(2026, 1, 1, 12)
    first = starts.micros(1, began, timedelta(hours=1))
    assert first == micros_of_utc(began) - 3600 * 10**6
    assert starts.micros(1, began, timedelta(hours=2)) == first
    assert starts.micros(2, began, timedelta(hours=2)) != first
    assert starts.micros(1, None, timedelta(0)) is None


def rank_rows(second: float, *counts: tuple[str, int, int]) -> list[tuple[Any, ...]]:
    sampled = NOW + timedelta(seconds=second)
    return [(sampled, event, "User I/O", bound, waits) for event, bound, waits in counts]


def test_a_ranking() -> None:
    before = rank_rows(0, ("fast", 2, 1000), ("slow", 2048, 10), ("fell", 4, 500), ("idle now", 1024, 3))
    after = rank_rows(2, ("fast", 2, 3000), ("slow", 2048, 30), ("fell", 4, 100), ("idle now", 1024, 3))
    found = compared(before, after, Unit.US)
    assert [one.event for one in found] == ["slow", "fast", "fell", "idle now"]
    assert found[0].waits == 10
    assert found[0].waited == pytest.approx(10 * 1536e-6)
    assert next(one.waits for one in found if one.event == "fell") == 50
    lines = ranking_table(found).splitlines()
    assert [line.split()[0] for line in lines] == ["event", "slow", "fast", "fell", "1"]
    assert lines[1].split() == ["slow", "User", "I/O", "10.0", "15.4", "ms", "1.54", "ms"]


def test_an_empty_ranking() -> None:
    assert compared([], [], Unit.US) == []
    assert len(ranking_table([]).splitlines()) == 1


def test_a_name_cannot_steer_the_terminal() -> None:
    found = compared(rank_rows(0), rank_rows(1, ("\x1b[2J", 2, 5)), Unit.US)
    assert found == []
    found = compared(rank_rows(0, ("\x1b[2J", 2, 1)), rank_rows(1, ("\x1b[2J", 2, 5)), Unit.US)
    assert "\x1b" not in ranking_table(found)


def test_a_bound_that_is_none_costs_its_row_and_is_counted() -> None:
    report = Report("test")
    maker = RecordMaker(["e"], "gv$event_histogram_micro", Unit.US, report)
    rows = [(1, None, NOW, NOW, "e", bound, 5) for bound in (1, 2, 3, 4)]
    (made,) = maker.records(rows, 0.0)
    assert made.ranges == ((0, 1, 5), (1, 2, 5), (2, 4, 5))
    assert report.bad_count == 1
    assert maker.records([], 0.0) == []
    assert maker.records([(None, None, NOW, NOW, None, None, None)], 0.0) == []


@pytest.mark.parametrize("code", sorted(CASES))
def test_every_trouble_is_short_enough_for_the_screen_and_says_what_to_do(code: str) -> None:
    trouble = Trouble(f"{code}: as the driver says it")
    on_screen = f"away since 14:03:22 (1234 s): {in_short(trouble)}; next try in 30 s"
    assert CASES[code].final or len(on_screen) <= 100
    told = in_full(trouble, "db (--dsn)", "mon", ["gv$event_histogram_micro"])
    assert told.startswith(f"db (--dsn): {CASES[code].what} ({code}: as the driver says it)")
    assert "{" not in told
    if CASES[code].final:
        assert CASES[code].cure


def test_an_unknown_trouble_is_told_in_the_drivers_words() -> None:
    assert in_full(Trouble("ORA-00600: internal"), "db", "", []) == "db: ORA-00600: internal"
    assert in_short(Trouble("something else")) == "something else"


def test_a_network_that_fails_before_the_database_is_asked() -> None:
    trouble = Trouble("Name or service not known", network=True)
    assert in_short(trouble) == "no connection (Name or service not known)"
    assert in_full(trouble, "db (--dsn)", "mon", []) == (
        "db (--dsn): no connection (Name or service not known). Check the host's name and that this machine knows it"
    )


def test_what_the_screen_says() -> None:
    clock = [100.0]
    watch = ConnectionStatus(timezone.utc, lambda: clock[0], lambda: clock[0] + 50_000)
    assert watch.silence_notice(3.0) == ""
    watch.set_notice("the busiest event: x")
    clock[0] = 101.0
    assert watch.silence_notice(3.0) == "the busiest event: x"
    watch.asks()
    watch.lost("no answer in time (DPY-4024)", 0.0)
    assert watch.silence_notice(3.0) == "away since 13:55:01 (0 s): no answer in time (DPY-4024); trying again"
    clock[0] = 105.0
    watch.lost("no listener (ORA-12541)", 8.0)
    assert watch.silence_notice(3.0) == "away since 13:55:01 (4 s): no listener (ORA-12541); next try in 8 s"
    clock[0] = 110.0
    assert watch.answered() == "away 13:55:01 to 13:55:10: no listener (ORA-12541)"
    assert watch.silence_notice(3.0).startswith("away 13:55:01 to 13:55:10")
    assert watch.answered() == ""
    clock[0] = 126.0
    assert watch.silence_notice(3.0) == "no data for 16 s: the database has not answered yet"
    watch.answered()
    assert watch.silence_notice(3.0) == ""
    watch.asks()
    watch.lost("the session was killed (ORA-00028)", 0.0)
    assert watch.answered() == "at 13:55:26: the session was killed (ORA-00028)"


def test_views_by_name() -> None:
    assert wanted_views(True) == Views("v$event_histogram_micro", Unit.US, "v$instance", "v$event_name", True)
    assert wanted_views(False).read == ("gv$event_histogram_micro", "gv$instance", "v$event_name")


def test_a_name_in_a_record_cannot_steer_the_terminal() -> None:
    maker = RecordMaker(["odd\x1b[2J"], "gv$event_histogram_micro", Unit.US, Report("test"))
    (made,) = maker.records([(1, None, NOW, NOW, "odd\x1b[2J", 4, 5)], 0.0)
    assert made.series == "odd\\x1b[2J@1"
    assert made.ranges == ((2, 4, 5),)
    assert made.label is not None
    assert made.label.isprintable()
