"""The nominal interval of a source."""

from collections import deque
from statistics import median

MEMORY = 9
GAP_FACTOR = 2.5
"""A step longer than this many nominal intervals is a gap."""


class Nominal:
    """Median of the last steps between prints, in seconds; ``given`` serves until there is one."""

    def __init__(self, given: float | None = None) -> None:
        self._given = given
        self._steps: deque[float] = deque(maxlen=MEMORY)

    @property
    def seconds(self) -> float | None:
        """The interval, or None as long as nothing is known."""
        return median(self._steps) if self._steps else self._given

    def add(self, step: float) -> None:
        """Take a step into account."""
        if step > 0:
            self._steps.append(step)

    def is_gap(self, step: float) -> bool:
        """Whether the source was silent for too long."""
        return self.seconds is not None and step > GAP_FACTOR * self.seconds
