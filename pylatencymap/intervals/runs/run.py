"""A run of records as arrays, which passes the stages as one event, and comes apart where a stage is not sure.

A recording of days is a million records, nearly all of which only go on from those before them. A stage that meets a
run passes on as much of it as it would have passed on unchanged, and brings its own account up to date; the rest it
takes record by record, as any other text.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import isnan
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from ...record import KEPT, Bound, Clock, Event, Range, Record, Semantics, Stamp, Tick
from ...units import Unit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Whole = NDArray[np.int64]
    Real = NDArray[np.float64]

NOTHING = -(1 << 63)
"""Stands for a start that a record does not have."""

MOST_KINDS = 4096
"""The most kinds of records that the runs of a source have."""

SeriesKey = tuple[str, Unit]


@dataclass(frozen=True, slots=True, eq=False)
class Snapshots:
    """The snapshots of a run, whose ticks are implied and never join the one before.

    firsts  int64 [snapshots], the place of the first record of each
    starts  int64 [snapshots], microseconds; NOTHING if the tick has none
    kept    bool [snapshots], whether its times are final
    """

    firsts: Whole
    starts: Whole
    kept: NDArray[np.bool_]

    def part(self, first: int, stop: int) -> Snapshots:
        """Snapshots ``first`` to ``stop - 1``, with the places as if their records were the only ones."""
        chosen = slice(first, stop)
        return Snapshots(self.firsts[chosen] - self.firsts[first], self.starts[chosen], self.kept[chosen])


@dataclass(frozen=True, slots=True, eq=False)
class RecordRun:
    """Consecutive records of one source whose stamps are on one clock, EPOCH or COUNTED.

    kinds     what the records of one kind have in common, as a record: series, unit, semantics, label, source, flags.
              Kinds of the same series have the same label, source and semantics
    keys      int64 [kinds], the series of each kind, as a number that kinds of the same series share
    ranges    the ranges that occur, ascending
    owners    int64 [n], the kind of each record
    lines     int64 [n], the line at which it begins
    stamps    int64 [n], microseconds
    starts    int64 [n], microseconds; NOTHING if it has none
    seconds   float64 [n], what to divide by; NaN if it has none
    waited    float64 [n], seconds waited; NaN if it has none
    sizes     int64 [n], the number of ranges of each record
    codes     int64 [sum of sizes], the ranges of one record after another, as places in ``ranges``, ascending in each
    counts    int64 [sum of sizes], their counts; more than 0
    text      returns the date printed next to the stamp of the record at this line
    snapshots None before the snapshots are known
    arrival   monotonic seconds at which all of it was read; None from a file
    """

    kinds: Sequence[Record]
    keys: Whole
    ranges: Sequence[tuple[Bound, Bound | None]]
    clock: Clock
    owners: Whole
    lines: Whole
    stamps: Whole
    starts: Whole
    seconds: Real
    waited: Real
    sizes: Whole
    codes: Whole
    counts: Whole
    text: Callable[[int], str]
    snapshots: Snapshots | None = None
    arrival: float | None = None

    def __len__(self) -> int:
        """The number of snapshots; of records, as long as those are not known."""
        return int(self.owners.size if self.snapshots is None else self.snapshots.firsts.size)

    @property
    def series(self) -> Whole:
        """The series of each record, as a number, int64 [n]."""
        return self.keys[self.owners]

    @property
    def key_names(self) -> dict[int, Record]:
        """A kind of each series of this run, by its number."""
        import numpy as np

        return {int(self.keys[owner]): self.kinds[owner] for owner in np.unique(self.owners).tolist()}

    @property
    def ends(self) -> Whole:
        """The stamps of the snapshots, microseconds."""
        assert self.snapshots is not None
        return self.stamps[self.snapshots.firsts]

    @property
    def first_tick(self) -> Tick:
        """The tick of the first snapshot."""
        return self.tick(0)

    def tick(self, number: int) -> Tick:
        """The tick of a snapshot."""
        known = self.snapshots
        assert known is not None
        place = int(known.firsts[number])
        line = int(self.lines[place])
        stamp = Stamp(int(self.stamps[place]), self.clock, text=self.text(line))
        return Tick(
            stamp,
            self.arrival,
            line,
            start=_known(int(known.starts[number])),
            implied=True,
            kept=bool(known.kept[number]),
        )

    def moved(self, micros: int) -> RecordRun:
        """The run, so much later."""
        import numpy as np

        known = self.snapshots
        if not micros or known is None:
            return self
        starts, begins = (np.where(one != NOTHING, one + micros, one) for one in (self.starts, known.starts))
        return replace(self, stamps=self.stamps + micros, starts=starts, snapshots=replace(known, starts=begins))

    def begins_at(self, moments: Mapping[int | None, int]) -> bool:
        """Whether any record or snapshot says that it began at one of these moments (microseconds)."""
        import numpy as np

        assert self.snapshots is not None
        some = [moment for moment in moments if moment is not None]
        return bool(some) and bool(np.isin(np.concatenate((self.starts, self.snapshots.starts)), some).any())

    def not_ended(self, moments: Mapping[int | None, int]) -> dict[int | None, int]:
        """Those of these moments at which no snapshot ends."""
        ends = set(self.ends.tolist()) if moments else set()
        return {moment: to for moment, to in moments.items() if moment not in ends}

    def last_stamps(self) -> Iterator[tuple[Record, int]]:
        """A kind of each series, with the stamp of its last record (microseconds), in the order of these records."""
        import numpy as np

        _, places = np.unique(self.series[::-1], return_index=True)
        for place in np.sort(self.owners.size - 1 - places).tolist():
            yield self.kinds[int(self.owners[place])], int(self.stamps[place])

    def members_of_last(self) -> set[SeriesKey]:
        """The series in the last snapshot."""
        assert self.snapshots is not None
        kinds = (self.kinds[owner] for owner in self.owners[int(self.snapshots.firsts[-1]) :].tolist())
        return {(kind.series, kind.unit) for kind in kinds}

    def records(self, first: int, stop: int) -> RecordRun:
        """Records number ``first`` to ``stop - 1``, without snapshots."""
        begin, end = (int(self.sizes[:place].sum()) for place in (first, stop))
        chosen, counted = slice(first, stop), slice(begin, end)
        return replace(
            self,
            **{name: getattr(self, name)[chosen] for name in BY_RECORD},
            codes=self.codes[counted],
            counts=self.counts[counted],
            snapshots=None,
        )

    def part(self, first: int, stop: int) -> RecordRun:
        """Snapshots number ``first`` to ``stop - 1``."""
        known = self.snapshots
        assert known is not None
        if first == 0 and stop >= len(self):
            return self
        ends = [*known.firsts[first : stop + 1].tolist(), self.owners.size][: stop - first + 1]
        return replace(self.records(int(known.firsts[first]), ends[-1]), snapshots=known.part(first, stop))

    def events(self, first: int = 0, stop: int | None = None) -> Iterator[Event]:
        """Snapshots ``first`` to ``stop - 1`` one by one: a tick, and its records; without snapshots, the records."""
        part = (
            self if self.snapshots is None and stop is None else self.part(first, len(self) if stop is None else stop)
        )
        known = part.snapshots
        stamp: Stamp | None = None
        ticks = (
            {}
            if known is None
            else dict(
                zip(known.firsts.tolist(), zip(known.starts.tolist(), known.kept.tolist(), strict=True), strict=True)
            )
        )
        for place, record in enumerate(part._records()):
            if place in ticks:
                start, kept = ticks[place]
                stamp = record.stamp
                yield Tick(stamp, self.arrival, record.line, start=_known(start), implied=True, kept=kept)
            yield record

    def _records(self) -> Iterator[Record]:
        columns = (self.owners, self.lines, self.stamps, self.starts, self.seconds, self.waited, self.sizes)
        codes, counts = self.codes.tolist(), self.counts.tolist()
        place, stamp = 0, Stamp(NOTHING)
        for owner, line, micros, start, seconds, waited, size in zip(*(one.tolist() for one in columns), strict=True):
            kind, stop = self.kinds[owner], place + size
            if micros != stamp.micros:
                stamp = Stamp(micros, self.clock, text=self.text(line))
            ranges: tuple[Range, ...] = tuple(
                [(*self.ranges[code], count) for code, count in zip(codes[place:stop], counts[place:stop], strict=True)]
            )
            place = stop
            yield Record(
                kind.series,
                kind.unit,
                ranges,
                kind.semantics,
                stamp,
                _known(start),
                None if isnan(seconds) else seconds,
                None if isnan(waited) else waited,
                kind.label,
                kind.source,
                kind.flags,
                arrival=self.arrival,
                line=line,
            )


_Other = TypeVar("_Other")
Passing: TypeAlias = Event | RecordRun
"""What passes the stages: one event after another, or many records at once."""

BY_RECORD = ("owners", "lines", "stamps", "starts", "seconds", "waited", "sizes")


def _known(start: int) -> int | None:
    return None if start == NOTHING else start


def apart(events: Iterable[_Other | RecordRun]) -> Iterator[_Other | Event]:
    """The events one by one; those of runs too."""
    for event in events:
        if isinstance(event, RecordRun):
            yield from event.events()
        else:
            yield event


# Where the snapshots of a run begin.


MOST_IN_SNAPSHOT = 1000
"""Snapshots with more records than this are not taken together."""


def in_snapshots(
    run: RecordRun, stamp: Stamp | None, members: Collection[SeriesKey], final: bool
) -> Iterator[RecordRun]:
    """The run in pieces: those with ``snapshots`` are snapshots that do not join the one before them, each series once
    in each; records of the others have to be looked at one by one.

    ``stamp`` and ``members`` are those of the snapshot that goes on when the run begins; ``final``: the times of the
    text are.
    """
    import numpy as np

    count = run.owners.size
    same = stamp is not None and stamp.clock is run.clock
    begun = np.empty(count, np.bool_)
    begun[1:] = run.stamps[1:] != run.stamps[:-1]
    begun[:1] = not same or run.stamps[:1] != (stamp.micros if stamp else 0)
    firsts = begun.nonzero()[0]
    first = int(firsts[0]) if firsts.size else count
    if first:
        yield run.records(0, first)
    if not firsts.size:
        return
    goes_on = _goes_on(run, firsts, members)  # those of the records that were handed out first are among them by now
    yield from _pieces(run, firsts, goes_on & _are_alike(run), final)


def _are_alike(run: RecordRun) -> bool:
    """Whether all records mean the same."""
    return len({kind.semantics for kind in run.key_names.values()}) == 1


def _goes_on(run: RecordRun, firsts: Whole, members: Collection[SeriesKey]) -> NDArray[np.bool_]:
    """Whether each snapshot begins with a series that the one before has, and has no series twice, nor very many."""
    import numpy as np

    series, count = run.series, run.owners.size
    width = int(series.max()) + 1
    numbers = np.repeat(np.arange(firsts.size), np.diff(firsts, append=count))
    places = numbers * width + series[firsts[0] :]
    good = np.diff(firsts, append=count) <= MOST_IN_SNAPSHOT
    ordered = np.sort(places)
    good[np.unique(ordered[1:][ordered[1:] == ordered[:-1]] // width)] = False
    heads = series[firsts]
    wanted = (np.arange(firsts.size) - 1) * width + heads
    found = ordered[np.minimum(ordered.searchsorted(wanted), ordered.size - 1)] == wanted
    kind = run.kinds[run.owners[firsts[0]]]
    found[0] = (kind.series, kind.unit) in members
    good &= found
    return good


def _pieces(run: RecordRun, firsts: Whole, good: NDArray[np.bool_], final: bool) -> Iterator[RecordRun]:
    import numpy as np

    bounds = [0, *(np.flatnonzero(good[1:] != good[:-1]) + 1).tolist(), firsts.size]
    stops = [*firsts.tolist(), run.owners.size]
    for first, stop in pairwise(bounds):
        part = run.records(stops[first], stops[stop])
        yield _with_snapshots(part, firsts[first:stop] - stops[first], final) if good[first] else part


def _with_snapshots(run: RecordRun, firsts: Whole, final: bool) -> RecordRun:
    import numpy as np

    per_interval = run.kinds[run.owners[0]].semantics is Semantics.INTERVAL
    starts = run.starts[firsts] if per_interval else np.full(firsts.size, NOTHING)
    kept_kinds = np.array([KEPT in kind.flags for kind in run.kinds], np.bool_)
    kept = np.ones(firsts.size, np.bool_) if final else kept_kinds[run.owners[firsts]] & (starts != NOTHING)
    return replace(run, snapshots=Snapshots(firsts, starts, kept))


def with_known_times(run: RecordRun) -> RecordRun | None:
    """The first snapshots of a run, up to a record per interval that does not say when it began; None without any."""
    if run.kinds[int(run.owners[0])].semantics is Semantics.CUMULATIVE:
        return run
    assert run.snapshots is not None
    unknown = (run.starts == NOTHING) | (run.starts >= run.stamps)
    if not unknown.any():
        return run
    number = int(run.snapshots.firsts.searchsorted(unknown.argmax(), side="right")) - 1
    return run.part(0, number) if number else None


def begun(run: RecordRun, end: int) -> RecordRun:
    """The run, each of whose snapshots begins where it says, else where the one before ended: the first at ``end``."""
    import numpy as np

    known, ends = run.snapshots, run.ends
    assert known is not None
    before = np.concatenate(([end], ends[:-1]))
    starts = np.where((known.starts != NOTHING) & (known.starts < ends), known.starts, before)
    return replace(run, snapshots=replace(known, starts=starts))
