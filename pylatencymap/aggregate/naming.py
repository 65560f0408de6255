"""Names of series that come from several inputs: by event, and by file and host if the user wants them apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ..tables import TableSeries, series_of
from ..units import Unit

Extents = Mapping[TableSeries, tuple[int, int]]
"""From when to when there is anything of each series, in microseconds."""
BY = ("event", "file", "host")
"""What keeps series apart. Keys of single events, such as ``obj#``, will be further ones: each value of a key makes a
series of its own where the event is counted, before any of this.
"""


def named_series(
    streams: Sequence[tuple[str, Extents]], wants: Callable[[str], bool], *, always: bool
) -> list[dict[TableSeries, str]]:
    """The names of the series of each stream, given by its qualifier and what it has; without those not wanted.

    With ``always``, each name has the qualifier of its stream behind it. Otherwise only those have that two streams
    contain at the same time; a series that they contain one after the other goes on. A second unit of a series makes
    another series.
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
        if wants(name):
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
