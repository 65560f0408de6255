"""What a page shows of a run: its series with their sentences and figures."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo

from ...analysis import find_modes
from ...export.page import PageContent, PageMode, PageMoment, PageSeries
from ...view.layout import Reading
from ...view.wording import modes_of
from ...window import Selection, Window
from ..commentary import Commentary
from ..marks import MarkList
from ..moments import NotableMoment
from ..series_overview import event_noun
from ..viewpoint import Viewpoint, files_name

MOST_COLUMNS = 1000
"""Columns in which modes are looked for: more are merged."""
UNTITLED = "pylatencymap"


def page_content(
    window: Window, marks: MarkList, at: Viewpoint, tz: tzinfo, *, files: Sequence[str] = (), bad: int = 0
) -> PageContent:
    """All series, the one with the most time waited first; that of the viewpoint is shown at first."""
    names = window.by_time_waited()
    return PageContent(
        title=files_name(files) or UNTITLED,
        files=tuple(files),
        series=tuple(_series(window, name, marks, at, tz) for name in names),
        first=names.index(at.series) if at.series in names else 0,
        tz=tz,
        view=at.view_in(window[names[0]].unit),
        resolution=at.resolution,
        bad=bad,
    )


def _series(window: Window, name: str, marks: MarkList, at: Viewpoint, tz: tzinfo) -> PageSeries:
    history = window[name]
    selection = window.between(name, None, None, MOST_COLUMNS)
    summary = selection.summary()
    commentary = Commentary(tz)
    return PageSeries(
        history=history,
        noun=event_noun(history.label, history.source),
        tick=selection.tick,
        summary=summary,
        modes=_modes(selection, exact=None if summary.estimated else summary.waited),
        moments=tuple(_moment(one) for one in commentary.moments(history, marks, at.view.slo)),
    )


def _moment(one: NotableMoment) -> PageMoment:
    cost = one.cost_words if one.cost_text else ""
    return PageMoment(one.begin, one.end, one.sign, one.when, one.what, cost, one.low, one.high)


def _modes(selection: Selection, exact: float | None) -> tuple[PageMode, ...]:
    edges, counts = selection.rows()
    found = find_modes(counts, edges, selection.columns["seconds"], exact=exact, tick=selection.tick)
    return tuple(PageMode(one.text, one.events, one.waited) for one in modes_of(Reading(found, found.sure)))
