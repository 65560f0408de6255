"""Caches merged columns, so that each frame merges only the columns that are new."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .history import History
from .slots import AT_ONCE, NO_SLOTS, SlotColumns, join_slots, merge_into_slots, slot_of

MOST_REMEMBERED = 2048
"""The most merged columns in a cache; the oldest are forgotten."""
ANY_SLOT = -(2**62)


class ZoomCache:
    """The columns of one history on the grid of one width (microseconds).

    The cache has all columns from one slot on that are final, that is, below the slot in which the newest column
    begins: new intervals cannot add to them.
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

    def is_about(self, history: History) -> bool:
        """Whether it has the columns of this history."""
        return self._history is history

    def is_of(self, width: int) -> bool:
        """Whether the cache is for this width, and still valid: the history has merged no columns since."""
        return width == self.width and self._version == self._history.version

    def grid(self, count: int, stop: int, until: int) -> SlotColumns:
        """The last ``count`` slots up to a moment (epoch microseconds) at or before which ``stop`` columns end."""
        low = slot_of(until, self.width) - count  # one more, because the last slot can lack the middle of an interval
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

    def fill(self, count: int) -> Iterator[None]:
        """Prepare for the ``count`` newest slots in steps of some thousand columns, for a view that must not wait."""
        stop = len(self._history)
        for upto in range(max(self._next, 0) + AT_ONCE, stop, AT_ONCE):
            self.grid(count, upto, int(self._history.columns(upto - 1, upto)["end"][0]))
            yield

    def _begin(self, low: int) -> None:
        """Empty the cache, and start it again at the slot ``low``."""
        self._done, self._next = NO_SLOTS, self._before(low)
        self._from_slot = self._next_slot = low if self._next else ANY_SLOT

    def _before(self, slot: int) -> int:
        """How many columns certainly end before a slot."""
        return self._history.count_until((slot - 2) * self.width)

    def _merged(self, first: int, stop: int, slot: int, limit: int, until: int) -> SlotColumns:
        """Columns from number ``first`` to ``stop - 1``, merged; only those in ``slot`` and later slots."""
        return merge_into_slots(self._history, first, stop, self.width, limit, until).since(slot)

    def _earlier(self, low: int, stop: int, limit: int, until: int) -> SlotColumns:
        """The cached slots up to column number ``stop - 1``; the slot that holds it is merged again up to ``until``."""
        firsts = self._done.first
        last = int(np.searchsorted(firsts, stop - 1, side="right")) - 1
        if last < 0:
            return self._merged(self._before(low), stop, low, limit, until)
        first = int(firsts[last])
        place = int(np.searchsorted(firsts, first))
        rest = self._merged(first, stop, int(self._done.slots[place]), limit, until)
        return join_slots([self._done.part(0, place), rest])

    def _remember(self, fresh: SlotColumns, found: SlotColumns, stop: int) -> None:
        """Keep the slots before the one in which column number ``stop - 1`` begins; one slot less if it can have begun
        in the slot before.
        """
        final = int(np.searchsorted(fresh.first, stop - 1)) - 1
        if final <= 0:
            return
        self._next, self._next_slot = int(fresh.first[final]), int(fresh.slots[final])
        self._done = found.before(self._next_slot).part(-MOST_REMEMBERED).compacted()
        if self._done.size == MOST_REMEMBERED:
            self._from_slot = int(self._done.slots[0])


# The widths of a time column: the steps of zooming out and in, and of what fits a screen.


MINUTE, HOUR, DAY = 60, 3600, 86_400
COLUMN_SECONDS = (
    *(0.01, 0.02, 0.05, 0.1, 0.2, 0.5),
    *(1, 2, 5, 10, 15, 30),
    *(MINUTE * minutes for minutes in (1, 2, 5, 10, 15, 30, 60, 90)),
    *(HOUR * hours for hours in (3, 6, 12)),
    *(DAY * days for days in (1, 2, 7, 28)),
)
"""Seconds. All up to a day divide a day."""
MARGIN = 1.05
"""A step below this many usual intervals would change nothing in the picture: intervals are rarely exact."""


def next_wider(width: float | None, usual: float) -> float:
    """The next step out from ``width`` seconds (None: one interval each); ``usual`` is the usual interval in seconds.

    After the last step, or with an interval longer than that, the current width is returned.
    """
    above = [step for step in COLUMN_SECONDS if step > (width or 0.0) and step > MARGIN * usual]
    return float(above[0]) if above else width or usual


def next_narrower(width: float | None, usual: float) -> float | None:
    """The next step in; None: one interval each."""
    below = [step for step in COLUMN_SECONDS if width is not None and MARGIN * usual < step < width]
    return float(below[-1]) if below else None


def fitting_width(start: int, end: int, usual: float, columns: int) -> float | None:
    """The first step at which the time from ``start`` to ``end`` (epoch microseconds) takes at most ``columns``
    columns; None: one interval each. ``usual`` is the usual interval in seconds.
    """
    half = whole_micros(usual / 2)  # the middle of an interval decides in which column it is
    if round((end - start) / 1e6 / usual) <= columns:
        return None
    for step in COLUMN_SECONDS:
        width = whole_micros(step)
        if step > MARGIN * usual and slot_of(max(end - half, start), width) - slot_of(start + half, width) < columns:
            return float(step)
    days = -(-(end - start) // (max(columns - 1, 1) * whole_micros(DAY)))
    return float(days * DAY)


def whole_micros(seconds: float) -> int:
    """Seconds as whole microseconds."""
    return round(seconds * 1e6)
