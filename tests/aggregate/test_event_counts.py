"""Counts of events of several parts: added, renumbered and put on a coarser grid, whatever the parts have in common."""

from collections import Counter
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pylatencymap.aggregate.event_counts import EventCounts, added
from pylatencymap.buckets import bounds_of, bucket_of
from pylatencymap.intervals import EVENT_RESOLUTION
from pylatencymap.scan.sums import SERIES, OwnerSums


class Event(NamedTuple):
    bin: int
    series: int
    latency: int
    step: int = 0
    is_doubtful: bool = False


EVENTS = st.builds(
    Event, st.integers(0, 20), st.integers(0, 3), st.integers(0, 100_000), st.integers(0, 2), st.booleans()
)


def counts_of(events: list[Event]) -> EventCounts:
    """What a part that has these events yields."""
    owners = sorted({one.bin * SERIES + one.series for one in events})
    of_owner = [[one for one in events if one.bin * SERIES + one.series == owner] for owner in owners]
    buckets = [sorted(Counter(bucket_of(one.latency, EVENT_RESOLUTION) for one in mine).items()) for mine in of_owner]
    sums = OwnerSums(
        np.array(owners, np.int64),
        np.array([sum(one.latency for one in mine) for mine in of_owner], np.int64),
        np.array([len(counted) for counted in buckets], np.int64),
        np.array([bucket for counted in buckets for bucket, _ in counted], np.int16),
        np.array([count for counted in buckets for _, count in counted], np.int32),
    )
    steps = np.array([sum(one.step for one in mine) for mine in of_owner], np.int64)
    return EventCounts(sums, steps, np.array([any(one.is_doubtful for one in mine) for mine in of_owner], np.bool_))


def plain(counts: EventCounts) -> list[list[int]]:
    return [array.tolist() for array in counts._arrays()]


@given(st.lists(st.lists(EVENTS, max_size=12), max_size=5))
def test_parts_are_added_whatever_they_have_in_common(parts: list[list[Event]]) -> None:
    assert plain(added(map(counts_of, parts))) == plain(counts_of([one for part in parts for one in part]))


@given(st.lists(EVENTS, min_size=40, max_size=60), st.lists(st.integers(0, 60), max_size=3))
def test_parts_of_one_file_are_added_at_their_seams(events: list[Event], cuts: list[int]) -> None:
    events.sort()
    places = [0, *sorted(cuts), len(events)]
    parts = [events[begin:end] for begin, end in pairwise(places)]
    assert plain(added(map(counts_of, parts))) == plain(counts_of(events))


@given(st.lists(EVENTS), st.sampled_from([[0, 1, 2, 3], [3, 1, 0, 2], [1, -1, 0, 2], [0, 0, 1, -1]]))
def test_series_get_other_numbers_and_can_become_one(events: list[Event], numbers: list[int]) -> None:
    expected = [one._replace(series=numbers[one.series]) for one in events if numbers[one.series] >= 0]
    assert plain(counts_of(events).numbered(numbers)) == plain(counts_of(expected))


@given(st.lists(EVENTS), st.sampled_from([1, 2, 8, 16, 64, None]))
def test_a_coarser_grid_adds_up_the_buckets_within_one(events: list[Event], resolution: int | None) -> None:
    def first(latency: int) -> int:
        if resolution is None or resolution >= EVENT_RESOLUTION:
            return latency
        return bounds_of(bucket_of(latency, resolution), resolution)[0]

    moved = counts_of([one._replace(latency=first(one.latency)) for one in events])
    found, expected = counts_of(events).coarser(resolution), moved.sums
    assert found.sums.sizes.tolist() == expected.sizes.tolist()
    assert found.sums.buckets.tolist() == expected.buckets.tolist()
    assert found.sums.counts.tolist() == expected.counts.tolist()
    assert found.sums.waited.tolist() == counts_of(events).sums.waited.tolist()


@pytest.mark.parametrize("resolution", [1, 4, 16])
def test_counts_survive_as_bytes(resolution: int) -> None:
    some = counts_of([Event(3, 1, 70), Event(3, 1, 71, 2), Event(9, 0, 1 << 40, 0, True)]).coarser(resolution)
    assert plain(EventCounts.from_bytes(some.to_bytes())) == plain(some)
