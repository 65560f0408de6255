"""Turns lines of ftrace into requests."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...collector import Known
from ...record import Decoded
from ...report import Report
from ...text.lines import Lines
from .._block.decoder import block_event_decoder
from .._block.request import Odd, Request, from_action, from_event

SOURCE = "ftrace"
_LINE = re.compile(
    r".*?-[0-9]{1,7} +(?:\([ 0-9-]+\) +)?\[[0-9]{3,}\] +(?:[\w.#]{4,6} +)?([0-9]{1,12})\.([0-9]{6,9}): +"
)
_EVENT = re.compile(r"(\w+): +")
_ACTION = re.compile(r"([0-9]{1,5}),([0-9]{1,7}) +(?=[A-Za-z]{1,2} )")
_FUNCTIONS = re.compile(r" *[0-9]+\) |# tracer: function")
_WORKS = (
    "what would work is the events block_rq_issue and block_rq_complete: "
    "echo 1 > /sys/kernel/tracing/events/block/enable; cat /sys/kernel/tracing/trace_pipe; "
    "for system calls use perf trace, which prints their durations"
)


def events(lines: Lines, report: Report, known: Known) -> Iterator[Decoded]:
    """Yield samples; raise Refused for traces of other events."""
    return block_event_decoder(report, known, read_request, SOURCE, _WORKS).events(lines)


def read_request(text: str) -> Request | Odd | None:
    """Parse a line."""
    found = _LINE.match(text)
    if found is None:
        return Odd.OTHER if _FUNCTIONS.match(text) else None
    time = found[1], found[2]
    if event := _EVENT.match(text, found.end()):
        return from_event(event[1], text[event.end() :], time)
    if action := _ACTION.match(text, found.end()):
        return from_action(text[action.end() :], (int(action[1]), int(action[2])), time)
    return Odd.OTHER
