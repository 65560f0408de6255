"""A question on the last line of the screen, with what has been typed."""

from ..text.width import TAIL, cut, spread, width
from .cells import Span, Text, width_of
from .ink import DIM, STRONG, TEXT, style

_CARET = style(reverse=True)
_LEAST_TEXT = 8
"""Characters of the text that are seen before a hint is."""


def prompt_line(label: str, text: str, caret: int, hint: str, columns: int) -> Text:
    """``label: text`` and, at the right, a hint, in ``columns``; of a long text the part around the caret.

    ``caret`` is the place in the text, 0 to its length, at which the next character will stand.
    """
    typed = "".join(char if char.isprintable() else "?" for char in text)
    place = width(typed[: max(caret, 0)])
    typed += " "
    start: list[Span] = [(f" {label}: ", STRONG)] if label else [(" ", TEXT)]
    if columns - width_of(start) < _LEAST_TEXT:
        start = []
    room = columns - width_of(start)
    end = _hint(hint, room - min(width(typed), max(_LEAST_TEXT, room // 2)))
    room -= width_of(end)
    spans = _around(typed, place, max(room, 1))
    blanks = (" " * (room - width_of(spans)), TEXT)
    return tuple(span for span in (*start, *spans, blanks, *end) if span[0])


def _around(typed: str, place: int, room: int) -> Text:
    """As many cells of the text as there is room for, those around the caret, which is in the cell ``place``."""
    cells = spread(typed)
    place = min(place, len(cells) - 1)
    caret = 1 + (cells[place + 1 : place + 2] == TAIL)
    first = max(0, min(place - room // 2, len(cells) - room))
    last = first + room
    if caret > room:
        return ((" ", _CARET),)
    if place + caret > last:
        first, last = first + 1, last + 1
    edges = (first, place, place + caret, last)
    pieces = [cut(typed, edges[number], edges[number + 1]) for number in range(3)]
    return tuple(zip(pieces, (TEXT, _CARET, TEXT), strict=True))


def _hint(hint: str, room: int) -> Text:
    """The hint, as far as there is room; nothing where it would not be understood."""
    if not hint or room < width(hint) + 3:
        return ()
    return ((f"  {hint} ", DIM),)
