"""Names of series that come from several inputs: by event, and by file and host if the user wants them apart.

By a key of the events, the values that waited most in all inputs together have names. Each input is looked through
first, and what its values have waited is kept as a portion. The sums are of whole numbers and are added in the order of
the inputs: so the ranking does not depend on who read which, or on how often the run ended.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..errors import SourceError
from ..intervals import ChosenValues, DividedBy, ValueSums
from ..session.input import no_such_key
from ..tables import TableSeries, series_of
from ..units import Unit
from .file_reading import ReadTask

Extents = Mapping[TableSeries, tuple[int, int]]
"""From when to when there is anything of each series, in microseconds."""
BY = ("event", "file", "host")
"""What keeps series apart. Any other word is a key of single events, such as ``obj#``: each value of it makes a series
of its own where the event is counted, before any of this.
"""


def named_series(
    streams: Sequence[tuple[str, Extents]], wants: Callable[[str], bool], *, always: bool
) -> list[dict[TableSeries, str]]:
    """The names of the series of each stream, given by its qualifier and what it has; without those not wanted.

    With ``always``, each name has the qualifier of its stream behind it. Otherwise only those have that two streams
    contain at the same time; a series that they contain one after the other goes on. A second unit of a series makes
    another series. What is wanted is so by its name in the file, or by the one that it gets.
    """
    clashing = set() if always else _at_the_same_time(streams)
    found: list[dict[TableSeries, str]] = [{} for _ in streams]
    units: dict[tuple[str, int], Unit] = {}
    for _, one, number in sorted(_begins(streams)):
        series = series_of(one)
        apart, name = always or series.name in clashing, series.name
        if units.setdefault((name, number if apart else -1), series.unit) is not series.unit:
            name = f"{name} ({series.unit.value})"
        if apart:
            name = f"{name} ({streams[number][0]})"
        if wants(series.name) or wants(name):
            found[number][series] = name
    return found


def _begins(streams: Sequence[tuple[str, Extents]]) -> Iterator[tuple[int, tuple[str, str, str, str], int]]:
    """When each series of each stream begins, and the number of the stream: the first unit of a series has its name."""
    for number, (_, extents) in enumerate(streams):
        for one, (first, _) in extents.items():
            yield first, one.words, number


def _at_the_same_time(streams: Iterable[tuple[str, Extents]]) -> set[str]:
    """The names of series that two streams contain at the same time."""
    spans: dict[str, list[tuple[int, int, int]]] = {}
    for number, (_, extents) in enumerate(streams):
        for one, (first, last) in extents.items():
            spans.setdefault(one.name, []).append((first, last, number))
    return {name for name, of_name in spans.items() if _overlap(sorted(of_name))}


def _overlap(spans: list[tuple[int, int, int]]) -> bool:
    """Whether ascending spans of different streams have any time in common."""
    latest, other = (-1, 0), 0  # the stream that reaches furthest, and how far any other one does
    for first, last, number in spans:
        if first < (other if number == latest[0] else latest[1]):
            return True
        if number == latest[0]:
            latest = number, max(latest[1], last)
        elif last > latest[1]:
            other, latest = latest[1], (number, last)
        else:
            other = max(other, last)
    return False


# By a key of the events.

Results = Mapping[ReadTask, Mapping[str, Any]]


class Ranking(NamedTuple):
    """The values with series of their own. ``digest`` is another one for other values: what was counted by them is of
    no use then. ``without_key``: what is to be said of files of which no event has the key.
    """

    division: ChosenValues
    digest: str
    without_key: dict[str, str]

    def notes(self) -> Iterator[str]:
        """What is to be said of the ranking."""
        if not self.division.is_sure:
            yield (
                f"{self.division.asked.key} has too many values to keep them all: only those that surely waited most "
                "have a series, and there can be fewer than --top says"
            )


def ranking_of(asked: DividedBy, results: Results, about: Callable[[ReadTask], Mapping[str, Any]]) -> Ranking:
    """The ranking of the inputs whose VALUES are known, in their order; ``about`` returns what is kept of a task.
    Raises SourceError if no event has the key, and there is no table that can have it as a column.
    """
    sums, has_table = ValueSums(), False
    for task in results:
        if (plain := about(task)["sums"]) is not None:
            sums.take(ValueSums.from_plain(plain))
        else:
            has_table = True
    without = {task.path: list(result["keys"]) for task, result in results.items() if result["lacks_key"]}
    if sums.has_no_value and not has_table:
        every = dict.fromkeys(key for keys in without.values() for key in keys)
        raise SourceError(no_such_key([*without], every, asked.key))
    said = {path: no_such_key([path], keys, asked.key) for path, keys in without.items()}
    return Ranking(ChosenValues(asked, sums), _digest(sums.most(asked.top)), said)


def _digest(chosen: Iterable[tuple[Any, str]]) -> str:
    return hashlib.sha256(json.dumps([*chosen]).encode()).hexdigest()
