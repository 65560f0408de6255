"""What is kept of all series, within a budget of memory."""

from collections.abc import Iterable

from ..errors import UsageError
from ..interval import Interval
from .history import BLOCK_COLUMNS, History
from .selection import Selection, select

DEFAULT_MB = 256
MEGABYTE = 1_000_000


class Window:
    """Histories by series; the oldest columns are merged where ``history_mb`` would be exceeded."""

    def __init__(self, history_mb: float = DEFAULT_MB) -> None:
        if history_mb <= 0:
            raise UsageError(f"--history-mb {history_mb:g}: must be more than 0")
        self._budget = history_mb * MEGABYTE
        self._histories: dict[str, History] = {}
        self._since_check = 0

    def __contains__(self, name: str) -> bool:
        return name in self._histories

    def __len__(self) -> int:
        return len(self._histories)

    def __getitem__(self, name: str) -> History:
        return self._histories[name]

    @property
    def nbytes(self) -> int:
        return sum(history.nbytes for history in self._histories.values())

    def add(self, interval: Interval) -> None:
        """Keep an interval."""
        history = self._histories.get(interval.series)
        if history is None:
            history = self._histories[interval.series] = History(interval)
            self._since_check = BLOCK_COLUMNS
        history.add(interval)
        self._since_check += 1
        if self._since_check >= BLOCK_COLUMNS:
            self._since_check = 0
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
        while self.nbytes > self._budget:
            by_size = sorted(self._histories.values(), key=lambda history: -history.nbytes)
            if not any(history.merge_oldest() for history in by_size):
                return
