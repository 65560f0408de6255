"""Counts that only ever grow: per interval by their source's word, but perhaps totals."""

from collections.abc import Iterable, Iterator

from ..record import Event, RangeCounts, Record, Semantics, counts_of
from ..report import Report

SUSPICIOUS_GROWTH = 10
"""So many records in a row in which no range has lost a count and the sum has grown."""


def watched(events: Iterable[Event], report: Report) -> Iterator[Event]:
    """The events themselves; a series of intervals whose counts only grow is told of once.

    Old releases of libbpf-tools' funclatency never cleared their map (bcc issue 4580).
    """
    last: dict[str, RangeCounts] = {}
    grown: dict[str, int] = {}
    told = False
    for event in events:
        if not told and isinstance(event, Record) and event.semantics is Semantics.INTERVAL and event.start is None:
            counts = counts_of(event.ranges)
            before = last.get(event.series, {})
            grown[event.series] = grown.get(event.series, 0) + 1 if _only_grew(before, counts) else 0
            last[event.series] = counts
            if grown[event.series] == SUSPICIOUS_GROWTH:
                told = True
                report.note(
                    event.line,
                    f"the counts of {event.series} only ever grow; if they are totals, use --semantics cumulative",
                )
        yield event


def _only_grew(before: RangeCounts, now: RangeCounts) -> bool:
    grew = all(now.get(key, 0) >= count for key, count in before.items())
    return grew and sum(now.values()) > sum(before.values()) > 0
