"""Gives each ink its colour, at each colour depth and on each background."""

from functools import lru_cache

from .colour_depth import ColourDepth
from .options import FREQUENCY, INTENSITY, ViewOptions
from .ramps import Colour, Rgb, diverging_ramps, ramp, rgb
from .styles import Ink

GROUNDS: dict[str, tuple[Rgb, Rgb]] = {
    "dark": ((0xD0, 0xD2, 0xD6), (0x12, 0x14, 0x17)),
    "light": ((0x24, 0x26, 0x2B), (0xFD, 0xFD, 0xFC)),
}
"""Default foreground and background: assumed for terminals, used in files."""
_INKS: dict[str, dict[Ink, tuple[str, int, int]]] = {
    "dark": {
        Ink.DIM: ("8a8d93", 245, 8),
        Ink.FRAME: ("5a5d63", 240, 8),
        Ink.HATCH: ("4a4d53", 239, 8),
        Ink.GAP: ("9a8a35", 136, 3),
        Ink.MARK: ("c88ad8", 176, 5),
        Ink.CLIP: ("ffffff", 231, 15),
        Ink.CLIP_TEXT: ("000000", 16, 0),
        Ink.TOTAL: ("6e7178", 242, 8),
        Ink.BOX: ("20242c", 235, 0),
    },
    "light": {
        Ink.DIM: ("6a6d73", 242, 8),
        Ink.FRAME: ("b0b3b8", 249, 7),
        Ink.HATCH: ("c0c3c8", 250, 7),
        Ink.GAP: ("a08500", 136, 3),
        Ink.MARK: ("8a3ba8", 97, 5),
        Ink.CLIP: ("000000", 16, 0),
        Ink.CLIP_TEXT: ("ffffff", 231, 15),
        Ink.TOTAL: ("92959b", 246, 8),
        Ink.BOX: ("e9ebef", 255, 15),
    },
}
_CHIPS: dict[Ink, tuple[str, int, int]] = {
    Ink.CHIP_TEXT: ("000000", 16, 0),
    Ink.CHIP_GO: ("7fd07f", 114, 2),
    Ink.CHIP_WAIT: ("f2c94c", 221, 3),
}
_HEADING_STEP = {"dark": 0.8, "light": 0.6}
"""The position on its ramp (0 to 1) of a map's text colour: readable on the background, clearly the map's colour."""


@lru_cache(maxsize=32)
def colours(palette: str, background: str, depth: ColourDepth) -> dict[int, Colour]:
    """The colour of each ink; absent inks have the default colour. Empty for depths without colour."""
    if depth in (ColourDepth.MONO, ColourDepth.ASCII):
        return {}
    column = {ColourDepth.TRUECOLOR: 0, ColourDepth.COLOURS_256: 1, ColourDepth.COLOURS_16: 2}[depth]
    table: dict[int, Colour] = {}
    for ink, choices in (_INKS[background] | _CHIPS).items():
        chosen = choices[column]
        table[ink] = rgb(chosen) if isinstance(chosen, str) else chosen
    for kind, text_ink, base in (
        (FREQUENCY, Ink.FREQUENCY, Ink.FREQUENCY_RAMP),
        (INTENSITY, Ink.INTENSITY, Ink.INTENSITY_RAMP),
    ):
        steps = ramp(kind, palette, background, depth)
        table.update({base + level: colour for level, colour in enumerate(steps, 1)})
        table[text_ink] = steps[round(_HEADING_STEP[background] * (len(steps) - 1))]
    for base, arm in zip((Ink.FEWER_RAMP, Ink.MORE_RAMP), diverging_ramps(background, depth), strict=True):
        table.update({base + level: colour for level, colour in enumerate(arm, 1)})
    return table


def theme_of(options: ViewOptions) -> dict[int, Colour]:
    """The colours that the options ask for."""
    return colours(options.palette, options.background, options.depth)


# Red, green and blue of xterm's 256 colours.


_SIXTEEN = (
    "000000cd000000cd00cdcd000000eecd00cd00cdcde5e5e5"  # the dark ones
    "7f7f7fff000000ff00ffff005c5cffff00ff00ffffffffff"  # the bright ones
)
"""The first 16 colours, as xterm has them."""
_CUBE = (0, 95, 135, 175, 215, 255)
_FIRST_GREY, _GREYS = 232, 24


def rgb_of(colour: Colour) -> Rgb:
    """Red, green and blue of a colour. A palette index has the colour that it has in xterm."""
    if isinstance(colour, tuple):
        return colour
    if colour < 16:
        return rgb(_SIXTEEN[6 * colour : 6 * colour + 6])
    if colour >= _FIRST_GREY:
        grey = 8 + 10 * (colour - _FIRST_GREY)
        return grey, grey, grey
    red, rest = divmod(colour - 16, 36)
    green, blue = divmod(rest, 6)
    return _CUBE[red], _CUBE[green], _CUBE[blue]


def grey_of(colour: Rgb) -> int:
    """The index of the grey whose lightness is closest to that of a colour."""
    red, green, blue = colour
    # Weights from ITU-R BT.709, precise enough to choose among 24 greys.
    lightness = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return _FIRST_GREY + min(max(round((lightness - 8) / 10), 0), _GREYS - 1)


# The colours of a picture behind a box: dimmed, not hidden.


KEPT_SHARE = 0.3
"""The share of a colour that remains; the rest is the background."""
_GREY_OF_SIXTEEN = {"dark": 8, "light": 7}


@lru_cache(maxsize=32)
def _faded(palette: str, background: str, depth: ColourDepth) -> dict[int, Colour]:
    theme = colours(palette, background, depth)
    if depth is ColourDepth.COLOURS_16:
        on_grounds = {ink: theme[ink] for ink in (Ink.CHIP_TEXT, Ink.CLIP_TEXT)}
        return dict.fromkeys([Ink.DEFAULT, *theme], _GREY_OF_SIXTEEN[background]) | on_grounds
    text, paper = GROUNDS[background]
    full = {Ink.DEFAULT: text} | {ink: rgb_of(colour) for ink, colour in theme.items()} if theme else {}
    blended = {ink: _blend(colour, paper) for ink, colour in full.items()}
    if depth is ColourDepth.COLOURS_256:
        # The colour cube has nothing between black and its first steps, so only lightness can be kept.
        return {ink: grey_of(colour) for ink, colour in blended.items()}
    return dict(blended)


def faded_theme(options: ViewOptions) -> dict[int, Colour]:
    """The colour of each ink (and of the default foreground) in a faded style; empty for depths without colour."""
    return _faded(options.palette, options.background, options.depth)


def _blend(colour: Rgb, paper: Rgb) -> Rgb:
    red, green, blue = (
        round(KEPT_SHARE * front + (1 - KEPT_SHARE) * back) for front, back in zip(colour, paper, strict=True)
    )
    return red, green, blue
