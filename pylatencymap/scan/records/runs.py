"""Makes runs of blocks whose kinds are known, and keeps the account of running sums that the line decoder keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...buckets import bounds_of
from ...intervals import NOTHING, RecordRun, before_of, entries_of, growth_of
from ...record import Bound, Clock, Semantics
from ...stream import LEAST_EPOCH, RunningSums
from ..byte_words import Flags, Places
from .blocks import LARGEST, MOST_LINES, Blocks
from .kinds import Kinds, RecordKind

Ranges = list[tuple[Bound, Bound | None]]
_OCTAVES: Ranges = [bounds_of(octave) for octave in range(64)]
_BUCKETS, _TIME, _START, _SECONDS = 1, 2, 3, 4
"""Where these are among what an ``#lmap`` line says."""


class _Entries(NamedTuple):
    """The ranges of records: int64 [n] their number, and for all of them lower and upper bounds and counts."""

    sizes: Places
    lowers: Places
    uppers: Places
    counts: Places


class RunMaker:
    """Makes runs of the blocks of one text after another. ``sums`` are those of the line decoder."""

    def __init__(self, kinds: Kinds, sums: RunningSums) -> None:
        self._kinds = kinds
        self._sums = sums

    def run(self, blocks: Blocks, owners: Places, chosen: slice, line: int) -> RecordRun | None:
        """The run of the first of the ``chosen`` blocks, up to one that the line decoder has to see; None if that is
        the first. ``owners`` are their kinds, ``line`` the number of the first
        line of the chunk.
        """
        part = _Part(self._kinds, blocks, owners, chosen)
        odd = part.odd()
        growth = self._grown(part, odd)
        number = int(odd.argmax()) if odd.any() else odd.size
        if not number:
            return None
        part = part.first(number)
        entries = part.entries(growth)
        codes, ranges = _coded(entries, part.is_plain)
        lines = blocks.begins[chosen][:number] + line
        starts = part.starts(self._starts(part))
        self._advance(part)
        return RecordRun(
            kinds=self._kinds.records,
            keys=self._kinds.series,
            ranges=ranges,
            clock=part.clock,
            owners=part.owners,
            lines=lines,
            stamps=part.stamps,
            starts=starts,
            seconds=part.numbers(_SECONDS),
            waited=part.numbers(_TIME),
            sizes=entries.sizes,
            codes=codes,
            counts=entries.counts,
            text=_dates(blocks, line),
        )

    def _grown(self, part: _Part, odd: Flags) -> Places:
        """The counts; of kinds per interval how much they grew. Marks records whose sums fell, or are not known."""
        grown, counted = part.counts.copy(), part.per_interval
        if not counted.any():
            return grown
        known: dict[int, dict[int, int]] = {}
        for number, kind in part.kinds_per_interval():
            sums = self._sums.sums_of((kind.record.series, kind.record.unit))
            if sums is None or any(type(count) is not int or count >= LARGEST for count in sums.values()):
                odd |= part.series == number
                sums = None
            known[number] = _by_code(sums or {})
        rows = np.flatnonzero(counted)
        entries = entries_of(part.sizes, rows)
        growth = growth_of(part.series[rows], part.sizes[rows], part.labels[entries], part.counts[entries], known)
        odd[rows[growth.records[growth.grown < 0]]] = True
        grown[entries] = growth.grown
        return grown

    def _starts(self, part: _Part) -> Places:
        """The stamp of the record of the same series before each one per interval."""
        before = before_of(part.series)
        starts = np.where(before >= 0, part.stamps[before], NOTHING)
        firsts = np.flatnonzero((before < 0) & part.per_interval)
        ends = {number: self._end_of(kind) for number, kind in part.kinds_per_interval()}
        starts[firsts] = [ends[number] for number in part.series[firsts].tolist()]
        return np.where(part.per_interval, starts, NOTHING)

    def _end_of(self, kind: RecordKind) -> int:
        end = self._sums.end_of((kind.record.series, kind.record.unit))
        return NOTHING if end is None else end

    def _advance(self, part: _Part) -> None:
        """Bring the running sums up to date."""
        if not part.per_interval.any():
            return
        entries = np.repeat(part.series, part.sizes) * 64 + part.labels
        places, last = np.unique(entries[::-1], return_index=True)
        counts = part.counts[::-1][last].tolist()
        newest: dict[int, dict[Bound, Bound]] = {}
        for place, count in zip(places.tolist(), counts, strict=True):
            newest.setdefault(place // 64, {})[_label(place % 64)] = count
        _, ends = np.unique(part.series[::-1], return_index=True)
        stamps = dict(zip(part.series[::-1][ends].tolist(), part.stamps[::-1][ends].tolist(), strict=True))
        for number, kind in part.kinds_per_interval():
            key = (kind.record.series, kind.record.unit)
            sums = {**(self._sums.sums_of(key) or {}), **newest.get(number, {})}
            self._sums.begin(key, sums, stamps[number])


def _by_code(sums: object) -> dict[int, int]:
    assert hasattr(sums, "items")
    return {_code(label): count for label, count in sums.items() if _label(_code(label)) == label}


def _code(label: Bound) -> int:
    return int(label).bit_length() if label >= 1 else 0


def _label(code: int) -> int:
    return 1 << (code - 1) if code else 0


def _dates(blocks: Blocks, line: int) -> Callable[[int], str]:
    return lambda number: blocks.date(number - line)


class _Part:
    """Some of the blocks of a chunk, with what their kinds say."""

    def __init__(self, kinds: Kinds, blocks: Blocks, owners: Places, chosen: slice) -> None:
        self._kinds = kinds
        before, behind = int(blocks.sizes[: chosen.start].sum()), int(blocks.sizes[: chosen.stop].sum())
        self.owners, self.stamps, self.sizes = owners[chosen], blocks.stamps[chosen], blocks.sizes[chosen]
        self.labels, self.counts = blocks.labels[before:behind], blocks.counts[before:behind]
        self.said = blocks.said[chosen]
        known = kinds.known
        self.series = kinds.series[self.owners]
        self.per_interval = _of_kinds(known, self.owners, lambda kind: kind.record.semantics is Semantics.INTERVAL)
        self._upper = _of_kinds(known, self.owners, lambda kind: kind.upper)
        self._exact = _of_kinds(known, self.owners, lambda kind: kind.exact)
        self._is_real = ~_of_kinds(known, self.owners, lambda kind: kind.clock is Clock.COUNTED)
        self._by_size = _of_kinds(known, self.owners, lambda kind: kind.clock is None)
        self._given: _Entries | None = None
        self._is_given_bad = np.zeros(0, np.bool_)

    def first(self, number: int) -> _Part:
        """The first blocks."""
        same = object.__new__(_Part)
        same.__dict__.update(self.__dict__)
        behind = int(self.sizes[:number].sum())
        for name in (
            "owners",
            "stamps",
            "sizes",
            "said",
            "series",
            "per_interval",
            "_upper",
            "_exact",
            "_is_real",
            "_by_size",
        ):
            setattr(same, name, getattr(self, name)[:number])
        same.labels, same.counts = self.labels[:behind], self.counts[:behind]
        return same

    @property
    def clock(self) -> Clock:
        """The clock of the stamps."""
        return Clock.EPOCH if self._is_real[0] else Clock.COUNTED

    @property
    def is_plain(self) -> bool:
        """Whether all ranges are those of the bucket lines."""
        return not self._exact.any()

    def kinds_per_interval(self) -> Iterator[tuple[int, RecordKind]]:
        """A kind of each series that is counted per interval, by the number of the series."""
        found = {self._kinds.known[owner].series: self._kinds.known[owner] for owner in np.unique(self.owners).tolist()}
        return ((number, kind) for number, kind in found.items() if kind.record.semantics is Semantics.INTERVAL)

    def odd(self) -> Flags:
        """The records that the line decoder has to see, or with which another clock begins."""
        odd = self._by_size & (self.stamps < LEAST_EPOCH)
        odd |= self._is_real != self._is_real[0]
        records = np.repeat(np.arange(self.sizes.size), self.sizes)
        both = np.flatnonzero((self.labels[1:] == 1) & (self.labels[:-1] == 0) & (records[1:] == records[:-1]))
        odd[records[both]] |= self._upper[records[both]]  # both are [0, 1)
        if not self.is_plain:
            exact = zip(self.said, self._exact.tolist(), strict=True)
            texts = [said[_BUCKETS] if is_exact else None for said, is_exact in exact]
            self._given, bad = _given_entries(texts)
            odd |= bad
        return odd

    def numbers(self, place: int) -> NDArray[np.float64]:
        """What the ``#lmap`` lines say there; NaN for those that say nothing."""
        if not any(self.said):
            return np.full(self.owners.size, np.nan)
        return np.array([float(said[place] or "nan") if said else np.nan for said in self.said])

    def starts(self, otherwise: Places) -> Places:
        """The starts that the ``#lmap`` lines say, or others."""
        if not any(self.said):
            return otherwise
        given = np.array([int(said[_START] or NOTHING) if said else NOTHING for said in self.said], np.int64)
        return np.where(given != NOTHING, given, otherwise)

    def entries(self, grown: Places) -> _Entries:
        """The ranges of these records and their counts: those of the bucket lines, or the exact ones if there are."""
        grown = grown[: self.counts.size]
        records = np.repeat(np.arange(self.sizes.size), self.sizes)
        octaves = np.maximum(self.labels - self._upper[records], 0)
        kept = (grown > 0) & ~self._exact[records]
        records, octaves, counts = records[kept], octaves[kept], grown[kept]
        sizes = np.bincount(records, minlength=self.sizes.size)
        if self.is_plain:
            return _Entries(sizes, octaves, octaves, counts)
        assert self._given is not None
        given = self._given
        mine = np.repeat(np.arange(given.sizes.size), given.sizes)
        stop = int(mine.searchsorted(self.sizes.size))
        where = np.concatenate((records, mine[:stop]))
        order = where.argsort(kind="stable")
        lowers = np.concatenate((np.where(octaves > 0, 1 << np.maximum(octaves - 1, 0), 0), given.lowers[:stop]))
        uppers = np.concatenate((1 << octaves, given.uppers[:stop]))
        both = np.concatenate((counts, given.counts[:stop]))
        return _Entries(sizes + given.sizes[: sizes.size], lowers[order], uppers[order], both[order])


def _of_kinds(known: list[RecordKind], owners: Places, what: Callable[[RecordKind], bool]) -> Flags:
    return np.array([what(kind) for kind in known], np.bool_)[owners]


def _given_entries(texts: list[bytes | None]) -> tuple[_Entries, Flags]:
    """The exact ranges of records, and whether any of these are not ascending, or empty."""
    sizes = np.array([0 if text is None else text.count(b"[") for text in texts], np.int64)
    joined = b",".join([text for text in texts if text]).translate(None, b"[] ")
    values = np.fromstring(joined, np.int64, sep=",") if joined else np.zeros(0, np.int64)
    lowers, uppers, counts = values.reshape(-1, 3).T
    records = np.repeat(np.arange(sizes.size), sizes)
    bad = sizes > MOST_LINES
    wrong = (lowers >= uppers) | (counts <= 0) | (uppers >= LARGEST) | (counts >= LARGEST)
    later = (lowers[1:] > lowers[:-1]) | ((lowers[1:] == lowers[:-1]) & (uppers[1:] > uppers[:-1]))
    wrong[1:] |= ~later & (records[1:] == records[:-1])
    bad[records[wrong]] = True
    return _Entries(sizes, lowers, uppers, counts), bad


def _coded(entries: _Entries, is_plain: bool) -> tuple[Places, Ranges]:
    """The ranges as places in a list of those that occur, ascending."""
    if is_plain:
        return entries.lowers, _OCTAVES
    lowers, low = np.unique(entries.lowers, return_inverse=True)
    uppers, top = np.unique(entries.uppers, return_inverse=True)
    pairs, codes = np.unique(low * uppers.size + top, return_inverse=True)
    first, second = np.divmod(pairs, max(uppers.size, 1))
    return codes, list(zip(lowers[first].tolist(), uppers[second].tolist(), strict=True))
