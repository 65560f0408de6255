"""HdrHistogram interval logs (.hlog), as written by jHiccup, Cassandra and other programs.

Each line is an interval with a compressed histogram, and optionally a tag. Source: HistogramLogWriter.java,
HistogramLogReader.java and AbstractHistogram.java of HdrHistogram.
"""

from collections.abc import Iterator

from ...collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from ...record import Decoded
from ...report import Report
from ...text.lines import Lines
from .signs import HEADER, INTERVAL, PERCENTILES

DESCRIPTION = "HdrHistogram interval logs (.hlog) with compressed histograms of versions 0 to 2, tags included"


def detect(head: str) -> Likelihood:
    """Certain if the text contains an interval line or the header of a log."""
    if INTERVAL.search(head) or HEADER.search(head):
        return Likelihood(0.98, "an HdrHistogram interval log")
    if PERCENTILES.search(head):
        return Likelihood(0.95, "an HdrHistogram percentile distribution")
    return NOT_MINE


def decode(lines: Lines, report: Report, known: Known = NOTHING_KNOWN) -> Iterator[Decoded]:
    """Yield a record per interval and tag, or a sample per operation of YCSB.

    Raise Refused for percentile distributions.
    """
    from .decoder import HdrDecoder

    yield from HdrDecoder(report, known).events(lines)
