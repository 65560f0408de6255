"""The nominal interval of a source: the usual distance between its snapshots."""

from collections import deque
from collections.abc import Iterable

STEPS_REMEMBERED = 9
"""How many of the last steps, and of the last rates, count as recent."""
LEAST_EXPECTED = 3
"""Of fewer first steps than this, none can be told from the others."""
GAP_FACTOR = 2.5
"""A step longer than this many nominal intervals is a gap."""


class NominalInterval:
    """The median of the last steps from round to round, in seconds. A round is a snapshot of the whole source."""

    def __init__(self) -> None:
        self._steps: deque[float] = deque(maxlen=STEPS_REMEMBERED)
        self._expected: list[float] = []
        self._part = 0.0

    @property
    def seconds(self) -> float | None:
        """The interval; None before the first step."""
        known = self._steps if len(self._steps) >= len(self._expected) else self._expected
        return low_median(known) if known else None

    @property
    def recent(self) -> list[float] | None:
        """The last steps; None if they are not as many as are remembered, or if a round is not over."""
        return list(self._steps) if len(self._steps) == STEPS_REMEMBERED and not self._part else None

    def extend(self, steps: list[float]) -> None:
        """Add steps of more than 0 seconds, each of them to a round of its own."""
        self._steps.extend(steps)

    def expect(self, steps: list[float]) -> None:
        """Say what the first steps of a file will be, if they are enough: they count until as many have been added."""
        self._expected = steps[:STEPS_REMEMBERED] if len(steps) >= LEAST_EXPECTED else []

    def of_arrivals(self, step: float) -> float:
        """The interval of a source that is timed by arrival, when ``step`` is its newest step.

        Its first print can have waited to be read, so one or two steps are no measure: of these, the longest is taken.
        """
        if len(self._steps) > 2:
            return low_median(self._steps)
        return max(self._steps) if len(self._steps) == 2 else max([*self._steps, step])

    def add(self, step: float, joins: bool = False) -> None:
        """Add a step of more than 0 seconds; ``joins``: it leads to another part of the same round."""
        self._part += step
        if not joins:
            self._steps.append(self._part)
            self._part = 0.0


def low_median(values: Iterable[float]) -> float:
    """The median of at least one value; the smaller of two middle ones, so that one gap in few steps has no effect."""
    ordered = sorted(values)
    return ordered[(len(ordered) - 1) // 2]
