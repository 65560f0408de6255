"""Histograms of OpenTelemetry metrics as OTLP JSON: one object per line, as the collector's file exporter writes it.

Explicit bounds are upper and inclusive, as are those of exponential buckets: bucket i of scale s is (b^i, b^(i+1)] with
b = 2^(2^-s). They are read as [lower, upper), because latencies that equal a bound are rare. Source: metrics.proto of
opentelemetry-proto 1, the protobuf JSON mapping, and the OpenTelemetry metrics data model.
"""

import re
from collections.abc import Iterator

from ...collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from ...record import Event
from ...report import Report
from ...text.lines import Lines

DESCRIPTION = "OTLP JSON: explicit and exponential histograms of OpenTelemetry, delta or cumulative, exact sums"

_SIGNALS = re.compile(
    r"^[ \t\[]*(?:\{\s*)?\"resource(?:Metrics|_metrics|Spans|_spans|Logs|_logs)\"\s*:\s*(?:\[|null|\r?$)", re.MULTILINE
)


def detect(head: str) -> Likelihood:
    """Certain if the text contains the member that encloses all others."""
    return Likelihood(0.98, "OTLP JSON: resourceMetrics") if _SIGNALS.search(head) else NOT_MINE


def decode(lines: Lines, report: Report, known: Known = NOTHING_KNOWN) -> Iterator[Event]:
    """Yield a record per data point; raise Refused if no histogram measures time."""
    from .decoder import OtlpDecoder

    yield from OtlpDecoder(report, known).events(lines)
