"""Which prints of a trace tell of which series: what ``idle.filled`` makes of records, where there are none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from .idle import AT_ONCE


class Print(NamedTuple):
    """A print, and the series with events in it, by their numbers. Times are of any clock."""

    start: int
    end: int
    busy: Sequence[int] = ()


class Told(NamedTuple):
    """An interval of a series: with the events of a print, or idle over the prints since it was told of last."""

    series: int
    start: int
    end: int
    busy: bool


def turns(prints: Iterable[Print]) -> Iterator[Told]:
    """What prints, of which one begins where the last one ended, tell of all series that have come up.

    Each tells of those with events and of AT_ONCE idle ones, that were told of longest ago; the last one of all. A
    series that comes again has been idle until then.
    """
    last: dict[int, int] = {}  # the moment until which a series was told of; what was told of longest ago comes first
    end: int | None = None
    for start, stop, busy in prints:
        if end is not None:
            yield from _idle(last, end, AT_ONCE)
        for one in busy:
            told = last.pop(one, start)
            if told < start:
                yield Told(one, told, start, False)
            yield Told(one, start, stop, True)
            last[one] = stop
        end = stop
    if end is not None:
        yield from _idle(last, end, len(last))


def _idle(last: dict[int, int], end: int, most: int) -> list[Told]:
    found: list[Told] = []
    for one, told in last.items():
        if told == end or len(found) == most:
            break
        found.append(Told(one, told, end, False))
    for idle in found:
        del last[idle.series]
        last[idle.series] = end
    return found
