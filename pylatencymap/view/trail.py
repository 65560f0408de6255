"""The largest values of the columns on the screen, kept up as columns come and go."""

from bisect import bisect_left, insort
from collections import deque
from collections.abc import Iterable, Iterator


class Trail:
    """One value for each of the last ``width`` columns; ``ordered`` are those above 0, ascending."""

    def __init__(self, values: Iterable[float], width: int) -> None:
        self._values = deque(values, maxlen=width)
        self._width = width
        self.ordered = sorted(value for value in self._values if value > 0)

    def add(self, value: float) -> None:
        """A column comes; the oldest one goes where there is no room."""
        values, ordered = self._values, self.ordered
        if len(values) == self._width:
            gone = values[0]
            if gone > 0:
                del ordered[bisect_left(ordered, gone)]
        values.append(value)
        if value > 0:
            insort(ordered, value)


class Peak:
    """One value for each of the last ``width`` columns, and the largest of them, or 0."""

    def __init__(self, values: Iterable[float], width: int) -> None:
        self._values = deque(values, maxlen=width)
        self._width = width
        self.largest = max(self._values, default=0.0)

    def __iter__(self) -> Iterator[float]:
        return iter(self._values)

    @property
    def newest(self) -> float:
        """Of one column or more."""
        return self._values[-1]

    def add(self, value: float) -> None:
        """A column comes; the oldest one goes where there is no room."""
        values = self._values
        gone = values[0] if len(values) == self._width else 0.0
        values.append(value)
        if value >= self.largest:
            self.largest = value
        elif gone >= self.largest:
            self.largest = max(values)


class RowsInUse:
    """The lowest and the highest row with events in the last ``width`` columns."""

    def __init__(self, last_used: list[int], newest: int, width: int) -> None:
        """``last_used``: per row the newest column with events, columns counting from 0; less than 0 for none."""
        self._last_used = last_used
        self._newest = newest
        self._width = width

    def add(self, rows: Iterable[int]) -> tuple[int, int] | None:
        """A column comes with events in some rows; the lowest and the highest row now in use, None without any."""
        self._newest += 1
        last_used = self._last_used
        for row in rows:
            last_used[row] = self._newest
        gone = max(self._newest - self._width, -1)
        lowest, highest = 0, len(last_used) - 1
        while lowest <= highest and last_used[lowest] <= gone:
            lowest += 1
        while highest > lowest and last_used[highest] <= gone:
            highest -= 1
        return (lowest, highest) if lowest <= highest else None
