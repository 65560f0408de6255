"""What bpftrace prints of hist() and lhist() maps, as text and with ``-f json``.

Text has neither a unit nor a word on whether its counts are per interval: the unit comes from the map's name or from
the user, what the counts are from the first prints.
Source: src/output.cpp, src/output/text.cpp and src/output/json.cpp of bpftrace 0.9 to 0.24.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...collector import NOTHING_KNOWN, Known, Likelihood

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...record import Event
    from ...report import Report
    from ...text.lines import Lines

DESCRIPTION = (
    "histograms of bpftrace, text and -f json: hist() and lhist() maps, the unit from the map's name or --unit"
)


def detect(head: str) -> Likelihood:
    """How much the text looks like bpftrace's, by its maps first of all."""
    from .signs import likelihood

    return likelihood(head)


def decode(lines: Lines, report: Report, known: Known = NOTHING_KNOWN) -> Iterator[Event]:
    """Ticks and records of the text; raises Refused where bpftrace printed no latency distribution."""
    from .decoder import events

    yield from events(lines, report, known)
