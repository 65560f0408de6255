"""perf script: block requests, from issue to completion and from insert to issue, by device.

``fio  3880 [000]  3925.525629:    block:block_rq_issue: 7,0 RS 4096 () 2048 + 8 0x2,0,4 [fio]``. Source: man page
perf-script(1), include/trace/events/block.h of Linux.
"""

import re
from collections.abc import Iterator

from ...collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from ...record import Decoded
from ...report import Report
from ...text.lines import Lines

DESCRIPTION = "perf script of block:block_rq_issue, _complete and _insert: block requests by device"

_TIME = re.compile(r"[0-9]\.[0-9]{6,9}: ")
_TRACEPOINT = re.compile(
    r"^ *(?:(?! ).{1,16} +-?[0-9]{1,7}(?:/[0-9]{1,7})? +)?(?:\[[0-9]{3,}\] +)?(?:[\w.]{4,6} +)?"
    r"[0-9]+\.[0-9]{6,9}: +(?:[0-9]+ +)?[a-z]\w*:[a-z]\w*: ",
    re.MULTILINE,
)
_EVENT = re.compile(
    r"^ *(?! ).{1,16} +-?[0-9]{1,7}(?:/[0-9]{1,7})? +\[[0-9]{3,}\] +[0-9]+\.[0-9]{6,9}: +[0-9]+ +"
    r"[\w/=,.-]+(?::[\w-]*)?: ",
    re.MULTILINE,
)


def detect(head: str) -> Likelihood:
    """Certain at the first event, of whatever kind."""
    if not _TIME.search(head):
        return NOT_MINE
    if _TRACEPOINT.search(head):
        return Likelihood(0.95, "process, [processor], seconds, group:event")
    return Likelihood(0.92, "process, [processor], seconds, period, event") if _EVENT.search(head) else NOT_MINE


def decode(lines: Lines, report: Report, known: Known = NOTHING_KNOWN) -> Iterator[Decoded]:
    """Yield a sample for each completed request; raise Refused for other events."""
    from .decoder import events

    return events(lines, report, known)
