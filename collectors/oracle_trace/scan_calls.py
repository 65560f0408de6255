"""What the calls of a trace took: the account of its time, of large files many lines at a time.

Its twin for large files is ``account_of_lines``, which reads line by line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...collector import Known
from ...intervals import is_between_calls
from ...scan import Chunk, FieldReader, Flags, NotScannable, Places, Scan, TextChunks
from ...text.lines import Line, line_of
from .calls import call_in
from .clock import TIM_UNITS, TimUnit, unit_of_release
from .decoder import WAIT, wait_series
from .quoted_text import QuotedText
from .scan_quoted import QuotedLines

_LONG = (b":c=", b",e=", b",p=", b",cr=", b",cu=", b",mis=", b",r=", b",dep=")
_SHORT = (b":c=", b",e=", b",dep=")
_CPU, _ELAPSED, _DEPTH = _SHORT
_USUAL = {b"PARSE #": _LONG, b"EXEC #": _LONG, b"FETCH #": _LONG, b"CLOSE #": _SHORT}
"""How lines of calls are usually written; others are read one by one."""
_MAY_BE_CALLS = np.isin(np.arange(256), np.frombuffer(b"PEFCUSL", np.uint8))
"""Whether a line that begins with this character can be a call."""
_LARGEST = 10**12
"""Times whose sums over a chunk are whole numbers of 64 bits."""
_DIGITS_OF_DEPTH = 4
_SMALL_LETTER = 0x20
_FEW_WAITS = 1000
"""With more waits it is faster to scan them."""


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
        self.is_open = False  # whether a statement or a value goes on behind these lines
        self._behind: dict[TimUnit, int] = {}

    def call(self, name: str, depth: int, cpu: int, elapsed: int, number: int = 1) -> None:
        """Add a call, or so many with these times together."""
        sums = self._calls.setdefault((name, min(depth, 2), self.unit), [0, 0, 0])
        for place, value in enumerate((number, cpu, elapsed)):
            sums[place] += value
        if not depth:
            self.has_call = True
            self._behind.clear()

    def wait(self, text: str) -> None:
        found = WAIT.match(text)
        if found is not None:
            self.waited(wait_series(found[1]), int(found[2]))

    def waited(self, series: str, waited: int) -> None:
        """Add waits for an event behind the last call."""
        if waited > 0 and not is_between_calls(series):
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


def account_of_chunks(chunks: TextChunks, known: Known, scan: Scan) -> TraceAccount:
    """The account of a large trace, whose waits ``scan`` finds. Raises NotScannable for one of a release before 9i, and
    where it cannot tell what is quoted.
    """
    sums, is_open = _Sums(TIM_UNITS[known.tim_unit]), False
    for _, found in chunks.counts(lambda text: _of_chunk(text, known, scan)):
        sums.add(found)
        is_open = found.is_open
    if (last := chunks.tail()) and is_open:
        raise NotScannable
    _see(sums, line_of(last), known)
    return sums.account()


class _Calls(NamedTuple):
    """Calls of one name in a chunk: the line of each, its depth, its CPU and elapsed time."""

    name: str
    lines: Places
    depths: Places
    cpu: NDArray[Any]
    elapsed: NDArray[Any]

    def where(self, which: Flags) -> _Calls:
        return _Calls(self.name, *(part[which] for part in self[1:]))


def _of_chunk(text: Chunk, known: Known, scan: Scan) -> _Sums:
    sums = _Sums(TIM_UNITS[known.tim_unit])
    if not text.count:
        return sums
    first = text.buffer[text.starts]
    for line in (first == ord("O")).nonzero()[0].tolist() if not known.tim_unit_given else ():
        shown = line_of(text.line(line))
        if shown.startswith("Oracle") and unit_of_release(shown) not in (None, known.tim_unit):
            raise NotScannable
    quoted, last = QuotedLines(text), -1
    sums.is_open = quoted.goes_on
    for calls in _without_quoted(_calls_in(text, first), quoted):
        _add(sums, calls)
        last = max(last, int(calls.lines[calls.depths == 0].max(initial=-1)))
    waits = last + 1 + ((first[last + 1 :] | _SMALL_LETTER) == ord("w")).nonzero()[0]
    if waits.size > _FEW_WAITS:
        _add_scanned_waits(sums, text, scan, last, quoted)
    else:
        for line in quoted.outside(waits).tolist():
            sums.wait(line_of(text.line(line)))
    return sums


def _calls_in(text: Chunk, first: NDArray[np.uint8]) -> Iterator[_Calls]:
    """The calls of a chunk, whether it quotes them or not; ``first``: the first character of each line."""
    lines = _MAY_BE_CALLS[first].nonzero()[0]
    usual = np.zeros(text.count, np.bool_)
    for head, counts in _USUAL.items():
        mine = lines[first[lines] == head[0]]
        found = _usual_calls(text, mine[text.holds(text.starts[mine], head)], head, counts)
        usual[found.lines] = True
        yield found
    others: dict[str, list[tuple[int, int, int, int]]] = {}
    for line in lines[~usual[lines]].tolist():
        if (call := call_in(line_of(text.line(line)))) is not None:
            others.setdefault(call.name, []).append((line, call.depth, call.cpu, call.elapsed))
    for name, ones in others.items():
        where, depths, cpu, elapsed = zip(*ones, strict=True)
        # As objects, because sums of times with 18 digits need more than 64 bits.
        yield _Calls(name, np.array(where), np.array(depths), np.array(cpu, object), np.array(elapsed, object))


def _usual_calls(text: Chunk, lines: Places, head: bytes, counts: Sequence[bytes]) -> _Calls:
    """Those of the lines in which these numbers follow one another."""
    rows, found = FieldReader(text, lines.size), dict[bytes, Places]()
    _, places = rows.number(text.starts[lines] + len(head))
    for count in counts:
        begun = rows.literal(places, count)
        found[count], places = rows.number(begun)
    rows.ended(places, b",")
    rows.sure &= places - begun <= _DIGITS_OF_DEPTH
    sure = rows.sure & (found[_CPU] < _LARGEST) & (found[_ELAPSED] < _LARGEST)
    name = head.split()[0].decode()
    return _Calls(name, lines, found[_DEPTH], found[_CPU], found[_ELAPSED]).where(sure)


def _add(sums: _Sums, calls: _Calls) -> None:
    for depth in (0, 1, 2):
        some = calls.where(np.minimum(calls.depths, 2) == depth)
        if some.lines.size:
            sums.call(calls.name, depth, int(some.cpu.sum()), int(some.elapsed.sum()), some.lines.size)


def _add_scanned_waits(sums: _Sums, text: Chunk, scan: Scan, last: int, quoted: QuotedLines) -> None:
    """Add the waits of a chunk behind a line: its last call by the user, or -1 where it has none."""
    found = scan.scan(text)
    behind = found.places > last
    waited = np.bincount(found.series[behind], found.latencies[behind], len(found.names))
    for series, units in zip(found.names, waited.tolist(), strict=True):
        sums.waited(series, round(units))
    own = np.array(sorted(line for line in found.decoded.keys() - found.known.keys() if line > last), np.int64)
    for line in quoted.outside(own).tolist():
        sums.wait(line_of(text.line(line)))


def _without_quoted(found: Iterable[_Calls], quoted: QuotedLines) -> Iterator[_Calls]:
    """Those calls that no statement and no value holds."""
    for calls in found:
        yield calls.where(np.isin(calls.lines, quoted.outside(calls.lines), assume_unique=True))
