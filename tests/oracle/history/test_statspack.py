"""The history of Statspack over the real driver's socket: every interval holds what the mock says of it."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from pylatencymap.errors import SourceError, UsageError
from pylatencymap.interval import Interval
from pylatencymap.intervals.difference import to_intervals
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.intervals.stages import resolve_times
from pylatencymap.oracle.connection.driver import Trouble
from pylatencymap.oracle.connection.troubles import in_short
from pylatencymap.oracle.history.reading import HistoryReader, KeptHistory, KeptSnapshot
from pylatencymap.oracle.history.snapshots import history_records
from pylatencymap.oracle.history.sources import awr_views, missing_history_loss, statspack_views
from pylatencymap.oracle.history.span import HistorySpan, earlier, parse_period, span_of
from pylatencymap.report import Report
from tests.oracle.listener import Hang, database

READS, SYNC = "db file sequential read", "log file sync"
EVER = HistorySpan(datetime(2025, 12, 1), datetime(2027, 1, 1))
VIEWS = statspack_views("perfstat")
SNAPSHOTS, BUCKETS, SUMS = "stats$snapshot", "stats$event_histogram", "stats$system_event"


@pytest.fixture
def db(server: Callable[..., Any], mock_view: Any) -> Any:
    return server(mock_view.MockHistogram(clock=mock_view.SimClock(datetime(2026, 1, 1, 10), tick=0)))


def reader(db: Any, views: Any = VIEWS, **more: Any) -> HistoryReader:
    return HistoryReader(database(db).connect("test"), views, "mon", **more)


def drawn(found: KeptHistory, events: list[str], report: Report | None = None) -> list[Interval]:
    report = report or Report("test")
    return list(
        to_intervals(resolve_times(history_records(found, events, timedelta(0), report), TimeOptions(), report))
    )


def counts_of(one: Interval) -> dict[Any, Any]:
    return {upper: count for _, upper, count in one.ranges}


@pytest.mark.parametrize("event", [READS, SYNC])
def test_nine_days_with_restarts_and_missed_snapshots(db: Any, event: str) -> None:
    own = reader(db)
    report = Report("test")
    found = drawn(own.read([event], EVER), [event], report)
    assert (own.notices, report.bad_count) == ([], 0)
    assert db.mock.licensed == []
    for instance in (1, 2):
        series = f"{event}@{instance}"
        made = {one.end // 10**6: one for one in found if one.series == series and one.ranges}
        true = db.mock.statspack.intervals[instance]
        assert len(made) == len(true) > 200
        assert sum(one.restarted is not None for one in true) == 1
        for interval in true:
            one = made[int(interval.end.timestamp())]
            assert counts_of(one) == {milli: n for milli, n in interval.counts[event].items() if n}
            assert (one.waited, one.estimated) == (pytest.approx(interval.micros[event] / 1e6, rel=1e-6), False)
            assert one.reset is (interval.restarted is not None)
            began = interval.restarted or interval.begin
            assert one.seconds == (interval.end - began).total_seconds()


def test_the_last_so_many_of_each_instance(db: Any) -> None:
    own = reader(db)
    span = own.chosen_span(span_of(None, None, datetime(2026, 1, 1, 10), 5))
    found = drawn(own.read([READS], span), [READS])
    for instance in (1, 2):
        true = db.mock.statspack.intervals[instance][-5:]
        made = [one for one in found if one.series == f"{READS}@{instance}"]
        assert [one.end // 10**6 for one in made] == [int(one.end.timestamp()) for one in true]
    week = earlier(span, timedelta(days=7))
    assert (week.since + timedelta(days=7), week.until + timedelta(days=7)) == (span.since, span.until)
    before = drawn(own.read([READS], week), [READS])
    assert len(before) == len(found) == 10


def test_an_instance_that_has_left_takes_no_part_in_the_last_so_many(db: Any) -> None:
    gone = db.mock.statspack.start.replace(tzinfo=None) + timedelta(days=8)
    rows = db.mock.statspack.rows[SNAPSHOTS]
    rows[:] = [row for row in rows if row[2] == 1 or datetime.fromisoformat(row[3]) < gone]
    own = reader(db)
    found = drawn(own.read([READS], span_of(None, None, datetime(2026, 1, 1, 10), 5)), [READS])
    assert {one.series for one in found} == {f"{READS}@1"}
    assert len(found) == 5


def test_instances_can_be_chosen_and_events_are_known_by_their_words(db: Any) -> None:
    own = reader(db, instances=(2,))
    assert own.events_named(["db_file_seq"]).names == [READS]
    with pytest.raises(UsageError, match="no wait event is called 'log file sink'; did you mean 'log file sync'"):
        own.events_named(["log file sink"])
    found = drawn(own.read([READS, SYNC], span_of(None, None, datetime(2026, 1, 1, 10))), [READS, SYNC])
    assert {one.series for one in found} == {f"{READS}@2", f"{SYNC}@2"}


@pytest.mark.parametrize("refused", [False, True])
@pytest.mark.parametrize("view", [SNAPSHOTS, BUCKETS])
def test_without_a_needed_table_it_says_what_to_run(db: Any, view: str, refused: bool) -> None:
    (db.mock.refuse_view if refused else db.mock.hide_view)(view)
    with pytest.raises(SourceError) as caught:
        reader(db)
    assert f"PERFSTAT.{view.upper()} cannot be read" in str(caught.value)
    assert "spcreate.sql" in str(caught.value)
    assert "GRANT READ ON PERFSTAT.STATS$SNAPSHOT TO mon;" in str(caught.value)


@pytest.mark.parametrize("refused", [False, True])
def test_without_the_sums_the_time_is_estimated(db: Any, refused: bool) -> None:
    (db.mock.refuse_view if refused else db.mock.hide_view)(SUMS)
    own = reader(db)
    (notice,) = own.notices
    assert "the time waited is estimated from the buckets" in notice
    assert "GRANT READ ON PERFSTAT.STATS$SYSTEM_EVENT TO mon;" in notice
    found = drawn(own.read([READS], EVER), [READS])
    assert all(one.estimated for one in found)


def test_without_names_the_events_that_have_waited_are_known(db: Any) -> None:
    db.mock.hide_view("v$event_name")
    own = reader(db)
    assert "V$EVENT_NAME" in own.notices[0]
    assert own.events_named(["db_file_seq"]).names == [READS]
    found = drawn(own.read([READS], EVER), [READS])
    assert sum(one.events for one in found) == sum(
        one.waits[READS] for of in db.mock.statspack.intervals.values() for one in of
    )
    db.mock.hide_view(SUMS)
    with pytest.raises(SourceError, match=r"has no names of events. As SYS run: GRANT READ ON SYS.V_\$EVENT_NAME"):
        reader(db)


def hang_at(db: Any, words: str) -> None:
    """The next statement with these words is not answered."""
    answer = db.mock.query

    def query(statement: str, binds: Any = None) -> Any:
        if words not in statement:
            return answer(statement, binds)
        db.mock.query = answer
        Hang(db)
        return db.mock.query(statement, binds)

    db.mock.query = query


@pytest.mark.parametrize("view", [SNAPSHOTS, BUCKETS, SUMS])
def test_a_table_that_is_late_ends_with_the_time_limit(db: Any, view: str) -> None:
    connection = database(db).connect("test")
    own = HistoryReader(connection, VIEWS, "mon")
    connection.tag("test", 0.3)
    hang_at(db, f"perfstat.{view}")
    with pytest.raises(Trouble) as caught:
        own.read([READS], EVER)
    assert in_short(caught.value).startswith("no answer in time")


@pytest.mark.parametrize("view", [SNAPSHOTS, BUCKETS, SUMS])
def test_an_error_while_rows_come_is_not_a_shorter_history(db: Any, view: str) -> None:
    own = reader(db)
    db.mock.fail_fetch(1555, match=view.replace("$", r"\$"))
    with pytest.raises(Trouble, match="ORA-01555"):
        own.read([READS], EVER)


def test_no_snapshot_says_which_there_are(db: Any) -> None:
    own = reader(db)
    with pytest.raises(SourceError, match=r"there is no snapshot from 2030.*; they are kept from 2025-12-2"):
        own.read([READS], HistorySpan(datetime(2030, 1, 1), datetime(2030, 1, 2)))
    with pytest.raises(SourceError, match="there is no snapshot until 2020"):
        own.read([READS], HistorySpan(datetime.min, datetime(2020, 1, 1), 5))
    db.mock.statspack.rows[SNAPSHOTS][1:] = []
    with pytest.raises(SourceError, match="only one snapshot, and an interval needs two"):
        own.read([READS], HistorySpan(datetime.min, datetime(2027, 1, 1), 5))
    db.mock.statspack.rows[SNAPSHOTS].clear()
    with pytest.raises(SourceError, match="there is none at all of Statspack"):
        own.read([READS], EVER)


def test_a_schema_is_a_name_and_nothing_else(db: Any) -> None:
    db.mock.statspack_schema = "PERF2"
    with pytest.raises(SourceError, match=r"PERFSTAT\.STATS\$SNAPSHOT cannot be read"):
        reader(db)
    assert drawn(reader(db, statspack_views("Perf2")).read([READS], EVER), [READS])
    for name in ("", "a.b", "a b", 'a"b', "1a", "x" * 129, "perfstat;drop", "p\n"):
        with pytest.raises(UsageError, match="no name of a schema"):
            statspack_views(name)


@pytest.mark.parametrize("switch", ["NONE", " none "])
def test_awr_is_not_read_where_the_site_has_switched_it_off(db: Any, switch: str) -> None:
    db.mock.parameters["control_management_pack_access"] = switch
    with pytest.raises(SourceError, match="CONTROL_MANAGEMENT_PACK_ACCESS is NONE"):
        reader(db, awr_views())
    assert db.mock.licensed == []


@pytest.mark.parametrize("hides", ["hide_view", "refuse_view"])
def test_where_the_parameter_cannot_be_read_the_statement_of_the_user_counts(db: Any, hides: str) -> None:
    getattr(db.mock, hides)("v$parameter")
    assert drawn(reader(db, awr_views()).read([READS], EVER), [READS])


def test_a_parameter_that_is_late_is_no_permission(db: Any) -> None:
    hang_at(db, "v$parameter")
    with pytest.raises(Trouble, match="DPY-40"):
        HistoryReader(database(db, 0.3).connect("test"), awr_views(), "mon")
    assert db.mock.licensed == []


def test_what_is_lost_without_each_view_is_told() -> None:
    assert [view for view, _ in missing_history_loss(awr_views())] == [
        "dba_hist_system_event",
        "v$event_name",
        "v$parameter",
    ]
    assert [view for view, _ in missing_history_loss(VIEWS)] == ["perfstat.stats$system_event", "v$event_name"]


# What no database shows in a test: rows of the tests' own.

START = datetime(2026, 1, 1)
AT = {n: KeptSnapshot(1, 1, n, START - timedelta(days=1), START + timedelta(hours=n)) for n in range(6)}


def made(counts: list[int], sums: list[tuple[int, int]], snapshots: list[KeptSnapshot] | None = None) -> KeptHistory:
    """Counts in the bucket up to 2 ms, and waits and microseconds, in snapshots 0, 1, 2 ..."""
    return KeptHistory(
        snapshots or [AT[n] for n in range(len(counts))],
        {(1, n, READS): {2: count} for n, count in enumerate(counts) if count},
        {(1, n, READS): one for n, one in enumerate(sums)},
        "perfstat.stats$event_histogram",
    )


def test_sums_that_do_not_go_with_the_counts_are_not_used_and_told() -> None:
    said: list[str] = []
    found = drawn(
        made([1000, 2000, 3000, 4000], [(1000, 10**6), (2000, 25 * 10**5), (3500, 4 * 10**6), (4500, 55 * 10**5)]),
        [READS],
        Report("test", say=said.append),
    )
    assert [one.waited for one in found if not one.estimated] == [1.5, 1.5]
    assert [one.estimated for one in found] == [False, True, False]
    assert said == [
        "the time waited of an interval is estimated: TOTAL_WAITS there is not the number of waits in the buckets"
    ]


def test_counters_that_began_apart_agree_in_what_they_count() -> None:
    """The histogram was filled later than the sums: TIMED_STATISTICS was false for some time after start-up."""
    found = drawn(made([100, 1100, 2100], [(9000, 10**7), (10000, 115 * 10**5), (11000, 13 * 10**6)]), [READS])
    assert [one.waited for one in found] == [1.5, 1.5]


def test_a_few_waits_between_the_two_tables_are_scaled() -> None:
    (one,) = drawn(made([1000, 2000], [(1000, 10**6), (2005, 10**6 + 1005 * 1500)]), [READS])
    assert one.waited == pytest.approx(1000 * 0.0015)


def test_a_snapshot_without_buckets_is_passed_over_and_nothing_is_lost() -> None:
    report = Report("test")
    found = drawn(made([100, 0, 300], [(100, 10**5), (200, 2 * 10**5), (300, 45 * 10**4)]), [READS], report)
    assert report.bad_count == 1
    assert sum(one.events for one in found) == 200
    assert not any(one.reset for one in found)
    assert sum(one.waited or 0 for one in found) == pytest.approx(0.35)


def test_a_clock_that_is_set_back_is_no_restart() -> None:
    """Summer time ends: an hour comes twice, and the numbers of the snapshots say which was first."""
    back = [AT[0], AT[1], AT[2]._replace(ended=AT[1].ended), AT[3]._replace(ended=AT[2].ended)]
    report = Report("test")
    found = drawn(made([100, 200, 300, 400], [], back), [READS], report)
    assert (report.bad_count, [one.reset for one in found]) == (1, [False, False])
    assert sum(one.events for one in found) == 300


def test_periods_to_compare_with() -> None:
    span = HistorySpan(datetime(2026, 1, 12, 8), datetime(2026, 1, 12, 18))
    assert earlier(span, timedelta(days=7)) == HistorySpan(datetime(2026, 1, 5, 8), datetime(2026, 1, 5, 18))
    own = parse_period("2026-01-05T08:00..2026-01-05T18:00")
    assert earlier(span, own) == own == HistorySpan(datetime(2026, 1, 5, 8), datetime(2026, 1, 5, 18))
    for wrong in ("", "..", "2026-01-05", "2026-01-05..", "2026-01-05T08:00Z..2026-01-05T18:00Z", "monday..tuesday"):
        with pytest.raises(ValueError, match="is no period"):
            parse_period(wrong)
    with pytest.raises(ValueError, match="ends before it begins"):
        parse_period("2026-01-05..2026-01-04")
    with pytest.raises(UsageError, match="no time so long ago"):
        earlier(span, timedelta(days=999_999))
