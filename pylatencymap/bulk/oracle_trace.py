"""Waits of an Oracle SQL trace: ``WAIT #digits: nam='...' ela= digits ... tim=16 digits``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..collectors.oracle_trace.clock import EARLIEST, LATEST
from ..collectors.oracle_trace.decoder import CALL, LABEL, SOURCE, WAIT, series_of
from ..record import Clock
from ..units import Unit
from .found import Found
from .text import Text
from .words import BYTES, Places, Truths, leading_digits, leading_number, mask, number, other_than_digits, word

MOST_NAMES = 200
"""Event names that are looked for; waits for other events are left to the decoder."""
_WAIT, _NAM, _ELA, _TIM, _STARS = b"WAIT #", b": nam='", b"' ela=", b" tim=", b"***"
_TIM_DIGITS = 16
_TIM_LENGTH = len(_TIM) + _TIM_DIGITS
_LEAST = len(_WAIT) + len(_NAM) + len(_ELA) + _TIM_LENGTH
_SMALL = word(b"      ")
"""With these bits, letters are small ones."""
_BLANK = np.uint64(ord(" "))
_BYTE, _MOST_DIGITS = np.uint64(0xFF), 7
_NAME = re.compile(rb"WAIT #\d{1,20}: nam='([^']*)' ela=")


class _Waits(NamedTuple):
    """Lines by their numbers; where the line begins, where its tim begins, the tim, where the event's name begins."""

    lines: Places
    begins: Places
    tims: Places
    ends: Places
    names: Places

    def where(self, which: Places) -> _Waits:
        return _Waits(*(values[which] for values in self))


class OracleTraceScan:
    """The widths of cursor numbers and the names that a piece holds are looked for first in the next one."""

    unit, clock, label, source = Unit.US, Clock.EPOCH, LABEL, SOURCE

    def __init__(self) -> None:
        self._widths: tuple[int, ...] = tuple(range(1, 2 * BYTES + 1))
        self._names: tuple[bytes, ...] = ()

    def scan(self, text: Text) -> Found:
        """The waits of a piece."""
        heads = text.at(text.starts)
        small = _SMALL & mask(len(_WAIT))
        candidates = ((heads & mask(len(_WAIT)) | small) == (word(_WAIT) | small)).nonzero()[0]
        escaped = text.escaped_lines()
        if escaped.size:
            candidates = np.setdiff1d(candidates, escaped, assume_unique=True)
        waits = self._named(text, _with_tim(text, candidates))
        names: list[str] = []
        parts: list[tuple[_Waits, Places]] = []
        for name, some in self._by_name(text, waits):
            sure, latencies = _latencies(text, some, name)
            parts.append((sure, latencies))
            names.append(series_of(name.decode(errors="replace")))
        lines = _joined([part.lines for part, _ in parts])
        decoded, known = _for_the_decoder(text, [*np.setdiff1d(candidates, lines, assume_unique=True), *escaped])
        series = np.repeat(np.arange(len(parts)), [part.lines.size for part, _ in parts])
        ends = _joined([part.ends for part, _ in parts])
        return Found(names, series, _joined([some for _, some in parts]), ends, text.count, decoded, known)

    def _named(self, text: Text, waits: _Waits) -> _Waits:
        """Those with a number and a name, and where that begins."""
        left = np.arange(waits.lines.size)
        found: list[int] = []
        for width in self._widths:
            if not left.size:
                break
            begins = waits.begins[left] + len(_WAIT)
            hit = text.holds(begins + width, _NAM) & _all_digits(text, begins, width)
            if hit.any():
                found.append(width)
                waits.names[left[hit]] = begins[hit] + width + len(_NAM)
                left = left[~hit]
        self._widths = (*found, *(width for width in self._widths if width not in found))
        return waits if not left.size else waits.where((waits.names > 0).nonzero()[0])

    def _by_name(self, text: Text, waits: _Waits) -> Iterator[tuple[bytes, _Waits]]:
        """The waits for each event; what has a name that is not looked for is left out."""
        found: list[tuple[int, bytes]] = []
        known = list(self._names)
        looked_for = len(known)
        place = 0
        while waits.lines.size and place < MOST_NAMES:
            if place == len(known):
                match = _NAME.match(text.line(int(waits.lines[0])))
                if match is None or match[1] in known:
                    waits = waits.where(np.arange(1, waits.lines.size))
                    continue
                known.append(match[1])
            hit = text.holds(waits.names, known[place] + _ELA)
            if hit.all():
                some, waits = waits, waits.where(np.arange(0))
            else:
                some, waits = waits.where(hit.nonzero()[0]), waits.where((~hit).nonzero()[0])
            if some.lines.size:
                found.append((int(some.lines.size), known[place]))
                yield known[place], some
            place += 1
        if looked_for < len(known) or found != sorted(found, reverse=True):
            frequent = [name for _, name in sorted(found, reverse=True)]
            self._names = (*frequent, *(name for name in known if name not in frequent))


