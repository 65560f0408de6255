"""What a scan finds in a piece of a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, Protocol

from ..collector import Collector, Known
from ..errors import BadInput, Refused
from ..record import Clock, Sample
from ..report import Report
from ..text.lines import Line, line_of
from ..units import Unit
from .byte_words import Places
from .chunk import Chunk
from .sums import OwnerSums

# How a file begins: what the decoder makes of its first lines shows what the rest is in.


HEAD_BYTES = 1 << 16
"""Bytes that are looked at."""


class FileHead(NamedTuple):
    """The first sample, its line, and all lines up to the one with which the decoder was sure of it."""

    sample: Sample
    line: bytes
    lines: tuple[bytes, ...]


class Head(NamedTuple):
    """What is known of a file before it is scanned: whose text it is, its first bytes, and its name."""

    collector: Collector
    data: bytes
    known: Known
    name: str

    def begin(self) -> FileHead | None:
        """How it begins; None where the decoder is not sure of anything before the first bytes end."""
        return head_of(self.collector, self.data, self.known, self.name)


def head_of(collector: Collector, head: bytes, known: Known, name: str) -> FileHead | None:
    """The beginning of a file, of which ``head`` are the first bytes and ``name`` is the name; None where the decoder
    is not sure of anything before they end.
    """
    *lines, _ = head.split(b"\n")
    seen = 0

    def shown() -> Iterator[Line]:
        nonlocal seen
        for seen, raw in enumerate(lines, 1):
            yield Line(seen, line_of(raw))
        seen = 0  # what comes now comes because there is no more

    try:
        first = next(iter(collector.decode(shown(), Report(name), known)), None)
    except (Refused, BadInput):
        return None
    if not isinstance(first, Sample) or not seen:
        return None
    return FileHead(first, lines[first.line - 1], tuple(lines[:seen]))


class ChunkEvents(NamedTuple):
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


class ChunkCounts(NamedTuple):
    """What of a piece is kept: ``sums`` of bins and of series by the places of their ``names``; ``ends`` are the first
    and the last time. The others as in ``ChunkEvents``.
    """

    names: list[str]
    sums: OwnerSums
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

    def scan(self, text: Chunk) -> ChunkEvents: ...


class Fit(NamedTuple):
    """A scan for a file, and the lines at its beginning that the decoder has to see."""

    scan: Scan
    leading: tuple[bytes, ...] = ()


class ScanModule(Protocol):
    """The module ``scan`` of a collector. ``scan_of``: a scan for a file; None where the decoder has to read it."""

    def scan_of(self, head: Head) -> Fit | None: ...
