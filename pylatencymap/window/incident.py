"""What happened to the source itself: silences and restarts, as they were and not as columns draw them."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from ..interval import Interval

MOST_INCIDENTS = 1000
"""Of each series; the oldest are forgotten."""


class Incident(NamedTuple):
    """An interval in which the source was silent (``gap``) or its counters restarted (``reset``), or both: then nothing
    was counted. ``start`` and ``end`` are epoch microseconds, ``seconds`` is what its rates are over.
    """

    start: int
    end: int
    seconds: float
    gap: bool
    reset: bool


class Incidents:
    """Those of one series, in the order in which they came."""

    def __init__(self) -> None:
        self._kept: deque[Incident] = deque(maxlen=MOST_INCIDENTS)

    def add(self, interval: Interval) -> None:
        """Remember an interval if it is one; silences that follow each other are one."""
        if not (interval.gap or interval.reset):
            return
        new = Incident(interval.start, interval.end, interval.seconds, interval.gap, interval.reset)
        last = self._kept[-1] if self._kept else None
        if last is not None and last.gap and new.gap and not (last.reset or new.reset) and last.end == new.start:
            self._kept[-1] = new._replace(start=last.start, seconds=last.seconds + new.seconds)
        elif last is None or last.end != new.end:
            self._kept.append(new)

    def all(self) -> tuple[Incident, ...]:
        """Oldest first."""
        return tuple(self._kept)
