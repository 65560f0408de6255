"""What the user may choose about the picture."""

from typing import NamedTuple

from .colour_depth import ColourDepth

FREQUENCY = "frequency"
INTENSITY = "intensity"
BOTH_MAPS = "both"
MAPS = (FREQUENCY, INTENSITY, BOTH_MAPS)
SQRT, LINEAR, LOG, SHARE = "sqrt", "linear", "log", "share"
SCALES = (SQRT, LINEAR, LOG, SHARE)
PALETTES = ("cool-warm", "classic", "viridis", "cividis", "inferno")
BACKGROUNDS = ("dark", "light")
FALLBACK_SIZE = (120, 40)
"""Columns and lines of a picture that is printed or written where nothing says how large it is to be."""
LEAST_SIZE = (60, 20)
MOST_COLUMNS = 400
MOST_LINES = 200
AUTO = "auto"
"""A background still to be found out: it has to become one of BACKGROUNDS before anything is drawn."""


class ViewOptions(NamedTuple):
    """Choices about the picture; none of them changes the data.

    ``frequency_max`` (events per second) and ``intensity_max`` (seconds waited per second) pin a colour scale; where
    it is ``held`` it was pinned as it was drawn, and clips no earlier than a scale that follows the data.
    ``min_latency`` and ``max_latency`` are in seconds: rows that end at or below the first are not shown, rows that
    begin at or above the second become one open row. With both of them the rows are fixed: all between are shown,
    with events or without. ``rows`` is the most of them in each map. ``slo`` (seconds) is a latency to be kept.
    """

    map: str = BOTH_MAPS
    scale: str = "sqrt"
    palette: str = "cool-warm"
    frequency_max: float | None = None
    intensity_max: float | None = None
    held: bool = False
    min_latency: float | None = None
    max_latency: float | None = None
    depth: ColourDepth = ColourDepth.TRUECOLOR
    background: str = "dark"
    rows: int | None = None
    slo: float | None = None

    @property
    def maps(self) -> tuple[str, ...]:
        """The maps to draw, top to bottom."""
        return (FREQUENCY, INTENSITY) if self.map == BOTH_MAPS else (self.map,)

    def pinned(self, kind: str) -> float | None:
        """The pinned maximum of a map, or None."""
        return self.frequency_max if kind == FREQUENCY else self.intensity_max

    def is_exact(self, kind: str) -> bool:
        """Whether whatever is beyond the maximum of a map is clipped: it was given as a number."""
        return bool(self.pinned(kind)) and not self.held
