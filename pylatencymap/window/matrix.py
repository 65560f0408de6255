"""The time x latency matrix, from which the picture is drawn."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..units import Unit

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]


class Matrix(NamedTuple):
    """Counts of one series in ``rows`` latency rows and ``columns`` times, oldest column first, lowest row first.

    bounds     float64 [rows + 1], seconds, ascending; row r is [bounds[r], bounds[r + 1]). Rows may differ in width.
               With ``overflow``, the last row is open: [bounds[-2], infinity), and bounds[-1] is infinity.
    counts     float64 [rows, columns], events
    waited     float64 [rows, columns], seconds waited; sums per column are exact unless ``estimated``
    ends       int64   [columns], epoch microseconds at which the column's interval ends
    seconds    float64 [columns], the divisor for rates; 0 without data
    lasted     float64 [columns], seconds of the interval that the column is a piece of; 0 without data
    gap        bool    [columns], the source was silent (counts are 0)
    reset      bool    [columns], the counters restarted within it; of an interval drawn in pieces only the first
    estimated  bool    [columns], time waited is a midpoint estimate
    resampled  some range of the source had to be divided among rows
    clock      times are real
    unit       the unit of the source's own bounds
    """

    bounds: FloatArray
    counts: FloatArray
    waited: FloatArray
    ends: IntArray
    seconds: FloatArray
    lasted: FloatArray
    gap: BoolArray
    reset: BoolArray
    estimated: BoolArray
    overflow: bool = False
    resampled: bool = False
    clock: bool = True
    unit: Unit = Unit.US

    @property
    def rows(self) -> int:
        return int(self.counts.shape[0])

    @property
    def columns(self) -> int:
        return int(self.counts.shape[1])

    def frequency(self) -> FloatArray:
        """Events per second, [rows, columns]; 0 without data."""
        return per_second(self.counts, self.seconds)

    def intensity(self) -> FloatArray:
        """Seconds waited per second, [rows, columns]; 0 without data."""
        return per_second(self.waited, self.seconds)


def per_second(values: FloatArray, seconds: FloatArray) -> FloatArray:
    """Values [..., columns] divided by each column's seconds; 0 in columns with 0 seconds."""
    if np.count_nonzero(seconds > 0) == seconds.size:
        return values / seconds
    safe = np.where(seconds > 0, seconds, 1.0)
    return np.where(seconds > 0, values / safe, 0.0)
