"""The options of the picture that the user can choose."""

from typing import NamedTuple

from .colour_depth import ColourDepth

FREQUENCY = "frequency"
INTENSITY = "intensity"
BOTH_MAPS = "both"
MAPS = (FREQUENCY, INTENSITY, BOTH_MAPS)
SQRT, LINEAR, LOG, SHARE = "sqrt", "linear", "log", "share"
SCALES = (SQRT, LINEAR, LOG, SHARE)
AUTO_CURVES, NO_CURVES, ON_MAP, STRIP = CURVES = "auto", "off", "map", "strip"
"""Where percentiles over time are drawn; "auto" is a strip if there is room for it beside all else."""
PALETTES = ("cool-warm", "classic", "viridis", "cividis", "inferno")
BACKGROUNDS = ("dark", "light")
FALLBACK_SIZE = (120, 40)
"""Columns and lines of a printed or saved picture if its size is not given."""
LEAST_SIZE = (60, 20)
MOST_COLUMNS = 400
MOST_LINES = 200
AUTO = "auto"
"""A background that is not known yet: it must be replaced by one of BACKGROUNDS before anything is drawn."""


class ViewOptions(NamedTuple):
    """Choices about the picture; none of them changes the data.

    frequency_max    pins the end of the colour scale, events per second
    intensity_max    the same, seconds waited per second
    held             the scales were pinned as they were drawn, by a key: values are clipped no earlier than on a scale
                     that follows the data. False: the user gave numbers, and everything above them is clipped
    min_latency      seconds; rows that end at or below it are not shown
    max_latency      seconds; rows that begin at or above it become one open row. With both, the rows are fixed: all
                     between are shown, with or without events
    rows             the largest number of rows in each map
    slo              seconds, the latency objective
    percentiles      where p50 and p99 over time are drawn, one of CURVES
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
    percentiles: str = AUTO_CURVES

    @property
    def maps(self) -> tuple[str, ...]:
        """The kinds of the maps to draw, top to bottom."""
        return (FREQUENCY, INTENSITY) if self.map == BOTH_MAPS else (self.map,)

    def pinned(self, kind: str) -> float | None:
        """The pinned maximum of a map, or None."""
        return self.frequency_max if kind == FREQUENCY else self.intensity_max

    def is_exact(self, kind: str) -> bool:
        """Whether everything above the maximum of a map is clipped, because the user gave it as a number."""
        return bool(self.pinned(kind)) and not self.held
