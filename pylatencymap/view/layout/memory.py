"""Remembers scale maxima and latency ranges between frames, so that they do not flicker."""

import numpy as np

from ...window import Matrix

HOLD_COLUMNS = 10
"""How many new columns a smaller value must suffice for before it is used."""


class SteadyMaximum:
    """A maximum that grows at once, and shrinks after a smaller one has sufficed for HOLD_COLUMNS columns."""

    def __init__(self) -> None:
        self.value: float | None = None
        self._enough = 0.0
        self._columns = 0

    def update(self, wanted: float, columns: int) -> float:
        """Record that ``columns`` new columns need ``wanted``, and return the value to use."""
        if self.value is None or wanted >= self.value:
            self.value, self._columns = wanted, 0
            return wanted
        self._enough = max(self._enough, wanted) if self._columns else wanted
        self._columns += columns
        if self._columns >= HOLD_COLUMNS:
            self.value, self._columns = self._enough, 0
        return self.value


class ScaleMemory:
    """The scale maxima and the range of latencies in use, for one series at one resolution."""

    def __init__(self) -> None:
        self._forget(())

    def _forget(self, subject: tuple[object, ...]) -> None:
        self._subject = subject
        self._known: tuple[int, int] | None = None
        self._new_columns = 0
        self._maxima: dict[str, SteadyMaximum] = {}
        self._low = SteadyMaximum()
        self._high = SteadyMaximum()

    def begin(self, subject: tuple[object, ...], matrix: Matrix) -> None:
        """Start a frame. If the subject (series, resolution, scale) changed, forget all that was remembered."""
        if subject != self._subject:
            self._forget(subject)
        ends = matrix.ends
        self._new_columns = ends.size
        if self._known is not None:
            # Moving back in time shows new columns too: count those on both sides.
            first, last = self._known
            self._new_columns = int(np.count_nonzero(ends > last) + np.count_nonzero(ends < first))
        if ends.size:
            self._known = int(ends[0]), int(ends[-1])

    def maximum(self, kind: str, wanted: float) -> float:
        """The scale maximum to use for a map, given the one that this frame needs."""
        held = self._maxima.get(kind)
        if held is None:
            held = self._maxima[kind] = SteadyMaximum()
        return held.update(wanted, self._new_columns)

    def remember_range(self, low: float, high: float) -> None:
        """Record the range of latencies in use in this frame, in seconds; both ends finite."""
        self._low.update(-low, self._new_columns)
        self._high.update(high, self._new_columns)

    @property
    def cover(self) -> tuple[float, float] | None:
        """The latencies that the next matrix should include, (low, high) in seconds; None before the first data."""
        if self._low.value is None or self._high.value is None:
            return None
        return -self._low.value, self._high.value
