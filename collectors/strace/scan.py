"""The twin of ``decoder.py`` for large files: reads many lines at a time, for calls that returned in one line."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ...record import Clock
from ...scan import (
    BYTES,
    Categories,
    Chunk,
    ChunkEvents,
    FieldReader,
    FileHead,
    Fit,
    Flags,
    Head,
    KeysOfLines,
    LinePrefix,
    Places,
    RowSubset,
    as_signed,
    as_word,
    doubtful_lines,
    first_bytes,
    matching_places,
)
from ...units import MICROS_PER_DAY, Unit
from .scan_keys import MESSAGE, NO_PID, CallParts, keys_of

_DECIMALS = {Unit.US: 6, Unit.NS: 9}
_PIDS = tuple(map(re.compile, (rb"(\[pid {1,5})(\d{1,7})(\] )", rb"()(\d{1,7})( {1,5})", rb"()()()")))
_STAMPS = {"epoch": rb"\d{10}\.\d{6} ", "exact": rb"\d\d:\d\d:\d\d\.\d{6} ", "whole": rb"\d\d:\d\d:\d\d "}
_CALL = rb"[A-Za-z_<]"
_NAME = re.compile(rb"[A-Za-z_][A-Za-z0-9_]{0,28}\(")
_FIRST_SECOND = 10**8
"""Fewer seconds since 1970 are left to the decoder, which reads them differently."""
_EQUALS, _BLANK = np.uint8(ord("=")), np.uint8(ord(" "))
_BLANKS = as_word(b" " * BYTES)
_LONGEST_GAP = 10
"""Most byte words of blanks that are searched: strace -a aligns results with blanks."""


def scan_of(head: Head) -> Fit | None:
    """See ``scan.contract.ScanModule``."""
    begin = head.begin()
    scan = _scan_of(begin) if begin else None
    return Fit(scan, begin.lines) if begin and scan else None


def _scan_of(begin: FileHead) -> StraceScan | None:
    """A scan for a text with this beginning; None if times or durations have another form."""
    rest = begin.line[_pid_of(begin.line).length :]
    stamp = next((name for name, pattern in _STAMPS.items() if re.match(pattern + _CALL, rest)), None)
    return StraceScan(begin, stamp) if stamp and begin.sample.unit in _DECIMALS else None


def _pid_of(line: bytes) -> LinePrefix:
    """How a line shows its process, if it does."""
    return LinePrefix.of(next(found for found in (pattern.match(line) for pattern in _PIDS) if found))


class StraceScan:
    """Scans a text whose stamps all have one form."""

    def __init__(self, begin: FileHead, stamp: str) -> None:
        sample = begin.sample
        self.unit, self.clock, self.label, self.source = sample.unit, sample.clock, sample.label, sample.source
        self._stamp = stamp
        self._pids, self._names = Categories[LinePrefix](), Categories[bytes]()
        self._last: CallParts | None = None

    def scan(self, text: Chunk) -> ChunkEvents:
        """The calls of a chunk."""
        rows = FieldReader(text, text.count)
        latencies = _duration(rows, text.ends, _DECIMALS[self.unit])
        rows.sure &= _has_result(text)
        rows.sure[text.escaped_lines()] = False
        pids, times = self._after_pid(rows, text)
        begun, place = self._time(rows, times)
        names, series = self._calls(rows, text, place)
        self._last = CallParts(text, rows.sure, pids, place)
        ends = begun + (latencies // 1000 if self.unit is Unit.NS else latencies)
        if self.clock is Clock.DAY:
            ends %= MICROS_PER_DAY
        sure = rows.sure.nonzero()[0]
        decoded, known = doubtful_lines(text, rows.sure, followed=MESSAGE)
        return ChunkEvents(names, series[sure], latencies[sure], ends[sure], sure, text.count, decoded, known)

    def looks_back(self, _names: Sequence[str]) -> bool:
        """See ``scan.HasKeys``: lines of calls that began in an earlier one are left to the decoder."""
        return False

    def keys_of(self, text: Chunk, names: Sequence[str], lines: Places) -> KeysOfLines:
        """See ``scan.HasKeys``."""
        last = self._last if self._last and self._last.text is text else None
        return keys_of(text, names, lines, last)

    def _after_pid(self, rows: FieldReader, text: Chunk) -> tuple[Places, Places]:
        """The places where pids begin, in lines without one that of the chunk; and those where the times begin."""

        def is_of(pid: LinePrefix, lines: RowSubset) -> Flags:
            begins = text.starts[lines]
            some = FieldReader(text, begins.size)
            place = some.literal(begins, pid.before_digits)
            place = some.literal(some.all_digits(place, pid.digits), pid.after_digits)
            if self._stamp == "epoch":
                some.all_digits(place, 8)  # a pid has fewer digits
            else:
                some.literal(place + 2, b":")
            return some.sure

        pids, numbers = self._pids.numbers(rows.sure, is_of, lambda line: _pid_of(text.line(line)))
        rows.sure &= numbers >= 0
        widths = np.array([*(pid.length for pid in pids), 0])
        before = np.array([*(len(pid.before_digits) if pid.digits else NO_PID for pid in pids), 0])[numbers]
        return np.where(before == NO_PID, NO_PID, text.starts + before), text.starts + widths[numbers]

    def _time(self, rows: FieldReader, place: Places) -> tuple[Places, Places]:
        """The moments in microseconds at which calls began, and the places after them."""
        if self._stamp == "epoch":
            seconds, place = rows.digits(place, 10), place + 10
            rows.sure &= seconds >= _FIRST_SECOND
        else:
            seconds, place = rows.time_of_day(place), place + 8
        if self._stamp == "whole":
            return seconds * 10**6, rows.literal(place, b" ")
        return seconds * 10**6 + rows.fraction(place, 6), place + 8

    def _calls(self, rows: FieldReader, text: Chunk, places: Places) -> tuple[list[str], Places]:
        """The names of the system calls, and for each line the number of its call."""

        def learn(line: int) -> bytes | None:
            found = _NAME.match(text.line(line), int(places[line] - text.starts[line]))
            return found[0] if found else None

        heads = text.at(places)

        def is_of(name: bytes, lines: RowSubset) -> Flags:
            found: Flags = (heads[lines] & first_bytes(len(name))) == as_word(name)
            if len(name) > BYTES and found.any():
                found &= text.holds(places[lines], name)
            return found

        names, series = self._names.numbers(rows.sure, is_of, learn)
        rows.sure &= series >= 0
        return [name[:-1].decode() for name in names], series


def _duration(rows: FieldReader, ends: Places, decimals: int) -> Places:
    """The duration that -T adds, ``<0.000213>``, in the unit of its last digit. Longer calls than 10 s go to the
    decoder.
    """
    place = ends - (decimals + len("<0.>"))
    whole, place = rows.digit(place, b"<", b".")
    value = whole * np.int64(10**decimals) + rows.digits(place, decimals)
    rows.literal(place + decimals, b">")
    return value


def _has_result(text: Chunk) -> Flags:
    """For each line, whether the last ``=`` after a blank is that of ``) = ``; any number of blanks can precede it."""
    last = matching_places(text, lambda chars: (chars[1:] == _EQUALS) & (chars[:-1] == _BLANK), few=True)
    if not last.size:
        return np.zeros(text.count, np.bool_)
    if last.size != text.count or (last < text.starts).any() or (last > text.ends).any():
        last = last[np.searchsorted(last, text.ends) - 1]
    closed = (text.at(last - 2) & first_bytes(4)) == as_word(b") = ")
    rest = (~closed).nonzero()[0]
    if rest.size:
        closed[rest] = ((text.at(last[rest]) & first_bytes(2)) == as_word(b"= ")) & (
            _before_blanks(text, last[rest]) == ord(")")
        )
    found: Flags = closed & (last > text.starts) & (last < text.ends)
    return found


def _before_blanks(text: Chunk, places: Places) -> Places:
    """The last character before each place that is not a blank.

    Eight characters at a time: XOR with blanks makes each blank a zero byte. Words of only blanks are replaced by the
    word before; then shifting out the zero bytes at the top leaves the character as the top byte.
    """
    words = text.at(places - BYTES) ^ _BLANKS
    for step in range(2, _LONGEST_GAP):
        blank = (words == 0).nonzero()[0]
        if not blank.size:
            break
        words[blank] = text.at(places[blank] - step * BYTES) ^ _BLANKS
    top = np.uint64(8 * (BYTES - 1))
    for _ in range(BYTES - 1):
        words = np.where(words >> top, words, words << np.uint64(8))
    return as_signed((words >> top) ^ _BLANK)
