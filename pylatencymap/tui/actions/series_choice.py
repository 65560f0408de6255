"""Keys that choose the series: the next, one by its number, all added up, or one by its name."""

from __future__ import annotations

from collections.abc import Callable

from ...number_text import listed
from ...session import usual_stack
from ...text.clean import printable
from ...view.style import STRIP
from ..viewer.viewer import Viewer

NOT_WHILE_COMPARING = "A and B are compared in one series: Esc ends that, and v stacks then"
STACKED = "{} above each other, on one clock and one scale: v shows one again"
NO_STRIP = "a stack has no strip of them"
STACKED_MARKS = f"{{}} above each other; percentiles are in the maps: {NO_STRIP}"


def next_series(step: int) -> Callable[[Viewer], None]:
    """A key that moves through the series, sorted by time waited, most first, and then to their sum; in a stack through
    its series.
    """

    def act(viewer: Viewer) -> None:
        if stacked := viewer.picture.stack_at(viewer.viewpoint, viewer.size).names:
            shown = viewer.picture.series(viewer.viewpoint)
            place = stacked.index(shown) if shown in stacked else 0
            viewer.viewpoint = viewer.viewpoint._replace(series=stacked[(place + step) % len(stacked)])
            return
        names = viewer.picture.window.by_time_waited()
        if len(names) < 2:
            viewer.notice = "there is only one series"
            return
        shown = viewer.picture.series(viewer.viewpoint)
        place = len(names) if viewer.picture.is_sum(viewer.viewpoint) else names.index(shown) if shown else 0
        place = (place + step) % (len(names) + 1)
        if place == len(names):
            show_sum(viewer)
        else:
            show_series(viewer, names[place])

    return act


def show_numbered(position: int) -> Callable[[Viewer], None]:
    """A key that shows the series with the most time waited (position 0), the second (1) and so on."""

    def act(viewer: Viewer) -> None:
        names = viewer.picture.window.by_time_waited()
        if position < len(names):
            show_series(viewer, names[position])
        else:
            viewer.notice = f"there {'is' if len(names) == 1 else 'are'} only {len(names)} series"

    return act


def show_sum(viewer: Viewer) -> None:
    """Show the sum of all series."""
    if len(viewer.picture.window) < 2:
        viewer.notice = "there is only one series: it is its own sum"
        return
    viewer.viewpoint = viewer.viewpoint._replace(summed=True, series=None, stacked=())


def show_series(viewer: Viewer, name: str) -> None:
    """Show one series."""
    viewer.viewpoint = viewer.viewpoint._replace(summed=False, series=name, stacked=())


def stack_or_one(viewer: Viewer) -> None:
    """Stack the series that were ticked, else those that usually go together; a stack becomes one series again."""
    picture, before = viewer.picture, viewer.viewpoint
    if before.sides is not None:
        viewer.notice = NOT_WHILE_COMPARING
        return
    if picture.stacked(before):
        viewer.viewpoint = before._replace(stacked=(), series=picture.series(before))
        return
    if len(picture.window) < 2:
        viewer.notice = "there is only one series: a stack takes two or three"
        return
    shown = None if picture.is_sum(before) else picture.series(before)
    ticked = _ticked(viewer)
    _stack(viewer, ticked if len(ticked) > 1 else usual_stack(picture.window, shown), shown)


def stack_about(viewer: Viewer, name: str) -> bool:
    """Stack a series with what usually goes with it, else with the one that waited most. Returns whether that was
    possible.
    """
    picture, ticked = viewer.picture, _ticked(viewer)
    if viewer.viewpoint.sides is not None:
        viewer.notice = NOT_WHILE_COMPARING
        return False
    usual = ticked if len(ticked) > 1 and name in ticked else usual_stack(picture.window, name)
    others = [one for one in picture.window.by_time_waited() if one != name]
    return _stack(viewer, usual if name in usual else (name, *others[:1]), name)


def _ticked(viewer: Viewer) -> tuple[str, ...]:
    return tuple(name for name in viewer.ticked if name in viewer.picture.window)


def _stack(viewer: Viewer, wanted: tuple[str, ...], shown: str | None) -> bool:
    """Stack these series, or say why not. Keys that are about one series are then about ``shown``, if it is there."""
    chosen = shown if shown in wanted else wanted[0]
    stacked = viewer.viewpoint._replace(stacked=wanted, summed=False, series=chosen)
    names, why_not = viewer.picture.stack_at(stacked, viewer.size)
    said = STACKED_MARKS if stacked.view.percentiles == STRIP else STACKED
    viewer.notice = why_not or said.format(listed(list(map(printable, names))))
    if names:
        viewer.viewpoint = stacked
    return bool(names)
