"""The twin of ``decoder.py`` for large files: waits of an Oracle SQL trace, many lines at a time.

``WAIT #digits: nam='...' ela= digits ... tim=16 digits``. Other lines that matter go to the decoder, with those next to
them by which it judges their times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from ...record import Clock
from ...scan import (
    BYTES,
    LONGEST_PREFIX,
    ZEROS,
    ByteWords,
    Chunk,
    ChunkEvents,
    Fit,
    Flags,
    Head,
    LinePrefix,
    LinePrefixes,
    Places,
    WordRows,
    all_within,
    as_word,
    eight_digits,
    first_bytes,
    headroom,
    number_before_blank,
    run_starts,
    usual_number,
)
from ...units import TIM_UNITS, Unit
from .clock import EARLIEST, LATEST
from .decoder import CALL, LABEL, SOURCE, WAIT, wait_series
from .times import FAR

_AT_ONCE = 32
"""Waits that begin in a new way of which names are learned before the others are looked at again."""
_WAIT, _TIM, _STARS = b"WAIT #", b" tim=", b"***"
_SMALL_LETTER = np.uint8(ord("w") - ord("W"))
_SMALL = as_word(b"    ")
"""With these bits, the letters of WAIT are small ones."""
_DOTLESS = b"wa\xc4"
"""So begins WAIT with an I as Turkish has them, which the decoder takes for an I."""
_TAIL_WORDS = 3
_BEFORE_TIM = np.uint64(8 * (BYTES - len(_TIM)))
"""The bits in front of it, in the word before its digits."""
_DIGITS = headroom(bytes([9] * BYTES))
_BEGINNING = re.compile(rb"(WAIT #)(\d{1,20})(: nam='([^']*)' ela= ?)", re.IGNORECASE)
_SURE_BEFORE = 2
"""Waits by which the decoder knows the time: one may look wrong to it, as it has not seen all that was before."""


def scan_of(head: Head) -> Fit | None:
    """See ``scan.found.ScanModule``. Other units of time are left to the decoder."""
    return Fit(OracleTraceScan()) if head.known.tim_unit == TIM_UNITS[0] else None


class OracleTraceScan:
    """How waits begin in one piece is what is looked for first in the next one."""

    unit, clock, label, source = Unit.US, Clock.EPOCH, LABEL, SOURCE

    def __init__(self) -> None:
        self._known = LinePrefixes(), 0

    def scan(self, text: Chunk) -> ChunkEvents:
        """The waits of a piece."""
        waits, odd, dated = _kinds(text)
        begins, ends = (text.starts, text.ends) if waits.size == text.count else (text.starts[waits], text.ends[waits])
        names, numbers, behind = self._named(text, begins)
        values, sure = number_before_blank(behind)
        latencies = values.view(np.int64)
        tims, dated_too = _tims(text.rows(ends - _TAIL_WORDS * BYTES, _TAIL_WORDS))
        sure &= dated_too
        sure &= numbers > 0
        hard = odd.tolist()
        if not sure.all():
            others = (~sure).nonzero()[0]
            hard += waits[others[_are_waits(text.at(begins[others]))]].tolist()
            waits, numbers, latencies, tims = (np.delete(part, others) for part in (waits, numbers, latencies, tims))
        # Where all times lie close together, none is far from those beside it.
        near = not tims.size or int(tims.max()) - int(tims.min()) < FAR // 2
        astray = _astray(tims) if not near else tims[:0]
        if astray.size:  # the decoder judges such a time by those beside it
            hard += waits[astray].tolist()
            waits, numbers, latencies, tims = (np.delete(part, astray) for part in (waits, numbers, latencies, tims))
        if dated.size:  # a date changes nothing where a time follows that needs none
            dated = dated[np.append(waits, 0)[waits.searchsorted(dated + 1)] != dated + 1]
        # Of the last wait of a file the decoder judges whether its time was cut off; and it has to see some waits.
        own = {*hard, *waits[-1:].tolist(), *dated.tolist()}
        waits, numbers, latencies, tims = waits[:-1], numbers[:-1], latencies[:-1], tims[:-1]
        decoded, known = _for_the_decoder(text, own, waits, tims)
        return ChunkEvents(names, numbers - 1, latencies, tims, text.count, decoded, known)

    def _named(self, text: Chunk, begins: Places) -> tuple[list[str], Places, ByteWords]:
        """The names that are known; for each line the number of its own, from 1 on, or 0, and what is behind ``ela=``
        and the blank.
        """
        known, usual = self._known
        numbers, behind = known.found(text, begins, usual)
        left = (numbers == 0).nonzero()[0]
        left = left[_are_waits(text.at(begins[left]))]
        while left.size:
            more = known.learned(_beginnings(text, begins[left[:_AT_ONCE]]))
            if more is None:
                left = left[_AT_ONCE:]
                continue
            known = more
            numbers[left], behind[left] = known.found(text, begins[left])
            left = left[numbers[left] == 0]
        self._known = known, usual_number(numbers)
        return [_name(one.after_digits) for one in known.known], numbers.astype(np.int64), behind


def _beginnings(text: Chunk, begins: Places) -> Iterator[LinePrefix]:
    """Of lines that have one that can be learned."""
    for place in begins.tolist():
        found = _BEGINNING.match(text.buffer[place : place + LONGEST_PREFIX].tobytes())
        if found:
            yield LinePrefix.of(found)


def _name(behind: bytes) -> str:
    """The series of waits that begin so."""
    return wait_series(behind[behind.index(b"'") + 1 : behind.rindex(b"'")].decode(errors="replace"))


def _kinds(text: Chunk) -> tuple[Places, Places, Places]:
    """Lines that may be waits by their first character, those that only the decoder can judge, and those that begin as
    dates do.
    """
    first = text.buffer[text.starts] | _SMALL_LETTER
    waits, dated = (first == ord("w")).nonzero()[0], (first == ord("*")).nonzero()[0]
    dated = dated[text.holds(text.starts[dated], _STARS)]
    escaped = text.escaped_lines()
    if escaped.size:
        waits, dated = np.setdiff1d(waits, escaped, True), np.setdiff1d(dated, escaped, True)
    return waits, escaped, dated


def _are_waits(heads: ByteWords) -> Flags:
    """Whether lines begin as waits do, or perhaps do."""
    found: Flags = ((heads & first_bytes(len(_WAIT))) | _SMALL) == (as_word(_WAIT) | _SMALL)
    found |= ((heads & first_bytes(len(_DOTLESS))) | as_word(b"  ")) == as_word(_DOTLESS)
    return found


def _tims(tails: WordRows) -> tuple[Places, Flags]:
    """Of the last characters of lines, the tim; whether it is there, and an epoch."""
    # its upper half changes every 100 s only
    upper, lower = tails[:, 1], tails[:, 2] ^ ZEROS
    firsts = run_starts(upper) if upper.size else np.zeros(0, np.int64)
    once = eight_digits(upper[firsts]).view(np.int64) * 10**BYTES
    plain = all_within(upper[firsts] ^ ZEROS, _DIGITS) & (once >= EARLIEST) & (once < LATEST)
    counts = np.diff(firsts, append=upper.size)
    sure: Flags = np.repeat(plain, counts)
    sure &= all_within(lower, _DIGITS)
    sure &= (tails[:, 0] >> _BEFORE_TIM) == as_word(_TIM)
    tims: Places = eight_digits(lower).view(np.int64)
    tims += np.repeat(once, counts)
    return tims, sure


def _astray(tims: Places) -> Places:
    """The places of times that are far from one beside them, with room for others between them, in lines that are not
    looked at here.
    """
    far = np.abs(np.diff(tims)) > FAR // 2
    astray: Places = (np.append(far, False) | np.append(False, far)).nonzero()[0]
    return astray


def _for_the_decoder(
    text: Chunk, own: set[int], sure: Places, tims: Places
) -> tuple[dict[int, bytes], dict[int, int | None]]:
    """The decoder's ``own`` lines, and those that it has to know of: all that tell a time from _SURE_BEFORE ``sure``
    waits before them on, and the next that does behind them. So are the first and the last times of the piece, for the
    lines of the pieces beside it.

    All of them with their texts; those that it only has to know with the ``tims`` of sure waits.
    """
    beside = _Beside(text, own, sure)
    lines = sorted(own)
    for index in [*lines, text.count]:
        beside.look_back(index)
    for index in [*lines[::-1], -1]:
        beside.look_ahead(index)
    # What follows a wait that looks cut off shows that it is not the last line.
    beside.add({0, *(index + 1 for index in own)})
    known = np.array(sorted(beside.decoded.keys() - own), np.int64)
    counted = np.isin(known, sure).tolist()
    moments = tims[np.minimum(sure.searchsorted(known), sure.size - 1)].tolist() if sure.size else [None] * known.size
    told = zip(known.tolist(), moments, counted, strict=True)
    return beside.decoded, {index: moment if is_counted else None for index, moment, is_counted in told}


class _Beside:
    """The lines found. One looks back from its own in their order, and ahead from them against it: what a look meets
    of them has been seen to before.
    """

    def __init__(self, text: Chunk, own: set[int], sure: Places) -> None:
        self.decoded = {index: text.line(index) for index in own}
        self._text, self._own, self._sure = text, own, sure

    def look_back(self, index: int) -> None:
        """Add the times before a line, until _SURE_BEFORE of them are sure."""
        count = _SURE_BEFORE
        while count and index > 0 and index - 1 not in self._own:
            index -= 1
            if self._told(index) is not None:
                count -= self._is_sure(index)

    def look_ahead(self, index: int) -> None:
        """Add the next time behind a line, and one more where that is far from its own: it judges them. From the last
        line on. Times that are no epochs say little.
        """
        last = _tim_of(self.decoded[index]) if index >= 0 else None
        while index < self._text.count - 1 and index + 1 not in self._own:
            index += 1
            tim = self._told(index)
            if tim is not None and EARLIEST <= tim < LATEST:
                if last is None or abs(tim - last) < FAR // 2:
                    return
                last = None

    def add(self, indices: set[int]) -> None:
        """Add some lines, as far as they are in the piece."""
        for index in indices - self.decoded.keys():
            if index < self._text.count:
                self.decoded[index] = self._text.line(index)

    def _told(self, index: int) -> int | None:
        """The tim of a line; with one it is added."""
        line = self._text.line(index)
        tim = _tim_of(line) if b"tim=" in line else None
        if tim is not None:
            self.decoded[index] = line
        return tim

    def _is_sure(self, index: int) -> bool:
        place = int(self._sure.searchsorted(index))
        return place < self._sure.size and int(self._sure[place]) == index


def _tim_of(line: bytes) -> int | None:
    """The tim that the decoder finds in a line."""
    text = line.decode(errors="replace")
    wait = WAIT.match(text)
    call = None if wait else CALL.match(text)
    tim = wait[3] if wait else call[1] if call else None
    return None if tim is None else int(tim)
