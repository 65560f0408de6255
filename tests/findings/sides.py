"""Sides of comparisons for the tests, with what is planted in them."""

from itertools import pairwise

import numpy as np

from pylatencymap.findings import SeriesComparison, SeriesRun, SideFindings, compare_sides
from pylatencymap.text import zone_named
from pylatencymap.units import Unit
from pylatencymap.window import ESTIMATED_BIT, UNCLOCKED_BIT, Selection
from pylatencymap.window.store import COLUMN
from tests.analysis.loads import BASE, EDGES, mean_counts, mode, poisson

BEGIN = 1_772_409_600_000_000
"""2026-03-02 00:00 UTC, epoch microseconds."""
UTC = zone_named("UTC")
SLOWER = 0.8 * mode(6.6) + 0.2 * mode(13.2)
"""Twice as many misses as in BASE."""


def run_of(
    counts: np.ndarray,
    *,
    edges: np.ndarray = EDGES,
    begin: int = BEGIN,
    waited: float | None = None,
    clock: bool = True,
) -> SeriesRun:
    """A run in columns of 1 s; ``waited``: seconds in each column, None where they are estimated."""
    bounds = [round(edge * 1e6) if np.isfinite(edge) else None for edge in edges]
    columns = np.zeros(counts.shape[1], COLUMN)
    columns["start"] = begin + np.arange(counts.shape[1]) * 1_000_000
    columns["end"] = columns["start"] + 1_000_000
    columns["seconds"] = 1
    columns["waited"] = 1 if waited is None else waited
    columns["flags"] = (ESTIMATED_BIT if waited is None else 0) | (0 if clock else UNCLOCKED_BIT)
    ranges = list(pairwise(bounds))
    selection = Selection(ranges, Unit.US, columns, counts.T.copy(), np.ones(counts.shape[1]), 1.0)
    return SeriesRun(selection, "I/Os", "biolatency")


def load(columns: int = 100, seed: int = 1, shares: np.ndarray = BASE, rate: float = 400.0) -> SeriesRun:
    return run_of(poisson(mean_counts(columns, shares, rate), seed))


def with_incident(seed: int, first: int = 100, last: int = 120, columns: int = 300, middle: float = 17.1) -> SeriesRun:
    """A slow band for a while."""
    mean = mean_counts(columns)
    mean[:, first:last] += 12.0 * mode(middle, 0.3)[:, None]
    return run_of(poisson(mean, seed))


def gap(columns: int) -> SeriesRun:
    """Columns without data."""
    one = run_of(np.zeros((len(EDGES) - 1, columns)))
    one.selection.columns["seconds"] = 0
    one.selection.columns["waited"] = 0
    return one


def findings(before: SeriesRun | list[SeriesRun], after: SeriesRun | list[SeriesRun]) -> SideFindings:
    """Of one series, sda."""
    first, second = ([{"sda": one} for one in (side if isinstance(side, list) else [side])] for side in (before, after))
    return compare_sides(first, second, UTC, files=(("old.lmap",), ("new.lmap",)))


def compared(before: SeriesRun | list[SeriesRun], after: SeriesRun | list[SeriesRun]) -> SeriesComparison:
    return findings(before, after).series[0]
