"""Which of a user's marks a picture can show: a long session may hold any number of them."""

from bisect import bisect_right
from operator import itemgetter
from typing import TypeAlias

import numpy as np

from ..window.matrix import Matrix
from .clock import MICROS

Mark: TypeAlias = tuple[int, str, str]
"""Epoch microseconds, letter, text."""

_moment = itemgetter(0)


def shown_marks(marks: tuple[Mark, ...], matrix: Matrix, interval: float, most: int) -> tuple[Mark, ...]:
    """The newest ``most`` marks within the columns, oldest first, and the last one of each column.

    ``interval`` is the length of the first column, seconds.
    """
    if not marks or not matrix.columns:
        return ()
    ordered = sorted(marks, key=_moment)
    start, end = int(matrix.ends[0]) - interval * MICROS, int(matrix.ends[-1])
    inside = ordered[bisect_right(ordered, start, key=_moment) : bisect_right(ordered, end, key=_moment)]
    if len(inside) <= most:
        return tuple(inside)
    columns = np.searchsorted(matrix.ends, [moment for moment, _, _ in inside])
    kept = np.append(columns[1:] != columns[:-1], True)
    kept[len(inside) - most :] = True
    return tuple(inside[position] for position in np.flatnonzero(kept).tolist())
