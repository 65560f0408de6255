"""Finds the lines of a chunk that a trace quotes, for the scan: ``quoted_text.py`` decides about each."""

from __future__ import annotations

import numpy as np

from ...scan import Chunk, Places
from ...text.lines import Line, line_of
from .quoted_text import END_OF_STATEMENT, LONGEST_VALUE, VALUE, QuotedText, begins_line_of_trace

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
        self._stops: dict[int, int] = {}
        self._told: dict[int, dict[int, bool]] = {}
        self._doubtful: set[int] | None = None
        self._ends = self._beginning_with(first == _END[0], _END)
        self._has_values = values.size > 0
        self._begins = self._without_nested(np.union1d(statements, values), values)

    def _beginning_with(self, candidates: np.ndarray[tuple[int], np.dtype[np.bool_]], literal: bytes) -> Places:
        lines = candidates.nonzero()[0]
        return lines[self._text.holds(self._text.starts[lines], literal)]

    @property
    def doubtful(self) -> set[int]:
        """The lines at the beginning that can belong to text of the chunk before."""
        if self._doubtful is None:
            self._doubtful = self._at_start()
        return self._doubtful

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

    def is_quoted(self, line: int) -> bool | None:
        """Whether a line is quoted; None if only other chunks can tell."""
        if line in self.doubtful:
            return None
        place = int(self._begins.searchsorted(line)) - 1
        if place < 0 or line > self._stop(begin := int(self._begins[place])):
            return False
        if begin not in self._told:
            quoted, told = QuotedText(), dict[int, bool]()
            for one in range(begin, self._stop(begin) + 1):
                told.update((each.line.number - 1, each.is_quoted) for each in quoted.take(self._line(one)))
            self._told[begin] = told
        return self._told[begin].get(line)

    def behind(self, line: int) -> range:
        """The lines that the decoder has to see after this one, if text begins behind it."""
        place = int(self._begins.searchsorted(line))
        is_begin = place < self._begins.size and int(self._begins[place]) == line
        return range(line + 1, self._stop(line) + 1) if is_begin else range(0)

    def _at_start(self) -> set[int]:
        """The lines at the beginning of the chunk that can belong to text of the chunk before."""
        stop = 0
        while stop < self._text.count and not begins_line_of_trace(self._line(stop).text):
            stop += 1
        first = int(self._begins[0]) if self._begins.size else self._text.count
        if self._ends.size and int(self._ends[0]) < first:
            stop = max(stop, int(self._ends[0]) + 1)
        return set(range(max(stop, self._end_of_value())))

    def _end_of_value(self) -> int:
        """The line behind the first that can end a value of the chunk before; 0 if none can."""
        place, longest = 0, int(self._text.starts[0]) + LONGEST_VALUE if self._text.count else 0
        while place < self._text.count and self._text.starts[place] <= longest:
            line = self._text.line(place)
            if line.startswith(_VALUE):
                return 0
            place += 1
            if line.rstrip().endswith(b'"'):
                return place
        return 0

    def _without_nested(self, begins: Places, values: Places) -> Places:
        """Without those that are text themselves. Usually each begin has its end before the next one."""
        if not begins.size:
            return begins
        ends = np.append(self._ends, self._text.count)[self._ends.searchsorted(begins)]
        nested = np.zeros(begins.size, np.bool_)
        for place in ((ends > np.append(begins[1:], self._text.count)) | np.isin(begins, values)).nonzero()[0].tolist():
            if not nested[place]:
                inside = begins[place + 1 :] <= self._stop(int(begins[place]))
                nested[place + 1 :] |= inside
        return begins[~nested]

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
