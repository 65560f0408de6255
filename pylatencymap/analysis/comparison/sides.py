"""One side of a comparison: its runs, cut into blocks of columns that can be shuffled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..density import FloatArray

BLOCKS = 10
"""Of the shorter side. More blocks resemble their neighbours more, fewer leave too few ways to shuffle them."""
LEAST_RUNS = 4
"""Runs a side from which on runs are shuffled, not blocks of them."""
LIKENESS_AT = (0.50, 0.75, 0.90, 0.95, 0.99)


class TimedCounts(NamedTuple):
    """One run: ``counts`` [rows, columns], and the exact duration of each column, ``seconds`` [columns]; 0 is a gap."""

    counts: FloatArray
    seconds: FloatArray


@dataclass(frozen=True)
class Side:
    """Sums of a side's blocks: ``counts`` [rows, blocks], ``seconds`` [blocks]; ``columns`` with data."""

    counts: FloatArray
    seconds: FloatArray
    columns: int
    whole_runs: bool

    @property
    def blocks(self) -> int:
        return len(self.seconds)

    def likeness(self) -> float:
        """How much blocks resemble the next ones: the mean correlation of their shares above five percentiles."""
        totals, events = self.counts.sum(axis=0), self.counts.sum()
        if events <= 0:
            return 0.0
        above = np.cumsum(self.counts[::-1], axis=0)[::-1][1:]
        below = 1 - above.sum(axis=1) / events
        some = np.flatnonzero((below > 0) & (below < 1))
        if not len(some):
            return 0.0
        nearest = [some[np.argmin(np.abs(below[some] - q))] for q in LIKENESS_AT]
        return float(np.mean([self.likeness_of(above[edge] - totals * (1 - below[edge])) for edge in nearest]))

    def likeness_of(self, values: FloatArray) -> float:
        """The correlation of blocks with the next ones, without the bias that few blocks bring."""
        centred = values - values.mean()
        scale = float(centred @ centred)
        return float(centred[:-1] @ centred[1:]) / scale + 1 / len(values) if scale > 0 else 0.0


def side_of(before: Sequence[TimedCounts], after: Sequence[TimedCounts]) -> tuple[Side, Side]:
    """Both sides in blocks as long as those of the shorter side, or in whole runs where there are four and more."""
    sides = [_with_data(runs) for runs in (before, after)]
    if min(map(len, sides)) >= LEAST_RUNS:
        first, second = (_joined([_block(run) for run in runs], runs, whole_runs=True) for runs in sides)
        return first, second
    length = max(1, min(sum(len(run.seconds) for run in runs) for runs in sides) // BLOCKS)
    first, second = (_joined(_blocks(runs, length), runs, whole_runs=False) for runs in sides)
    return first, second


def _with_data(runs: Sequence[TimedCounts]) -> list[TimedCounts]:
    """Runs without their gaps; those that consist of gaps alone are left out."""
    kept = [TimedCounts(run.counts[:, run.seconds > 0], run.seconds[run.seconds > 0]) for run in runs]
    return [run for run in kept if len(run.seconds)]


def _blocks(runs: Sequence[TimedCounts], length: int) -> list[TimedCounts]:
    """Blocks of so many columns or a few more, so that no column is lost; none spans two runs."""
    found = []
    for run in runs:
        columns = len(run.seconds)
        for part in np.array_split(np.arange(columns), max(columns // length, 1)):
            found.append(
                _block(TimedCounts(run.counts[:, part[0] : part[-1] + 1], run.seconds[part[0] : part[-1] + 1]))
            )
    return found


def _block(run: TimedCounts) -> TimedCounts:
    """The sums of some columns."""
    return TimedCounts(run.counts.sum(axis=1, keepdims=True), run.seconds.sum(keepdims=True))


def _joined(blocks: list[TimedCounts], runs: Sequence[TimedCounts], *, whole_runs: bool) -> Side:
    if not blocks:
        return Side(np.zeros((0, 0)), np.zeros(0), 0, whole_runs)
    counts = np.concatenate([block.counts for block in blocks], axis=1, dtype=np.float64)
    seconds = np.concatenate([block.seconds for block in blocks], dtype=np.float64)
    return Side(counts, seconds, sum(len(run.seconds) for run in runs), whole_runs)


def student(freedom: int) -> float:
    """The 97.5 % point of Student's t (Hill's expansion; 0.7 % too small at 3, 0.02 % at 9)."""
    z, n = 1.959964, max(freedom, 1)
    if n < 3:
        return (12.706, 4.303)[n - 1]
    terms = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96, (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return float(z + sum(term / n**power for power, term in enumerate(terms, 1)))
