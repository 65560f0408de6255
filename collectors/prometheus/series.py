"""Histograms as series: their names, units and records."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal

from ...record import Record, Semantics, Stamp
from ...report import Report
from ...text.clean import printable
from ...text.counters import Counters
from ...units import Unit
from .histograms import Histogram, unit_for
from .metrics import Measured, measured

MAX_SERIES = 5_000
Key = tuple[str, tuple[tuple[str, str], ...]]
"""A metric and its labels."""


class Series:
    """All histograms told so far. ``unit_of`` are the units that ``# UNIT`` gave; ``any``: one of a time was told.

    A series is named by the values of its labels, behind the name of its metric unless that was the only one at first.
    """

    def __init__(self, report: Report, given: Unit | None) -> None:
        self.unit_of: dict[str, str] = {}
        self.why_not = ""
        self._report = report
        self._given = given
        self._metrics: dict[str, Measured] = {}
        self._units: dict[str, Unit] = {}
        self._names: dict[Key, str] = {}
        self._taken: set[str] = set()
        self._counters: dict[Key, Counters] = {}
        self._created: dict[Key, int] = {}
        self._negative: set[Key] = set()
        self._only: str | None = None
        self._last: Stamp | None = None

    @property
    def any(self) -> bool:
        return bool(self._names)

    def times(self, histograms: Mapping[Key, Histogram]) -> dict[Key, Histogram]:
        """Those of a time; the others are told once, as left out."""
        return {key: one for key, one in histograms.items() if self._measured(key[0], one.line).seconds is not None}

    def baselines(self, histograms: Mapping[Key, Histogram]) -> Iterator[Record]:
        """Empty records, at the last scrape, of histograms that are new since then: they began with no events."""
        if self._last is None:
            return
        for key, one in histograms.items():
            if key not in self._names and one.created is not None and one.created >= self._last.micros:
                name = self._name(key, one.line)
                if name:
                    yield Record(name, self._unit(key[0], one), (), Semantics.CUMULATIVE, self._last, waited=0.0)

    def records(self, histograms: Mapping[Key, Histogram], stamp: Stamp | None) -> Iterator[Record]:
        """Cumulative records of one scrape."""
        self._last = stamp or self._last
        if not self._names:
            metrics = {metric for metric, _ in histograms}
            self._only = metrics.pop() if len(metrics) == 1 else None
        for key, one in histograms.items():
            name = self._name(key, one.line)
            if name:
                try:
                    yield self._record(key, name, one, stamp)
                except ValueError as error:
                    self._report.bad(one.line, f"{key[0]}: {error}; this histogram is left out")

    def remember(self, histograms: Mapping[Key, Histogram]) -> None:
        """When the counters of histograms started: it may stand behind what has been told already."""
        self._created.update((key, one.created) for key, one in histograms.items() if one.created is not None)

    def _measured(self, metric: str, line: int) -> Measured:
        if metric not in self._metrics:
            unit = self.unit_of.get(metric, "")
            found = self._metrics[metric] = measured(metric, unit, self._given)
            if found.seconds is None:
                self.why_not = self.why_not or found.reason
                self._report.note(line, f"left out: {found.reason}")
        return self._metrics[metric]

    def _unit(self, metric: str, histogram: Histogram) -> Unit:
        if metric not in self._units:
            self._units[metric] = unit_for(histogram.bounds, self._metrics[metric].seconds or Decimal(1))
        return self._units[metric]

    def _name(self, key: Key, line: int) -> str:
        """The name of a series, empty where there are too many."""
        if key not in self._names:
            if len(self._names) > MAX_SERIES:
                return ""
            if len(self._names) == MAX_SERIES:
                self._report.bad(line, f"more than {MAX_SERIES} histograms: the others are left out")
            self._names[key] = self._new_name(*key) if len(self._names) < MAX_SERIES else ""
            self._counters[key] = Counters()
        return self._names[key]

    def _new_name(self, metric: str, labels: Iterable[tuple[str, str]]) -> str:
        prefix = [] if metric == self._only else [metric]
        short = ",".join([*prefix, *(value for _, value in labels if value)]) or "all"
        long = ",".join([*prefix, *(f"{name}={value}" for name, value in labels)])
        name = printable(short if short not in self._taken else long)
        self._taken.add(name)
        return name

    def _record(self, key: Key, name: str, histogram: Histogram, stamp: Stamp | None) -> Record:
        seconds, unit = self._metrics[key[0]].seconds or Decimal(1), self._unit(key[0], histogram)
        ranges, below = histogram.ranges(seconds, unit)
        if below and key not in self._negative:
            self._negative.add(key)
            self._report.bad(histogram.line, f"{name}: {below} events below 0, which are no latencies, are left out")
        waited = None if histogram.sum is None or histogram.sum < 0 or below else histogram.sum * float(seconds)
        return Record(
            series=name,
            unit=unit,
            ranges=self._counters[key].told(tuple(histogram.bounds), ranges),
            semantics=Semantics.CUMULATIVE,
            stamp=stamp,
            start=histogram.created or self._created.get(key),
            waited=waited,
            label=printable(key[0]),
            source="prometheus",
            arrival=histogram.arrival,
            line=histogram.line,
        )
