"""The twin of ``keys.py`` for large files: the value of one key for many waits at a time.

``WAIT #digits: nam='...' ela= digits name=digits name=digits ... tim=digits``. Lines that are written otherwise are
read one by one, as the decoder reads them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ...scan import Chunk, FieldReader, Flags, KeysOfLines, NotScannable, Places, matching_places
from ...text.lines import line_of
from .decoder import WAIT
from .keys import DEPTH, KEY_OF_WHOSE, OF_PROGRAM, PLACES, WHOSE, Statement, TraceKeys, statement_of
from .quoted_text import PARSING_BEGIN
from .scan_quoted import QuotedLines

_PARSING, _PROGRAM, _STARS = PARSING_BEGIN.encode(), b"APPNAME ", b"*** "
_OF_STATEMENT = ("sqlid", "hv", DEPTH)
_EQUALS = ord("=")
_ELA, _LAST = b" ela=", b" tim="
_LONGEST_NAME = 41
_NOTE = 200
"""Characters of a statement that are kept to explain its number."""
_WHOSE = tuple(KEY_OF_WHOSE.values())
_CURSOR_AT = len("WAIT #")
_CURSOR = re.compile(rb"WAIT # ?(-?[0-9]{1,20})", re.IGNORECASE)


def looks_back(names: Sequence[str]) -> bool:
    """Whether one of these keys can stand in an earlier line."""
    return any(name in _OF_STATEMENT or name in _WHOSE for name in names)


def keys_of(quoted: QuotedLines, names: Sequence[str], lines: Places) -> KeysOfLines:
    """See ``scan.HasKeys``. The first of the names that the trace knows decides what is looked for."""
    text = quoted.text
    for name in names:
        if name in _OF_STATEMENT:
            return _of_statements(quoted, _of_statement(names), lines)
        if name in _WHOSE:
            return _of_whose(quoted, name, lines)
        if name == "cursor":
            values, numbers = _Values(), np.zeros(lines.size, np.int64)
            for cursor, which in _by_cursor(text, lines):
                numbers[which] = values.place(f"#{cursor.decode()}")
            return KeysOfLines(values.all, numbers)
    return _parameters(text, names[0], lines)


class _Values:
    """The values so far, each with its place."""

    def __init__(self) -> None:
        self.all: list[str | None] = []
        self._places: dict[str | None, int] = {}

    def place(self, value: str | None) -> int:
        """The place of a value."""
        place = self._places.setdefault(value, len(self.all))
        if place == len(self.all):
            self.all.append(value)
        return place

    def new_place(self) -> int:
        """A place for a value that is not known here."""
        self.all.append(None)
        return len(self.all) - 1


# Lines about what follows: statements of cursors, and whose the session is.


class _Said(NamedTuple):
    """What a line says about a subject."""

    line: int
    subject: bytes
    value: str | None


def _context_lines(quoted: QuotedLines, literal: bytes) -> list[int]:
    """The lines that begin like this, and are not quoted. Raises NotScannable if that cannot be told."""
    text = quoted.text
    lines = (text.buffer[text.starts] == literal[0]).nonzero()[0]
    found: list[int] = quoted.outside(lines[text.holds(text.starts[lines], literal)]).tolist()
    return found


def _of_statements(quoted: QuotedLines, names: Sequence[str], lines: Places) -> KeysOfLines:
    """The keys that the last statement of a wait's cursor has."""
    values, numbers, earlier = _Values(), np.zeros(lines.size, np.int64), dict[int, bytes]()
    said: dict[bytes, list[_Said]] = {}
    for line, cursor_of, statement in quoted.statements:
        subject = cursor_of.encode()
        said.setdefault(subject, []).append(_Said(line, subject, _value(statement, names)))
    for cursor, which in _by_cursor(quoted.text, lines):
        before = said.get(cursor, [])
        places = np.array([values.place(one.value) for one in before], np.int64)
        last = np.array([one.line for one in before], np.int64).searchsorted(lines[which]) - 1
        if last.size and int(last.min()) < 0:
            first = values.new_place()
            earlier[first] = cursor
            places, last = np.append(first, places), last + 1
        numbers[which] = places[last]
    later = {cursor: ones[-1].value for cursor, ones in said.items()}
    return KeysOfLines(values.all, numbers, earlier, later)


