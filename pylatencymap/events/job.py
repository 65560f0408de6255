"""What a pass through a file needs to know, and what it can find out too late."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from ..collector import Collector, Known
from ..intervals import TimeOptions
from ..record import Sample
from ..report import Report
from ..session.input import Source
from .question import EventQuestion

BinAxis = Mapping[tuple[int, int], int | None]
"""What leads from the times in a file to the epoch, in microseconds, for each bin: by the number of the clock, from 0
on as clocks come in the file, and that of the bin. None: the times of the bin are damaged.
"""


class ReadJob(NamedTuple):
    """A file whose collector is known, how its times are read, and what is asked."""

    source: Source
    collector: Collector
    known: Known
    options: TimeOptions
    report: Report
    question: EventQuestion
    jobs: int


class EventSink(Protocol):
    """Takes the events that were asked for, with their ends in epoch microseconds and their lines."""

    def add(self, sample: Sample, end: int, text: str | None, doubtful: bool = False) -> None: ...


class WrongAxis(Exception):
    """The whole file shows that its times are others than was assumed: read it again.

    ``shift`` leads to the right times, ``bins`` if it differs between them, and ``strays`` are times that jump.
    """

    def __init__(self, shift: int = 0, strays: frozenset[int] = frozenset(), bins: BinAxis | None = None) -> None:
        super().__init__()
        self.shift, self.strays, self.bins = shift, strays, bins
