"""The samples of one histogram in one scrape, and its buckets as ranges."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from ...record import Bound, Range
from ...text import decimal_of, in_unit, whole_unit
from ...units import Unit
from .samples import MetricSample

INFINITE = Decimal("Infinity")
MOST_BUCKETS = 10_000
_NONE: Bound = 0


@dataclass
class ScrapedHistogram:
    """Counts by upper bound in the metric's unit, cumulative over the bounds; ``line`` is the line of the first sample.
    ``has_sum``: a sum was printed, though it may be no finite number. ``estimated``: the part of it that is no fact.

    ``ascending``: the bounds so far were in ascending order. ``closed``: another sample followed the last bound.
    ``order``: the bounds and the kinds of the other samples as they came. ``spoiled``: why its counts
    cannot be relied on, empty if they can.
    """

    line: int
    arrival: float | None
    buckets: dict[Decimal, Bound] = field(default_factory=dict)
    total: Bound | None = None
    sum: float | None = None
    has_sum: bool = False
    created: int | None = None
    estimated: float | None = None
    moment: int | None = None
    ascending: bool = True
    closed: bool = False
    order: list[Decimal | str] = field(default_factory=list)
    spoiled: str = ""

    def add(self, sample: MetricSample) -> None:
        """Add a sample that it does not have yet. Raise ValueError if its value is not a number."""
        value = decimal_of(sample.value)
        if sample.kind == "bucket":
            self._add_bucket(sample.labels.le, value)
            return
        self.closed = True
        self.has_sum |= sample.kind == "sum"
        if value is not None or sample.kind == "sum":
            self.order.append(sample.kind)
        if value is None:
            return
        if sample.kind == "sum":
            self.sum = float(value)
        elif sample.kind == "count":
            self.total = whole_if_exact(value)
        elif sample.kind == "estimated_total":
            self.estimated = float(value)
        else:
            self.created = round(value * 1_000_000)
        self.moment = sample.moment or self.moment

    def _add_bucket(self, le: str | None, value: Decimal | None) -> None:
        bound = _bound_of(le)
        if bound is None or value is None or value < 0:
            raise ValueError("a bucket without a bound or a count")
        if len(self.buckets) >= MOST_BUCKETS:
            raise ValueError(f"more than {MOST_BUCKETS} buckets of one histogram")
        self.closed = False
        self.ascending &= not self.buckets or bound > next(reversed(self.buckets))
        self.buckets[bound] = whole_if_exact(value)
        self.order.append(bound)

    def place(self, sample: MetricSample) -> int | None:
        """The place in ``order`` of a sample that it has already; None if the sample is new."""
        one = _bound_of(sample.labels.le) if sample.kind == "bucket" else sample.kind
        return self.order.index(one) if one is not None and one in self.order else None

    def begins_again(self, sample: MetricSample) -> bool:
        """Whether a new sample would be its first one: its bound is below all others, if they rose, or it comes after
        the unbounded one and other samples.
        """
        bound = _bound_of(sample.labels.le) if sample.kind == "bucket" else None
        if bound is None or not self.buckets:
            return False
        if self.closed and INFINITE in self.buckets and len(self.buckets) > 1:
            return True
        return self.ascending and (bound < next(iter(self.buckets)) or INFINITE in self.buckets)

    def agrees(self, sample: MetricSample) -> bool:
        """Whether a sample that it has already is there again with the same value."""
        value = decimal_of(sample.value)
        if sample.kind == "bucket":
            bound = _bound_of(sample.labels.le)
            return bound is not None and value is not None and self.buckets.get(bound) == whole_if_exact(value)
        has = {"sum": self.sum, "count": self.total, "estimated_total": self.estimated}.get(sample.kind)
        return sample.kind == "created" or has == (None if value is None else float(value))

    @property
    def complete(self) -> bool:
        """Whether nothing of it is missing, judged by the usual orders of samples."""
        ended = (self.ascending or self.closed) and self.has_sum
        return ended and self.buckets.get(INFINITE, -1) == self.total

    def has_all(self, bounds: list[Decimal] | None) -> bool:
        """Whether its buckets are the same as in the last scrape, including the unbounded one."""
        return bounds is not None and INFINITE in self.buckets and self.bounds == bounds

    @property
    def bounds(self) -> list[Decimal]:
        return sorted(bound for bound in self.buckets if bound.is_finite())

    def ranges(self, seconds: Decimal, unit: Unit) -> tuple[list[Range], Bound]:
        """The buckets as ranges in a unit, and the number of events below 0, which are not latencies.

        Events of at most 0 count as latencies of 0, in the first range. Raise ValueError if counts fall from bound to
        bound, or if it is ``spoiled``.
        """
        if self.spoiled:
            raise ValueError(self.spoiled)
        ranges: list[Range] = []
        below = _NONE
        lower, last = Decimal(0), _NONE
        for bound in self.bounds:
            count = self.buckets[bound]
            if count < last:
                raise ValueError(f"the count of le={bound} is less than that of the bound before it")
            if bound < 0:
                below, last = count, count
            elif bound > 0:
                ranges.append((in_unit(lower * seconds, unit), in_unit(bound * seconds, unit), count - last))
                lower, last = bound, count
        total = self.buckets.get(INFINITE, self.total)
        if total is not None and total < last:
            raise ValueError("the count of all events is less than that of the highest bound")
        if total is not None:
            ranges.append((in_unit(lower * seconds, unit), None, total - last))
        return ranges, below


def _bound_of(le: str | None) -> Decimal | None:
    return INFINITE if le is not None and le.lower() in {"+inf", "inf"} else decimal_of(le or "")


def unit_for(bounds: list[Decimal], seconds: Decimal) -> Unit:
    """The unit for the series of a metric, chosen by its bounds."""
    return whole_unit(bound * seconds for bound in bounds)


def whole_if_exact(value: Decimal) -> Bound:
    """A count, as an integer if it is a whole number."""
    return int(value) if value == value.to_integral_value() else float(value)
