"""One histogram while its rows are being read."""

from dataclasses import dataclass, field, replace

from ...record import Bound, Range, Record, Semantics, Stamp, tidy_ranges
from ...units import Unit
from .headings import Exact

GARBAGE_FROM = {Unit.NS: 1 << 54, Unit.US: 1 << 54, Unit.MS: 1 << 44}
"""Latencies of centuries: a probe's end time was before its start time, and the difference wrapped around 2^64 ns."""


@dataclass
class BpfHistogram:
    """The rows of one series so far.

    ``closed``: no more rows can come, but an exact sum may. ``told``: a part of it has been yielded because the source
    paused in the middle. ``barred``: its rows end in bars, so that a row without one was cut off. ``width``: of a slot,
    where it is linear. ``rows`` and ``rejected``: how many lines were rows, and how many were none.
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
    told: bool = False
    barred: bool = False
    width: Bound = 1
    rows: int = 0
    rejected: int = 0

    @property
    def is_refused(self) -> bool:
        """Whether there were lines, and none of them a row: these are no zeros."""
        return self.rejected > 0 and not self.rows

    def add(self, lower: int, upper: int, count: int) -> str:
        """Add a row, both bounds inclusive; returns what is wrong with it, empty where nothing is."""
        if count < 0:
            count += 1 << 32  # libbpf-tools print unsigned 32-bit counts as %d
        if upper < lower or count < 0:
            return f"not a row of a histogram: {lower} -> {upper} : {count}"
        if lower >= GARBAGE_FROM[self.unit]:
            return (
                f"time inversion in the probe: {count} events of {lower} {self.unit.value} or more dropped as garbage"
            )
        self.ranges.append((lower, upper + 1, count))
        return ""

    def add_slot(self, slot: int, count: int) -> str:
        """Add a row of a linear histogram, as ``add``."""
        if count < 0:
            return f"not a row of a histogram: {slot} : {count}"
        self.ranges.append((slot * self.width, (slot + 1) * self.width, count))
        return ""

    def add_exact(self, exact: Exact) -> None:
        """Take the exact sum for the time waited, if it is of these events."""
        if not self.told and exact.events == sum(count for _, _, count in self.ranges):
            self.waited = exact.seconds

    def record(self) -> Record | None:
        """What has been read since the last time; None where that is nothing new."""
        if self.told and not self.ranges:
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
        """The same histogram, for rows that come after a pause."""
        return replace(self, ranges=[], waited=None, told=True)
