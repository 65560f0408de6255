"""Running sums: they carry counts per interval through a text format in which counts never fall."""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from ..record import Bound
from ..units import Unit
from .bounds import LabelCounts

RunningKey: TypeAlias = tuple[str, Unit]
"""A series and its unit: the sums start again when a series changes its unit."""


class _Last(NamedTuple):
    counters: Mapping[Bound, Bound]
    end: int | None


class RunningStep(NamedTuple):
    """The step from one record of a series to the next. ``difference`` is None if it is unknown: there was no earlier
    record, or a sum fell. ``start`` is the stamp of the earlier record, in microseconds.
    """

    difference: LabelCounts | None
    start: int | None


class RunningSums:
    """The last sums and stamp of each series in the text. Reader and writer keep the same account, so they agree."""

    def __init__(self) -> None:
        self._last: dict[RunningKey, _Last] = {}

    def __contains__(self, key: RunningKey) -> bool:
        return key in self._last

    def begin(self, key: RunningKey, counters: LabelCounts, end: int | None) -> None:
        """Note a baseline: the sums of a series count from here on."""
        self._last[key] = _Last(counters, end)

    def end_of(self, key: RunningKey) -> int | None:
        """The stamp of the last record of a known series."""
        return self._last[key].end

    def stand_still(self, key: RunningKey, end: int) -> None:
        """Note a record of a known series in which no sum has changed."""
        self._last[key] = _Last(self._last[key].counters, end)

    def advance(self, key: RunningKey, counters: LabelCounts, end: int | None) -> RunningStep:
        """The step to the next record of a series; a label that is absent keeps its sum."""
        last = self._last.get(key)
        if last is None:
            self._last[key] = _Last(counters, end)
            return RunningStep(None, None)
        before = last.counters
        self._last[key] = _Last(counters if before.keys() <= counters.keys() else {**before, **counters}, end)
        difference = {label: count - before.get(label, 0) for label, count in counters.items()}
        fell = min(difference.values(), default=0) < 0
        return RunningStep(None if fell else difference, last.end)
