"""Draws the stack of a session: selects the columns of its series, and keeps what the next picture needs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from ...view import DrawnPicture, LastPicture
from ...view.layout import ScaleMemory, SelectedFigures, Status, wanted_cover
from ...view.stack import StackedSeries, StackScene, ToldTogether, compose_stack, draw_stack
from ...view.style import ON_MAP, STRIP, ViewOptions
from ...window import FloatArray, History, Overview, Selection, Summary, Window
from ..viewpoint import Viewpoint

if TYPE_CHECKING:
    from .commentary import StackCommentary

ALIKE = 1.05
"""If the lengths of intervals differ by a smaller factor, each interval is one column."""


class SeriesSource(Protocol):
    """What a stack needs of the picture whose series it draws."""

    window: Window

    def series(self, viewpoint: Viewpoint) -> str | None: ...

    def columns_at(self, size: tuple[int, int]) -> int: ...

    def kept_for(self, viewpoint: Viewpoint, columns: int) -> Window: ...

    def view(self, viewpoint: Viewpoint) -> ViewOptions: ...

    def described(self, status: Status, viewpoint: Viewpoint, name: str, width: float) -> Status: ...

    def figures_of(self, viewpoint: Viewpoint, name: str) -> SelectedFigures | None: ...

    def percentiles_of(
        self, viewpoint: Viewpoint, size: tuple[int, int], selection: Selection
    ) -> FloatArray | None: ...

    def overview_of(
        self, viewpoint: Viewpoint, status: Status, selection: Selection, columns: int
    ) -> Overview | None: ...


class StackPicture:
    """Draws stacks. What it remembers for the next picture are scales and blocks, as a picture of one series does."""

    def __init__(self, source: SeriesSource, tz: tzinfo) -> None:
        self._source = source
        self.tz = tz
        self._memory = ScaleMemory()
        self._last = LastPicture()

    @cached_property
    def commentary(self) -> StackCommentary:
        """What is said of the series together; made with the first stack."""
        from .commentary import StackCommentary

        return StackCommentary(self.tz)

    def use_zone(self, tz: tzinfo) -> None:
        """Tell times in another zone from now on."""
        self.tz = tz
        self.__dict__.pop("commentary", None)

    def start_anew(self) -> None:
        """There will be no more data: what is said is looked for by all of them."""
        if "commentary" in self.__dict__:
            self.commentary.start_anew()

    def histories(self, names: Sequence[str]) -> list[History]:
        """What is kept of these series."""
        return [self._source.window[name] for name in names]

    def drawn(
        self, names: tuple[str, ...], viewpoint: Viewpoint, size: tuple[int, int], status: Status, tick: int | None
    ) -> DrawnPicture:
        """The picture of these series at a size; ``tick``: see Picture.drawn."""
        scene = self._scene(names, viewpoint, size, status, tick)
        return draw_stack(scene, self._source.view(viewpoint), size, self._memory, self._last)

    def merged(self, names: tuple[str, ...], viewpoint: Viewpoint, size: tuple[int, int], status: Status) -> float:
        """See Picture.merged."""
        scene = self._scene(names, viewpoint, size, status, None)
        view = self._source.view(viewpoint)
        return compose_stack(scene, view, size, ScaleMemory(), LastPicture()).geometry.merged

    def _scene(
        self, names: tuple[str, ...], viewpoint: Viewpoint, size: tuple[int, int], status: Status, tick: int | None
    ) -> StackScene:
        source, columns = self._source, self._source.columns_at(size)
        selections = self._selections(names, viewpoint, columns)
        slo, pointer = viewpoint.view.slo, viewpoint.pointer
        moment = None if tick is None or pointer is not None else (tick, names, viewpoint, size, status)
        chosen = source.series(viewpoint)
        shown = source.described(status, viewpoint, chosen or names[0], selections[0].width)
        longest = max(selections, key=lambda one: (len(one) and int(one.columns["end"][-1]), len(one)))

        def figures() -> tuple[Summary, ...]:
            return tuple(one.summary(slo) for one in selections)

        summaries = self._last.held("statistics", moment, (), figures)
        named = list(zip(names, selections, strict=True))
        told = self._last.held("told", moment, (), lambda: self._together_on_screen(names, selections))
        overview = self._last.held(
            "overview", moment, (), lambda: source.overview_of(viewpoint, shown, longest, columns)
        )
        cover = wanted_cover(source.view(viewpoint), self._memory)
        series = tuple(
            StackedSeries(
                name,
                one.matrix(viewpoint.resolution, cover),
                source.described(status, viewpoint, name, one.width),
                summary,
                None if pointer is None else one.at(pointer.micros, slo),
                source.figures_of(viewpoint, name),
                name == chosen,
                source.percentiles_of(viewpoint, size, one) if viewpoint.view.percentiles in (ON_MAP, STRIP) else None,
            )
            for (name, one), summary in zip(named, summaries, strict=True)
        )
        status = shown._replace(stacked=len(names))
        return StackScene(series, status, pointer, viewpoint.selected, told, overview, viewpoint.stays)

    def _together_on_screen(self, names: tuple[str, ...], selections: Sequence[Selection]) -> tuple[ToldTogether, ...]:
        """What is said of the time that is on the screen."""
        known = [one for one in selections if len(one)]
        if not known:
            return ()
        begin = min(int(one.columns["start"][0]) for one in known)
        end = max(int(one.columns["end"][-1]) for one in known)
        clock = all(one.matrix().clock for one in known)
        return self.commentary.told(self.histories(names), begin, end, clock=clock)

    def _selections(self, names: tuple[str, ...], viewpoint: Viewpoint, columns: int) -> list[Selection]:
        """The columns of each series, all of the same length and up to the same moment."""
        window = self._source.window
        width = common_width([window[name] for name in names], viewpoint.width)
        end = viewpoint.end or max(window[name].end for name in names)
        kept = self._source.kept_for(viewpoint, columns)
        return [(kept if name in kept else window).select(name, columns, width, end) for name in names]


def common_width(histories: Sequence[History], width: float | None) -> float | None:
    """Seconds of the columns of these series; None: each interval is one, as far as they are alike."""
    usual = [one.usual_seconds() for one in histories]
    if width is not None:
        return max(width, *usual)
    return max(usual) if max(usual) > ALIKE * min(usual) else None
