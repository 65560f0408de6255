"""Keys that choose the series: the next, one by its number, all added up, or one by its name."""

from __future__ import annotations

from collections.abc import Callable

from ..viewer.viewer import Viewer


def next_series(step: int) -> Callable[[Viewer], None]:
    """A key that moves through the series, sorted by time waited, most first, and then to their sum."""

    def act(viewer: Viewer) -> None:
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
    viewer.viewpoint = viewer.viewpoint._replace(summed=True, series=None)


def show_series(viewer: Viewer, name: str) -> None:
    """Show one series."""
    viewer.viewpoint = viewer.viewpoint._replace(summed=False, series=name)
