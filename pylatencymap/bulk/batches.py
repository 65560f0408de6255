"""All sums of a file as intervals in arrays: the one form in which a scan hands over what it has counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np

from ..intervals.batch import Batches, Series
from ..intervals.bins import RESOLUTION
from ..intervals.difference import new_name
from ..intervals.turns import Told, Turns
from ..units import Unit
from .found import Scan
from .sums import SERIES, Sums, joined
from .words import Places, Truths

MOST_INTERVALS = 1 << 13
"""After so many, those of all series are handed over."""
_EXACT = np.zeros(1, np.int64)
"""No steps: what is scanned has none."""


class Axis(NamedTuple):
    """Bins of ``width`` microseconds, and what has to be added to get to epochs; ``clock``: these are real times."""

    width: int
    shift: int = 0
    clock: bool = True


Key: TypeAlias = tuple[str, Unit]
"""A series: units never mix."""


def batches(
    blocks: Iterable[Sums], keys: Mapping[int, Key], steps: Mapping[int, int], axis: Axis, scan: Scan
) -> Iterator[Batches]:
    """The intervals of one part of the time after the other, of ascending blocks in which series have these numbers.
    ``steps``: see ``Cell``, of owners that have any.
    """
    numbers = sorted(keys, key=lambda number: (keys[number][0], keys[number][1].value))
    ranks = np.zeros(len(numbers), np.int64)
    ranks[numbers] = np.arange(len(numbers))
    rough = {owner // SERIES * SERIES + int(ranks[owner % SERIES]): step for owner, step in steps.items()}
    maker = _Maker([keys[number] for number in numbers], rough, axis, scan)
    turns, held, told = Turns(axis.width), list[Sums](), list[Told]()
    for block in (whole.renumbered(ranks) for whole in _of_whole_bins(blocks)):
        bins, series = np.divmod(block.owners, SERIES)
        cuts = np.flatnonzero(np.diff(bins, prepend=-1, append=-1)).tolist()
        places, busy, taken = bins.tolist(), series.tolist(), 0
        for begin, end in pairwise(cuts):
            told.extend(turns.bin(places[begin], busy[begin:end]))
            if len(told) >= MOST_INTERVALS:
                yield maker.made([*held, block.between(taken, end)], told)
                held, told, taken = [], [], end
        held.append(block.between(taken, block.owners.size))
    told.extend(turns.rest())
    if told:
        yield maker.made(held, told)


class _Maker:
    """Puts intervals, and what was counted in those with events, into arrays. ``rough``: the steps of some owners."""

    def __init__(self, keys: list[Key], rough: dict[int, int], axis: Axis, scan: Scan) -> None:
        self._keys, self._rough, self._axis = keys, rough, axis
        self._same = scan.label, scan.source, RESOLUTION, axis.clock
        self._seconds = np.array([unit.seconds for _, unit in keys])
        self._series: dict[int, Series] = {}
        self._names: set[str] = set()
        self._last_rough: dict[int, bool] = {}

    def made(self, blocks: list[Sums], told: list[Told]) -> Batches:
        """Owners with events come in their order."""
        sums = joined(blocks)
        owners, starts, ends, busy, late = (np.array(column) for column in zip(*told, strict=True))
        for owner in dict.fromkeys(owners.tolist()):
            if owner not in self._series:
                name, unit = self._keys[owner]
                self._series[owner] = Series(name, unit, new_name(name, unit, self._names))
        waited, sizes = np.zeros(starts.size), np.zeros(starts.size, np.int64)
        steps = np.array([self._rough.get(owner, 0) for owner in sums.owners.tolist()]) if self._rough else _EXACT
        waited[busy] = (sums.waited + steps / 2) * self._seconds[owners[busy]]
        sizes[busy] = sums.sizes
        times = starts + self._axis.shift, ends + self._axis.shift, waited, self._estimated(told, steps)
        return Batches(dict(self._series), *self._same, owners, late, *times, sizes, sums.buckets, sums.counts)

    def _estimated(self, told: list[Told], steps: Places) -> Truths:
        """Whose time waited is not exact; of an idle one it is as that of the last one with events was."""
        found = np.zeros(len(told), np.bool_)
        if self._rough:
            busy = iter(steps.tolist())
            for place, one in enumerate(told):
                if one.busy:
                    self._last_rough[one.series] = next(busy) > 0
                found[place] = not one.late and self._last_rough[one.series]
        return found


def _of_whole_bins(blocks: Iterable[Sums]) -> Iterator[Sums]:
    """The same, with what is in the last bin of a block in the next one: series are renumbered within a bin."""
    held: Sums | None = None
    for block in blocks:
        together = block if held is None else joined((held, block))
        cut = int(together.owners.searchsorted(together.owners[-1] // SERIES * SERIES))
        if cut:
            yield together.between(0, cut)
        held = together.between(cut, together.owners.size)
    if held is not None:
        yield held
