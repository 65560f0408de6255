"""Styles as SGR sequences of a terminal (ECMA-48; 38;5 and 38;2 from ISO 8613-6)."""

from typing import NamedTuple

import numpy as np

from .cells import CharArray, StyleArray, decode
from .colour import Depth
from .ink import Ink, parts
from .options import ViewOptions
from .ramps import Colour
from .theme import theme_of

RESET = "\x1b[0m"
_QUIET = (Ink.DIM, Ink.FRAME, Ink.HATCH, Ink.TOTAL)
"""Inks that are dim where there is no grey."""


class _Codes(NamedTuple):
    """Parameters of a style: attributes, foreground, background; empty where default."""

    attributes: str
    foreground: str
    background: str


_PLAIN = _Codes("", "", "")


class Pen:
    """Writes runs of cells, with one sequence where the style changes and none where it does not.

    It starts and, after ``lift``, ends with the terminal's own style.
    """

    def __init__(self, options: ViewOptions) -> None:
        self._theme = theme_of(options)
        self._depth = options.depth
        self._known: dict[int, _Codes] = {0: _PLAIN}
        self._now = _PLAIN

    def run(self, chars: CharArray, styles: StyleArray) -> str:
        """A piece of one line, from left to right."""
        text = decode(chars)
        if self._depth is Depth.ASCII or not text:
            return text
        edges = (np.flatnonzero(styles[1:] != styles[:-1]) + 1).tolist()
        starts = [0, *edges]
        pieces = []
        for start, stop, number in zip(starts, [*edges, len(text)], styles[starts].tolist(), strict=True):
            pieces.append(self._change(number) + text[start:stop])
        return "".join(pieces)

    def lift(self) -> str:
        """Back to the terminal's own style."""
        if self._now == _PLAIN:
            return ""
        self._now = _PLAIN
        return RESET

    def _change(self, number: int) -> str:
        codes = self._known.get(number)
        if codes is None:
            codes = self._known[number] = self._codes(number)
        if codes == self._now:
            return ""
        sequence = _difference(self._now, codes)
        self._now = codes
        return sequence

    def _codes(self, number: int) -> _Codes:
        ink, ground, bold, reverse = parts(number)
        dim = ink in _QUIET and not bold and self._depth in (Depth.MONO, Depth.COLOURS_16)
        attributes = [code for code, wanted in (("1", bold), ("2", dim), ("7", reverse)) if wanted]
        foreground = None if dim else self._theme.get(ink)
        return _Codes(
            ";".join(attributes),
            self._colour(foreground, ground=False),
            self._colour(self._theme.get(ground), ground=True),
        )

    def _colour(self, colour: Colour | None, *, ground: bool) -> str:
        if colour is None:
            return ""
        base = 40 if ground else 30
        if isinstance(colour, tuple):
            return f"{base + 8};2;{colour[0]};{colour[1]};{colour[2]}"
        if self._depth is Depth.COLOURS_16:
            return str(base + colour if colour < 8 else base + 52 + colour)
        return f"{base + 8};5;{colour}"


def _difference(old: _Codes, new: _Codes) -> str:
    """The shortest sequence from one style to another: attributes cannot be taken off one by one on all terminals."""
    if new == _PLAIN:
        return RESET
    if old.attributes != new.attributes:
        changed = ["0", new.attributes, new.foreground, new.background]
    else:
        changed = [
            new.foreground or "39" if old.foreground != new.foreground else "",
            new.background or "49" if old.background != new.background else "",
        ]
    return f"\x1b[{';'.join(part for part in changed if part)}m"
