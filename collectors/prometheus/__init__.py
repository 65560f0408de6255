"""Histograms in the text format of Prometheus (0.0.4) and in OpenMetrics text: scrapes, one after the other.

Counts are cumulative in time and over ``le``, the upper bound of a bucket, which is (previous le, le]. It is read as
[previous le, le), because latencies that equal a bound are rare. Source: Prometheus' exposition formats, OpenMetrics
1.0.
"""

import re
from collections.abc import Iterator

from ...collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from ...record import Event
from ...report import Report
from ...text.lines import Lines

DESCRIPTION = "Prometheus and OpenMetrics text: scrapes of histograms one after the other, exact sums"

_TYPE = re.compile(
    r"^# TYPE \S+ (?:histogram|gaugehistogram|summary|counter|gauge|untyped|unknown|info|stateset) *\r?$", re.MULTILINE
)
_BUCKET = re.compile(r'^[a-zA-Z_:][\w:]*_bucket\{.*\ble="[^"]*".*\} +[-+0-9.eEInfNa]+', re.MULTILINE)


def detect(head: str) -> Likelihood:
    """Certain by a sample of a bucket or by the type of a metric."""
    if _BUCKET.search(head):
        return Likelihood(0.98, "samples of histogram buckets")
    if _TYPE.search(head):
        return Likelihood(0.95, "types of metrics")
    return NOT_MINE


def decode(lines: Lines, report: Report, known: Known = NOTHING_KNOWN) -> Iterator[Event]:
    """Yield a tick per scrape and a cumulative record per histogram; raise Refused if no histogram measures time."""
    from .decoder import PrometheusDecoder

    yield from PrometheusDecoder(report, known).events(lines)
