"""Finds the lines of a chunk that a trace quotes, for the scan: ``quoted_text.py`` decides about each."""

from __future__ import annotations

import numpy as np

from ...scan import Chunk, Places
from ...text.lines import Line, line_of
from .quoted_text import END_OF_STATEMENT, VALUE, QuotedText, begins_line_of_trace

_PARSING, _END, _VALUE = b"PARSING IN CURSOR #", END_OF_STATEMENT.encode(), VALUE.encode()
_QUOTE = ord('"')


class QuotedLines:
    """The quoted text of a chunk. Text can have begun in the chunk before."""

    def __init__(self, text: Chunk) -> None:
        self._text = text
        first = text.buffer[text.starts]
        statements = self._beginning_with(first == _PARSING[0], _PARSING)
        values = self._beginning_with(first == _VALUE[0], _VALUE)
        values = values[text.buffer[text.ends[values] - 1] != _QUOTE]
        self._begins = np.union1d(statements, values)
        self._ends = self._beginning_with(first == _END[0], _END)
        self._has_values = values.size > 0
        self._stops: dict[int, int] = {}

    def _beginning_with(self, candidates: np.ndarray[tuple[int], np.dtype[np.bool_]], literal: bytes) -> Places:
        lines = candidates.nonzero()[0]
        return lines[self._text.holds(self._text.starts[lines], literal)]

    def lines_to_judge(self, lines: Places) -> set[int]:
        """Of these lines those that can be quoted, with all lines of the text that they can belong to."""
        found = self._at_start()
        before = self._begins.searchsorted(lines) - 1
        lines, before = lines[before >= 0], before[before >= 0]
        if not self._has_values:  # nearly all lines stand behind the end of the last statement
            end = np.append(self._ends, self._text.count)[self._ends.searchsorted(self._begins[before])]
            lines, before = lines[lines < end], before[lines < end]
        for line, begin in zip(lines.tolist(), self._begins[before].tolist(), strict=True):
            if line <= self._stop(begin):
                found.update(range(begin, self._stop(begin) + 1))
        return found

    def holds(self, line: int) -> bool:
        """Whether a line belongs to text that begins in this chunk."""
        place = int(self._begins.searchsorted(line)) - 1
        return place >= 0 and line <= self._stop(int(self._begins[place]))

    def behind(self, line: int) -> range:
        """The lines that the decoder has to see after this one, if text begins behind it."""
        place = int(self._begins.searchsorted(line))
        is_begin = place < self._begins.size and int(self._begins[place]) == line
        return range(line + 1, self._stop(line) + 1) if is_begin else range(0)

    def _at_start(self) -> set[int]:
        """The lines at the beginning of the chunk that can belong to text of the chunk before."""
        end = int(self._ends[0]) if self._ends.size else -1
        if self._begins.size and end > int(self._begins[0]):
            end = -1
        stop = 0
        while stop < self._text.count and not begins_line_of_trace(line_of(self._text.line(stop))):
            stop += 1
        return set(range(max(end + 1, stop)))

    def _stop(self, begin: int) -> int:
        """The last line of the text behind a line: where it ends, or where it shows that it is none."""
        if begin not in self._stops:
            quoted, line = QuotedText(), begin
            quoted.take(self._line(line))
            while quoted.is_open and line + 1 < self._text.count:
                line += 1
                quoted.take(self._line(line))
            self._stops[begin] = line
        return self._stops[begin]

    def _line(self, index: int) -> Line:
        return Line(index + 1, line_of(self._text.line(index)))
