"""Prints without a stamp beside prints with one: no time between two clocks is ever taken for time that passed."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pylatencymap.record import Clock, Stamp

YEAR = 365.0 * 86_400
DAY = {"day": date(2026, 2, 27)}


@pytest.mark.parametrize("step", [0.25, 1, 10, 60])
@pytest.mark.parametrize("undated", [1, 2, 8])
def test_first_prints_are_one_interval_each_before_the_first_stamp(
    step: float, undated: int, make: Any, engine: Any
) -> None:
    stamps = [*[None] * undated, *(make.at(step * number, whole=step >= 1) for number in range(4))]
    found = engine(make.prints(stamps))
    assert found.seconds == [step] * (undated + 4)
    assert found.ends == [step * (number - undated) for number in range(undated + 4)]
    assert all(one.clock for one in found.intervals)
    assert (found.gaps, found.said) == ([], [])


@pytest.mark.parametrize("text", ["", "2026-02-27 00:00:01", "2026-02-27T00:00:01", "Fri Feb 27 00:00:01 2026"])
def test_the_first_print_may_be_of_the_day_before(text: str, make: Any, engine: Any) -> None:
    later = text.replace(":01", ":03")
    stamps = [None, make.day("00:00:01", text), make.day("00:00:03", later)]
    found = engine(make.prints(stamps), **({} if text else DAY))
    assert found.seconds == [2, 2, 2]
    assert len({one.start - 2_000_000 * number for number, one in enumerate(found.intervals)}) == 1


def test_too_many_first_prints_without_a_stamp_give_an_axis_without_a_clock(make: Any, engine: Any) -> None:
    found = engine(make.prints([*[None] * 9, make.at(0), make.at(1), make.at(2)]))
    assert [one.end for one in found.intervals] == [1_000_000 * number for number in range(1, 13)]
    assert not any(one.clock for one in found.intervals)
    assert {event.stamp.clock for event in found.events} == {Clock.COUNTED}
    assert (found.gaps, found.said) == ([], [])


def test_prints_without_a_stamp_are_placed_between_those_that_have_one(make: Any, engine: Any) -> None:
    found = engine(make.prints([make.at(0), make.at(5), None, None, make.at(20), make.at(25)]))
    assert found.ends == [0, 5, 10, 15, 20, 25]
    assert found.gaps == []
    assert all(one.clock for one in found.intervals)


def test_a_live_first_print_that_arrives_with_the_first_stamp(make: Any, engine: Any) -> None:
    found = engine(make.prints([None, make.at(1), make.at(2), make.at(3)], [1.0, 1.001, 2.0, 3.0]), live=True)
    assert found.seconds == [1] * 4
    assert found.ends == [0, 1, 2, 3]
    assert found.gaps == []


@given(
    kinds=st.lists(st.sampled_from(["epoch", "whole", "day", "free", "none"]), min_size=2, max_size=30),
    live=st.booleans(),
)
def test_no_interval_and_no_gap_lasts_for_years(kinds: list[str], live: bool, make: Any, engine: Any) -> None:
    """Prints of a source, one a second, whose stamps are sometimes missing."""
    kind = next((one for one in kinds if one != "none"), "none")
    stamps: list[Stamp | None] = []
    for number, one in enumerate(kinds):
        stamp = {
            "epoch": make.at(number),
            "whole": make.at(number, whole=True),
            "day": make.day(f"10:00:{number:02d}"),
            "free": Stamp(1_000_000 * (500 + number), Clock.FREE),
            "none": None,
        }[kind]
        stamps.append(None if one == "none" else stamp)
    arrivals = [float(1 + number) for number in range(len(kinds))]
    found = engine(make.prints(stamps, arrivals if live else None), live=live, **DAY)
    assert sum(one.events for one in found.intervals) == 10 * len(kinds)
    first, last = found.intervals[0], found.intervals[-1]
    if not live or kind != "day":  # a time of day of another day than today is far from the arrivals of the others
        assert (last.end - first.start) / 1e6 < 86_400
        assert all(one.seconds < 86_400 for one in found.intervals)
