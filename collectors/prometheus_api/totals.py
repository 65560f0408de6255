"""The totals of a histogram at one moment, whatever its buckets are, and the growth from one moment to the next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from math import isfinite
from typing import Any, NamedTuple

from ...record import Bound, Range
from ...text import in_unit, whole_unit
from ...units import Unit

INFINITE = Decimal("Infinity")
ZERO = Decimal(0)
ALIKE = Decimal("1e-9")
"""Bounds of two resolutions that should be equal differ by less than this part of them."""
CLOSED = 3
"""The rule of a bucket that includes both bounds: the zero bucket, or the first of custom ones."""


class BucketLayout:
    """The bounds of a histogram's buckets, in the unit of its metric. ``is_complete``: buckets that have no events are
    among them, as in classic histograms. Equal layouts are the same object, see ``layout_of``.
    """

    def __init__(self, bounds: tuple[tuple[Decimal, Decimal], ...], is_complete: bool) -> None:
        self.bounds = bounds
        self.is_complete = is_complete
        self._ranges: dict[tuple[Decimal, Unit], list[tuple[Bound, Bound | None]]] = {}

    def ranges(self, counts: Sequence[Bound], seconds: Decimal, unit: Unit) -> tuple[Range, ...]:
        """Counts as the ranges of a record; ``seconds``: the length of one unit of the metric."""
        places = self._ranges.get((seconds, unit))
        if places is None:
            places = self._ranges[seconds, unit] = [_in(lower, upper, seconds, unit) for lower, upper in self.bounds]
        sums: dict[tuple[Bound, Bound | None], Bound] = {}
        for place, count in zip(places, counts, strict=True):
            if count:
                sums[place] = sums.get(place, 0) + count
        return tuple((lower, upper, count) for (lower, upper), count in sums.items())

    def unit(self, seconds: Decimal) -> Unit:
        """The unit for a series with these bounds: those of native histograms are whole numbers in none."""
        if not self.is_complete:
            return Unit.NS
        return whole_unit(bound * seconds for _, bound in self.bounds if bound.is_finite())


def _in(lower: Decimal, upper: Decimal, seconds: Decimal, unit: Unit) -> tuple[Bound, Bound | None]:
    """A bucket in a unit. The narrowest row of a map is one unit: what lies within is one range."""
    low = in_unit(lower * seconds, unit)
    high = None if upper == INFINITE else in_unit(upper * seconds, unit)
    return (0, 1) if high is not None and high <= 1 else (low, high)


@lru_cache(maxsize=10_000)
def layout_of(bounds: tuple[tuple[Decimal, Decimal], ...], is_complete: bool) -> BucketLayout:
    """The layout with these bounds, ascending."""
    return BucketLayout(bounds, is_complete)


class Totals(NamedTuple):
    """What a histogram has counted since it began: a count per bucket, and the sum, None if it has none that is a time.
    ``below``: events below 0, which are no latencies. ``estimated``: the part of the sum that is an estimate, None if
    nothing says it.
    """

    layout: BucketLayout
    counts: tuple[Bound, ...]
    sum: float | None
    below: Bound = 0
    estimated: float | None = None

    @property
    def is_zero(self) -> bool:
        """Whether nothing has been counted."""
        return not any(self.counts) and not self.below


def classic_totals(cumulative: Iterable[tuple[Decimal, Bound]], total: float | None) -> Totals:
    """The totals of a classic histogram by its upper bounds. Raises ValueError if counts fall from bound to bound."""
    bounds, counts, lower, last, below = [], [], ZERO, _NONE, _NONE
    for upper, count in sorted(cumulative):
        if count < last:
            raise ValueError(f"the count of le={upper} is less than that of the bound before it")
        if upper < 0:
            below = last = count
        elif upper > 0:
            bounds.append((lower, upper))
            counts.append(count - last)
            lower, last = upper, count
    return Totals(layout_of(tuple(bounds), True), tuple(counts), _time(total, below), below)


_NONE: Bound = 0


def vmrange_totals(buckets: Iterable[tuple[str, Bound]], total: float | None) -> Totals:
    """The totals of a histogram of VictoriaMetrics, whose buckets are not cumulative. Raises ValueError."""
    return _sparse([(*_bounds_of(text), count) for text, count in buckets], total, 0)


def _bounds_of(text: str) -> tuple[Decimal, Decimal]:
    lower, dots, upper = text.partition("...")
    if not dots:
        raise ValueError(f"{text!r} is no range of a bucket")
    return _decimal(lower), _decimal(upper)


def native_totals(members: Any) -> Totals:
    """The totals of a native histogram, as JSON tells them. Raises ValueError, or TypeError or IndexError where it is
    not even of this form.
    """
    told = members if isinstance(members, dict) else {}
    if "count" not in told:
        raise ValueError("a native histogram without a count")
    found, below = [], _NONE
    for rule, *texts in told.get("buckets") or ():
        lower, upper, count = _decimal(texts[0]), _decimal(texts[1]), number_of(texts[2])
        if upper <= 0:
            below += count
        else:
            found.append((ZERO if rule == CLOSED else max(lower, ZERO), upper, count))
    return _sparse(found, _sum_of(told.get("sum")), below)


def _sparse(found: list[tuple[Decimal, Decimal, Bound]], total: float | None, below: Bound) -> Totals:
    kept = sorted(one for one in found if one[2])
    bounds = tuple((lower, upper) for lower, upper, _ in kept)
    return Totals(layout_of(bounds, False), tuple(count for _, _, count in kept), _time(total, below), below)


def _time(total: float | None, below: Bound) -> float | None:
    """A sum if it is one of latencies."""
    return total if total is not None and isfinite(total) and total >= 0 and not below else None


def _sum_of(text: object) -> float | None:
    try:
        return float(str(text))
    except ValueError:
        return None


def _decimal(text: object) -> Decimal:
    try:
        found = Decimal(str(text))
    except InvalidOperation as error:
        raise ValueError(f"{text!r} is no bound of a bucket") from error
    if found.is_nan():
        raise ValueError(f"{text!r} is no bound of a bucket")
    return found


bound_of = _decimal


def number_of(text: object) -> Bound:
    """A count: an integer if it is a whole number. Raises ValueError."""
    value = float(str(text))
    if not isfinite(value) or value < 0:
        raise ValueError(f"{text!r} is no count")
    return int(value) if value.is_integer() else value


# The growth from one moment to the next.


class BucketGrowth(NamedTuple):
    """How much each bucket has grown. ``fell``: one of them fell, so that all counters began again."""

    layout: BucketLayout
    counts: tuple[Bound, ...]

    @property
    def fell(self) -> bool:
        return any(count < 0 for count in self.counts)


def growth(before: Totals, now: Totals) -> BucketGrowth | None:
    """The growth since earlier totals, in the coarser of the two layouts; None if their bounds cannot be compared."""
    if before.layout is now.layout:
        return BucketGrowth(now.layout, tuple(b - a for a, b in zip(before.counts, now.counts, strict=True)))
    for one, other, sign in ((before, now, 1), (now, before, -1)):
        if (moved := _moved(one, other.layout)) is not None:
            counts = tuple(sign * (b - a) for a, b in zip(moved, other.counts, strict=True))
            return BucketGrowth(other.layout, counts)
    return None if now.layout.is_complete or not _has_fallen(before, now) else BucketGrowth(before.layout, _FELL)


_FELL: tuple[Bound, ...] = (-1,)


def _has_fallen(before: Totals, now: Totals) -> bool:
    """Whether a bucket had events before, and nothing is there now: buckets without events are left out."""
    return any(count and not any(_meets(one, other) for other in now.layout.bounds)
               for one, count in zip(before.layout.bounds, before.counts, strict=True))  # fmt: skip


def _moved(totals: Totals, to: BucketLayout) -> list[Bound] | None:
    """The counts in the buckets of another layout, each of which contains whole buckets; None if one does not fit."""
    counts: list[Bound] = [0] * len(to.bounds)
    place = 0
    for (lower, upper), count in zip(totals.layout.bounds, totals.counts, strict=True):
        while place < len(to.bounds) and not _is_at_most(upper, to.bounds[place][1]):
            place += 1
        if not count:
            continue
        if place == len(to.bounds) or not _is_at_most(to.bounds[place][0], lower):
            return None
        counts[place] += count
    return counts


def _is_at_most(one: Decimal, other: Decimal) -> bool:
    return one <= other or one - other <= ALIKE * one


def _meets(one: tuple[Decimal, Decimal], other: tuple[Decimal, Decimal]) -> bool:
    return (
        one[0] < other[1] and other[0] < one[1] and not (_is_at_most(one[1], other[0]) or _is_at_most(other[1], one[0]))
    )
