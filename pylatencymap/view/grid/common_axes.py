"""Puts several series on the same rows and columns, so that they can be compared cell by cell."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...window import FloatArray, IntArray, Matrix
from ..layout.latency_rows import powers_of_two
from ..wording.time_axis import MICROS_PER_SECOND, column_span

ALIKE = 1.055
"""Bounds that differ by less than this factor count as equal: 2^20 ns is 1.05 ms."""


class CommonMatrices(NamedTuple):
    """``matrices`` on common rows and columns, and ``combined``: one matrix with the columns of all, in order."""

    matrices: tuple[Matrix, ...]
    combined: Matrix

    def part(self, number: int) -> slice:
        """The columns of matrix ``number`` within ``combined``."""
        columns = self.matrices[number].columns
        return slice(number * columns, (number + 1) * columns)


def put_on_common_axes(matrices: Sequence[Matrix], columns: int, interval: float, most_rows: int) -> CommonMatrices:
    """Give all matrices (at least one) the same rows, and ``columns`` columns with the same ends.

    Columns that a series does not have become columns without data. If there would be more than ``most_rows`` rows,
    they become octaves. ``interval``: seconds of a column.
    """
    bounds = _common_bounds(matrices, most_rows)
    ends = _common_ends(matrices, columns, interval)
    placed = tuple(_on_columns(_on_rows(matrix, bounds), ends, interval) for matrix in matrices)
    return CommonMatrices(placed, _combined(placed))


def _common_bounds(matrices: Sequence[Matrix], most_rows: int) -> FloatArray:
    """The bounds of all matrices. Of nearly equal ones the first matrix's is used; the lowest open row is the last."""
    bounds = matrices[0].bounds[np.isfinite(matrices[0].bounds)]
    for matrix in matrices[1:]:
        more = matrix.bounds[np.isfinite(matrix.bounds)]
        new = [bound for bound in more.tolist() if not _is_near(bound, bounds)]
        bounds = np.sort(np.concatenate((bounds, new)))
    if bounds.size - 1 > most_rows:
        octaves = powers_of_two(bounds)
        octaves[[0, -1]] = True
        bounds = bounds[octaves]
    opened = [float(matrix.bounds[-2]) for matrix in matrices if matrix.overflow]
    if opened:
        bounds = np.concatenate((bounds[bounds < min(opened)], [min(opened), np.inf]))
    return bounds


def _is_near(bound: float, bounds: FloatArray) -> bool:
    return bool(((bounds <= bound * ALIKE) & (bounds * ALIKE >= bound)).any())


def _on_rows(matrix: Matrix, bounds: FloatArray) -> Matrix:
    """Move each row into the one that contains its middle, an open row by its lower bound. No count is lost."""
    lower, upper = matrix.bounds[:-1], matrix.bounds[1:]
    middles = np.where(np.isfinite(upper), (lower + upper) / 2, lower)
    rows = max(0, bounds.size - 1)
    places = np.clip(np.searchsorted(bounds, middles, side="right") - 1, 0, max(0, rows - 1))
    counts, waited = np.zeros((rows, matrix.columns)), np.zeros((rows, matrix.columns))
    if rows:
        np.add.at(counts, places, matrix.counts)
        np.add.at(waited, places, matrix.waited)
    overflow = bool(rows and np.isinf(bounds[-1]))
    return matrix._replace(bounds=bounds, counts=counts, waited=waited, overflow=overflow)


def _common_ends(matrices: Sequence[Matrix], columns: int, interval: float) -> IntArray:
    """The ends of the columns: those of the series that ends last, continued into the past."""
    longest = max(matrices, key=lambda matrix: (int(matrix.ends[-1]) if matrix.columns else 0, matrix.columns))
    ends = longest.ends[-columns:]
    missing = columns - ends.size
    step = round(column_span(ends, interval) * MICROS_PER_SECOND)
    first = int(ends[0]) if ends.size else 0
    return np.concatenate((first - step * np.arange(missing, 0, -1, dtype=np.int64), ends))


def _on_columns(matrix: Matrix, ends: IntArray, interval: float) -> Matrix:
    """Put the columns of a matrix at their times. If it ended earlier, its last columns are without data."""
    step = column_span(ends, interval) * MICROS_PER_SECOND
    late = round((int(ends[-1]) - int(matrix.ends[-1])) / step) if matrix.columns and step else 0
    late = min(max(late, 0), ends.size)
    kept = slice(max(0, matrix.columns - (ends.size - late)), matrix.columns)
    early = ends.size - late - (kept.stop - kept.start)

    def placed(values: np.ndarray) -> np.ndarray:
        width = [(0, 0)] * (values.ndim - 1) + [(early, late)]
        return np.pad(values[..., kept], width)

    return matrix._replace(
        counts=placed(matrix.counts),
        waited=placed(matrix.waited),
        ends=ends,
        seconds=placed(matrix.seconds),
        lasted=placed(matrix.lasted),
        gap=placed(matrix.gap),
        reset=placed(matrix.reset),
        estimated=placed(matrix.estimated),
        doubtful=placed(matrix.doubtful),
    )


def _combined(matrices: Sequence[Matrix]) -> Matrix:
    def across(field: str) -> np.ndarray:
        return np.concatenate([getattr(matrix, field) for matrix in matrices], axis=-1)

    return matrices[0]._replace(
        counts=across("counts"),
        waited=across("waited"),
        ends=across("ends"),
        seconds=across("seconds"),
        lasted=across("lasted"),
        gap=across("gap"),
        reset=across("reset"),
        estimated=across("estimated"),
        doubtful=across("doubtful"),
        resampled=any(matrix.resampled for matrix in matrices),
    )
