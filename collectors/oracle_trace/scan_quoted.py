"""Finds the lines of a chunk that a trace quotes, for the scan: ``quoted_text.py`` decides about each."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile

import numpy as np

from ...scan import Chunk, NotScannable, Places
from ...text.lines import Line, line_of
from .keys import Statement, statement_of
from .quoted_text import (
    END_OF_STATEMENT,
    MOST_LINES,
    PARSING_BEGIN,
    VALUE,
    QuotedText,
    begins_line_of_trace,
    quotation_behind,
)
from .scan_quoted_at_start import open_at_start

_PARSING, _END, _VALUE = PARSING_BEGIN.encode(), END_OF_STATEMENT.encode(), VALUE.encode()
_QUOTE = ord('"')


@dataclass
class _Judged:
    """A statement, wherever it stands in a chunk. ``is_usual``: it ends as statements do, so that nobody has to count.
    ``lines``: how many lines are quoted behind its first one; None if that is not known. ``texts``: what it says, by
    how much of it is enough.
    """

    is_usual: bool
    lines: int | None = None
    texts: dict[int, list[str]] = field(default_factory=dict)


class QuotedLines:
    """The quoted text of a chunk. Text can have begun in the chunk before."""

    def __init__(self, text: Chunk) -> None:
        self.text = text
        first = text.buffer[text.starts]
        statements = self._statements = self._beginning_with(first == _PARSING[0], _PARSING)
        values = self._beginning_with(first == _VALUE[0], _VALUE)
        values = values[text.buffer[text.ends[values] - 1] != _QUOTE]
        self._stops: dict[int, int] = {}
        self._same = dict[tuple[int, bytes], _Judged]()
        self._goes_on: dict[int, bool] = {}
        self._told: dict[int, dict[int, bool]] = {}
        self.at_start = open_at_start(text)
        self._ends = self._beginning_with(first == _END[0], _END)
        self._has_values = values.size > 0
        begins = np.union1d(statements, values)
        quoted = [line for line, is_quoted in self.at_start.quoted.items() if is_quoted]
        self._begins = self._without_nested(np.setdiff1d(begins, np.array(quoted, np.int64), True), values)

    def _beginning_with(self, candidates: np.ndarray[tuple[int], np.dtype[np.bool_]], literal: bytes) -> Places:
        lines = candidates.nonzero()[0]
        return lines[self.text.holds(self.text.starts[lines], literal)]

    @property
    def goes_on(self) -> bool:
        """Whether text goes on in the next chunk."""
        return len(self._at_end()) > 0

    def outside(self, lines: Places) -> Places:
        """Those of the lines that are not quoted. Raises NotScannable if that cannot be told."""
        told = {line: self.is_quoted(line) for line in self.lines_to_judge(lines).intersection(lines.tolist())}
        if None in told.values() or self.text.escaped_lines().size:
            raise NotScannable
        return np.setdiff1d(lines, np.array([line for line, is_quoted in told.items() if is_quoted], np.int64), True)

    @cached_property
    def statements(self) -> list[tuple[int, str, Statement]]:
        """The lines that begin statements and are not quoted, with their cursors and what they say of these."""
        lines = self.outside(self._statements).tolist()
        begun = ((line, statement_of(line_of(self.text.line(line)))) for line in lines)
        return [(line, *one) for line, one in begun if one is not None]

    def lines_to_judge(self, lines: Places) -> set[int]:
        """Of these lines those that can be quoted, with all lines of the text that they can belong to."""
        found = {*range(self.at_start.lines), *self._at_end()}
        before = self._begins.searchsorted(lines) - 1
        lines, before = lines[before >= 0], before[before >= 0]
        if not self._has_values:  # nearly all lines stand behind the end of the last statement
            end = np.append(self._ends, self.text.count)[self._ends.searchsorted(self._begins[before])]
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
        if line < self.at_start.lines:
            return self.at_start.quoted.get(line)
        place = int(self._begins.searchsorted(line)) - 1
        if place < 0 or line > self._stop(begin := int(self._begins[place])):
            return False
        return self._told_behind(begin).get(line)

    def _told_behind(self, begin: int) -> dict[int, bool]:
        """Which lines behind one that begins text are quoted, without those of which only the next chunk tells."""
        if begin not in self._told:
            quoted, told = QuotedText(), dict[int, bool]()
            for one in range(begin, self._stop(begin) + 1):
                told.update((each.line.number - 1, each.is_quoted) for each in quoted.take(self._line(one)))
            self._told[begin] = told
        return self._told[begin]

    def statement_behind(self, line: int, enough: int) -> list[str] | None:
        """The statement behind the line that begins it, or its first ``enough`` characters without blanks. Empty if it
        is missing; None if only the next chunk can tell.
        """
        judged = self._judged(line)
        if judged is None or not judged.is_usual:
            told, behind = self._told_behind(line), range(line + 1, self.text.count)
            text = [self._line(one).text for one in takewhile(lambda one: told.get(one, False), behind)]
            return text if line + 1 in told else None
        if enough not in judged.texts:
            found, size = list[str](), 0
            for one in range(line + 1, self._end_behind(line)):
                found.append(self._line(one).text)
                size += sum(map(len, found[-1].split()))
                if size > enough:
                    break
            judged.texts[enough] = found
        return judged.texts[enough]

    def _end_behind(self, begin: int) -> int:
        """The next line that ends a statement; behind the chunk if there is none."""
        place = int(self._ends.searchsorted(begin))
        return int(self._ends[place]) if place < self._ends.size else self.text.count

    def _judged(self, begin: int) -> _Judged | None:
        """What is known of a statement that ends in this chunk, within its length; the same one is judged once."""
        end, text = self._end_behind(begin), self.text
        quotation = quotation_behind(self._line(begin).text)
        if end == text.count or quotation is None or not quotation.is_statement or end - begin > MOST_LINES:
            return None
        behind = int(self._statements.searchsorted(begin, side="right"))
        if behind < self._statements.size and int(self._statements[behind]) < end:
            return None  # the end is that of another statement
        first = int(text.starts[begin + 1])
        if int(text.starts[end]) - 1 - first > quotation.longest:
            return None
        said = quotation.longest, text.buffer[first : text.ends[end]].tobytes()
        if said not in self._same:
            is_missing = begins_line_of_trace(self._line(begin + 1).text)
            self._same[said] = _Judged(not is_missing and quotation.ends_at(self._line(end).text))
        return self._same[said]

    def behind(self, line: int) -> range:
        """The lines that the decoder has to see after this one, if text begins behind it."""
        place = int(self._begins.searchsorted(line))
        is_begin = place < self._begins.size and int(self._begins[place]) == line
        return range(line + 1, self._stop(line) + 1) if is_begin else range(0)

    def _at_end(self) -> range:
        """The lines of text that goes on in the next chunk: the decoder has to know how it began."""
        last = int(self._begins[-1]) if self._begins.size else self.text.count
        stop = self._stop(last) if last < self.text.count else last
        return range(last, self.text.count) if stop == self.text.count - 1 and self._goes_on[last] else range(0)

    def _without_nested(self, begins: Places, values: Places) -> Places:
        """Without those that are text themselves. Usually each begin has its end before the next one."""
        if not begins.size:
            return begins
        ends = np.append(self._ends, self.text.count)[self._ends.searchsorted(begins)]
        nested = np.zeros(begins.size, np.bool_)
        for place in ((ends > np.append(begins[1:], self.text.count)) | np.isin(begins, values)).nonzero()[0].tolist():
            if not nested[place]:
                inside = begins[place + 1 :] <= self._stop(int(begins[place]))
                nested[place + 1 :] |= inside
        return begins[~nested]

    def _stop(self, begin: int) -> int:
        """The last line of the text behind a line: where it ends, or where it shows that it is none."""
        if begin not in self._stops:
            judged = self._judged(begin)
            if judged is not None and judged.lines is not None:
                self._stops[begin], self._goes_on[begin] = begin + judged.lines, False
                return self._stops[begin]
            quoted, line = QuotedText(), begin
            quoted.take(self._line(line))
            while quoted.is_open and line + 1 < self.text.count:
                line += 1
                quoted.take(self._line(line))
            self._stops[begin], self._goes_on[begin] = line, quoted.is_open
            if judged is not None and not quoted.is_open and line <= self._end_behind(begin):
                judged.lines = line - begin
        return self._stops[begin]

    def _line(self, index: int) -> Line:
        return Line(index + 1, line_of(self.text.line(index)))
