"""What the user's options and the kind of source say about time."""

import time
from collections.abc import Callable
from datetime import date, tzinfo
from typing import NamedTuple, Protocol

from ..record import Semantics

DEFAULT_INTERVAL = 1.0
LEAST_INTERVAL = 0.001
BURST_SECONDS = 0.05
"""Snapshots that arrive faster than this come from a file or a buffer, not from a live probe."""


class Pauses(Protocol):
    """What is known of the pauses of a live source.

    ``pausing``: nothing has come for a moment. ``resumed``: monotonic seconds at which the last pause ended, or at
    which the source was opened.
    """

    @property
    def pausing(self) -> bool: ...

    @property
    def resumed(self) -> float: ...


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

    @property
    def live(self) -> bool:
        return self.started is not None

    def wall_offset(self) -> float:
        """What to add to an arrival to get epoch seconds."""
        return self.now() - self.monotonic()
