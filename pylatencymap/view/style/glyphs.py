"""What cells are drawn with at each depth: levels, characters, and whether half cells exist."""

from functools import lru_cache
from typing import NamedTuple

from .colour_depth import ColourDepth
from .options import FREQUENCY, ViewOptions
from .ramps import ramp


class Glyphs(NamedTuple):
    """Signs and levels.

    ``levels`` is K. ``glyphs`` holds the character of each level where levels are characters, else it is empty and
    levels are colours. ``half`` says that a cell can hold two latency rows. ``cross`` is where the lines of the cursor
    meet, ``over`` and ``beside`` point at it from outside the map, ``limit`` is the line of the SLO. ``spark`` and
    ``bars`` are characters from little to much, for totals and shares.
    """

    levels: int
    glyphs: str = ""
    half: bool = False
    hatch: str = "╱"  # noqa: RUF001
    dashes: str = "┊"
    vertical: str = "│"
    corner: str = "└"
    horizontal: str = "─"
    tick: str = "┴"
    cross: str = "┼"
    over: str = "▾"
    beside: str = "◂"
    limit: str = "╌"
    corners: str = "┌┐└┘"
    none: str = "·"
    spark: str = "▁▂▃▄▅▆▇█"
    bars: str = "▏▎▍▌▋▊▉█"
    chip: str = " {} "
    ascii_only: bool = False

    @property
    def coloured(self) -> bool:
        return not self.glyphs


_MONO_GLYPHS = "·░▒▓█"
_ASCII_GLYPHS = ".123456789"
_ASCII = Glyphs(
    levels=len(_ASCII_GLYPHS),
    glyphs=_ASCII_GLYPHS,
    hatch="/",
    dashes=":",
    vertical="|",
    corner="+",
    horizontal="-",
    tick="+",
    cross="+",
    over="v",
    beside="<",
    limit="-",
    corners="++++",
    none=".",
    spark="123456789",
    bars="#",
    chip="[{}]",
    ascii_only=True,
)


@lru_cache(maxsize=32)
def _look(palette: str, background: str, depth: ColourDepth) -> Glyphs:
    if depth is ColourDepth.ASCII:
        return _ASCII
    if depth is ColourDepth.MONO:
        return Glyphs(levels=len(_MONO_GLYPHS), glyphs=_MONO_GLYPHS)
    return Glyphs(levels=len(ramp(FREQUENCY, palette, background, depth)), half=True)


def glyphs_of(options: ViewOptions) -> Glyphs:
    """The look for a depth and palette."""
    return _look(options.palette, options.background, options.depth)
