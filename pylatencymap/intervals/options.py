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
    """When the stages of a source that hold events need a Pulse. All of them share it, because a pulse is made once,
    before the first of them, and each stage passes it on.
    """

    def __init__(self) -> None:
        self._dues: list[Callable[[], float | None]] = []

    def add(self, due: Callable[[], float | None]) -> None:
        """Note one more stage: ``due`` says up to when it waits, in monotonic seconds; None if it waits for nothing."""
        self._dues.append(due)

    @property
    def due(self) -> float | None:
        """The first moment at which a stage has waited long enough, in monotonic seconds; None: none waits."""
        return min((until for due in self._dues if (until := due()) is not None), default=None)


Pulsed: TypeAlias = Callable[[Iterable[Event | Pulse], NextPulse], Iterable[Event | Pulse]]
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
    pulse      says when the stages of a live source that hold events need a Pulse; None: they wait for the next event
    pulsed     makes the pulses; None: as the reader of the source does
    recorded   live, but the times are those of a recording: arrivals are not when something was measured
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
    pulse: NextPulse | None = None
    pulsed: Pulsed | None = None
    recorded: bool = False

    @property
    def live(self) -> bool:
        return self.started is not None

    def wall_offset(self) -> float:
        """What to add to an arrival to get epoch seconds."""
        return self.now() - self.monotonic()
