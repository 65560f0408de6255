"""Finds out whether a terminal is dark or light, from what it reports about itself.

A terminal reports its background in an environment variable or, more reliably, in its answer to OSC 11. Source: xterm
control sequences, "Operating System Commands". The owner of the terminal asks; this module reads the answers.
"""

import re
from collections.abc import Mapping

DARK, LIGHT = "dark", "light"
BACKGROUND_QUERY = "\x1b]11;?\x1b\\"
"""OSC 11 with a question mark: asks the terminal for its background colour."""

_HEX = r"([0-9a-fA-F]{1,4})"
_COLOUR = rf"rgba?:{_HEX}/{_HEX}/{_HEX}"
_DARK_INDICES = {*range(7), 8}
"""The dark ones of the 16 colours; 7 and 9 to 15 are light. Source: the rule of Vim and rxvt."""
_LIGHT_INDICES = {7, *range(9, 16)}
_MIDDLE = 0.18
"""Relative luminance at which black and white text are equally readable. Source: WCAG 2, sqrt(1.05 * 0.05) - 0.05."""


def background_from_environment(environ: Mapping[str, str]) -> str | None:
    """The background from the variable ``COLORFGBG`` (``15;0``, ``0;default;15``); None if it names no known colour."""
    last = environ.get("COLORFGBG", "").rpartition(";")[2].strip()
    if not last.isascii() or not last.isdigit():
        return None
    index = int(last)
    return DARK if index in _DARK_INDICES else LIGHT if index in _LIGHT_INDICES else None


def background_from_rgb(red: float, green: float, blue: float) -> str:
    """``light`` if dark text is more readable on an sRGB colour (components 0 to 1), else ``dark``. Source: WCAG 2."""
    luminance = 0.2126 * _linear(red) + 0.7152 * _linear(green) + 0.0722 * _linear(blue)
    return LIGHT if luminance > _MIDDLE else DARK


def parse_osc11(reply: str) -> tuple[float, float, float] | None:
    """Red, green and blue, 0 to 1, from a terminal's answer; None if the answer contains no colour.

    The answer has the form ``rgb:hhhh/hhhh/hhhh`` or ``rgba:...``, with 1 to 4 hexadecimal digits each.
    """
    match = re.search(_COLOUR, reply)
    if match is None:
        return None
    red, green, blue = (int(digits, 16) / (16 ** len(digits) - 1) for digits in match.groups()[:3])
    return red, green, blue


def _linear(value: float) -> float:
    """A component of sRGB as linear light. Source: IEC 61966-2-1."""
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)
