"""Reads the events of a large file with the scan of its format: only what is asked for is looked at one by one."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from ..record import Sample
from ..scan import EventScanner, EventsOfChunk, Fit, HasKeyContext, NotScannable, StrayTimes, WantedEvents
from ..session.input import file_to_scan
from .job import EventSink, ReadJob, WrongAxis
from .key_reader import KeyReader, Keys


class ScanPass:
    """One pass through a file. ``shift`` leads from the times in the file to the epoch, as far as that is known before.

    ``steps`` raises NotScannable, or WrongAxis if the shift is another one: then all that was counted is void.
    """

    def __init__(self, job: ReadJob, fit: Fit, shift: int, sink: EventSink, beside: frozenset[int] = frozenset()):
        self._job, self._sink, self._day_shift = job, sink, shift
        self._shift = shift + job.question.shift
        self._known = fit.known or job.known
        self._reader = KeyReader(job.collector, self._known, job.source.name, fit.leading)
        self._scanner = EventScanner(file_to_scan(job.source, fit, job.options, job.jobs), self._selected(fit))
        self._scanner.beside(set(beside))
        self._has_found_strays = bool(beside)
        self._fit = fit
        self._keys: Keys = {}
        self._held: dict[int, str] = {}
        self._waiting: list[tuple[Sample, bool, str | None]] = []

    @property
    def span(self) -> tuple[int, int] | None:
        """The first and the last time of all events."""
        seen = self._scanner.seen
        return None if seen is None else (seen[0] + self._shift, seen[1] + self._shift)

    def steps(self) -> Iterator[None]:
        """Read, chunk by chunk."""
        job = self._job
        try:
            # The decoder of the doubtful lines sees too few others to know what holds for the keys of these.
            known = self._known._replace(keys=not isinstance(self._fit.scan, HasKeyContext))
            for part in self._scanner.events(job.collector, job.report, known):
                self._take(part)
                yield
        except StrayTimes as strays:
            if self._has_found_strays:
                raise NotScannable from strays
            raise WrongAxis(self._day_shift, frozenset(strays.ends)) from strays
        self._keys.update(self._reader.rest())
        for sample, doubtful, text in self._waiting:
            self._count(sample, doubtful, text)
        shift = self._scanner.shift()
        if shift != self._day_shift and not job.source.stop.is_set:
            raise WrongAxis(shift)

    def _selected(self, fit: Fit) -> WantedEvents:
        question, unit = self._job.question, fit.scan.unit
        low, high = question.latencies_in(unit)
        first, last = (None if one is None else one - self._shift for one in (question.first, question.last))
        return WantedEvents(
            first, last, low, None if high == inf else int(high), lambda name: question.wants(name, unit)
        )

    def _take(self, part: EventsOfChunk) -> None:
        self._keys.update(self._reader.read(part.lines, part.context))
        self._held.update((line, part.lines[line]) for line in part.held)
        found = [*((sample, False) for sample in part.sure), *(one for one in part.judged if self._is_wanted(one[0]))]
        waiting = self._waiting + [(one, doubtful, self._text(one, part)) for one, doubtful in found]
        self._waiting = []
        for sample, doubtful, text in waiting:
            if (sample.line, sample.series) in self._keys or text is None:
                self._count(sample, doubtful, text)
            else:
                self._waiting.append((sample, doubtful, text))
        needed = {sample.line for sample, _, _ in self._waiting}
        self._keys = {key: keys for key, keys in self._keys.items() if key[0] in self._held or key[0] in needed}

    def _text(self, sample: Sample, part: EventsOfChunk) -> str | None:
        return part.lines.get(sample.line) or self._held.get(sample.line)

    def _is_wanted(self, sample: Sample) -> bool:
        question = self._job.question
        return question.is_at(sample.micros + self._shift) and question.is_of(sample)

    def _count(self, sample: Sample, doubtful: bool, text: str | None) -> None:
        keys = self._keys.get((sample.line, sample.series), ())
        if len(keys) > len(sample.keys):
            sample = sample._replace(keys=keys)
        if self._job.question.fits(sample):
            self._sink.add(sample, sample.micros + self._shift, text, doubtful)
