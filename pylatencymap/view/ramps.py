"""Colour ramps, from little to much.

The cool and warm ramps were computed in OKLCh, spaced half by CIEDE2000 and half by lightness, and chosen so that
lightness is strictly monotone and no cool colour comes near a warm one, also for deutan, protan and tritan sight. The
classic ramps are those of the earlier tool without its white; on a dark background they run the other way, so that more
is always further from the background.
"""

from typing import TypeAlias

from .colour import Depth
from .options import FREQUENCY

Colour: TypeAlias = int | tuple[int, int, int]
"""A palette index (16 or 256 colours) or red, green and blue from 0 to 255."""

_TRUECOLOR = {
    ("cool", "dark"): "282f76 2c3d8f 2d4ca9 285dbe 1e70c8 1282d1 0995d9 17a8de 2ebae2 3ecce5 51dde7 66eee9",
    ("warm", "dark"): "770c0b 931013 ae171b c52c18 d93f0f e65902 f07407 f88d15 fea615 ffbe32 ffd442 fbea62",
    ("cool", "light"): "98dffa 7ad1f4 59c2ed 3fb0e7 289edf 1d89d7 1f75cf 2461c2 254eb1 263b9e 242b82 1f1d67",
    ("warm", "light"): "f8dc86 f9c762 fab03d f9961d f57c0a eb620d dc4a15 cb331e b52125 9c1028 800828 640525",
}
_INDEXED: dict[tuple[str, str], tuple[int, ...]] = {
    ("cool", "dark"): (18, 20, 26, 32, 38, 80, 87),
    ("warm", "dark"): (52, 88, 124, 166, 208, 214, 221),
    ("cool", "light"): (153, 80, 38, 32, 26, 20, 18),
    ("warm", "light"): (222, 215, 208, 166, 124, 88, 52),
    ("blue", "dark"): (17, 19, 21, 27, 33, 39, 45, 51),
    ("red", "dark"): (52, 88, 124, 160, 202, 208, 214, 226),
    ("blue", "light"): (51, 45, 39, 33, 27, 21),
    ("red", "light"): (226, 220, 214, 208, 202, 196),
}
_FEW: dict[tuple[str, str], tuple[int, ...]] = {
    ("cool", "dark"): (4, 6, 14),
    ("warm", "dark"): (1, 3, 11),
    ("cool", "light"): (14, 6, 4),
    ("warm", "light"): (11, 3, 1),
}
_HUES = {"cool-warm": ("cool", "warm"), "classic": ("blue", "red")}


def ramp(kind: str, palette: str, background: str, depth: Depth) -> tuple[Colour, ...]:
    """The colours of a map's levels 1 to K; empty where the depth has no colours.

    A classic ramp is a list of palette indices at every depth but 16 colours, where both palettes are the same.
    """
    position = 0 if kind == FREQUENCY else 1
    hue = _HUES[palette][position]
    if depth is Depth.COLOURS_16:
        return _FEW[_HUES["cool-warm"][position], background]
    if depth is Depth.COLOURS_256 or (depth is Depth.TRUECOLOR and (hue, background) not in _TRUECOLOR):
        return _INDEXED[hue, background]
    if depth is Depth.TRUECOLOR:
        return tuple(rgb(word) for word in _TRUECOLOR[hue, background].split())
    return ()


def rgb(text: str) -> tuple[int, int, int]:
    """Red, green and blue of six hexadecimal digits."""
    return int(text[:2], 16), int(text[2:4], 16), int(text[4:], 16)
