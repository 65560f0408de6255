"""Waits of an Oracle SQL trace: ``WAIT #digits: nam='...' ela= digits ... tim=16 digits``."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from ..collectors.oracle_trace.clock import EARLIEST, LATEST
from ..collectors.oracle_trace.decoder import CALL, LABEL, SOURCE, WAIT, series_of
from ..record import Clock
from ..units import Unit
from .found import Found
from .text import Text
from .words import BYTES, Places, Truths, leading_digits, leading_number, mask, number, other_than_digits, word

MOST_HEADS = 200
"""Beginnings of waits that are looked for; waits that begin otherwise are left to the decoder."""
_WAIT, _TIM, _STARS = b"WAIT #", b" tim=", b"***"
_TIM_DIGITS = 16
_TIM_LENGTH = len(_TIM) + _TIM_DIGITS
_LEAST = len(_WAIT) + len(": nam='' ela=") + _TIM_LENGTH
_SMALL = word(b"      ")
"""With these bits, letters are small ones."""
_BLANK = np.uint64(ord(" "))
_BYTE, _MOST_DIGITS = np.uint64(0xFF), 7
_NAME = re.compile(rb"WAIT #(\d{1,16})(: nam='([^']*)' ela= ?)")


class _Head(NamedTuple):
    """What stands between the digits of the cursor, so many, and those of ela, and the event's name in it."""

    width: int
    literal: bytes
    name: bytes


class _Waits(NamedTuple):
    """Lines by their numbers; where each begins, and where its tim begins; when the event ended."""

    lines: Places
    begins: Places
    tims: Places
    ends: Places

    def where(self, sure: Truths) -> _Waits:
        return self if sure.all() else _Waits(*(values[sure] for values in self))


class OracleTraceScan:
    """What a piece holds, cursor numbers of some width and the names of events, is looked for first in the next one."""

    unit, clock, label, source = Unit.US, Clock.EPOCH, LABEL, SOURCE

    def __init__(self) -> None:
        self._heads: tuple[_Head, ...] = ()

    def scan(self, text: Text) -> Found:
        """The waits of a piece."""
        heads = text.at(text.starts)
        small = _SMALL & mask(len(_WAIT))
        candidates = ((heads & mask(len(_WAIT)) | small) == (word(_WAIT) | small)).nonzero()[0]
        dated = ((heads & mask(len(_STARS))) == word(_STARS)).nonzero()[0]
        escaped = text.escaped_lines()
        if escaped.size:
            candidates = np.setdiff1d(candidates, escaped, assume_unique=True)
        waits = _with_tim(text, candidates)
        names, series, places = self._named(text, waits)
        sure, latencies = _latencies(text, places, waits.tims)
        waits, series = waits.where(sure), series[sure]
        matched = np.zeros(text.count + 1, np.bool_)
        matched[waits.lines] = True
        dated = dated[~matched[dated + 1]]  # a date changes nothing where a time follows that needs none
        hard = [*candidates[~matched[candidates]].tolist(), *escaped.tolist()]
        decoded, known = _for_the_decoder(text, hard, dated.tolist())
        return Found(names, series, latencies, waits.ends, text.count, decoded, known)

    def _named(self, text: Text, waits: _Waits) -> tuple[list[str], Places, Places]:
        """The names; for each wait the number of its name, and where its digits begin, 0 where that is not sure."""
        known = list(self._heads)
        series, places = np.zeros_like(waits.lines), np.zeros_like(waits.lines)
        left, begins = np.arange(waits.lines.size), waits.begins + len(_WAIT)
        names: dict[bytes, int] = {}
        found: list[tuple[int, _Head]] = []
        number = 0
        while left.size and number < MOST_HEADS:
            if number == len(known):
                head = _head_of(text.line(int(waits.lines[left[0]])))
                if head is None or head in known:
                    left = left[1:]
                    continue
                known.append(head)
            head = known[number]
            hit = text.holds(begins[left] + head.width, head.literal) & _all_digits(text, begins[left], head.width)
            rows = left[hit]
            if rows.size:
                series[rows] = names.setdefault(head.name, len(names))
                places[rows] = begins[rows] + head.width + len(head.literal)
                found.append((int(rows.size), head))
                left = left[~hit]
            number += 1
        frequent = [head for _, head in sorted(found, reverse=True)]
        self._heads = (*frequent, *(head for head in known if head not in frequent))
        return [series_of(name.decode(errors="replace")) for name in names], series, places


def _head_of(line: bytes) -> _Head | None:
    """How a wait begins, as far as others can begin so."""
    found = _NAME.match(line)
    return _Head(len(found[1]), found[2], found[3]) if found else None


def _with_tim(text: Text, lines: Places) -> _Waits:
    """Those of the lines that end with a tim that is an epoch."""
    begins, ends = text.starts[lines], text.ends[lines]
    long = ends - begins >= _LEAST
    if not long.all():
        lines, begins, ends = lines[long], begins[long], ends[long]
    high, low = text.at(ends - _TIM_DIGITS), text.at(ends - BYTES)
    tims = (number(high) * np.uint64(10**BYTES) + number(low)).astype(np.int64)
    plain = (other_than_digits(high) | other_than_digits(low)) == 0
    sure: Truths = plain & text.holds(ends - _TIM_LENGTH, _TIM) & (tims >= EARLIEST) & (tims < LATEST)
    return _Waits(lines, begins, ends - _TIM_LENGTH, tims).where(sure)


def _all_digits(text: Text, places: Places, width: int) -> Truths:
    """Whether so many digits, at most 16, stand at each place."""
    others = other_than_digits(text.at(places)) & mask(width)
    if width > BYTES:
        others |= other_than_digits(text.at(places + width - BYTES))
    plain: Truths = others == 0
    return plain


def _latencies(text: Text, places: Places, tims: Places) -> tuple[Truths, Places]:
    """Where a number of at most 7 digits stands with a blank behind and before the tim; the numbers that are sure."""
    words = text.at(places)
    length = leading_digits(words)
    behind = (words >> (np.minimum(length, np.uint64(_MOST_DIGITS)) << np.uint64(3))) & _BYTE
    sure: Truths = (places > 0) & (length > 0) & (length <= _MOST_DIGITS) & (behind == _BLANK)
    sure &= places + length.astype(np.int64) <= tims
    if not sure.all():
        words, length = words[sure], length[sure]
    return sure, leading_number(words, length).astype(np.int64)


def _for_the_decoder(text: Text, hard: list[int], dated: list[int]) -> tuple[dict[int, bytes], frozenset[int]]:
    """Waits that left a doubt, dates, and what the decoder must know of the lines beside them: the times before them
    and, of dates, behind them. The last time of the piece is among them, for the lines of the next one.
    """
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
