"""The style of a cell as a 15-bit number, which painters write and encoders read.

Bits 0 to 5 are the foreground ink, 6 to 11 the background ink, 12 bold, 13 reverse, 14 faded. Painters know only inks,
which are meanings. The theme decides which colour an ink has on a terminal or in a file.
"""

from enum import IntEnum
from typing import NamedTuple


class Ink(IntEnum):
    """Meanings of a foreground or background. DEFAULT is the terminal's own colour."""

    DEFAULT = 0
    DIM = 1
    FRAME = 2
    HATCH = 3
    GAP = 4
    MARK = 5
    CLIP = 6
    CLIP_TEXT = 7
    FREQUENCY = 8
    INTENSITY = 9
    TOTAL = 10
    CHIP_TEXT = 11
    CHIP_GO = 12
    CHIP_WAIT = 13
    FREQUENCY_RAMP = 16
    """Level k of the frequency ramp is FREQUENCY_RAMP + k, 1 <= k <= 15."""
    INTENSITY_RAMP = 32
    BOX = 48
    """The background of a box that lies over the picture."""
    SCREEN = 49
    """The terminal's own background inside a box, where the help shows signs as they look in a map."""
    FEWER_RAMP = 50
    """Level k of what became fewer, in a difference map, is FEWER_RAMP + k, 1 <= k <= 6."""
    MORE_RAMP = 57


_BG_SHIFT = 6
_MASK = 63
BOLD_BIT = 1 << 12
REVERSE_BIT = 1 << 13
FADED_BIT = 1 << 14
"""For the picture behind a box: the same colours, blended almost into the background."""
BLANK_BITS = (_MASK << _BG_SHIFT) | REVERSE_BIT | FADED_BIT
"""The part of a style that is visible on a blank."""


class Style(NamedTuple):
    """The parts of a style."""

    foreground: int
    background: int
    bold: bool
    reverse: bool
    faded: bool = False


def style(foreground: int = 0, background: int = 0, *, bold: bool = False, reverse: bool = False) -> int:
    """The number of a style."""
    return int(foreground) | int(background) << _BG_SHIFT | BOLD_BIT * bold | REVERSE_BIT * reverse


def style_parts(number: int) -> Style:
    """The parts of a style number."""
    return Style(
        foreground=number & _MASK,
        background=number >> _BG_SHIFT & _MASK,
        bold=bool(number & BOLD_BIT),
        reverse=bool(number & REVERSE_BIT),
        faded=bool(number & FADED_BIT),
    )


def background_bits(ink: int) -> int:
    """The bits to add to a foreground ink to give it a background ink."""
    return ink << _BG_SHIFT


TEXT = style()
STRONG = style(bold=True)
DIM = style(Ink.DIM)
NOTICE = style(Ink.GAP, bold=True)
