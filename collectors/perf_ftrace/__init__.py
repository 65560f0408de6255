"""Histograms based on the kernel's ftrace: ``perf ftrace latency``, and iolatency of perf-tools.

Both print their unit, and upper bounds that are exclusive.
Source: display_histogram of tools/perf/builtin-ftrace.c; the script iolatency.
"""

from collections.abc import Iterator

from ...collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from ...record import Event
from ...report import Report
from ...text.lines import Lines
from .signs import IOLATENCY, LATENCY

DESCRIPTION = "histogram text of perf ftrace latency, and of iolatency of perf-tools"


def detect(head: str) -> Likelihood:
    """How much the text looks like one of them, judged by the heading of a histogram."""
    if LATENCY.search(head):
        return Likelihood(0.97, "histograms headed '#   DURATION     |      COUNT | GRAPH'")
    if IOLATENCY.search(head):
        return Likelihood(0.97, "histograms headed '>=(ms) .. <(ms)   : I/O'")
    return NOT_MINE


def decode(lines: Lines, report: Report, _: Known = NOTHING_KNOWN) -> Iterator[Event]:
    """Yield the ticks and records of the text, with counts per run of perf or per interval of iolatency."""
    from .decoder import PerfFtraceDecoder

    yield from PerfFtraceDecoder(report).events(lines)
