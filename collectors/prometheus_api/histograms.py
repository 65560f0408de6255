"""All histograms of one server: their names, units and timelines; and what is said of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import NamedTuple, TypeVar

from ...record import Mark, Record, Semantics, Stamp
from ...report import Report
from ...text.clean import printable
from ...units import Unit
from .._bounded import BoundedDict
from .._metrics.metric_unit import MetricUnit, unit_of_metric
from .._metrics.names import HistogramNames, LabelPairs
from .samples import HistogramKey, JoinedSamples, Place
from .timeline import Hole, Instance, Timeline
from .totals import Totals

SECONDS = MetricUnit(Decimal(1))
"""Of what an expression made without a name: Prometheus' own unit of time."""
MOST_MARKS = 100
"""Holes that become marks; of more, the number is said."""


class NewRecords(NamedTuple):
    """What new samples say: records by time, and marks for the holes between."""

    records: list[Record]
    marks: list[Mark]


class SampledHistograms:
    """Turns joined samples into records, sample by sample of each histogram. ``unit``: that of the user, for metrics
    that name none. ``since``: what began after that moment (epoch microseconds) began with nothing. ``line`` is that of
    the answer, for messages.
    """

    def __init__(self, report: Report, unit: Unit | None, since: int | None = None) -> None:
        self.why_not = ""
        self.line = 0
        self._report = report
        self._given = unit
        self._since = since
        self._names = HistogramNames(report)
        self._constant: frozenset[tuple[str, str]] | None = None
        self._metrics: BoundedDict[str, MetricUnit] = BoundedDict()
        self._units: dict[str, Unit] = {}
        self._timelines: dict[HistogramKey, Timeline | None] = {}
        self._up: dict[Place, dict[int, bool]] = {}
        self._starts: dict[Place, dict[int, int]] = {}
        self._told: set[tuple[Place, int]] = set()

    @property
    def any(self) -> bool:
        """Whether there has been a histogram of a time."""
        return any(self._timelines.values())

    def last(self) -> int | None:
        """The moment of the newest sample, in epoch microseconds."""
        return max((one.last for one in self._timelines.values() if one and one.last is not None), default=None)

    def series_of(self, key: HistogramKey) -> Timeline | None:
        """The timeline of a histogram; None if it is not known, or measures no time."""
        return self._timelines.get(key)

    def take(self, found: JoinedSamples) -> NewRecords:
        """The records of new samples."""
        self._begin(found.totals)
        self.note_instances(found)
        records: list[Record] = []
        marks: list[Mark] = []
        for key, totals in found.totals.items():
            timeline = self._timeline(key, totals)
            if timeline is None:
                continue
            timeline.line = self.line
            records += timeline.take(totals, found.created.get(key, {}), self._instance(key.place), self._since)
            for hole in timeline.holes:
                marks += self._marked(key.place, hole)
            timeline.holes.clear()
        records.sort(key=lambda one: (one.stamp.micros if one.stamp else 0, one.series))
        self._forget_scrapes()
        return NewRecords(records, marks)

    def _begin(self, found: Iterable[HistogramKey]) -> None:
        """Learn from the first answer which labels are the same in all: names leave them out."""
        if self._constant is not None or not (keys := list(found)):
            return
        same = set(keys[0].labels)
        for key in keys:
            same &= set(key.labels)
        self._constant = frozenset(same)
        self._names.begin(key.metric for key in keys)

    def note_instances(self, found: JoinedSamples) -> None:
        """Remember what an answer says about instances."""
        for place, up in found.up.items():
            self._up.setdefault(place, {}).update(up)
        for place, starts in found.process_starts.items():
            self._starts.setdefault(place, {}).update(starts)

    def _forget_scrapes(self) -> None:
        """What is known of scrapes long before the last samples is needed no more."""
        newest = self.last() or 0
        _forget(self._up, newest - _KEPT_MICROS)
        _forget(self._starts, newest - _KEPT_MICROS)

    def _instance(self, place: Place) -> Instance:
        return Instance(self._up.get(place, {}), self._starts.get(place, {}))

    def _timeline(self, key: HistogramKey, totals: dict[int, Totals]) -> Timeline | None:
        """The timeline of a histogram; None if it measures no time, or there are too many."""
        if key not in self._timelines:
            self._timelines[key] = self._new(key, next(iter(totals.values())))
        return self._timelines[key]

    def _new(self, key: HistogramKey, totals: Totals) -> Timeline | None:
        measured = self._measured(key.metric)
        name = "" if measured.seconds is None else self._names.name((key.metric, *self._split(key.labels)), self.line)
        if measured.seconds is None or not name:
            return None
        unit = self._units.setdefault(key.metric, totals.layout.unit(measured.seconds))
        return Timeline(name, unit, measured.seconds, printable(key.metric))

    def _split(self, labels: LabelPairs) -> tuple[LabelPairs, LabelPairs]:
        constant = self._constant or frozenset()
        return tuple(one for one in labels if one not in constant), tuple(one for one in labels if one in constant)

    def _measured(self, metric: str) -> MetricUnit:
        if metric not in self._metrics:
            found = self._metrics[metric] = unit_of_metric(metric, "", self._given) if metric else SECONDS
            if found.seconds is None:
                self.why_not = self.why_not or found.reason
                self._report.note(self.line, f"left out: {found.reason}")
            elif found.against:
                self._report.note(self.line, found.against)
        return self._metrics[metric]

    def _marked(self, place: Place, hole: Hole) -> Iterator[Mark]:
        """A mark for a hole, once for all histograms of an instance; Prometheus' own silence once for all of them."""
        where = place if hole.silent else ("", "")
        about = hole.until // (1 if hole.silent else 60_000_000)
        if (where, about) in self._told:
            return
        self._told.add((where, about))
        if len(self._told) > MOST_MARKS:
            return
        seconds = (hole.until - hole.since) / 1e6
        who = printable(place[1] or "the exporter") if hole.silent else "Prometheus"
        what = "did not answer" if hole.silent else "did not scrape"
        yield Mark(Stamp(hole.since), f"{who} {what} for {seconds:.3g} s")

    # What an expression made: nobody knows what its numbers are.

    def as_told(self, found: JoinedSamples, semantics: Semantics) -> list[Record]:
        """The same samples as records of the numbers that they are, without differences."""
        self._begin(found.totals)
        records = []
        for key, totals in found.totals.items():
            timeline = self._timeline(key, totals)
            if timeline is not None:
                timeline.line = self.line
                records += [timeline.as_told(moment, one, semantics) for moment, one in totals.items()]
        return sorted(records, key=lambda one: (one.stamp.micros if one.stamp else 0, one.series))


_KEPT_MICROS = 3_600_000_000
"""How long scrapes of an instance are remembered."""
_Told = TypeVar("_Told")


def _forget(kept: dict[Place, dict[int, _Told]], before: int) -> None:
    for place, told in list(kept.items()):
        if min(told, default=before) < before:
            kept[place] = {at: one for at, one in told.items() if at >= before}
