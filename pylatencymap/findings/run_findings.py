"""Finds all that is to be told of a run, and makes pages of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Any

from ..moment_text import TimeWords
from ..number_text import number_word
from ..record import Mark
from .changes import FEWEST, Change, changes_by_series, find_all_changes, mode_only_during
from .evidence import Finding, SeriesData
from .facts import RunFacts
from .figures import SeriesFigures, figures_of, figures_of_all
from .meaning import changes_of_everything, meanings, owner
from .pages.json_form import json_form
from .pages.markdown_page import markdown_page
from .pages.screen_page import screen_page
from .recurring import recurring_findings, without_swings
from .stalls import waiting_in_stalls


@dataclass(frozen=True)
class RunFindings(RunFacts):
    """What a run says, as pages. ``str()`` is one screen of 80 x 24."""

    def text(self, columns: int = 80, lines: int | None = 24) -> str:
        """Lines of text; if they are more than ``lines``, the least important are left out, and the last says so."""
        return screen_page(self, columns, lines)

    def markdown(self, conditions: Sequence[str] = (), picture: str | None = None) -> str:
        """For a ticket: all there is, with tables, and sentences about ``conditions``. ``picture``: the name of one
        that lies beside it, which it shows.
        """
        return markdown_page(self, conditions, picture)

    def as_dict(self) -> dict[str, Any]:
        """For programs: what ``pylatencymap report --json`` prints; docs/report.md has every field."""
        return json_form(self)

    def __str__(self) -> str:
        return self.text()


def find_all(
    series: Sequence[SeriesData],
    tz: tzinfo,
    *,
    bad: int = 0,
    files: Sequence[str] = (),
    marks: Iterable[Mark] = (),
) -> RunFindings:
    """The findings of all series, of which there is at least one; the one with the most time waited comes first.

    ``tz``: the zone of the times in sentences. ``bad``: records that could not be read. ``files``: what was read.
    ``marks``: those outside of the time of the series are left out.
    """
    figures = tuple(figures_of(one) for one in series)
    changes = find_all_changes(series)
    times = _time_words(series, tz)
    recurring = recurring_findings(series, changes, times)
    changes = without_swings(changes, recurring)
    own = changes_by_series(changes)
    passing = _passing(series, figures, own)
    meaning = waiting_in_stalls(series, changes)
    meaning += [one for data in series for one in changes_of_everything(data, own.get(data.name, []), times)]
    for data, one in zip(series, figures, strict=True):
        made = [number for number in range(len(one.modes.modes)) if (one.name, number) in passing]
        meaning += meanings(data, one, made)
    return RunFindings(
        series=figures,
        all=figures_of_all(series, figures) if len(series) > 1 else None,
        changes=changes,
        who=owner(series, figures),
        meaning=tuple(meaning),
        limits=tuple(_limits(series)),
        passing=passing,
        times=times,
        names={one.name: one.shown for one in series},
        bad=bad,
        files=tuple(files),
        marks=tuple(mark for mark in marks if times.begin < mark.stamp.micros <= times.end),
        recurring=tuple(recurring),
    )


def _passing(
    series: Sequence[SeriesData], figures: Sequence[SeriesFigures], changes: Mapping[str, Sequence[Change]]
) -> dict[tuple[str, int], tuple[Change, ...]]:
    """The modes that are only there because of changes, by series and number, with these."""
    return {
        (one.name, number): during
        for data, one in zip(series, figures, strict=True)
        for number, mode in enumerate(one.modes.modes)
        if len(one.modes.modes) > 1
        and (during := mode_only_during(data, mode.begin, mode.end, changes.get(one.name, [])))
    }


def _time_words(series: Sequence[SeriesData], tz: tzinfo) -> TimeWords:
    """Those of the series with a clock, if there are any: the others count from 1970."""
    timed = [one for one in series if one.clock] or series
    return TimeWords(
        min(int(one.starts[0]) for one in timed),
        max(int(one.ends[-1]) for one in timed),
        tz,
        min(one.width for one in series),
        timed[0].clock,
    )


def _limits(series: Sequence[SeriesData]) -> list[Finding]:
    """What the data cannot show."""
    found = []
    most = max(one.measured for one in series)
    if most < FEWEST:
        held = "One interval" if most == 1 else f"{number_word(most).capitalize()} intervals"
        text = f"{held}: too few to tell what changed, which takes {FEWEST}."
        found.append(Finding("few-columns", text, (), {"columns": float(most)}))
    untimed = tuple(one.name for one in series if not one.clock)
    if len(untimed) == len(series):
        found.append(Finding("no-clock", "The input has no times of its own: moments count from its beginning."))
    elif untimed:
        text = f"{'; '.join(untimed)} {'has' if len(untimed) == 1 else 'have'} no real clock: moments count from 1970."
        found.append(Finding("no-clock", text, untimed))
    return found
