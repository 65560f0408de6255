"""How much colour and which characters the output can show."""

from collections.abc import Mapping
from enum import Enum


class ColourDepth(Enum):
    """What cells are made of, from the richest to the poorest.

    Every depth but ASCII uses block elements; MONO uses attributes (bold, dim, reverse) and no colour; ASCII is pure
    7-bit text without any escape sequence.
    """

    TRUECOLOR = "truecolor"
    COLOURS_256 = "256"
    COLOURS_16 = "16"
    MONO = "mono"
    ASCII = "ascii"


_ALL_COLOURS = frozenset(
    {"alacritty", "contour", "foot", "ghostty", "xterm-ghostty", "kitty", "xterm-kitty", "mlterm", "rio"}
)
"""Terminals that have 24 bits of colour and say so by their name alone: COLORTERM does not get through ssh. As blessed
has it, which is not asked because its import takes longer than the first picture.
"""
_NO_COLOURS = frozenset({"vt52", "vt100", "vt102", "vt220", "vt320", "vt420", "vt510", "vt520", "sun"})
"""Terminals for which terminfo has no colours."""
_FEW_COLOURS = ("linux", "xterm-16color", "ansi", "cygwin", "pcansi")


def detect_depth(environ: Mapping[str, str], encoding: str | None, isatty: bool) -> ColourDepth:
    """The depth for an output stream, decided once, in this order:

    1. an encoding that is not a Unicode one, or ``TERM=dumb``: ASCII
    2. ``NO_COLOR`` set and not empty: MONO
    3. no terminal and no ``CLICOLOR_FORCE`` (set, not empty, not 0): MONO
    4. ``COLORTERM`` truecolor or 24bit, a ``TERM`` ending in -direct, or one of the known terminals: TRUECOLOR
    5. one of the known terminals without colours: MONO
    6. ``TERM`` with 256color: COLOURS_256; one of the known terminals of few colours, or none at all: COLOURS_16

    Any other terminal is taken to have 256 colours, as all of the last decades have. Sources: no-color.org,
    bixense.com/clicolors, the COLORTERM convention of S-Lang and VTE.
    """
    term = environ.get("TERM", "").lower()
    forced = environ.get("CLICOLOR_FORCE", "") not in ("", "0")
    if not _is_unicode(encoding) or term == "dumb":
        return ColourDepth.ASCII
    if environ.get("NO_COLOR") or not (isatty or forced):
        return ColourDepth.MONO
    told = environ.get("COLORTERM", "").lower() in ("truecolor", "24bit")
    if told or term.endswith("-direct") or term in _ALL_COLOURS:
        return ColourDepth.TRUECOLOR
    if term in _NO_COLOURS:
        return ColourDepth.MONO
    if "256color" not in term and (not term or term.startswith(_FEW_COLOURS)):
        return ColourDepth.COLOURS_16
    return ColourDepth.COLOURS_256


def _is_unicode(encoding: str | None) -> bool:
    return (encoding or "").lower().replace("-", "").replace("_", "").startswith("utf")
