"""The colours of the levels, from little to much.

The cool and warm ramps were computed in OKLCh, spaced half by CIEDE2000 and half by lightness. They were chosen so that
lightness is strictly monotone and no cool colour comes near a warm one, also for deutan, protan and tritan sight. The
classic ramps are those of the earlier tool without its white. On a dark background they run in the opposite direction,
so that larger values always differ more from the background.

Viridis, inferno and cividis are selections from the 256 colours of their authors, as matplotlib distributes them. Each
begins where single events stand out from every common background, and ends where the top level still differs from the
colour of clipped cells. They are spaced like the other ramps, for all four kinds of sight. Both maps share them.
Sources: N. Smith and S. van der Walt, 2015, CC0 (viridis, inferno); J. Nunez, C. Anderton, R. Renslow, 2018 (cividis).
"""

from typing import TypeAlias

from .colour_depth import ColourDepth
from .options import FREQUENCY

Rgb: TypeAlias = tuple[int, int, int]
Colour: TypeAlias = int | Rgb
"""A palette index (16 or 256 colours) or red, green and blue from 0 to 255."""

_TRUECOLOR = {
    ("cool", "dark"): "282f76 2c3d8f 2d4ca9 285dbe 1e70c8 1282d1 0995d9 17a8de 2ebae2 3ecce5 51dde7 66eee9",
    ("warm", "dark"): "770c0b 931013 ae171b c52c18 d93f0f e65902 f07407 f88d15 fea615 ffbe32 ffd442 fbea62",
    ("cool", "light"): "98dffa 7ad1f4 59c2ed 3fb0e7 289edf 1d89d7 1f75cf 2461c2 254eb1 263b9e 242b82 1f1d67",
    ("warm", "light"): "f8dc86 f9c762 fab03d f9961d f57c0a eb620d dc4a15 cb331e b52125 9c1028 800828 640525",
    ("viridis", "dark"): "482173 443a83 3a548b 2f6c8e 26818e 1f958c 22a784 3bba76 66cc5d 99d93d cbe11e fde725",
    ("viridis", "light"): "bade28 88d548 57c766 31b57b 1fa287 21908c 287d8e 31688e 3c508b 453781 481e70 440154",
    ("cividis", "dark"): "424e6c 545a6d 646770 737374 828078 918c78 a29975 b3a770 c6b567 d9c55b edd649 fee838",
    ("cividis", "light"): "f8df3c dec957 c6b567 aea371 999277 858279 727374 5f636f 4a536c 31436d 003170 00224e",
    ("inferno", "dark"): "771c6d 932667 ab2f5e c03a51 d44842 e65c2f f3761a fa9407 fcb317 f7d13d f1ec6e fcffa4",
    ("inferno", "light"): "f4dd4f fbba1f fb9506 f1721e e05536 ca404a b2325a 962766 751b6e 510e6d 2f0a5a 150b37",
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
    ("viridis", "dark"): (54, 61, 31, 36, 42, 149, 220),
    ("viridis", "light"): (148, 77, 36, 30, 25, 54, 53),
    ("cividis", "dark"): (60, 61, 102, 108, 179, 185, 226),
    ("cividis", "light"): (220, 179, 108, 102, 59, 18, 17),
    ("inferno", "dark"): (54, 125, 131, 202, 214, 220, 229),
    ("inferno", "light"): (221, 214, 202, 161, 126, 54, 17),
}
_FEW: dict[str, tuple[int, ...]] = {
    "cool": (4, 6, 14),
    "warm": (1, 3, 11),
    "blue": (4, 6, 14),
    "red": (1, 3, 11),
    "viridis": (4, 2, 11),
    "cividis": (4, 3, 11),
    "inferno": (1, 3, 11),
}
"""The ramps in 16 colours on a dark background; on a light one their order is reversed."""
_HUES = {
    "cool-warm": ("cool", "warm"),
    "classic": ("blue", "red"),
    "viridis": ("viridis", "viridis"),
    "cividis": ("cividis", "cividis"),
    "inferno": ("inferno", "inferno"),
}


def ramp(kind: str, palette: str, background: str, depth: ColourDepth) -> tuple[Colour, ...]:
    """The colours of a map's levels 1 to K; empty if the depth has no colours.

    The classic ramps use the indices of the 256 colours also in true colour; in 16 colours they are those of cool and
    warm.
    """
    hue = _HUES[palette][0 if kind == FREQUENCY else 1]
    if depth is ColourDepth.COLOURS_16:
        return _FEW[hue] if background == "dark" else _FEW[hue][::-1]
    if depth is ColourDepth.COLOURS_256 or (depth is ColourDepth.TRUECOLOR and (hue, background) not in _TRUECOLOR):
        return _INDEXED[hue, background]
    if depth is ColourDepth.TRUECOLOR:
        return tuple(rgb(word) for word in _TRUECOLOR[hue, background].split())
    return ()


_DIVERGING = {
    "dark": ("6400b1 8d16dd b341f9 d175ff e7a2fe f8cdff", "3b5700 567501 739400 93b403 b2d102 d3ee2b"),
    "light": ("eebbfe d88cff bd58ff 992ceb 7202c7 4c0195", "c6e101 a0c107 7ca206 5b8302 3d6502 224801"),
}
"""Fewer and more, computed in OKLCh: lightness is strictly monotone, and no colour of one arm comes near one of the
other or near the blue and orange of the maps, also for deutan, protan and tritan sight."""
_DIVERGING_INDEXED = {
    "dark": ((55, 129, 177, 225), (22, 64, 106, 190)),
    "light": ((219, 171, 93, 55), (148, 106, 64, 22)),
}
_DIVERGING_FEW = {"dark": ((5, 13), (2, 10)), "light": ((13, 5), (10, 2))}


def diverging_ramps(background: str, depth: ColourDepth) -> tuple[tuple[Colour, ...], tuple[Colour, ...]]:
    """The colours of a difference map's levels 1 to K, of what became fewer and of what became more; empty if the depth
    has no colours. Palettes do not change them.
    """
    if depth is ColourDepth.COLOURS_16:
        return _DIVERGING_FEW[background]
    if depth is ColourDepth.COLOURS_256:
        return _DIVERGING_INDEXED[background]
    if depth is ColourDepth.TRUECOLOR:
        fewer, more = (tuple(rgb(word) for word in arm.split()) for arm in _DIVERGING[background])
        return fewer, more
    return (), ()


def rgb(text: str) -> Rgb:
    """Red, green and blue from six hexadecimal digits."""
    return int(text[:2], 16), int(text[2:4], 16), int(text[4:], 16)


def hex_of(colour: Rgb) -> str:
    """The other way round, with the ``#`` that SVG and style sheets want: ``#rrggbb``."""
    return "#{:02x}{:02x}{:02x}".format(*colour)
