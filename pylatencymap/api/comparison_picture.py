"""Makes the maps of a comparison: both sides in the same rows, and the differences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..analysis import RunColumns, picture_places, side_by_side
from ..findings import (
    SeriesComparison,
    SeriesData,
    SeriesRun,
    SideFindings,
    files_words,
    notes,
    short_verdict,
    table_lines,
    times_of,
    verdict_lines,
)
from ..text import wrap
from ..view.comparison import ComparedMap, ComparisonPlan, ComparisonTexts, draw_comparison, notes_room, plan_comparison
from ..view.paint import Cells
from ..view.style import FREQUENCY, ColourDepth, ViewOptions


def draw_compared(found: SideFindings, size: tuple[int, int], view: ViewOptions, *, plain: bool) -> Cells:
    """The page of a comparison, at most ``size`` (columns, lines) large; the first series has maps."""
    one = found.series[0]
    texts = _texts(found, one, size[0])
    plan = plan_comparison(size, texts, view.maps if one.timed else ())  # maps show what happens per second
    maps = _maps(one, plan, view) if plan.kinds else []
    return draw_comparison(plan, texts, maps, view, plain=plain)


def _texts(found: SideFindings, one: SeriesComparison, columns: int) -> ComparisonTexts:
    names = [files_words(files) or side for files, side in zip(found.files, ("BEFORE", "AFTER"), strict=True)]
    times = [times_of(side, found.tz) for side in one.pair.own]
    spans = [each.span(each.begin, each.end) for each in times]
    others = [short_verdict(other) for other in found.series[1:]]
    sides = [f"{name} {found.side_words(side, one, named=False)}." for side, name in enumerate(("BEFORE:", "AFTER:"))]
    exact = one.before.exact and one.after.exact
    table = tuple(table_lines(one, columns - 1))
    room = notes_room(columns, table)
    return ComparisonTexts(
        (names[0], names[1], one.pair.shown),
        tuple(verdict_lines(one, columns - 1)),
        table,
        tuple(tuple(wrap(note, room)) for note in (*sides, *notes(found, one), *others)),
        (spans[0], spans[1]),
        one.noun,
        not exact,
    )


def _maps(one: SeriesComparison, plan: ComparisonPlan, view: ViewOptions) -> list[ComparedMap]:
    pair = one.pair
    common = pair.common
    coloured = view.depth not in (ColourDepth.MONO, ColourDepth.ASCII)
    places = picture_places(common.total, common.edges, plan.rows, 2 * plan.rows if coloured else plan.rows)
    runs = [run for side, data in enumerate(pair.own) for run in _columns(data, (pair.before, pair.after)[side])]
    events, waits = side_by_side(runs, len(pair.before), common.edges, places, plan.width)
    bounds = common.edges[places]
    return [ComparedMap(kind, events if kind == FREQUENCY else waits, bounds) for kind in plan.kinds]


def _columns(data: SeriesData, runs: Sequence[SeriesRun]) -> Iterator[RunColumns]:
    """The runs of a side, whose columns stand behind each other."""
    first = 0
    for run in runs:
        part = slice(first, first + len(run.selection))
        waited = None if data.waited is None else data.waited[part]
        yield RunColumns(data.counts[:, part], data.edges, data.seconds[part], waited)
        first = part.stop
