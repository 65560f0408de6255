"""The twin of ``decoder.py`` for large files: reads many lines of fio's latency logs at a time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import ascii_lowercase

import numpy as np

from ...record import Clock
from ...scan import (
    Bytes,
    Chunk,
    ChunkEvents,
    FieldReader,
    FileHead,
    Fit,
    Flags,
    Head,
    KeysOfLines,
    NumberFields,
    Places,
    doubtful_lines,
    lines_at,
    matching_places,
)
from .decoder import REAL, SERIES
from .scan_keys import IoParts, keys_of

_MOST = 10**10
"""Lines with latencies from here on go to the decoder, so that the sums of a chunk stay exact."""
_SYNC = SERIES.index("sync")
_LETTER = re.compile(rb"[A-Za-z]")
_ZERO, _A, _SMALL, _COMMA, _BLANK, _FEED = (np.uint8(char) for char in b"0a , \n")
_NINE = 9


def scan_of(head: Head) -> Fit | None:
    """See ``scan.contract.ScanModule``."""
    begin = head.begin()
    return Fit(FioLogScan(begin), begin.lines) if begin else None


class FioLogScan:
    """Scans a log with a known beginning, in the unit and with the clock that the decoder found."""

    def __init__(self, begin: FileHead) -> None:
        sample = begin.sample
        self.unit, self.clock, self.label, self.source = sample.unit, sample.clock, sample.label, sample.source
        self._comma = b", " if b", " in begin.line else b","
        self._letters = _LETTER.search(begin.line) is not None
        self._last: IoParts | None = None

    def scan(self, text: Chunk) -> ChunkEvents:
        """The I/Os of a chunk."""
        rows, comma = FieldReader(text, text.count), self._comma
        milli, place = rows.number(text.starts)
        latency, place = rows.number(rows.literal(place, comma))
        direction, place = rows.digit(place, comma, comma)
        of_size = place
        size, place = rows.number(place)
        if self._letters:
            rows.sure &= text.holds(place, b",") | (place == text.ends)
        rows.sure &= (direction < len(SERIES)) & ((size > 0) | (direction == _SYNC)) & (latency < _MOST)
        rows.sure &= (milli >= REAL) == (self.clock is Clock.EPOCH)
        rows.sure[_others(text, self._letters)] = False
        self._last = IoParts(text, rows.sure, direction, NumberFields(size, of_size, place))
        sure = rows.sure.nonzero()[0]
        decoded, known = doubtful_lines(text, rows.sure)
        return ChunkEvents(
            list(SERIES), direction[sure], latency[sure], milli[sure] * 1000, sure, text.count, decoded, known
        )

    def looks_back(self, _names: Sequence[str]) -> bool:
        """See ``scan.HasKeys``: each line says all of its keys."""
        return False

    def keys_of(self, text: Chunk, names: Sequence[str], lines: Places) -> KeysOfLines:
        """See ``scan.HasKeys``."""
        last = self._last if self._last and self._last.text is text else None
        return keys_of(text, names, lines, last, self._comma)


def _others(text: Chunk, letters: bool) -> Places:
    """Lines with characters other than digits, commas and blanks after commas; ``letters``: those of priorities."""

    def other(those: Bytes) -> Flags:
        chars, before = those[1:], those[:-1]
        found = (chars - _ZERO) > _NINE
        if letters:
            found &= ((chars | _SMALL) - _A) >= len(ascii_lowercase)
        found &= (chars != _COMMA) & (chars != _FEED)
        found &= (chars != _BLANK) | (before != _COMMA)
        return found

    places = matching_places(text, other)
    at_the_end = text.holds(places, b"\r\n") if places.size else np.zeros(0, np.bool_)
    return lines_at(text, places[~at_the_end])
