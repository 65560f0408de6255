"""In what the latencies of a log are, which only its layout and its numbers can tell."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from ...units import Unit

_SHORTEST_NS = 500
"""No I/O that fio measures takes fewer nanoseconds, as a rule."""
_AT_ONCE = 1.5
"""So many I/Os at once, or fewer, are likely if latencies are taken for microseconds: then they are."""


class Numbers(NamedTuple):
    """What a line tells of its unit: time in ms, latency, and the fields after the block size."""

    milli: int
    latency: int
    rest: tuple[str, ...]


def is_certain(numbers: Numbers) -> bool:
    """Whether one line shows that the log is of fio 3: it has a priority."""
    return len(numbers.rest) > 1 or (len(numbers.rest) == 1 and numbers.rest[0].startswith("0x"))


def unit_of(lines: Sequence[Numbers]) -> tuple[Unit, bool]:
    """The unit of a log that begins so, and whether it is certain.

    A fifth field of only 0 and 1 is the priority of fio 3; any other is the offset that both have. What both write
    alike is told apart by its sum: as many I/Os are under way at once as latencies fit into the time of the log.
    """
    if any(map(is_certain, lines)) or all(line.rest and line.rest[0] in ("0", "1") for line in lines):
        return Unit.NS, True
    latencies = [line.latency for line in lines]
    times = [line.milli for line in lines]
    at_once = sum(latencies) / 1000 / max(max(times) - min(times), 1)
    micros = median(latencies) < _SHORTEST_NS or at_once <= _AT_ONCE
    return (Unit.US if micros else Unit.NS), False
