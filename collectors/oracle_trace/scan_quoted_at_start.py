"""Whether text that a trace quotes goes on where a chunk of the file begins, for the scan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from ...scan import Chunk
from ...text.lines import Line, line_of
from .quoted_text import END_OF_STATEMENT, MOST_LINES, PARSING_BEGIN, VALUE, QuotedText, quotation_behind

_PARSING, _VALUE, _END = PARSING_BEGIN.encode(), VALUE.encode(), END_OF_STATEMENT.encode()


class StatementBefore(NamedTuple):
    """A statement that begins in front of a chunk and goes on in it: the line that begins it, and its text, empty if it
    is missing; None if only later chunks tell.
    """

    begin: str
    text: Sequence[str] | None


class OpenAtStart(NamedTuple):
    """The first lines of a chunk that can belong to text that began before: how many they are, and which of them are
    quoted, as far as the chunk tells; and the statement if it is one.
    """

    lines: int
    quoted: Mapping[int, bool]
    statement: StatementBefore | None = None


def open_at_start(text: Chunk) -> OpenAtStart:
    """Read the lines before a chunk. Text that goes on began in one of the last MOST_LINES.

    A line that seems to begin text can itself be text, so the lines are counted for each such line; the first one of
    them is no text.
    """
    before = text.lines_before(MOST_LINES + 1) if text.count else []
    begins = [*_begins(before)]
    lines = max((_lines_from(before[begin:], text) for begin in begins), default=0)
    return _read_again(before[begins[0] :], text, lines) if lines else OpenAtStart(0, {})


def _begins(lines: Sequence[bytes]) -> Iterator[int]:
    """The lines behind which text can go on: statements behind the last end of one, and values without an end."""
    text = b"\n".join(lines)
    if _VALUE not in text and _PARSING not in text:
        return  # as behind most chunks of waits: one search costs a twentieth of a look at each line
    ends = (place for place in range(len(lines) - 1, -1, -1) if lines[place].startswith(_END))
    after = next((place for place in ends if lines[place].rstrip() == _END), -1)
    for place in (place for place, line in enumerate(lines) if line.startswith((_VALUE, _PARSING))):
        is_value = lines[place].startswith(_VALUE) and quotation_behind(line_of(lines[place])) is not None
        if is_value or (place > after and lines[place].startswith(_PARSING)):
            yield place


def _lines_from(before: Sequence[bytes], text: Chunk) -> int:
    """How many lines of a chunk belong to text behind the first of the lines before it."""
    quoted = QuotedText()
    for number, line in enumerate(before, 1):
        quoted.take(Line(number, line_of(line)))
        if not quoted.is_open:
            return 0
    place = 0
    while quoted.is_open and place < text.count:
        place += 1
        quoted.take(Line(len(before) + place, line_of(text.line(place - 1))))
    return place


def _read_again(before: Sequence[bytes], text: Chunk, lines: int) -> OpenAtStart:
    """Read lines in front of a chunk, and its first ``lines``. Those of which only later ones tell are not among the
    quoted.
    """
    quoted, told, open_at = QuotedText(), dict[int, bool](), 0
    shown = [line_of(line) for line in (*before, *(text.line(place) for place in range(lines)))]
    for number, line in enumerate(shown, 1):
        told.update((one.line.number, one.is_quoted) for one in quoted.take(Line(number, line)))
        if number == len(before) and quoted.is_open:
            open_at = max(told)
    here = {number - 1 - len(before): is_quoted for number, is_quoted in told.items() if number > len(before)}
    return OpenAtStart(lines, here, _statement(shown, told, open_at) if open_at else None)


def _statement(shown: Sequence[str], told: Mapping[int, bool], open_at: int) -> StatementBefore | None:
    """The statement behind the line of this number; None if it is a value."""
    begin = shown[open_at - 1]
    if not begin.startswith(PARSING_BEGIN):
        return None
    if open_at + 1 not in told:
        return StatementBefore(begin, None)
    behind = range(open_at + 1, len(shown) + 1)
    return StatementBefore(begin, [shown[number - 1] for number in takewhile(lambda one: told.get(one, False), behind)])
