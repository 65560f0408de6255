"""HdrHistogram interval logs (.hlog), as jHiccup, Cassandra's and other programs' log writers make them.

Each line is an interval with a compressed histogram, optionally of a tag. Source: HistogramLogWriter.java,
HistogramLogReader.java and AbstractHistogram.java of HdrHistogram.
"""

import re
from collections.abc import Iterator

from ...collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from ...record import Event
from ...report import Report
from ...text.lines import Lines

DESCRIPTION = "HdrHistogram interval logs (.hlog) with compressed histograms of versions 0 to 2, tags included"

_INTERVAL = re.compile(
    r'^"?(?:Tag=[^,"\n]*"?,"?)?\d+\.\d+"?, ?"?\d+\.\d+"?, ?"?[\d.]+"?, ?"?(?:HIST|DHIS|DHJ)[\w+/]', re.MULTILINE
)
_HEADER = re.compile(
    r'^#\[Histogram log format version|^"StartTimestamp","(?:Interval_Length|EndTimestamp)"', re.MULTILINE
)
PERCENTILES = re.compile(
    r"^ *Value +Percentile +TotalCount +1/\(1-Percentile\)|^#\[(?:Mean +=|Buckets +=)", re.MULTILINE
)


def detect(head: str) -> Likelihood:
    """Certain where an interval line or the header of a log stands."""
    if _INTERVAL.search(head) or _HEADER.search(head):
        return Likelihood(0.98, "an HdrHistogram interval log")
    if PERCENTILES.search(head):
        return Likelihood(0.95, "an HdrHistogram percentile distribution")
    return NOT_MINE


def decode(lines: Lines, report: Report, known: Known = NOTHING_KNOWN) -> Iterator[Event]:
    """A record per interval and tag; raises Refused for percentile distributions."""
    from .decoder import Decoder

    yield from Decoder(report, known).events(lines)
