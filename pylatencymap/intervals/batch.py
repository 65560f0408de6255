"""All intervals of a series side by side in arrays: what a file that was scanned as a whole can hand over at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..units import Unit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Batch(NamedTuple):
    """Intervals without resets and gaps, on a real clock, with exact times waited; none continues another one.

    starts, ends  int64 [n], epoch microseconds, ascending; rates are over what lies between them
    waited        float64 [n], seconds
    sizes         int64 [n], how many buckets have events in each interval
    buckets       int16 or wider [sum of sizes], one interval behind the other, ascending in each; see ``buckets``
    counts        int32 or int64 [sum of sizes], the events in each of these buckets
    """

    series: str
    unit: Unit
    label: str
    source: str
    resolution: int
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    waited: NDArray[np.float64]
    sizes: NDArray[np.int64]
    buckets: NDArray[np.integer]
    counts: NDArray[np.integer]

    @property
    def seconds(self) -> NDArray[np.float64]:
        """How long each interval is."""
        return (self.ends - self.starts) / 1e6


TakeBatch: TypeAlias = Callable[[Batch], object]
"""What takes all that there is, instead of one interval after the other."""
