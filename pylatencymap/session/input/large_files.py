"""Which files are scanned in bulk, and how it is done."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ... import registry
from ...collector import Collector, Known
from ...intervals import TimeOptions
from ...record import Clock
from ...report import Report
from ...text import is_plain
from .source import Source

if TYPE_CHECKING:
    from ...intervals import Batches

LEAST_BYTES = 8_000_000
"""Shorter files are decoded before numpy and the processes are ready."""


def scan_large_file(
    source: Source,
    collector: Collector,
    known: Known,
    options: TimeOptions,
    report: Report,
    jobs: int,
    guessed: set[str],
) -> Iterator[Batches] | None:
    """What a large trace holds, read to its end; None where the file, or its format, is not for scanning: then nothing
    has been reported, and the decoder has to read it. Adds the name of the source to ``guessed`` where times of day
    have no date.
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

    reader = FileScanner(
        source.descriptor, size, fit.scan, options, jobs, source.told, lambda: source.stop.is_set, fit.leading
    )
    try:
        found = reader.batches(collector, report, known)
    except NotScannable:
        return None
    if fit.scan.clock is Clock.DAY and options.day is None:
        guessed.add(source.name)
    return found
