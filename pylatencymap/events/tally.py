"""Adds events up by their keys in bounded memory, and keeps those that took longest.

The sums of what is shown are exact, however many values a key has. Each key keeps its values with their sums. When all
keys together have more than MOST_VALUES, the key with most values drops the half that waited least, and notes the most
that one of these can have waited, its ceiling. A value that comes later begins with that ceiling, because it can have
been dropped before. At the end, only values are shown that were never dropped, and that waited at least as long as any
other can have: so their sums are exact, and no other value waited longer. All that is not shown is the total less what
is shown.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import NamedTuple

from ..record import EventKey, Sample
from ..text.clean import printable
from ..units import Unit
from .found import Amount, EventsFound, FoundKey, FoundLine, FoundValue
from .question import LONGEST_VALUE, shown_value

MOST_SHOWN = 20
"""Values of a key that are shown."""
MOST_LINES = 1_000
"""Events whose lines are kept."""
MOST_KEYS = 64
"""Keys that are added up; a table can have a thousand columns."""
MOST_VALUES = 200_000
"""Values of all keys that are kept at a time: some 50 MB."""
LONGEST_NOTE = 1_000
LONGEST_LINE = 2_000
"""Characters of a line that are kept."""
_HALVES = {Unit.NS: 1, Unit.US: 1_000, Unit.MS: 1_000_000}
"""Nanoseconds of a unit. Sums are whole numbers of half nanoseconds: an event of a source that cuts latencies off
counts in the middle of its step.
"""
_PER_SECOND = 2e9
SERIES = "series"
HARDLY_ANY = 100
"""A key that less than one event in so many has comes last."""


class _Sums:
    """The sums of one value: events, half nanoseconds waited, and what it can have waited before it was kept."""

    __slots__ = ("_is_clear", "events", "missed", "note", "waited")

    def __init__(self, missed: int) -> None:
        self.events = self.waited = 0
        self.missed = missed
        self.note = ""
        self._is_clear = True

    def explain(self, note: str) -> None:
        """Take the note of an event; one that begins like the other is the same, cut off. If they differ, the value had
        several meanings, and has no note.
        """
        if not self._is_clear or self.note.startswith(note):
            return
        self._is_clear = note.startswith(self.note)
        self.note = note if self._is_clear else ""

    def add(self, other: _Sums) -> None:
        """Add the sums of the same value elsewhere."""
        self.events += other.events
        self.waited += other.waited
        self.missed += other.missed
        if not other._is_clear:
            self._is_clear, self.note = False, ""
        elif other.note:
            self.explain(other.note)

    @property
    def most(self) -> int:
        """The most that the value can have waited."""
        return self.waited + self.missed

    @property
    def amount(self) -> Amount:
        return Amount(self.events, self.waited / _PER_SECOND)


class _KeySums:
    """The sums of one key. ``ceiling`` is the most that a value which is not kept can have waited. ``place`` is the
    key's last place among the keys of an event: a source names first what says most.
    """

    def __init__(self) -> None:
        self.values: dict[str, _Sums] = {}
        self.place = 0
        self.ceiling = 0
        self.dropped = 0
        self.events = self.waited = 0

    def add(self, key: EventKey, waited: int) -> bool:
        """Add an event; whether its value is a new one."""
        self.events += 1
        self.waited += waited
        value = key.value if len(key.value) <= LONGEST_VALUE else key.value[:LONGEST_VALUE]
        sums = self.values.get(value)
        is_new = sums is None
        if sums is None:
            sums = self.values[value] = _Sums(self.ceiling)
        if key.note and key.note != sums.note:
            sums.explain(key.note[:LONGEST_NOTE])
        sums.events += 1
        sums.waited += waited
        return is_new

    def drop_half(self) -> int:
        """Drop the half of the values that waited least; how many these were."""
        ranked = sorted(self.values.items(), key=lambda item: item[1].most, reverse=True)
        kept = len(ranked) // 2
        self.ceiling = max(self.ceiling, ranked[kept][1].most)
        self.values = dict(ranked[:kept])
        self.dropped += len(ranked) - kept
        return len(ranked) - kept

    def absorb(self, other: _KeySums) -> None:
        """Add the sums of another one, which stays as it is. A value that one of them has not, it may have dropped."""
        for value, theirs in other.values.items():
            mine = self.values.get(value)
            if mine is None:
                mine = self.values[value] = _Sums(self.ceiling)
            mine.add(theirs)
        for value, mine in self.values.items() if other.ceiling else ():
            if value not in other.values:
                mine.missed += other.ceiling
        self.place = max(self.place, other.place)
        self.ceiling += other.ceiling
        self.dropped += other.dropped
        self.events += other.events
        self.waited += other.waited

    def found(self, name: str, total: tuple[int, int]) -> FoundKey:
        """What is shown. ``total``: the events, and the half nanoseconds, of all."""
        most = max((sums.most for sums in self.values.values() if sums.missed), default=self.ceiling)
        sure = ((value, sums) for value, sums in self.values.items() if not sums.missed and sums.waited >= most)
        best = heapq.nlargest(MOST_SHOWN, sure, key=lambda item: (item[1].waited, item[1].events, item[0]))
        events, waited = self.events, self.waited
        for _, sums in best:
            events, waited = events - sums.events, waited - sums.waited
        values = (
            FoundValue(shown_value(value), sums.amount, printable(sums.note, LONGEST_NOTE)) for value, sums in best
        )
        return FoundKey(
            name,
            tuple(values),
            Amount(events, waited / _PER_SECOND),
            len(self.values) - len(best) if not self.dropped else max(len(self.values) - len(best), 1),
            Amount(total[0] - self.events, (total[1] - self.waited) / _PER_SECOND),
            most / _PER_SECOND if self.dropped and len(best) < MOST_SHOWN else None,
        )


class _Kept(NamedTuple):
    """An event among those that took longest; the first fields order them: of equal ones the first line stays."""

    waited: int
    before: int
    order: int
    sample: Sample
    end: int
    text: str | None
    file: str = ""


def _remember(name: str, names: set[str]) -> None:
    if len(names) < MOST_KEYS:
        names.add(name)


def _rank(key: FoundKey, total: int) -> int:
    """0 for a key that divides the events, 1 for one with a value for nearly each of them, 2 for one value, 3 for one
    that hardly any of all events have.
    """
    if (total - key.without.events) * HARDLY_ANY < total:
        return 3
    return 2 if len(key.values) + key.more < 2 else int(key.is_flat)


class EventTally:
    """The events that were asked for, added up. ``by``: only these keys, in lower case; empty means all. ``file`` is
    the name of their file, if there are several.
    """

    def __init__(self, by: tuple[str, ...] = (), file: str = "") -> None:
        self._by = frozenset(by)
        self._file = file
        self._not_asked: set[str] = set()
        self._series = _KeySums()
        self._keys: dict[str, _KeySums] = {}
        self._left_out: set[str] = set()
        self._number_of_values = 0
        self._worst: list[_Kept] = []
        self._order = 0
        self._has_steps = False
        self.doubtful = 0

    def add(self, sample: Sample, end: int, text: str | None, doubtful: bool = False, stands_for: int = 0) -> None:
        """Add an event that ended at ``end``, epoch microseconds. ``text`` is its line, None if that is to be looked
        up. ``stands_for``: the microseconds that count for an event which a sample has seen; 0: its own.
        """
        waited = took = (2 * sample.latency + sample.step) * _HALVES[sample.unit]
        if stands_for:
            waited = 2 * stands_for * _HALVES[Unit.US]
        self._has_steps = self._has_steps or sample.step > 0
        self.doubtful += doubtful
        self._series.add(EventKey(SERIES, sample.series), waited)
        for place, key in enumerate(sample.keys):
            self._add_key(key, place, waited)
        self._keep(took, sample, end, text)

    def _add_key(self, key: EventKey, place: int, waited: int) -> None:
        name = key.name
        sums = self._keys.get(name)
        if sums is None:
            if self._by and name.lower() not in self._by:
                _remember(name, self._not_asked)
                return
            if len(self._keys) >= MOST_KEYS:
                _remember(name, self._left_out)
                return
            sums = self._keys[name] = _KeySums()
        if place > sums.place:
            sums.place = place
        if sums.add(key, waited):
            self._number_of_values += 1
            if self._number_of_values > MOST_VALUES:
                largest = max(self._keys.values(), key=lambda one: len(one.values))
                self._number_of_values -= largest.drop_half()

    def _keep(self, waited: int, sample: Sample, end: int, text: str | None) -> None:
        if len(self._worst) >= MOST_LINES and waited < self._worst[0].waited:
            return
        self._order += 1
        text = text and text[: LONGEST_LINE + 1]
        self._push(_Kept(waited, -sample.line, -self._order, sample, end, text, self._file))

    def _push(self, kept: _Kept) -> None:
        if len(self._worst) < MOST_LINES:
            heapq.heappush(self._worst, kept)
        else:
            heapq.heappushpop(self._worst, kept)

    def absorb(self, other: EventTally) -> None:
        """Add the events of another tally, which stays as it is. Sums that are shown stay exact."""
        self._has_steps = self._has_steps or other._has_steps
        self.doubtful += other.doubtful
        self._not_asked |= other._not_asked
        self._left_out |= other._left_out
        self._series.absorb(other._series)
        for name, theirs in other._keys.items():
            if name not in self._keys and len(self._keys) >= MOST_KEYS:
                _remember(name, self._left_out)
                continue
            mine = self._keys.setdefault(name, _KeySums())
            before = len(mine.values)
            mine.absorb(theirs)
            self._number_of_values += len(mine.values) - before
        while self._number_of_values > MOST_VALUES:
            largest = max(self._keys.values(), key=lambda one: len(one.values))
            self._number_of_values -= largest.drop_half()
        for kept in other._worst:
            self._order += 1
            self._push(kept._replace(order=-self._order))

    def lines_without_text(self) -> set[int]:
        """The numbers of the lines whose text has to be looked up."""
        return {kept.sample.line for kept in self._worst if kept.text is None}

    def give_texts(self, texts: dict[int, str]) -> None:
        """Take the texts of lines by their numbers."""
        self._worst = [
            kept._replace(text=texts.get(kept.sample.line, "")[: LONGEST_LINE + 1]) if kept.text is None else kept
            for kept in self._worst
        ]

    def found(self) -> EventsFound:
        """What was found so far."""
        total = self._series.events, self._series.waited
        in_order = sorted(self._keys.items(), key=lambda item: (item[1].place, item[0]))
        keys = [sums.found(name, total) for name, sums in in_order]
        keys.sort(key=lambda key: _rank(key, total[0]))
        return EventsFound(
            Amount(total[0], total[1] / _PER_SECOND),
            estimated=self._has_steps,
            doubtful=self.doubtful,
            series=self._series.found(SERIES, total),
            keys=tuple(key._replace(name=printable(key.name)) for key in keys),
            keys_left_out=len(self._left_out),
            not_asked=tuple(sorted(map(printable, self._not_asked))),
            lines=tuple(self._lines()),
        )

    def _lines(self) -> Iterator[FoundLine]:
        for kept in sorted(self._worst, reverse=True):
            text = kept.text or ""
            yield FoundLine(
                kept.sample.line,
                printable(text[:LONGEST_LINE], 10 * LONGEST_LINE),
                kept.sample.series,
                kept.waited / _PER_SECOND,
                kept.end,
                tuple((printable(key.name), printable(key.value)) for key in kept.sample.keys),
                len(text) > LONGEST_LINE,
                kept.file,
            )


def together(one: EventTally, other: EventTally) -> EventTally:
    """The events of both."""
    made = EventTally()
    made.absorb(one)
    made.absorb(other)
    return made
