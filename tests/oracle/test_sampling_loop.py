"""Long stories on a clock of their own: whatever happens to the database, what is drawn is what it counted."""

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from itertools import pairwise
from typing import Any

import pytest

from pylatencymap.errors import SourceError
from pylatencymap.interval import Interval
from pylatencymap.units import Unit

READS, SYNC = "db file sequential read", "log file sync"
LOST = "DPY-4011: the database or network closed the connection"

Make = Callable[..., Any]


def right(found: list[Interval], mock: Any, event: str = READS) -> None:
    """Every interval holds what the mock counted, to the one event that counters of whole events may miss.

    Start-up times are told in whole seconds, so that an interval since one may be longer by as much.
    """
    for one in found:
        if not one.gap:
            instance = int(one.series.rpartition("@")[2])
            counts = {upper or mock.overflow_micro: count for _, upper, count in one.ranges}
            for micro, rate in mock.rates[event][instance].items():
                assert counts.get(micro, 0) == pytest.approx(rate * one.seconds, abs=1.01 + one.reset * rate), one


def of(series: str, found: list[Interval]) -> list[Interval]:
    return [one for one in found if one.series == series]


def test_a_quiet_hour(story: Make) -> None:
    told = story()
    found = told.run(3600)
    assert {one.series for one in found} == {f"{READS}@1", f"{READS}@2"}
    assert [one.seconds for one in of(f"{READS}@1", found)] == [3.0] * 1200
    right(found, told.mock)
    assert not any(one.gap or one.reset for one in found)
    assert told.logins == [0.0]
    assert set(told.messages.values()) == {""}


def test_one_statement_for_each_sample(story: Make) -> None:
    told = story(events=[READS, SYNC])
    told.views()
    before = len(told.mock.queries)
    found = told.run(30)
    setting_up = 3
    assert len(told.mock.queries) - before - setting_up == 11
    assert len(found) == 10 * 4


def test_a_restart_is_a_marked_reset_counted_since_start_up(story: Make) -> None:
    told = story(happens={31.0: lambda: told.mock.restart_instance(1)})
    found = told.run(60)
    one, two = of(f"{READS}@1", found), of(f"{READS}@2", found)
    assert [interval.seconds for interval in one if interval.reset] == pytest.approx([2.0], abs=1)
    assert not any(interval.reset for interval in two)
    right(found, told.mock)


def test_a_restart_is_seen_although_the_counters_have_passed_their_old_values(story: Make) -> None:
    """Ten minutes after a start the database restarts, and we are away for an hour."""
    told = story(uptime=600, refused=lambda second: LOST if 20 < second < 3700 else "")
    told.happens = {20.5: told.mock.drop_next, 60.0: lambda: told.mock.restart_instance(1)}
    found = of(f"{READS}@1", told.run(4000))
    reset = [interval for interval in found if interval.reset]
    assert len(reset) == 1
    assert reset[0].start // 10**6 == int(told.began.timestamp()) + 60
    right(found, told.mock)


def test_without_start_up_times_a_fall_shows_the_restart(story: Make) -> None:
    told = story(happens={31.0: lambda: told.mock.restart_instance(1)})
    told.mock.hide_view("gv$instance")
    found = of(f"{READS}@1", told.run(60))
    assert [interval.reset for interval in found].count(True) == 1
    assert all(interval.events >= 0 for interval in found)


def test_an_instance_that_is_down_is_no_data_and_no_zero(story: Make) -> None:
    told = story()
    down = told.mock.instances

    def stop() -> None:
        told.gone, told.rates = down.pop(2), {event: by.pop(2) for event, by in told.mock.rates.items()}

    def start() -> None:
        down[2] = told.gone
        down[2].startup = told.mock.clock.now
        for event, rates in told.rates.items():
            told.mock.rates[event][2] = rates

    told.happens = {31.0: stop, 91.0: start}
    found = told.run(120)
    one, two = of(f"{READS}@1", found), of(f"{READS}@2", found)
    assert [interval.seconds for interval in one] == [3.0] * 40
    silent = [i for i in two if told.began.timestamp() + 33 < i.end / 1e6 < told.began.timestamp() + 90]
    assert all(interval.gap for interval in silent)
    assert [interval.reset for interval in two].count(True) == 1
    right(found, told.mock)


