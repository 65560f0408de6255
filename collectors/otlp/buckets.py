"""Converts the buckets of data points to ranges in one of our units."""

from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from ...record import Bound, Range
from ...text import PER_SECOND, decimal_of, in_unit, whole_unit
from ...units import Unit
from .members import Object, finite_number, member, whole_count, wholes

MAX_BUCKETS = 100_000
MAX_EXPONENT = 1000
MAX_SCALE = 20


class Buckets(NamedTuple):
    """Ranges with their counts. ``layout`` identifies the bounds, ``below`` is the number of events below 0."""

    unit: Unit
    layout: tuple[float, ...]
    ranges: list[Range]
    below: int


def explicit(point: Object, seconds: Decimal, unit: Unit | None) -> Buckets:
    """Read a histogram with explicit bounds. Events of at most 0 count as latencies of 0, in the first range.

    ``unit`` is the unit of the series so far. Raise ValueError if the histogram is invalid.
    """
    counts = wholes(member(point, "bucketCounts"))
    bounds = member(point, "explicitBounds") or []
    if not isinstance(bounds, list) or len(counts) != len(bounds) + 1:
        raise ValueError("bounds and counts of buckets do not fit together")
    edges = tuple(_decimal(bound) for bound in bounds)
    if any(one >= next_one for one, next_one in pairwise(edges)):
        raise ValueError("bounds that do not ascend")
    unit = unit or _unit(edges, seconds)
    ranges: list[Range] = []
    below, lowers, uppers = 0, (Decimal(0), *edges), (*edges, None)
    for lower, upper, count in zip(lowers, uppers, counts, strict=True):
        if upper is not None and upper < 0:
            below += count
        else:
            top = None if upper is None else _scaled(upper, seconds, unit)
            ranges.append((_scaled(max(lower, Decimal(0)), seconds, unit), top, count))
    return Buckets(unit, tuple(float(edge) for edge in edges), _without_zero(ranges), below)


def _without_zero(ranges: list[Range]) -> list[Range]:
    """Drop [0, 0): its events, at most 0, go to the next range."""
    if len(ranges) > 1 and ranges[0][1] == 0:
        (_, _, zeros), (lower, upper, count), *rest = ranges
        return [(lower, upper, zeros + count), *rest]
    return ranges


def exponential(point: Object, seconds: Decimal) -> Buckets:
    """Read an exponential histogram, in nanoseconds. Raise ValueError if it is invalid."""
    scale = member(point, "scale") or 0
    if isinstance(scale, bool) or not isinstance(scale, int) or not -11 <= scale <= MAX_SCALE:
        raise ValueError(f"no histogram has the scale {str(scale)[:20]}")
    threshold = finite_number(member(point, "zeroThreshold")) or 0.0
    factor = float(seconds * PER_SECOND[Unit.NS])
    ranges: list[Range] = [(0, _whole(threshold * factor) or 1, whole_count(member(point, "zeroCount") or 0))]
    positive = member(point, "positive") or {}
    offset = _offset(positive)
    counts = wholes(member(positive, "bucketCounts"))[:MAX_BUCKETS]
    powers = _powers(offset, offset + len(counts), scale, factor)
    ranges += [(powers[place], powers[place + 1], count) for place, count in enumerate(counts) if count]
    below = sum(wholes(member(_object(member(point, "negative")), "bucketCounts")))
    return Buckets(Unit.NS, (float(scale), threshold), ranges, below)


def _object(value: object) -> Object:
    return value if isinstance(value, dict) else {}


def _offset(positive: object) -> int:
    offset = member(positive, "offset") if isinstance(positive, dict) else None
    if isinstance(offset, bool) or not isinstance(offset or 0, int) or not isinstance(positive, dict):
        raise TypeError("buckets without an offset")
    return offset or 0


@lru_cache(maxsize=64)
def _powers(first: int, last: int, scale: int, factor: float) -> list[Bound]:
    return [_power(index, scale, factor) for index in range(first, last + 1)]


@lru_cache(maxsize=10_000)
def _power(index: int, scale: int, factor: float) -> Bound:
    """Bound ``index`` of the buckets of a scale; bound 2 * index of the next scale is exactly the same number."""
    if abs(index) > MAX_EXPONENT << MAX_SCALE:  # too large for a division
        raise ValueError("no latency has buckets so far from 1")
    exponent = index / 2**scale if scale >= 0 else index * 2**-scale
    if abs(exponent) > MAX_EXPONENT:
        raise ValueError(f"no latency is 2^{exponent:.0f}")
    return _whole(2.0**exponent * factor)


def _whole(bound: float) -> Bound:
    return int(bound) if bound.is_integer() else bound


@lru_cache(maxsize=10_000)
def _decimal(bound: object) -> Decimal:
    found = None if isinstance(bound, bool) else decimal_of(str(bound))
    if found is None:
        raise ValueError(f"not a bound: {str(bound)[:40]}")
    return found


@lru_cache(maxsize=1_000)
def _unit(edges: tuple[Decimal, ...], seconds: Decimal) -> Unit:
    return whole_unit(edge * seconds for edge in edges)


@lru_cache(maxsize=10_000)
def _scaled(bound: Decimal, seconds: Decimal, unit: Unit) -> Bound:
    return in_unit(bound * seconds, unit)
