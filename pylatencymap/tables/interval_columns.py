"""Intervals of many series as arrays, gaps and resets included: what tables are written from and read into."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from math import inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..buckets import bounds_around
from ..interval import Interval
from ..intervals import Batches, entries_of
from ..units import Unit

ESTIMATED, RESET, GAP, DOUBTFUL, CLOCK = 1, 2, 4, 8, 16
"""Bits of ``flags``."""
FLAGS = {"estimated": ESTIMATED, "reset": RESET, "gap": GAP, "doubtful": DOUBTFUL, "clock": CLOCK}
"""The fields of an interval, and the columns of a table, that these bits stand for."""


class TableSeries(NamedTuple):
    """A series of a table."""

    name: str
    unit: Unit
    label: str = ""
    source: str = ""

    @property
    def words(self) -> tuple[str, str, str, str]:
        """The same as text, which can be sorted and kept as JSON; ``series_of`` undoes it."""
        return self.name, self.unit.value, self.label, self.source


def series_of(words: Iterable[str]) -> TableSeries:
    """The series with these words."""
    name, unit, label, source = words
    return TableSeries(name, Unit(unit), label, source)


class IntervalColumns(NamedTuple):
    """Intervals as arrays.

    series          what ``owners`` are places in
    owners          int64 [n]
    starts, ends    int64 [n], epoch microseconds
    seconds         float64 [n], what to divide by for rates
    waited          float64 [n], seconds; not a number in a gap
    flags           uint8 [n], see ESTIMATED and the others
    sizes           int64 [n], the number of ranges of each interval
    lowers, uppers  float64 [sum of sizes], half-open ranges, one interval after another; ``inf`` where one is open
    counts          float64 [sum of sizes]
    notes           the notes of intervals, by their places
    """

    series: tuple[TableSeries, ...]
    owners: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    seconds: NDArray[np.float64]
    waited: NDArray[np.float64]
    flags: NDArray[np.uint8]
    sizes: NDArray[np.int64]
    lowers: NDArray[np.float64]
    uppers: NDArray[np.float64]
    counts: NDArray[np.float64]
    notes: dict[int, str]

    def rows(self, chosen: NDArray[np.int64]) -> IntervalColumns:
        """Some of the intervals, given by their places, in that order."""
        if _follow_each_other(chosen):
            return self.between(int(chosen[0]), int(chosen[-1]) + 1)
        entries = entries_of(self.sizes, chosen)
        notes = {new: self.notes[old] for new, old in enumerate(chosen.tolist()) if old in self.notes}
        by_row = {name: getattr(self, name)[chosen] for name in _BY_ROW}
        by_entry = {name: getattr(self, name)[entries] for name in _BY_ENTRY}
        return self._replace(**by_row, **by_entry, notes=notes if self.notes else {})

    def between(self, begin: int, end: int) -> IntervalColumns:
        """The intervals at places ``begin`` to ``end - 1``."""
        first = int(self.sizes[:begin].sum())
        last = first + int(self.sizes[begin:end].sum())
        by_row = {name: getattr(self, name)[begin:end] for name in _BY_ROW}
        by_entry = {name: getattr(self, name)[first:last] for name in _BY_ENTRY}
        notes = {place - begin: note for place, note in self.notes.items() if begin <= place < end}
        return self._replace(**by_row, **by_entry, notes=notes)

    def renamed(self, names: Sequence[str]) -> IntervalColumns:
        """The same with other names of the series."""
        named = zip(self.series, names, strict=True)
        return self._replace(series=tuple(one._replace(name=name) for one, name in named))

    def intervals(self) -> Iterator[Interval]:
        """One interval after another."""
        uppers = [None if upper == inf else upper for upper in _plain(self.uppers)]
        ranges = list(zip(_plain(self.lowers), uppers, _plain(self.counts), strict=True))
        times = self.owners, self.starts, self.ends, self.seconds, self.waited, self.flags, self.sizes
        taken = 0
        for place, (owner, start, end, seconds, waited, flags, size) in enumerate(
            zip(*(one.tolist() for one in times), strict=True)
        ):
            one = self.series[owner]
            yield Interval(
                one.name,
                one.unit,
                start,
                end,
                seconds,
                tuple(ranges[taken : taken + size]),
                None if waited != waited else waited,
                estimated=bool(flags & ESTIMATED),
                reset=bool(flags & RESET),
                gap=bool(flags & GAP),
                clock=bool(flags & CLOCK),
                label=one.label,
                source=one.source,
                note=self.notes.get(place, ""),
                doubtful=bool(flags & DOUBTFUL),
            )
            taken += size

    def to_bytes(self) -> bytes:
        """All of it as bytes, the same for the same intervals."""
        head = {
            "series": [one.words for one in self.series],
            "notes": list(self.notes.items()),
            "rows": int(self.owners.size),
            "entries": int(self.counts.size),
        }
        text = json.dumps(head).encode()
        arrays = [getattr(self, name) for name in (*_BY_ROW, *_BY_ENTRY)]
        return b"".join([len(text).to_bytes(8, "little"), text, *(one.tobytes() for one in arrays)])

    @classmethod
    def from_bytes(cls, data: bytes) -> IntervalColumns:
        """What ``to_bytes`` made bytes of."""
        place = 8 + int.from_bytes(data[:8], "little")
        head = json.loads(data[8:place])
        columns: dict[str, NDArray[Any]] = {}
        for name in (*_BY_ROW, *_BY_ENTRY):
            count = head["rows" if name in _BY_ROW else "entries"]
            columns[name] = np.frombuffer(data, _TYPES[name], count, place)
            place += columns[name].nbytes
        return cls(tuple(map(series_of, head["series"])), **columns, notes=dict(head["notes"]))


_BY_ROW = ("owners", "starts", "ends", "seconds", "waited", "flags", "sizes")
_BY_ENTRY = ("lowers", "uppers", "counts")
_TYPES: dict[str, type] = {
    **dict.fromkeys(("owners", "starts", "ends", "sizes"), np.int64),
    **dict.fromkeys(("seconds", "waited", *_BY_ENTRY), np.float64),
    "flags": np.uint8,
}


def _follow_each_other(places: NDArray[np.int64]) -> bool:
    """Whether each place, of one or more, comes right after the one before."""
    return bool(places.size and (np.diff(places) == 1).all())


def _plain(values: NDArray[np.float64]) -> list[int | float]:
    """The values, as ints where they are whole."""
    return [int(value) if value.is_integer() else value for value in values.tolist()]


def columns_of_batches(batches: Batches, resolution: int | None = None) -> IntervalColumns:
    """The intervals of batches as columns. With a coarser ``resolution`` each bucket stands for all of the one at that
    resolution in which it begins.
    """
    numbers = sorted(batches.series)
    series = tuple(
        TableSeries(one.called, one.unit, one.label, one.source) for one in map(batches.series.__getitem__, numbers)
    )
    lowers, uppers = _bounds_by_bucket(batches, resolution)
    flags = np.where(batches.estimated, ESTIMATED, 0) | np.where(batches.doubtful, DOUBTFUL, 0)
    return IntervalColumns(
        series,
        np.array(numbers, np.int64).searchsorted(batches.owners).astype(np.int64),
        batches.starts.astype(np.int64),
        batches.ends.astype(np.int64),
        batches.seconds.astype(np.float64),
        batches.waited.astype(np.float64),
        (flags | (CLOCK if batches.clock else 0)).astype(np.uint8),
        batches.sizes.astype(np.int64),
        lowers.take(batches.buckets),
        uppers.take(batches.buckets),
        batches.counts.astype(np.float64),
        {},
    )


def _bounds_by_bucket(batches: Batches, resolution: int | None) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The lower and upper bounds of the buckets, by their numbers; those that do not occur have none."""
    occurs = np.bincount(batches.buckets) if batches.buckets.size else np.zeros(0, np.int64)
    lowers, uppers = np.zeros(occurs.size), np.zeros(occurs.size)
    for bucket in np.flatnonzero(occurs).tolist():
        lower, upper = batches.ranges.of(bucket)
        if resolution is not None and resolution < batches.ranges.resolution:
            lower, upper = bounds_around(int(lower), resolution)
        lowers[bucket], uppers[bucket] = lower, inf if upper is None else upper
    return lowers, uppers


