"""What a host sends once more when its command is started again, as ``tail -n +1 -f`` does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from ..interval import Interval
from ..record import Bound, Mark
from ..units import Unit

SLACK = 2.0
"""So many of its intervals a host can have measured more than its command has run: it can read what others began."""
PACE = 1.5
"""What comes so much faster than it was measured, or slower, comes as it is measured."""
MOST_HELD = 1000
"""So many intervals of a series wait until it is known what they are; so many marks are remembered."""


@dataclass(slots=True)
class _Return:
    """A series after a restart: the first of its intervals that was not later than before, when that was heard, and
    all that wait. ``newest`` is the last one that was seen.
    """

    first: Interval
    heard: float
    newest: Interval | None = None
    held: list[Interval] = field(default_factory=list)

    def was_before(self, one: Interval, ran: float) -> bool:
        """Whether the command, which has run for so many seconds, cannot have measured all this."""
        return (one.end - self.first.start) / 1e6 > ran + SLACK * one.seconds

    def is_measured(self, one: Interval, heard: float) -> bool:
        """Whether it comes as it is measured, or too much of it waits."""
        passed = heard - self.heard
        at_pace = passed >= SLACK * one.seconds and (one.end - self.first.end) / 1e6 <= PACE * passed
        return at_pace or len(self.held) >= MOST_HELD


class SentAgain:
    """Passes over what came before the restart of a command, by the times on the clock of the host.

    After a restart, an interval that is not later than the last one of its series can be the past once more, or new on
    a clock that was set back. It is the past if the last interval from before comes, too, or if there is more of it
    than the command can have measured since it was started. It is new if it comes as it is measured. Until one of these
    shows, it waits; in doubt it is new. Without a clock all is new.
    """

    def __init__(self) -> None:
        self._last: dict[tuple[str, Unit], Interval] = {}
        self._last_but_one: dict[tuple[str, Unit], Interval] = {}
        self._before: dict[tuple[str, Unit], Interval] = {}
        self._returns: dict[tuple[str, Unit], _Return] = {}
        self._marks: dict[Mark, None] = {}
        self._begun = 0.0
        self._passed_over = 0

    def restarted(self, begun: float) -> None:
        """The command was started again, at ``begun`` (monotonic seconds)."""
        self._before = {key: one for key, one in self._last.items() if one.clock}
        self._begun = begun

    def new_of(self, found: list[Interval], heard: float) -> list[Interval]:
        """Those that have not come before, of intervals that were heard at that moment (monotonic seconds)."""
        if not self._before:
            return self._taken(found)
        return [one for each in found for one in self._judged(each, heard)]

    def is_new_mark(self, mark: Mark) -> bool:
        """Whether a mark, on the clock of the host, has not come before."""
        if mark in self._marks:
            return False
        self._marks[mark] = None
        if len(self._marks) > MOST_HELD:
            del self._marks[next(iter(self._marks))]
        return True

    def rest(self) -> list[Interval]:
        """What still waits, when the command has ended: it is new."""
        rest = [one for each in self._returns.values() for one in each.held]
        self._returns.clear()
        self._before.clear()
        return self._taken(rest)

    def passed_over(self) -> int:
        """How many were passed over since this was asked last; 0 while more of them can come."""
        if self._returns:
            return 0
        count, self._passed_over = self._passed_over, 0
        return count

    def _judged(self, one: Interval, heard: float) -> Iterable[Interval]:
        key = one.series, one.unit
        before = self._before.get(key)
        if before is None:
            return self._taken([one])
        if one.end > before.end or not one.clock:
            return self._all_new(key, one)
        found = self._returns.setdefault(key, _Return(one, heard))
        newest, found.newest = found.newest, one
        more = self._more(one, before, newest)
        if more is not None:
            self._passed_over += len(found.held) + 1
            del self._returns[key], self._before[key]
            self._last[key] = one
            return [more] if more.ranges else []
        if found.was_before(one, heard - self._begun):
            self._passed_over += len(found.held) + 1
            found.held.clear()
            return ()
        if found.is_measured(one, heard):
            return self._all_new(key, one)
        found.held.append(one)
        return ()

    def _more(self, one: Interval, before: Interval, newest: Interval | None) -> Interval | None:
        """What an interval has more than the last one before the restart, which it is; None if it is another one. Then
        the one that came before it is the same, too.
        """
        if one.end != before.end:
            return None
        last_but_one = self._last_but_one.get((one.series, one.unit))
        if newest is None or last_but_one is None:
            return replace(one, ranges=()) if one.ranges == before.ranges else None
        is_past = (newest.end, newest.ranges) == (last_but_one.end, last_but_one.ranges)
        return _difference(one, before) if is_past else None

    def _all_new(self, key: tuple[str, Unit], one: Interval) -> list[Interval]:
        """An interval, and those before it that wait."""
        del self._before[key]
        found = self._returns.pop(key, None)
        return self._taken([*(found.held if found else ()), one])

    def _taken(self, found: list[Interval]) -> list[Interval]:
        for one in found:
            key = one.series, one.unit
            if (last := self._last.get(key)) is not None:
                self._last_but_one[key] = last
            self._last[key] = one
        return found


def _difference(one: Interval, before: Interval) -> Interval | None:
    """What an interval has more than when it came before: the end of the command can have cut it off. None if it has
    less of anything.
    """
    counts: dict[tuple[Bound, Bound | None], Bound] = {(lower, upper): count for lower, upper, count in one.ranges}
    for lower, upper, count in before.ranges:
        counts[lower, upper] = counts.get((lower, upper), 0) - count
    if any(count < 0 for count in counts.values()):
        return None
    waited = None if one.waited is None or before.waited is None else max(one.waited - before.waited, 0.0)
    left = tuple((lower, upper, count) for (lower, upper), count in counts.items() if count)
    return replace(one, ranges=left, waited=waited)
