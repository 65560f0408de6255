"""Finds out how many colours, and which characters, an output can show."""

import os
from collections.abc import Mapping
from contextlib import suppress
from enum import Enum
from pathlib import Path


class ColourDepth(Enum):
    """The kinds of output, from the richest to the poorest.

    Every depth except ASCII uses block elements. MONO uses attributes (bold, dim, reverse) but no colour. ASCII is pure
    7-bit text without escape sequences.
    """

    TRUECOLOR = "truecolor"
    COLOURS_256 = "256"
    COLOURS_16 = "16"
    MONO = "mono"
    ASCII = "ascii"


_ALL_COLOURS = frozenset(
    {"alacritty", "contour", "foot", "ghostty", "xterm-ghostty", "kitty", "xterm-kitty", "mlterm", "rio"}
)
"""Values of TERM of terminals that have 24-bit colour. Their name is the only sign of it over ssh, which does not
forward COLORTERM. Source: the list in blessed, which is not imported because that takes longer than the first picture.
"""
_NO_COLOURS = frozenset({"vt52", "vt100", "vt102", "vt220", "vt320", "vt420", "vt510", "vt520", "sun"})
"""Values of TERM for which terminfo lists no colours."""
_FEW_COLOURS = ("linux", "xterm-16color", "ansi", "cygwin", "pcansi")


def detect_depth(environ: Mapping[str, str], encoding: str | None, isatty: bool) -> ColourDepth:
    """The depth for an output stream, decided once, in this order:

    1. an encoding other than Unicode, ``TERM=dumb``, or on a terminal the locale C or POSIX: ASCII
    2. ``NO_COLOR`` set and not empty: MONO
    3. not a terminal, unless ``CLICOLOR_FORCE`` is set, not empty and not 0: MONO
    4. ``COLORTERM`` is truecolor or 24bit, ``TERM`` ends in -direct or is in _ALL_COLOURS: TRUECOLOR
    5. ``TERM`` is in _NO_COLOURS: MONO
    6. ``TERM`` contains 256color: COLOURS_256; it is missing or starts with one of _FEW_COLOURS: COLOURS_16

    Any other terminal is assumed to have 256 colours, as all of the last decades have. Sources: no-color.org,
    bixense.com/clicolors, the COLORTERM convention of S-Lang and VTE.
    """
    term = environ.get("TERM", "").lower()
    forced = environ.get("CLICOLOR_FORCE", "") not in ("", "0")
    if not _is_unicode(encoding) or term == "dumb" or (isatty and _is_plain(environ)):
        return ColourDepth.ASCII
    if environ.get("NO_COLOR") or not (isatty or forced):
        return ColourDepth.MONO
    claims_truecolor = environ.get("COLORTERM", "").lower() in ("truecolor", "24bit")
    if claims_truecolor or term.endswith("-direct") or term in _ALL_COLOURS:
        return ColourDepth.TRUECOLOR
    if term.partition("-")[0] in _NO_COLOURS:
        return ColourDepth.MONO
    if "256color" not in term and (not term or term.startswith(_FEW_COLOURS)):
        return ColourDepth.COLOURS_16
    return ColourDepth.COLOURS_256


_COERCED = ("C.UTF-8", "C.utf8", "UTF-8")
"""What Python itself puts into LC_CTYPE in the locale C."""


def environ_as_given() -> dict[str, str]:
    """The environment without the LC_CTYPE that Python has set itself, which hides that the locale is C (PEP 538)."""
    found, given = dict(os.environ), b""
    if found.get("LC_CTYPE") in _COERCED:
        with suppress(OSError):  # only Linux keeps it
            given = Path("/proc/self/environ").read_bytes()
        if b"\0LC_CTYPE=" not in b"\0" + given:
            del found["LC_CTYPE"]
    return found


def _is_plain(environ: Mapping[str, str]) -> bool:
    """Whether the user asked for the locale C or POSIX, whose characters are ASCII. Python takes UTF-8 all the same."""
    if environ.get("PYTHONIOENCODING") or environ.get("PYTHONUTF8"):
        return False
    named = (environ.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    return next(filter(None, named), "") in ("C", "POSIX")


def _is_unicode(encoding: str | None) -> bool:
    return (encoding or "").lower().replace("-", "").replace("_", "").startswith("utf")
