"""Turns OTLP JSON objects into records."""

from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from ...collector import Known
from ...errors import Refused
from ...record import Event, Record, Semantics, Stamp
from ...report import Report
from ...text import CommonStamps, CumulativeCounts, JsonObject, json_objects
from ...text.clean import printable
from ...text.lines import Line, Lines
from ...units import Unit
from .._bounded import BoundedDict
from .._metrics.metric_unit import MetricUnit, unit_of_metric
from .._metrics.names import HistogramNames, LabelPairs, MetricKey
from .._missing import Missing
from .buckets import Buckets, explicit, exponential
from .members import Object, attributes, finite_number, member, objects, whole_count

# Finds the histograms in an OTLP JSON object, whatever they measure.


_ORIGIN = ("service.name", "service.namespace", "service.instance.id", "host.name", "process.pid")
_TEMPORALITY = {
    1: Semantics.INTERVAL,
    2: Semantics.CUMULATIVE,
    "AGGREGATION_TEMPORALITY_DELTA": Semantics.INTERVAL,
    "AGGREGATION_TEMPORALITY_CUMULATIVE": Semantics.CUMULATIVE,
}
NO_RECORDED_VALUE = 1
"""The flag of a data point that means it has no value."""


class Point(NamedTuple):
    """One data point of a histogram, with its metric and attributes."""

    key: MetricKey
    unit: str
    semantics: Semantics
    exponential: bool
    value: Object


def points_of(found: JsonObject) -> Iterator[Point]:
    """Yield all data points of histograms."""
    for resource in objects(found.value, "resourceMetrics"):
        origin = tuple(pair for pair in attributes(resource.get("resource")) if pair[0] in _ORIGIN)
        for name in ("scopeMetrics", "instrumentationLibraryMetrics"):
            for scope in objects(resource, name):
                for metric in objects(scope, "metrics"):
                    yield from _of_metric(metric, origin)


def _of_metric(metric: Object, origin: LabelPairs) -> Iterator[Point]:
    name, unit = str(metric.get("name", ""))[:200], str(metric.get("unit") or "")[:40]
    for kind in ("histogram", "exponentialHistogram", "data"):
        data = member(metric, kind)
        if not isinstance(data, dict):
            continue
        temporality = member(data, "aggregationTemporality")
        semantics = _TEMPORALITY.get(temporality, Semantics.OPEN) if isinstance(temporality, int | str) else None
        for point in objects(data, "dataPoints"):
            is_exponential = member(point, "scale") is not None or kind == "exponentialHistogram"
            if kind == "data" and not is_exponential and member(point, "bucketCounts") is None:
                continue  # the SDK's console exporter prints sums and gauges in the same way
            key = (name, attributes(point), origin)
            yield Point(key, unit, semantics or Semantics.OPEN, is_exponential, point)


PATIENCE = 10
"""Say what is missing after this many objects without a histogram of a time: some histograms appear
with the first request.
"""

_INSTEAD = "what would work are histograms of a time, with their unit (s, ms, us, ns)"


