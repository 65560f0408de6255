"""What the calls of a trace took: the account of its time, of large files many lines at a time.

Its twin for large files is ``account_of_lines``, which reads line by line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ...collector import Known
from ...intervals import is_between_calls
from ...scan import Chunk, NotScannable, scan_chunks, tail
from ...text.lines import Line, line_of
from .calls import call_in
from .clock import TIM_UNITS, TimUnit, unit_of_release
from .decoder import WAIT, wait_series
from .quoted_text import QuotedText
from .scan_quoted import QuotedLines

_CALLS = re.compile(
    rb"^(PARSE|EXEC|FETCH|CLOSE|UNMAP|SORT UNMAP|LOB[A-Z]{1,20})(?: #-?[0-9]{1,20})?:"
    rb"(?:[^,=\n]{1,40}=[^,\n]{0,40},)*?c=([0-9]{1,18}),e=([0-9]{1,18})\b(?:[^\n]*?,dep=([0-9]{1,4})\b)?",
    re.MULTILINE,
)
_WAITS = re.compile(rb"^WAIT #[^\n]*", re.MULTILINE | re.IGNORECASE)
_ORACLE = re.compile(rb"^Oracle[^\n]*", re.MULTILINE)


class CallTimes(NamedTuple):
    """So many calls, and their CPU and elapsed time in seconds."""

    number: int = 0
    cpu: float = 0.0
    elapsed: float = 0.0

    def plus(self, other: CallTimes) -> CallTimes:
        return CallTimes(self.number + other.number, self.cpu + other.cpu, self.elapsed + other.elapsed)


class TraceAccount(NamedTuple):
    """The calls of a trace by their names and depths: 0 by the user, 1 by these calls, 2 for all deeper ones.

    ``unfinished``: seconds waited behind the last call by the user, by the waits that lie in calls: of a call that the
    trace does not hold.
    """

    calls: dict[tuple[str, int], CallTimes]
    unfinished: float = 0.0

    def plus(self, other: TraceAccount) -> TraceAccount:
        """The account of both traces."""
        calls = self.calls.copy()
        for key, times in other.calls.items():
            calls[key] = calls.get(key, CallTimes()).plus(times)
        return TraceAccount(calls, self.unfinished + other.unfinished)


class _Sums:
    """The account of the lines so far, in whole units of the trace where these are equal."""

    def __init__(self, unit: TimUnit) -> None:
        self.unit = unit
        self._calls: dict[tuple[str, int, TimUnit], list[int]] = {}
        self.has_call = False
        self._behind: dict[TimUnit, int] = {}

    def call(self, name: str, depth: int, cpu: int, elapsed: int) -> None:
        sums = self._calls.setdefault((name, min(depth, 2), self.unit), [0, 0, 0])
        for place, value in enumerate((1, cpu, elapsed)):
            sums[place] += value
        if not depth:
            self.has_call = True
            self._behind.clear()

    def wait(self, text: str) -> None:
        found = WAIT.match(text)
        if found is not None and (waited := int(found[2])) > 0 and not is_between_calls(wait_series(found[1])):
            self._behind[self.unit] = self._behind.get(self.unit, 0) + waited

    def add(self, other: _Sums) -> None:
        """Add the account of later lines."""
        for key, more in other._calls.items():
            sums = self._calls.setdefault(key, [0, 0, 0])
            for place, value in enumerate(more):
                sums[place] += value
        if other.has_call:
            self._behind.clear()
        for unit, waited in other._behind.items():
            self._behind[unit] = self._behind.get(unit, 0) + waited

    def account(self) -> TraceAccount:
        total = TraceAccount({}, sum(_seconds(waited, unit) for unit, waited in self._behind.items()))
        for (name, depth, unit), (number, cpu, elapsed) in self._calls.items():
            times = CallTimes(number, _seconds(cpu, unit), _seconds(elapsed, unit))
            total = total.plus(TraceAccount({(name, depth): times}))
        return total


def _seconds(value: int, unit: TimUnit) -> float:
    return value * unit.factor * unit.unit.seconds


def account_of_lines(lines: Iterable[Line | None], known: Known) -> TraceAccount:
    """The account of a trace, read line by line."""
    sums, quoted = _Sums(TIM_UNITS[known.tim_unit]), QuotedText()
    for line in lines:
        for told in quoted.take(line) if line is not None else ():
            if not told.is_quoted:
                _see(sums, told.line.text, known)
    for told in quoted.end():
        if not told.is_quoted:
            _see(sums, told.line.text, known)
    return sums.account()


def _see(sums: _Sums, text: str, known: Known) -> None:
    if text[:5].upper() == "WAIT ":
        sums.wait(text)
    elif (call := call_in(text)) is not None:
        sums.call(call.name, call.depth, call.cpu, call.elapsed)
    elif not known.tim_unit_given and text.startswith("Oracle") and (unit := unit_of_release(text)):
        sums.unit = TIM_UNITS[unit]


def account_of_file(descriptor: int, size: int, known: Known, jobs: int) -> TraceAccount:
    """The account of a large trace. Raises NotScannable for one of a release before 9i."""
    sums = _Sums(TIM_UNITS[known.tim_unit])
    for _, found in scan_chunks(descriptor, size, lambda text: _of_chunk(text, known), jobs):
        sums.add(found)
    _see(sums, line_of(tail(descriptor, size)), known)
    return sums.account()


def _of_chunk(text: Chunk, known: Known) -> _Sums:
    sums = _Sums(TIM_UNITS[known.tim_unit])
    if not text.count:
        return sums
    first = int(text.starts[0])
    data = text.buffer[first : int(text.ends[-1])].tobytes()
    for head in _ORACLE.finditer(data) if not known.tim_unit_given else ():
        if unit_of_release(line_of(head[0])) not in (None, known.tim_unit):
            raise NotScannable
    quoted, behind = QuotedLines(text), 0
    calls = list(_CALLS.finditer(data))
    for call in _not_quoted(calls, text, quoted, first):
        depth = int(call[4] or 0)
        sums.call(call[1].decode(), depth, int(call[2]), int(call[3]))
        behind = behind if depth else call.end()
    for wait in _not_quoted(list(_WAITS.finditer(data, behind)), text, quoted, first):
        sums.wait(line_of(wait[0]))
    return sums


def _not_quoted(
    found: list[re.Match[bytes]], text: Chunk, quoted: QuotedLines, first: int
) -> Iterable[re.Match[bytes]]:
    """Those of the matches that no statement and no value holds. Raises NotScannable if that cannot be told."""
    places = np.array([one.start() + first for one in found], np.int64)
    lines = text.starts.searchsorted(places, "right") - 1
    judged = quoted.lines_to_judge(lines)
    for one, line in zip(found, lines.tolist(), strict=True):
        is_quoted = line in judged and quoted.is_quoted(line)
        if is_quoted is None:
            raise NotScannable
        if not is_quoted:
            yield one
