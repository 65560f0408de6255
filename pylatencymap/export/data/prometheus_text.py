"""Writes the totals of all series as histograms for Prometheus: text 0.0.4 (.prom), as the textfile collector of
node_exporter reads it, and OpenMetrics (.om), which has the time at which each series began.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...collectors._metrics.estimated_sums import OWN_METRIC
from ...exposition import ClassicGrid, ServedTotals, text_of
from ...interval import Interval
from ...record import MOST_SERIES
from . import DataOptions

_TEXT, _OPEN = "text/plain;version=0.0.4", "application/openmetrics-text;version=1.0.0"


def written(intervals: Iterable[Interval], options: DataOptions) -> Iterator[bytes]:
    """Text 0.0.4, ``resolution`` buckets to each doubling. Raises MissingPackage without prometheus-client."""
    yield _totals_as(_TEXT, intervals, options)


def open_metrics(intervals: Iterable[Interval], options: DataOptions) -> Iterator[bytes]:
    """The same as OpenMetrics."""
    yield _totals_as(_OPEN, intervals, options)


def _totals_as(accept: str, intervals: Iterable[Interval], options: DataOptions) -> bytes:
    grid = ClassicGrid(options.resolution or 1)
    totals = ServedTotals(grid, MOST_SERIES)
    for one in intervals:
        totals.add(one)
    return text_of(totals.snapshot(), OWN_METRIC, grid, accept, live=False)[0]
