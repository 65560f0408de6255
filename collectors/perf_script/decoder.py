"""Turns lines of perf script into requests."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...collector import Known
from ...record import Decoded
from ...report import Report
from ...text.lines import Lines
from .._block.decoder import block_event_decoder
from .._block.request import Odd, Request, from_event

SOURCE = "perf_script"
_LINE = re.compile(
    r"(?:.* )?([0-9]{1,12})\.([0-9]{6,9}): +(?:[0-9]{1,19} +)?(?:([a-z]\w*):([a-z]\w*):|[\w/=,.:-]+: ) *"
)
_WORKS = (
    "what would work is perf record -a -e block:block_rq_issue -e block:block_rq_complete and perf script; "
    "for system calls use perf trace, which prints their durations"
)


def events(lines: Lines, report: Report, known: Known) -> Iterator[Decoded]:
    """Yield samples; raise Refused for other events."""
    return block_event_decoder(report, known, read_request, SOURCE, _WORKS).events(lines)


def read_request(text: str) -> Request | Odd | None:
    """Parse a line."""
    found = None if text.startswith("#") or ": " not in text else _LINE.match(text)
    if found is None:
        return None
    if found[3] != "block":
        return Odd.OTHER
    return from_event(found[4], text[found.end() :], (found[1], found[2]))
