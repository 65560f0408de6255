"""The latency rows of a page, and how the ranges of a series lie in them; in seconds."""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

import numpy as np

from ...analysis import row_of_ranges
from ...units import Unit
from ...view.style import ViewOptions
from ...window import FloatArray, History, RangeKey, SeriesSum, row_bounds

ROUNDING = 1e-9


class PageRows(NamedTuple):
    """``bounds`` [rows + 1], seconds, ascending; the last is infinity if the top row is open. ``counts`` and ``times``
    [rows, ranges]: which part of the events of a range, and of their time, is in which row.
    """

    bounds: FloatArray
    counts: FloatArray
    times: FloatArray


class PageRanges(NamedTuple):
    """The ranges of a series in its unit, and how many events each has in all that is kept. Of a sum, ``places`` are
    those of the ranges of each series among these; else it is None.
    """

    unit: Unit
    counts: dict[RangeKey, float]
    places: list[list[int]] | None = None


def ranges_of(history: History | SeriesSum) -> PageRanges:
    """The ranges of a series, or of all added up."""
    if isinstance(history, SeriesSum):
        counts = history.counts()
        place = {key: number for number, key in enumerate(counts)}
        return PageRanges(history.unit, counts, [[place[key] for key in keys] for keys in history.ranges_of_each()])
    return PageRanges(history.unit, dict(zip(history.ranges, map(float, history.counts), strict=True)))


def page_rows(ranges: PageRanges, view: ViewOptions, resolution: int) -> PageRows:
    """The rows that have events in all that is kept, and one more at each end; without those that the view hides."""
    unit = ranges.unit.seconds
    used = [key for key, count in ranges.counts.items() if count > 0]
    rows = row_bounds(used, resolution, None)
    shares, times = rows.projection([*ranges.counts])
    found = PageRows(np.array(rows.bounds) * unit, shares, times)
    return _without_low(_opened(found, view.max_latency), view.min_latency)


def _opened(rows: PageRows, limit: float | None) -> PageRows:
    """All rows that begin at or above a latency as one open row."""
    if limit is None:
        return rows
    first = int(np.searchsorted(rows.bounds[:-1], limit * (1 - ROUNDING)))
    if first >= len(rows.bounds) - 1:
        return rows
    return PageRows(
        np.append(rows.bounds[: first + 1], inf),
        np.vstack((rows.counts[:first], rows.counts[first:].sum(axis=0))),
        np.vstack((rows.times[:first], rows.times[first:].sum(axis=0))),
    )


def _without_low(rows: PageRows, limit: float | None) -> PageRows:
    """The rows that do not end at or below a latency; one is left at least."""
    if limit is None:
        return rows
    hidden = min(int((rows.bounds[1:] <= limit * (1 + ROUNDING)).sum()), len(rows.bounds) - 2)
    return PageRows(rows.bounds[hidden:], rows.counts[hidden:], rows.times[hidden:])


def rows_for_script(rows: PageRows) -> dict[str, Any]:
    """The same in values of JSON; infinity is null. ``parts``: of each range [row, part of counts, part of times]."""
    parts = [
        [[int(row), float(rows.counts[row, place]), float(rows.times[row, place])] for row in np.flatnonzero(inside)]
        for place, inside in enumerate(rows.counts.T > 0)
    ]
    return {"bounds": finite(rows.bounds), "parts": parts}


def ranges_for_script(ranges: PageRanges) -> dict[str, Any]:
    """The ranges of a series on adjacent edges, in seconds: what estimates are made of."""
    unit = ranges.unit.seconds
    edges, place, _ = row_of_ranges(tuple(ranges.counts))
    return {
        "edges": finite(edges * unit),
        "place": place.tolist(),
        "lower": [lower * unit for lower, _ in ranges.counts],
        "upper": [None if upper is None else upper * unit for _, upper in ranges.counts],
    }


def finite(values: FloatArray) -> list[float | None]:
    """Numbers as JSON has them: infinity is null."""
    return [None if value == inf else value for value in values.tolist()]
