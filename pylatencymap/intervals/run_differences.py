"""Intervals of runs of records, as batches: what ``SeriesIntervals`` makes of them one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..record import DOUBTFUL, ESTIMATED, KEPT, Bound, Clock, Record, Semantics
from .batch import Batches, BatchRanges, BatchSeries
from .nominal import GAP_FACTOR, STEPS_REMEMBERED
from .runs.growth import before_of, entries_of, growth_of, sums_by_record
from .runs.passing import fewest_of
from .runs.run import BY_RECORD, RecordRun
from .series_intervals import SeriesIntervals
from .totals import HeldTotals
from .totals.possible_sums import are_between

Whole = NDArray[np.int64]
RangeKey = tuple[Bound, Bound | None]

MOST_APART = 4
"""A series that is missing from more snapshots than this in a row is not taken together."""
EXACT = 2.0**52
"""Sums below this are exact in floating point."""
_PLAIN = frozenset({KEPT, ESTIMATED, DOUBTFUL})
"""Flags of records per interval that need no look at the records before."""


class Found(NamedTuple):
    """What a run came to: its first snapshots, so many, as intervals. ``last``: by series, the number of the snapshot
    with its last record, in the order of these records.
    """

    snapshots: int
    batches: Batches | None
    last: dict[int, int]


NOTHING_FOUND = Found(0, None, {})


def intervals_of_run(run: RecordRun, series: Mapping[int, SeriesIntervals], holding: Mapping[int, int]) -> Found:
    """The intervals of the first snapshots of a run, if they are as those of most records; of none else.

    ``series`` are its series by number; ``holding`` says of those that hold a record how many snapshots ago it was.
    """
    if run.kinds[int(run.owners[0])].semantics is Semantics.INTERVAL:
        return _PerInterval(run, series).found() if not holding else NOTHING_FOUND
    return _Totals(run, series, holding).found()


def _numbers(run: RecordRun) -> Whole:
    """The number of the snapshot of each record."""
    assert run.snapshots is not None
    return np.repeat(np.arange(len(run)), np.diff(run.snapshots.firsts, append=run.owners.size))


def _up_to(run: RecordRun, odd: NDArray[np.bool_]) -> int:
    """The number of snapshots before the first odd record."""
    assert run.snapshots is not None
    if not odd.any():
        return len(run)
    return int(run.snapshots.firsts.searchsorted(odd.argmax(), side="right")) - 1


def _doubled_middles(run: RecordRun) -> NDArray[np.float64]:
    """Twice the latency that events of each range are taken to have."""
    return np.array([2 * low if top is None else low + top for low, top in run.ranges], np.float64)


def _named(run: RecordRun, series: Mapping[int, SeriesIntervals]) -> dict[int, BatchSeries]:
    return {
        number: BatchSeries(kind.series, kind.unit, series[number].name, kind.label, kind.source)
        for number, kind in run.key_names.items()
    }


def _seconds_of_unit(run: RecordRun) -> NDArray[np.float64]:
    """The seconds of the unit of each record."""
    return np.array([kind.unit.seconds for kind in run.kinds])[run.owners]


# Counts per interval: each record is an interval of its own.


class _PerInterval:
    def __init__(self, run: RecordRun, series: Mapping[int, SeriesIntervals]) -> None:
        self._run = run
        self._series = series

    def found(self) -> Found:
        run = self._run
        plain = np.array([kind.flags <= _PLAIN for kind in run.kinds], np.bool_)
        if not all(one.takes_intervals for one in self._series.values()) or not plain[run.owners].all():
            return NOTHING_FOUND
        middles = _doubled_middles(run)[run.codes] * run.counts
        if middles.sum() >= EXACT:
            return NOTHING_FOUND
        number = _up_to(run, self._is_odd())
        if number < fewest_of(run):
            return NOTHING_FOUND
        run = run.part(0, number)
        batches = self._batches(run, middles[: run.codes.size])
        numbers, last = _numbers(run), dict[int, int]()
        for kind, places in _last_places(run):
            last[kind] = int(numbers[places[-1]])
            self._series[kind].go_on(batches.rows(places[-STEPS_REMEMBERED:]))
        return Found(number, batches, last)

    def _is_odd(self) -> NDArray[np.bool_]:
        """Whether the end of each record is not later than the one before, or its time waited is impossible."""
        run, known = self._run, ~np.isnan(self._run.waited)
        ends = {number: one.end for number, one in self._series.items()}
        before = before_of(run.series)
        least = np.array([ends[number] for number in run.series[before < 0].tolist()])
        last = np.empty_like(run.stamps)
        last[before < 0], last[before >= 0] = least, run.stamps[before[before >= 0]]
        odd = run.stamps <= last
        if known.any():
            lows = np.array([low for low, _ in run.ranges], np.float64)[run.codes] * run.counts
            tops = np.array([np.inf if top is None else top for _, top in run.ranges])[run.codes] * run.counts
            unit = _seconds_of_unit(run)
            limits = (sums_by_record(one, run.sizes) * unit for one in (lows, tops))
            odd |= known & ~are_between(run.waited, *limits)
        return odd

    def _batches(self, run: RecordRun, middles: NDArray[np.float64]) -> Batches:
        flags = [kind.flags for kind in run.kinds]
        estimated = np.array([ESTIMATED in one for one in flags], np.bool_)[run.owners]
        unknown = np.isnan(run.waited)
        estimates = sums_by_record(middles, run.sizes) / 2 * _seconds_of_unit(run)
        given = ~np.isnan(run.seconds) & (run.seconds != 0)
        return Batches(
            series=_named(run, self._series),
            ranges=BatchRanges(listed=run.ranges),
            clock=run.clock is Clock.EPOCH,
            owners=run.series,
            late=np.zeros(run.owners.size, np.bool_),
            starts=run.starts,
            ends=run.stamps,
            seconds=np.where(given, run.seconds, (run.stamps - run.starts) / 1e6),
            waited=np.where(unknown, estimates, run.waited),
            estimated=unknown | estimated,
            doubtful=np.array([DOUBTFUL in one for one in flags], np.bool_)[run.owners],
            sizes=run.sizes,
            buckets=run.codes,
            counts=run.counts,
        )


def _places_of_each(series: Whole) -> dict[int, Whole]:
    """The places of each series, ascending."""
    order = series.argsort(kind="stable")
    cuts = np.flatnonzero(np.diff(series[order])) + 1
    return {int(series[places[0]]): places for places in np.split(order, cuts)}


def _last_places(run: RecordRun) -> list[tuple[int, Whole]]:
    """The places of the records of each series, in the order of their last records."""
    return sorted(_places_of_each(run.series).items(), key=lambda one: int(one[1][-1]))


# Totals: an interval is how much they grew, and each record confirms the one before.


class _Totals:
    def __init__(self, run: RecordRun, series: Mapping[int, SeriesIntervals], holding: Mapping[int, int]) -> None:
        self._run = run
        self._series = series
        self._holding = holding

    def found(self) -> Found:
        run = self._run
        held = {number: one.steady_totals(run.arrival) for number, one in self._series.items()}
        if set(self._holding) != set(held) or None in held.values():
            return NOTHING_FOUND
        known = {number: one for number, one in held.items() if one is not None}
        codes, kinds = {bounds: code for code, bounds in enumerate(run.ranges)}, run.key_names
        if not all(_is_like(one.record, kinds[number], run.clock) for number, one in known.items()):
            return NOTHING_FOUND
        if any((low, top) not in codes for one in known.values() for low, top, _ in one.record.ranges):
            return NOTHING_FOUND
        totals = {
            number: {codes[key]: count for key, count in one.totals.items() if key in codes}
            for number, one in known.items()
        }
        grown = (count for one in known.values() for _, _, count in one.grown)
        if any(
            type(count) is not int or count >= EXACT
            for count in chain(grown, *(one.values() for one in totals.values()))
        ):
            return NOTHING_FOUND
        growth = growth_of(run.series, run.sizes, run.codes, run.counts, totals)
        odd = ~growth.keeps
        odd[growth.records[growth.grown < 0]] = True
        stop = self._stop(_up_to(run, odd), known, codes)
        middles = _doubled_middles(run)[run.codes] * growth.grown
        if stop < fewest_of(run) or np.abs(middles).sum() >= EXACT or run.counts.max(initial=0) >= EXACT:
            return NOTHING_FOUND
        part = run.part(0, stop)
        return _GrownRows(part, self._series, known, codes, growth.grown[: part.codes.size]).found()

    def _stop(self, stop: int, held: Mapping[int, HeldTotals], codes: Mapping[RangeKey, int]) -> int:
        """The number of first snapshots in which each series comes often enough, up to ``stop``."""
        run, numbers = self._run, _numbers(self._run)
        for series, places in _last_places(run):
            own = numbers[places]
            first = {int(code) for code in run.codes[entries_of(run.sizes, places[:1])]}
            if self._holding[series] + 1 + own[0] > MOST_APART or not first >= {
                codes[low, top] for low, top, _ in held[series].record.ranges
            }:
                return 0
            late = np.flatnonzero(np.diff(own, append=stop - 1) > MOST_APART)
            stop = min(stop, int(own[late[0]]) + 1 + MOST_APART) if late.size else stop
            if run.arrival is not None:
                stop = min(stop, self._released(self._series[series], run.stamps[places], own))
        return stop if all(self._has_enough(own, numbers, stop) for own in _last_places(run)) else 0

    def _released(self, series: SeriesIntervals, ends: Whole, own: Whole) -> int:
        """The first snapshot that comes so late that live a record of a series waits no longer for the next one; their
        number if there is none. ``ends`` and ``own`` are the stamps and the snapshots of its records.
        """
        before = np.concatenate(([series.end, series.held_end], ends))
        lengths = (before[1:-1] - before[:-2]) / 1e6
        until = ends + np.rint(GAP_FACTOR * 1e6 * lengths).astype(np.int64)
        beyond = self._run.ends.searchsorted(np.concatenate(([series.holds_until], until)), side="right")
        odd = np.flatnonzero(beyond <= np.append(own, len(self._run) - 1))
        return int(beyond[odd[0]]) if odd.size else len(self._run)

    def _has_enough(self, own: tuple[int, Whole], numbers: Whole, stop: int) -> bool:
        """Whether a series has three records in the first snapshots, the last of them near their end."""
        places = numbers[own[1]]
        count = int(places.searchsorted(stop))
        return count >= 3 and stop - 1 - int(places[count - 1]) <= MOST_APART


def _is_like(held: Record, kind: Record, clock: Clock) -> bool:
    """Whether a held record is of the series as others describe it, on their clock, and nothing is said about it."""
    is_same = (held.label, held.source, held.note) == (kind.label, kind.source, "") and not held.flags
    return is_same and held.stamp is not None and held.stamp.clock is clock


class _GrownRows:
    """The intervals that totals end: those of the held records, and those of all but the last of each series."""

    def __init__(
        self,
        run: RecordRun,
        series: Mapping[int, SeriesIntervals],
        held: Mapping[int, HeldTotals],
        codes: Mapping[RangeKey, int],
        grown: Whole,
    ) -> None:
        self._run, self._series, self._held, self._codes, self._grown = run, series, held, codes, grown

    def found(self) -> Found:
        run, numbers = self._run, _numbers(self._run)
        order, rows = _last_places(run), self._rows()
        batches = self._in_order(rows)
        mine = _places_of_each(rows.owners)
        # Events per second of the records that are confirmed; the first one of each series is the held one.
        rates = sums_by_record(rows.counts, rows.sizes) / (np.maximum(rows.ends - rows.starts, 1) / 1e6)
        last = self._records(np.concatenate([places[-3:] for _, places in order]))
        for number, places in order:
            own = mine[number]
            records = list(islice(last, len(places[-3:])))
            self._series[number].confirm(records, rows.rows(own[-STEPS_REMEMBERED:]), rates[own[1:]].tolist())
        return Found(len(run), batches, {number: int(numbers[places[-1]]) for number, places in order})

    def _records(self, places: Whole) -> Iterator[Record]:
        """The records at these places, one after another."""
        run = self._run
        entries = entries_of(run.sizes, places)
        by_record = {name: getattr(run, name)[places] for name in BY_RECORD}
        chosen = replace(run, **by_record, codes=run.codes[entries], counts=run.counts[entries], snapshots=None)
        return (event for event in chosen.events() if isinstance(event, Record))

    def _rows(self) -> Batches:
        """First the intervals of the held records, then those of the run, as they come."""
        run, held = self._run, self._held
        before = before_of(run.series)
        followed = np.zeros(run.owners.size, np.bool_)
        followed[before[before >= 0]] = True
        ends = {number: one.end for number, one in self._series.items()}
        last = np.where(before >= 0, run.stamps[before], 0)
        firsts = before < 0
        last[firsts] = [_stamp_of(held[number].record) for number in run.series[firsts].tolist()]
        grew = (self._grown > 0) & np.repeat(followed, run.sizes)
        sizes = sums_by_record(grew.astype(np.int64), run.sizes)[followed]
        first = self._held_entries()
        ranges = [len(held[number].grown) for number in held]
        codes = np.concatenate((first[0], run.codes[grew]))
        counts = np.concatenate((first[1], self._grown[grew]))
        owners = np.concatenate((np.array(list(held)), run.series[followed]))
        starts = np.concatenate((np.array([ends[number] for number in held]), last[followed]))
        stamps = np.concatenate((np.array([_stamp_of(one.record) for one in held.values()]), run.stamps[followed]))
        sizes = np.concatenate((np.array(ranges, np.int64), sizes))
        named = _named(run, self._series)
        units = np.zeros(max(named) + 1)
        for number, one in named.items():
            units[number] = one.unit.seconds
        return Batches(
            series=named,
            ranges=BatchRanges(listed=run.ranges),
            clock=run.clock is Clock.EPOCH,
            owners=owners,
            late=np.zeros(owners.size, np.bool_),
            starts=starts,
            ends=stamps,
            seconds=(stamps - starts) / 1e6,
            waited=sums_by_record(_doubled_middles(run)[codes] * counts, sizes) / 2 * units[owners],
            estimated=np.ones(owners.size, np.bool_),
            doubtful=np.zeros(owners.size, np.bool_),
            sizes=sizes,
            buckets=codes,
            counts=counts,
        )

    def _held_entries(self) -> tuple[Whole, Whole]:
        """The codes and counts of the intervals that the held records end."""
        entries = [(self._codes[low, top], count) for one in self._held.values() for low, top, count in one.grown]
        codes, counts = zip(*entries, strict=True) if entries else ((), ())
        return np.array(codes, np.int64), np.array(counts, np.int64)

    def _in_order(self, rows: Batches) -> Batches:
        """The rows in the order in which the next record of each series confirms them."""
        run = self._run
        before = before_of(run.series)
        after = np.zeros(run.owners.size, np.int64)
        after[before[before >= 0]] = np.flatnonzero(before >= 0)
        firsts = {int(run.series[place]): place for place in np.flatnonzero(before < 0).tolist()}
        followed = np.zeros(run.owners.size, np.bool_)
        followed[before[before >= 0]] = True
        confirmed = np.concatenate((np.array([firsts[number] for number in self._held]), after[followed]))
        if (confirmed[1:] > confirmed[:-1]).all():
            return rows
        return rows.rows(confirmed.argsort())


def _stamp_of(record: Record) -> int:
    assert record.stamp is not None
    return record.stamp.micros