def _with_tim(text: Text, lines: Places) -> _Waits:
    """Those of the lines that end with a tim that is an epoch."""
    begins, ends = text.starts[lines], text.ends[lines]
    long = ends - begins >= _LEAST
    if not long.all():
        lines, begins, ends = lines[long], begins[long], ends[long]
    high, low = text.at(ends - _TIM_DIGITS), text.at(ends - BYTES)
    tims = (number(high) * np.uint64(10**BYTES) + number(low)).astype(np.int64)
    plain = (other_than_digits(high) | other_than_digits(low)) == 0
    sure = plain & text.holds(ends - _TIM_LENGTH, _TIM) & (tims >= EARLIEST) & (tims < LATEST)
    waits = _Waits(lines, begins, ends - _TIM_LENGTH, tims, np.zeros_like(begins))
    return waits if sure.all() else waits.where(sure.nonzero()[0])


def _all_digits(text: Text, places: Places, width: int) -> Truths:
    """Whether so many digits, at most 16, stand at each place."""
    others = other_than_digits(text.at(places)) & mask(width)
    if width > BYTES:
        others |= other_than_digits(text.at(places + width - BYTES))
    plain: Truths = others == 0
    return plain


def _latencies(text: Text, waits: _Waits, name: bytes) -> tuple[_Waits, Places]:
    """Those whose ela is a number of at most 7 digits with a blank behind, and its value."""
    places = waits.names + len(name) + len(_ELA)
    places = places + ((text.at(places) & _BYTE) == _BLANK)
    words = text.at(places)
    length = leading_digits(words)
    behind = (words >> (np.minimum(length, np.uint64(_MOST_DIGITS)) << np.uint64(3))) & _BYTE
    sure = (length > 0) & (length <= _MOST_DIGITS) & (behind == _BLANK)
    sure &= places + length.astype(np.int64) <= waits.tims
    if not sure.all():
        waits, words, length = waits.where(sure.nonzero()[0]), words[sure], length[sure]
    return waits, leading_number(words, length).astype(np.int64)


def _for_the_decoder(text: Text, hard: list[int]) -> tuple[dict[int, bytes], frozenset[int]]:
    """Waits that left a doubt, dates, and what the decoder must know of the lines beside them: the times before them
    and, of dates, behind them. The last time of the piece is among them, for the lines of the next one.
    """
    dated = text.holds(text.starts, _STARS).nonzero()[0].tolist()
    own = sorted({*hard, *dated})
    decoded = {index: text.line(index) for index in own}
    known: set[int] = set()

    def time_beside(index: int, step: int) -> None:
        index += step
        while 0 <= index < text.count and index not in decoded:
            line = text.line(index)
            if b"tim=" in line and _tells_time(line.decode(errors="replace")):
                decoded[index] = line
                known.add(index)
                return
            index += step

    for index in own:
        time_beside(index, -1)
    for index in dated:
        time_beside(index, 1)
    for index in {0, *(index + 1 for index in own)} - decoded.keys():
        if index < text.count:  # what follows a wait that looks cut off shows that it is not the last line
            decoded[index] = text.line(index)
            known.add(index)
    time_beside(text.count, -1)
    return decoded, frozenset(known)


def _tells_time(line: str) -> bool:
    found = WAIT.match(line)
    return found[3] is not None if found else CALL.match(line) is not None


def _joined(parts: list[Places]) -> Places:
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)
