"""The output of bpftrace's hist() and lhist() maps, as text and with ``-f json``.

The text contains neither a unit nor whether counts are per interval. The unit comes from the map's name or from the
user; whether counts are per interval is decided by the first snapshots.
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
    """How much the text looks like bpftrace's, judged first by its maps."""
    from .signs import likelihood

    return likelihood(head)


def decode(lines: Lines, report: Report, known: Known = NOTHING_KNOWN) -> Iterator[Event]:
    """Yield the ticks and records of the text; raise Refused if it contains no latency distribution."""
    from .decoder import events

    yield from events(lines, report, known)
