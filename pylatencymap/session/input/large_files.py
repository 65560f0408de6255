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
from .source import Source

if TYPE_CHECKING:
    from ...intervals import Batches

LEAST_BYTES = 8_000_000
"""Shorter files are decoded faster than numpy and the processes can start."""


LEAST_RECORDED = 1_000_000
"""Shorter recordings are decoded line by line."""


def bulk_decoder(source: Source, collector: Collector, options: TimeOptions) -> BulkModule | None:
    """What decodes a long recording many records at a time; None if it is to be decoded line by line."""
    if source.live or options.semantics is not None or source.bulk < LEAST_RECORDED:
        return None
    return registry.load_bulk(collector)


def scan_large_file(
    source: Source,
    collector: Collector,
    known: Known,
    options: TimeOptions,
    report: Report,
    jobs: int,
    guessed: set[str],
) -> Iterator[Batches] | None:
    """Scan a large trace to its end. Returns None if the file or its format cannot be scanned: then nothing has been
    reported, and the decoder must read the file. Adds the name of the source to ``guessed`` if its times of day have no
    date.
    """
    size = source.size
    if size is None or size < LEAST_BYTES or not is_plain(os.pread(source.descriptor, 4, 0)):
        return None
    from ...scan import HEAD_BYTES, Head

    module = registry.load_scan(collector)
    fit = (
        module.scan_of(Head(collector, os.pread(source.descriptor, HEAD_BYTES, 0), known, source.name))
        if module
        else None
    )
    if fit is None:
        return None
    from ...scan import FileScanner, NotScannable

    stop = source.stop
    reader = FileScanner(
        source.descriptor, size, fit.scan, options, jobs, source.report_progress, lambda: stop.is_set, fit.leading
    )
    try:
        found = reader.batches(collector, report, fit.known or known)
    except NotScannable:
        return None
    if fit.scan.clock is Clock.DAY and options.day is None:
        guessed.add(source.name)
    return found
