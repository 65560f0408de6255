"""The twin of ``decoder.py`` for large files: lines under a header, many at a time.

They are words, numbers and decimals with blanks between them.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from ...intervals import DAY_MICROS
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
    NotScannable,
    Places,
    RowSubset,
    WordStarts,
    as_word,
    decimal_format,
    doubtful_lines,
    first_bytes,
)
from ...text.lines import Line, line_of
from .decoder import EPOCH_FROM, HeaderTableDecoder
from .header import COMMANDS, DIRECTIONS, DISKS, NUMBERS, HeaderLayout, header_layout

_MOST = 10**10
"""Latencies from which on lines are left to the decoder, so that sums of a piece are exact."""
_LONGEST, _LONGEST_COMMAND = 80, 40
_HEADERS = {
    "que": r"QUE\(..\)",
    "end": r"ENDs|ENDTIME_?\(?(?:[mun]?s)?\)?",
    "time": r"STARTs|(?:START)?TIME_?\(?(?:[mun]?s)?\)?",
}
"""Those of times, by the groups of the layout."""


def scan_of(head: Head) -> Fit | None:
    """See ``scan.found.ScanModule``."""
    begin = head.begin()
    scan = _scan_of(begin) if begin else None
    return Fit(scan, begin.lines) if begin and scan else None


def _scan_of(begin: FileHead) -> HeaderScan | None:
    """A scan for a text that begins so; None where there are no times, words are not separated by blanks, or
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
    """The words that name a series, and its name."""

    words: tuple[bytes, ...]
    name: str


class HeaderScan:
    """A text with one header. ``times`` are the columns of times by the groups of the layout, and their forms."""

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

    def scan(self, text: Chunk) -> ChunkEvents:
        """The events of a piece."""
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
        sure = rows.sure.nonzero()[0]
        decoded, known = doubtful_lines(text, rows.sure, context)
        self._one_header(decoded)
        found = ChunkEvents(names, series[sure], latencies[sure], ends[sure], text.count, decoded, known)
        return self._with_queue(found, nanos["que"][0][sure], waited[sure]) if "que" in nanos else found

    def _check(self, rows: FieldReader, tokens: WordStarts, text: Chunk) -> None:
        """The words that are neither times nor name a series."""
        starts = tokens.starts
        for column in self._numbers:
            rows.integer(starts[column])
        for column in self._commands:
            # One of a single character may begin a longer one with a blank in it.
            rows.sure &= starts[column + 1] - starts[column] <= _LONGEST_COMMAND
            rows.sure &= text.at(starts[column] + 1).astype(np.uint8) != ord(" ")
        for column in self._words:
            rows.sure &= starts[column + 1] - starts[column] <= _LONGEST

    def _ends(self, nanos: dict[str, Places]) -> Places:
        """Microseconds at which events ended."""
        if "end" in nanos:
            return nanos["end"] // 1000
        ends = nanos["time"] // 1000
        if self._layout.starts:
            ends += nanos["lat"] // 1000
        return ends % DAY_MICROS if self.clock is Clock.DAY else ends

    def _named(self, rows: FieldReader, tokens: WordStarts, text: Chunk) -> tuple[list[str], Places]:
        """The names of series, and for each line the number of its own."""

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
        """What the decoder calls the series of a line; None where it thinks that there is no event."""
        lines = (Line(number, text) for number, text in enumerate((self._header, line_of(line), ""), 1))
        first = next(iter(HeaderTableDecoder(Report("")).events(lines)), None)
        return first.series if isinstance(first, Sample) else None

    def _context(self, rows: FieldReader, tokens: WordStarts, text: Chunk) -> list[int]:
        """What the decoder needs to know whether the last line of all was cut off: of the lines that are sure the last
        one that is short, and the last but one. The last one of all is no longer sure.
        """
        lines: list[int] = rows.sure.nonzero()[0][-2:].tolist()
        if not lines or not self._layout.length:
            return lines
        rows.sure[lines.pop()] = False
        length, before = text.ends - text.starts, tokens.starts[-2]
        short = (length < self._layout.length) | (text.ends - before < self._layout.tail)
        return [*lines, *(short & rows.sure).nonzero()[0][-1:].tolist()]

    def _one_header(self, decoded: dict[int, bytes]) -> None:
        """Raises Unfit where a line is another header."""
        for line in decoded.values():
            if b"LAT" in line or b" MS " in line:
                layout = header_layout(line_of(line))
                if layout is not None and layout != self._layout:
                    raise NotScannable

    def _with_queue(self, found: ChunkEvents, queued: Places, waited: Places) -> ChunkEvents:
        """Events, and the time that each was queued before; those are series of their own."""
        count = len(found.names)
        return found._replace(
            names=[*found.names, *(f"{name},queue" for name in found.names)],
            series=np.concatenate((found.series, found.series + count)),
            latencies=np.concatenate((found.latencies, queued // self._times["que"][1].nanos_per_unit)),
            ends=np.concatenate((found.ends, np.maximum(found.ends - waited // 1000, 0))),
        )
