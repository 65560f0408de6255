"""One histogram while its rows are being read."""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ...record import Bound, Range, Record, Semantics, Stamp, tidy_ranges
from ...units import Unit
from .headings import Exact

GARBAGE_FROM = {Unit.NS: 1 << 54, Unit.US: 1 << 54, Unit.MS: 1 << 44}
"""Latencies of centuries: the probe's end time was before its start time, and the difference wrapped around 2^64 ns."""

MOST_ROWS = 10_000
_TOO_MANY = f"more than {MOST_ROWS} rows of one histogram"


class WrappedCount(NamedTuple):
    """A count of 2^31 or more: its line and its text, its range, and the length of its bar."""

    line: int
    text: str
    entry: Range
    stars: int


@dataclass
class BpfHistogram:
    """The rows of one series so far.

    ``closed``: no more rows can come, but an exact sum can. ``reported``: part of it has been yielded because the
    source paused in the middle. ``barred``: its rows end in bars, so a row without a bar was cut off. ``width``: the
    width of a slot, if it is linear. ``rows`` and ``rejected``: how many lines were rows, and how many were not.
    ``stars``: the length of its longest bar. ``wrapped``: counts that libbpf-tools printed as negative ones.
    """

    series: str
    unit: Unit
    stamp: Stamp | None
    label: str
    line: int
    arrival: float | None
    ranges: list[Range] = field(default_factory=list)
    waited: float | None = None
    closed: bool = False
    reported: bool = False
    barred: bool = False
    width: Bound = 1
    libbpf: bool = False
    rows: int = 0
    rejected: int = 0
    stars: int = 0
    wrapped: list[WrappedCount] = field(default_factory=list)

    @property
    def is_refused(self) -> bool:
        """Whether there were lines but no row among them: such a histogram does not mean zero events."""
        return self.rejected > 0 and not self.rows

    def add(self, lower: int, upper: int, count: int, line: int = 0, bar: str = "") -> str:
        """Add a row with inclusive bounds; return what is wrong with it, or an empty string."""
        stars = bar.count("*")
        self.stars = max(self.stars, stars)
        if count < 0 and self.libbpf:
            text = f"{lower} -> {upper} : {count}"
            count += 1 << 32  # they print unsigned 32-bit counts as %d
            self.wrapped.append(WrappedCount(line, text, (lower, upper + 1, count), stars))
        if upper < lower or count < 0:
            return f"not a row of a histogram: {lower} -> {upper} : {count}"
        if len(self.ranges) >= MOST_ROWS:
            return _TOO_MANY
        if lower >= GARBAGE_FROM[self.unit]:
            return (
                f"time inversion in the probe: {count} events of {lower} {self.unit.value} or more dropped as garbage"
            )
        self.ranges.append((lower, upper + 1, count))
        return ""

    def impossible(self) -> list[WrappedCount]:
        """Remove the negative counts that are damaged, and return them: the bars of true ones are the longest."""
        found = [one for one in self.wrapped if 2 * one.stars + 1 < self.stars and one.entry in self.ranges]
        for one in found:
            self.ranges.remove(one.entry)
        self.wrapped = []
        return found

    def add_slot(self, slot: int, count: int) -> str:
        """Add a row of a linear histogram, as ``add``."""
        if count < 0:
            return f"not a row of a histogram: {slot} : {count}"
        if len(self.ranges) >= MOST_ROWS:
            return _TOO_MANY
        self.ranges.append((slot * self.width, (slot + 1) * self.width, count))
        return ""

    def add_exact(self, exact: Exact) -> bool:
        """Use the exact sum as the time waited if it covers these events; return whether it does."""
        if not self.reported and exact.events == sum(count for _, _, count in self.ranges):
            self.waited = exact.seconds
        return self.reported or self.waited is not None

    def record(self) -> Record | None:
        """The rows read since the last call; None if there is nothing new."""
        if self.reported and not self.ranges:
            return None
        return Record(
            series=self.series,
            unit=self.unit,
            ranges=tidy_ranges(self.ranges),
            semantics=Semantics.INTERVAL,
            stamp=self.stamp,
            waited=self.waited,
            label=self.label,
            source="bpf",
            arrival=self.arrival,
            line=self.line,
        )

    def rest(self) -> "BpfHistogram":
        """The same histogram, empty, for the rows that follow a pause."""
        return replace(self, ranges=[], waited=None, reported=True)