def _of_statement(names: Sequence[str]) -> list[str]:
    """Those of the names that are keys of statements."""
    return [one for one in names if one in _OF_STATEMENT]


def _value(statement: Statement, names: Sequence[str]) -> str | None:
    """What a statement says about the first of these keys that it has."""
    said = {statement.key: statement.name, DEPTH: statement.depth}
    return next((said[name] for name in names if said.get(name)), None)


def notes_of(quoted: QuotedLines, names: Sequence[str]) -> Mapping[str, str]:
    """See ``scan.HasNotes``: the statements by their names. Raises NotScannable if a name has several."""
    of_statement = _of_statement(names)
    if not of_statement or DEPTH in of_statement:
        return {}
    notes = _Notes(quoted, of_statement)
    for line, _, statement in quoted.statements:
        notes.add(_value(statement, notes.names), line)
    return notes.all


class _Notes:
    """The statements of a chunk by their names, those that end in it."""

    def __init__(self, quoted: QuotedLines, names: Sequence[str]) -> None:
        self.all: dict[str, str] = {}
        self._quoted, self.names = quoted, names
        before = quoted.at_start.statement
        if before is not None and (begun := statement_of(before.begin)):
            if before.text is None:
                raise NotScannable
            self._take(_value(begun[1], names), before.text)

    def add(self, value: str | None, line: int) -> None:
        """Take the statement behind a line. Raises NotScannable if its name has another one too."""
        if value is not None and DEPTH not in self.names:
            text = self._quoted.statement_behind(line, _NOTE)
            if text is not None:
                self._take(value, text)

    def _take(self, value: str | None, text: Sequence[str]) -> None:
        note = " ".join(word for line in text for word in line.split())[:_NOTE]
        if value is not None and DEPTH not in self.names and self.all.setdefault(value, note) != note:
            raise NotScannable


def _of_whose(quoted: QuotedLines, name: str, lines: Places) -> KeysOfLines:
    """The module, the session and the like that were named last before each line."""
    said = [_Said(0, name.encode(), None)]
    for line in sorted(_context_lines(quoted, _STARS) + _context_lines(quoted, _PROGRAM)):
        shown = line_of(quoted.text.line(line))
        if shown.startswith("*** ") and (found := WHOSE.match(shown)) and KEY_OF_WHOSE[found[1]] == name:
            said.append(_Said(line, said[0].subject, found[2] or None))
        elif name in ("module", "action") and (found := OF_PROGRAM.match(shown)):
            said.append(_Said(line, said[0].subject, found[1 if name == "module" else 2] or None))
    starts = np.array([one.line for one in said[1:]], np.int64)
    later = {said[-1].subject: said[-1].value} if len(said) > 1 else {}
    return KeysOfLines([one.value for one in said], starts.searchsorted(lines), {0: said[0].subject}, later)


# What stands in the lines of the waits.


def _by_cursor(text: Chunk, lines: Places) -> Iterator[tuple[bytes, Places]]:
    """The cursors, each with the places of its lines among these, in their order."""
    if not lines.size:
        return
    rows = FieldReader(text, lines.size)
    begins = text.starts[lines] + _CURSOR_AT
    numbers, behind = rows.number(begins)
    is_plain = rows.sure & (text.buffer[behind] == ord(":")) & _has_no_leading_zero(text, begins, behind)
    rest = (~is_plain).nonzero()[0]
    numbers[rest] = -1 - np.arange(rest.size)
    order = numbers.argsort(kind="stable")
    cuts = np.flatnonzero(np.diff(numbers[order], prepend=-(1 << 62), append=1 << 62)).tolist()
    odd: dict[bytes, list[int]] = {}
    for begin, end in pairwise(cuts):
        which = order[begin:end]
        number = int(numbers[which[0]])
        if number >= 0:
            yield b"%d" % number, which
            continue
        found = _CURSOR.match(text.line(int(lines[which[0]])))
        odd.setdefault(found[1] if found else b"", []).append(int(which[0]))
    for cursor, places in odd.items():
        yield cursor, np.array(sorted(places), np.int64)


def _has_no_leading_zero(text: Chunk, begins: Places, behind: Places) -> Flags:
    """Whether numbers are written as usual."""
    usual: Flags = (text.buffer[begins] != ord("0")) | (behind == begins + 1)
    return usual


