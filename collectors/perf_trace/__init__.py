"""perf trace: every system call with its duration, and block requests if their events are traced.

``88.060 ( 5.083 ms): fio/18672 pread64(fd: 7, ...) = 4096``: start in ms since the first one, duration, process, call.
Source: man page perf-trace(1), tools/perf/builtin-trace.c of Linux.
"""

import re
from collections.abc import Iterator

from ...collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from ...record import Decoded
from ...report import Report
from ...text.lines import Lines

DESCRIPTION = "perf trace: system calls with their durations; block requests (-e block:*) by device"

_CALL = re.compile(r"^ *(?:[0-9]+\.[0-9]{3}|\?) \( *(?:[0-9]+\.[0-9]{3} ms|\? *)?\): +[^\s]", re.MULTILINE)
_EVENT = re.compile(r"^ *[0-9]+\.[0-9]{3} .{1,32}/[0-9]{1,7} [a-z]\w*:[a-z]\w*\(", re.MULTILINE)
_SUMMARY = re.compile(r"^ *Summary of events:\s*$", re.MULTILINE)


def detect(head: str) -> Likelihood:
    """Certain at the first call or event."""
    if _CALL.search(head) or _EVENT.search(head):
        return Likelihood(0.95, "ms, (duration): process/number call(...)")
    return Likelihood(0.92, "summary of perf trace -s") if _SUMMARY.search(head) else NOT_MINE


def decode(lines: Lines, report: Report, known: Known = NOTHING_KNOWN) -> Iterator[Decoded]:
    """Yield a sample for each call and request; raise Refused for a summary, and if nothing has a duration."""
    from .decoder import PerfTraceDecoder

    return PerfTraceDecoder(report, known).events(lines)
