"""The histograms in an OTLP JSON object, whatever they measure."""

from collections.abc import Iterator
from typing import NamedTuple

from ...record import Semantics
from ...text.objects import Found
from .._metrics.names import Key, Labels
from .members import Object, attributes, member, objects

_ORIGIN = ("service.name", "service.namespace", "service.instance.id", "host.name", "process.pid")
_TEMPORALITY = {
    1: Semantics.INTERVAL,
    2: Semantics.CUMULATIVE,
    "AGGREGATION_TEMPORALITY_DELTA": Semantics.INTERVAL,
    "AGGREGATION_TEMPORALITY_CUMULATIVE": Semantics.CUMULATIVE,
}
NO_RECORDED_VALUE = 1
"""The flag of a data point that says that there is none."""


class Point(NamedTuple):
    """One data point of a histogram, and what it is of."""

    key: Key
    unit: str
    semantics: Semantics
    exponential: bool
    value: Object


def points_of(found: Found) -> Iterator[Point]:
    """All data points of histograms."""
    for resource in objects(found.value, "resourceMetrics"):
        origin = tuple(pair for pair in attributes(resource.get("resource")) if pair[0] in _ORIGIN)
        for name in ("scopeMetrics", "instrumentationLibraryMetrics"):
            for scope in objects(resource, name):
                for metric in objects(scope, "metrics"):
                    yield from _of_metric(metric, origin)


def _of_metric(metric: Object, origin: Labels) -> Iterator[Point]:
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
                continue  # the SDK's console prints sums and gauges in the same way
            key = (name, attributes(point), origin)
            yield Point(key, unit, semantics or Semantics.OPEN, is_exponential, point)
