"""Sums by key in ascending order, in arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from .words import Places

_DENSE = 1 << 20
"""Keys that lie within so many are summed in a table, others in order."""


class Sums(NamedTuple):
    """``keys`` ascend, each of them once."""

    keys: Places
    values: Places


def summed(keys: Places, values: Places | None = None) -> Sums:
    """The sum of the values of each key, or how often it comes. Sums are exact below 2^53."""
    if not keys.size:
        return Sums(keys, keys)
    first = int(keys.min())
    if int(keys.max()) - first < _DENSE:
        seen = np.bincount(keys - first)
        table = seen if values is None else np.bincount(keys - first, values)
        places = seen.nonzero()[0]
        return Sums(places + first, table[places].astype(np.int64))
    keys, values = in_order(keys, np.ones(keys.size, np.int64) if values is None else values)
    edges = np.concatenate(([0], (keys[1:] != keys[:-1]).nonzero()[0] + 1))
    return Sums(keys[edges], np.add.reduceat(values, edges))


def in_order(keys: Places, values: Places) -> Sums:
    """Sums by ascending keys."""
    order = keys.argsort(kind="stable")
    return Sums(keys[order], values[order])


class Ordered:
    """Sums that are added to. Keys that mostly ascend, as times in a trace do, are not moved again."""

    def __init__(self) -> None:
        self._blocks: list[Sums] = []

    def add(self, new: Sums) -> None:
        """Add the values of these keys."""
        while self._blocks and new.keys.size and self._blocks[-1].keys[-1] >= new.keys[0]:
            last = self._blocks.pop()
            cut = int(np.searchsorted(last.keys, new.keys[0]))
            if cut:
                self._blocks.append(Sums(last.keys[:cut], last.values[:cut]))
            new = summed(*(np.concatenate((part[cut:], added)) for part, added in zip(last, new, strict=True)))
        if new.keys.size:
            self._blocks.append(new)

    @property
    def total(self) -> int:
        """The sum of all values."""
        return sum(int(block.values.sum()) for block in self._blocks)

    def taken(self) -> Iterator[Sums]:
        """All of it in ascending blocks, which are not kept."""
        blocks, self._blocks = self._blocks[::-1], []
        while blocks:
            yield blocks.pop()
