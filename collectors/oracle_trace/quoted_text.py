"""Tells the lines of a trace from text that it quotes: SQL statements, and values of bind variables.

A statement stands between ``PARSING IN CURSOR #n len=characters`` and ``END OF STMT``, a value between quotation marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...text.lines import Line

PARSING_BEGIN = "PARSING IN CURSOR #"
PARSING = re.compile(PARSING_BEGIN + r"(-?[0-9]{1,20})(?: len=([0-9]{1,9}))?")
END_OF_STATEMENT = "END OF STMT"
VALUE = '  value="'
MOST_LINES = 1_000
"""Lines after which quoted text is taken to be over: its end is missing."""
LONGEST = 1 << 20
"""Characters of a statement of which the trace does not say how long it is."""
LONGEST_VALUE = 4_000
"""Characters that Oracle prints of a value."""
_BEHIND_VALUES = ("  value=", " Bind#", "BINDS #", "EXEC #", PARSING_BEGIN, "=====")
_OF_TRACE = re.compile(r"[A-Z ]{4,20}#-?[0-9]|WAIT # ?[0-9]|={5}|\*\*\*|XCTEND ")
"""If the line behind PARSING begins like this, the statement is missing, as in what grep leaves of a trace."""


def begins_line_of_trace(text: str) -> bool:
    """Whether a line begins as those do that a trace does not quote."""
    return _OF_TRACE.match(text) is not None


class TraceLine(NamedTuple):
    """A line, and whether it is text that the trace quotes."""

    line: Line
    is_quoted: bool


class _Quotation(NamedTuple):
    """Text that has begun: whose it is, and how many characters it can have."""

    is_statement: bool
    longest: int

    def ends_at(self, text: str) -> bool:
        return text.rstrip() == END_OF_STATEMENT if self.is_statement else text.rstrip().endswith('"')

    def cannot_hold(self, text: str) -> bool:
        """Whether a line shows that an earlier one was no text: the next value comes before the end of this one."""
        return not self.is_statement and text.startswith(_BEHIND_VALUES)


def quotation_behind(text: str) -> _Quotation | None:
    """What is quoted behind a line of a trace; None if it is nothing, or ends in that line."""
    if text.startswith(PARSING_BEGIN) and (found := PARSING.match(text)):
        return _Quotation(True, int(found[2]) if found[2] else LONGEST)
    if text.startswith(VALUE):
        value = text.partition('"')[2]
        return None if value.rstrip().endswith('"') else _Quotation(False, LONGEST_VALUE)
    return None


class QuotedText:
    """Takes all lines in order, and tells each one as soon as it is known what it is.

    What can be quoted is held until it ends. If it does not end within its length, it was no text, and the lines are
    the trace's.
    """

    def __init__(self) -> None:
        self._quotation: _Quotation | None = None
        self._held: list[Line] = []
        self._left = 0
        self._last = 0

    @property
    def is_open(self) -> bool:
        """Whether what comes next can be text."""
        return self._quotation is not None

    def take(self, line: Line) -> Sequence[TraceLine]:
        """The lines that are known now: this one and those that were held, or none."""
        follows, self._last = line.number == self._last + 1, line.number
        quotation = self._quotation
        if quotation is None:
            return (self._of_trace(line),)
        if quotation.cannot_hold(line.text) or not follows:
            return [*self._released(), *self.take(line)]
        if quotation.is_statement and not self._held and begins_line_of_trace(line.text):
            return (self._of_trace(line),)
        if quotation.ends_at(line.text):
            self._quotation = None
            return [*self._quoted(), TraceLine(line, not quotation.is_statement)]
        self._held.append(line)
        self._left -= len(line.text) + 1
        if self._left == -1 and quotation.is_statement:  # all of it, to the character: the end may be missing
            self._quotation = None
            return self._quoted()
        if self._left < -1 or len(self._held) > MOST_LINES:
            return [*self._released()]
        return ()

    def end(self) -> list[TraceLine]:
        """The lines that are held at the end of the input. A statement can be cut off there."""
        if self._quotation is not None and self._quotation.is_statement:
            return self._quoted()
        return [*self._released(), *self._quoted()]

    def _of_trace(self, line: Line) -> TraceLine:
        self._quotation = quotation_behind(line.text)
        if self._quotation is not None:
            self._left = self._quotation.longest
        return TraceLine(line, False)

    def _quoted(self) -> list[TraceLine]:
        held, self._held = self._held, []
        return [TraceLine(line, True) for line in held]

    def _released(self) -> Iterator[TraceLine]:
        """The lines that are held are no text; others can begin among them."""
        held, self._held, self._quotation = self._held, [], None
        last = self._last
        for line in held:
            yield from self.take(line)
        self._last = last
