"""Columns that come faster than texts can be read, drawn behind the picture that was drawn last."""

from __future__ import annotations

from typing import NamedTuple

from ..interval import Interval
from ..units import Unit
from ..view.compose import Composed
from ..view.geometry import Drawn
from ..view.memory import Memory
from ..view.options import ViewOptions
from ..view.scene import Scene
from ..view.strips import Strip, Strips
from .viewpoint import Viewpoint


class Basis(NamedTuple):
    """A picture of a series and all that it was made of; ``columns``: the most that are drawn."""

    at: Viewpoint
    series: str
    unit: Unit
    view: ViewOptions
    columns: int
    scene: Scene
    drawn: Drawn
    composed: Composed


class Quick:
    """Goes on from a basis as long as it can; to get ready for it costs something, and is put off until it is used."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._basis: Basis | None = None
        self._strips: Strips | None = None

    def base_on(self, basis: Basis) -> None:
        """A picture was drawn."""
        self._basis, self._strips = basis, None

    def forget(self) -> None:
        """Something else than the data has changed: a picture has to come first."""
        self._basis = self._strips = None

    def strip(self, at: Viewpoint, series: str | None, interval: Interval) -> Strip | None:
        """The column of an interval of the series drawn; None where a whole picture has to be drawn."""
        basis = self._basis
        if basis is None or basis.at != at or series != basis.series or interval.series != series:
            self.forget()
            return None
        if self._strips is None and at.follows and at.width is None and not at.summed:
            self._strips = Strips.start(
                basis.scene, basis.composed, basis.drawn, basis.view, self._memory, basis.unit, basis.columns
            )
        strip = self._strips.column(interval) if self._strips is not None else None
        if strip is None:
            self.forget()
        return strip
