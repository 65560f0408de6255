"""Lines of a latency log to samples."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...collector import Known
from ...errors import Refused
from ...record import Clock, Decoded, Pause, Sample
from ...report import Report
from ...text.lines import Line, Lines
from ...units import Unit
from .both import is_both
from .unit import Numbers, is_certain, unit_of

SERIES = ("read", "write", "trim", "sync")
SOURCE = "fio"
REAL = 10**12
"""Milliseconds since 1970, which log_unix_epoch writes; others count from the start of the run."""
HELD = 50
"""Lines that are looked at for the unit."""
ENOUGH = 100
"""Averages after which nothing else is to be expected."""

_LINE = re.compile(r"(\d{1,16}), ?(\d{1,18}), ?([0-3]), ?(\d{1,15})(?:, ?([\w, ]*))?\s*$")
_AVERAGE = re.compile(r"\d{1,16}, ?-?\d+, ?(?:\d+, ?)?[0-2], ?0(?:,|\s*$)")
_NAMED = re.compile(r"_(lat|clat|slat|bw|iops)(?:\.\d+)?\.log")
_LABELS = {"lat": "fio total latency", "clat": "fio completion latency", "slat": "fio submission latency"}
_LABEL = "fio latency"
_WORKS = "what would work is --write_lat_log=NAME without log_avg_msec, or --write_hist_log=NAME"
_AVERAGES = "averages, not single I/Os (block size 0, as log_avg_msec writes them): fast and slow are mixed in each"


class Decoder:
    """Reads one log."""

    def __init__(self, report: Report, known: Known) -> None:
        self._report = report
        self._unit = known.unit
        named = _NAMED.search(report.name)
        self._kind = named[1] if named else ""
        self._label = _LABELS.get(self._kind, _LABEL)
        self._held: list[tuple[Line, re.Match[str]]] = []
        self._any = False
        self._averages = 0

    def events(self, lines: Lines) -> Iterator[Decoded]:
        """Samples in the order of the lines, the first ones when the unit is known."""
        if self._kind in ("bw", "iops"):
            raise Refused(f"{self._report.name}: a log of {self._kind} and not of latencies; {_WORKS}")
        last = 0
        for line in lines:
            if line is None:
                yield Pause()
                continue
            last = line.number
            found = self._found(line)
            if found is not None and self._unit is not None:
                yield self._sample(line, found, self._unit)
            elif found is not None:
                self._held.append((line, found))
                if len(self._held) >= HELD or is_certain(_numbers(found)):
                    yield from self._decided()
            elif self._averages >= ENOUGH and not self._any:
                break
        yield from self._decided() if self._held else ()
        if not self._any:
            why = _AVERAGES if self._averages else "no I/O in this log"
            raise Refused(f"{self._report.name}:{last}: {why}; {_WORKS}")

    def _found(self, line: Line) -> re.Match[str] | None:
        """The fields of a line; what is none is counted."""
        found = _LINE.match(line.text)
        if found is not None and (found[4] != "0" or found[3] == "3"):
            self._any = True
            return found
        average = _AVERAGE.match(line.text) is not None or is_both(line.text)
        self._averages += average
        if line.text.strip() and (self._any or not average):
            self._report.bad(line.number, f"not a line of a latency log: {line.text}")
        return None

    def _decided(self) -> Iterator[Sample]:
        """What was held until the unit was known."""
        held, self._held = self._held, []
        unit, certain = unit_of([_numbers(found) for _, found in held])
        if not certain:
            name = "nanoseconds, as of fio 3" if unit is Unit.NS else "microseconds, as of fio 2"
            what = f"this log does not tell its unit; by its numbers it is taken for {name}; --unit says otherwise"
            self._report.note(held[0][0].number, what)
        self._unit = unit
        yield from (self._sample(line, found, unit) for line, found in held)

    def _sample(self, line: Line, found: re.Match[str], unit: Unit) -> Sample:
        milli = int(found[1])
        clock = Clock.EPOCH if milli >= REAL else Clock.FREE
        series = SERIES[int(found[3])]
        return Sample(
            series, unit, int(found[2]), milli * 1000, clock, "", self._label, SOURCE, line.number, line.arrival
        )


def _numbers(found: re.Match[str]) -> Numbers:
    rest = tuple(field.strip() for field in found[5].split(",")) if found[5] else ()
    return Numbers(int(found[1]), int(found[2]), rest)
