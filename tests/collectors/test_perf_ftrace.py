"""The perf_ftrace collector; the rows are printed here as display_histogram of perf's builtin-ftrace.c prints them."""

from collections.abc import Iterator

import pytest
from hypothesis import given, strategies as st

from pylatencymap import registry
from pylatencymap.record import LOST, Clock, Event, Record, Semantics, Stamp, Tick
from pylatencymap.report import Report
from pylatencymap.text.lines import Line, lines_of
from pylatencymap.units import Unit

PERF = registry.load_collector("perf_ftrace")
HEADING = f"# {'  DURATION    ':>14} | {'COUNT':>10} | {'GRAPH':<46} |\n"
BLOCK = "\n  >=(ms) .. <(ms)   : I/O      |Distribution                          |\n"


def row(lower: object, upper: object, unit: str, events: int) -> str:
    return f"  {lower!s:>4} - {upper!s:>4} {unit:<2} | {events:>10} | {'##':<46} |\n"


def log2(slots: list[int], base: str) -> str:
    """All 22 rows: of base units, of 1024 and of 1024 x 1024 of them."""
    units = {"us": ["us", "ms", "s"], "ns": ["ns", "us", "ms"]}[base]
    text = HEADING + row(0, 1, units[0], slots[0])
    for place in range(1, 21):
        low, high, unit = 1 << place - 1, 1 << place, units[0]
        if low >= 1024:
            low, high, unit = low >> 10, high >> 10, units[1]
        text += row(low, high, unit, slots[place])
    return text + row(1, "...", units[2], slots[21])


def statistics(total: int, count: int, unit: str = "usec") -> str:
    return f"\n# statistics  (in {unit})\n  total time: {total:>20}\n    avg time: {7:>20}\n       count: {count:>20}\n"


def decode(text: str, report: Report | None = None) -> list[Event]:
    return list(PERF.decode(lines_of(text), report or Report("text")))


def records(text: str, report: Report | None = None) -> list[Record]:
    """Those that could be read."""
    return [event for event in decode(text, report) if isinstance(event, Record) and LOST not in event.flags]


@given(st.lists(st.integers(0, 10**9), min_size=22, max_size=22), st.sampled_from(["us", "ns"]))
def test_rows_beyond_1024_are_1024_of_the_unit_before(slots: list[int], base: str) -> None:
    (record,) = records(log2(slots, base))
    bounds = [(0, 1), *((1 << place - 1, 1 << place) for place in range(1, 21)), (1 << 20, None)]
    counted = tuple((*ends, count) for ends, count in zip(bounds, slots, strict=True) if count)
    assert record.ranges == counted
    assert record.unit.value == base
    assert (record.semantics, record.label, record.source) == (Semantics.INTERVAL, "perf ftrace latency", "perf_ftrace")


def test_early_releases_print_the_first_row_in_us_all_the_same() -> None:
    text = log2([3] * 22, "ns").replace("   0 -    1 ns", "   0 - 1    us")
    assert records(text)[0].ranges[:2] == ((0, 1, 3), (1, 2, 3))


def test_linear_rows_are_decimal() -> None:
    text = HEADING + row(0, 250, "ns", 1) + row(850, 1050, "ns", 2) + row("1.05", "1.25", "us", 3)
    (record,) = records(text + row("4.25", "...", "us", 4) + statistics(40_000, 10, "nsec"))
    assert record.ranges == ((0, 250, 1), (850, 1050, 2), (1050, 1250, 3), (4250, None, 4))
    assert (record.unit, record.waited) == (Unit.NS, pytest.approx(40e-6))
    (record,) = records(HEADING + row(0, 10, "us", 5) + row(100, "...", "us", 2))
    assert (record.unit, record.ranges) == (Unit.US, ((0, 10, 5), (100, None, 2)))