@pytest.mark.parametrize("down", [20, 200, 2000])
def test_a_database_that_goes_away_is_waited_for(story: Make, down: int) -> None:
    refused = "DPY-6005: cannot connect to database (CONNECTION_ID=x).\n[Errno 111] Connection refused"
    told = story(refused=lambda second: refused if 31 < second < 31 + down else "")
    told.happens = {31.0: told.mock.drop_next, 31.0 + down: lambda: told.mock.restart_instance(1)}
    found = told.run(down + 200)
    one, two = of(f"{READS}@1", found), of(f"{READS}@2", found)
    right(found, told.mock)
    assert [interval.reset for interval in one].count(True) == 1
    gaps = [interval for interval in two if interval.gap]
    assert len(gaps) == 1
    assert down - 15 < gaps[0].seconds < down + 60
    # What comes after the silence is over all of it: no wait is lost, and none is counted twice.
    counted = [interval for interval in two if not interval.gap]
    assert sum(interval.seconds for interval in counted) == pytest.approx((two[-1].end - two[0].start) / 1e6)
    assert sum(interval.events for interval in counted) == sum(told.mock.rates[READS][2].values()) * round(
        (two[-1].end - two[0].start) / 1e6
    )


def test_it_says_what_happened_and_since_when_and_keeps_it_as_a_mark(story: Make) -> None:
    told = story(refused=lambda second: "ORA-12514: TNS:listener" if 31 < second < 91 else "")
    told.happens = {31.0: lambda: told.mock.fail_next(28)}
    told.run(200)
    since = (told.began + timedelta(seconds=33)).astimezone().strftime("%H:%M:%S")
    # The session was killed while the sample at 33 s was taken; from then on the listener does not know the service.
    said = told.messages[40]
    assert said.startswith(f"away since {since} (7 s): the listener does not know the service (ORA-12514); ")
    assert told.messages[199] == ""
    assert len(told.marks) == 1
    assert told.marks[0].stamp.micros == round((told.began.timestamp() + 30) * 1e6)
    assert told.marks[0].note.startswith(f"away {since} to ")
    assert any(message == told.marks[0].note for message in told.messages.values())


def test_a_killed_session_is_back_at_once_and_nothing_is_missing(story: Make) -> None:
    told = story(happens={31.0: lambda: told.mock.fail_next(28)})
    found = of(f"{READS}@1", told.run(60))
    assert [interval.seconds for interval in found] == [3.0] * 20
    assert told.logins == [0.0, 33.0]
    assert "the session was killed (ORA-00028)" in told.marks[0].note


def test_every_session_is_logged_off(story: Make) -> None:
    told = story(happens={10.0 * second: lambda: told.mock.fail_next(28) for second in range(1, 5)})
    told.run(60)
    assert len(told.connections) == 5
    assert all(connection.closed for connection in told.connections)
    assert told.endurance.ended.is_set()


def test_logins_are_tried_more_and_more_seldom(story: Make) -> None:
    told = story(refused=lambda second: LOST if second > 1 else "")
    told.happens = {1.0: told.mock.drop_next}
    told.run(300)
    steps = [after - before for before, after in pairwise(told.logins[1:])]
    assert steps[:6] == [1, 2, 4, 8, 16, 30]
    assert set(steps[6:]) == {30}


@pytest.mark.parametrize("code", ["ORA-01017", "ORA-28000", "ORA-28001", "ORA-01045"])
def test_what_does_not_pass_ends_the_run_before_it_locks_the_account(story: Make, code: str) -> None:
    told = story(refused=lambda second: f"{code}: told by the test" if second > 1 else "")
    told.happens = {1.0: told.mock.drop_next}
    with pytest.raises(SourceError, match=f"explained: {code}"):
        told.run(300)
    assert len(told.logins) == 2


def test_a_privilege_that_is_taken_away_ends_the_run(story: Make) -> None:
    told = story(happens={31.0: lambda: told.mock.hide_view("gv$event_histogram_micro")})
    with pytest.raises(SourceError, match="ORA-00942"):
        told.run(60)


def test_a_call_that_takes_too_long_ends_its_connection(story: Make) -> None:
    told = story(happens={31.0: lambda: told.mock.fail_next(1013, message="DPY-4024: call timeout")})
    assert not any(interval.gap for interval in told.run(60))
    assert told.logins == [0.0, 33.0]


def test_samples_that_were_missed_are_not_made_up_for(story: Make) -> None:
    told = story(happens={31.0: lambda: told.mock.delay_next(7.5)})
    found = of(f"{READS}@1", told.run(60))
    ends = [round(interval.end / 1e6 - told.began.timestamp(), 3) for interval in found]
    assert [end for end in ends if end < 33] == [3.0 * number for number in range(1, 11)]
    assert [end for end in ends if end > 41] == [42.0, 45.0, 48.0, 51.0, 54.0, 57.0, 60.0]
    right(found, told.mock)


def test_a_bucket_that_vanishes_keeps_its_count(story: Make) -> None:
    told = story()
    told.happens = {31.0: lambda: told.mock.hide_bucket(READS, 512), 46.0: told.mock.show_buckets}
    found = of(f"{READS}@1", told.run(60))
    assert not any(interval.reset or interval.gap for interval in found)
    in_bucket = [sum(count for lower, _, count in interval.ranges if lower == 256) for interval in found]
    assert sum(in_bucket) == 600 * 60
    assert in_bucket[10:16] == [0, 0, 0, 0, 0, 600 * 18]


