"""The twin of ``decoder.py`` for large files: reads many waits of an Oracle SQL trace at a time.

``WAIT #digits: nam='...' ela= digits ... tim=16 digits``. Other lines that matter go to the decoder, together with the
neighbouring lines by which it judges their times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

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
    KeysOfLines,
    LinePrefix,
    LinePrefixes,
    NotScannable,
    Places,
    all_within,
    as_word,
    eight_digits,
    first_bytes,
    headroom,
    number_before_blank,
    run_starts,
    usual_number,
)
from ...text.lines import line_of
from ...units import TIM_UNITS, Unit
from .clock import DATE, EARLIEST, LATEST, unit_of_release
from .decoder import CALL, LABEL, SOURCE, WAIT, wait_series
from .keys import MOST_TEXT
from .quoted_text import END_OF_STATEMENT, MOST_LINES, PARSING_BEGIN
from .scan_keys import keys_of, looks_back, notes_of
from .scan_quoted import QuotedLines
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
_ORACLE = b"Oracle"
EPOCH_DIGITS, LONGEST_TIM = 16, 20
_LAST_TIM = re.compile(rb" tim=([0-9]{9,16})$")
_PARSING, _PROGRAM, _END = PARSING_BEGIN.encode(), b"APPNAME ", END_OF_STATEMENT.encode()
_CONTEXT = (_PARSING, _PROGRAM, *(b"*** %b:(" % name for name in (b"MODULE NAME", b"ACTION NAME", b"CLIENT ID")))
_CONTEXT += tuple(b"*** %b:(" % name for name in (b"SERVICE NAME", b"SESSION ID", b"CONTAINER ID"))
_FIRST_OF_CONTEXT = np.array([literal[0] for literal in _CONTEXT[:3]], np.uint8)
_DIGITS = headroom(bytes([9] * BYTES))
_BEGINNING = re.compile(rb"(WAIT #)(\d{1,20})(: nam='([^'\n]*)' ela= ?)", re.IGNORECASE)
_SURE_BEFORE = 2
"""Sure waits after which the decoder knows the time. One is not enough: the decoder has not seen the lines before it,
so a single one can look wrong to it.
"""


def scan_of(head: Head) -> Fit | None:
    """See ``scan.contract.ScanModule``. Other units of time, and calls, are left to the decoder."""
    lines = head.data.split(b"\n")[:-1]
    if head.known.calls or head.known.tim_unit != TIM_UNITS[0] or any(map(_is_old_release, lines)):
        return None
    begin = head.begin()
    if begin is not None:
        tim = _tim_of(begin.line)
        if tim is None or EARLIEST <= tim < LATEST:
            return Fit(OracleTraceScan())
        return Fit(OracleTraceScan(begin.sample.micros - tim), begin.lines)
    waits = [number for number, line in enumerate(lines) if _tim_of(line) is not None and WAIT.match(line_of(line))]
    if not waits or any(map(_has_date, lines)):
        return Fit(OracleTraceScan())
    undated = OracleTraceScan(0, Clock.FREE)
    return Fit(undated, tuple(lines[: waits[0] + 1]), head.known._replace(undated=True))


class OracleTraceScan:
    """Scans a trace. The line prefixes learned in one chunk are tried first in the next.

    ``zero``: what to add to a ``tim`` to get to the ``clock``; None if it counts from 1970.
    """

    unit, label, source = Unit.US, LABEL, SOURCE

    def __init__(self, zero: int | None = None, clock: Clock = Clock.EPOCH) -> None:
        self.clock = clock
        self._zero = zero
        self._known = LinePrefixes(), 0
        self._quoted: QuotedLines | None = None

    def scan(self, text: Chunk) -> ChunkEvents:
        """The waits of a chunk."""
        quoted = self._quoted_in(text)
        waits, odd, dated = _classify(text)
        self._refuse_others(text, dated)
        judged = quoted.lines_to_judge(np.concatenate((waits, odd, dated)))
        if judged:
            waits, odd, dated = (np.setdiff1d(lines, np.array([*judged]), True) for lines in (waits, odd, dated))
        begins, ends = (text.starts, text.ends) if waits.size == text.count else (text.starts[waits], text.ends[waits])
        names, numbers, behind = self._named(text, begins)
        values, sure = number_before_blank(behind)
        latencies = values.view(np.int64)
        tims, dated_too = self._tims(text, ends)
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
        if dated.size and self._zero is None:  # a date changes nothing if the next line has a time that needs no date
            dated = dated[np.append(waits, 0)[waits.searchsorted(dated + 1)] != dated + 1]
        # The decoder gets the last wait of the chunk: if the file ends there, it judges whether its time was cut off,
        # and it needs to see some waits.
        own = {*hard, *waits[-1:].tolist(), *dated.tolist(), *judged}
        waits, numbers, latencies, tims = waits[:-1], numbers[:-1], latencies[:-1], tims[:-1]
        tims += self._zero or 0
        context = _Context(text, own, waits, quoted, needs_epoch=self._zero is None)
        decoded, known = context.for_decoder(tims)
        return ChunkEvents(names, numbers - 1, latencies, tims, waits, text.count, decoded, known)

    def _quoted_in(self, text: Chunk) -> QuotedLines:
        """The quoted text of a chunk, found once for all that is asked about the chunk."""
        if self._quoted is None or self._quoted.text is not text:
            self._quoted = QuotedLines(text)
        return self._quoted

    def _refuse_others(self, text: Chunk, dated: Places) -> None:
        """Raise NotScannable where only the decoder knows the time: behind dates, if there were none before, and in
        traces of old releases.
        """
        if self.clock is Clock.FREE and any(_has_date(text.line(line)) for line in dated.tolist()):
            raise NotScannable
        heads = (text.buffer[text.starts] == _ORACLE[0]).nonzero()[0]
        heads = heads[text.holds(text.starts[heads], _ORACLE)]
        if any(_is_old_release(text.line(line)) for line in heads.tolist()):
            raise NotScannable

    def _tims(self, text: Chunk, ends: Places) -> tuple[Places, Flags]:
        """The ``tim`` at the end of each line, and whether it counts as that of the scan does."""
        digits = EPOCH_DIGITS if self._zero is None else _digits_of_tims(text, ends)
        tims, sure = numbers_behind(text, ends, _TIM, digits)
        counts_from_1970 = (tims >= EARLIEST) & (tims < LATEST)
        sure &= counts_from_1970 if self._zero is None else ~counts_from_1970
        return tims, sure

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

    def keys_of(self, text: Chunk, names: Sequence[str], lines: Places) -> KeysOfLines:
        """See ``scan.HasKeys``."""
        return keys_of(self._quoted_in(text), names, lines)

    def notes_of(self, text: Chunk, names: Sequence[str]) -> Mapping[str, str]:
        """See ``scan.HasNotes``."""
        return notes_of(self._quoted_in(text), names)

    def looks_back(self, names: Sequence[str]) -> bool:
        """See ``scan.HasKeys``."""
        return looks_back(names)

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


def _digits_of_tims(text: Chunk, ends: Places) -> int:
    """How many digits the last ``tim`` of a chunk has: nearly all have as many."""
    for end in ends[: -_AT_ONCE - 1 : -1].tolist():
        found = _LAST_TIM.search(text.buffer[max(end - 2 * LONGEST_TIM, 0) : end].tobytes())
        if found:
            return len(found[1])
    return EPOCH_DIGITS


def numbers_behind(text: Chunk, ends: Places, literal: bytes, digits: int) -> tuple[Places, Flags]:
    """The number of 9 to 16 ``digits`` at the end of each line, and whether it stands behind the literal.

    They are two byte words. The upper one changes only every 100 s, so it is converted once per run of equal words.
    """
    tails = text.rows(ends - 2 * BYTES, 2)
    missing = 2 * BYTES - digits
    zeros = as_word(b"0" * missing)
    upper, lower = (tails[:, 0] & ~first_bytes(missing)) | zeros, tails[:, 1] ^ ZEROS
    firsts = run_starts(upper) if upper.size else np.zeros(0, np.int64)
    once = eight_digits(upper[firsts]).view(np.int64) * 10**BYTES
    plain = all_within(upper[firsts] ^ ZEROS, _DIGITS)
    counts = np.diff(firsts, append=upper.size)
    sure: Flags = np.repeat(plain, counts)
    sure &= all_within(lower, _DIGITS)
    sure &= text.holds(ends - digits - len(literal), literal)
    numbers: Places = eight_digits(lower).view(np.int64)
    numbers += np.repeat(once, counts)
    return numbers, sure


def _far_from_neighbours(tims: Places) -> Places:
    """The places of times that are far from a neighbour.

    They are found at half the distance that the decoder allows, because lines that are not read here can have times
    in between.
    """
    far = np.abs(np.diff(tims)) > FAR // 2
    astray: Places = (np.append(far, False) | np.append(False, far)).nonzero()[0]
    return astray


class _Context:
    """The decoder's ``own`` lines, and the lines around them that it needs as context.

    Look back from its own lines in ascending order, and ahead from them in descending order: a look can then stop at
    the first own line that it meets, because that line's context has already been added. ``needs_epoch``: only times
    that count from 1970 show where a time is.
    """

    def __init__(self, text: Chunk, own: set[int], sure: Places, quoted: QuotedLines, *, needs_epoch: bool) -> None:
        self.decoded = {index: text.line(index) for index in own}
        self._text, self._own, self._sure, self._quoted = text, own, sure, quoted
        self._needs_epoch = needs_epoch

    def for_decoder(self, ends: Places) -> tuple[dict[int, bytes], dict[int, int | None]]:
        """The texts of all lines for the decoder; and those that are context only, with the ``ends`` of sure waits.

        The context is: every line with a time, back to the point where _SURE_BEFORE sure waits are included, and the
        next line with a time after it. The first and last times of the chunk are included for the lines of the adjacent
        chunks.
        """
        lines = sorted(self._own)
        for index in [*lines, self._text.count]:
            self._look_back(index)
        for index in [*lines[::-1], -1]:
            self._look_ahead(index)
        # The line after a wait that looks cut off shows that the wait is not the last line.
        self._add({0, *(index + 1 for index in self._own)})
        self._add({more for index in [*self.decoded] for more in self._quoted.behind(index)})
        sure = self._sure
        known = np.array(sorted(self.decoded.keys() - self._own), np.int64)
        counted = np.isin(known, sure).tolist()
        moments = ends[np.minimum(sure.searchsorted(known), sure.size - 1)].tolist() if sure.size else [0] * known.size
        context = zip(known.tolist(), moments, counted, strict=True)
        return self.decoded, {index: moment if is_counted else None for index, moment, is_counted in context}

    def _look_back(self, index: int) -> None:
        """Add the times before a line, until _SURE_BEFORE of them are sure."""
        count = _SURE_BEFORE
        while count and index > 0 and index - 1 not in self._own:
            index -= 1
            if self._tim_at(index) is not None:
                count -= self._is_sure(index)

    def _look_ahead(self, index: int) -> None:
        """Add the next time after a line, and one more if that is far from the line's own time: the second one decides.

        Start with the last line.
        """
        last = _tim_of(self.decoded[index]) if index >= 0 else None
        while index < self._text.count - 1 and index + 1 not in self._own:
            index += 1
            tim = self._tim_at(index)
            if tim is not None and (EARLIEST <= tim < LATEST or not self._needs_epoch):
                if last is None or abs(tim - last) < FAR // 2:
                    return
                last = None

    def _add(self, indices: set[int]) -> None:
        """Add some lines if they are in the chunk."""
        for index in indices - self.decoded.keys():
            if index < self._text.count:
                self.decoded[index] = self._text.line(index)

    def _tim_at(self, index: int) -> int | None:
        """The ``tim`` of a line; a line that has one is added."""
        line = self._text.line(index)
        tim = _tim_of(line) if b"tim=" in line and not self._quoted.holds(index) else None
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


def _has_date(line: bytes) -> bool:
    return line.startswith(_STARS) and DATE.search(line_of(line)) is not None


def _is_old_release(line: bytes) -> bool:
    return line.startswith(_ORACLE) and unit_of_release(line_of(line)) not in (None, TIM_UNITS[0])
