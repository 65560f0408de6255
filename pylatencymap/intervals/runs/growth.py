"""How much the counts of many records grew, each since the record of its series that had the same range last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]


class Growth(NamedTuple):
    """What the entries of records, one for each of their ranges, are to those before.

    records  int64 [entries], the record of each entry
    grown    int64 [entries], how much the count grew; the whole count if the range is new
    before   int64 [n], the record of the same series before each one; -1 for the first
    keeps    bool [n], whether each record has all ranges of the one before; True for the first
    """

    records: Whole
    grown: Whole
    before: Whole
    keeps: NDArray[np.bool_]


def growth_of(
    series: Whole, sizes: Whole, codes: Whole, counts: Whole, known: Mapping[int, Mapping[int, float]]
) -> Growth:
    """The growth of records, given the series of each, its number of ranges, and their codes and counts.

    ``known``: the counts that came before, by series and code.
    """
    records = np.repeat(np.arange(series.size), sizes)
    width = int(codes.max(initial=0)) + 1
    places = series[records] * width + codes
    order = _order(places)
    ordered, sorted_counts, owners = places[order], counts[order], records[order]
    last, owner = np.empty_like(sorted_counts), np.empty_like(owners)
    last[1:], owner[1:] = sorted_counts[:-1], owners[:-1]
    firsts = np.flatnonzero(np.concatenate((np.ones(min(1, ordered.size), np.bool_), ordered[1:] != ordered[:-1])))
    last[firsts] = [known.get(place // width, {}).get(place % width, 0) for place in ordered[firsts].tolist()]
    owner[firsts] = -1
    grown, had = np.empty_like(counts), np.empty_like(owners)
    grown[order], had[order] = sorted_counts - last, owner
    before = before_of(series)
    again = np.bincount(records[had == before[records]], minlength=series.size)
    keeps = (before < 0) | (again == sizes[before])
    return Growth(records, grown, before, keeps)


def before_of(series: Whole) -> Whole:
    """The record of the same series before each record; -1 for the first of each."""
    order = _order(series)
    ordered = series[order]
    before = np.full(series.size, -1, np.int64)
    same = np.flatnonzero(ordered[1:] == ordered[:-1])
    before[order[same + 1]] = order[same]
    return before


def _order(values: Whole) -> NDArray[Any]:
    """The order that sorts values, equal ones as they come. Short integers are sorted without comparing them."""
    if values.size and int(values.max()) < 1 << 15:
        return values.astype(np.int16).argsort(kind="stable")
    return values.argsort(kind="stable")


def sums_by_record(values: NDArray[Any], sizes: Whole) -> NDArray[Any]:
    """The sum over the entries of each record."""
    behind = np.concatenate(([0], values.cumsum()))
    stops = sizes.cumsum()
    result: NDArray[Any] = behind[stops] - behind[stops - sizes]
    return result


def entries_of(sizes: Whole, chosen: Whole) -> Whole:
    """The places of the entries of some records, one record after another."""
    begins = (sizes.cumsum() - sizes)[chosen]
    lengths = sizes[chosen]
    behind = lengths.cumsum()
    total = int(behind[-1]) if behind.size else 0
    places: Whole = np.arange(total) + np.repeat(begins - (behind - lengths), lengths)
    return places
