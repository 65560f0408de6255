"""The contract between a collector's scan and the file scanner: what a scan gets and what it finds in a chunk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Protocol, runtime_checkable

from ..collector import Collector, Known
from ..errors import BadInput, Refused
from ..record import Clock, Sample
from ..report import Report
from ..text.lines import Line, line_of
from ..units import Unit
from .byte_words import Places
from .chunk import Chunk
from .keyed.said import KeysOfLines
from .sums import NO_SUMS, OwnerSums

# The head of a file: the first sample that the decoder finds shows the format of the rest.


HEAD_BYTES = 1 << 16
"""Size of the head, in bytes."""


class FileHead(NamedTuple):
    """The first sample, its line, and all lines that the decoder needed to find it."""

    sample: Sample
    line: bytes
    lines: tuple[bytes, ...]


class Head(NamedTuple):
    """What is known about a file before the scan: its collector, its first bytes, facts about it, and its name."""

    collector: Collector
    data: bytes
    known: Known
    name: str

    def begin(self) -> FileHead | None:
        """See ``head_of``."""
        return head_of(self.collector, self.data, self.known, self.name)


def head_of(collector: Collector, head: bytes, known: Known, name: str) -> FileHead | None:
    """The first sample of a file; None if the decoder finds no sample within the first bytes, ``head``.

    ``name`` is the file's name, for messages.
    """
    *lines, _ = head.split(b"\n")
    seen = 0

    def shown() -> Iterator[Line]:
        nonlocal seen
        for seen, raw in enumerate(lines, 1):
            yield Line(seen, line_of(raw))
        seen = 0  # a sample that comes now is a result of the end, not of a line

    try:
        first = next(iter(collector.decode(shown(), Report(name), known)), None)
    except (Refused, BadInput):
        return None
    if not isinstance(first, Sample) or not seen:
        return None
    return FileHead(first, lines[first.line - 1], tuple(lines[:seen]))


class ChunkEvents(NamedTuple):
    """The events of a chunk that the scan is sure about, and the lines that the decoder has to see.

    names      the names of series
    series     for each event, the place of its series in ``names``
    latencies  in the unit of the scan
    ends       microseconds on the clock of the scan
    places     the line of each event: its number in the chunk, from 0, ascending
    lines      the number of lines in the chunk
    decoded    lines for the decoder: their numbers in the chunk, from 0, with their texts
    known      those among ``decoded`` whose events are already counted here: the decoder sees them for context only.
               The value is the time that the decoder has to find there if the scan is not certain to have judged as
               the decoder does, else None
    """

    names: list[str]
    series: Places
    latencies: Places
    ends: Places
    places: Places
    lines: int
    decoded: dict[int, bytes]
    known: Mapping[int, int | None]


class EventRun(NamedTuple):
    """Consecutive events of a chunk that are not added up: their times have to be judged.

    first   the first line that belongs to them
    stop    the line after the last
    events  of each its line, its series as a place in the names, its latency and its end
    """

    first: int
    stop: int
    events: list[tuple[int, int, int, int]]


class KeyContext(NamedTuple):
    """Consecutive lines of a chunk that say what holds for the keys of later events, until the next such lines about
    the same ``subject``: ``lines`` from line ``first`` of the chunk on.
    """

    subject: bytes
    first: int
    lines: list[bytes]


class ChunkSelection(NamedTuple):
    """The events of a chunk that were asked for, and the lines that tell more of them.

    events   each as its line in the chunk, its series as a place in the names, its latency and its end; without those
             in windows
    lines    the texts of the lines of all that were asked for, those in windows too, by their numbers in the chunk
    held     those of the lines that are in windows
    context  lines that the decoder needs for the keys of these events, or of events in later chunks
    """

    events: list[tuple[int, int, int, int]]
    lines: dict[int, bytes]
    held: set[int]
    context: list[KeyContext]


class ChunkKeys(NamedTuple):
    """What a chunk says about a key by which its events are divided.

    said    the values, without numbers of lines
    own     the value of each line that only the decoder reads, as a place in ``said.values``
    waited  sums of latencies, each with its series, as a place in the names, and its value
    notes   texts that explain values
    """

    said: KeysOfLines
    own: dict[int, int]
    waited: list[tuple[int, int, int]]
    notes: Mapping[str, str] = {}


class ChunkCounts(NamedTuple):
    """What is kept of a chunk: its events, added up.

    ``sums`` are per bin and series, a series being its place in ``names``. ``ends`` are the first and the last time;
    None without events. The ``windows`` are not in these. ``beside`` and ``went_back``: see ``time_check.Divided``. The
    other fields are those of ``ChunkEvents``. ``selected``: see ``selection.py``; ``keyed``: see ``keyed/``.
    """

    names: list[str]
    sums: OwnerSums
    ends: tuple[int, int] | None
    lines: int
    decoded: dict[int, bytes]
    known: Mapping[int, int | None]
    windows: list[EventRun]
    beside: dict[int, tuple[int, int, int]]
    went_back: int
    selected: ChunkSelection | None = None
    keyed: ChunkKeys | None = None


class EventKind(Protocol):
    """What all events of a text have in common."""

    @property
    def unit(self) -> Unit: ...

    @property
    def clock(self) -> Clock: ...

    @property
    def label(self) -> str: ...

    @property
    def source(self) -> str: ...


class Scan(EventKind, Protocol):
    """The scan of one format. ``scan`` is called for each chunk of one file."""

    def scan(self, text: Chunk) -> ChunkEvents: ...


class Fit(NamedTuple):
    """A scan that fits a file, and the lines at the file's beginning that the decoder has to see. ``known``: what the
    decoder has to know besides; None: as before.
    """

    scan: Scan
    leading: tuple[bytes, ...] = ()
    known: Known | None = None


@runtime_checkable
class HasKeyContext(Protocol):
    """A scan of a format in which the keys of an event can stand in earlier lines. ``key_context`` returns these lines
    of a chunk; it is called only when events are looked at, not for pictures.
    """

    def key_context(self, text: Chunk) -> Iterator[KeyContext]: ...


class ScanModule(Protocol):
    """The module ``scan`` of a collector: ``scan_of`` returns a scan for a file, None if the decoder has to read it."""

    def scan_of(self, head: Head) -> Fit | None: ...


def account_of(end: int, counted: ChunkCounts) -> list[Any]:
    """A counted chunk, which ends at a place in its file, without its sums, as plain values that JSON can hold."""
    decoded = [[line, text.decode("latin-1")] for line, text in counted.decoded.items()]
    windows = [[window.first, window.stop, window.events] for window in counted.windows]
    beside = [[line, *one] for line, one in counted.beside.items()]
    known = list(counted.known.items())
    return [end, counted.names, counted.ends, counted.lines, decoded, known, windows, beside, counted.went_back]


def counted_of(account: list[Any]) -> ChunkCounts:
    """The counted chunk of an account; its sums are empty."""
    _, names, ends, lines, decoded, known, windows, beside, went_back = account
    return ChunkCounts(
        names,
        NO_SUMS,
        None if ends is None else (ends[0], ends[1]),
        lines,
        {line: text.encode("latin-1") for line, text in decoded},
        dict(known),
        [EventRun(first, stop, [(a, b, c, d) for a, b, c, d in events]) for first, stop, events in windows],
        {line: (place, before, after) for line, place, before, after in beside},
        went_back,
    )
