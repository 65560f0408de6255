"""Tools that print a line per event under a header: biosnoop, ext4slower and similar tools, runqslower, iosnoop,
dbslower, tcpconnlat.

``TIME(s) COMM PID DISK T SECTOR BYTES LAT(ms)``: the tools of bcc, libbpf-tools and perf-tools, and bpftrace scripts
with the same kind of output. The time is that of the end, unless the tool prints the start. Source: the tools' own
printf lines.
"""

from collections.abc import Iterator

from ...collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from ...record import Decoded
from ...report import Report
from ...text.lines import Lines

DESCRIPTION = "biosnoop, ext4slower and its kin, iosnoop, runqslower, dbslower, tcpconnlat: a line per event"


def detect(head: str) -> Likelihood:
    """Certain if the text contains the header of such a tool."""
    for line in head.split("\n"):
        if "LAT" in line or " MS" in line:
            from .header import header_layout

            layout = header_layout(line)
            if layout is not None:
                return Likelihood(0.96, f"columns up to {layout.latency}")
    return NOT_MINE


def decode(lines: Lines, report: Report, known: Known = NOTHING_KNOWN) -> Iterator[Decoded]:
    """Yield a sample for each line; with a column QUE two, because the time in the queue is a series of its own."""
    from .decoder import HeaderTableDecoder

    return HeaderTableDecoder(report, known).events(lines)
