"""Running sums: they carry counts per interval through a text format in which counts never fall."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from ..record import Bound
from ..units import Unit
from .bounds import LabelCounts

RunningKey: TypeAlias = tuple[str, Unit]
"""A series and its unit: the sums start again when a series changes its unit."""


class _Last(NamedTuple):
    """The last sums that count, and the sums of a later record that fell below them (see ``RunningSums.advance``)."""

    counters: Mapping[Bound, Bound]
    end: int | None
    fallen: _Fallen | None = None


class _Fallen(NamedTuple):
    counters: LabelCounts
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

    def sums_of(self, key: RunningKey) -> Mapping[Bound, Bound] | None:
        """The last sums of a series; None if they are not known, or if a later record fell below them."""
        last = self._last.get(key)
        return None if last is None or last.fallen is not None else last.counters

    def stand_still(self, key: RunningKey, end: int) -> None:
        """Note a record of a known series in which no sum has changed."""
        self._last[key] = _Last(self._last[key].counters, end)

    def go_on(self, key: RunningKey, end: int | None) -> None:
        """Note that a record counts whose sums fell, because its counts are known from elsewhere: the next record
        begins where it ends.
        """
        last = self._last[key]
        fallen = last.fallen and last.fallen._replace(end=end)
        self._last[key] = last._replace(end=end, fallen=fallen)

    def advance(self, key: RunningKey, counters: LabelCounts, end: int | None) -> RunningStep:
        """The step to the next record of a series; a label that is absent keeps its sum.

        If a sum fell, the next record decides: it continues either from the last sums that did not fall, because the
        record between was damaged, or from the fallen ones, because a new recording begins there.
        """
        last = self._last.get(key)
        if last is None:
            self._last[key] = _Last(counters, end)
            return RunningStep(None, None)
        for before in (last, last.fallen):
            if before is None:
                continue
            difference = {label: count - before.counters.get(label, 0) for label, count in counters.items()}
            if min(difference.values(), default=0) >= 0:
                known = before.counters.keys() <= counters.keys()
                self._last[key] = _Last(counters if known else {**before.counters, **counters}, end)
                return RunningStep(difference, before.end)
        self._last[key] = last._replace(fallen=_Fallen(counters, end))
        return RunningStep(None, last.end)
