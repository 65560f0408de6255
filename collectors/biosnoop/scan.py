"""The twin of ``decoder.py`` for large files: reads many lines under a header at a time.

Lines consist of words, integers and decimals, separated by blanks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from ...errors import Refused
from ...record import Clock, Sample
from ...report import Report
from ...scan import (
    BYTES,
    Categories,
    Chunk,
    ChunkEvents,
    DecimalFormat,
    FieldReader,
    FileHead,
    Fit,
    Flags,
    Head,
    KeysOfLines,
    NotScannable,
    NumberFields,
    Places,
    RowSubset,
    SaidBySome,
    WordStarts,
    as_word,
    decimal_format,
    doubtful_lines,
    first_bytes,
    first_of_words,
    keys_alike,
    keys_said,
    numbers_said,
    value_named,
)
from ...text.lines import Line, line_of
from ...units import MICROS_PER_DAY
from .decoder import EPOCH_FROM, HeaderTableDecoder, key_name, keys_in
from .header import COMMANDS, DIRECTIONS, DISKS, NUMBERS, HeaderLayout, header_layout

_MOST = 10**10
"""Lines with latencies from here on go to the decoder, so that the sums of a chunk stay exact."""
_LONGEST, _LONGEST_COMMAND = 80, 40
_HEADERS = {
    "que": r"QUE\(..\)",
    "end": r"ENDs|ENDTIME_?\(?(?:[mun]?s)?\)?",
    "time": r"STARTs|(?:START)?TIME_?\(?(?:[mun]?s)?\)?",
}
"""Patterns for the names of time columns, by the groups of the layout."""


def scan_of(head: Head) -> Fit | None:
    """See ``scan.contract.ScanModule``."""
    begin = head.begin()
    scan = _scan_of(begin) if begin else None
    return Fit(scan, begin.lines) if begin and scan else None


def _scan_of(begin: FileHead) -> HeaderScan | None:
    """A scan for a text with this beginning; None if it has no times, its words are not separated by blanks, or its
    latencies are whole milliseconds.
    """
    header = next((line for line in map(line_of, reversed(begin.lines)) if header_layout(line)), "")
    layout = header_layout(header)
    found = layout.row.match(line_of(begin.line)) if layout and layout.names else None
    if layout is None or found is None or begin.sample.clock is Clock.COUNTED or begin.sample.step:
        return None
    times: dict[str, tuple[int, DecimalFormat]] = {}
    for group, unit in layout.units.items():
        header_of = _HEADERS.get(group, re.escape(layout.latency))
        column = next(place for place, name in enumerate(layout.names) if re.fullmatch(header_of, name))
        decimals = decimal_format(found[group], unit)
        if decimals is None:
            return None
        times[group] = column, decimals
    if "que" in times and times["que"][1].nanos_per_unit != times["lat"][1].nanos_per_unit:
        return None
    return HeaderScan(begin.sample, header, layout, times)


class _Kind(NamedTuple):
    """The words of a line that determine its series, and the series' name."""

    words: tuple[bytes, ...]
    name: str


class _Tokens(NamedTuple):
    """The words of the chunk that was scanned last, and in which lines they are as usual."""

    text: Chunk
    tokens: WordStarts
    sure: Flags


