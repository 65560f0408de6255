"""Turns lines of logs and objects of json+ into records."""

import re
from collections.abc import Iterator

from ...errors import Refused
from ...record import Event, Record, Semantics, Stamp, Tick
from ...report import Report
from ...text import CommonStamps, JsonObject, json_objects
from ...text.lines import Line, Lines
from .log import Log
from .output import JobCounts, JsonOutput, output_of
from .signs import is_averages, is_sample

SAME_RUN = 1_500_000
"""Microseconds by which the start of a run, computed from its end and length, can be off."""
ENOUGH = 100
"""After this many lines of averages, nothing else is expected any more."""

_WORKS = "--write_hist_log=NAME with --log_hist_msec=1000, or --output-format=json+ with --status-interval=1"
_INSTEAD = f"what would work: {_WORKS}"
_SUMMARY = f"fio summary, not the log: percentages of a whole run, no time axis; {_INSTEAD}"
_NO_BINS = f"fio JSON without bins holds percentiles of the run, no distribution; {_INSTEAD}"
_AVERAGES = (
    "averages, not single I/Os (block size 0, as log_avg_msec writes them): fast and slow ones are mixed in each; "
    f"what would work is the log without log_avg_msec, or {_WORKS}"
)
_EMPTY = f"no histogram; {_INSTEAD}"
_ENDED = re.compile(r" +(?:clat|lat) \([munsec]+\) *:|Run status group")


class FioHistDecoder:
    """Reads logs and json+ output, whatever text surrounds the latter."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._log = Log(report)
        self._common_stamps = CommonStamps()
        self._why_not = _EMPTY
        self._averages: list[str] = []
        self._any = False
        self._started: int | None = None
        self._previous: Stamp | None = None
        self._names: set[str] = set()

    def events(self, lines: Lines) -> Iterator[Event]:
        """Yield records for each line of a log, ticks and records for each object."""
        last = 0
        for item in json_objects(lines, self._report.bad):
            if isinstance(item, JsonObject):
                last = item.line
                yield from self._object(item)
            elif item is not None:
                last = item.number
                if self._log.owns(item):
                    yield from self._line(item)
                else:
                    self._other(item)
        if not self._any:
            self._refuse(last, _AVERAGES if is_averages(self._averages) else self._why_not)

    def _line(self, line: Line) -> Iterator[Event]:
        record = self._log.record(line)
        if record is not None:
            self._any = True
            yield self._common_stamps.placed(record)

    def _other(self, line: Line) -> None:
        """Process any other line: a summary, averages, noise."""
        if is_sample(line.text) and not self._any:
            self._averages.append(line.text)
            if len(self._averages) >= ENOUGH and is_averages(self._averages):
                self._refuse(line.number, _AVERAGES)
            del self._averages[ENOUGH:]
        elif _ENDED.match(line.text):
            self._why_not = _SUMMARY
        elif is_sample(line.text) or line.text[:1].isdigit():
            self._report.bad(line.number, f"not a line of a histogram log: {line.text[:60]}")

    def _refuse(self, line: int, reason: str) -> None:
        raise Refused(f"{self._report.where(line)}: {reason}")

    def _object(self, found: JsonObject) -> Iterator[Event]:
        try:
            output = output_of(found.value)
        except ValueError as error:
            self._report.bad(found.line, f"{error}; this object is left out")
            return
        if output.ios and not output.counts and not self._any:
            self._why_not = _NO_BINS
        if not output.counts and not self._any:
            return
        stamp = None if output.micros is None else Stamp(output.micros, whole=output.whole)
        yield from self._begun(output, found)
        yield Tick(stamp, found.arrival, found.line)
        for name, counts in output.counts.items():
            yield self._record(name, counts, stamp, found)
        self._previous = stamp
        self._names.update(output.counts)

    def _begun(self, output: JsonOutput, found: JsonObject) -> Iterator[Event]:
        """Yield empty records for new series: at the start of the run they had counted nothing."""
        start = output.micros - output.ran if output.micros is not None and output.ran else None
        if start is not None and (self._started is None or abs(start - self._started) > SAME_RUN):
            self._started = start
        if not self._any and start is not None:
            self._previous = Stamp(start)
            yield Tick(self._previous, found.arrival, found.line)
        self._any = True
        for name, counts in output.counts.items():
            if self._previous is not None and name not in self._names:
                yield self._record(name, JobCounts(counts.unit), self._previous, found)

    def _record(self, name: str, counts: JobCounts, stamp: Stamp | None, found: JsonObject) -> Record:
        return Record(
            series=name,
            unit=counts.unit,
            ranges=tuple(counts.ranges),
            semantics=Semantics.CUMULATIVE,
            stamp=stamp,
            start=self._started,
            waited=counts.waited,
            label="fio completion latency",
            source="fio_hist",
            arrival=found.arrival,
            line=found.line,
        )
