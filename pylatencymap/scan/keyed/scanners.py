"""Scan a file by a key of its events: the values that waited most, then the counts of their series."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, cast

import numpy as np

from ...broken_texts import decode_lines
from ...collector import Collector, Known
from ...intervals import Dividing, Summing, half_nanos, half_nanos_of, names_of_key, within_limits
from ...record import Clock, Sample
from ...report import Report
from ...stream import is_on_axis
from ..byte_words import Flags, Places
from ..chunk import Chunk
from ..contract import ChunkCounts, ChunkEvents, ChunkKeys
from ..counts import PackedBins, count_chunk
from ..file import FileScanner, FileToScan, MakeBins
from ..reader import NotScannable, TextChunks
from ..sums import sum_events
from ..time_check import TimeCheck, divide
from .said import UNKNOWN, HasKeys, HasNotes, KeysOfLines, SaidBefore, Value, chunk_of

MOST_NOTES = 100_000
"""Values whose notes are kept."""


class _Said(NamedTuple):
    """What the events of a chunk say about the key: those of the scan, and those of the decoder's own lines."""

    keys: KeysOfLines
    numbers: Places
    own: dict[int, int]


class _ByKey(FileScanner):
    """What both scans by a key share: the values of the decoder's own lines, by their numbers in the file."""

    def __init__(self, file: FileToScan, key: str, make_bins: MakeBins = PackedBins) -> None:
        super().__init__(file, make_bins)
        if not isinstance(self._scan, HasKeys):
            raise NotScannable
        self._names, self._keys = names_of_key(key), self._scan
        self._before = SaidBefore()
        self._own: dict[int, Value] = {}
        self._lines_read = 0

    def _said_in(self, text: Chunk, found: ChunkEvents) -> _Said:
        own = sorted(found.decoded.keys() - found.known.keys())
        keys = self._keys.keys_of(text, self._names, np.concatenate((found.places, np.array(own, np.int64))))
        numbers, others = keys.numbers[: found.places.size], keys.numbers[found.places.size :]
        told = {line: place for line, place in zip(own, others.tolist(), strict=True) if place != UNKNOWN}
        return _Said(keys._replace(numbers=numbers[:0]), numbers, told)

    def _take_keys(self, keyed: ChunkKeys, before: int, lines: int) -> list[Value]:
        """The values of a chunk that follows ``before`` lines."""
        values = self._before.values_of(keyed.said)
        self._before.add(keyed.said.later)
        self._own.update((before + 1 + line, values[place]) for line, place in keyed.own.items())
        self._lines_read = before + lines
        return values

    def _value_at(self, event: Sample) -> Value:
        """The value of an event that the decoder found. Raises NotScannable if its line was not looked at."""
        if event.line in self._own:
            return self._own[event.line]
        if event.line != self._lines_read + 1:
            raise NotScannable
        said = self._keys.keys_of(chunk_of(self._file.chunks.tail()), self._names, np.zeros(1, np.int64))
        if said.numbers[0] == UNKNOWN:
            raise NotScannable
        return self._before.values_of(said)[int(said.numbers[0])]


