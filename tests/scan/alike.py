"""The same file by all paths: line by line, scanned, scanned as it is decompressed, and scanned in splits."""

import json
import os
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path

import pytest

from pylatencymap import registry
from pylatencymap.collector import Collector, Known
from pylatencymap.errors import Refused
from pylatencymap.interval import Interval
from pylatencymap.intervals import difference
from pylatencymap.intervals.batch import Batches, batch_events
from pylatencymap.intervals.event_bins import bin_events, bin_width
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.intervals.possible import within_limits
from pylatencymap.intervals.stages import resolve_times
from pylatencymap.intervals.timing.dating import survey_midnights
from pylatencymap.record import Decoded, Event, Record
from pylatencymap.report import Report
from pylatencymap.scan import reader
from pylatencymap.scan.contract import HEAD_BYTES, Fit, Head, account_of
from pylatencymap.scan.counts import PackedBins
from pylatencymap.scan.file import FileScanner, FileToScan, count_split
from pylatencymap.scan.reader import CountedChunks, NotScannable, PlainChunks, StreamedChunks
from pylatencymap.text.byte_stream import file_chunks
from pylatencymap.text.lines import split_lines

Told = tuple[list[Event], list[Interval], str, int, list[str]]
"""Timed events, their intervals, why the text was refused, how many lines were bad, and what was said."""
MODIFIED = 1_769_851_000.0
"""When the files are said to have been written: times of day without a date are those before."""
OPTIONS = TimeOptions(modified=MODIFIED)
SCANNED, UNFIT, NO_SCAN = "scanned", "unfit", "no scan"


def by_line(name: str, path: Path, known: Known) -> Told:
    said: list[str] = []
    report = Report("t", say=said.append)
    events, refused = list[Event](), ""
    try:
        with path.open("rb") as file:
            events.extend(
                of_samples(registry.load_collector(name).decode(split_lines(file_chunks(file)), report, known), report)
            )
    except Refused as error:
        refused = str(error)
    return events, list(difference.to_intervals(events)), refused, report.bad_count, said


def of_samples(decoded: Iterable[Decoded], report: Report) -> list[Event]:
    """Timed events of what the decoder yields."""
    counted = list(bin_events(within_limits(decoded, report), OPTIONS, report))
    return list(resolve_times(counted, OPTIONS._replace(survey=lambda: survey_midnights(counted)), report))


MakeScanner = Callable[[int, int, Fit, int], FileScanner]
"""What makes a scanner of a descriptor, a size, a scan and a number of processes."""


def plain(descriptor: int, size: int, fit: Fit, jobs: int = 1) -> FileScanner:
    return FileScanner(FileToScan(PlainChunks(descriptor, size, jobs), fit, OPTIONS))


def streamed(descriptor: int, size: int, fit: Fit, _jobs: int) -> FileScanner:
    """As if the text came from a decompressor, in pieces that end anywhere."""
    text = os.pread(descriptor, size, 0)
    cuts = [0, *range(1, size, 777), size]
    chunks = StreamedChunks(lambda _: (text[begin:end] for begin, end in pairwise(cuts)), lambda: 0)
    return FileScanner(FileToScan(chunks, fit, OPTIONS))


def in_splits(descriptor: int, size: int, fit: Fit, _jobs: int) -> FileScanner:
    """As if others had counted the file in splits, the last one first, and told of each what JSON can hold."""
    bins = PackedBins(bin_width(OPTIONS), fit.scan)
    step, accounts = 3 * reader.PIECE, list[str]()
    for begin in reversed(range(0, size, step)):
        for end, counted in count_split(descriptor, size, fit.scan, bins.width, (begin, begin + step)):
            bins.take_in(counted)
            accounts.append(json.dumps(account_of(end, counted)))
    found = sorted(map(json.loads, accounts), key=lambda account: account[0])
    chunks = CountedChunks(found, reader.tail(descriptor, size))
    return FileScanner(FileToScan(chunks, fit, OPTIONS), make_bins=lambda _width, _scan: bins)


def in_bulk(
    name: str, path: Path, known: Known, jobs: int = 1, said: list[str] | None = None, make: MakeScanner = plain
) -> Told | None:
    """None where there is no scan for the text. Raises Unfit. ``said`` gets the messages even so."""
    said = [] if said is None else said
    report, collector = Report("t", say=said.append), registry.load_collector(name)
    parts, refused = list[Batches](), ""
    with path.open("rb") as file:
        fit = fit_of(collector, file.read(HEAD_BYTES), known)
        if fit is None:
            return None
        bulk = make(file.fileno(), path.stat().st_size, fit, jobs)
        try:
            parts.extend(bulk.batches(collector, report, fit.known or known))
        except Refused as error:
            refused = str(error)
    intervals = [interval for part in parts for interval in part.intervals()]
    return list(batch_events(parts)), intervals, refused, report.bad_count, said


def fit_of(collector: Collector, head: bytes, known: Known) -> Fit | None:
    """The scan that the registry finds for a text."""
    module = registry.load_scan(collector)
    return module.scan_of(Head(collector, head, known, "t")) if module else None


def alike(name: str, path: Path, text: bytes, piece: int = 1000, jobs: int = 1, known: Known | None = None) -> str:
    """How a text was read, in pieces of so many bytes; fails where the two paths tell anything that differs."""
    path.write_bytes(text)
    known = known or Known()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "PIECE", piece)
        try:
            found = in_bulk(name, path, known, jobs)
        except NotScannable:
            return UNFIT
    if found is None:
        return NO_SCAN
    assert found == by_line(name, path, known)
    for other in (streamed, in_splits):
        assert in_other_way(name, path, piece, known, other) in (None, found)
    return SCANNED


def in_other_way(name: str, path: Path, piece: int, known: Known, make: MakeScanner) -> Told | None:
    """What is told where chunks come in another way; None where it is left to the line decoder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "PIECE", piece)
        try:
            return in_bulk(name, path, known, make=make)
        except NotScannable:
            return None


def decoded_lines(name: str, path: Path, text: bytes) -> int:
    """How many lines of a text, scanned in one piece, go through the decoder."""
    path.write_bytes(text)
    seen = 0

    class Counting:
        DESCRIPTION = detect = None

        def decode(self, lines, report, known):  # type: ignore[no-untyped-def]
            def shown():  # type: ignore[no-untyped-def]
                nonlocal seen
                for line in lines:
                    seen += 1
                    yield line

            return registry.load_collector(name).decode(shown(), report, known)

    with path.open("rb") as file:
        fit = fit_of(registry.load_collector(name), file.read(HEAD_BYTES), Known())
        assert fit is not None
        bulk = plain(file.fileno(), path.stat().st_size, fit)
        bulk.count(Counting(), Report("t"), fit.known or Known())  # type: ignore[arg-type]
    return seen


def counted(events: list[Event]) -> dict[tuple[str, int], tuple[float, float]]:
    """Events, and seconds waited, by series and the second in which the interval begins."""
    return {
        (event.series, event.start // 10**6): (event.events, round(event.waited, 9))
        for event in events
        if isinstance(event, Record) and event.start is not None and event.waited is not None and event.events
    }