def test_the_statistics_tell_the_unit_where_empty_rows_are_hidden() -> None:
    text = HEADING + row(2, 4, "ms", 2) + row(256, 512, "us", 1)
    (record,) = records(text + statistics(6000, 3))
    assert (record.unit, record.ranges) == (Unit.US, ((256, 512, 1), (2048, 4096, 2)))
    assert record.waited == pytest.approx(6e-3)
    (record,) = records(text + statistics(6_000_000, 3, "nsec"))
    assert (record.unit, record.ranges) == (Unit.NS, ((256 << 10, 512 << 10, 1), (2 << 20, 4 << 20, 2)))


@pytest.mark.parametrize(("total", "count"), [(0, 3), (10_000, 3), (6000, 4)])
def test_a_total_that_these_events_cannot_have_is_not_taken(total: int, count: int) -> None:
    """Early releases lost what was below 1 us of each event."""
    text = HEADING + row(256, 512, "us", 1) + row(2, 4, "ms", 2)
    assert records(text + statistics(total, count))[0].waited is None


def test_runs_one_after_the_other() -> None:
    one = log2([1] * 22, "us") + statistics(10**8, 22)
    text = f"10:00:00\nmutex_lock\n^C{one}\n10:00:02\nmutex_lock\n{one}No data found\n{one}"
    events = decode(text)
    assert ["|" if isinstance(event, Tick) else getattr(event, "series", "") for event in events] == (
        ["|", "mutex_lock", "|", "mutex_lock", "|", "|", "all"]
    )
    assert [event.stamp for event in events if isinstance(event, Tick)] == (
        [Stamp(36_000_000_000, Clock.DAY), Stamp(36_002_000_000, Clock.DAY), None, None]
    )


def test_what_is_cut_off_or_no_row_is_reported() -> None:
    report = Report("text")
    assert records(HEADING + row(0, 1, "us", 1) + row(1, 2, "us", 1), report) == []
    assert report.bad_count == 1
    text = HEADING + row(0, 1, "us", 1) + "what?\n" + row(1, "...", "s", 2) + HEADING
    assert [record.events for record in records(text, report)] == [3]
    assert report.bad_count == 3
    assert records(row(0, 1, "us", 1) * 3, report) == []
    assert report.bad_count == 4


class TestIolatency:
    ROWS = (
        "       0 -> 1       : 4381     |####|\n"
        "       1 -> 2       : 0        |    |\n"
        "       2 -> 4       : 9        |#   |\n"
    )

    def test_upper_bounds_are_exclusive(self) -> None:
        (record,) = records(BLOCK + self.ROWS)
        assert (record.unit, record.ranges) == (Unit.MS, ((0, 1, 4381), (2, 4, 9)))
        assert (record.semantics, record.label) == (Semantics.INTERVAL, "iolatency")

    def test_intervals_with_and_without_events_and_times(self) -> None:
        times = [f"time 10:00:0{second}:\n{BLOCK}" for second in range(3)]
        text = f"Tracing block I/O.\n{times[0]}{self.ROWS}{times[1]}{times[2]}{self.ROWS}"
        events = decode(text)
        stamps = [event.stamp.micros // 10**6 for event in events if isinstance(event, Tick) and event.stamp]
        assert stamps == [36_000, 36_001, 36_002]
        assert [record.events for record in records(text)] == [4390, 0, 4390]

    def test_live_rows_may_come_in_pieces(self) -> None:
        def lines() -> Iterator[Line | None]:
            for number, text in enumerate((BLOCK + self.ROWS).split("\n")[1:-1], 1):
                yield Line(number, text, 100.0 + number)
                yield None

        found = [event for event in PERF.decode(lines(), Report("text")) if isinstance(event, Record)]
        assert sum(record.events for record in found) == 4390


def test_a_damaged_bound_costs_no_more_than_its_histogram() -> None:
    row = "      0 - 4.05 us   |          1 | ####                                           |\n"
    (record,) = records(
        f"#   DURATION     |      COUNT | GRAPH                                          |\n{row}"
        "      1 - ... s     |          2 | ####                                           |\n"
    )
    assert record.ranges[0] == (0, 4.05, 1)
