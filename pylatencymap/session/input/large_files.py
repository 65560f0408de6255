"""Decides which large files are scanned, and scans them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ... import registry
from ...collector import BulkModule, Collector, Known
from ...intervals import TimeOptions
from ...record import Clock
from ...report import Report
from ...text import is_plain
from .plan import ReadPlan, RecognisedText, dividing
from .source import Source

if TYPE_CHECKING:
    from ...intervals import Batches, Dividing, Summing
    from ...scan import CountedChunks, FileScanner, FileToScan, Fit, MakeBins, PackedBins, TextChunks

LEAST_BYTES = 8_000_000
"""Shorter texts are decoded faster than numpy and the processes can start."""


LEAST_RECORDED = 1_000_000
"""Shorter recordings are decoded line by line."""


def bulk_decoder(source: Source, collector: Collector, options: TimeOptions) -> BulkModule | None:
    """What decodes a long recording many records at a time; None if it is to be decoded line by line."""
    if options.semantics is not None or source.text_bytes < LEAST_RECORDED:
        return None
    return registry.load_bulk(collector)


def fit_of(source: Source, collector: Collector, known: Known) -> Fit | None:
    """The scan that fits a file; None if it is too short, or if only the decoder can read it. A compressed text is
    scanned as it is decompressed.
    """
    if source.live or source.text_bytes < LEAST_BYTES:
        return None
    module = registry.load_scan(collector)
    if module is None:
        return None
    from ...scan import HEAD_BYTES, Head

    head = source.head(HEAD_BYTES)
    return module.scan_of(Head(collector, head, known, source.name)) if is_plain(head[:4]) else None


def scan_large_file(text: RecognisedText, plan: ReadPlan, report: Report) -> Iterator[Batches] | None:
    """Scan a large trace to its end. Returns None if the file or its format cannot be scanned: then nothing has been
    reported, and the decoder must read the file. The plan then knows whether its times of day have no date.
    """
    counted = _counted(text, plan, report)
    if counted is None:
        return None
    fit, bins, shift = counted
    if fit.scan.clock is Clock.DAY and text.options.day is None:
        plan.days_guessed.add(text.source.name)
    return bins.batches(shift)


def bins_of_large_file(text: RecognisedText, plan: ReadPlan, report: Report) -> PackedBins | None:
    """The counts of a large trace with real times; None as above."""
    counted = _counted(text, plan, report)
    if counted is None or counted[0].scan.clock is not Clock.EPOCH:
        return None
    return counted[1]


def _counted(text: RecognisedText, plan: ReadPlan, report: Report) -> tuple[Fit, PackedBins, int] | None:
    by = dividing(text, plan)
    fit = fit_of(text.source, text.collector, text.known)
    if fit is None:
        return None
    from ...scan import NotScannable

    try:
        scanner = scanner_of(file_to_scan(text.source, fit, text.options, plan.jobs), by)
        return fit, *scanner.counted(text.collector, report, fit.known or text.known)
    except NotScannable:
        return None


def sum_values_of_large_file(text: RecognisedText, jobs: int, by: Summing) -> bool:
    """Add up what the values of a key have waited in a large file. False if the decoder must do it."""
    source = text.source
    fit = fit_of(source, text.collector, text.known)
    if fit is None:
        return False
    from ...scan import NotScannable, ValueScanner

    try:
        scanner = ValueScanner(file_to_scan(source, fit, text.options, jobs), by)
        scanner.sum_values(text.collector, fit.known or text.known)
    except NotScannable:
        return False
    return True


def scanner_of(file: FileToScan, divided: Dividing | None, make_bins: MakeBins | None = None) -> FileScanner:
    """What counts the events of a file: ``divided`` by a key, unless that is None. Raises NotScannable."""
    from ...scan import FileScanner, KeyedScanner, PackedBins

    make = make_bins or PackedBins
    return FileScanner(file, make) if divided is None else KeyedScanner(file, divided, make)


def file_to_scan(
    source: Source, fit: Fit, options: TimeOptions, jobs: int, counted: CountedChunks | None = None
) -> FileToScan:
    """What a scanner is given of a source. ``counted``: what was counted of its chunks before."""
    from ...scan import FileToScan

    stop, chunks = source.stop, counted or chunks_of(source, jobs)
    return FileToScan(chunks, fit, options, source.report_progress, lambda: stop.is_set)


def chunks_of(source: Source, jobs: int) -> TextChunks:
    """The chunks of a file: of its bytes in several processes, or of the text that is compressed in it."""
    from ...scan import PlainChunks, StreamedChunks

    if is_plain(os.pread(source.descriptor, 4, 0)):
        return PlainChunks(source.descriptor, source.size or 0, jobs)
    return StreamedChunks(source.chunks, source.bytes_read)
