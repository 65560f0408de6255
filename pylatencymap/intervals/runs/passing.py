"""What a stage makes of a run: many of its snapshots at once, the others one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ...record import Event
from .run import RecordRun

FEWEST = 32
"""Of fewer snapshots than this, a run is not worth the arrays."""
FEW_SERIES = 4
"""With more series in each snapshot, a run of fewer snapshots is worth them."""
LEAST = 8
"""But no fewer than these: the first and the last records of each series cost as much as one by one."""
ONE_BY_ONE = 6
"""So many snapshots are taken one by one where a run is interrupted, before it is tried again."""


def fewest_of(run: RecordRun) -> int:
    """The fewest snapshots of a run that are worth taking at once."""
    series = int(run.owners.size) // max(len(run), 1)
    return FEWEST if series <= FEW_SERIES else max(FEWEST * FEW_SERIES // series, min(LEAST, FEWEST))


def passed_on(
    run: RecordRun, bulk: Callable[[RecordRun], tuple[int, list[Any]]], take: Callable[[Event], Iterator[Any]]
) -> Iterator[Any]:
    """What a stage makes of a run.

    ``bulk`` takes as many of the first snapshots as it is sure about, and returns their number, and what becomes of
    them; ``take`` takes one event. Behind an interruption ever more snapshots are tried at once, and where none of them
    can be taken so, ever more go one by one.
    """
    place, most, after, fewest = 0, len(run), ONE_BY_ONE, fewest_of(run)
    while place < len(run):
        stop = min(len(run), place + most)
        number, found = bulk(run.part(place, stop)) if stop - place >= fewest else (0, [])
        yield from found
        place += number
        if place == stop:
            most *= 4
            continue
        if number < fewest:
            most = max(2 * fewest, most // 4)
        after = 2 * after if not number else ONE_BY_ONE
        for event in run.events(place, min(len(run), place + after)):
            yield from take(event)
        place += after
