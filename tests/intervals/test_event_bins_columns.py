"""Events in bins, and the time that they took together."""

from pylatencymap.intervals.difference import to_intervals
from pylatencymap.intervals.event_bins import BinCounts, bin_events
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.intervals.stages import resolve_times
from pylatencymap.record import Record, Sample, Tick
from pylatencymap.report import Report
from pylatencymap.units import Unit

BEGIN = 1_700_000_000_000_000


def test_latencies_that_were_cut_down_count_in_the_middle_of_their_steps() -> None:
    report, options = Report("trace"), TimeOptions()
    trace = [Sample("disk", Unit.MS, latency, BEGIN, step=1) for latency in (0, 0, 0, 5)]
    made = resolve_times(bin_events(trace, options, report), options, report)
    (one,) = to_intervals(event for event in made if isinstance(event, Record | Tick))
    assert one.ranges == ((0, 1, 3), (5, 6, 1))
    assert one.waited == 0.007
    assert one.estimated


def test_one_that_was_cut_down_makes_the_sum_an_estimate() -> None:
    cell = BinCounts()
    cell.add(250)
    cell.add(3_000, 1_000)
    assert cell.seconds(Unit.US) == 0.00375
    assert cell.steps == 1_000
    assert sum(count for lower, upper, count in cell.ranges() if lower <= 3_500 < (upper or 0)) == 1


def test_exact_latencies_make_an_exact_sum() -> None:
    cell = BinCounts()
    for latency in (1, 2, 3):
        cell.add(latency)
    assert (cell.seconds(Unit.US), cell.steps) == (6e-6, 0)
