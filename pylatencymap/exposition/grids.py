"""The buckets of what is served: classic ones up to bounds that divide doublings, and those of native histograms."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable

from ..record import Bound
from .spreading import BucketGrid, Shares, shares_between

FIRST, LAST = 0, 27
"""Classic bounds go from 2^0 us to 2^27 us, which is 134 s."""
SCHEMA = 3
"""The finest native buckets: 2^3 to each doubling."""
RANGES_EACH = 1.25
"""Their bounds never meet those of a source. So each is at least so many times as wide as its ranges."""
CLOCK_STEP = 1e-6
"""Ranges of at most so many seconds are as fine as clocks are."""
ZERO_THRESHOLD = 1e-6
"""Seconds up to which an event is in the zero bucket of a native histogram."""
ZERO = -(1 << 31)
"""The number of the zero bucket."""
CLOSE = 1e-9


class ClassicGrid:
    """``bounds`` in seconds, ascending: ``per_doubling`` to each doubling, equally far apart, as in the records of
    probes, up to ``longest``, which is the last one. Bucket n ends at bound n, and the last bucket is open.
    """

    def __init__(self, per_doubling: int = 1, longest: float = math.inf) -> None:
        bounds = [1e-6]
        for octave in range(FIRST, LAST):
            steps = range(1, per_doubling + 1)
            bounds += [float(f"{2**octave * (1 + step / per_doubling) * 1e-6:.12g}") for step in steps]
        lower = [bound for bound in bounds if bound < longest * (1 - CLOSE)]
        self.bounds = lower if len(lower) == len(bounds) else [*lower, float(f"{longest:.12g}")]

    @property
    def grid(self) -> BucketGrid:
        """The same for counting."""
        return BucketGrid(self.shares, self.ends)

    def ends(self, number: int) -> tuple[float, float]:
        """Where a bucket begins and ends, in seconds."""
        begin = self.bounds[number - 1] if number else 0.0
        return begin, self.bounds[number] if number < len(self.bounds) else math.inf

    def shares(self, lower: float, upper: float) -> Shares:
        """The buckets of a range in seconds."""
        if upper == math.inf:
            return [(len(self.bounds), 1.0)]
        place = bisect_left(self.bounds, upper * (1 - CLOSE))
        if place == 0 or self.bounds[place - 1] <= lower * (1 + CLOSE):
            return [(place, 1.0)]
        first = bisect_left(self.bounds, lower * (1 + CLOSE) if lower else 0.0)
        inner = [bound for bound in self.bounds[first:place] if bound > lower * (1 + CLOSE)]
        return shares_between(lower, upper, [*inner, upper], place - len(inner))


def native_index(seconds: float) -> int:
    """The number of the native bucket that holds a value: bucket i is (base^(i-1), base^i], base = 2^(2^-SCHEMA)."""
    fraction, exponent = math.frexp(seconds)
    if fraction == 0.5:
        return (exponent - 1) << SCHEMA
    return math.ceil(math.log2(seconds) * (1 << SCHEMA))


def native_bound(index: int) -> float:
    """The upper bound of a native bucket in seconds."""
    return math.ldexp(2.0 ** ((index & ((1 << SCHEMA) - 1)) / (1 << SCHEMA)), index >> SCHEMA)


def native_shares(lower: float, upper: float) -> Shares:
    """The native buckets of a range in seconds. What has no upper end is in the first bucket beyond its begin."""
    if upper == math.inf:
        return [(native_index(max(lower, ZERO_THRESHOLD)) + 1, 1.0)]
    if upper <= ZERO_THRESHOLD * (1 + CLOSE):
        return [(ZERO, 1.0)]
    found: Shares = []
    begin = lower
    if lower < ZERO_THRESHOLD:
        found, begin = [(ZERO, (ZERO_THRESHOLD - lower) / (upper - lower))], ZERO_THRESHOLD
    last = native_index(upper)
    first = min(native_index(begin) if begin else last, last)
    bounds = [native_bound(index) for index in range(first, last)]
    found += [
        (number, part * (upper - begin) / (upper - lower))
        for number, part in shares_between(begin, upper, [*bounds, upper], first)
    ]
    return found


def _native_ends(index: int) -> tuple[float, float]:
    return (0.0, ZERO_THRESHOLD) if index == ZERO else (native_bound(index - 1), native_bound(index))


NATIVE = BucketGrid(native_shares, _native_ends)


def open_from(ranges: Iterable[tuple[float, float, Bound]]) -> float:
    """Where the first range with events begins that has no upper end; infinity if there is none."""
    return min((lower for lower, upper, count in ranges if upper == math.inf and count), default=math.inf)


def wide_of(ranges: Iterable[tuple[float, float, Bound]], unit: float) -> float:
    """The widest of some ranges in seconds, as its upper by its lower end. ``unit``: the length of the source's."""
    least = max(unit, CLOCK_STEP) * (1 + CLOSE)
    wide = [upper / max(lower, ZERO_THRESHOLD) for lower, upper, _ in ranges if least < upper - lower < math.inf]
    return max(wide, default=1.0)


def schema_for(widest: float) -> int | None:
    """The finest schema whose buckets are no finer than a source with such ranges; None if that is none."""
    per_doubling = 1 / (RANGES_EACH * math.log2(widest)) if widest > 1 else math.inf
    return next((schema for schema in range(SCHEMA, -1, -1) if 1 << schema <= per_doubling), None)


def coarser_native(index: int, steps: int) -> int:
    """The number of the bucket that holds a native one, in a schema that is coarser by so many steps."""
    return index if index == ZERO else -(-index >> steps)
