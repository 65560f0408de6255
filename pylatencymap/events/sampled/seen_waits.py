"""Waits that samples of sessions have seen, and which of them were in a cell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, tzinfo
from typing import NamedTuple

from ...record import EventKey, Sample
from ...units import Unit
from ..found import EventsFound
from ..inputs import CellQuestion
from ..question import EventQuestion
from ..tally import EventTally

MOSTLY = 0.5
"""A wait that is under way is one of a row if most waits that get so far end there."""
ENOUGH = 10
"""If fewer waits were seen in a cell, more of its time is looked at, for the same latencies."""
NOT_ALONE = "what is sampled cannot be drawn alone"
FIRST_KEYS = ("sql_id", "obj#", "module", "session", "user", "blocker", "client_id", "machine")
"""Keys that say most come first."""


class SeenWait(NamedTuple):
    """A wait that was seen. ``micros`` is its length, or that until it was last seen; ``end``, epoch microseconds, is
    when it was over, or last seen. ``stands_for``: microseconds of waiting for which it stands in the sums; 0: its own.
    """

    series: str
    micros: int
    end: int
    is_over: bool
    seen: int
    keys: tuple[EventKey, ...]
    more: tuple[EventKey, ...]
    stands_for: int = 0

    def as_sample(self, keys: tuple[EventKey, ...] | None = None) -> Sample:
        """As an event of a trace, perhaps with other keys."""
        return Sample(self.series, Unit.US, self.micros, self.end, keys=self.keys if keys is None else keys)

    def text(self, tz: tzinfo | None) -> str:
        """The wait on a line."""
        at = datetime.fromtimestamp(self.end / 1e6, tz).strftime("%H:%M:%S")
        how = "" if self.is_over else " (not over then)"
        return f"{at}{how}  " + " ".join(f"{name}={value}" for name, value, _ in (*self.keys, *self.more))


def _as_they_are(keys: tuple[EventKey, ...]) -> tuple[EventKey, ...]:
    return keys


class WaitsShown(NamedTuple):
    """How waits are shown: the zone of their times; ``noted`` explains the values of keys."""

    tz: tzinfo | None = None
    noted: Callable[[tuple[EventKey, ...]], tuple[EventKey, ...]] = _as_they_are


def answer_of(
    waits: Sequence[SeenWait],
    asked: CellQuestion,
    shown: WaitsShown,
    about: Callable[[Sequence[SeenWait]], Iterable[str]] = lambda _: (),
) -> EventsFound:
    """The waits that are asked for; if there are few, those around that time with the same latencies. ``about`` says
    what there is to say of those that are shown.
    """
    whole = _question(asked, None, None)
    alike = [wait for wait in waits if whole.is_of(wait.as_sample())]
    if asked.ending < MOSTLY:
        alike = [wait for wait in alike if wait.is_over]
    here = [wait for wait in alike if _question(asked, asked.first, asked.last).is_at(wait.end)]
    chosen, note = here, ""
    if len(here) < ENOUGH and len(alike) > len(here):
        chosen = _around(alike, asked)
        note = f"shown: {len(chosen)} as long, from {_times(chosen, shown.tz)}"
    return _found(chosen, shown)._replace(seen=len(here), note="; ".join(filter(None, [note, *about(chosen)])))


def _question(asked: CellQuestion, first: int | None, last: int | None) -> EventQuestion:
    return EventQuestion(first, last, asked.low, asked.high, lambda series, _: series in asked.series)


def _around(alike: Sequence[SeenWait], asked: CellQuestion) -> list[SeenWait]:
    """The waits around the time that is asked about, within twice as long, four times and so on, until there are
    enough.
    """
    first, last = asked.first or 0, asked.last or 0
    while True:
        length = max(last - first, 1)
        first, last = first - (length + 1) // 2, last + (length + 1) // 2
        found = [wait for wait in alike if first <= wait.end < last]
        if len(found) >= ENOUGH or len(found) == len(alike):
            return found


def _found(waits: Iterable[SeenWait], shown: WaitsShown) -> EventsFound:
    tally = EventTally()
    for wait in waits:
        sample = wait.as_sample(shown.noted(wait.keys))
        tally.add(sample, wait.end, wait.text(shown.tz), stands_for=wait.stands_for)
    found = tally.found()
    keys = sorted(found.keys, key=lambda key: (key.is_flat, _place_of(key.name)))
    return found._replace(keys=tuple(keys), is_complete=True)


def _place_of(name: str) -> int:
    return FIRST_KEYS.index(name) if name in FIRST_KEYS else len(FIRST_KEYS)


def _times(waits: Sequence[SeenWait], tz: tzinfo | None) -> str:
    first, last = (
        datetime.fromtimestamp(moment / 1e6, tz)
        for moment in (min(wait.end for wait in waits), max(wait.end for wait in waits))
    )
    return f"{first:%H:%M:%S} to {last:%H:%M:%S}"
