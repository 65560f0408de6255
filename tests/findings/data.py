"""Series for the tests of findings, with what is planted in them."""

import numpy as np

from pylatencymap.findings import RunFindings, SeriesData, find_all
from pylatencymap.text import zone_named
from tests.analysis.loads import EDGES, mean_counts, poisson
from tests.analysis.shapes import FloatArray, expected

BEGIN = 1_772_409_600_000_000
"""2026-03-02 00:00 UTC, epoch microseconds."""
UTC = zone_named("UTC")
MS = 1e-3


def series(
    counts: FloatArray,
    name: str = "sda",
    *,
    edges: FloatArray = EDGES,
    gaps: tuple[int, ...] = (),
    resets: tuple[int, ...] = (),
    waited: FloatArray | None = None,
    width: float = 1.0,
    clock: bool = True,
    label: str = "biolatency",
) -> SeriesData:
    """Columns of ``width`` seconds from BEGIN on; in ``gaps`` nothing is known."""
    columns = counts.shape[1]
    ends = BEGIN + (np.arange(columns, dtype=np.int64) + 1) * round(width * 1e6)
    seconds = np.full(columns, width)
    seconds[list(gaps)] = 0.0
    counts = counts.copy()
    counts[:, list(gaps)] = 0.0
    starts = ends - round(width * 1e6)
    return SeriesData(name, "I/Os", label, edges, counts, seconds, starts, ends, waited, resets, clock, width)


def load(columns: int = 300, seed: int = 1, rate: float = 400.0) -> FloatArray:
    """A steady load of two modes."""
    return poisson(mean_counts(columns, rate=rate), seed)


def spread(total: FloatArray, columns: int = 60) -> FloatArray:
    """The same counts in every column."""
    return np.repeat(np.round(total)[:, None], columns, axis=1)


def mixture(*parts: tuple[float, float, float], edges: FloatArray = EDGES, columns: int = 60) -> FloatArray:
    """A mixture of lognormals (median, sigma, events a column) without noise."""
    return spread(expected(edges, *parts), columns)


def findings(*many: SeriesData) -> RunFindings:
    return find_all(many, UTC)
