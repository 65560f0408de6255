"""Whole-second stamps that several prints of a file share: each print gets its part of the second."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..record import Clock, Event, Stamp, Tick
from ..units import DAY

AHEAD = 3
"""So many later seconds are looked at before the prints of one are passed on."""
MOST_HELD = 50_000
"""Events that are held at most; where seconds have more, their prints pass as they are."""

_SECOND = 1_000_000


def spread_within_seconds(events: Iterable[Event]) -> Iterator[Event]:
    """The events of a file, with stamps that differ where its prints come more often than whole seconds change.

    That is so where a second has three prints, or two seconds in a row have two. One that has two among others that
    have one is left as it is: so does a source look that prints once a second, but not exactly.
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
    """The last few seconds, each with the prints that bear its stamp; a print is a tick and what follows it."""

    def __init__(self) -> None:
        self.held = 0
        self._seconds: list[tuple[Stamp, list[list[Event]]]] = []
        self._before: tuple[Stamp, int] | None = None

    def passes(self, tick: Tick) -> bool:
        """Whether a print is none of these, and nothing is held that is to be passed on before it."""
        return not self.held and self._before is None and (tick.implied or tick.stamp is None or not tick.stamp.whole)

    def begin(self, tick: Tick) -> Iterator[Event]:
        """A print begins; what was held long enough is passed on."""
        stamp = tick.stamp
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
        """An event of the print that is going on."""
        self._seconds[-1][1][-1].append(event)
        self.held += 1

    def rest(self) -> Iterator[Event]:
        """All that is held."""
        while self._seconds:
            yield from self._passed()

    def _passed(self) -> Iterator[Event]:
        """The prints of the oldest second."""
        stamp, prints = self._seconds.pop(0)
        later = self._seconds
        if len(prints) == 1 and (not later or len(later[0][1]) == 1):  # nearly all are like this
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
                if part and isinstance(event, Tick):
                    moved = replace(stamp, micros=stamp.micros + round(part * _SECOND), whole=False)
                    event = replace(event, stamp=moved)
                yield event


def parts_of_second(before: int, prints: int, after: int, later: int) -> list[float]:
    """At which part of a second each of its ``prints`` was made. The numbers are those of the prints in the second
    before it and in the two that follow; a second that is not there has none.
    """
    single = prints == 1 and (before or min(after, later) < 2)
    if single or (prints == 2 and max(before, after) < 2):
        return [0.0] * prints
    if before and after:
        return [number / prints for number in range(prints)]
    each = max(prints, before, after)  # the source began within this second, or it ended there
    first = 0 if before else each - prints
    return [(first + number) / each for number in range(prints)]


def _follows(first: Stamp, second: Stamp) -> bool:
    """Whether a second is the next one."""
    step = second.micros - first.micros
    return (step % (DAY * _SECOND) if first.clock is Clock.DAY else step) == _SECOND
