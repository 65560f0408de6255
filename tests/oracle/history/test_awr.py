"""The history of AWR: every interval between two snapshots holds what the mock says of it."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from pylatencymap.errors import SourceError, UsageError
from pylatencymap.interval import Interval
from pylatencymap.intervals.difference import to_intervals
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.intervals.stages import resolve_times
from pylatencymap.oracle.history.reading import HistoryReader, KeptHistory, KeptSnapshot
from pylatencymap.oracle.history.snapshots import history_records
from pylatencymap.oracle.history.sources import awr_views
from pylatencymap.oracle.history.span import HistorySpan, span_of
from pylatencymap.report import Report
from pylatencymap.units import Unit

READS, SYNC = "db file sequential read", "log file sync"
EVER = HistorySpan(datetime(2025, 1, 1), datetime(2027, 1, 1))
NO_OFFSET = timedelta(0)
START = datetime(2026, 1, 1)


def drawn(found: KeptHistory, events: list[str], offset: timedelta = NO_OFFSET, bad: int = 0) -> list[Interval]:
    report = Report("test")
    made = list(to_intervals(resolve_times(history_records(found, events, offset, report), TimeOptions(), report)))
    assert report.bad_count == bad
    return made


def history(told: Any, events: list[str], span: HistorySpan = EVER, instances: tuple[int, ...] = ()) -> list[Interval]:
    told.mock.parameters["control_management_pack_access"] = "DIAGNOSTIC+TUNING"
    reader = HistoryReader(told.connect(), awr_views(), "mon", instances)
    assert not reader.notices
    return drawn(reader.read(events, span), events)


@pytest.mark.parametrize("fractional", [False, True])
@pytest.mark.parametrize("event", [READS, SYNC])
def test_a_day_with_a_restart(story: Callable[..., Any], event: str, fractional: bool) -> None:
    told = story(awr_fractional=fractional)
    past = told.mock.history
    found = history(told, [event])
    assert {one.series for one in found} == {f"{event}@1", f"{event}@2"}
    for instance in (1, 2):
        all_told = [one for one in found if one.series == f"{event}@{instance}"]
        own = [one for one in all_told if not one.gap]
        assert len(own) == 24
        down = [one.seconds for one in all_told if one.gap]
        assert down == ([1200] if instance == past.restart_instance else [])
        for snap, one in enumerate(own, past.first_snap + 1):
            true = past.events[snap, instance, event]
            scale = 1024 if fractional else 1
            assert {upper: count for _, upper, count in one.ranges} == {
                round(bound * scale): count for bound, count in true.items() if count
            }
            restarted = snap == past.restart_snap and instance == past.restart_instance
            assert one.reset is restarted
            assert one.seconds == (2400 if restarted else 3600)
            assert one.end / 1e6 == (past.start + timedelta(hours=snap - past.first_snap)).timestamp()
            assert one.unit is (Unit.US if fractional else Unit.MS)
            before = 0 if restarted else past.micros[snap - 1, instance, event]
            assert one.waited == pytest.approx((past.micros[snap, instance, event] - before) / 1e6, rel=1e-3)


def test_a_span_begins_with_the_snapshot_before_it(story: Callable[..., Any]) -> None:
    told = story()
    begin = told.mock.history.start.replace(tzinfo=None)
    span = HistorySpan(begin + timedelta(hours=3, minutes=30), begin + timedelta(hours=6, minutes=59))
    found = history(told, [SYNC], span, (2,))
    assert {one.series for one in found} == {f"{SYNC}@2"}
    ends = [datetime.fromtimestamp(one.end / 1e6, timezone.utc).replace(tzinfo=None) for one in found]
    assert ends == [begin + timedelta(hours=hour) for hour in (4, 5, 6)]


def test_instances_take_their_snapshots_a_moment_apart() -> None:
    late = timedelta(milliseconds=700)
    rows = [row(hour, SYNC, 1, 50 * hour) for hour in range(6)]
    rows += [row(hour, SYNC, 1, 70 * hour, instance=2, ended=START + timedelta(hours=hour) + late) for hour in range(6)]
    found = drawn(kept(rows), [SYNC])
    assert [(one.series[-1], one.events, one.seconds, one.gap) for one in found] == 5 * [
        ("1", 50, 3600, False),
        ("2", 70, 3600, False),
    ]


def test_a_span_without_snapshots(story: Callable[..., Any]) -> None:
    told = story()
    first = told.mock.history.start
    kept = f"kept from {first:%Y-%m-%d %H:%M} to {first + timedelta(days=1):%Y-%m-%d %H:%M}"
    with pytest.raises(SourceError, match=f"there is no snapshot from 2030.*; they are {kept}"):
        history(told, [SYNC], HistorySpan(datetime(2030, 1, 1), datetime(2030, 1, 2)))
    with pytest.raises(SourceError, match=f"there is no snapshot from 2020.*; they are {kept}"):
        history(told, [SYNC], HistorySpan(datetime(2020, 1, 1), datetime(2020, 1, 2)))
    with pytest.raises(SourceError, match=f"there is no snapshot from 2025.*; they are {kept}"):
        history(told, [SYNC], EVER, (9,))
    told.mock.history.snapshot_rows.clear()
    with pytest.raises(SourceError, match="there is none at all"):
        history(told, [SYNC])


def row(hour: int, event: str | None, bound: Any, waits: Any, **other: Any) -> tuple[KeptSnapshot, Any]:
    told = {"dbid": 1, "instance": 1, "started": START - timedelta(days=1), "ended": START + timedelta(hours=hour)}
    return KeptSnapshot(**{**told, "number": hour + 1, **other}), (event, bound, waits)


def kept(rows: list[tuple[KeptSnapshot, Any]]) -> KeptHistory:
    """What a reader would have read."""
    counts: dict[Any, Any] = {}
    for one, (event, bound, waits) in rows:
        if event is not None:
            counts.setdefault((one.instance, one.number, event), {})[bound] = waits
    ordered = sorted({one for one, _ in rows}, key=lambda one: (one.instance, one.number))
    return KeptHistory(ordered, counts, {}, "dba_hist_event_histogram")


class Answers:
    """A connection that has snapshots of its own, and no counts."""

    def __init__(self, snapshots: list[KeptSnapshot]) -> None:
        self.snapshots = snapshots

    def rows(self, statement: str, _: Mapping[str, object]) -> list[tuple[Any, ...]]:
        return [] if "snap_id" not in statement else [tuple(one) for one in self.snapshots]


def test_several_databases_are_to_be_told_apart() -> None:
    two = Answers([row(0, SYNC, 1, 5, dbid=dbid)[0] for dbid in (7, 9)])
    with pytest.raises(UsageError, match="--dbid 7 or 9"):
        HistoryReader(two, awr_views(), "mon").read([SYNC], EVER)  # type: ignore[arg-type]


def test_fractions_and_enormous_buckets_of_19c() -> None:
    """2^k us are kept as 2^k / 1024 ms, rounded, and rows go on to 2^54 ms."""
    bounds = {0.000976563: 1, 0.001953125: 2, 0.25: 3, 1: 4, 2: 5, 4194304: 6, 8388608: 7, 1.8014398509481984e16: 8}
    rows = [row(hour, SYNC, bound, hour * count) for hour in (0, 1) for bound, count in bounds.items()]
    (found,) = drawn(kept(rows), [SYNC])
    assert found.unit is Unit.US
    assert found.ranges == (
        (0, 1, 1),
        (1, 2, 2),
        (128, 256, 3),
        (512, 1024, 4),
        (1024, 2048, 5),
        (1 << 31, 1 << 32, 6),
        (1 << 32, None, 15),
    )


def test_the_overflow_row_of_whole_milliseconds() -> None:
    bounds = {1: 1, 4194304: 2, 8388608: 3, 4294967295: 4}
    rows = [row(hour, SYNC, bound, hour * count) for hour in (0, 1) for bound, count in bounds.items()]
    (found,) = drawn(kept(rows), [SYNC])
    assert found.ranges == ((0, 1, 1), (1 << 21, 1 << 22, 2), (1 << 22, None, 3), (1 << 31, None, 4))


def test_a_row_that_is_no_bucket_is_told_of_and_the_others_are_kept() -> None:
    report = Report("test")
    (made,) = history_records(kept([row(0, SYNC, 3, 1), row(0, SYNC, 4, 2)]), [SYNC], NO_OFFSET, report)
    assert (made.ranges, report.bad_count) == (((2, 4, 2),), 1)


def test_an_event_that_has_not_waited_yet_is_idle() -> None:
    found = drawn(kept([row(0, None, None, None), row(1, SYNC, 1, 10), row(2, SYNC, 1, 10)]), [SYNC])
    assert [one.events for one in found] == [10, 0]


def test_a_snapshot_that_is_missing_is_a_gap_and_nothing_is_lost() -> None:
    found = drawn(kept([row(hour, SYNC, 1, 100 * hour) for hour in (0, 1, 2, 3, 7, 8)]), [SYNC])
    assert [one.gap for one in found].count(True) == 1
    assert sum(one.events for one in found) == 800


def test_the_zone_of_the_server() -> None:
    (found,) = drawn(kept([row(hour, SYNC, 1, hour) for hour in (0, 1)]), [SYNC], timedelta(hours=2))
    assert found.end / 1e6 == (START - timedelta(hours=1)).replace(tzinfo=timezone.utc).timestamp()


def test_a_span_is_a_day_unless_told() -> None:
    here = datetime(2026, 1, 31, 12)
    assert span_of(None, None, here) == HistorySpan(datetime(2026, 1, 30, 12), here)
    assert span_of(None, START, here) == HistorySpan(START - timedelta(days=1), START)
    assert span_of(here, None, here) == HistorySpan(here, datetime(2026, 2, 1, 12))
    last = datetime(9999, 12, 31, 23)
    assert span_of(last, None, here) == HistorySpan(last, datetime.max)
    first = datetime(1, 1, 1, 1)
    assert span_of(None, first, here) == HistorySpan(datetime.min, first)
    with pytest.raises(UsageError, match="is not before --to"):
        span_of(here, START, here)
