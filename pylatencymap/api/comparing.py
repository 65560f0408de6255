"""``compare``: two runs, or several of each side, become a ComparedRuns."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..findings import (
    SeriesComparison,
    SeriesRun,
    SideFindings,
    compare_sides,
    files_words,
    notes,
    short_verdict,
    table_lines,
    times_of,
    verdict_lines,
)
from ..session.two_sides import compared_maps
from ..text import wrap
from ..view.comparison import ComparisonTexts, draw_comparison, notes_room, plan_comparison
from ..view.style import FALLBACK_SIZE, ColourDepth, ViewOptions
from ..window import Selection, join_selections, rank_of
from .options import checked
from .run import Run

if TYPE_CHECKING:
    from ..conditions import ConditionVerdict, Recorded
    from ..record import Mark
    from ..view.paint import Cells

Runs = Sequence[Run]
MOST_SHOWN = 140
"""Characters of a verdict that ``repr`` shows."""


class ComparedRuns:
    """The result of ``compare``; it never changes.

    series   what was found for each series that both sides have, most time waited first
    verdict  the sentences about the first of them

    >>> import pylatencymap as lm
    >>> steady, spindle = (lm.read(f"examples/{name}.lmap.gz", series="loop0") for name in ("steady", "spindle"))
    >>> found = lm.compare(steady, spindle)
    >>> found.series[0].found.verdict.value
    'sure'
    >>> found.verdict.split(";")[0]
    'AFTER is slower, sure: 24.1 % of I/Os take more than 1.02 ms, 10.0 % before (+13.0 to +15.3 points)'
    """

    def __init__(self, before: Runs, after: Runs, findings: SideFindings) -> None:
        self._sides = tuple(before), tuple(after)
        self._findings = findings

    @property
    def series(self) -> tuple[SeriesComparison, ...]:
        """What was found, for each series. ``found`` has the differences in numbers: see docs/compare.md."""
        return self._findings.series

    @property
    def verdict(self) -> str:
        """The sentences about the series with the most time waited."""
        return self._findings.verdict

    def text(self, columns: int = 80) -> str:
        """A page of text, without maps."""
        return self._findings.text(columns)

    def markdown(self, conditions: Sequence[str] = (), picture: str | None = None) -> str:
        """For a ticket: verdicts and tables of all series, and sentences about ``conditions``. ``picture``: the name of
        one that ``save`` wrote beside it, which it shows.
        """
        return self._findings.markdown(conditions, picture)

    def as_dict(self) -> dict[str, Any]:
        """For programs: what ``pylatencymap compare --json`` prints; docs/compare.md has every field."""
        return self._findings.as_dict()

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        verdict = self.verdict if len(self.verdict) <= MOST_SHOWN else f"{self.verdict[: MOST_SHOWN - 1]}\u2026"
        return f"<ComparedRuns of {len(self.series)} series: {verdict}>"

    def check(self, condition: str) -> ConditionVerdict:
        """Whether a condition about AFTER holds, in which ``before.`` means BEFORE; see ``Run.check``."""
        from ..conditions import check_conditions, parse_condition

        parsed = parse_condition(condition, comparing=True)
        before, after = self.recorded()
        (verdict,) = check_conditions((parsed,), after, before)
        return verdict

    def recorded(self) -> tuple[Recorded, Recorded]:
        """BEFORE and AFTER as conditions take them: several runs of a side as one."""
        from ..conditions import Recorded

        first, second = (
            Recorded(_names(side), partial(_joined, [run.series_runs() for run in side])) for side in self._sides
        )
        return first, second

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        size: tuple[int, int] | str | None = None,
        map: str | None = None,  # noqa: A002 - as the option is called
        scale: str | None = None,
        palette: str | None = None,
        background: str | None = None,
        depth: str | None = None,
    ) -> None:
        """Write the page with both maps and their differences, as its extension says: .svg, or .png with Pillow.

        ``size``: characters and lines; default: (120, 40). The other options as in ``Run.save``. Raises UsageError for
        another extension or a wrong option, SourceError where the file cannot be written.
        """
        from ..export import exporter_for, write_file

        given = {option: value for option, value in locals().items() if option in PICTURE_OPTIONS}
        exporter = exporter_for(os.fspath(path))
        options = {name: value for name, value in checked(given).items() if value is not None}
        wanted = options.pop("size", FALLBACK_SIZE)
        view = ViewOptions(**options)
        write_file(Path(path), exporter(self.drawn(wanted, view), view))

    def drawn(self, size: tuple[int, int], view: ViewOptions, *, plain: bool = False) -> Cells:
        """The page as cells, at most ``size`` (columns, lines) large. ``plain``: only characters that every terminal
        draws in one cell.
        """
        return draw_compared(self._findings, size, view, plain=plain)


def _names(runs: Runs) -> tuple[str, ...]:
    """The series of several runs, most time waited first."""
    waited: dict[str, float] = {}
    for run in runs:
        for name, one in run.series_runs().items():
            waited[name] = waited.get(name, 0.0) + float(one.selection.columns["waited"].sum())
    return tuple(sorted(waited, key=lambda name: (rank_of(name), -waited[name])))


def _joined(runs: Sequence[Mapping[str, SeriesRun]], name: str) -> Selection:
    """The columns of a series in all runs that have it."""
    return join_selections([run[name].selection for run in runs if name in run])


PICTURE_OPTIONS = frozenset({"size", "map", "scale", "palette", "background", "depth"})


def compare(
    before: Run | Iterable[Run],
    after: Run | Iterable[Run],
    *,
    series: str | None = None,
    files: tuple[Sequence[str], Sequence[str]] = ((), ()),
) -> ComparedRuns:
    """Whether two runs differ, in what, by how much, and how sure that is; ``pylatencymap compare`` prints the same.

    ``before``, ``after``: a run, or several; from four of each side on whole runs are shuffled, so that a load that
    wanders slowly is no difference. ``series``: only the one of this name. ``files``: what both sides were read from,
    for texts. Series are compared that have the same name on both sides; where each side has a single one, its name
    does not matter. Times are in the zone of the first run of ``after``. Runs that were read by a key have the same
    series if each was ``ranked_with`` the other; else what is left over, ``others``, is not compared.

    Raises UsageError for something that is no run, NoInterval if both sides have no series in common.
    """
    sides = _listed("before", before), _listed("after", after)
    chosen = [[_series_of(run, series) for run in side] for side in sides]
    bad = sum({id(run): run.bad for side in sides for run in side}.values())
    marks = _marks_of(sides[0]), _marks_of(sides[1])
    is_ranked_apart = len({run.values for side in sides for run in side}) > 1
    found = compare_sides(
        *(chosen[0], chosen[1], sides[1][0].tz),
        files=files,
        bad=bad,
        marks=marks,
        is_ranked_apart=is_ranked_apart,
        only=(_filters_of(sides[0]), _filters_of(sides[1])),
    )
    return ComparedRuns(sides[0], sides[1], found)


def _marks_of(runs: Runs) -> list[Mark]:
    """The marks of several runs, oldest first; those of one file, which all of them have, once."""
    found = {(mark.stamp.micros, mark.note): mark for run in runs for mark in run.marks}
    return [found[key] for key in sorted(found)]


def _filters_of(runs: Runs) -> list[str]:
    """What the events of several runs have in common, where a filter left others out."""
    return list(dict.fromkeys(one for run in runs for one in run.only))


def _listed(name: str, given: Any) -> list[Run]:
    runs = [given] if isinstance(given, Run) else list(given) if isinstance(given, Iterable) else [given]
    if not runs or not all(isinstance(run, Run) for run in runs):
        raise UsageError(f"{name}={given!r}: must be a run, as read() returns it, or several")
    return runs


def _series_of(run: Run, series: str | None) -> Mapping[str, SeriesRun]:
    every = run.series_runs()
    return every if series is None else {name: one for name, one in every.items() if name == series}


# The page of a comparison as a picture.


def draw_compared(found: SideFindings, size: tuple[int, int], view: ViewOptions, *, plain: bool) -> Cells:
    """The page of a comparison, at most ``size`` (columns, lines) large; the first series has maps."""
    one = found.series[0]
    texts = _texts(found, one, size[0])
    plan = plan_comparison(size, texts, view.maps if one.timed else ())  # maps show what happens per second
    halves = view.depth not in (ColourDepth.MONO, ColourDepth.ASCII)
    maps = compared_maps(one.pair, plan.kinds, plan.rows, plan.width, halves=halves) if plan.kinds else []
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
