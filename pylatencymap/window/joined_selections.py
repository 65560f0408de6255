"""Puts the columns of several selections behind each other, as if one source had measured them all; adds columns up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .history import History
from .selection import Selection, select_between
from .series_sum import finest_unit, ranges_in_unit
from .store import ESTIMATED_BIT, RangeKey

DIGITS = 9
"""Significant digits of a bound: what two sources print for the same bound differs behind them."""


def added_up(selection: Selection) -> Selection:
    """All columns as one, or as two where the time waited of some is estimated: averages stay what they are."""
    guessed = (selection.columns["flags"] & ESTIMATED_BIT) != 0
    parts = [part for part in (guessed, ~guessed) if part.any()]
    columns = selection.columns[[int(part.argmax()) for part in parts]].copy()
    for place, part in enumerate(parts):
        columns["seconds"][place] = selection.columns["seconds"][part].sum()
        columns["waited"][place] = selection.columns["waited"][part].sum()
    counts = np.array([selection.counts[part].sum(axis=0) for part in parts]).reshape(
        len(parts), selection.counts.shape[1]
    )
    return replace(selection, columns=columns, counts=counts, lasted=columns["seconds"].copy())


def join_selections(selections: Sequence[Selection]) -> Selection:
    """One selection with all columns in the given order, whose times may overlap; there is at least one selection.

    Its ranges are those of all selections, in the finest unit. Ranges of different sources can overlap:
    ``source_rows`` makes rows of them that end where every source has a bound.
    """
    if len(selections) == 1:
        return selections[0]
    unit = finest_unit([one.unit for one in selections])
    places: dict[RangeKey, int] = {}
    taken = [
        np.array(
            [places.setdefault(_rounded(key), len(places)) for key in ranges_in_unit(one.ranges, one.unit, unit)],
            np.int64,
        )
        for one in selections
    ]
    counts = np.zeros((sum(map(len, selections)), len(places)))
    first = 0
    for one, rows in zip(selections, taken, strict=True):
        np.add.at(counts[first : first + len(one)].T, rows, one.counts.T)
        first += len(one)
    return Selection(
        list(places),
        unit,
        np.concatenate([one.columns for one in selections]),
        counts,
        np.concatenate([one.lasted for one in selections]),
        max(one.width for one in selections),
    )


def sum_between(histories: Sequence[History], start: int, end: int, count: int) -> Selection:
    """What several series have between two moments (epoch microseconds), for figures: the columns of one behind those
    of the other, about ``count`` in all. They have only the seconds of the series that was watched longest.
    """
    each = max(count // max(len(histories), 1), 1)
    parts = [select_between(history, start, end, each) for history in histories]
    if not parts:
        return Selection.empty()
    seconds = [float(part.columns["seconds"].sum()) for part in parts]
    longest = seconds.index(max(seconds))
    joined = join_selections(parts)
    columns = joined.columns.copy()
    counted = np.repeat(np.arange(len(parts)) == longest, [len(part) for part in parts])
    columns["seconds"][~counted] = 0.0
    return replace(joined, columns=columns)


def _rounded(key: RangeKey) -> RangeKey:
    lower, upper = key
    return _shortened(lower), None if upper is None else _shortened(upper)


def _shortened(bound: float) -> int | float:
    """Whole numbers as they are; others with ``DIGITS`` digits, and whole if they are so close to it."""
    if isinstance(bound, int):
        return bound
    short = float(f"{bound:.{DIGITS}g}")
    return int(short) if short.is_integer() else short
