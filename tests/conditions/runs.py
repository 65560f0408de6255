"""Runs with known truth, for conditions."""

import itertools
from collections.abc import Mapping, Sequence
from math import inf

import numpy as np
from numpy.typing import NDArray

from pylatencymap.conditions import ConditionVerdict, Recorded, check_conditions, parse_condition
from pylatencymap.units import Unit
from pylatencymap.window import Selection
from pylatencymap.window.store import COLUMN, ESTIMATED_BIT, GAP_BIT

SECOND = 1_000_000
Bounds = Sequence[float]
Floats = NDArray[np.float64]


def series(bounds: Bounds, counts: Sequence[Sequence[float]] | Floats, *, waited: float | None = None) -> Selection:
    """A series in microseconds: ``counts`` [columns, ranges] in ranges between ``bounds``, a column a second. The time
    waited is exact if it is given, in seconds.
    """
    table = np.asarray(counts, dtype=np.float64)
    columns = np.zeros(len(table), COLUMN)
    columns["end"] = np.arange(1, len(table) + 1) * SECOND
    columns["start"] = columns["end"] - SECOND
    columns["seconds"] = 1.0
    columns["flags"] = 0 if waited is not None else ESTIMATED_BIT
    columns["waited"] = (waited or 0.0) / max(len(table), 1)
    ranges = [(lower, None if upper == inf else upper) for lower, upper in itertools.pairwise(bounds)]
    return Selection(ranges, Unit.US, columns, table, np.ones(len(table)), 1.0)  # type: ignore[arg-type]


def gap(columns: int = 3) -> Selection:
    """A series that was silent all the time."""
    made = series([64, 128], [[0.0]] * columns)
    made.columns["seconds"] = 0.0
    made.columns["flags"] = GAP_BIT
    return made


def one_range(events: float, lower: float = 1024, columns: int = 10) -> Selection:
    """Events that all take ``lower`` to twice as many microseconds, evenly over the columns."""
    return series([lower, 2 * lower], [[events / columns]] * columns)


def sampled(micros: Floats, *, columns: int = 50, rows: int = 4, seed: int = 5, exact: bool = False) -> Selection:
    """Events of known latencies, dealt to columns at random, in so many rows a doubling."""
    low, high = np.floor(np.log2(micros.min())), np.ceil(np.log2(micros.max()))
    bounds = 2 ** np.linspace(low, high, int(high - low) * rows + 1)
    column = np.random.default_rng(seed).integers(0, columns, len(micros))
    counts = np.stack([np.histogram(micros[column == place], bounds)[0] for place in range(columns)])
    return series(bounds.tolist(), counts, waited=float(micros.sum()) * 1e-6 if exact else None)


def recorded(**named: Selection) -> Recorded:
    """A run of these series, the first as that with the most time waited."""
    return Recorded(tuple(named), named.__getitem__)


def check(text: str, run: Recorded | Mapping[str, Selection], before: Recorded | None = None) -> ConditionVerdict:
    """The verdict about a condition."""
    side = run if isinstance(run, Recorded) else recorded(**run)
    condition = parse_condition(text, comparing=before is not None)
    (verdict,) = check_conditions([condition], side, before)
    return verdict
