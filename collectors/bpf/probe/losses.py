"""What is told of requests that were not measured."""

from __future__ import annotations

from .kernel import FATES, UNMATCHED, Sums


class Losses:
    """Tells of losses the first time, and each time that there are twice as many.

    Completions without a start in the first interval are no losses: they began before the probe did.
    """

    def __init__(self) -> None:
        self._under_way = -1
        self._told = 0
        self._measured = 0

    def news(self, fates: list[int], found: dict[str, Sums]) -> str:
        """A sentence, or nothing; ``fates`` count since the start, ``found`` is one interval."""
        self._measured += sum(sum(sums.counts) for sums in found.values())
        if self._under_way < 0:
            self._under_way = fates[UNMATCHED]
        lost = fates[:]
        lost[UNMATCHED] -= self._under_way
        if sum(lost) < max(2 * self._told, 1):
            return ""
        self._told = sum(lost)
        parts = ", ".join(f"{count} {what}" for count, what in zip(lost, FATES) if count)  # noqa: B905 - Python 3.8
        return f"not measured so far: {parts}; measured: {self._measured}"
