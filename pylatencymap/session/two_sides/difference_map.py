"""The maps of a comparison as arrays: both sides in the same rows and in few columns, and what differs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...analysis import RunColumns, picture_places, side_by_side, with_empty_rows
from ...findings import SeriesData, SeriesPair, SeriesRun
from ...view.comparison import ComparedMap
from ...view.style import FREQUENCY
from .comparison import pair_of
from .question import SidesQuestion


def compared_maps(pair: SeriesPair, kinds: Sequence[str], lines: int, width: int, *, halves: bool) -> list[ComparedMap]:
    """The maps of both sides, for each of ``kinds``: one row for each doubling, if there are no more of them than
    ``lines``, else so many rows, or with ``halves`` twice as many; each side in at most ``width`` columns.
    """
    common = pair.common
    counts, edges = with_empty_rows(common.total, common.edges)
    places = picture_places(counts, edges, lines, 2 * lines if halves else lines)
    runs = [run for side, data in enumerate(pair.own) for run in _columns(data, (pair.before, pair.after)[side])]
    events, waits = side_by_side(runs, len(pair.before), edges, places, width)
    bounds = edges[places]
    return [ComparedMap(kind, events if kind == FREQUENCY else waits, bounds) for kind in kinds]


def _columns(data: SeriesData, runs: Sequence[SeriesRun]) -> Iterator[RunColumns]:
    """The runs of a side, whose columns stand behind each other."""
    first = 0
    for run in runs:
        part = slice(first, first + len(run.selection))
        waited = None if data.waited is None else data.waited[part]
        yield RunColumns(data.counts[:, part], data.edges, data.seconds[part], waited)
        first = part.stop


def maps_in_steps(
    question: SidesQuestion, kinds: Sequence[str], lines: int, width: int, *, halves: bool
) -> Iterator[tuple[ComparedMap, ...]]:
    """As ``compared_maps``, of A and B; none where they cannot be compared."""
    pair = pair_of(question)
    known = not isinstance(pair, str) and all(data.seconds.sum() > 0 for data in pair.own)
    yield tuple(compared_maps(pair, kinds, lines, width, halves=halves)) if known and not isinstance(pair, str) else ()