def _parameters(text: Chunk, name: str, lines: Places) -> KeysOfLines:
    """The parameter of that name, or at that place."""
    numbers, is_sure = np.zeros(lines.size, np.int64), np.zeros(lines.size, np.bool_)
    values = _Values()
    for which, found, sure in _of_usual_lines(text, name, lines):
        usual = which[sure]
        is_sure[usual] = True
        distinct, places = np.unique(found[sure], return_inverse=True)
        spoken = [values.place(None if one == _NOT_SAID else str(one)) for one in distinct.tolist()]
        numbers[usual] = np.array(spoken, np.int64)[places]
    for place in (~is_sure).nonzero()[0].tolist():
        numbers[place] = values.place(_one_by_one(line_of(text.line(int(lines[place]))), name))
    return KeysOfLines(values.all, numbers)


_NOT_SAID = -(1 << 62)


def _one_by_one(line: str, name: str) -> str | None:
    """What the decoder says of a single line."""
    found = WAIT.match(line)
    keys = TraceKeys(name).of_wait(line, found.end(2)) if found else ()
    return next((key.value for key in reversed(keys) if key.name.lower() == name), None)


def _of_usual_lines(text: Chunk, name: str, lines: Places) -> Iterator[tuple[Places, Places, Flags]]:
    """Groups of lines with as many parameters: their places, the value in each, and whether it is sure."""
    equals = matching_places(text, lambda chars: chars[1:] == _EQUALS, few=True)
    first = equals.searchsorted(text.starts[lines])
    count = equals.searchsorted(text.ends[lines]) - first
    for number in np.unique(count).tolist():
        if number < 3:  # nam=, ela= and tim= at least
            continue
        which = (count == number).nonzero()[0]
        places = equals[first[which, None] + np.arange(number)]
        yield which, *_values_at(text, name, text.ends[lines[which]], places)


def _values_at(text: Chunk, name: str, ends: Places, equals: Places) -> tuple[Places, Flags]:
    """The values in lines whose signs of equality are at these places, a line each, and whether they are sure."""
    sure = text.holds(equals[:, 1] - (len(_ELA) - 1), _ELA)
    sure &= text.holds(equals[:, -1] - (len(_LAST) - 1), _LAST)
    wanted = PLACES.get(name)
    values, times = np.full(ends.size, _NOT_SAID), np.zeros(ends.size, np.int64)
    behind = equals[:, 1]
    for column in range(1, equals.shape[1]):
        is_time = column == equals.shape[1] - 1
        if column > 1:
            width = equals[:, column] - behind
            sure &= (width > 1) & (width <= _LONGEST_NAME + 1) & (text.buffer[behind + 1] != ord(" "))
        if is_time:
            sure &= equals[:, column] - len(_LAST) + 1 == behind
            break
        begun = behind
        number, behind, plain = _number(text, equals[:, column] + 1, is_first=column == 1)
        sure &= plain
        if column > 1 and wanted is None:
            mine = _is_named(text, equals[:, column], begun, name)
            values[mine], times[mine] = number[mine], times[mine] + 1
        elif column - 2 == wanted:
            values = number
    return values, sure & (times <= 1)


def _is_named(text: Chunk, places: Places, begun: Places, name: str) -> Flags:
    """Whether the parameter between a blank and a sign of equality has this name, in any case."""
    found: Flags = places - len(name.encode()) == begun + 1
    for offset, char in enumerate(name.encode(), -len(name.encode())):
        chars = text.buffer[places + offset]
        found &= (chars == char) | (chars == ord(chr(char).upper()))
    return found


def _number(text: Chunk, begins: Places, *, is_first: bool) -> tuple[Places, Places, Flags]:
    """Numbers, the blanks behind them, and whether they are written as usual. The first may follow a blank."""
    if is_first:
        begins = begins + (text.buffer[begins] == ord(" "))
    is_negative = text.buffer[begins] == ord("-")
    begins = begins + is_negative
    rows = FieldReader(text, begins.size)
    numbers, behind = rows.number(begins)
    sure = rows.sure & (text.buffer[behind] == ord(" ")) & _has_no_leading_zero(text, begins, behind)
    sure &= ~is_negative | (numbers > 0)
    return np.where(is_negative, -numbers, numbers), behind, sure
