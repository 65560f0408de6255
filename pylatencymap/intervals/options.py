"""What the user's options and the kind of source say about time, and how a source that is silent wakes its stages."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from datetime import date, tzinfo
from typing import NamedTuple, Protocol, TypeAlias

from ..record import Event, Semantics

DEFAULT_INTERVAL = 1.0
LEAST_INTERVAL = 0.001
BURST_SECONDS = 0.05
"""Snapshots that arrive faster than this come from a file or a buffer, not from a live probe."""


def came_together(before: float | None, arrival: float | None) -> bool:
    """Whether two records arrived as out of a file or a buffer (monotonic seconds; None: not known)."""
    return before is not None and arrival is not None and arrival - before < BURST_SECONDS


class Pauses(Protocol):
    """What is known of the pauses of a live source.

    ``pausing``: nothing has come for a moment. ``resumed``: monotonic seconds at which the last pause ended, or at
    which the source was opened. ``at_hand``: lines that can be read without waiting. ``has_waited``: whether what
    arrived at a moment can have been in the pipe before, and ``longest_wait``: for how many seconds at most.
    """

    @property
    def pausing(self) -> bool: ...

    @property
    def resumed(self) -> float: ...

    @property
    def at_hand(self) -> int: ...

    def has_waited(self, arrival: float) -> bool: ...

    def longest_wait(self, arrival: float) -> float: ...


class Pulse(NamedTuple):
    """Time has passed at a live source: ``now`` in monotonic seconds."""

    now: float


class NextPulse:
    """When a stage that holds events needs a Pulse at the latest, in monotonic seconds; None: not at all."""

    due: float | None = None


Pulsed: TypeAlias = Callable[[Iterable[Event], NextPulse], Iterable[Event | Pulse]]
"""The events, and a Pulse whenever ``NextPulse.due`` passes before the next one comes."""


class TimeOptions(NamedTuple):
    """How stamps become times.

    interval   spacing of snapshots without stamps, in seconds; None: found from the text, else 1 s
    day        of stamps without a date; None: to be found
    tz         zone of stamps without a zone; None: the local zone
    semantics  overrides what the decoder says about the counts
    started    monotonic seconds at which a live source was started; None: a file
    now        the wall clock, epoch seconds
    modified   epoch seconds of a file's last modification
    survey     returns the number of midnights that the source spans, and its last time of day in microseconds; called
               only if a file's dates depend on it
    monotonic  the clock of ``started`` and of arrivals
    pauses     of a live source; None: to be seen from its arrivals only
    pulsed     wakes the stages of a live source that hold events while it is silent; None: they wait for the next event
    """

    interval: float | None = None
    day: date | None = None
    tz: tzinfo | None = None
    semantics: Semantics | None = None
    started: float | None = None
    now: Callable[[], float] = time.time
    modified: float | None = None
    survey: Callable[[], tuple[int, int]] | None = None
    monotonic: Callable[[], float] = time.monotonic
    pauses: Pauses | None = None
    pulsed: Pulsed | None = None

    @property
    def live(self) -> bool:
        return self.started is not None

    def wall_offset(self) -> float:
        """What to add to an arrival to get epoch seconds."""
        return self.now() - self.monotonic()
