"""Whether undamaged records far from the damage are read as if there were no damage.

A damaged line costs its record. Of a histogram, the interval that ends with this record may change, and the one after
it, which starts there: all others must be identical, in every field. Of a trace, the event of the damaged line may go
to another bin or none: all bins but those two must be identical. A text without a clock may lose or gain a whole
snapshot; what follows may then lie earlier or later, by the same amount for all. A damaged name or unit may be that of
another series in another unit: nothing tells such a record from a good one, and the first one of a name decides which
of the two gets its unit in brackets. So if a name has several units, series are known by name and unit.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import replace
from itertools import accumulate
from typing import NamedTuple

from pylatencymap.interval import Interval
from pylatencymap.record import KEPT, Record, Tick

from .invariants import Broken
from .reading import Reading

NEIGHBOUR = "changed neighbour"
BESIDE = "changed beside"
"""An interval that touches the allowed ones changed: it is told, and fails nothing."""
MOST_SHIFT = 3_000_000
"""Microseconds by which a text without a clock can move behind a damaged line."""
MOST_SHIFTS = 4
"""How many of the most frequent shifts are tried."""
LEAST_SNAPSHOTS = 5
"""With fewer snapshots than this, most intervals touch the damage."""
HEADING_LINES = 3
"""Lines in front of a snapshot's first known line that can belong to it."""
BINS_OF_A_LINE = 2
"""Bins that a damaged line of a trace may change for each of its events: where it was, and where it is now."""
EVENTS_OF_A_LINE = {"spark": 9}
"""Events that a line of a trace may hold, where it can be more than one: the parts of a micro-batch."""
FOREVER = 1 << 62


class Snapshot(NamedTuple):
    """The first line of a snapshot that is known, and when it ended."""

    line: int
    end: int


class Window(NamedTuple):
    """The moments between which intervals may change, and those between which intervals touch them."""

    begin: int
    end: int
    begin_beside: int
    end_beside: int


class Undamaged(NamedTuple):
    """What is known of a text without damage. ``events``: it is a trace of single events."""

    intervals: list[Interval]
    snapshots: list[Snapshot]
    events: bool
    clock: bool
    records: list[tuple[int, str]]
    """The first line of each record, and its series."""

    @property
    def is_checkable(self) -> bool:
        """Whether there are records far from any damage."""
        return len(self.snapshots) >= LEAST_SNAPSHOTS


def undamaged(found: Reading) -> Undamaged:
    """What is known of a text that was read."""
    records = [event for event in found.events if isinstance(event, Record)]
    events = found.collector != "records" and any(KEPT in record.flags for record in records)
    clock = all(interval.clock for interval in found.intervals)
    readable = not found.ended and not found.bad
    lines = sorted({(record.line, record.series) for record in records if record.line})
    return Undamaged(found.intervals, _snapshots(found) if readable else [], events, clock, lines)


def _snapshots(found: Reading) -> list[Snapshot]:
    """The snapshots in the order of their lines."""
    first: dict[int, int] = {}
    for event in found.events:
        if isinstance(event, Tick | Record) and event.stamp is not None and event.line:
            end = event.stamp.micros
            first[end] = min(event.line, first.get(end, event.line))
    ordered = sorted(Snapshot(line, end) for end, line in first.items())
    return ordered if [one.end for one in ordered] == sorted(first) else []


def changed_neighbours(
    before: Undamaged, after: Reading, first: int, last: int, *, in_row: bool = False
) -> list[Broken] | None:
    """What changed that must not, if the lines ``first`` to ``last`` were damaged. None: there is nothing to check.

    ``in_row``: only a number was damaged, in a row of a histogram, so that no other series may change at all.
    """
    if not before.is_checkable:
        return None
    possible = [(0, 0)] if before.clock else _shifts(before.intervals, after.intervals)
    if before.events:
        return min((_moved_bins(before, after, last - first + 1, shifts) for shifts in possible), key=len)
    window = _window(before.snapshots, first, last)
    if window is None:
        return None
    after = _named_as(before, after)
    others = _changed_others(before, after, first) if in_row and before.clock else []
    moved = min((_moved_intervals(before, after, window, shifts) for shifts in possible), key=_how_bad)
    return [*moved, *others]


def _named_as(before: Undamaged, after: Reading) -> Reading:
    """The reading with the names that the series had without damage, if only the order of their units has changed."""
    units = Counter(series for series, _ in {(one.series, one.unit) for one in after.events if isinstance(one, Record)})
    was = {(_bare_name(one.series, one.unit.value), one.unit): one.series for one in before.intervals}

    def name(one: Interval) -> str:
        bare = _bare_name(one.series, one.unit.value)
        return was.get((bare, one.unit), one.series) if units[bare] > 1 else one.series

    return after._replace(intervals=[replace(one, series=name(one)) for one in after.intervals])


def _bare_name(series: str, unit: str) -> str:
    return series.removesuffix(f" ({unit})")


def _how_bad(found: list[Broken]) -> tuple[int, int]:
    """How many failures there are, and how many other changes."""
    return sum(one.kind == NEIGHBOUR for one in found), len(found)


