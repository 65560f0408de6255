"""Turns lines of a latency log into samples."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from statistics import median
from typing import NamedTuple

from ...collector import Known
from ...errors import Refused
from ...record import Clock, Decoded, EventKey, Pause, Sample
from ...report import Report
from ...text.lines import Line, Lines
from ...units import Unit
from .both import is_both

# The unit of the latencies in a log: only the layout and the numbers of its lines reveal it.


_SHORTEST_NS = 500
"""An I/O that fio measures usually takes at least this many nanoseconds."""
_AT_ONCE = 1.5
"""If latencies read as microseconds mean at most this many I/Os at a time, microseconds are likely and therefore
assumed.
"""
_FAR = 10
"""The first or the last time is damaged if all are so many times as far apart as the others."""


class LineNumbers(NamedTuple):
    """The numbers of a line that help to find its unit: time in ms, latency, and the fields after the block size."""

    milli: int
    latency: int
    rest: tuple[str, ...]


def is_certain(numbers: LineNumbers) -> bool:
    """Whether this line alone proves that the log is from fio 3: it has a priority."""
    return len(numbers.rest) > 1 or (len(numbers.rest) == 1 and numbers.rest[0].startswith("0x"))


def log_unit(lines: Sequence[LineNumbers]) -> tuple[Unit, bool]:
    """The unit of a log that begins with these lines, and whether it is certain.

    If the fifth field is always 0 or 1, it is the priority of fio 3; other values are the offset, which all versions
    can write. For lines that all versions write alike, the sum of the latencies decides: divided by the duration of the
    log, it is the number of I/Os under way at a time.
    """
    if any(map(is_certain, lines)) or all(line.rest and line.rest[0] in ("0", "1") for line in lines):
        return Unit.NS, True
    usual = _in_order(lines)
    at_once = sum(line.latency for line in usual) / 1000 / max(_duration(usual), 1)
    micros = median(line.latency for line in lines) < _SHORTEST_NS or at_once <= _AT_ONCE
    return (Unit.US if micros else Unit.NS), False


def _in_order(lines: Sequence[LineNumbers]) -> Sequence[LineNumbers]:
    """The lines without those whose time can be damaged: it is not between those of the lines beside it, or it is the
    first or the last and far from all others.
    """
    triples = zip(lines, lines[1:], lines[2:], strict=False)
    steady = [line for before, line, after in triples if before.milli <= line.milli <= after.milli]
    if len(steady) + 2 < len(lines):
        return steady if len(steady) > 1 else lines
    for others in (lines[:-1], lines[1:]):
        if len(others) > 1 and _duration(others) * _FAR < _duration(lines):
            return others
    return lines


def _duration(lines: Sequence[LineNumbers]) -> int:
    """From the earliest time to the latest."""
    times = [line.milli for line in lines]
    return max(times) - min(times)


SERIES = ("read", "write", "trim", "sync")
SOURCE = "fio_log"
REAL = 10**12
"""Milliseconds. Larger times count from 1970 (log_unix_epoch); smaller ones from the start of the run."""
HELD = 50
"""Lines that are examined to find the unit."""
ENOUGH = 100
"""After this many averages, nothing else is expected any more."""

_LINE = re.compile(r"([0-9]{1,16}), ?([0-9]{1,18}), ?([0-3]), ?([0-9]{1,15})(?:, ?([\w,]*(?: +[\w,]+)*))?\s*$")
_AVERAGE = re.compile(r"[0-9]{1,16}, ?-?[0-9]+, ?(?:[0-9]+, ?)?[0-2], ?0(?:,|\s*$)")
_NAMED = re.compile(r"_(lat|clat|slat|bw|iops)(?:\.[0-9]+)?\.log")
_LABELS = {"lat": "fio total latency", "clat": "fio completion latency", "slat": "fio submission latency"}
_LABEL = "fio latency"
_WORKS = "what would work is --write_lat_log=NAME without log_avg_msec, or --write_hist_log=NAME"
_AVERAGES = "averages, not single I/Os (block size 0, as log_avg_msec writes them): fast and slow are mixed in each"


class FioLogDecoder:
    """Reads one log."""

    def __init__(self, report: Report, known: Known) -> None:
        self._report = report
        self._unit = known.unit
        self._keys = known.keys
        named = _NAMED.search(report.name)
        self._kind = named[1] if named else ""
        self._label = _LABELS.get(self._kind, _LABEL)
        self._held: list[tuple[Line, re.Match[str]]] = []
        self._any = False
        self._averages = 0

    def events(self, lines: Lines) -> Iterator[Decoded]:
        """Yield samples in the order of the lines, the first ones when the unit is known."""
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
            raise Refused(f"{self._report.where(last)}: {why}; {_WORKS}")

    def _found(self, line: Line) -> re.Match[str] | None:
        """The fields of a line; other lines are counted."""
        found = _LINE.match(line.text)
        if found is not None and _is_io(found):
            self._any = True
            return found
        average = _AVERAGE.match(line.text) is not None or is_both(line.text)
        self._averages += average
        if line.text.strip() and (self._any or not average):
            self._report.bad(line.number, f"not a line of a latency log: {line.text}")
        return None

    def _decided(self) -> Iterator[Sample]:
        """Yield what was held back until the unit was known."""
        held, self._held = self._held, []
        unit, certain = log_unit([_numbers(found) for _, found in held])
        if not certain:
            name = "nanoseconds, as of fio 3" if unit is Unit.NS else "microseconds, as of fio 2"
            what = f"this log does not state its unit; its numbers suggest {name}; --unit says otherwise"
            self._report.note(held[0][0].number, what)
        self._unit = unit
        yield from (self._sample(line, found, unit) for line, found in held)

    def _sample(self, line: Line, found: re.Match[str], unit: Unit) -> Sample:
        milli = int(found[1])
        clock = Clock.EPOCH if milli >= REAL else Clock.FREE
        series = SERIES[int(found[3])]
        sample = Sample(
            series, unit, int(found[2]), milli * 1000, clock, "", self._label, SOURCE, line.number, line.arrival
        )
        return sample._replace(keys=_keys(series, found[4], _numbers(found))) if self._keys else sample


def keys_in(text: str) -> tuple[EventKey, ...] | None:
    """The keys of a line; None if it is no I/O."""
    found = _LINE.match(text)
    if found is None or not _is_io(found):
        return None
    return _keys(SERIES[int(found[3])], found[4], _numbers(found))


def _is_io(found: re.Match[str]) -> bool:
    return found[4] != "0" or found[3] == "3"


def _keys(direction: str, size: str, numbers: LineNumbers) -> tuple[EventKey, ...]:
    """The fields besides time and latency. A lone field after the block size is a priority as in ``is_certain``."""
    keys = [EventKey("direction", direction), EventKey("size", size)]
    rest = numbers.rest
    if len(rest) == 1 and (is_certain(numbers) or rest[0] in ("0", "1")):
        return (*keys, EventKey("priority", rest[0]))
    return (*keys, *(EventKey(name, value) for name, value in zip(("offset", "priority"), rest, strict=False)))


def _numbers(found: re.Match[str]) -> LineNumbers:
    rest = tuple(field.strip() for field in found[5].split(",")) if found[5] else ()
    return LineNumbers(int(found[1]), int(found[2]), rest)
