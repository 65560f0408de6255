"""The twin of ``decoder.py`` for large files: reads many waits of an Oracle SQL trace at a time.

``WAIT #digits: nam='...' ela= digits ... tim=16 digits``. Other lines that matter go to the decoder, together with the
neighbouring lines by which it judges their times.
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
    KeyContext,
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
from .keys import MOST_TEXT
from .quoted_text import MOST_LINES
from .times import FAR

_AT_ONCE = 32
"""Waits with unknown prefixes are learned in groups of this size; after each group the remaining waits are matched
again.
"""
_WAIT, _TIM, _STARS = b"WAIT #", b" tim=", b"***"
_SMALL_LETTER = np.uint8(ord("w") - ord("W"))
_SMALL = as_word(b"    ")
"""Setting these bits turns the letters of WAIT into small ones."""
_DOTLESS = b"wa\xc4"
"""The beginning of WAIT with the Turkish dotless I, which the decoder accepts as an I."""
_TAIL_WORDS = 3
_PARSING, _PROGRAM, _END = b"PARSING IN CURSOR #", b"APPNAME ", b"END OF STMT"
_CONTEXT = (_PARSING, _PROGRAM, *(b"*** %b:(" % name for name in (b"MODULE NAME", b"ACTION NAME", b"CLIENT ID")))
_CONTEXT += tuple(b"*** %b:(" % name for name in (b"SERVICE NAME", b"SESSION ID", b"CONTAINER ID"))
_FIRST_OF_CONTEXT = np.array([literal[0] for literal in _CONTEXT[:3]], np.uint8)
_BEFORE_TIM = np.uint64(8 * (BYTES - len(_TIM)))
"""Shift by this many bits to keep only the bytes directly before the digits of ``tim``."""
_DIGITS = headroom(bytes([9] * BYTES))
_BEGINNING = re.compile(rb"(WAIT #)(\d{1,20})(: nam='([^']*)' ela= ?)", re.IGNORECASE)
_SURE_BEFORE = 2
"""Sure waits after which the decoder knows the time. One is not enough: the decoder has not seen the lines before it,
so a single one can look wrong to it.
"""


def scan_of(head: Head) -> Fit | None:
    """See ``scan.contract.ScanModule``. Other units of time are left to the decoder."""
    return Fit(OracleTraceScan()) if head.known.tim_unit in ("", TIM_UNITS[0]) else None


class OracleTraceScan:
    """Scans a trace. The line prefixes learned in one chunk are tried first in the next."""

    unit, clock, label, source = Unit.US, Clock.EPOCH, LABEL, SOURCE

    def __init__(self) -> None:
        self._known = LinePrefixes(), 0

    def scan(self, text: Chunk) -> ChunkEvents:
        """The waits of a chunk."""
        waits, odd, dated = _classify(text)
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
        # If all times are close together, none is far from its neighbours.
        near = not tims.size or int(tims.max()) - int(tims.min()) < FAR // 2
        astray = _far_from_neighbours(tims) if not near else tims[:0]
        if astray.size:  # the decoder judges such a time by its neighbours
            hard += waits[astray].tolist()
            waits, numbers, latencies, tims = (np.delete(part, astray) for part in (waits, numbers, latencies, tims))
        if dated.size:  # a date changes nothing if the next line has a time that needs no date
            dated = dated[np.append(waits, 0)[waits.searchsorted(dated + 1)] != dated + 1]
        # The decoder gets the last wait of the chunk: if the file ends there, it judges whether its time was cut off,
        # and it needs to see some waits.
        own = {*hard, *waits[-1:].tolist(), *dated.tolist()}
        waits, numbers, latencies, tims = waits[:-1], numbers[:-1], latencies[:-1], tims[:-1]
        decoded, known = _waits_for_decoder(text, own, waits, tims)
        return ChunkEvents(names, numbers - 1, latencies, tims, waits, text.count, decoded, known)

    def key_context(self, text: Chunk) -> Iterator[KeyContext]:
        """The statements of cursors, and the lines that say whose the next waits are."""
        first = text.buffer[text.starts]
        lines = np.isin(first, _FIRST_OF_CONTEXT).nonzero()[0]
        lines = lines[np.logical_or.reduce([text.holds(text.starts[lines], literal) for literal in _CONTEXT])]
        for line in lines.tolist():
            raw = text.line(line)
            if raw.startswith(_PARSING):
                yield KeyContext(raw[len(_PARSING) :].partition(b" ")[0], line, _statement(text, line))
            elif raw.startswith(_STARS):
                yield KeyContext(raw.partition(b":(")[0], line, [raw])
            else:
                yield KeyContext(_PROGRAM, line, [raw])

    def _named(self, text: Chunk, begins: Places) -> tuple[list[str], Places, ByteWords]:
        """The names known so far; for each line the number of its name, from 1 on, or 0; and the text after ``ela=``
        and its blank.
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


def _statement(text: Chunk, first: int) -> list[bytes]:
    """The line that begins a statement, the statement as far as it is in the chunk and is shown, and its end."""
    lines, size = [text.line(first)], 0
    for line in range(first + 1, min(first + MOST_LINES, text.count)):
        lines.append(text.line(line))
        size += len(lines[-1])
        if lines[-1].rstrip() == _END or size > MOST_TEXT:
            break
    return [*lines, _END]


