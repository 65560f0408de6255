"""Merged columns remembered, so that each further frame merges only what has come since."""

from __future__ import annotations

import numpy as np

from .history import History
from .slots import NO_SLOTS, SlotColumns, join_slots, merge_into_slots, slot_of

MOST_REMEMBERED = 2048
"""Merged columns; the oldest are forgotten."""
ANY_SLOT = -(2**62)


class ZoomCache:
    """The columns of one history on the grid of one width (microseconds).

    Remembered are, from one slot on, those to which nothing can be added any more: the ones below the slot in which the
    newest column begins.
    """

    def __init__(self, history: History, width: int) -> None:
        self.width = width
        self._history = history
        self._version = history.version
        self._done = NO_SLOTS
        self._from_slot: int | None = None
        self._next, self._next_slot = 0, ANY_SLOT

    @property
    def nbytes(self) -> int:
        """Memory in use."""
        return self._done.nbytes

    def is_of(self, width: int) -> bool:
        """Whether this is of a width, and of the columns as they are now."""
        return width == self.width and self._version == self._history.version

    def grid(self, count: int, stop: int, until: int) -> SlotColumns:
        """The last ``count`` slots up to a moment (epoch microseconds) at or before which ``stop`` columns end."""
        low = slot_of(until, self.width) - count  # one more, for there may be no middle in the last one
        if self._from_slot is None or low < self._from_slot or (stop > self._next and low > self._next_slot):
            self._begin(low)
        limit = max(count, MOST_REMEMBERED) + 1
        if stop <= self._next:
            found = self._earlier(low, stop, limit, until)
        else:
            fresh = self._merged(self._next, stop, self._next_slot, limit, until)
            found = join_slots([self._done, fresh])
            self._remember(fresh, found, stop)
        return found.since(low).part(-count)

    def _begin(self, low: int) -> None:
        """Forget everything; the slots from ``low`` on are wanted."""
        self._done, self._next = NO_SLOTS, self._before(low)
        self._from_slot = self._next_slot = low if self._next else ANY_SLOT

    def _before(self, slot: int) -> int:
        """How many columns have no part in a slot for certain."""
        return self._history.count_until((slot - 2) * self.width)

    def _merged(self, first: int, stop: int, slot: int, limit: int, until: int) -> SlotColumns:
        """Columns from number ``first`` on, as far as they are in ``slot`` or higher ones."""
        return merge_into_slots(self._history, first, stop, self.width, limit, until).since(slot)

    def _earlier(self, low: int, stop: int, limit: int, until: int) -> SlotColumns:
        """What is remembered up to a column. The slot that holds it is merged anew, for the moment may be within it."""
        firsts = self._done.first
        last = int(np.searchsorted(firsts, stop - 1, side="right")) - 1
        if last < 0:
            return self._merged(self._before(low), stop, low, limit, until)
        first = int(firsts[last])
        place = int(np.searchsorted(firsts, first))
        rest = self._merged(first, stop, int(self._done.slots[place]), limit, until)
        return join_slots([self._done.part(0, place), rest])

    def _remember(self, fresh: SlotColumns, found: SlotColumns, stop: int) -> None:
        """Keep the slots before the one in which column number ``stop - 1`` begins, or one less where it may have begun
        in the slot before.
        """
        final = int(np.searchsorted(fresh.first, stop - 1)) - 1
        if final <= 0:
            return
        self._next, self._next_slot = int(fresh.first[final]), int(fresh.slots[final])
        self._done = found.before(self._next_slot).part(-MOST_REMEMBERED).compacted()
        if self._done.size == MOST_REMEMBERED:
            self._from_slot = int(self._done.slots[0])


# How wide a time column may be: the steps of zooming out and in.


COLUMN_SECONDS = (1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21_600, 43_200, 86_400)
"""Seconds, to a day."""
MARGIN = 1.05
"""A step below so many times the usual interval would draw what is there already: intervals are rarely exact."""


def next_wider(width: float | None, usual: float) -> float:
    """The next step out from ``width`` seconds (None: one interval each) of a series with a usual interval.

    From the last step, or an interval longer than it, there is no step further: what is shown is returned.
    """
    above = [step for step in COLUMN_SECONDS if step > (width or 0.0) and step > MARGIN * usual]
    return float(above[0]) if above else width or usual


def next_narrower(width: float | None, usual: float) -> float | None:
    """The next step in; None: one interval each."""
    below = [step for step in COLUMN_SECONDS if width is not None and MARGIN * usual < step < width]
    return float(below[-1]) if below else None
