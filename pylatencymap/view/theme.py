"""Which colour each ink has, at each depth and on each background."""

from functools import lru_cache

from .colour import Depth
from .ink import Ink
from .options import FREQUENCY, INTENSITY, ViewOptions
from .ramps import Colour, Rgb, ramp, rgb

GROUNDS: dict[str, tuple[Rgb, Rgb]] = {
    "dark": ((0xD0, 0xD2, 0xD6), (0x12, 0x14, 0x17)),
    "light": ((0x24, 0x26, 0x2B), (0xFD, 0xFD, 0xFC)),
}
"""What the default foreground and background of a terminal are taken to be, and are in files."""
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
"""Where on its ramp a map's text colour lies: readable on the background, unmistakably of the map."""


@lru_cache(maxsize=32)
def colours(palette: str, background: str, depth: Depth) -> dict[int, Colour]:
    """Ink to colour; inks that are absent have the default colour. Empty for depths without colour."""
    if depth in (Depth.MONO, Depth.ASCII):
        return {}
    column = {Depth.TRUECOLOR: 0, Depth.COLOURS_256: 1, Depth.COLOURS_16: 2}[depth]
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
    return table


def theme_of(options: ViewOptions) -> dict[int, Colour]:
    """The colours that the options ask for."""
    return colours(options.palette, options.background, options.depth)
