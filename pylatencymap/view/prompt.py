"""A question on the last line of the screen, with what has been typed."""

from .cells import Span, Text, width_of
from .ink import DIM, STRONG, TEXT, style

_CARET = style(reverse=True)
_LEAST_TEXT = 8
"""Characters of the text that are seen before a hint is."""


def prompt_line(label: str, text: str, caret: int, hint: str, width: int) -> Text:
    """``label: text`` and, at the right, a hint, in ``width`` columns; of a long text the part around the caret.

    ``caret`` is the place in the text, 0 to its length, at which the next character will stand.
    """
    typed = "".join(char if char.isprintable() else "?" for char in text) + " "
    caret = min(max(caret, 0), len(typed) - 1)
    start: list[Span] = [(f" {label}: ", STRONG)] if label else [(" ", TEXT)]
    if width - width_of(start) < _LEAST_TEXT:
        start = []
    room = width - width_of(start)
    end = _hint(hint, room - min(len(typed), max(_LEAST_TEXT, room // 2)))
    room -= width_of(end)
    first = max(0, min(caret - room // 2, len(typed) - room)) if len(typed) > room else 0
    shown = typed[first : first + max(room, 1)]
    place = caret - first
    spans = [(shown[:place], TEXT), (shown[place : place + 1], _CARET), (shown[place + 1 :], TEXT)]
    blanks = (" " * (room - len(shown)), TEXT)
    return tuple(span for span in (*start, *spans, blanks, *end) if span[0])


def _hint(hint: str, room: int) -> Text:
    """The hint, as far as there is room; nothing where it would not be understood."""
    if not hint or room < len(hint) + 3:
        return ()
    return ((f"  {hint} ", DIM),)
