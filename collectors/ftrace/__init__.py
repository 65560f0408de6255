"""ftrace: block requests in trace_pipe, trace and trace-cmd report, from the events of block and from the tracer blk.

``fio-3880    [000] .....  3925.352705: block_rq_issue: 7,0 RS 4096 () 20496 + 8 be,0,4 [fio]``. Source:
Documentation/trace/ftrace.rst, include/trace/events/block.h and kernel/trace/blktrace.c of Linux.
"""

import re
from collections.abc import Iterator

from ...collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from ...record import Decoded
from ...report import Report
from ...text.lines import Lines

DESCRIPTION = "ftrace (trace_pipe, trace, trace-cmd report): block events and the tracer blk: requests by device"

_LINE = re.compile(
    r"^ *.{1,16}-[0-9]{1,7} +(?:\([ 0-9-]+\) +)?\[[0-9]{3,}\] +(?:[\w.#]{4,6} +)?[0-9]+\.[0-9]{6,9}: +"
    r"(?:[\w:]+: |[0-9]+,[0-9]+ +[A-Z])",
    re.MULTILINE,
)
_FUNCTION = re.compile(
    r"^ *.{1,16}-[0-9]{1,7} +(?:\([ 0-9-]+\) +)?\[[0-9]{3,}\] +[\w.#]{4,6} +[0-9]+\.[0-9]{6,9}: +\S+ <-", re.MULTILINE
)
_HEADER = re.compile(r"^# tracer: \w+\s*$", re.MULTILINE)


def detect(head: str) -> Likelihood:
    """Certain at the first event, of whatever kind."""
    if _LINE.search(head):
        return Likelihood(0.95, "process, [processor], seconds, event")
    found = _HEADER.search(head) or _FUNCTION.search(head)
    return Likelihood(0.93, "a tracer's header or functions") if found else NOT_MINE


def decode(lines: Lines, report: Report, known: Known = NOTHING_KNOWN) -> Iterator[Decoded]:
    """Yield a sample for each completed request; raise Refused for traces of other events."""
    from .decoder import events

    return events(lines, report, known)