class ValueScanner(_ByKey):
    """Adds up what the values have waited. Times are not looked at."""

    def __init__(self, file: FileToScan, by: Summing) -> None:
        super().__init__(file, by.asked.key)
        self._by = by
        self._notes: dict[str, str] = {}
        self._values: set[Value] = set()

    def sum_values(self, collector: Collector, known: Known) -> None:
        """Read the file. Raises NotScannable: then the sums are of no use. Raises what the decoder raises."""
        report = self._report
        times = TimeCheck(self._scan, self._bins.width, report)
        for event in within_limits(
            decode_lines(collector, self._lines(times), report, known._replace(keys=False)), report
        ):
            if not isinstance(event, Sample) or event.clock is not self._scan.clock or not is_on_axis(event.micros):
                raise NotScannable
            if event.line not in self._known and self._by.is_at(event):
                self._add_up(event.series, self._value_at(event), half_nanos(event))
        for value in sorted(self._notes.keys() & self._values):
            self._by.sums.explain(value, self._notes[value])

    def _add_up(self, series: str, value: Value, waited: int) -> None:
        self._values.add(value)
        self._by.add((series, value), waited)

    def _take_in(self, found: ChunkCounts, before: int) -> None:
        assert found.keyed is not None
        values = self._take_keys(found.keyed, before, found.lines)
        for series, place, latency in found.keyed.waited:
            self._add_up(found.names[series], values[place], half_nanos_of(latency, self._scan.unit))
        self._take_notes(found.keyed.notes)

    def _take_notes(self, notes: Mapping[str, str]) -> None:
        """Take what a chunk says. Raises NotScannable if a value has several notes: then it matters which events have
        which.
        """
        for value, note in notes.items():
            known = self._notes.get(value)
            if known is None and len(self._notes) < MOST_NOTES:
                self._notes[value] = note
            elif known is not None and known != note:
                raise NotScannable

    def _counted(self, text: Chunk) -> ChunkCounts:
        found = self._scan.scan(text)
        said = self._said_in(text, found)
        size, within = max(len(said.keys.values), 1), self._within(found.ends)
        pairs = (found.series * size + said.numbers)[within]
        waited = np.bincount(pairs, found.latencies[within]) if pairs.size else np.zeros(0)
        present = np.unique(pairs)
        sums = [(pair // size, pair % size, round(waited[pair])) for pair in present.tolist()]
        nothing = sum_events(found.ends[:0], found.ends[:0], found.ends[:0])
        counts = ChunkCounts(found.names, nothing, None, found.lines, found.decoded, found.known, [], {}, 0)
        notes = self._keys.notes_of(text, self._names) if isinstance(self._keys, HasNotes) else {}
        return counts._replace(keyed=ChunkKeys(said.keys, said.own, sums, notes))

    def _within(self, ends: Places) -> Flags:
        """Which events are of the time that is asked for."""
        within: Flags = np.ones(ends.size, np.bool_)
        if self._scan.clock is Clock.EPOCH:
            within &= ends >= (0 if self._by.first is None else self._by.first)
            within &= ends < (np.iinfo(np.int64).max if self._by.last is None else self._by.last)
        return within


class KeyedScanner(_ByKey):
    """Counts the events of a file in the series of a division."""

    def __init__(self, file: FileToScan, by: Dividing, make_bins: MakeBins = PackedBins) -> None:
        super().__init__(file, by.division.asked.key, make_bins)
        self._by = by
        self._later: list[Mapping[bytes, Value]] = []
        self._here, self._next = SaidBefore(), 0

    def count(self, collector: Collector, report: Report, known: Known) -> tuple[int, int]:
        """See FileScanner. If keys stand in earlier lines, the file is first read for these."""
        if self._keys.looks_back(self._names):
            nothing = np.zeros(0, np.int64)
            text = cast(TextChunks, self._file.chunks)  # what was counted of a text before is not divided
            found = text.counts(lambda chunk: self._keys.keys_of(chunk, self._names, nothing))
            self._later = [keys.later for _, keys in found]
        return super().count(collector, report, known._replace(keys=False))

    def _again(self, ends: set[int]) -> FileScanner:
        again = KeyedScanner(self._file, self._by, self._make_bins)
        again._beside_strays = frozenset(ends)
        return again

    def _as_counted(self, event: Sample) -> Sample:
        return event._replace(series=self._by.series_of((event.series, self._value_at(event))))

    def _take_in(self, found: ChunkCounts, before: int) -> None:
        assert found.keyed is not None
        self._take_keys(found.keyed, before, found.lines)
        super()._take_in(found, before)

    def _counted(self, text: Chunk) -> ChunkCounts:
        for later in self._later[self._next : text.number]:  # a process takes its chunks in their order
            self._here.add(later)
        self._next = max(text.number, self._next)
        found = self._scan.scan(text)
        said = self._said_in(text, found)
        divided = self._divided(found, said.numbers, self._here.values_of(said.keys))
        width = self._bins.width
        counts = count_chunk(divided, divide(divided, self._scan.clock, width, self._beside_strays), width)
        return counts._replace(keyed=ChunkKeys(said.keys, said.own, []))

    def _divided(self, found: ChunkEvents, numbers: Places, values: list[Value]) -> ChunkEvents:
        """The events of a chunk in the series of the division."""
        size = max(len(values), 1)
        pairs, places = np.unique(found.series * size + numbers, return_inverse=True)
        series: dict[str, int] = {}
        renamed = np.zeros(pairs.size, np.int64)
        for place, pair in enumerate(pairs.tolist()):
            name = self._by.series_of((found.names[pair // size], values[pair % size]))
            renamed[place] = series.setdefault(name, len(series))
        return found._replace(names=[*series], series=renamed[places] if pairs.size else found.series)
