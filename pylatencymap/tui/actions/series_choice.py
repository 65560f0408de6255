"""Keys that choose the series: the next, one by its number, all added up, or one by its name."""

from __future__ import annotations

from collections.abc import Callable

from ..viewer.viewer import Viewer


def next_series(step: int) -> Callable[[Viewer], None]:
    """A key that goes through the series, those with the most time waited first, and then to their sum."""

    def act(stage: Viewer) -> None:
        names = stage.picture.window.by_time_waited()
        if len(names) < 2:
            stage.notice = "there is only one series"
            return
        shown = stage.picture.series(stage.at)
        place = len(names) if stage.picture.is_sum(stage.at) else names.index(shown) if shown else 0
        place = (place + step) % (len(names) + 1)
        if place == len(names):
            show_sum(stage)
        else:
            show_series(stage, names[place])

    return act


def show_numbered(position: int) -> Callable[[Viewer], None]:
    """A key that shows the series with the most time waited (0), the second (1) ..."""

    def act(stage: Viewer) -> None:
        names = stage.picture.window.by_time_waited()
        if position < len(names):
            show_series(stage, names[position])
        else:
            stage.notice = f"there {'is' if len(names) == 1 else 'are'} only {len(names)} series"

    return act


def show_sum(stage: Viewer) -> None:
    """All series added up."""
    if len(stage.picture.window) < 2:
        stage.notice = "there is only one series: it is its own sum"
        return
    stage.at = stage.at._replace(summed=True, series=None)


def show_series(stage: Viewer, name: str) -> None:
    """One series."""
    stage.at = stage.at._replace(summed=False, series=name)
