"""Replay: hands out recorded intervals when they are due, at the original speed or another."""

from __future__ import annotations

import os
import re
import stat
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable
from statistics import median_low

from ..errors import UsageError
from ..interval import Interval
from ..number_text import short_span_text, span_text_as
from ..text import is_plain

# Speeds of a replay: how they are written and shown, and the next one up and down.


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
    """The next higher step of LADDER; None, as fast as possible, above the highest."""
    return next((step for step in LADDER if speed is not None and step > speed), None)


def next_slower(speed: float | None) -> float:
    """The next lower step of LADDER; the lowest stays."""
    return next((step for step in reversed(LADDER) if speed is None or step < speed), LADDER[0])


# When a recording ends, without reading it.


LAST_BLOCK = 1 << 16
"""Bytes at the end of a recording that are looked at."""
_RECORDING = (b"#lmap", b"<begin record>")
_STAMP = re.compile(rb"^timestamp,microsec,([0-9]{10,18}),", re.MULTILINE)
_DAY = 86_400_000_000
"""Microseconds. A stamp so much later than those around it is damaged."""


def end_of_recording(descriptor: int) -> int | None:
    """Epoch microseconds at which a plain recording ends, as its last block says; None for other files, of which that
    is not known before they have been read.
    """
    about = os.fstat(descriptor)
    if not stat.S_ISREG(about.st_mode):
        return None
    head = os.pread(descriptor, 64, 0)
    if not is_plain(head) or not head.startswith(_RECORDING):
        return None
    block = os.pread(descriptor, LAST_BLOCK, max(0, about.st_size - LAST_BLOCK))
    stamps = [int(stamp) for stamp in _STAMP.findall(block)]
    if not stamps:
        return None
    usual = median_low(stamps)
    return max(stamp for stamp in stamps if abs(stamp - usual) < _DAY)


LONGEST_WAIT = 5.0
"""Maximum wait between two intervals, in seconds, so that a replay does not stand still for a night without data."""
AHEAD = 1024
"""Maximum number of intervals held in advance; the source keeps the others."""
BATCH = 256
"""Intervals handed out at once, at most, so that keys are handled in between."""


class ReplayPlayer:
    """Holds intervals until they are due. ``speed`` None: as fast as possible. ``delay``: seconds between records; it
    overrides ``speed``. Intervals with the same end belong together. ``last``: epoch microseconds at which the
    recording ends, if that is known.
    """

    def __init__(
        self,
        speed: float | None = 1.0,
        delay: float | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        last: int | None = None,
    ) -> None:
        self.speed = speed
        self.delay = delay
        self.paused = False
        self._monotonic = monotonic
        self._held: deque[Interval] = deque()
        self._last = last
        self._begin: int | None = None
        self._end: int | None = None
        self._since = 0.0
        self._until: int | None = None

    @property
    def room(self) -> int:
        """How many more intervals it accepts now."""
        return max(0, AHEAD - len(self._held))

    @property
    def is_empty(self) -> bool:
        return not self._held

    @property
    def every_record(self) -> bool:
        """Whether each record must be drawn by itself."""
        return self.delay is not None and not self.is_seeking

    @property
    def is_seeking(self) -> bool:
        """Whether it is on its way to a moment, as fast as possible."""
        return self._until is not None and (self._end is None or self._end < self._until)

    @property
    def place_text(self) -> str:
        """Where it stands: ``12 min of 66 min``; ``12 min`` while the end of the recording is not known; empty before
        the first interval.
        """
        if self._begin is None or self._end is None or self._end <= self._begin:
            return ""
        played = (self._end - self._begin) / 1e6
        if self._last is None or self._last < self._end:
            return short_span_text(played)
        whole = (self._last - self._begin) / 1e6
        return f"{span_text_as(played, whole)} of {short_span_text(whole)}"

    def all_read(self) -> None:
        """The source has ended: what is held ends the recording."""
        ends = [end for end in (self._end, self._held[-1].end if self._held else None) if end is not None]
        self._last = max(ends, default=None)

    def offer(self, intervals: Iterable[Interval]) -> None:
        """Add intervals that the source has read, in the order of time."""
        self._held.extend(intervals)

    def wait(self) -> float | None:
        """Seconds until the next interval is due; None if none is held, or while paused."""
        if not self._held:
            return None
        if self._is_free(self._held[0]):
            return 0.0
        if self.paused:
            return None
        return max(0.0, self._since + self._step_to(self._held[0].end) - self._monotonic())

    def due(self) -> list[Interval]:
        """The intervals that are due, always all with the same end; with ``delay``, only those of one end."""
        taken: list[Interval] = []
        while self._held and self.wait() == 0.0:
            next_one = self._held[0]
            if self._end is None or next_one.end > self._end:
                if taken and (self.every_record or len(taken) >= BATCH):
                    break
                self._advance(next_one.end)
            if self._begin is None:
                self._begin = next_one.start
            taken.append(self._held.popleft())
        return taken

    def pause(self) -> None:
        """Hand out nothing more except for ``step`` or ``seek``; it stops on its way to a moment, too."""
        if not self.paused:
            self.paused, self._until = True, None

    def go_on(self) -> None:
        """Go on from here; the time of the pause does not count."""
        self.paused = False
        self._since = self._monotonic()

    def step(self) -> None:
        """Hand out the intervals of the next end now."""
        reached = max(self._end or 0, self._until or 0)
        later = [held.end for held in self._held if held.end > reached]
        if later:
            self.seek(later[0])

    def seek(self, moment: int) -> None:
        """Hand out all intervals up to a moment (epoch microseconds) as fast as possible, then go on as before."""
        self._until = max(moment, self._until or moment)

    def seek_end(self) -> None:
        """Hand out all that is left, as fast as possible."""
        self._until = sys.maxsize

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
        """Whether an interval is due without waiting: it is the first one, or its end has been reached or sought."""
        if self._until is not None and interval.end <= self._until:
            return True
        return not self.paused if self._end is None else interval.end <= self._end

    def _advance(self, end: int) -> None:
        """Move the clock of the replay on. It catches up with at most LONGEST_WAIT of a delay."""
        now = self._monotonic()
        due = now if self._end is None or self._is_free(self._held[0]) else self._since + self._step_to(end)
        self._end, self._since = end, max(due, now - LONGEST_WAIT)

    def _step_to(self, end: int) -> float:
        """Seconds on the screen from the last end to this one."""
        if self.delay is not None:
            return self.delay
        if self.speed is None or self._end is None:
            return 0.0
        return min((end - self._end) / 1e6 / self.speed, LONGEST_WAIT)
