"""The characters and the number of levels that a picture is drawn with, at each colour depth."""

from functools import lru_cache
from typing import NamedTuple

from .colour_depth import ColourDepth
from .options import FREQUENCY, ViewOptions
from .ramps import ramp


class Glyphs(NamedTuple):
    """Characters and levels.

    levels    K, the number of levels above zero
    glyphs    the character of each level if levels are drawn as characters; empty if they are drawn as colours
    half      whether a cell can show two latency rows
    hatch     fills cells without data
    dashes    the line down a column with a reset or mark
    cross     where the lines of the cursor meet
    over      points at the cursor from above the map
    beside    points at the cursor from the right of the map
    limit     the line of the SLO
    chosen    stands before the chosen row of a table
    corners   of a box: upper left, upper right, lower left, lower right
    none      stands for the number zero
    spark     the totals, characters from little to much
    bars      the shares, characters from little to much
    curves    p50 and p99 in the cells of a map
    strip     p50 and p99 in a strip of their own, where there are no colours
    chip      the format of the state in the title
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
    chosen: str = "▸"
    corners: str = "┌┐└┘"
    none: str = "·"
    spark: str = "▁▂▃▄▅▆▇█"
    bars: str = "▏▎▍▌▋▊▉█"
    curves: str = "╍━"
    strip: str = "─▀"
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
    chosen=">",
    corners="++++",
    none=".",
    spark="123456789",
    bars="#",
    curves="-=",
    strip="-=",
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
    """The glyphs for the depth, palette and background of the options."""
    return _look(options.palette, options.background, options.depth)
