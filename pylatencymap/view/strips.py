"""One more column without composing the whole picture: what comes faster than texts can be read is drawn like this.

The maps and the time axis are what a whole picture would show, and so are the scales; their memory is kept as it would
be. Other texts, that of what is off a scale among them, and whatever changes more (a row, the layout), wait for a whole
picture.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..interval import Interval
from ..units import Unit
from ..window.matrix import Matrix
from .axis import MovingAxis
from .cells import decode
from .celltable import Cell, cell_of, cells_of
from .clock import tick_step
from .compose import Composed
from .geometry import Drawn, Geometry
from .memory import Memory
from .movingmap import MovingMap
from .options import FREQUENCY, INTENSITY, ViewOptions
from .paint import letter_style
from .rates import Rates
from .rescale import Patch, Rescaling
from .scene import Scene
from .simple import first_row, is_simple
from .trail import RowsInUse

_NO_PATCHES: list[Patch] = []


class Strip(NamedTuple):
    """The newest column: its cells in each map (top to bottom, the totals last) and on the axis, and the line of clock
    labels as it is now, from the left to the right end of the maps. ``totals``: per map the whole line of totals,
    oldest column first, where its scale has changed; empty where it has not. ``patches``: what is painted over all this
    where a colour scale has changed.
    """

    end: int
    maps: tuple[list[Cell], ...]
    axis: Cell
    labels: str
    totals: tuple[list[Cell], ...]
    patches: list[Patch]


class Strips:
    """Columns that follow a whole picture. Once ``column`` has said None, a whole picture has to come first."""

    def __init__(self, scene: Scene, composed: Composed, options: ViewOptions, memory: Memory, unit: Unit) -> None:
        matrix, geometry = scene.matrix, composed.geometry
        self._unit = unit
        self._memory = memory
        self._cover = memory.cover
        self._bounds: list[float] = geometry.bounds.tolist()
        self._rates = Rates(self._bounds, _core(self._bounds, memory.cover), unit)
        self._maps = _moving_maps(matrix, composed, options)
        self._rescaling = Rescaling(composed, options.scale)
        self._rows = RowsInUse(_last_used(matrix, geometry), matrix.columns - 1, geometry.right - geometry.left)
        self._clock = matrix.clock
        self._seconds = scene.status.interval
        self._end, self._span = int(geometry.ends[-1]), round(scene.status.interval * 1e6)
        step = tick_step(scene.status.interval, 1)
        self._axis = MovingAxis(composed.frame.ticks, geometry, step, composed.look, scene.status.tz, real=matrix.clock)
        self._clip_letter = cell_of("+", letter_style("+", composed.look)) if composed.layout.plan.half else None

    @classmethod
    def start(
        cls,
        scene: Scene,
        composed: Composed,
        drawn: Drawn,
        options: ViewOptions,
        memory: Memory,
        unit: Unit,
        columns: int,
    ) -> "Strips | None":
        """What continues a picture that was just drawn of a running series; None where each column has to be composed.

        ``columns`` is the most that may be drawn. What the newest column would be is compared with what was drawn.
        """
        if not is_simple(scene, composed, options, unit, columns):
            return None
        strips = cls(scene, composed, options, memory, unit)
        return strips if strips._shows(composed, drawn) else None

    def column(self, interval: Interval) -> Strip | None:
        """The column of the next interval of the series; None where more than that changes."""
        values = self._rates.of(interval) if self._follows(interval) else None
        if values is None:
            return None
        for moving in self._maps:
            moving.add(values.frequency if moving.kind == FREQUENCY else values.intensity)
        axis = self._axis.add(interval.end)
        if axis is None or not self._remembers(interval.end, values.used):
            return None
        again = self._rescaled()
        if again is None:
            return None
        cells = tuple([moving.cells() for moving in self._maps])
        if self._clip_letter is not None and any(moving.clips for moving in self._maps):
            axis = self._clip_letter
        self._end = interval.end
        totals = tuple([moving.rescaled_totals() for moving in self._maps])
        return Strip(interval.end, cells, axis, self._axis.labels(), totals, again)

    def _follows(self, interval: Interval) -> bool:
        """Whether an interval is as long as the others, right behind the last one, and nothing to remark."""
        return (
            interval.unit is self._unit
            and interval.end - self._end == self._span
            and interval.seconds == self._seconds
            and interval.clock == self._clock
            and not (interval.gap or interval.reset)
        )

    def _remembers(self, end: int, rows: Sequence[int]) -> bool:
        """Tell the memory of the rows what a whole picture would tell it; whether they stay what they are."""
        self._memory.advance(end)
        used = self._rows.add(rows)
        if used is not None:
            self._memory.remember_range(self._bounds[used[0]], self._bounds[used[1] + 1])
        return self._memory.cover == self._cover

    def _rescaled(self) -> list[Patch] | None:
        """What has to be painted again where a scale has changed; None where more than that has to.

        Where something is clipped other texts say so, and letters on the axis.
        """
        wanted = [moving.wanted(self._memory) for moving in self._maps]
        changed = [place for place, moving in enumerate(self._maps) if wanted[place] != moving.maximum]
        if not changed:
            return _NO_PATCHES
        kept = (moving for place, moving in enumerate(self._maps) if place not in changed)
        if any(moving.has_clipped for moving in self._maps) or any(moving.clips for moving in kept):
            return None
        patches = self._rescaling.legends(wanted).copy()
        for place in changed:
            cells = self._maps[place].rescale(wanted[place])
            if cells is None:
                return None
            patches.append(self._rescaling.map(place, cells))
        return patches

    def _shows(self, composed: Composed, drawn: Drawn) -> bool:
        """Whether what was drawn is what we would have drawn."""
        chars, styles = drawn.cells
        geometry = composed.geometry
        newest = geometry.right - 1
        for region, moving, panel in zip(geometry.regions, self._maps, composed.frame.panels, strict=True):
            ours = moving.newest(panel)
            part = slice(region.top, region.top + len(ours))
            if ours != cells_of(chars[part, newest], styles[part, newest]).tolist():
                return False
        return decode(chars[geometry.axis + 1, geometry.left : geometry.right]) == self._axis.labels()


def _last_used(matrix: Matrix, geometry: Geometry) -> list[int]:
    """Per row drawn the newest column with events, -1 for none."""
    place = first_row(matrix, geometry)
    used = matrix.counts[place : place + geometry.bounds.size - 1] > 0
    newest = matrix.columns - 1 - used[:, ::-1].argmax(axis=1)
    return np.where(used.any(axis=1), newest, -1).tolist()  # type: ignore[no-any-return]


def _core(bounds: list[float], cover: tuple[float, float] | None) -> range:
    """The rows drawn that are no context."""
    if cover is None:
        return range(0)
    low, high = cover
    inside = [row for row in range(len(bounds) - 1) if low <= bounds[row] and bounds[row + 1] <= high]
    return range(inside[0], inside[-1] + 1) if inside else range(0)


def _moving_maps(matrix: Matrix, composed: Composed, options: ViewOptions) -> list[MovingMap]:
    geometry = composed.geometry
    place = first_row(matrix, geometry)
    part = slice(place, place + geometry.bounds.size - 1)
    rates = {FREQUENCY: matrix.frequency()[part], INTENSITY: matrix.intensity()[part]}
    return [MovingMap(composed, panel, rates[panel.kind], options) for panel in composed.frame.panels]
