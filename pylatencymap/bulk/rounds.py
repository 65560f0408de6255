"""Which prints tell of which series: ``idle.filled`` for all prints of a file at once."""

from __future__ import annotations

import numpy as np

from ..intervals.idle import AT_ONCE
from .words import Places


def told_prints(prints: Places, series: Places, count: int) -> list[Places]:
    """For each series, by its number, the prints that end its intervals, ascending: where it has events and, from then
    on, where it is told to be idle. ``prints`` and ``series`` say which series has events in which of ``count`` prints;
    they ascend, as does the order of series in a print.

    Of few series each print tells all. Of more it tells those with events, and AT_ONCE idle ones that were told of
    longest ago; a series that comes again has been idle until the print before.
    """
    size = int(series.max()) + 1
    firsts = np.full(size, count)
    np.minimum.at(firsts, series, prints)
    if np.count_nonzero(firsts < count) <= AT_ONCE:
        return [np.arange(first, count) for first in firsts.tolist()]
    return _in_turns(prints, series, count, size)


def _in_turns(prints: Places, series: Places, count: int, size: int) -> list[Places]:
    told: list[list[int]] = [[] for _ in range(size)]
    last: dict[int, int] = {}  # the print that told of a series; what was told of longest ago comes first
    behind = prints.searchsorted(np.arange(1, count + 1)).tolist()
    busy, begin = series.tolist(), 0
    for number, end in enumerate(behind):
        for one in busy[begin:end]:
            if last.pop(one, number) < number - 1:
                told[one].append(number - 1)
            told[one].append(number)
            last[one] = number
        begin = end
        for one in _idle(last, number, AT_ONCE if number < count - 1 else size):
            told[one].append(number)
            del last[one]
            last[one] = number
    return [np.array(numbers, np.int64) for numbers in told]


def _idle(last: dict[int, int], number: int, most: int) -> list[int]:
    """So many series that the print has not told of yet."""
    found: list[int] = []
    for one, told in last.items():
        if told == number or len(found) == most:
            break
        found.append(one)
    return found
