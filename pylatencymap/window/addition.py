"""Columns of several series added up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..units import Unit
from .axis import Run
from .block import COLUMN, GAP, RangeKey
from .matrix import BoolArray, FloatArray, IntArray


class Term(NamedTuple):
    """One series' columns. ``keys`` int64 [n], ascending, say which columns of the others they are added to."""

    keys: IntArray
    run: Run
    ranges: list[RangeKey]
    unit: Unit


def finest_unit(units: Sequence[Unit]) -> Unit:
    """The smallest of one unit or more: bounds of the others are whole numbers of it."""
    return min(units, key=lambda unit: unit.seconds)


def scaled(ranges: Sequence[RangeKey], unit: Unit, to: Unit) -> list[RangeKey]:
    """Bounds in another unit, which is not larger; exact."""
    factor = round(unit.seconds / to.seconds)
    return [(lower * factor, None if upper is None else upper * factor) for lower, upper in ranges]


def added(terms: Sequence[Term], limit: int) -> tuple[Run, list[RangeKey], Unit]:
    """The newest ``limit`` columns of the sum of all terms (one or more), their ranges and unit.

    Counts and time waited are sums. ``seconds`` is how long the column was watched: that of the longest. A column is a
    gap where no series has data.
    """
    unit = finest_unit([term.unit for term in terms])
    keys = np.unique(np.concatenate([term.keys for term in terms]))[-limit:]
    rows: dict[RangeKey, int] = {}
    where = [
        np.array([rows.setdefault(key, len(rows)) for key in scaled(term.ranges, term.unit, unit)], np.int64)
        for term in terms
    ]
    sums = _Sums(len(keys), len(rows))
    for term, columns in zip(terms, where, strict=True):
        kept = np.searchsorted(term.keys, keys[0]) if len(keys) else 0
        run = term.run.taken(slice(int(kept), None))
        sums.add(run, np.searchsorted(keys, term.keys[kept:]), columns)
    return sums.run(), list(rows), unit


class _Sums:
    """What the columns come to."""

    def __init__(self, size: int, rows: int) -> None:
        self._columns = np.zeros(size, COLUMN)
        self._columns["start"] = np.iinfo(np.int64).max
        self._begins = self._columns["start"].astype(np.int64)
        self._counts: FloatArray = np.zeros((size, rows))
        self._lasted: FloatArray = np.zeros(size)
        self._data: BoolArray = np.zeros(size, bool)

    def add(self, run: Run, places: IntArray, rows: IntArray) -> None:
        """Add a run whose columns go to ``places``, its counts to ``rows``."""
        sums, columns = self._columns, run.columns
        self._counts[np.ix_(places, rows[: run.counts.shape[1]])] += run.counts
        self._data[places] |= columns["flags"] & GAP == 0
        self._lasted[places] = np.maximum(self._lasted[places], run.lasted)
        self._begins[places] = np.minimum(self._begins[places], run.begins)
        sums["start"][places] = np.minimum(sums["start"][places], columns["start"])
        sums["end"][places] = np.maximum(sums["end"][places], columns["end"])
        sums["seconds"][places] = np.maximum(sums["seconds"][places], columns["seconds"])
        sums["waited"][places] += columns["waited"]
        sums["flags"][places] |= columns["flags"]

    def run(self) -> Run:
        """The sums as columns."""
        self._columns["flags"] &= np.where(self._data, ~np.uint8(GAP), np.uint8(0xFF))
        begins = np.maximum(self._begins, np.concatenate([self._begins[:1], self._columns["end"][:-1]]))
        return Run(self._columns, self._counts, self._lasted, begins)
