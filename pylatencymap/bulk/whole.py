"""All that was counted of a file, where nothing of it needs to be looked at as a record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from ..interval import Interval
from ..intervals.batch import Batch
from .batches import batches
from .expanded import intervals
from .found import Scan
from .sums import SERIES, Sums, joined


class Whole:
    """Sums by bin and series, with series numbered as their ``names`` ascend; all of a bin are in one block. ``width``
    is that of a bin in microseconds; times are epochs. They can be taken once, and are not kept.
    """

    def __init__(self, blocks: Iterator[Sums], names: list[str], width: int, scan: Scan) -> None:
        self._blocks, self._names, self._width, self._scan = blocks, names, width, scan

    def batches(self) -> Iterator[Batch]:
        """Batches of all series, of one part of the time after the other."""
        return batches(self._blocks, self._names, self._width, self._scan)

    def intervals(self) -> Iterator[Interval]:
        """One interval after the other, as they would come of records."""
        return intervals(self._blocks, self._names, self._width, self._scan)


def whole_of(blocks: Iterable[Sums], names: Mapping[int, str], width: int, scan: Scan) -> Whole:
    """Ascending blocks of sums in which series have these numbers."""
    numbers = sorted(names, key=names.__getitem__)
    ranks = np.zeros(len(numbers), np.int64)
    ranks[numbers] = np.arange(len(numbers))
    renumbered = (block.renumbered(ranks) for block in _of_whole_bins(blocks))
    return Whole(renumbered, [names[number] for number in numbers], width, scan)


def _of_whole_bins(blocks: Iterable[Sums]) -> Iterator[Sums]:
    """The same, with what is in the last bin of a block in the next one."""
    held: Sums | None = None
    for block in blocks:
        together = block if held is None else joined((held, block))
        cut = int(together.owners.searchsorted(together.owners[-1] // SERIES * SERIES))
        if cut:
            yield together.between(0, cut)
        held = together.between(cut, together.owners.size)
    if held is not None:
        yield held
