"""The grid: all figures are of the time that the panels show."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from pylatencymap.interval import Interval
from pylatencymap.units import Unit

SECOND = 1_000_000
START = 1_700_000_000 * SECOND


def seconds(name: str, numbers: Iterable[int], count: int, length: int = 1) -> Iterator[Interval]:
    """Intervals of a series that end at these seconds: ``count`` I/Os a second, 10 ms each."""
    for number in numbers:
        end = START + number * SECOND
        waited = count * length * 0.01
        ranges = ((8192, 16384, count * length),)
        yield Interval(name, Unit.US, end - length * SECOND, end, float(length), ranges, waited, label="biolatency")


def figures(viewer: Any, name: str) -> str:
    """The line below the name of a panel, from where that begins."""
    number = next(number for number, line in enumerate(viewer.lines) if f" {name} " in line)
    return str(viewer.lines[number + 1][max(0, viewer.lines[number].index(f" {name} ") - 3) :])


def test_rates_and_shares_are_of_the_window_and_the_order_of_all_that_is_kept(view: Callable[..., Any]) -> None:
    """One series waited most in the first 100 s, and a tenth of the rest in the last ones, which are shown."""
    data = [
        *seconds("once", range(1, 101), 1000),
        *seconds("once", range(101, 401), 10),
        *seconds("now", range(1, 401), 90),
    ]
    viewer = view(sorted(data, key=lambda interval: interval.end))
    viewer.press("g")
    assert "2 of 2 series, most waited first, of all that is kept" in viewer.lines[0]
    assert viewer.text.index("1 once") < viewer.text.index("2 now")
    assert figures(viewer, "1 once").split()[:7] == ["10.0", "/s", "100", "ms/s", "10", "%", "of"]
    assert figures(viewer, "2 now").split()[:7] == ["90.0", "/s", "900", "ms/s", "90", "%", "of"]


def test_a_pause_counts_what_comes_in_the_grid_too(view: Callable[..., Any]) -> None:
    viewer = view(list(seconds("a", range(1, 101), 10)))
    viewer.press("g", " ")
    viewer.add(*seconds("a", range(101, 138), 10))
    assert "37 new" in viewer.lines[0]
    assert "PAUSED" in viewer.lines[0]


@pytest.mark.parametrize("size", [(120, 40), (200, 60)])
def test_series_with_other_intervals_stand_on_the_same_clock(view: Callable[..., Any], size: tuple[int, int]) -> None:
    data = [*seconds("slow", range(10, 401, 10), 20, length=10), *seconds("fast", range(1, 401), 30)]
    viewer = view(sorted(data, key=lambda interval: interval.end), size=size)
    viewer.press("g")
    assert figures(viewer, "2 slow").split()[:4] == ["20.0", "/s", "200", "ms/s"]
    assert figures(viewer, "1 fast").split()[:4] == ["30.0", "/s", "300", "ms/s"]
    assert "every 10 s" in viewer.lines[0]