def _changed_others(before: Undamaged, after: Reading, line: int) -> list[Broken]:
    """For a damaged row of a histogram: intervals of the other series that are not there any more."""
    place = bisect_right(before.records, (line, "\U0010ffff"))
    if not 0 < place < len(before.records) or line >= before.records[place][0] - HEADING_LINES:
        return []
    own, now = before.records[place - 1][1], set(after.intervals)
    if any(known[0] == before.records[place - 1][0] and known[1] != own for known in before.records):
        return []  # several series in one line
    lost = [one for one in before.intervals if one.ranges and not one.series.startswith(own) and one not in now]
    told = f"{len(lost)} lost of series other than {own}; {_told(after)}"
    return [Broken(NEIGHBOUR, f"{told}: {lost[0]!r}")] if lost else []


def _shifts(before: list[Interval], after: list[Interval]) -> list[tuple[int, int]]:
    """By how much all intervals of a text without a clock can have moved, before the damage and behind it. One pair
    has to explain them all: an interval that the damage itself moved says nothing of the others. More than a few
    intervals are too much: such a text still numbers its lines, or has times that count from somewhere.
    """
    place: dict[Interval, set[int]] = {}
    for one in before:
        if one.ranges:
            place.setdefault(replace(one, start=0, end=0, seconds=0.0), set()).add(one.end)
    found = Counter(
        one.end - end for one in after for end in place.get(replace(one, start=0, end=0, seconds=0.0), ())
    ).most_common(MOST_SHIFTS)
    usual = found[0][0] if found else 0
    pairs = [sorted((usual, other), key=abs) for other, _ in found[1:]]
    return [(usual, usual), *((early, late) for early, late in pairs if abs(late - early) <= MOST_SHIFT)]


def _moved_bins(before: Undamaged, after: Reading, lines: int, shifts: tuple[int, int]) -> list[Broken]:
    """For a trace: bins that changed, if there are more than the damaged events explain."""
    was = sorted((one for one in before.intervals if one.ranges), key=lambda one: one.end)
    now = {_bin_key(one) for one in after.intervals if one.ranges}
    early, late = ([_bin_key(_shifted(one, shift)) for one in was] for shift in shifts)
    split = _best_split([one in now for one in early], [one in now for one in late])
    changed = {(one.series, one.end) for one in now ^ {*early[:split], *late[split:]}}
    if len(changed) <= BINS_OF_A_LINE * EVENTS_OF_A_LINE.get(after.collector, 1) * lines:
        return []
    gone = sorted(changed, key=lambda one: one[1])
    told = f"{len(changed)} bins changed for {lines} damaged lines of a trace, from {gone[0]} to {gone[-1]}"
    return [Broken(NEIGHBOUR, f"{told}; {_told(after)}")]


def _best_split(early: list[bool], late: list[bool]) -> int:
    """Where bins that moved by one shift are followed by those that moved by the other, so that most are kept."""
    behind = [*accumulate(reversed(late), initial=0)][::-1]
    kept = [before + rest for before, rest in zip(accumulate(early, initial=0), behind, strict=True)]
    return kept.index(max(kept))


def _told(after: Reading) -> str:
    return f"read as {after.collector}, {after.bad} bad, {after.ended or 'to the end'}, said {after.said[:3]}"


def _bin_key(interval: Interval) -> Interval:
    """An interval of a trace without its start, which depends on the bins without events before it."""
    return replace(interval, start=0, seconds=0.0)


def _shifted(interval: Interval, micros: int) -> Interval:
    return replace(interval, start=interval.start + micros, end=interval.end + micros) if micros else interval


def _moved_intervals(before: Undamaged, after: Reading, window: Window, shifts: tuple[int, int]) -> list[Broken]:
    """For histograms: intervals outside the damaged record and the one after it that are not there any more, or new."""
    early, late = shifts
    expected = {_shifted(one, early): one for one in before.intervals if one.end <= window.begin}
    expected |= {_shifted(one, late): one for one in before.intervals if one.start >= window.end}
    now = set(after.intervals)
    lost = [one for moved, one in expected.items() if moved not in now and (one.ranges or one.gap)]
    names = {one.series for one in before.intervals}
    new = [
        _shifted(one, -(late if one.start >= window.end + late else early))
        for one in after.intervals
        if (one.end <= window.begin + early or one.start >= window.end + late)
        and one not in expected
        and (one.ranges or (one.gap and one.series in names))
    ]
    return [
        Broken(_kind(changed, window), f"{len(changed)} {what} of {len(expected)}; {_told(after)}: {changed[0]!r}")
        for what, changed in (("lost", lost), ("new", new))
        if changed
    ]


def _kind(changed: list[Interval], window: Window) -> str:
    """Whether all changed intervals are those that touch the allowed ones."""
    near = all(one.end > window.begin_beside and one.start < window.end_beside for one in changed)
    return BESIDE if near else NEIGHBOUR


def _window(snapshots: list[Snapshot], first: int, last: int) -> Window | None:
    """Where intervals may change: from the end of the snapshot before the damaged one to the end of the snapshot after
    it. The first snapshot gives a text its meaning: where it is damaged, nothing is checked.
    """
    lines = [one.line for one in snapshots]
    damaged, after = bisect_right(lines, first) - 1, bisect_right(lines, last) - 1
    if after + 1 < len(lines):
        between = lines[after + 1] - lines[after]
        after += last >= lines[after + 1] - min(HEADING_LINES, between // 3)
    if damaged < 1:
        return None
    ends = [-FOREVER, *(one.end for one in snapshots), FOREVER, FOREVER, FOREVER]
    return Window(ends[damaged], ends[after + 2], ends[damaged - 1], ends[after + 3])
