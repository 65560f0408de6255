"""Totals: by how much each range has grown, whatever ranges a record has."""

from hypothesis import given, strategies as st

from pylatencymap.intervals.damaged_counts import RunningTotals, SplitRanges
from pylatencymap.record import Bound, Range

COUNTS = st.dictionaries(st.integers(0, 4), st.integers(0, 9), max_size=5)


def ranges(counts: dict[int, int]) -> tuple[Range, ...]:
    return tuple((1 << k, None if k == 4 else 2 << k, count) for k, count in sorted(counts.items()))


@given(COUNTS, st.lists(COUNTS, max_size=6))
def test_a_range_grows_from_its_last_total_however_long_ago_that_was(
    first: dict[int, int], later: list[dict[int, int]]
) -> None:
    totals, last = RunningTotals(SplitRanges.of(ranges(first))), dict(first)
    for counts in later:
        now = SplitRanges.of(ranges(counts))
        wanted: list[Bound] = [counts[k] - last.get(k, 0) for k in sorted(counts)]
        assert totals.growth(now) == wanted
        assert now.ranges(wanted) == ranges(
            {k: counts[k] - last.get(k, 0) for k in counts if counts[k] != last.get(k, 0)}
        )
        totals = totals.then(now)
        last.update(counts)
