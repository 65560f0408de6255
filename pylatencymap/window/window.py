"""Keeps the histories of all series within a memory budget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from heapq import heapify, heappop, heapreplace

from ..errors import UsageError
from ..interval import Interval
from ..intervals import OTHERS, Batch, is_apart
from .column_zoom import ZoomCache, whole_micros
from .history import SERIES_BYTES, History
from .joined_selections import sum_between
from .selection import Selection, select_between, select_columns
from .series_sum import SeriesSum, sum_series, total_of_series
from .statistics import Summary
from .store import FEWEST_COLUMNS, FIRST_COLUMNS, GAP_BIT

DEFAULT_MB = 256
MEGABYTE = 1_000_000
LEAST_SERIES = 5_000
"""At least this many series are kept apart, whatever the budget."""
MOST_SERIES = 10**9
"""More series than any memory holds: the limit if the budget is infinite."""
OTHER_SERIES = "all other series"
"""The name of all series together that the budget does not hold."""
PATIENCE = 1.1
"""If merging cannot reach the budget, it is tried again once memory has grown by this factor."""


def _longest_first(series: tuple[float, str]) -> tuple[int, float]:
    """See ``rank_of``."""
    waited, name = series
    return rank_of(name), -waited


def rank_of(name: str) -> int:
    """Single series come before all others together, which would hide them, and those before idle waits, in which
    nobody works.
    """
    return 2 if is_apart(name) else int(name.startswith(OTHER_SERIES) or name.partition(" (")[0] == OTHERS)


class Window:
    """Histories by series; the oldest columns are merged when memory would exceed ``history_mb``."""

    def __init__(self, history_mb: float = DEFAULT_MB) -> None:
        if history_mb <= 0:
            raise UsageError(f"--history-mb {history_mb:g}: must be more than 0")
        self._budget = history_mb * MEGABYTE
        self._most_series = int(max(LEAST_SERIES, min(self._budget / 2 / SERIES_BYTES, MOST_SERIES)))
        self._histories: dict[str, History] = {}
        self._limit = self._budget
        self._nbytes = 0
        self._zoomed: dict[str, ZoomCache] = {}
        self._additions = 0
        self._ranking: tuple[int, list[str]] = -1, []
        self._extent: tuple[int, tuple[int, int] | None] = -1, None

    def __contains__(self, name: str) -> bool:
        return name in self._histories

    def __len__(self) -> int:
        return len(self._histories)

    def __getitem__(self, name: str) -> History:
        return self._histories[name]

    def frozen(self) -> Window:
        """A copy of the present histories, for reading in another thread while intervals are added here."""
        same = Window(self._budget / MEGABYTE)
        same._histories = {name: history.frozen() for name, history in self._histories.items()}
        same._additions = self._additions
        return same

    @property
    def nbytes(self) -> int:
        """Memory in use."""
        return self._nbytes

    @property
    def most_series(self) -> int | None:
        """How many series are kept apart, if there were more: the rest is one series. None if all are."""
        return self._most_series if OTHER_SERIES in self._histories else None

    def shrink(self, history_mb: float) -> None:
        """Keep at most ``history_mb`` from now on."""
        self._budget = min(self._budget, history_mb * MEGABYTE)
        self._limit = self._budget
        if self._nbytes > self._limit:
            self._save_memory()

    def longest_merged(self, names: Iterable[str], since: int, until: int) -> float:
        """The seconds of the longest column of these series between two moments (epoch microseconds), if some of them
        hold more than one interval; else 0.
        """
        longest = 0
        for history in (self._histories[name] for name in names):
            first, stop = history.count_until(since), history.count_until(until) + 1
            if history.most_merged(first, stop) > 1:
                columns = history.columns(first, stop)
                known = columns[columns["flags"] & GAP_BIT == 0]
                longest = max(longest, int((known["end"] - known["start"]).max(initial=0)))
        return longest / 1e6

    def take(self, one: Interval | Batch) -> None:
        """Add an interval, or a batch of them."""
        if isinstance(one, Interval):
            self.add(one)
        else:
            self.extend(one)

    def add(self, interval: Interval) -> None:
        """Add an interval to the history of its series."""
        if interval.series not in self._histories and len(self._histories) >= self._most_series:
            self._add_to_others(interval)
            return
        self._add(interval)

    def _add_to_others(self, interval: Interval) -> None:
        """Add an interval to the series of all that the budget does not hold. What is late goes to its last column."""
        if interval.gap:
            return  # the silence of one of them is none of all
        first = self._histories.get(OTHER_SERIES)
        name = OTHER_SERIES
        if first is not None and first.unit is not interval.unit:
            name = f"{OTHER_SERIES} ({interval.unit.value})"
        known = self._histories.get(name)
        end = interval.end if known is None else max(known.end, interval.end)
        self._add(replace(interval, series=name, end=end, label=OTHER_SERIES, note=""))

    def _add(self, interval: Interval) -> None:
        history = self._history_of(interval)
        before = history.nbytes
        history.add(interval)
        self._additions += 1
        self._grown(history.nbytes - before)

    def extend(self, batch: Batch) -> None:
        """Add intervals of a series; they are newer than all that it has."""
        history = self._history_of(batch)
        before = history.nbytes
        history.extend(batch)
        self._additions += 1
        self._grown(history.nbytes - before)

    def _history_of(self, first: Interval | Batch) -> History:
        """The history of its series; a new one, without columns, if this is the first."""
        history = self._histories.get(first.series)
        if history is None:
            history = self._histories[first.series] = History(first)
            self._nbytes += history.nbytes
        return history

    def _grown(self, nbytes: int) -> None:
        """Account for ``nbytes`` more memory; merge columns if it is too much."""
        self._nbytes += nbytes
        if self._nbytes > self._limit:
            self._save_memory()

    def names(self) -> Iterable[str]:
        """The names of all series, in the order in which they came."""
        return self._histories

    def by_time_waited(self) -> list[str]:
        """The names of all series, the one with the most time waited first."""
        additions = self._additions  # first, because another thread may add intervals meanwhile
        if additions != self._ranking[0]:
            waited = [(history.waited, name) for name, history in list(self._histories.items())]
            self._ranking = additions, [name for _, name in sorted(waited, key=_longest_first)]
        return self._ranking[1].copy()

    @property
    def additions(self) -> int:
        """How often intervals were added: while it stays the same, so does all that follows from them."""
        return self._additions

    @property
    def extent(self) -> tuple[int, int] | None:
        """When the oldest column of all series begins and the newest ends, epoch microseconds; None without series."""
        additions, histories = self._additions, self._histories.values()
        if additions != self._extent[0]:
            ends = (min(one.start for one in histories), max(one.end for one in histories)) if histories else None
            self._extent = additions, ends
        return self._extent[1]

    @property
    def start(self) -> int | None:
        """When the oldest column of all series begins, in epoch microseconds; None without series."""
        return self.extent[0] if self.extent else None

    @property
    def end(self) -> int | None:
        """When the newest column of all series ends, in epoch microseconds; None without series."""
        return self.extent[1] if self.extent else None

    def new_since(self, name: str | None, moment: int) -> int:
        """The number of intervals of a series, or of all (None), that ended after a moment (epoch microseconds)."""
        histories = self._histories.values() if name is None else [self._histories[name]]
        return sum(len(history) - history.count_until(moment) for history in histories)

    def select(self, name: str, columns: int, width: float | None = None, end: int | None = None) -> Selection:
        """The ``columns`` columns of a series that end at or before ``end`` (epoch microseconds; None: the newest).

        ``width`` seconds each, aligned to the epoch; None: one interval each.
        """
        history = self._histories[name]
        if width is None:
            return select_columns(history, columns, None, end)
        with self._accounted():
            return select_columns(history, columns, width, end, self._zoomed_of(history, width))

    def between(self, name: str, start: int | None, end: int | None, columns: int | None = None) -> Selection:
        """The columns of a series between two moments, at most ``columns``; see ``select_between``."""
        return select_between(self._histories[name], start, end, columns)

    def sum(self, columns: int, width: float | None = None, end: int | None = None) -> Selection:
        """All series added up; otherwise like ``select_columns``.

        If their intervals end at the same moments, the columns are these intervals, else slots of a grid that are wide
        enough for an interval of each series. Bounds are in the finest unit in use.
        """
        with self._accounted():
            return sum_series(list(self._histories.values()), columns, width, end, self._zoomed_of)

    def sum_between(self, start: int, end: int, columns: int) -> Selection:
        """What all series have between two moments; see there."""
        return sum_between(list(self._histories.values()), start, end, columns)

    def added_up(self, name: str) -> SeriesSum:
        """All series, to be read as one of this name."""
        return SeriesSum(name, list(self._histories.values()))

    def total_of_all(self) -> Summary:
        """Statistics of everything that was added to all series."""
        return total_of_series(list(self._histories.values()))

    @contextmanager
    def _accounted(self) -> Iterator[None]:
        """Account for the memory that caches of merged columns take or free meanwhile."""
        before = self._zoomed_nbytes()
        yield
        self._nbytes += self._zoomed_nbytes() - before

    def _zoomed_nbytes(self) -> int:
        return sum(zoomed.nbytes for zoomed in self._zoomed.values())

    def _zoomed_of(self, history: History, width: float) -> ZoomCache:
        """The cache of a series for columns of ``width`` seconds; it replaces that of another width."""
        zoomed = self._zoomed.get(history.name)
        if zoomed is None or not zoomed.is_of(whole_micros(width)):
            zoomed = self._zoomed[history.name] = ZoomCache(history, whole_micros(width))
        return zoomed

    def _save_memory(self) -> None:
        """Drop the caches; merge the largest histories until memory is within the budget or nothing can be merged."""
        self._nbytes -= self._zoomed_nbytes()
        self._zoomed.clear()
        self._merge(FEWEST_COLUMNS)
        if self._nbytes > self._budget:
            self._merge(FIRST_COLUMNS)
        self._limit = max(self._budget, self._nbytes * PATIENCE)

    def _merge(self, fewest: int) -> None:
        """Merge the largest histories, none of them below ``fewest`` columns."""
        histories = list(self._histories.values())
        largest = [(-history.nbytes, number) for number, history in enumerate(histories)]
        heapify(largest)
        while largest and self._nbytes > self._budget:
            size, number = largest[0]
            if histories[number].merge_oldest(fewest):
                heapreplace(largest, (-histories[number].nbytes, number))
                self._nbytes += histories[number].nbytes + size
            else:
                heappop(largest)
