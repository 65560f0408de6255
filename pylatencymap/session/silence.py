"""A source that says nothing: how long, and what to do about it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

LEAST_SECONDS = 3.0
USUAL_FACTOR = 2.5


class Waiting(Protocol):
    """Says why there is nothing new, where that takes longer than usual."""

    def message(self, usual_seconds: float, /) -> str: ...


class Silence:
    """``heard`` gives the monotonic time at which the source was heard last; ``advice`` says what its user can do
    where nothing has come at all, and ``later`` where it has fallen silent. ``begun``: whether anything has come.
    ``idle`` says of a source that is not silent that nothing has happened there yet.
    """

    def __init__(
        self,
        heard: Callable[[], float],
        advice: str,
        monotonic: Callable[[], float] = time.monotonic,
        *,
        later: str = "",
        begun: Callable[[], bool] = lambda: False,
        idle: Callable[[], str] = lambda: "",
    ) -> None:
        self._heard = heard
        self._advice = advice
        self._later = later
        self._begun = begun
        self._idle = idle
        self._monotonic = monotonic

    def message(self, usual_seconds: float) -> str:
        """What the screen should say; empty where the source is silent no longer than it usually is."""
        silent = self._monotonic() - self._heard()
        if silent <= max(LEAST_SECONDS, USUAL_FACTOR * usual_seconds):
            return self._idle()
        return f"no data for {silent:.0f} s: {self._later if self._begun() and self._later else self._advice}"