class OtlpDecoder:
    """Reads exports. Each series has its own stamps, because a file can contain exports of several programs."""

    def __init__(self, report: Report, known: Known) -> None:
        self._report = report
        self._given = known.unit
        self._missing = Missing(report, live=known.live)
        self._names = HistogramNames(report)
        self._common_stamps = CommonStamps()
        self._metrics: BoundedDict[tuple[str, str], MetricUnit] = BoundedDict()
        self._units: dict[MetricKey, Unit] = {}
        self._counters: dict[MetricKey, tuple[int | None, CumulativeCounts]] = {}
        self._negative: set[MetricKey] = set()
        self._last: Stamp | None = None
        self._why_not = "no histogram"
        self._vain = 0

    def events(self, lines: Lines) -> Iterator[Event]:
        """Yield a record per data point."""
        last = 0
        for item in json_objects(lines, self._report.bad):
            if isinstance(item, Line):
                last = item.number
            elif item is not None:
                last = item.line
                yield from self._export(item)
        if not self._names:
            self._refuse(last)

    def _export(self, found: JsonObject) -> Iterator[Event]:
        points = [point for point in points_of(found) if self._measured(point, found.line).seconds is not None]
        self._names.begin(point.key[0] for point in points)
        since = self._last
        if since is not None:
            yield from self._baselines(points, since, found.line)
        for point in points:
            try:
                record = self._record(point, found)
            except (ValueError, AttributeError, TypeError) as error:
                self._report.bad(found.line, f"{point.key[0]}: {error}; this data point is left out")
                continue
            if record is not None:
                placed = self._common_stamps.placed(record)
                self._last = placed.stamp
                yield placed
        self._vain += not self._names
        if self._vain == PATIENCE:
            self._missing.add(found.line, self._reason())

    def _baselines(self, points: list[Point], since: Stamp, line: int) -> Iterator[Record]:
        """Yield empty records, at the last export, for cumulative series that started after it."""
        for point in points:
            start = _micros(point, "startTimeUnixNano")
            if point.key in self._names or point.semantics is not Semantics.CUMULATIVE or start is None:
                continue
            try:
                unit = self._buckets(point).unit
            except (ValueError, AttributeError, TypeError):
                continue  # a problem with it is reported when its record is read
            if start >= since.micros and (name := self._names.name(point.key, line)):
                yield Record(name, unit, (), Semantics.CUMULATIVE, since, waited=0.0)

    def _measured(self, point: Point, line: int) -> MetricUnit:
        metric = (point.key[0], point.unit)
        if metric not in self._metrics:
            found = self._metrics[metric] = unit_of_metric(*metric, self._given)
            if found.seconds is None:
                self._why_not = found.reason
                self._report.note(line, f"left out: {found.reason}")
            elif found.against:
                self._report.note(line, found.against)
        return self._metrics[metric]

    def _seconds(self, point: Point) -> Decimal:
        return self._metrics[point.key[0], point.unit].seconds or Decimal(1)

    def _buckets(self, point: Point) -> Buckets:
        if point.exponential:
            return exponential(point.value, self._seconds(point))
        return explicit(point.value, self._seconds(point), self._units.get(point.key))

    def _record(self, point: Point, found: JsonObject) -> Record | None:
        flags = member(point.value, "flags")
        if isinstance(flags, int) and flags & NO_RECORDED_VALUE:
            return None
        buckets, start = self._buckets(point), _micros(point, "startTimeUnixNano")
        name = self._names.name(point.key, found.line)
        if not name:
            return None
        self._units[point.key] = buckets.unit
        if buckets.below:
            self._report_negative(point.key, buckets.below, found.line)
        is_interval = point.semantics is Semantics.INTERVAL
        counters = CumulativeCounts() if is_interval else self._counters_of(point.key, start)
        moment, total = _micros(point, "timeUnixNano"), finite_number(member(point.value, "sum"))
        return Record(
            series=name,
            unit=buckets.unit,
            ranges=counters.without_jumps(buckets.layout, buckets.ranges),
            flags=counters.flags,
            semantics=point.semantics,
            stamp=None if moment is None else Stamp(moment),
            start=start,
            waited=None if total is None or total < 0 or buckets.below else total * float(self._seconds(point)),
            label=printable(point.key[0]),
            source="otlp",
            arrival=found.arrival,
            line=found.line,
        )

    def _counters_of(self, key: MetricKey, start: int | None) -> CumulativeCounts:
        """The counters of a series since it was started."""
        if key not in self._counters or self._counters[key][0] != start:
            self._counters[key] = start, CumulativeCounts()
        return self._counters[key][1]

    def _report_negative(self, key: MetricKey, below: int, line: int) -> None:
        if key not in self._negative:
            self._negative.add(key)
            self._report.bad(line, f"{key[0]}: {below} events below 0, which are no latencies, are left out")

    def _refuse(self, line: int) -> None:
        raise Refused(f"{self._report.where(line)}: {self._reason()}")

    def _reason(self) -> str:
        return f"no latency in this telemetry: {self._why_not}; {_INSTEAD}"


def _micros(point: Point, name: str) -> int | None:
    """A time of a data point in epoch microseconds; None if it has none."""
    value = member(point.value, name)
    try:
        return whole_count(value) // 1000 or None if value is not None else None
    except ValueError:
        return None
