"""Pairs issues with completions: how long the device took and, if the trace has it, how long requests queued.

Each event moves a request between three tables, all keyed by device and sector:
_queued (queue or insert) -> _issued (issue) -> a sample at its completion.
A completion that is printed before its issue waits in _early.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...collector import Known
from ...record import Clock, EventKey, Sample
from ...report import Report
from ...text import device_named
from ...text.lines import Line
from ...units import Unit
from .._bounded import BoundedDict
from . import request as kinds
from .request import Request

SERVICE, QUEUED, THROUGH = (
    "block I/O, issue to completion",
    "block I/O, queue to issue",
    "block I/O, queue to completion",
)
MOST_OPEN = 100_000
"""At most this many requests are kept until they complete; the oldest are dropped first."""

COUNTS_PER_MESSAGE = 3
"""Counts per message, so that no message is cut off."""
MOST_BACK = 10**9
"""Nanoseconds. Lines from different processors are out of order by no more than this."""

_ALONE = "completions without an issue in this text"
_MERGED = "merged into others"

RequestKey = tuple[int, int, int, str]
"""Device and sector. Requests without sectors, such as a flush, have sector 0 and their flags."""


class Pairing:
    """Open requests by device and sector.

    A completion belongs to the last issue of its sector that was not later. An earlier issue is dropped if the request
    was issued again (requeues may not be traced) or if its completion was lost. Lines from different processors can be
    out of order. Queue time is reported at the first issue. A device that queues bios but has no requests, such as dm,
    gets the time from queue to completion.
    """

    def __init__(self, report: Report, known: Known, source: str) -> None:
        self._report = report
        self._live = known.live
        self._keys = known.keys
        self._source = source
        self._queued: dict[RequestKey, Request] = {}
        self._issued: dict[RequestKey, Request] = {}
        self._early: dict[RequestKey, Request] = {}
        self._issuing: set[tuple[int, int]] = set()
        self._names: BoundedDict[tuple[int, int], str] = BoundedDict()
        self._counts: dict[str, int] = {}
        self.samples = 0
        self._steps: dict[str, Callable[[Request, Line], Iterator[Sample]]] = {
            kinds.QUEUE: self._queue,
            kinds.INSERT: self._insert,
            kinds.ISSUE: self._issue,
            kinds.COMPLETE: self._complete,
            kinds.REQUEUE: self._requeue,
            kinds.BACK_MERGE: self._merge,
            kinds.FRONT_MERGE: self._front_merge,
            kinds.SPLIT: self._split,
        }

    def add(self, one: Request, line: Line) -> Iterator[Sample]:
        """The samples that this event completes."""
        return self._steps[one.kind](one, line)

    def count(self, what: str, number: int = 1) -> None:
        """Count something that is reported at the end."""
        self._counts[what] = self._counts.get(what, 0) + number

    def account(self, last: int) -> None:
        """Report what could not be paired, with the number of the last line."""
        open_ones = len(self._issued)
        if open_ones:
            self.count("not completed in this text", open_ones)
        reported = [f"{what}: {number}" for what, number in self._counts.items() if number]
        for place in range(0, len(reported), COUNTS_PER_MESSAGE):
            what = "; ".join(reported[place : place + COUNTS_PER_MESSAGE])
            self._report.note(last, f"{self.samples} latencies were read; besides, {what}")

    def _queue(self, one: Request, _: Line) -> Iterator[Sample]:
        self._keep(self._queued, one)
        return iter(())

    def _insert(self, one: Request, _: Line) -> Iterator[Sample]:
        if _key(one) not in self._queued:
            self._keep(self._queued, one)
        return iter(())

    def _issue(self, one: Request, line: Line) -> Iterator[Sample]:
        key = _key(one)
        self._issuing.add(key[:2])
        queued = self._queued.pop(key, None)
        if queued is not None and queued.nanos <= one.nanos:
            yield self._sample(queued, one, line, QUEUED, ",queue")
        early = self._early.get(key)
        if early is not None and 0 <= early.nanos - one.nanos < MOST_BACK:
            del self._early[key]
            self.count(_ALONE, -1)
            yield self._sample(one, early, line, SERVICE)
            return
        if self._issued.pop(key, None) is not None:
            self.count("issued again before they completed")
        self._keep(self._issued, one)

    def _complete(self, one: Request, line: Line) -> Iterator[Sample]:
        key = _key(one)
        issue = self._issued.get(key)
        if issue is not None and issue.nanos <= one.nanos:
            del self._issued[key]
            if 0 < one.sectors < issue.sectors:
                self.count("completed in parts")
                rest = issue._replace(sector=issue.sector + one.sectors, sectors=issue.sectors - one.sectors)
                self._keep(self._issued, rest)
            else:
                yield self._sample(issue, one, line, SERVICE)
            return
        queued = self._queued.get(key)
        if queued is not None and queued.nanos <= one.nanos and key[:2] not in self._issuing:
            del self._queued[key]
            yield self._sample(queued, one, line, THROUGH)
        elif one.sectors:
            self.count(_ALONE)
            self._keep(self._early, one)
        else:
            self.count("ends of flushes without an issue")

    def _requeue(self, one: Request, _: Line) -> Iterator[Sample]:
        self._issued.pop(_key(one), None)
        self.count("requeued")
        return iter(())

    def _merge(self, one: Request, _: Line) -> Iterator[Sample]:
        self._queued.pop(_key(one), None)
        self.count(_MERGED)
        return iter(())

    def _front_merge(self, one: Request, _: Line) -> Iterator[Sample]:
        """The request now begins at the new sector; its queue time still starts at its first part."""
        self._queued.pop(_key(one), None)
        behind = self._queued.pop(_key(one._replace(sector=one.sector + one.sectors)), None)
        if behind is not None:
            self._keep(self._queued, behind._replace(sector=one.sector))
        self.count(_MERGED)
        return iter(())

    def _split(self, one: Request, _: Line) -> Iterator[Sample]:
        """The second part was queued at the same time as the first."""
        first = self._queued.get(_key(one))
        if first is not None:
            self._keep(self._queued, first._replace(sector=one.sectors))
        self.count("split")
        return iter(())

    def _keep(self, where: dict[RequestKey, Request], one: Request) -> None:
        where[_key(one)] = one
        if len(where) > MOST_OPEN:
            where.pop(next(iter(where)))
            if where is self._issued:
                self.count("forgotten because too many are open")

    def _sample(self, begin: Request, end: Request, line: Line, label: str, what: str = "") -> Sample:
        self.samples += 1
        nanos = end.nanos - begin.nanos
        latency = nanos if end.unit is Unit.NS else nanos // 1000
        series = self._name(end.major, end.minor) + what
        micros = end.nanos // 1000
        sample = Sample(
            series, end.unit, latency, micros, Clock.FREE, "", label, self._source, line.number, line.arrival
        )
        return sample._replace(keys=self._keys_of(begin)) if self._keys else sample

    def _keys_of(self, begin: Request) -> tuple[EventKey, ...]:
        """What is known of a request when it begins: its completion is that of another process."""
        keys = [EventKey("device", self._name(begin.major, begin.minor))]
        said = (("operation", begin.flags), ("comm", begin.process), ("sectors", str(begin.sectors or "")))
        keys += [EventKey(name, value) for name, value in said if value]
        return (*keys, EventKey("sector", str(begin.sector)))

    def _name(self, major: int, minor: int) -> str:
        """``7,0``, or the device's name if the events are from this machine."""
        if (major, minor) not in self._names:
            named = device_named(major, minor) if self._live else None
            self._names[major, minor] = named or f"{major},{minor}"
        return self._names[major, minor]


def _key(one: Request) -> RequestKey:
    return (one.major, one.minor, one.sector, "") if one.sectors else (one.major, one.minor, 0, one.flags)
