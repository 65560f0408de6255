"""OTLP JSON objects to records."""

from collections.abc import Iterator
from decimal import Decimal

from ...collector import Known
from ...errors import Refused
from ...record import Event, Record, Semantics, Stamp
from ...report import Report
from ...text.clean import printable
from ...text.counters import Counters
from ...text.lines import Line, Lines
from ...text.objects import Found, json_objects
from ...text.rounds import Rounds
from ...units import Unit
from .._metrics.measured import Measured, measured
from .._metrics.names import Key, Names
from .buckets import Buckets, explicit, exponential
from .members import member, number, whole
from .points import NO_RECORDED_VALUE, Point, points_of

PATIENCE = 10
"""Objects without a histogram of a time before the text is refused: some histograms appear with the first request."""

_INSTEAD = "what would work are histograms of a time, with their unit (s, ms, us, ns)"


class Decoder:
    """Reads exports. Series have stamps of their own, for exports of several programs may lie in one file."""

    def __init__(self, report: Report, known: Known) -> None:
        self._report = report
        self._given = known.unit
        self._names = Names(report)
        self._rounds = Rounds()
        self._metrics: dict[tuple[str, str], Measured] = {}
        self._units: dict[Key, Unit] = {}
        self._counters: dict[Key, tuple[int | None, Counters]] = {}
        self._negative: set[Key] = set()
        self._last: Stamp | None = None
        self._why_not = "no histogram"
        self._vain = 0

    def events(self, lines: Lines) -> Iterator[Event]:
        """A record per data point."""
        last = 0
        for item in json_objects(lines, self._report.bad):
            if isinstance(item, Line):
                last = item.number
            elif item is not None:
                last = item.line
                yield from self._export(item)
        if not self._names:
            self._refuse(last)

    def _export(self, found: Found) -> Iterator[Event]:
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
                placed = self._rounds.placed(record)
                self._last = placed.stamp
                yield placed
        self._vain += not self._names
        if self._vain >= PATIENCE:
            self._refuse(found.line)

    def _baselines(self, points: list[Point], since: Stamp, line: int) -> Iterator[Record]:
        """Empty records, at the last export, of cumulative series that started after it."""
        for point in points:
            start = _micros(point, "startTimeUnixNano")
            if point.key in self._names or point.semantics is not Semantics.CUMULATIVE or start is None:
                continue
            try:
                unit = self._buckets(point).unit
            except (ValueError, AttributeError, TypeError):
                continue  # it is told when its record is read
            if start >= since.micros and (name := self._names.name(point.key, line)):
                yield Record(name, unit, (), Semantics.CUMULATIVE, since, waited=0.0)

    def _measured(self, point: Point, line: int) -> Measured:
        metric = (point.key[0], point.unit)
        if metric not in self._metrics:
            found = self._metrics[metric] = measured(*metric, self._given)
            if found.seconds is None:
                self._why_not = found.reason
                self._report.note(line, f"left out: {found.reason}")
        return self._metrics[metric]

    def _seconds(self, point: Point) -> Decimal:
        return self._metrics[point.key[0], point.unit].seconds or Decimal(1)

    def _buckets(self, point: Point) -> Buckets:
        if point.exponential:
            return exponential(point.value, self._seconds(point))
        return explicit(point.value, self._seconds(point), self._units.get(point.key))

    def _record(self, point: Point, found: Found) -> Record | None:
        flags = member(point.value, "flags")
        if isinstance(flags, int) and flags & NO_RECORDED_VALUE:
            return None
        buckets, start = self._buckets(point), _micros(point, "startTimeUnixNano")
        name = self._names.name(point.key, found.line)
        if not name:
            return None
        self._units[point.key] = buckets.unit
        if buckets.below:
            self._tell_negative(point.key, buckets.below, found.line)
        is_interval = point.semantics is Semantics.INTERVAL
        counters = Counters() if is_interval else self._counters_of(point.key, start)
        moment, total = _micros(point, "timeUnixNano"), number(member(point.value, "sum"))
        return Record(
            series=name,
            unit=buckets.unit,
            ranges=counters.told(buckets.layout, buckets.ranges),
            semantics=point.semantics,
            stamp=None if moment is None else Stamp(moment),
            start=start,
            waited=None if total is None or total < 0 or buckets.below else total * float(self._seconds(point)),
            label=printable(point.key[0]),
            source="otlp",
            arrival=found.arrival,
            line=found.line,
        )

    def _counters_of(self, key: Key, start: int | None) -> Counters:
        """Those of a series since it was started."""
        if key not in self._counters or self._counters[key][0] != start:
            self._counters[key] = start, Counters()
        return self._counters[key][1]

    def _tell_negative(self, key: Key, below: int, line: int) -> None:
        if key not in self._negative:
            self._negative.add(key)
            self._report.bad(line, f"{key[0]}: {below} events below 0, which are no latencies, are left out")

    def _refuse(self, line: int) -> None:
        raise Refused(f"{self._report.name}:{line}: no latency in this telemetry: {self._why_not}; {_INSTEAD}")


def _micros(point: Point, name: str) -> int | None:
    """A time of a data point in epoch microseconds, None where it has none."""
    value = member(point.value, name)
    try:
        return whole(value) // 1000 or None if value is not None else None
    except ValueError:
        return None
