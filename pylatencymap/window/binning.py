"""Raw integer latencies to buckets, many at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..buckets import bounds_of
from ..record import Range

_POWERS = np.left_shift(np.uint64(1), np.arange(64, dtype=np.uint64))


def buckets_of(values: NDArray[np.uint64], resolution: int = 1) -> NDArray[np.int64]:
    """Numbers of the buckets that hold the values, as ``buckets.bucket_of`` numbers them; exact up to 2^64 - 1.

    The bit length is looked up among the powers of two: a logarithm would put 2^63 - 1 into the octave of 2^63.
    """
    bit_lengths = np.searchsorted(_POWERS, values, side="right")
    shifts = np.maximum(bit_lengths - resolution.bit_length(), 0)
    return np.asarray(shifts * resolution + (values >> shifts.astype(np.uint64)).astype(np.int64))


def histogram(values: NDArray[np.uint64], resolution: int = 1) -> list[Range]:
    """Values counted in buckets: (lower, upper, count) in their own unit, ascending, without empty ones."""
    buckets, counts = np.unique(buckets_of(values, resolution), return_counts=True)
    return [(*bounds_of(int(bucket), resolution), int(count)) for bucket, count in zip(buckets, counts, strict=True)]
