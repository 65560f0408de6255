"""fio's latency logs (write_lat_log): every I/O with its latency, each direction a series.

``time in ms, latency, direction, block size[, offset][, priority][, issue time in ns]``. The time is that of the
completion. Latencies are in ns since fio 3, in us before. Source: iolog.c of fio, HOWTO "Log File Formats".
"""

import re
from collections.abc import Iterator

from ...collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from ...record import Decoded
from ...report import Report
from ...text.lines import Lines
from .both import is_both

DESCRIPTION = "fio latency logs (write_lat_log: lat, clat, slat; fio 2 and 3): every I/O by direction"

_MORE = r"(?:, ?(?:0x[0-9a-f]+|[0-9]+)){0,3}"
_LINE = re.compile(rf"[0-9]{{1,16}}, ?[0-9]{{1,18}}, ?(?:[0-2], ?[1-9][0-9]*|3, ?[0-9]+){_MORE}\r?")
ENOUGH = 2


_HEADER = re.compile(r"[^0-9,;\t]*[A-Za-z_][^0-9,;\t]*[,;\t]")
"""The names of columns: this is another table of numbers."""
MOST_PER_ODD_LINE = 8
"""At most one line in so many can be damaged."""


def detect(head: str) -> Likelihood:
    """Certain if nearly all lines consist of these numbers; the last line can be incomplete."""
    lines = [line for line in head.split("\n") if line.strip()]
    checked = lines[:20]
    if len(checked) > ENOUGH and all(map(is_both, checked[:-1])):
        return Likelihood(0.92, "time, average, largest, direction, block size")
    odd = [line for line in checked[:-1] or checked if not _LINE.fullmatch(line)]
    if not checked or len(odd) * MOST_PER_ODD_LINE >= len(checked) or any(map(_HEADER.match, odd)):
        return NOT_MINE
    if len(checked) >= ENOUGH:
        return Likelihood(0.93, "time, latency, direction 0 to 3, block size")
    return Likelihood(0.6, "one line of time, latency, direction 0 to 3, block size")


def decode(lines: Lines, report: Report, known: Known = NOTHING_KNOWN) -> Iterator[Decoded]:
    """Yield a sample for each line; raise Refused for logs of averages, of bandwidth and of IOPS."""
    from .decoder import FioLogDecoder

    return FioLogDecoder(report, known).events(lines)
