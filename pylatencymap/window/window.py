"""What is kept of all series, within a budget of memory."""

from collections.abc import Iterable
from heapq import heapify, heappop, heapreplace

from ..errors import UsageError
from ..interval import Interval
from .history import History
from .selection import Selection, select

DEFAULT_MB = 256
MEGABYTE = 1_000_000
PATIENCE = 1.1
"""Where no merging helps, how much more there must be until it is tried again."""


class Window:
    """Histories by series; the oldest columns are merged where ``history_mb`` would be exceeded."""

    def __init__(self, history_mb: float = DEFAULT_MB) -> None:
        if history_mb <= 0:
            raise UsageError(f"--history-mb {history_mb:g}: must be more than 0")
        self._budget = history_mb * MEGABYTE
        self._histories: dict[str, History] = {}
        self._limit = self._budget
        self._nbytes = 0

    def __contains__(self, name: str) -> bool:
        return name in self._histories

    def __len__(self) -> int:
        return len(self._histories)

    def __getitem__(self, name: str) -> History:
        return self._histories[name]

    @property
    def nbytes(self) -> int:
        """Memory in use."""
        return self._nbytes

    def add(self, interval: Interval) -> None:
        """Keep an interval."""
        history = self._histories.get(interval.series)
        before = 0 if history is None else history.nbytes
        if history is None:
            history = self._histories[interval.series] = History(interval)
        history.add(interval)
        self._nbytes += history.nbytes - before
        if self._nbytes > self._limit:
            self._save_memory()

    def names(self) -> Iterable[str]:
        """All series in the order in which they came."""
        return self._histories

    def by_time_waited(self) -> list[str]:
        """Names of all series, the one with the most time waited first."""
        return sorted(self._histories, key=lambda name: -self._histories[name].waited)

    def select(self, name: str, columns: int, width: float | None = None) -> Selection:
        """The newest ``columns`` of a series; ``width`` seconds each, None: one interval each."""
        return select(self._histories[name], columns, width)

    def _save_memory(self) -> None:
        """Merge where most is kept, until it is within the budget or nothing is left to merge."""
        histories = list(self._histories.values())
        largest = [(-history.nbytes, number) for number, history in enumerate(histories)]
        heapify(largest)
        while largest and self._nbytes > self._budget:
            size, number = largest[0]
            if histories[number].merge_oldest():
                heapreplace(largest, (-histories[number].nbytes, number))
                self._nbytes += histories[number].nbytes + size
            else:
                heappop(largest)
        self._limit = max(self._budget, self._nbytes * PATIENCE)
