"""What a page shows of a run: its series with their sentences and figures."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

from ...analysis import find_modes
from ...export.page import PageContent, PageMode, PageMoment, PageSeries
from ...findings import MOST_WAITING
from ...view.layout import Reading
from ...view.wording import modes_of
from ...window import History, Selection, SeriesSum, Window
from ..commentary import Commentary
from ..marks import MarkList
from ..moments import NotableMoment
from ..series_overview import event_noun
from ..stack import stalls_explained
from ..viewpoint import SUM_SERIES, Viewpoint, files_name

MOST_COLUMNS = 1000
"""Columns in which modes are looked for: more are merged."""
UNTITLED = "pylatencymap"


def page_content(
    window: Window, marks: MarkList, at: Viewpoint, tz: tzinfo, *, files: Sequence[str] = (), bad: int = 0
) -> PageContent:
    """All series, the one with the most time waited first; that of the viewpoint is shown at first."""
    names = window.by_time_waited()
    # What waits while a series stalls is looked for in as many: of all it would be work of their square.
    explained = {*names[:MOST_WAITING], None}
    meanwhile = stalls_explained(window)
    return PageContent(
        title=_title(files, at),
        files=tuple(files),
        series=tuple(
            _series(window, name, marks, at, Commentary(tz, meanwhile=meanwhile if name in explained else None))
            for name in (*names, *([None] if len(names) > 1 else []))
        ),
        first=names.index(at.series) if at.series in names else 0,
        tz=tz,
        view=at.view_in(window[names[0]].unit),
        resolution=at.resolution,
        bad=bad,
    )


def _title(files: Sequence[str], at: Viewpoint) -> str:
    """``trace.trc with obj#=82015``."""
    name = files_name(files) or UNTITLED
    return f"{name} with {' and '.join(at.filters)}" if at.filters else name


def _series(window: Window, name: str | None, marks: MarkList, at: Viewpoint, commentary: Commentary) -> PageSeries:
    """A series, or the sum of all (None)."""
    history = window.added_up(SUM_SERIES) if name is None else window[name]
    if isinstance(history, SeriesSum):
        selection = history.between(history.start, history.end, MOST_COLUMNS)
    else:
        selection = window.between(history.name, None, None, MOST_COLUMNS)
    summary = selection.summary(at.view.slo)
    return PageSeries(
        history=history,
        noun=_noun(history),
        tick=selection.tick,
        summary=summary,
        modes=_modes(selection, exact=None if summary.estimated else summary.waited),
        moments=tuple(_moment(one) for one in commentary.moments(history, marks, at.view.slo)),
    )


def _noun(history: History | SeriesSum) -> str:
    members = history.histories if isinstance(history, SeriesSum) else (history,)
    nouns = {event_noun(one.label, one.source) for one in members}
    return nouns.pop() if len(nouns) == 1 else "events"


def _moment(one: NotableMoment) -> PageMoment:
    cost = one.cost_words if one.cost_text else ""
    return PageMoment(one.begin, one.end, one.sign, one.when, one.what, cost, one.low, one.high)


def _modes(selection: Selection, exact: float | None) -> tuple[PageMode, ...]:
    edges, counts = selection.rows()
    found = find_modes(counts, edges, selection.columns["seconds"], exact=exact, tick=selection.tick)
    return tuple(PageMode(one.text, one.events, one.waited) for one in modes_of(Reading(found, found.sure)))