def _beginnings(text: Chunk, begins: Places) -> Iterator[LinePrefix]:
    """The line prefixes of those lines whose prefix can be learned."""
    for place in begins.tolist():
        found = _BEGINNING.match(text.buffer[place : place + LONGEST_PREFIX].tobytes())
        if found:
            yield LinePrefix.of(found)


def _name(behind: bytes) -> str:
    """The series of waits with this prefix."""
    return wait_series(behind[behind.index(b"'") + 1 : behind.rindex(b"'")].decode(errors="replace"))


def _classify(text: Chunk) -> tuple[Places, Places, Places]:
    """Lines whose first character fits a wait, lines that only the decoder can judge, lines that begin like dates."""
    first = text.buffer[text.starts] | _SMALL_LETTER
    waits, dated = (first == ord("w")).nonzero()[0], (first == ord("*")).nonzero()[0]
    dated = dated[text.holds(text.starts[dated], _STARS)]
    escaped = text.escaped_lines()
    if escaped.size:
        waits, dated = np.setdiff1d(waits, escaped, True), np.setdiff1d(dated, escaped, True)
    return waits, escaped, dated


def _are_waits(heads: ByteWords) -> Flags:
    """Whether lines begin as waits do, or possibly do."""
    found: Flags = ((heads & first_bytes(len(_WAIT))) | _SMALL) == (as_word(_WAIT) | _SMALL)
    found |= ((heads & first_bytes(len(_DOTLESS))) | as_word(b"  ")) == as_word(_DOTLESS)
    return found


def _tims(tails: WordRows) -> tuple[Places, Flags]:
    """The ``tim`` at the end of each line, and whether there is one that counts from 1970.

    A ``tim`` has 16 digits: two byte words of 8 digits each. The upper word changes only every 100 s, so it is
    converted once per run of equal words.
    """
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


def _far_from_neighbours(tims: Places) -> Places:
    """The places of times that are far from a neighbour.

    They are found at half the distance that the decoder allows, because lines that are not read here can have times
    in between.
    """
    far = np.abs(np.diff(tims)) > FAR // 2
    astray: Places = (np.append(far, False) | np.append(False, far)).nonzero()[0]
    return astray


def _waits_for_decoder(
    text: Chunk, own: set[int], sure: Places, tims: Places
) -> tuple[dict[int, bytes], dict[int, int | None]]:
    """The decoder's ``own`` lines, and the lines around them that it needs as context.

    The context is: every line with a time, back to the point where _SURE_BEFORE ``sure`` waits are included, and the
    next line with a time after it. The first and last times of the chunk are included for the lines of the adjacent
    chunks. The first result contains the texts of all these lines, the second the context lines only, with the ``tims``
    of sure waits.
    """
    context = _Context(text, own, sure)
    lines = sorted(own)
    for index in [*lines, text.count]:
        context.look_back(index)
    for index in [*lines[::-1], -1]:
        context.look_ahead(index)
    # The line after a wait that looks cut off shows that the wait is not the last line.
    context.add({0, *(index + 1 for index in own)})
    known = np.array(sorted(context.decoded.keys() - own), np.int64)
    counted = np.isin(known, sure).tolist()
    moments = tims[np.minimum(sure.searchsorted(known), sure.size - 1)].tolist() if sure.size else [None] * known.size
    context_tims = zip(known.tolist(), moments, counted, strict=True)
    return context.decoded, {index: moment if is_counted else None for index, moment, is_counted in context_tims}


class _Context:
    """The lines found so far.

    Look back from the decoder's own lines in ascending order, and ahead from them in descending order: a look can then
    stop at the first own line that it meets, because that line's context has already been added.
    """

    def __init__(self, text: Chunk, own: set[int], sure: Places) -> None:
        self.decoded = {index: text.line(index) for index in own}
        self._text, self._own, self._sure = text, own, sure

    def look_back(self, index: int) -> None:
        """Add the times before a line, until _SURE_BEFORE of them are sure."""
        count = _SURE_BEFORE
        while count and index > 0 and index - 1 not in self._own:
            index -= 1
            if self._tim_at(index) is not None:
                count -= self._is_sure(index)

    def look_ahead(self, index: int) -> None:
        """Add the next time after a line, and one more if that is far from the line's own time: the second one decides.

        Start with the last line. Times that do not count from 1970 do not end the search.
        """
        last = _tim_of(self.decoded[index]) if index >= 0 else None
        while index < self._text.count - 1 and index + 1 not in self._own:
            index += 1
            tim = self._tim_at(index)
            if tim is not None and EARLIEST <= tim < LATEST:
                if last is None or abs(tim - last) < FAR // 2:
                    return
                last = None

    def add(self, indices: set[int]) -> None:
        """Add some lines if they are in the chunk."""
        for index in indices - self.decoded.keys():
            if index < self._text.count:
                self.decoded[index] = self._text.line(index)

    def _tim_at(self, index: int) -> int | None:
        """The ``tim`` of a line; a line that has one is added."""
        line = self._text.line(index)
        tim = _tim_of(line) if b"tim=" in line else None
        if tim is not None:
            self.decoded[index] = line
        return tim

    def _is_sure(self, index: int) -> bool:
        place = int(self._sure.searchsorted(index))
        return place < self._sure.size and int(self._sure[place]) == index


def _tim_of(line: bytes) -> int | None:
    """The ``tim`` that the decoder finds in a line."""
    text = line.decode(errors="replace")
    wait = WAIT.match(text)
    call = None if wait else CALL.match(text)
    tim = wait[3] if wait else call[1] if call else None
    return None if tim is None else int(tim)
