"""What a scan finds in a piece of a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from ..record import Clock
from ..units import Unit
from .begin import Head
from .sums import Sums
from .text import Text
from .words import Places


class Found(NamedTuple):
    """Events whose lines left no doubt, and the lines that the decoder has to see.

    names      of series; ``series`` has their places
    latencies  in the unit of the scan; ``ends`` are microseconds of its clock
    lines      how many there are in the piece
    decoded    lines for the decoder, by number from 0, with their texts
    known      those among them whose events are counted here already: the decoder only needs to know of them; with the
               time that it has to find if it judges as the scan does, where that is not sure
    """

    names: list[str]
    series: Places
    latencies: Places
    ends: Places
    lines: int
    decoded: dict[int, bytes]
    known: Mapping[int, int | None]


class Counted(NamedTuple):
    """What of a piece is kept: ``sums`` of bins and of series by the places of their ``names``; ``ends`` are the first
    and the last time. The others as in ``Found``.
    """

    names: list[str]
    sums: Sums
    ends: tuple[int, int] | None
    lines: int
    decoded: dict[int, bytes]
    known: Mapping[int, int | None]


class Scan(Protocol):
    """One format. ``scan`` is called for pieces of one file."""

    unit: Unit
    clock: Clock
    label: str
    source: str

    def scan(self, text: Text) -> Found: ...


class Fit(NamedTuple):
    """A scan for a file, and the lines at its beginning that the decoder has to see."""

    scan: Scan
    leading: tuple[bytes, ...] = ()


class ScanModule(Protocol):
    """The module ``scan`` of a collector. ``scan_of``: a scan for a file; None where the decoder has to read it."""

    def scan_of(self, head: Head) -> Fit | None: ...
