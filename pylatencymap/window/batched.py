"""What a batch of intervals comes to in a history."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..intervals.batch import Batch
from .block import COLUMN, ESTIMATED, UNCLOCKED

COUNTS_AT_ONCE = 1 << 16
"""So many are added up at once: numpy makes 16 bytes of each."""


def totals_of(batch: Batch) -> NDArray[np.float64]:
    """The events in each bucket, over all intervals."""
    totals = np.zeros(int(batch.buckets.max(initial=-1)) + 1)
    for first in range(0, batch.buckets.size, COUNTS_AT_ONCE):
        part = slice(first, first + COUNTS_AT_ONCE)
        totals += np.bincount(batch.buckets[part], batch.counts[part], totals.size)
    return totals


def columns_of(batch: Batch) -> NDArray[Any]:
    """Its columns, COLUMN [n]."""
    columns = np.zeros(batch.ends.size, COLUMN)
    columns["start"], columns["end"] = batch.starts, batch.ends
    columns["seconds"], columns["waited"] = batch.seconds, batch.waited
    columns["flags"] = np.where(batch.estimated, ESTIMATED, 0) | (0 if batch.clock else UNCLOCKED)
    return columns
