"""Replay: recorded intervals are handed out when they are due, at the speed at which things happened or another."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable

from ..errors import UsageError
from ..interval import Interval

# Speeds of a replay: as written, as shown, and the next one up and down.


LADDER = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0)


def parse_speed(text: str) -> float | None:
    """``10x``, ``0.5x`` or ``10``; None is ``max``, as fast as possible. Raises UsageError."""
    if text == "max":
        return None
    try:
        speed = float(text.removesuffix("x"))
    except ValueError:
        speed = 0.0
    if not 0 < speed < float("inf"):
        raise UsageError(f"--speed {text}: write a number as in 10x, or max")
    return speed


def speed_text(speed: float | None) -> str:
    """``10x``, or ``max``."""
    return "max" if speed is None else f"{speed:g}x"


def next_faster(speed: float | None) -> float | None:
    """The next step of the ladder; beyond its end as fast as possible."""
    return next((step for step in LADDER if speed is not None and step > speed), None)


def next_slower(speed: float | None) -> float:
    """The step of the ladder below; the lowest is the end."""
    return next((step for step in reversed(LADDER) if speed is None or step < speed), LADDER[0])


LONGEST_WAIT = 5.0
"""Longest wait between two intervals, in seconds: a night without data is no reason to stare at the screen."""
AHEAD = 1024
"""Intervals that are held in advance; what waits beyond them stays with the source."""
BATCH = 256
"""At most so many are handed out at once, so that a key is heard in between."""


class ReplayPlayer:
    """Holds what a source has read until it is due. ``speed`` None: as fast as possible. ``delay`` seconds between
    records go before ``speed``. Intervals with one end belong together.
    """

    def __init__(
        self,
        speed: float | None = 1.0,
        delay: float | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.speed = speed
        self.delay = delay
        self.paused = False
        self._monotonic = monotonic
        self._held: deque[Interval] = deque()
        self._end: int | None = None
        self._since = 0.0
        self._until: int | None = None

    @property
    def room(self) -> int:
        """How many more intervals it takes now."""
        return max(0, AHEAD - len(self._held))

    @property
    def is_empty(self) -> bool:
        return not self._held

    @property
    def every_record(self) -> bool:
        """Whether each record is to be drawn by itself."""
        return self.delay is not None

    def offer(self, intervals: Iterable[Interval]) -> None:
        """What the source has read, in the order of time."""
        self._held.extend(intervals)

    def wait(self) -> float | None:
        """Seconds until something is due; None while nothing will be."""
        if not self._held:
            return None
        if self._is_free(self._held[0]):
            return 0.0
        if self.paused:
            return None
        return max(0.0, self._since + self._step_to(self._held[0].end) - self._monotonic())

    def due(self) -> list[Interval]:
        """The intervals that are due, all of one end at least; at ``delay`` those of one end at most."""
        taken: list[Interval] = []
        while self._held and self.wait() == 0.0:
            next_one = self._held[0]
            if self._end is None or next_one.end > self._end:
                if taken and (self.every_record or len(taken) >= BATCH):
                    break
                self._advance(next_one.end)
            taken.append(self._held.popleft())
        return taken

    def pause(self) -> None:
        """Hand out nothing more, unless asked by ``step`` or ``seek``."""
        self.paused = True

    def go_on(self) -> None:
        """Go on from here; the time of the pause does not count."""
        self.paused = False
        self._since = self._monotonic()

    def step(self) -> None:
        """Hand out what belongs to the next end, now."""
        reached = max(self._end or 0, self._until or 0)
        later = [held.end for held in self._held if held.end > reached]
        if later:
            self.seek(later[0])

    def seek(self, moment: int) -> None:
        """Hand out all up to a moment (epoch microseconds) as fast as possible, and go on from there as before."""
        self._until = max(moment, self._until or moment)

    def faster(self) -> None:
        """The next higher speed."""
        self._change(next_faster(self.speed))

    def slower(self) -> None:
        """The next lower speed."""
        self._change(next_slower(self.speed))

    def _change(self, speed: float | None) -> None:
        self.speed, self.delay = speed, None
        self._since = self._monotonic()

    def _is_free(self, interval: Interval) -> bool:
        """Whether nothing has to be waited for: the first of all, of an end that has been reached, or sought."""
        if self._until is not None and interval.end <= self._until:
            return True
        return not self.paused if self._end is None else interval.end <= self._end

    def _advance(self, end: int) -> None:
        """The clock of the replay moves on; what was late does not have to be made up for as a whole."""
        now = self._monotonic()
        due = now if self._end is None or self._is_free(self._held[0]) else self._since + self._step_to(end)
        self._end, self._since = end, max(due, now - LONGEST_WAIT)

    def _step_to(self, end: int) -> float:
        """Seconds that pass on the screen from the last end to this one."""
        if self.delay is not None:
            return self.delay
        if self.speed is None or self._end is None:
            return 0.0
        return min((end - self._end) / 1e6 / self.speed, LONGEST_WAIT)
