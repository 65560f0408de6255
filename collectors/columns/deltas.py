"""What a column called DELTA holds: a latency or, as in DTrace's flow scripts, the time since the row before."""

from __future__ import annotations

from collections.abc import Sequence

from .names import column_name

ENOUGH = 5
"""After this many rows that can be compared with the row before, the column is known."""
MOST_ROWS = 200
"""After this many rows it is taken for a latency, whatever they show."""
SHARE = 0.8
"""If at least this share of the rows are as long as the time since the row before, none of them is a latency."""
_AMBIGUOUS = frozenset({"delta"})
_CPUS = frozenset({"c", "cpu", "cpuid"})
_MICROS = 10**6


def is_ambiguous(name: str) -> bool:
    """Whether a column of this name can hold either."""
    return column_name(name).word in _AMBIGUOUS


class DeltaCheck:
    """Compares each value with the time since the row before, or since the row before of the same CPU."""

    def __init__(self, names: Sequence[str]) -> None:
        self._cpu = next((at for at, name in enumerate(names) if column_name(name).word in _CPUS), None)
        self._last: dict[str, int] = {}
        self._grain = _MICROS
        self._rows = self._compared = self._equal = 0

    @property
    def is_settled(self) -> bool:
        """Whether the rows so far decide."""
        return self._compared >= ENOUGH or self._rows >= MOST_ROWS

    @property
    def is_time_between(self) -> bool:
        """Whether the column is the time since the row before."""
        return 0 < self._compared * SHARE <= self._equal

    def take(self, fields: Sequence[str], end: int, latency: float, step: float) -> None:
        """Compare a row: its time in microseconds, its value in seconds, and the step in which values are printed."""
        self._rows += 1
        while end % self._grain:
            self._grain //= 1000
        cpu = fields[self._cpu] if self._cpu is not None else ""
        before = {self._last[key] for key in (cpu, "any") if key in self._last}
        allowed = 2 * max(step, self._grain / _MICROS)
        if before and latency > 2 * allowed:
            self._compared += 1
            self._equal += any(abs((end - last) / _MICROS - latency) <= allowed for last in before)
        self._last[cpu] = self._last["any"] = end
