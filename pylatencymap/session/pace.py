"""Replay at the speed at which things happened, or another."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator

from ..errors import UsageError
from ..interval import Interval

LONGEST_WAIT = 5.0
"""Longest wait between two intervals, in seconds: a night without data is no reason to stare at the screen."""


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


class Pace:
    """Holds intervals back until they are due. ``delay`` seconds between records go before ``speed``."""

    def __init__(
        self,
        speed: float | None = 1.0,
        delay: float | None = None,
        *,
        sleep: Callable[[float], object] = time.sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.speed = speed
        self.delay = delay
        self._sleep = sleep
        self._monotonic = monotonic
        self._going = threading.Event()
        self._going.set()

    @property
    def every_record(self) -> bool:
        """Whether each record is to be drawn by itself."""
        return self.delay is not None

    def pause(self) -> None:
        self._going.clear()

    def go_on(self) -> None:
        self._going.set()

    def paced(self, intervals: Iterable[Interval]) -> Iterator[Interval]:
        """The intervals, those with one end together, each when it is due."""
        last_end, last_time = None, self._monotonic()
        for interval in intervals:
            if last_end is not None and interval.end > last_end:
                due = last_time + self._wait((interval.end - last_end) / 1e6)
                self._sleep(due - self._monotonic())
                last_time = max(due, self._monotonic() - LONGEST_WAIT)
            last_end = interval.end if last_end is None else max(last_end, interval.end)
            if not self._going.is_set():
                self._going.wait()
                last_time = self._monotonic()
            yield interval

    def _wait(self, step: float) -> float:
        if self.delay is not None:
            return self.delay
        return 0.0 if self.speed is None else min(step / self.speed, LONGEST_WAIT)
