"""What A and B differ in: the comparison of ``pylatencymap compare``, of two times, or of a time and a baseline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from ...errors import LatencyMapError
from ...findings import (
    SeriesComparison,
    SeriesPair,
    SideNames,
    TableRow,
    compare_series_in_steps,
    limits_of,
    share_row,
    table_rows,
    times_of,
    verdict_words,
)
from ...view.layout import SideAverages
from ...window import Selection, added_up
from .question import SidesQuestion

COMPARING = "comparing"


class SidesFound(NamedTuple):
    """What is known of A and B: ``verdict``, ``rows`` and ``notes`` as of SidesPage; ``times`` of both sides in words,
    the longest wording first. ``sums``: all that each side has, see ``added_up``; None where nothing can be compared.
    """

    verdict: tuple[tuple[str, str], ...] = ()
    rows: tuple[TableRow, ...] = ()
    notes: tuple[str, ...] = ()
    is_whole: bool = False
    times: tuple[str, str] = ("", "")
    sums: tuple[Selection, Selection] | None = None


def pair_of(question: SidesQuestion) -> SeriesPair | str:
    """Both sides as one series; or why that is not possible."""
    runs = [side.run() for side in (question.first, question.second)]
    empty = [
        side.name for side, run in zip((question.first, question.second), runs, strict=True) if not len(run.selection)
    ]
    if empty:
        return f"{' and '.join(empty)} {'have' if len(empty) > 1 else 'has'} no data: nothing can be compared."
    return SeriesPair(question.second.series, question.first.series, (runs[0],), (runs[1],))


def compared_in_steps(question: SidesQuestion) -> Iterator[SidesFound]:
    """What there is to say, at first the figures without a verdict, then all of it."""
    try:
        pair = pair_of(question)
    except LatencyMapError as error:
        yield SidesFound((("", str(error)),), notes=question.notes, is_whole=True)
        return
    if isinstance(pair, str):
        yield SidesFound((("", pair),), notes=question.notes, is_whole=True)
        return
    names = SideNames.of(question.first.name, question.second.name)
    sums = added_up(pair.before[0].selection), added_up(pair.after[0].selection)
    steps = compare_series_in_steps(pair, question.tz, names)
    while True:
        try:
            yield _found(next(steps), question, is_whole=False)._replace(sums=sums)
        except StopIteration as end:
            yield _found(end.value, question, is_whole=True)._replace(sums=sums)
            return


def _found(one: SeriesComparison, question: SidesQuestion, *, is_whole: bool) -> SidesFound:
    verdict = tuple(verdict_words(one)) if is_whole else ((f"{COMPARING} ...", ""),)
    bounds = (question.first.begin, question.first.end), (question.second.begin, question.second.end)
    notes = (*question.notes, *limits_of(one, bounds))
    times = [times_of(side, question.tz) for side in one.pair.own]
    first, last = min(each.begin for each in times), max(each.end for each in times)
    # With dates if they are of different days; without a clock, each counts from its own beginning.
    both = [replace(each, begin=first, end=last) if each.clock else each for each in times]
    spans = [words.span(each.begin, each.end) for words, each in zip(both, times, strict=True)]
    return SidesFound(verdict, tuple(_rows(one, question.slo)), notes, is_whole, (spans[0], spans[1]))


def _rows(one: SeriesComparison, slo: float | None) -> list[TableRow]:
    """The rows of ``pylatencymap compare``; the share above the SLO, if there is one, stands before the modes."""
    rows = table_rows(one)
    asked = None if slo is None else share_row(one, slo)
    if asked is not None:
        rows.insert(len(rows) - len(one.modes), asked)
    return rows


def side_averages(added: Selection, resolution: int) -> SideAverages:
    """What a side has per second, of its columns ``added`` up, in the rows of a map with so many rows per doubling."""
    matrix = added.matrix(resolution)
    seconds = float(matrix.seconds.sum()) or 1.0
    return SideAverages(matrix.bounds, matrix.counts.sum(axis=1) / seconds, matrix.waited.sum(axis=1) / seconds)
