"""Reads record streams many records at a time: the twin of the line decoder, which reads what is not as usual."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np

from ...intervals import RecordRun, in_snapshots
from ...record import Event, Record
from ...report import Report
from ...stream import NO_EXTENSION, StreamReader
from ...text.lines import Line, UnendedLine, line_of
from ..byte_words import Places
from .blocks import Blocks, chunk_of
from .chunks import TextChunk, chunks_of, texts_in_utf8
from .kinds import Kinds
from .runs import RunMaker

FEWEST = 32
"""Fewer records than this are read line by line."""
SNAPSHOTS = 32
"""A chunk has about so many snapshots of all series: the first and the last records of each are taken one by one."""


class BulkReader:
    """Reads the texts chunk by chunk; ``_place`` is the next line of the chunk, from 0. ``arrived`` says when what was
    read last arrived, and ``in_runs`` whether it may come in runs.
    """

    def __init__(
        self,
        texts: Iterable[Iterable[bytes]],
        report: Report,
        arrived: Callable[[], float | None] = lambda: None,
        in_runs: Callable[[], bool] = lambda: True,
    ) -> None:
        self._chunks = (chunk for text in texts_in_utf8(texts) for chunk in chunks_of(text, self._wanted))
        self._reader = StreamReader(report)
        self._kinds = Kinds()
        self._maker = RunMaker(self._kinds, self._reader.running)
        self._arrived, self._in_runs = arrived, in_runs
        self._arrival: float | None = None
        self._fewest = FEWEST
        self._chunk = TextChunk(b"", 1)
        self._blocks: Blocks | None = None
        self._owners: Places = np.zeros(0, np.int64)
        self._place = 0

    def events(self) -> Iterator[Event | RecordRun]:
        """All that the line decoder yields, with most records in runs."""
        while self._has_lines():
            blocks = self._blocks
            assert blocks is not None
            number = int(blocks.firsts.searchsorted(self._place))
            if number == len(blocks) or blocks.firsts[number] > self._place or not self._reader.is_clear:
                is_here = number < len(blocks) and blocks.firsts[number] == self._place
                yield from self._line_by_line(number + is_here)
                continue
            stop = self._stop(number) if self._owners[number] >= 0 else number
            run = self._run(number, stop) if stop - number >= self._fewest else None
            if run is None:
                yield from self._one(number)
                continue
            self._place = int(blocks.lasts[number + run.owners.size - 1]) + 1
            yield from self._in_snapshots(run)
        self._reader.end()

    def _has_lines(self) -> bool:
        """Whether there are more lines; reads on if necessary."""
        while self._blocks is None or self._place >= self._blocks.text.count:
            chunk = next(self._chunks, None)
            if chunk is None:
                return False
            self._chunk, self._blocks, self._place = chunk, Blocks(chunk_of(chunk.data)), 0
            self._arrival, self._fewest = self._arrived(), FEWEST if self._in_runs() else len(self._blocks) + 1
            self._owners = self._kinds.of(self._blocks.keys)
        return True

    def _wanted(self) -> int:
        """Bytes of the next chunk, as the last one was."""
        if self._blocks is None or not len(self._blocks):
            return 0
        return SNAPSHOTS * self._kinds.series_count * len(self._chunk.data) // len(self._blocks)

    def _stop(self, first: int) -> int:
        """The first block behind those that follow each other without a line between them, and are of known kinds."""
        blocks = self._blocks
        assert blocks is not None
        apart = blocks.firsts[first + 1 :] != blocks.lasts[first:-1] + 1
        ends = np.flatnonzero((self._owners[first:] < 0) | np.append(False, apart))
        return first + int(ends[0]) if ends.size else len(blocks)

    def _run(self, first: int, stop: int) -> RecordRun | None:
        assert self._blocks is not None
        run = self._maker.run(self._blocks, self._owners, slice(first, stop), self._chunk.line)
        return run if run is None or self._arrival is None else replace(run, arrival=self._arrival)

    def _in_snapshots(self, run: RecordRun) -> Iterator[Event | RecordRun]:
        """The run; if the times of the text are final, with the ticks of its snapshots."""
        rounds = self._reader.snapshots.rounds
        if rounds is None:
            if not self._reader.snapshots.are_final:
                yield run
                return
            yield from self._ticked(run.events())
            return
        for part in in_snapshots(run, rounds.stamp, rounds.members, final=True):
            if part.snapshots is None:
                yield from self._ticked(part.events())
            else:
                if (stamp := part.tick(-1).stamp) is not None:
                    rounds.go_on(stamp, part.members_of_last())
                yield part

    def _ticked(self, events: Iterable[Event]) -> Iterator[Event]:
        for record in events:
            if isinstance(record, Record):
                tick = self._reader.snapshots.tick(record, NO_EXTENSION)
                if tick is not None:
                    yield tick
            yield record

    def _one(self, number: int) -> Iterator[Event]:
        """A block that is read line by line, and shows what others of its kind mean."""
        blocks = self._blocks
        assert blocks is not None
        is_known, key = self._owners[number] >= 0, blocks.keys[number]
        line = int(blocks.begins[number]) + self._chunk.line
        records = list[Record]()
        for event in self._line_by_line(number + 1):
            if isinstance(event, Record):
                records.append(event)
            yield event
        is_new = len(records) == 1 and records[0].line == line and not is_known
        if is_new and self._kinds.learn(key, records[0]) and self._blocks is blocks:
            self._owners = self._kinds.of(blocks.keys)

    def _line_by_line(self, number: int) -> Iterator[Event]:
        """What comes before a block, and then up to the end of the record that has begun."""
        blocks = self._blocks
        assert blocks is not None
        stop = int(blocks.firsts[number]) if number < len(blocks) else blocks.text.count
        return self._reader.events(self._lines(stop))

    def _lines(self, stop: int) -> Iterator[Line]:
        """The lines of the chunk up to one, and further ones as long as a record goes on."""
        blocks = self._blocks
        while (self._blocks is blocks and self._place < stop) or self._reader.is_within:
            if not self._has_lines():
                return
            assert self._blocks is not None
            text, place = self._blocks.text, self._place
            self._place += 1
            is_last = not self._chunk.ended and self._place == text.count
            kind = UnendedLine if is_last else Line
            yield kind(self._chunk.line + place, line_of(text.line(place)), self._arrival)
