"""Writes styles as SGR escape sequences. Sources: ECMA-48; ISO 8613-6 for 38;5 and 38;2."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ...text import TAIL
from ..paint.canvas import BLANK, Cells, CharArray, StyleArray, text_of_codes
from ..style.colour_depth import ColourDepth
from ..style.options import ViewOptions
from ..style.ramps import Colour
from ..style.styles import BLANK_BITS, REVERSE_BIT, Ink, Style, style_parts
from ..style.theme import faded_theme, theme_of

SGR_RESET = "\x1b[0m"
_QUIET = (Ink.DIM, Ink.FRAME, Ink.HATCH, Ink.TOTAL)
"""Inks that get the attribute dim on terminals without a grey."""


class _Codes(NamedTuple):
    """SGR parameters of a style: attributes, foreground, background. Empty text: the terminal's default."""

    attributes: str
    foreground: str
    background: str


_PLAIN = _Codes("", "", "")


class _Changes(dict[tuple[int, int], str]):
    """A cache of the sequences that change one style into another."""

    def __init__(self, find: Callable[[int, int], str]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, styles: tuple[int, int]) -> str:
        found = self[styles] = self._find(*styles)
        return found


class Pen:
    """Writes runs of cells, with a sequence only where the style changes.

    It starts with the terminal's own style; ``lift`` returns to it. The second cell of a wide character is not written:
    the terminal fills it together with the first.
    """

    def __init__(self, options: ViewOptions) -> None:
        self._themes = theme_of(options), faded_theme(options)
        self._depth = options.depth
        self._known: dict[int, _Codes] = {0: _PLAIN}
        self._now = 0
        self._changes = _Changes(self._sequence)

    def run(self, chars: CharArray, styles: StyleArray) -> str:
        """Text that shows these cells, a piece of one line from left to right."""
        return self.letters(text_of_codes(chars), styles.tolist())

    def letters(self, text: str, styles: list[int]) -> str:
        """The same as ``run``, for a text and the style of each of its characters."""
        if self._depth is ColourDepth.ASCII:
            return text
        last, changes = self._now, self._changes
        if len(styles) == 1 and text != " ":  # as most runs of a picture that moves
            self._now = styles[0]
            return (changes[last, styles[0]] + text if last != styles[0] else text).replace(TAIL, "")
        pieces, start = [], 0
        for place, number in enumerate(styles):
            if number == last:
                continue
            if text[place] == " " and not (number ^ last) & BLANK_BITS and not number & REVERSE_BIT:
                continue  # the blank looks the same in the previous style, so words in one style stay one run
            pieces.append(text[start:place])
            pieces.append(changes[last, number])
            start, last = place, number
        pieces.append(text[start:])
        self._now = last
        return "".join(pieces).replace(TAIL, "")

    def dip(self, number: int) -> str:
        """The sequence to send so that the next character has this style."""
        old, self._now = self._now, number
        return self._changes[old, number]

    def lift(self) -> str:
        """The sequence to send to return to the terminal's own style."""
        return self.dip(0)

    def _sequence(self, old: int, new: int) -> str:
        return "" if self._depth is ColourDepth.ASCII else _difference(self._known_codes(old), self._known_codes(new))

    def _known_codes(self, number: int) -> _Codes:
        codes = self._known.get(number)
        if codes is None:
            codes = self._known[number] = self._codes(number)
        return codes

    def _codes(self, number: int) -> _Codes:
        look = style_parts(number)
        theme = self._themes[look.faded]
        bold = look.bold and not look.faded
        dim = self._is_dim(look)
        attributes = [code for code, wanted in (("1", bold), ("2", dim), ("7", look.reverse)) if wanted]
        return _Codes(
            ";".join(attributes),
            self._colour(None if dim else theme.get(look.foreground), ground=False),
            self._colour(theme.get(look.background) if look.background else None, ground=True),
        )

    def _is_dim(self, look: Style) -> bool:
        """Whether the attribute dim replaces a grey that the terminal does not have."""
        if look.faded:
            return self._depth is ColourDepth.MONO
        return look.foreground in _QUIET and not look.bold and self._depth in (ColourDepth.MONO, ColourDepth.COLOURS_16)

    def _colour(self, colour: Colour | None, *, ground: bool) -> str:
        if colour is None:
            return ""
        base = 40 if ground else 30
        if isinstance(colour, tuple):
            return f"{base + 8};2;{colour[0]};{colour[1]};{colour[2]}"
        if self._depth is ColourDepth.COLOURS_16:
            return str(base + colour if colour < 8 else base + 52 + colour)
        return f"{base + 8};5;{colour}"


def _difference(old: _Codes, new: _Codes) -> str:
    """The shortest sequence from one style to another.

    Changed attributes need a reset first: not all terminals can switch attributes off one by one.
    """
    if new == old:
        return ""
    if new == _PLAIN:
        return SGR_RESET
    if old.attributes != new.attributes:
        changed = ["0", new.attributes, new.foreground, new.background]
    else:
        changed = [
            new.foreground or "39" if old.foreground != new.foreground else "",
            new.background or "49" if old.background != new.background else "",
        ]
    return f"\x1b[{';'.join(part for part in changed if part)}m"


# The final picture: text that can be printed anywhere, without cursor movement.


def plain_picture(cells: Cells) -> str:
    """The characters without escape sequences, trailing blanks and blank last lines, for files and pipes."""
    return "\n".join(line.rstrip() for line in cells.text()).rstrip("\n") + "\n"


def final_picture(cells: Cells, options: ViewOptions) -> str:
    """The picture with styles, each line ended by a newline, without trailing blanks and blank last lines.

    Each line ends in the terminal's own style. At depth ASCII there are no escape sequences.
    """
    visible = (cells.chars != BLANK) | (cells.styles != 0)
    widths = np.where(visible.any(axis=1), cells.columns - visible[:, ::-1].argmax(axis=1), 0)
    used = np.flatnonzero(widths)
    pen = Pen(options)
    lines = []
    for line in range(int(used[-1]) + 1 if used.size else 0):
        part = slice(0, int(widths[line]))
        lines.append(pen.run(cells.chars[line, part], cells.styles[line, part]) + pen.lift() + "\n")
    return "".join(lines)
