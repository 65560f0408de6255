"""Text with styles, and its width in cells."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from ...text import TAIL, cut, spread, text_width
from .styles import TEXT

StyledSpan: TypeAlias = tuple[str, int]
"""A text and its style."""

StyledText: TypeAlias = tuple[StyledSpan, ...]


def width_of(spans: Iterable[StyledSpan]) -> int:
    """How many columns the spans take."""
    return sum(text_width(text) for text, _ in spans)


# Breaks styled text into lines, and puts lines side by side in columns.


def slice_text(text: StyledText, start: int, stop: int) -> StyledText:
    """The cells from ``start`` to ``stop`` (not included), with their styles."""
    spans: list[StyledSpan] = []
    at = 0
    for characters, style in text:
        piece = cut(characters, max(0, start - at), max(0, stop - at))
        if piece:
            spans.append((piece, style))
        at += text_width(characters)
    return tuple(spans)


def wrap(text: StyledText, columns: int, hanging: int = 0) -> list[StyledText]:
    """Lines of at most ``columns`` columns, broken at blanks. All but the first begin with ``hanging`` blanks."""
    plain = "".join(spread(characters) for characters, _ in text)
    lines: list[StyledText] = []
    start, indent = 0, 0
    while True:
        room = max(1, columns - indent)
        stop = len(plain)
        if stop - start > room:
            blank = plain.rfind(" ", start + 1, start + room + 1)
            stop = blank if blank > 0 else start + room
            if plain[stop] == TAIL and stop > start + 1:
                stop -= 1
        line = slice_text(text, start, stop)
        lines.append(((" " * indent, TEXT), *line) if indent else line)
        while stop < len(plain) and plain[stop] == " ":
            stop += 1
        if stop >= len(plain):
            return lines
        start, indent = stop, min(hanging, max(0, columns - 1))


def fitted(text: StyledText, columns: int) -> StyledText:
    """A line cut to at most ``columns`` columns, with an ellipsis at its end if it was cut."""
    if width_of(text) <= columns:
        return text
    kept = slice_text(text, 0, max(0, columns - 1))
    return (*kept, ("…", kept[-1][1] if kept else TEXT))


def padded(text: StyledText, columns: int) -> StyledText:
    """A line with blanks added at its end, so that it is at least ``columns`` wide."""
    missing = columns - width_of(text)
    return (*text, (" " * missing, TEXT)) if missing > 0 else text


def side_by_side(lines: Sequence[StyledText], count: int, gap: int) -> list[StyledText]:
    """Put lines into ``count`` columns, to be read downwards. A column is as wide as its longest line plus ``gap``."""
    height = -(-len(lines) // max(1, count))
    columns = [lines[start : start + height] for start in range(0, len(lines), height)] if height else []
    widths = [max(width_of(line) for line in column) + gap for column in columns]
    rows = []
    for row in range(height):
        present = [(column[row], wide) for column, wide in zip(columns, widths, strict=True) if row < len(column)]
        last = present.pop()[0]
        rows.append((*(span for text, wide in present for span in padded(text, wide)), *last))
    return rows
