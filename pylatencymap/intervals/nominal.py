"""The nominal interval of a source."""

from collections import deque
from collections.abc import Iterable

STEPS_REMEMBERED = 9
"""How many steps, and how many rates, count as recent."""
GAP_FACTOR = 2.5
"""A step longer than this many nominal intervals is a gap."""


class NominalInterval:
    """Median of the last steps from round to round, in seconds. A round is a print of the whole source."""

    def __init__(self) -> None:
        self._steps: deque[float] = deque(maxlen=STEPS_REMEMBERED)
        self._part = 0.0

    @property
    def seconds(self) -> float | None:
        """The interval, or None as long as nothing is known."""
        return low_median(self._steps) if self._steps else None

    def add(self, step: float, joins: bool = False) -> None:
        """Take a step of more than 0 seconds into account; ``joins``: it leads to one more part of the last round."""
        self._part += step
        if not joins:
            self._steps.append(self._part)
            self._part = 0.0


def low_median(values: Iterable[float]) -> float:
    """The median of one value or more; of two middle ones the smaller, so that one gap in few steps does not count."""
    ordered = sorted(values)
    return ordered[(len(ordered) - 1) // 2]
