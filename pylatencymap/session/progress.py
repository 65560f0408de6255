"""How far files have been read, for whoever waits for the first picture of a large one."""

from __future__ import annotations

import time
from collections.abc import Callable

LEAST_SECONDS = 1.0
"""Reading that is sooner over is not told of."""
TOLD_SECONDS = 0.25
_MEGA = 1_000_000


def forget(_: str) -> None:
    """Where nothing is told: a live view asks for the message."""


class Progress:
    """Told the bytes that have been read of each file; ``tell`` is given a text now and then, empty when it is over."""

    def __init__(self, tell: Callable[[str], object], monotonic: Callable[[], float] = time.monotonic) -> None:
        self._tell = tell
        self._monotonic = monotonic
        self._begun: float | None = None
        self._told: float | None = None
        self._now: tuple[str, int, int] | None = None

    def read(self, name: str, done: int, size: int) -> None:
        """So many bytes of a file have been read."""
        now = self._monotonic()
        if self._now is None or self._now[0] != name:
            self._begun = now
        self._now = name, done, size
        if self._told is None or now - self._told >= TOLD_SECONDS:
            text = self.message()
            if text:
                self._told = now
                self._tell(text)

    def over(self) -> None:
        """There is something to see."""
        if self._told is not None:
            self._tell("")
        self._now = self._told = None

    def message(self, _: float = 0.0) -> str:
        """``trace.trc: 34 % of 412 MB, 310 MB/s, 1 s left``; empty while reading has taken no time worth telling."""
        if self._now is None or self._begun is None:
            return ""
        name, done, size = self._now
        seconds = self._monotonic() - self._begun
        if seconds < LEAST_SECONDS or not 0 < done < size:
            return ""
        left = seconds * (size - done) / done
        rate = done / seconds / _MEGA
        return f"{name}: {100 * done / size:.0f} % of {size / _MEGA:.0f} MB, {rate:.3g} MB/s, {left:.0f} s left"
