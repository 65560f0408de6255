"""What the values of a key have waited, in bounded memory: decides which of them get a series of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from ...record import Sample
from ...units import Unit

Pair: TypeAlias = "tuple[str, str | None]"
"""A series and a value of the key in it; None are its events that say nothing of the key."""
MOST_VALUES = 200_000
"""Pairs that are kept at a time: some 50 MB."""
LONGEST_NOTE = 200
_HALVES = {Unit.NS: 1, Unit.US: 1_000, Unit.MS: 1_000_000}
"""Nanoseconds of a unit. Sums are whole numbers of half nanoseconds, because an event of a source that cuts latencies
off counts in the middle of its step.
"""


def half_nanos(sample: Sample) -> int:
    """The half nanoseconds that an event waited."""
    return (2 * sample.latency + sample.step) * _HALVES[sample.unit]


def half_nanos_of(latency: int, unit: Unit) -> int:
    """The same of exact latencies, or of their sum."""
    return 2 * latency * _HALVES[unit]


class ValueSums:
    """The half nanoseconds that each pair has waited, and what explains its value.

    Beyond MOST_VALUES the half that waited least is dropped, and ``ceiling`` is the most that one of them can have
    waited: so ``most`` returns only pairs that surely waited most. ``undivided``: series that are not divided.
    """

    def __init__(self) -> None:
        self._waited: dict[Pair, int] = {}
        self._notes: dict[str, str] = {}
        self._unclear: set[str] = set()
        self._late: set[Pair] = set()
        self._ceiling = 0
        self.undivided: set[str] = set()

    @property
    def is_sure(self) -> bool:
        """Whether no pair was dropped."""
        return not self._ceiling

    @property
    def has_no_value(self) -> bool:
        """Whether there are events, and none of them says anything of the key."""
        return bool(self._waited) and all(value is None for _, value in self._waited)

    def add(self, pair: Pair, waited: int, note: str = "") -> None:
        """Add what events with a value waited."""
        before = self._waited.get(pair)
        if before is None:
            if self._ceiling:
                self._late.add(pair)
            if len(self._waited) >= MOST_VALUES:
                self._drop_half()
                self._late.add(pair)
        self._waited[pair] = (before or 0) + waited
        if note and pair[1] is not None:
            self.explain(pair[1], note)

    def explain(self, value: str, note: str) -> None:
        """Take what explains a value, in whatever series it is. A note that begins like the other is the same, cut off;
        if they differ, the value has none.
        """
        known, note = self._notes.get(value, ""), note[:LONGEST_NOTE]
        if known.startswith(note) or value in self._unclear:
            return
        if note.startswith(known):
            self._notes[value] = note
        else:
            self._unclear.add(value)
            self._notes.pop(value, None)

    def copy(self) -> ValueSums:
        """The same sums once more."""
        other = ValueSums()
        other._waited, other._notes, other._ceiling = self._waited.copy(), self._notes.copy(), self._ceiling
        other._unclear, other._late = self._unclear.copy(), self._late.copy()
        other.undivided = self.undivided.copy()
        return other

    def take(self, other: ValueSums) -> None:
        """Add the sums of another input: in any order the same, as long as no pair is dropped."""
        for pair, waited in other._waited.items():
            self.add(pair, waited)
            if pair in other._late:
                self._late.add(pair)
        if other._ceiling:  # what is not in the other one may have been dropped there
            self._late |= self._waited.keys() - other._waited.keys()
        self._ceiling += other._ceiling
        for value in sorted(other._unclear):
            self._unclear.add(value)
            self._notes.pop(value, None)
        for value, note in other._notes.items():
            self.explain(value, note)
        self.undivided |= other.undivided

    def to_plain(self) -> dict[str, Any]:
        """All of it as plain values that JSON can hold: columns, because there can be many pairs."""
        series = {name: number for number, name in enumerate(dict.fromkeys(name for name, _ in self._waited))}
        return {
            "series": [*series],
            "of": [series[name] for name, _ in self._waited],
            "values": [value for _, value in self._waited],
            "waited": [*self._waited.values()],
            "late": [place for place, pair in enumerate(self._waited) if pair in self._late],
            "notes": self._notes,
            "unclear": sorted(self._unclear),
            "ceiling": self._ceiling,
            "undivided": sorted(self.undivided),
        }

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> ValueSums:
        """What ``to_plain`` made plain."""
        sums, series = cls(), plain["series"]
        pairs = [(series[number], value) for number, value in zip(plain["of"], plain["values"], strict=True)]
        sums._waited = dict(zip(pairs, plain["waited"], strict=True))
        sums._late = {pairs[place] for place in plain["late"]}
        sums._notes, sums._unclear = dict(plain["notes"]), set(plain["unclear"])
        sums._ceiling, sums.undivided = plain["ceiling"], set(plain["undivided"])
        return sums

    def waited(self, pair: Pair) -> int:
        """What a pair has waited; 0 if it is not kept."""
        return self._waited.get(pair, 0)

    def note(self, pair: Pair) -> str:
        """What explains the value of a pair."""
        return self._notes.get(pair[1] or "", "")

    def most(self, count: int) -> list[tuple[Pair, str]]:
        """The pairs that waited most, most first, with their notes."""
        late = max((self._waited[pair] + self._ceiling for pair in self._late), default=0)
        least = max(self._ceiling, late)
        sure = [pair for pair, waited in self._waited.items() if waited >= least and pair not in self._late]
        sure.sort(key=lambda pair: (-self._waited[pair], pair[0], pair[1] is None, pair[1] or ""))
        return [(pair, self.note(pair)) for pair in sure[:count]]

    def _drop_half(self) -> None:
        ranked = sorted(self._waited.items(), key=lambda item: item[1], reverse=True)
        kept = len(ranked) // 2
        # What came late can have been dropped before: it can have waited up to the ceiling more.
        self._ceiling += ranked[kept][1]
        self._waited = dict(ranked[:kept])
        values = {value for _, value in self._waited}
        self._notes = {value: note for value, note in self._notes.items() if value in values}
        self._unclear &= values
        self._late &= self._waited.keys()