def test_midnight(story: Make, mock_view: Any) -> None:
    told = story(clock=mock_view.SimClock.before_midnight(10, tick=0))
    found = told.run(30)
    assert [interval.seconds for interval in of(f"{READS}@1", found)] == [3.0] * 10
    right(found, told.mock)


@pytest.mark.parametrize("label", [2**32 - 1, 2**33 - 1, 2**32 + 12345])
def test_the_overflow_row_is_open(story: Make, label: int) -> None:
    told = story(overflow_micro=label)
    told.mock.add_overflow(READS)
    found = of(f"{READS}@1", told.run(30))
    lower = 1 << (label.bit_length() - 1)
    assert all(interval.ranges[-1] == (lower, None, 3) for interval in found)


def test_the_start_of_daylight_saving_is_no_restart(story: Make, mock_view: Any) -> None:
    """The server's own clock is what start-up times are told by; an hour forward it goes, and nothing restarted."""
    told = story()
    functions = mock_view.sql_functions(told.mock)
    ahead = {"hours": 1}

    def here() -> str:
        return str(mock_view.iso(told.mock.clock() + timedelta(**ahead))[:19])

    told.mock.db.create_function("sysdate", -1, here)
    for instance in told.mock.instances.values():
        instance.startup += timedelta(hours=1)
    told.happens = {31.0: lambda: ahead.update(hours=2)}
    records = [event for event in told.told(60) if hasattr(event, "ranges")]
    assert functions
    assert len({(event.series, event.start) for event in records}) == 2
    assert records[0].start == round((told.began - timedelta(days=10)).replace(microsecond=0).timestamp() * 1e6)


def test_milliseconds_where_the_micro_view_is_missing(story: Make) -> None:
    told = story()
    told.mock.hide_view("gv$event_histogram_micro")
    found = of(f"{READS}@1", told.run(30))
    assert found[0].unit is Unit.MS
    rates = told.mock.rates[READS][1]
    below = sum(rate for micro, rate in rates.items() if micro <= 1024)
    assert found[0].ranges[0] == (0, 1, 3 * below)
    assert (8, 16, 3 * rates[16384]) in found[0].ranges


def test_the_local_instance_alone(story: Make) -> None:
    told = story(local=True)
    found = told.run(30)
    assert {interval.series for interval in found} == {f"{READS}@1"}
    right(found, told.mock)
    assert all("gv$" not in statement for statement in told.mock.queries)


def test_the_local_instance_without_its_start_up_time(story: Make) -> None:
    told = story(local=True)
    told.mock.hide_view("v$instance")
    found = told.run(30)
    assert {interval.series for interval in found} == {f"{READS}@1"}
    right(found, told.mock)


def test_chosen_instances(story: Make) -> None:
    told = story(instances=(2,))
    assert {interval.series for interval in told.run(30)} == {f"{READS}@2"}


def test_containers_are_summed(story: Make) -> None:
    told = story(con_ids=(1, 3, 4))
    found = of(f"{READS}@1", told.run(60))
    for _, upper, count in found[0].ranges:
        assert count == pytest.approx(3 * told.mock.rates[READS][1][upper], abs=3.01)


def test_an_event_that_has_not_waited_is_idle_until_it_does(story: Make) -> None:
    told = story(rates={READS: {1: {512: 100}}, SYNC: {1: {1024: 0}}}, events=[READS, SYNC])
    told.happens = {31.0: lambda: told.mock.rates[SYNC][1].update({1024: 7})}
    found = of(f"{SYNC}@1", told.run(60))
    assert [interval.events for interval in found[:10]] == [0] * 10
    assert found[10].events > 0


def test_two_hours_of_everything(story: Make) -> None:
    """Restarts, killed sessions, lost connections, slow answers and outages, over midnight."""
    start = datetime(2026, 1, 1, 23, 0, tzinfo=timezone.utc)
    told = story(refused=lambda second: LOST if second % 1800 > 1700 else "")
    told.mock.clock.now = told.began = start
    mock = told.mock
    told.happens = {float(at): mock.drop_next for at in range(100, 7200, 170)}
    told.happens |= {at + 0.25: lambda: mock.restart_instance(2) for at in range(250, 7200, 900)}
    told.happens |= {at + 0.5: lambda: mock.delay_next(4) for at in range(400, 7200, 1300)}
    found = told.run(7200)
    right(found, mock)
    for series in (f"{READS}@1", f"{READS}@2"):
        own = [interval for interval in of(series, found) if not interval.gap]
        assert all(after.start >= before.end for before, after in pairwise(own))
        assert sum(interval.seconds for interval in own) > 7100
    assert [interval.reset for interval in of(f"{READS}@1", found)].count(True) == 0
    assert [interval.reset for interval in of(f"{READS}@2", found)].count(True) == 8
