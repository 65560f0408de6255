"""Histograms as series: their units and records."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from math import inf
from typing import TypeAlias

from ...record import Record, Semantics, Stamp, lost_record
from ...report import Report
from ...text import CumulativeCounts
from ...text.clean import printable
from ...units import Unit
from .._bounded import BoundedDict
from .._metrics.metric_unit import MetricUnit, unit_of_metric
from .._metrics.names import HistogramNames, MetricKey
from .._usual_bounds import UsualBounds
from .histograms import ScrapedHistogram, unit_for

Histograms: TypeAlias = Mapping[MetricKey, ScrapedHistogram]


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
        self._negative: set[MetricKey] = set()
        self._sumless: set[MetricKey] = set()
        self._last: Stamp | None = None

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
                try:
                    yield self._record(key, name, one, stamp)
                except ValueError as error:
                    self._report.bad(one.line, f"{key[0]}: {error}; this histogram is left out")
                    empty = Record(name, self._unit(key[0], one), (), Semantics.CUMULATIVE, stamp, source="prometheus")
                    yield lost_record(replace(empty, label=printable(key[0]), arrival=one.arrival, line=one.line))

    def remember(self, histograms: Histograms) -> None:
        """Remember when the counters of histograms started, which can be printed after the histogram itself."""
        self._created.update((key, one.created) for key, one in histograms.items() if one.created is not None)

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
        return Record(
            series=name,
            unit=unit,
            ranges=counters.without_jumps(tuple(histogram.bounds), ranges),
            flags=counters.flags,
            semantics=Semantics.CUMULATIVE,
            stamp=stamp,
            start=histogram.created or self._created.get(key),
            waited=waited,
            label=printable(key[0]),
            source="prometheus",
            arrival=histogram.arrival,
            line=histogram.line,
        )

    def _waited(self, key: MetricKey, name: str, histogram: ScrapedHistogram, seconds: float) -> float | None:
        """The sum in seconds. The first one of each histogram that is no sum of latencies is reported."""
        if histogram.sum is not None and 0 <= histogram.sum < inf:
            return histogram.sum * seconds
        if histogram.has_sum and key not in self._sumless:
            self._sumless.add(key)
            what = "no finite number" if histogram.sum is None else f"{histogram.sum:g}"
            self._report.note(histogram.line, f"{name}: its _sum is {what}: times waited are estimated")
        return None
