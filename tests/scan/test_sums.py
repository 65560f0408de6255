"""Sums in arrays hold what dictionaries of the same events hold."""

from collections import Counter

import numpy as np
from hypothesis import given, strategies as st

from pylatencymap.scan.sums import SortedSums, sum_events

Events = list[tuple[int, int, int]]

FAR = st.integers(-60, 60).map(lambda number: number * 10**9 // 7)
NEAR = st.integers(0, 40)
events = st.lists(st.tuples(NEAR | FAR, st.integers(0, 900), st.integers(0, 10**7)), max_size=30)


def arrays(piece: Events, place: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([event[place] for event in piece], np.int64)


@given(st.lists(events, max_size=8))
def test_sums_are_ordered_and_complete(pieces: list[Events]) -> None:
    sums, counts, waited = SortedSums(), Counter[tuple[int, int]](), Counter[int]()
    for piece in pieces:
        first = min((owner for owner, _, _ in piece), default=0)
        one = sum_events(arrays(piece, 0) - first, arrays(piece, 1), arrays(piece, 2))
        sums.add(one._replace(owners=one.owners + first))
        for owner, bucket, latency in piece:
            counts[owner, bucket] += 1
            waited[owner] += latency
    assert sums.total == (counts.total(), waited.total())
    found_counts, found_waited = list[tuple[tuple[int, int], int]](), list[tuple[int, int]]()
    for block in sums.drain():
        owners = np.repeat(block.owners, block.sizes).tolist()
        keys = zip(owners, block.buckets.tolist(), strict=True)
        found_counts += zip(keys, block.counts.tolist(), strict=True)
        found_waited += zip(block.owners.tolist(), block.waited.tolist(), strict=True)
    assert found_counts == sorted(counts.items())
    assert found_waited == sorted(waited.items())
    assert not list(sums.drain())


def test_events_of_many_owners_are_few() -> None:
    """The table of counts is left out where it would be mostly empty."""
    owners = np.arange(0, 900_000, 9, np.int64)
    found = sum_events(owners, owners % 700, owners)
    assert found.owners.tolist() == found.waited.tolist() == owners.tolist()
    assert found.buckets.tolist() == (owners % 700).tolist()
    assert set(found.counts.tolist()) == set(found.sizes.tolist()) == {1}