def columns_of_intervals(intervals: Sequence[Interval]) -> IntervalColumns:
    """Intervals as columns, in the same order."""
    numbers: dict[TableSeries, int] = {}
    owners = [
        numbers.setdefault(TableSeries(one.series, one.unit, one.label, one.source), len(numbers)) for one in intervals
    ]
    ranges = [one for interval in intervals for one in interval.ranges]
    return IntervalColumns(
        tuple(numbers),
        np.array(owners, np.int64),
        np.array([one.start for one in intervals], np.int64),
        np.array([one.end for one in intervals], np.int64),
        np.array([one.seconds for one in intervals], np.float64),
        np.array([np.nan if one.waited is None else one.waited for one in intervals], np.float64),
        np.array([_flags_of(one) for one in intervals], np.uint8),
        np.array([len(one.ranges) for one in intervals], np.int64),
        np.array([lower for lower, _, _ in ranges], np.float64),
        np.array([inf if upper is None else upper for _, upper, _ in ranges], np.float64),
        np.array([count for _, _, count in ranges], np.float64),
        {place: one.note for place, one in enumerate(intervals) if one.note},
    )


def _flags_of(one: Interval) -> int:
    return sum(bit for name, bit in FLAGS.items() if getattr(one, name))


def joined(parts: Iterable[IntervalColumns]) -> IntervalColumns:
    """The intervals of all parts, one part after another. At least one part."""
    parts = list(parts)
    if len(parts) == 1:
        return parts[0]
    numbers: dict[TableSeries, int] = {}
    owners, notes, before = [], dict[int, str](), 0
    for part in parts:
        new = [numbers.setdefault(one, len(numbers)) for one in part.series]
        owners.append(np.array(new, np.int64)[part.owners] if new else part.owners)
        notes.update((before + place, note) for place, note in part.notes.items())
        before += int(part.owners.size)
    rest = {name: np.concatenate([getattr(one, name) for one in parts]) for name in (*_BY_ROW[1:], *_BY_ENTRY)}
    return IntervalColumns(tuple(numbers), np.concatenate(owners), **rest, notes=notes)
