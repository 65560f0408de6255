"""Warns of counts whose later prints speak against what was assumed or said of them: totals, or per interval."""

from collections.abc import Iterable, Iterator

from ...record import Event, RangeCounts, Record, Semantics, counts_of
from ...report import Report
from .evidence import SeriesKey, fell

# Totals that fall again and again: settled as cumulative by the first snapshots, but perhaps per interval.


SUSPICIOUS_FALLS = 3
"""Most series falling in this many snapshots is suspicious: counters restart, but not that often."""


FALL_AGAIN = "fall again and again"


class FallingTotals:
    """Compares the snapshots of series whose counts were settled as totals, until they seem not to be."""

    def __init__(self) -> None:
        self._last: dict[SeriesKey, RangeCounts] = {}
        self._compared = self._fallen = 0
        self.line = 0
        """The line of the last record."""
        self._snapshots = 0
        self._is_over = False

    def take(self, record: Record) -> None:
        """A record of the current snapshot."""
        if self._is_over:
            return
        key = (record.series, record.unit)
        counts = counts_of(record.ranges)
        if key in self._last:
            self._compared += 1
            self._fallen += fell(self._last[key], counts)
        self._last[key] = counts
        self.line = record.line

    def close(self) -> bool:
        """The snapshot is over. Returns, once, that the totals have fallen suspiciously often."""
        self._snapshots += self._fallen * 2 > self._compared
        self._compared = self._fallen = 0
        if self._is_over or self._snapshots < SUSPICIOUS_FALLS:
            return False
        self._is_over = True
        self._last.clear()
        return True

    def tell(self, report: Report) -> None:
        """Tell the user of it."""
        report.note(
            self.line,
            f"the first prints only grew, so the counts were taken as totals, but they {FALL_AGAIN}; "
            "if they are per interval, use --semantics interval",
        )


# Counts that only ever grow: per interval according to their source, but perhaps totals.


SUSPICIOUS_GROWTH = 10
"""This many records in a row without a falling count, and with a growing sum, are suspicious."""


def warn_of_growth(events: Iterable[Event], report: Report) -> Iterator[Event]:
    """The events, unchanged. Warns once of a series of intervals whose counts only grow.

    Old releases of libbpf-tools' funclatency never cleared their map. Source: bcc issue 4580.
    """
    last: dict[str, RangeCounts] = {}
    grown: dict[str, int] = {}
    warned = False
    for event in events:
        if not warned and isinstance(event, Record) and event.semantics is Semantics.INTERVAL and event.start is None:
            counts = counts_of(event.ranges)
            before = last.get(event.series, {})
            grown[event.series] = grown.get(event.series, 0) + 1 if _only_grew(before, counts) else 0
            last[event.series] = counts
            if grown[event.series] == SUSPICIOUS_GROWTH:
                warned = True
                report.note(
                    event.line,
                    f"the counts of {event.series} only ever grow; if they are totals, use --semantics cumulative",
                )
        yield event


def _only_grew(before: RangeCounts, now: RangeCounts) -> bool:
    grew = all(now.get(key, 0) >= count for key, count in before.items())
    return grew and sum(now.values()) > sum(before.values()) > 0
