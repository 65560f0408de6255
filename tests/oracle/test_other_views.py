"""Reads by data file and the apply lag of a standby, over the real driver's socket."""

from collections.abc import Callable
from typing import Any

import pytest

from pylatencymap.errors import SourceError, UsageError
from pylatencymap.interval import Interval
from pylatencymap.intervals.difference import to_intervals
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.intervals.stages import resolve_times
from pylatencymap.oracle.queries import Views
from pylatencymap.oracle.samples import ApplyLagSamples, FileReadSamples, files_read
from pylatencymap.report import Report
from pylatencymap.units import Unit
from tests.oracle.listener import database

FILES = Views("gv$file_histogram", Unit.MS, "gv$instance", None, False)


@pytest.fixture
def linked(server: Callable[..., Any], mock_view: Any) -> Callable[..., tuple[Any, Any]]:
    """A mock whose clock moves when told to, and a connection to it."""

    def make(role: str = "PRIMARY", level: str = "ALL") -> tuple[Any, Any]:
        db = server(mock_view.MockHistogram(clock=mock_view.SimClock(tick=0)))
        db.mock.role, db.mock.parameters["statistics_level"] = role, level
        return db.mock, database(db).connect("test")

    return make


def sampled(samples: Any, mock: Any, connection: Any, count: int, seconds: float = 3.0) -> list[Interval]:
    records = []
    for _ in range(count + 1):
        records += samples.take(connection)
        mock.clock.advance(seconds)
    return list(to_intervals(resolve_times(records, TimeOptions(interval=seconds, started=0.0), Report("test"))))


def test_reads_by_file_are_those_of_the_event(linked: Callable[..., tuple[Any, Any]]) -> None:
    mock, connection = linked()
    found = files_read(connection, FILES, (), 10, "mon", pytest.fail)
    assert len(found.names) == 5
    assert set(found.names.values()) >= {"/u03/archive01.dbf", "/u02/sales01.dbf"}
    samples = FileReadSamples(FILES, found.names, (), Report("test"))
    intervals = sampled(samples, mock, connection, 20)
    own = [one for one in intervals if one.series.endswith("@1")]
    total = sum(mock.true_rates("db file sequential read", 1).values()) * 60
    assert sum(one.events for one in own) == pytest.approx(total, abs=15)
    assert {one.unit for one in own} == {Unit.MS}
    assert all(one.estimated for one in own)


def test_the_file_that_costs_most_comes_first_and_names_are_optional(linked: Callable[..., tuple[Any, Any]]) -> None:
    mock, connection = linked()
    mock.hide_view("v$datafile")
    said: list[str] = []
    found = files_read(connection, FILES, (), 2, "mon", said.append)
    assert next(iter(found.names.values())) == "file 12"
    assert found.others == 3
    assert said == ["files are called by their numbers. As SYS run: GRANT READ ON SYS.V_$DATAFILE TO mon;"]


def test_a_file_that_is_not_there_and_a_view_that_is_empty(linked: Callable[..., tuple[Any, Any]]) -> None:
    _, connection = linked()
    with pytest.raises(UsageError, match=r"nothing was read from file 99; there are 1, 7, 8, 9, 12"):
        files_read(connection, FILES, (7, 99), 10, "mon", pytest.fail)
    _, connection = linked(level="TYPICAL")
    with pytest.raises(SourceError, match=r"GV\$FILE_HISTOGRAM is empty: .* ALTER SYSTEM SET STATISTICS_LEVEL = ALL;"):
        files_read(connection, FILES, (), 10, "mon", pytest.fail)


def test_one_lag_a_second(linked: Callable[..., tuple[Any, Any]]) -> None:
    mock, connection = linked("PHYSICAL STANDBY")
    report = Report("test")
    samples = ApplyLagSamples("v$instance", report)
    samples.check(connection)
    intervals = sampled(samples, mock, connection, 40)
    assert {one.series for one in intervals} == {"apply lag@1"}
    assert sum(one.events for one in intervals) == 120
    counted: dict[Any, Any] = {}
    for one in intervals:
        for lower, upper, count in one.ranges:
            counted[lower, upper] = counted.get((lower, upper), 0) + count
    from more_views import LAGS  # type: ignore[import-not-found]

    minutes = (180_000, 240_000)
    assert counted[minutes] == 6 * sum(lag >= 60 for lag in LAGS)
    assert counted[0, 1000] == 6 * LAGS.count(0)
    assert counted[45_000, 46_000] == 6 * LAGS.count(45)
    assert report.bad_count == 0


def test_a_lag_in_a_unit_that_is_none_costs_its_row(linked: Callable[..., tuple[Any, Any]]) -> None:
    mock, connection = linked("PHYSICAL STANDBY")
    report = Report("test")
    samples = ApplyLagSamples(None, report)
    now = mock.clock.now.replace(tzinfo=None)
    row = (1, None, now, now, "APPLY LAG", 3, "fortnights", 7)

    class Odd:
        def rows(self, *_: Any) -> list[Any]:
            return [row, (*row[:6], "hours", 2)]

    odd: Any = Odd()
    (made,) = samples.take(odd)
    assert made.ranges == ((10_800_000, 14_400_000, 2),)
    assert report.bad_count == 1
    assert made.start is None
    connection.close()


def test_where_there_is_no_standby_it_says_what_to_do(linked: Callable[..., tuple[Any, Any]]) -> None:
    _, connection = linked()
    with pytest.raises(SourceError, match=r"V\$STANDBY_EVENT_HISTOGRAM is empty: .*Connect to the standby"):
        ApplyLagSamples("v$instance", Report("test")).check(connection)
