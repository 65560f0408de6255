"""Reads one input, or a split of a large one, into a portion: what a process does for an aggregation.

A large plain file of a kind that has a scan is counted in splits, each without knowing the others. What cannot be
counted so, a split leaves to the last step: this shows the decoder the lines in doubt of all splits, in order. Any
other input is one task.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ..collector import Known
from ..errors import BadInput, LatencyMapError, SourceError
from ..interval import Interval
from ..intervals import Batches, bin_width, join_continued
from ..record import Clock, Mark, Semantics
from ..report import Report
from ..scan import CountedChunks, Fit, NotScannable, Seam, SplitChunks, account_of, count_pieces, count_split, tail
from ..session.input import (
    ParquetSource,
    ReadPlan,
    RecognisedText,
    RecordedFolder,
    RolledLog,
    Source,
    StopRequest,
    decoded_text,
    dividing,
    file_to_scan,
    fit_of,
    open_path,
    recognised,
    scanner_of,
    values_of_file,
)
from ..tables import columns_of_batches, columns_of_intervals
from ..text.clean import printable
from .interval_counts import NotOnGrid, counts_of_intervals
from .portions import Portion, PortionBins, PortionWriter

SPLIT = 64 << 20
"""Bytes of a split."""
LEAST_SPLIT = 3 * SPLIT // 2
"""Shorter files are one task."""
AT_ONCE = 1024
"""Intervals of one block of a portion."""
WHOLE, PART, LAST, VALUES = "whole", "split", "last", "values"
_ONLY_KEPT = ("account", "seam", "sums")
"""What only the portion has of a result, because it can be long."""
_NODE = re.compile(rb"^Node name:[ \t]+([^\s]{1,255})", re.MULTILINE)
_HEAD = 1 << 14


class ReadTask(NamedTuple):
    """A step of an aggregation: a WHOLE input, a PART of a file, the LAST step of a file whose parts were counted, or
    what the VALUES of the key in an input have waited, which comes before the others.

    ``size`` and ``modified`` (nanoseconds) are those of the file when it was listed. ``name``: the portion to write.
    ``parts``: for the last step, the portions of the parts.
    """

    step: str
    path: str
    size: int
    modified: int
    name: str
    begin: int = 0
    end: int = 0
    parts: tuple[str, ...] = ()


def task_of(values: list[Any]) -> ReadTask:
    """A task that was kept as JSON."""
    step, path, size, modified, name, begin, end, parts = values
    return ReadTask(step, path, size, modified, name, begin, end, tuple(parts))


class StandIn(NamedTuple):
    """What stands here for a file that is elsewhere: a file of the same size and time, with its first and last bytes,
    or with all of them if it ``is_whole``. ``split``: the text of a split, as it comes.
    """

    path: Path
    is_whole: bool
    split: SplitChunks | None = None


class InputReader:
    """Does the tasks. ``plan`` says how inputs are read, ``folder`` is where portions go. ``progress`` is called with
    the bytes of the input that have been read so far in a task. ``split``: the bytes of a split, if not SPLIT.
    ``at``: the folder in which relative paths are, if it is not that of this process.
    """

    def __init__(
        self,
        plan: ReadPlan,
        folder: Path,
        strict: bool,
        progress: Callable[[int], object],
        split: int | None = None,
        at: str = "",
    ) -> None:
        self._at = at
        self._plan, self._folder, self._strict = plan, folder, strict
        self._progress = progress
        self._split, self._least = (SPLIT, LEAST_SPLIT) if split is None else (split, 3 * split // 2)

    @property
    def least_split(self) -> int:
        """The bytes from which on a file is counted in parts."""
        return self._least

    @property
    def divides(self) -> bool:
        """Whether any file is counted in parts: not by a key of the events, for which earlier lines count."""
        return self._plan.time.semantics in (None, Semantics.INTERVAL) and not self._plan.by

    def splits(self, path: str, size: int) -> list[tuple[int, int]]:
        """The parts in which a file, or its stand-in, can be counted; empty if it is one task. Raises SourceError."""
        if size < self._least or not self.divides:
            return []
        stop = StopRequest()
        source = open_path(path, stop)
        try:
            return self._splits_of(source, size)
        finally:
            source.close()
            stop.close()

    def _splits_of(self, source: Source, size: int) -> list[tuple[int, int]]:
        if isinstance(source, RecordedFolder | ParquetSource) or source.live or source.text_bytes != size:
            return []
        text = recognised(source, self._plan.afresh(), Report(source.name))
        if text is None or fit_of(source, text.collector, text.known) is None:
            return []
        return [(begin, min(begin + self._split, size)) for begin in range(0, size, self._split)]

    def done(self, task: ReadTask, stand_in: StandIn | None = None) -> dict[str, Any]:
        """Do a task. The result says what else was found; the counts are in the portion. Only BadInput is raised, with
        ``strict``; any other error of the input is in the result as ``failed``. A last step whose file is not here and
        has to be read as a whole says ``again``.
        """
        messages: list[str] = []
        plan, stop = self._plan.afresh(), StopRequest()
        source: Source | None = None
        reading: _Reading | None = None
        try:
            source = open_path(str(stand_in.path) if stand_in else os.path.join(self._at, task.path), stop)
            source.name = printable(task.path)
            source.progress = lambda _name, done, _size: self._progress(done)
            _check_unchanged(source, task)
            report = Report(source.name, strict=self._strict, say=messages.append)
            reading = _Reading(source, plan, report, PortionWriter(self._folder / task.name))
            about = self._step(reading, task, stand_in) | {"host": host_of(source, self._at)}
            _check_unchanged(source, task)
            about |= {"messages": messages, "notices": list(plan.notices.values())}
            reading.portion.finish(about)
            return {name: value for name, value in about.items() if name not in _ONLY_KEPT}
        except BadInput:
            raise
        except LatencyMapError as error:
            bad = 0 if reading is None else reading.bad
            return {"failed": str(error), "status": int(error.status), "messages": messages, "bad": bad}
        finally:
            if reading is not None:
                reading.portion.drop()
            if source is not None:
                source.close()
            stop.close()

    def _step(self, reading: _Reading, task: ReadTask, stand_in: StandIn | None) -> dict[str, Any]:
        if task.step == VALUES:
            return reading.values()
        if task.step == PART:
            return reading.part(task.begin, task.end, task.size, stand_in and stand_in.split)
        if task.step == LAST:
            parts = [Portion.at(self._folder / name) for name in task.parts]
            return reading.last_step(parts, is_here=stand_in is None or stand_in.is_whole)
        return reading.whole()


def _check_unchanged(source: Source, task: ReadTask) -> None:
    if isinstance(source, RecordedFolder | ParquetSource | RolledLog):
        return
    now = os.fstat(source.descriptor)
    if (now.st_size, now.st_mtime_ns) != (task.size, task.modified):
        raise SourceError(changed(source.name))


def changed(name: str) -> str:
    """What is said of a file that is not as it was when the run began."""
    return f"{name} has changed since this run began: run the same command again to count it"


class _Reading:
    """The reading of one input."""

    def __init__(self, source: Source, plan: ReadPlan, report: Report, portion: PortionWriter) -> None:
        self._source, self._plan, self._report = source, plan, report
        self.portion = portion
        self._marks: list[Mark] = []

    @property
    def bad(self) -> int:
        """How many records are bad so far."""
        return self._report.bad_count

    def part(self, begin: int, end: int, size: int, split: SplitChunks | None) -> dict[str, Any]:
        """Count a part of a large file; what the rest of the scan has to know is the account, and the seam of a
        ``split`` that comes as a stream.
        """
        text, fit = self._text_and_scan()
        accounts: list[list[Any]] = []
        if text is not None and fit is not None:
            bins = PortionBins(bin_width(text.options), fit.scan, self.portion)
            if split is None:
                found = count_split(self._source.descriptor, size, fit.scan, bins.width, (begin, end))
            else:
                found = count_pieces(split, fit.scan, bins.width)
            try:
                for at, counted in found:
                    bins.take_in(counted)
                    accounts.append(account_of(at, counted))
                    self._source.report_progress(at - begin)
            except NotScannable:
                return {"account": None}
            bins.flush()
        if split is None:
            return {"account": accounts}
        *texts, length = split.seam
        return {"account": accounts, "seam": [*(text.decode("latin-1") for text in texts), length]}

    def last_step(self, parts: list[Portion], *, is_here: bool) -> dict[str, Any]:
        """Show the decoder what the parts left to it; if it judges otherwise, the file is read anew as a whole, here or
        where it is.
        """
        text, fit = self._text_and_scan()
        size = self._source.size or 0
        every = _accounts_of(parts, size)
        if text is not None and fit is not None and every is not None:
            counted = CountedChunks(every, tail(self._source.descriptor, size))
            try:
                return self._scanned(text, fit, counted) | {"parts": True}
            except NotScannable:
                self.portion = self.portion.begun_again()
        return self.whole() | {"parts": False} if is_here else {"again": True}

    def values(self) -> dict[str, Any]:
        """What the values of the key have waited, and which keys there are if no event has it."""
        found = values_of_file(self._source, self._plan)
        if found is None:
            return {"sums": None, "lacks_key": False}
        return {"sums": found.sums.to_plain(), "lacks_key": found.sums.has_no_value, "keys": list(found.keys)}

    def whole(self) -> dict[str, Any]:
        """Read all of an input."""
        source = self._source
        if isinstance(source, RecordedFolder):
            return self._taken(source.intervals(self._plan, self._report, self._marks.append, (None, None)), None)
        if isinstance(source, ParquetSource):
            return self._taken(source.intervals(self._plan), None)
        text, fit = self._text_and_scan()
        if text is None:
            return self._about(None)
        if fit is not None:
            try:
                return self._scanned(text, fit, None)
            except NotScannable:
                self.portion = self.portion.begun_again()
        try:
            return self._taken(self._decoded(text), text)
        except NotOnGrid:
            self.portion, self._report.bad_count = self.portion.begun_again(), 0
            return self._taken(self._decoded(text), text, as_intervals=True)

    def _text_and_scan(self) -> tuple[RecognisedText | None, Fit | None]:
        text = recognised(self._source, self._plan, self._report)
        if text is None or text.options.semantics not in (None, Semantics.INTERVAL):
            return text, None
        return text, fit_of(self._source, text.collector, text.known)

    def _decoded(self, text: RecognisedText) -> Iterator[Interval | Batches]:
        return decoded_text(text, self._plan, self._report, self._marks.append)

    def _scanned(self, text: RecognisedText, fit: Fit, counted: CountedChunks | None) -> dict[str, Any]:
        """The events of a file that is scanned, or whose parts were. Raises NotScannable."""

        def bins(width: int, scan: Any) -> PortionBins:
            self.portion = self.portion.begun_again()
            return PortionBins(width, scan, self.portion)

        known: Known = fit.known or text.known
        divided = dividing(text, self._plan)
        jobs = 1 if divided is None else self._plan.jobs
        scanner = scanner_of(file_to_scan(self._source, fit, text.options, jobs, counted), divided, bins)
        filled, shift = scanner.counted(text.collector, self._report, known)
        if isinstance(filled, PortionBins):
            filled.flush()
        clock = fit.scan.clock
        if clock is Clock.DAY and text.options.day is None:
            self._plan.days_guessed.add(self._source.name)
        axis = {"width": filled.width, "shift": shift, "clock": clock in (Clock.EPOCH, Clock.DAY)}
        return self._about(text) | axis

    def _taken(
        self, found: Iterator[Interval | Batches], text: RecognisedText | None, *, as_intervals: bool = False
    ) -> dict[str, Any]:
        """The intervals of an input that was decoded: counts if they are of single events. Raises NotOnGrid."""
        width = bin_width(text.options) if text is not None else 0
        axis: dict[str, Any] = {}
        held: list[Interval] = []
        for one in _joined(found):
            if isinstance(one, Batches):
                self.portion.add_intervals(columns_of_batches(one))
                continue
            if not axis and text is not None and not as_intervals and self._source.name in self._plan.event_sources:
                axis = {"width": width, "shift": one.start % width, "clock": one.clock}
            held.append(one)
            if len(held) >= AT_ONCE:
                self._add(held, axis)
                held = []
        self._add(held, axis)
        return self._about(text) | axis

    def _add(self, held: list[Interval], axis: dict[str, Any]) -> None:
        if not held:
            return
        if not axis:
            self.portion.add_intervals(columns_of_intervals(held))
            return
        self.portion.add_counts(counts_of_intervals(held, axis["width"], axis["shift"], self.portion.number_of))

    def _about(self, text: RecognisedText | None) -> dict[str, Any]:
        name = self._source.name
        return {
            "bad": self._report.bad_count,
            "marks": [(mark.stamp.micros, mark.note, mark.series) for mark in self._marks],
            "guessed": name in self._plan.days_guessed,
            "format": "" if text is None else getattr(text.collector, "__name__", "").rpartition(".")[2],
        }


def _accounts_of(parts: Iterable[Portion], size: int) -> list[list[Any] | Seam] | None:
    """The accounts of all parts, with their seams; None if one has none, or if streams were not all of the file."""
    found: list[list[Any] | Seam] = []
    streamed = 0
    for part in parts:
        if part.about["account"] is None:
            return None
        if part.about.get("seam") is not None:
            *texts, length = part.about["seam"]
            first, last, cut_off = (text.encode("latin-1") for text in texts)
            found.append(Seam(first, last, cut_off, length))
            streamed += length
        found += part.about["account"]
    return found if streamed in (0, size) else None


def host_of(source: Source, at: str = "") -> str:
    """The host that a SQL trace names in its head; else the name of the folder that a file lies in. ``at``: see
    ``InputReader``.
    """
    named = None
    if not isinstance(source, RecordedFolder | ParquetSource):
        named = _NODE.search(source.head(_HEAD))
    if named is not None:
        return named[1].decode(errors="replace")
    return os.path.basename(os.path.dirname(os.path.abspath(os.path.join(at, source.name))))


def _joined(found: Iterator[Interval | Batches]) -> Iterator[Interval | Batches]:
    """The same, with intervals that continue others joined to them; those of batches never do."""
    rest = iter(found)
    ended = False
    while not ended:
        batch: list[Batches] = []

        def single() -> Iterator[Interval]:
            nonlocal ended
            for one in rest:
                if isinstance(one, Batches):
                    batch.append(one)  # noqa: B023
                    return
                yield one
            ended = True

        yield from join_continued(single())
        yield from batch
