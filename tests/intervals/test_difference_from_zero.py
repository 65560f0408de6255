"""Totals that count from zero: nothing is a baseline, and nothing is lost."""

from hypothesis import given, strategies as st

from pylatencymap.intervals.difference import intervals_from_zero
from pylatencymap.record import Record, Semantics, Tick, tidy_ranges
from pylatencymap.units import Unit


def total(series: str, waited: float | None, *counts: int) -> Record:
    ranges = tidy_ranges([(1 << octave, 2 << octave, count) for octave, count in enumerate(counts)])
    return Record(series, Unit.US, ranges, Semantics.OPEN, waited=waited)


def test_each_print_is_what_was_added() -> None:
    found = list(
        intervals_from_zero([Tick(), total("a", 1.0, 3, 5), Tick(), total("a", 1.5, 3, 9), total("b", None, 2)])
    )
    assert [type(event) for event in found] == [Tick, Record, Tick, Record, Record]
    assert [event.ranges for event in found if isinstance(event, Record)] == [
        ((1, 2, 3), (2, 4, 5)),
        ((2, 4, 4),),
        ((1, 2, 2),),
    ]
    assert [event.waited for event in found if isinstance(event, Record)] == [1.0, 0.5, None]
    assert {event.semantics for event in found if isinstance(event, Record)} == {Semantics.INTERVAL}


def test_counters_that_fall_began_again() -> None:
    _, second = intervals_from_zero([total("a", 4.0, 8), total("a", 0.5, 2)])
    assert isinstance(second, Record)
    assert (second.ranges, second.waited) == (((1, 2, 2),), 0.5)


@given(st.lists(st.lists(st.integers(0, 100), min_size=3, max_size=3), min_size=1, max_size=8))
def test_what_was_added_adds_up_to_the_last_total(steps: list[list[int]]) -> None:
    sums, prints = [0, 0, 0], []
    for step in steps:
        sums = [total + added for total, added in zip(sums, step, strict=True)]
        prints.append(total("a", float(sum(sums)), *sums))
    found = [event for event in intervals_from_zero(prints) if isinstance(event, Record)]
    for one, step in zip(found, steps, strict=True):
        assert one.ranges == total("a", None, *step).ranges
        assert one.waited == sum(step)
