"""Spreads the snapshots of a file that share a whole-second stamp evenly over that second."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...record import Clock, Event, Stamp, Tick
from ...units import DAY

AHEAD = 3
"""How many later seconds are known before the snapshots of a second pass on."""
MOST_HELD = 50_000
"""The most events to hold; beyond that, snapshots pass on with unchanged stamps."""

_SECOND = 1_000_000


def spread_within_seconds(events: Iterable[Event]) -> Iterator[Event]:
    """The events of a file, with distinct stamps if its snapshots come more often than once a second.

    They do if a second has three snapshots, or two seconds in a row have two. A single second with two, among seconds
    with one, stays unchanged: that is a source that prints about once a second.
    """
    seconds = _Seconds()
    try:
        for event in events:
            if isinstance(event, Tick):
                if seconds.passes(event):
                    yield event
                else:
                    yield from seconds.begin(event)
            elif seconds.held:
                seconds.hold(event)
            else:
                yield event
    except Exception:
        yield from seconds.rest()
        raise
    yield from seconds.rest()


class _Seconds:
    """The last few seconds, each with the snapshots that have its stamp: a tick and the events after it."""

    def __init__(self) -> None:
        self.held = 0
        self._seconds: list[tuple[Stamp, list[list[Event]]]] = []
        self._before: tuple[Stamp, int] | None = None

    def passes(self, tick: Tick) -> bool:
        """Whether a snapshot has no whole-second stamp of its own, and nothing is held that has to pass on first."""
        return not self.held and self._before is None and (tick.implied or tick.stamp is None or not tick.stamp.whole)

    def begin(self, tick: Tick) -> Iterator[Event]:
        """A snapshot begins; passes on what was held long enough."""
        stamp = tick.stamp
        if stamp is None and self._seconds:
            self.hold(tick)  # it has lost its stamp: it goes behind the snapshot before it
            return
        if stamp is None or not stamp.whole or tick.implied or self.held >= MOST_HELD:
            yield from self.rest()
            self._before = None
            yield tick
            return
        if self._seconds and self._seconds[-1][0] == stamp:
            self._seconds[-1][1].append([])
        else:
            self._seconds.append((stamp, [[]]))
        if len(self._seconds) > AHEAD:
            yield from self._passed()
        self.hold(tick)

    def hold(self, event: Event) -> None:
        """Hold an event of the current snapshot."""
        self._seconds[-1][1][-1].append(event)
        self.held += 1

    def rest(self) -> Iterator[Event]:
        """Pass on all that is held."""
        while self._seconds:
            yield from self._passed()

    def _passed(self) -> Iterator[Event]:
        """Pass on the snapshots of the oldest second, with their new stamps."""
        stamp, prints = self._seconds.pop(0)
        later = self._seconds
        if len(prints) == 1 and (not later or len(later[0][1]) == 1):  # the usual case
            self._before = stamp, 1
            self.held -= len(prints[0])
            yield from prints[0]
            return
        before = self._before[1] if self._before and _follows(self._before[0], stamp) else 0
        numbers, last = [len(prints)], stamp
        for other, more in later:
            numbers.append(len(more) if _follows(last, other) and numbers[-1] else 0)
            last = other
        parts = parts_of_second(before, *[*numbers, 0, 0][:3])
        self._before = stamp, len(prints)
        for print_, part in zip(prints, parts, strict=True):
            self.held -= len(print_)
            for event in print_:
                if part and isinstance(event, Tick) and event.stamp is not None:
                    moved = replace(stamp, micros=stamp.micros + round(part * _SECOND), whole=False)
                    event = replace(event, stamp=moved)
                yield event


def parts_of_second(before: int, prints: int, after: int, later: int) -> list[float]:
    """The fraction of the second at which each of its ``prints`` snapshots was made.

    ``before``, ``after`` and ``later`` are the numbers of snapshots in the second before it and in the two after it,
    0 if there is no such second.
    """
    single = prints == 1 and (before or min(after, later) < 2)
    if single or (prints == 2 and max(before, after) < 2):
        return [0.0] * prints
    if before and after:
        return [number / prints for number in range(prints)]
    each = max(prints, before, after)  # the source started or ended within this second
    first = 0 if before else each - prints
    return [(first + number) / each for number in range(prints)]


def _follows(first: Stamp, second: Stamp) -> bool:
    """Whether ``second`` is the second right after ``first``."""
    step = second.micros - first.micros
    return (step % (DAY * _SECOND) if first.clock is Clock.DAY else step) == _SECOND
