"""All that was counted of a file, where nothing of it needs to be looked at as a record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from ..interval import Interval
from ..intervals.batch import Batch
from .batches import batches
from .expanded import intervals
from .found import Scan
from .sums import SERIES, Sums, joined
from .words import Places


class Whole(NamedTuple):
    """Sums by bin and series, with series numbered as their ``names`` ascend; all of a bin are in one block. ``width``
    is that of a bin in microseconds; times are epochs.
    """

    blocks: list[Sums]
    names: list[str]
    width: int
    scan: Scan

    def batches(self) -> Iterator[Batch]:
        """A batch of each series."""
        return batches(self.blocks, self.names, self.width, self.scan)

    def intervals(self) -> Iterator[Interval]:
        """One interval after the other, as they would come of records; what has been told is not kept."""
        return intervals(self.blocks, self.names, self.width, self.scan)


def whole_of(blocks: Iterable[Sums], names: Mapping[int, str], width: int, scan: Scan) -> Whole:
    """Ascending blocks of sums in which series have these numbers."""
    numbers = sorted(names, key=names.__getitem__)
    ranks = np.zeros(len(numbers), np.int64)
    ranks[numbers] = np.arange(len(numbers))
    renumbered = [_renumbered(block, ranks) for block in _of_whole_bins(blocks)]
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


def _renumbered(block: Sums, ranks: Places) -> Sums:
    owners = block.owners // SERIES * SERIES + ranks[block.owners % SERIES]
    return block._replace(owners=owners).reordered(owners.argsort())