class HeaderScan:
    """Scans a text with one header. ``times`` are the time columns by group of the layout, with their forms."""

    def __init__(
        self, sample: Sample, header: str, layout: HeaderLayout, times: dict[str, tuple[int, DecimalFormat]]
    ) -> None:
        self.unit, self.clock, self.label, self.source = sample.unit, sample.clock, sample.label, sample.source
        self._header, self._layout, self._times = header, layout, times
        names = layout.names
        timed = {column for column, _ in times.values()}
        others = [(column, name) for column, name in enumerate(names) if column not in timed]
        self._keys = [column for column, name in others if name in DIRECTIONS or name in DISKS]
        last = len(names) - 1
        self._open = last not in timed
        plain = [(column, name) for column, name in others if column not in (*self._keys, last)]
        self._commands = [column for column, name in plain if name in COMMANDS]
        self._numbers = [column for column, name in plain if name in (*NUMBERS, "BYTES")]
        self._words = [column for column, name in plain if column not in (*self._commands, *self._numbers)]
        self._kinds = Categories[_Kind]()
        self._last: _Tokens | None = None

    def scan(self, text: Chunk) -> ChunkEvents:
        """The events of a chunk."""
        tokens = WordStarts(text, len(self._layout.names), self._open)
        rows = FieldReader(text, text.count)
        rows.sure &= tokens.sure
        self._check(rows, tokens, text)
        nanos = {group: decimals.read(rows, tokens.starts[column]) for group, (column, decimals) in self._times.items()}
        waited, behind = nanos["lat"]
        if self._layout.length:
            rows.sure &= behind == text.ends
        latencies = waited // self._times["lat"][1].nanos_per_unit
        ends = self._ends({group: value for group, (value, _) in nanos.items()})
        if self.clock is not Clock.DAY:
            rows.sure &= (ends >= EPOCH_FROM) == (self.clock is Clock.EPOCH)
        rows.sure &= latencies < _MOST
        names, series = self._named(rows, tokens, text)
        context = self._context(rows, tokens, text)
        self._last = _Tokens(text, tokens, rows.sure)
        sure = rows.sure.nonzero()[0]
        decoded, known = doubtful_lines(text, rows.sure, context)
        self._one_header(decoded)
        found = ChunkEvents(names, series[sure], latencies[sure], ends[sure], sure, text.count, decoded, known)
        return self._with_queue(found, nanos["que"][0][sure], waited[sure]) if "que" in nanos else found

    def looks_back(self, _names: Sequence[str]) -> bool:
        """See ``scan.HasKeys``: each line says all of its keys."""
        return False

    def keys_of(self, text: Chunk, names: Sequence[str], lines: Places) -> KeysOfLines:
        """See ``scan.HasKeys``. In lines that are sure, the key is the word of a column."""
        columns = [column for column, name in enumerate(self._layout.names) if key_name(name) in names]
        last = self._last if self._last and self._last.text is text else None
        usual = lines[:0]
        alike = usual, usual
        if last and len(columns) == 1 and not (self._open and columns[0] == len(self._layout.names) - 1):
            usual = last.sure[lines].nonzero()[0]
            begins = last.tokens.starts[columns[0]][lines[usual]]
            if columns[0] in self._numbers:
                return keys_said(lines, usual, _numbers_at(text, begins), partial(self._value, text, names))
            alike = first_of_words(text, begins)
        return keys_alike(lines, usual, alike, partial(self._value, text, names))

    def _value(self, text: Chunk, names: Sequence[str], line: int) -> str | None:
        """What the decoder says of a line."""
        found = self._layout.matched(line_of(text.line(line)))
        return None if found is None else value_named(names, [(k.name, k.value) for k in keys_in(self._layout, found)])

    def _check(self, rows: FieldReader, tokens: WordStarts, text: Chunk) -> None:
        """Check the words that are neither times nor part of a series' name."""
        starts = tokens.starts
        for column in self._numbers:
            rows.integer(starts[column])
        for column in self._commands:
            # A word of one character can be the start of a longer command that contains a blank.
            rows.sure &= starts[column + 1] - starts[column] <= _LONGEST_COMMAND
            rows.sure &= text.at(starts[column] + 1).astype(np.uint8) != ord(" ")
        for column in self._words:
            rows.sure &= starts[column + 1] - starts[column] <= _LONGEST

    def _ends(self, nanos: dict[str, Places]) -> Places:
        """The moments in microseconds at which events ended."""
        if "end" in nanos:
            return nanos["end"] // 1000
        ends = nanos["time"] // 1000
        if self._layout.starts:
            ends += nanos["lat"] // 1000
        return ends % MICROS_PER_DAY if self.clock is Clock.DAY else ends

    def _named(self, rows: FieldReader, tokens: WordStarts, text: Chunk) -> tuple[list[str], Places]:
        """The names of the series, and for each line the number of its series."""

        heads = {column: text.at(tokens.starts[column]) for column in self._keys}

        def is_of(kind: _Kind, lines: RowSubset) -> Flags:
            found: Flags = np.ones_like(rows.sure[lines])
            for column, literal in zip(self._keys, kind.words, strict=True):
                found &= (heads[column][lines] & first_bytes(len(literal))) == as_word(literal)
                if len(literal) > BYTES:
                    found &= text.holds(tokens.starts[column][lines], literal)
            return found

        def learn(line: int) -> _Kind | None:
            words = text.line(line).split()
            name = self._name(text.line(line))
            return None if name is None else _Kind(tuple(words[column] + b" " for column in self._keys), name)

        kinds, numbers = self._kinds.numbers(rows.sure, is_of, learn)
        rows.sure &= numbers >= 0
        names = list(dict.fromkeys(kind.name for kind in kinds))
        series = np.array([*(names.index(kind.name) for kind in kinds), 0])
        return names, series[numbers]

    def _name(self, line: bytes) -> str | None:
        """The decoder's name for the series of a line; None if the decoder sees no event in it."""
        lines = (Line(number, text) for number, text in enumerate((self._header, line_of(line), ""), 1))
        try:
            first = next(iter(HeaderTableDecoder(Report("")).events(lines)), None)
        except Refused:  # a text of this line alone would be
            return None
        return first.series if isinstance(first, Sample) else None

    def _context(self, rows: FieldReader, tokens: WordStarts, text: Chunk) -> list[int]:
        """The lines that the decoder needs in order to judge whether the last line of the file was cut off.

        Of the sure lines, these are the last short one and the last but one. The last line itself is no longer sure.
        """
        lines: list[int] = rows.sure.nonzero()[0][-2:].tolist()
        if not lines or not self._layout.length:
            return lines
        rows.sure[lines.pop()] = False
        length, before = text.ends - text.starts, tokens.starts[-2]
        short = (length < self._layout.length) | (text.ends - before < self._layout.tail)
        return [*lines, *(short & rows.sure).nonzero()[0][-1:].tolist()]

    def _one_header(self, decoded: dict[int, bytes]) -> None:
        """Raise Unfit if a line is another header."""
        for line in decoded.values():
            if b"LAT" in line or b" MS" in line:
                layout = header_layout(line_of(line))
                if layout is not None and layout != self._layout:
                    raise NotScannable

    def _with_queue(self, found: ChunkEvents, queued: Places, waited: Places) -> ChunkEvents:
        """The events and, as series of their own, the time that each was queued before."""
        count = len(found.names)
        return found._replace(
            names=[*found.names, *(f"{name},queue" for name in found.names)],
            series=_in_turn(found.series, found.series + count),
            latencies=_in_turn(found.latencies, queued // self._times["que"][1].nanos_per_unit),
            ends=_in_turn(found.ends, np.maximum(found.ends - waited // 1000, 0)),
            places=found.places.repeat(2),
        )


def _numbers_at(text: Chunk, begins: Places) -> SaidBySome:
    """What words say that were found to be digits."""
    rows = FieldReader(text, begins.size)
    values, behind = rows.number(begins)
    numbers = NumberFields(values, begins, behind)
    return numbers_said(numbers, rows.sure & numbers.are_plain(text))


def _in_turn(first: Places, second: Places) -> Places:
    """One of the first, one of the second, and so on."""
    return np.stack((first, second), axis=1).ravel()
