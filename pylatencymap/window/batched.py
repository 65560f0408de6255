"""A batch of intervals as blocks of columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..intervals.batch import Batch
from .block import COLUMN, Block
from .store import BLOCK_COLUMNS

AT_ONCE = 1 << 16
"""So many counts are added up at once: numpy makes 16 bytes of each."""


def totals_of(batch: Batch) -> NDArray[np.float64]:
    """The events in each bucket, over all intervals."""
    totals = np.zeros(int(batch.buckets.max(initial=0)) + 1)
    for first in range(0, batch.buckets.size, AT_ONCE):
        part = slice(first, first + AT_ONCE)
        totals += np.bincount(batch.buckets[part], batch.counts[part], totals.size)
    return totals


def blocks_of(batch: Batch, rows: NDArray[np.int64]) -> Iterator[Block]:
    """Blocks of BLOCK_COLUMNS columns, the last one of fewer; ``rows`` are the buckets in use, ascending."""
    row_of = np.zeros(int(rows.max(initial=0)) + 1, np.int64)
    row_of[rows] = np.arange(rows.size)
    behind = np.concatenate(([0], np.cumsum(batch.sizes)))
    for first in range(0, batch.ends.size, BLOCK_COLUMNS):
        part = slice(first, min(first + BLOCK_COLUMNS, batch.ends.size))
        held = slice(int(behind[part.start]), int(behind[part.stop]))
        places = np.repeat(np.arange(part.stop - part.start), batch.sizes[part])
        counts = _counts(batch.counts[held], (part.stop - part.start, rows.size))
        counts[places, row_of[batch.buckets[held]]] = batch.counts[held]
        yield Block(_columns(batch, part), counts)


def _counts(found: NDArray[np.integer[Any]], shape: tuple[int, int]) -> NDArray[Any]:
    """Zeros of the type that an open block has for such counts."""
    return np.zeros(shape, np.uint32 if int(found.max(initial=0)) < 1 << 32 else np.float64)


def _columns(batch: Batch, part: slice) -> NDArray[Any]:
    columns = np.zeros(part.stop - part.start, COLUMN)
    columns["start"], columns["end"] = batch.starts[part], batch.ends[part]
    columns["seconds"] = batch.seconds[part]
    columns["waited"] = batch.waited[part]
    return columns
