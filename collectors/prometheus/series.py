"""Histograms as series: their units and records."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from math import inf
from typing import TypeAlias

from ...record import ESTIMATED, Record, Semantics, Stamp, lost_record
from ...report import Report
from ...text import CumulativeCounts
from ...text.clean import printable
from ...units import Unit
from .._bounded import BoundedDict
from .._metrics.estimated_sums import is_estimated
from .._metrics.metric_unit import MetricUnit, unit_of_metric
from .._metrics.names import HistogramNames, MetricKey
from .._usual_bounds import UsualBounds
from .histograms import ScrapedHistogram, unit_for
from .samples import ProcessStart, place_of

Histograms: TypeAlias = Mapping[MetricKey, ScrapedHistogram]

_ESTIMATED = frozenset({ESTIMATED})


class MetricSeries:
    """All histograms seen so far. ``unit_of``: units declared by ``# UNIT``. ``any``: one of them measures time."""

    def __init__(self, report: Report, given: Unit | None) -> None:
        self.unit_of: BoundedDict[str, str] = BoundedDict()
        self.why_not = ""
        self._report = report
        self._given = given
        self._names = HistogramNames(report)
        self._metrics: BoundedDict[str, MetricUnit] = BoundedDict()
        self._units: dict[str, Unit] = {}
        self._counters: dict[MetricKey, CumulativeCounts] = {}
        self._bounds = UsualBounds()
        self._created: BoundedDict[MetricKey, int] = BoundedDict()
        self._estimated: BoundedDict[MetricKey, float] = BoundedDict()
        self._process_starts: BoundedDict[tuple[str, str], int] = BoundedDict()
        self._unseen_starts: set[tuple[str, str]] = set()
        self._negative: set[MetricKey] = set()
        self._sumless: set[MetricKey] = set()
        self._last: Stamp | None = None
        self._known_units: dict[MetricKey, Unit] = {}
        self._present: dict[MetricKey, None] = {}

    @property
    def any(self) -> bool:
        return len(self._names) > 0

    def times(self, histograms: Histograms) -> dict[MetricKey, ScrapedHistogram]:
        """The histograms that measure time; the others are reported once as left out."""
        return {key: one for key, one in histograms.items() if self._measured(key[0], one.line).seconds is not None}

    def baselines(self, histograms: Histograms) -> Iterator[Record]:
        """Yield empty records, at the last scrape, for histograms created since then: they started without events."""
        if self._last is None:
            return
        for key, one in histograms.items():
            if key not in self._names and one.created is not None and one.created >= self._last.micros:
                name = self._names.name(key, one.line)
                if name:
                    yield Record(name, self._unit(key[0], one), (), Semantics.CUMULATIVE, self._last, waited=0.0)

    def records(self, histograms: Histograms, stamp: Stamp | None) -> Iterator[Record]:
        """Yield the cumulative records of one scrape."""
        self._last = stamp or self._last
        self._names.begin(key[0] for key in histograms)
        for key, one in histograms.items():
            name = self._names.name(key, one.line)
            if name:
                self._known_units[key] = self._unit(key[0], one)
                try:
                    yield self._record(key, name, one, stamp)
                except ValueError as error:
                    self._report.bad(one.line, f"{key[0]}: {error}; this histogram is left out")
                    empty = Record(name, self._unit(key[0], one), (), Semantics.CUMULATIVE, stamp, source="prometheus")
                    yield lost_record(replace(empty, label=printable(key[0]), arrival=one.arrival, line=one.line))
                self._present[key] = None

    def absent(self, stamp: Stamp | None, line: int) -> Iterator[Record]:
        """The scrape is over: yield lost records for known histograms that are not in it. Nothing is known of them, so
        that they are not idle; if they come back, their next interval covers the time since they were there.
        """
        for key in self._known_units:
            if key not in self._present:
                name, unit = self._names.name(key, line), self._known_units[key]
                yield lost_record(Record(name, unit, (), Semantics.CUMULATIVE, stamp, source="prometheus", line=line))
        self._present.clear()

    def remember(self, histograms: Histograms) -> None:
        """Remember when the counters of histograms started, which can be printed after the histogram itself."""
        self._unseen_starts = set(self._process_starts)
        self._created.update((key, one.created) for key, one in histograms.items() if one.created is not None)

    def process_started(self, start: ProcessStart) -> None:
        """A line says when a process started."""
        self._process_starts[start.place] = start.micros
        self._unseen_starts.discard(start.place)

    @property
    def awaits_process_start(self) -> bool:
        """Whether the last scrapes had a line about the start of a process that this one does not have so far: a record
        without it would be one of the process before.
        """
        return bool(self._unseen_starts)

    def _started(self, key: MetricKey, histogram: ScrapedHistogram) -> int | None:
        """When the counters of a histogram started: as it says itself, else with the process of its job and instance.
        A page about several, or that others push to, names these in the labels.
        """
        created = histogram.created or self._created.get(key)
        return self._process_starts.get(place_of(dict(key[1]))) if created is None else created

    def _measured(self, metric: str, line: int) -> MetricUnit:
        if metric not in self._metrics:
            found = self._metrics[metric] = unit_of_metric(metric, self.unit_of.get(metric, ""), self._given)
            if found.seconds is None:
                self.why_not = self.why_not or found.reason
                self._report.note(line, f"left out: {found.reason}")
            elif found.against:
                self._report.note(line, found.against)
        return self._metrics[metric]

    def _unit(self, metric: str, histogram: ScrapedHistogram) -> Unit:
        """The unit of a metric, by the first histogram that can be read."""
        return self._units.get(metric) or unit_for(histogram.bounds, self._metrics[metric].seconds or Decimal(1))

    def _record(self, key: MetricKey, name: str, histogram: ScrapedHistogram, stamp: Stamp | None) -> Record:
        seconds, unit = self._metrics[key[0]].seconds or Decimal(1), self._unit(key[0], histogram)
        ranges, below = histogram.ranges(seconds, unit)
        if flaw := self._bounds.flaw(key, histogram.bounds, "buckets"):
            raise ValueError(flaw)
        self._units[key[0]] = unit
        if below and key not in self._negative:
            self._negative.add(key)
            self._report.bad(histogram.line, f"{name}: {below} events below 0, which are no latencies, are left out")
        waited = None if below else self._waited(key, name, histogram, float(seconds))
        counters = self._counters.setdefault(key, CumulativeCounts())
        counted = counters.without_jumps(tuple(histogram.bounds), ranges)
        return Record(
            series=name,
            unit=unit,
            ranges=counted,
            flags=counters.flags | self._sum_flags(key, histogram),
            semantics=Semantics.CUMULATIVE,
            stamp=stamp,
            start=self._started(key, histogram),
            waited=waited,
            label=printable(key[0]),
            source="prometheus",
            arrival=histogram.arrival,
            line=histogram.line,
        )

    def _sum_flags(self, key: MetricKey, histogram: ScrapedHistogram) -> frozenset[str]:
        """Whether what was added to the sum since the last scrape is an estimate."""
        before = self._estimated.get(key)
        if histogram.estimated is not None:
            self._estimated[key] = histogram.estimated
        return _ESTIMATED if is_estimated(key[0], before, histogram.estimated) else frozenset()

    def tells_estimates(self, key: MetricKey) -> bool:
        """Whether the scrapes say how much of the sum of a histogram is an estimate."""
        return key in self._estimated

    def _waited(self, key: MetricKey, name: str, histogram: ScrapedHistogram, seconds: float) -> float | None:
        """The sum in seconds. The first one of each histogram that is no sum of latencies is reported."""
        if histogram.sum is not None and 0 <= histogram.sum < inf:
            return histogram.sum * seconds
        if histogram.has_sum and key not in self._sumless:
            self._sumless.add(key)
            what = "no finite number" if histogram.sum is None else f"{histogram.sum:g}"
            self._report.note(histogram.line, f"{name}: its _sum is {what}: times waited are estimated")
        return None
