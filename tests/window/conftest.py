"""Intervals by hand."""

from collections.abc import Callable
from typing import Any

import pytest

from pylatencymap.interval import Interval, midpoint_time
from pylatencymap.record import Range
from pylatencymap.units import Unit

SECOND = 1_000_000
Make = Callable[..., Interval]


def make_interval(end: float, ranges: dict[int, float] | None = None, seconds: float = 1.0, **more: Any) -> Interval:
    """An interval in microseconds: counts by lower bound of their octave."""
    found: tuple[Range, ...] = tuple((lower, 2 * lower, count) for lower, count in (ranges or {}).items())
    found = more.pop("native", found)
    gap = more.get("gap", False)
    return Interval(
        more.pop("series", "a"),
        more.pop("unit", Unit.US),
        round((end - more.pop("span", seconds)) * SECOND),
        round(end * SECOND),
        seconds,
        found,
        **{"waited": None if gap else midpoint_time(found, Unit.US), **more},
    )


@pytest.fixture(scope="session")
def interval() -> Make:
    return make_interval
