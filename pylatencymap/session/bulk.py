"""Which files are scanned in bulk, and how it is done."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..collector import Collector, Known
from ..intervals.options import TimeOptions
from ..record import Event
from ..report import Report
from ..text.chunks import is_plain
from .source import Source

if TYPE_CHECKING:
    from ..bulk.events import Take

LEAST_BYTES = 8_000_000
"""Shorter files are decoded before numpy and the processes are ready."""


def scanned(
    source: Source,
    collector: Collector,
    known: Known,
    options: TimeOptions,
    report: Report,
    jobs: int,
    take: Take | None = None,
) -> Iterator[Event] | None:
    """Prints of a large trace; None where the file, or its format, is not for scanning. The iterator raises Unfit
    before its first event where it turns out so; it is empty where ``take`` was given all that there is.
    """
    size = source.size
    if size is None or size < LEAST_BYTES or not is_plain(os.pread(source.descriptor, 4, 0)):
        return None
    from ..bulk.begin import HEAD
    from ..bulk.events import BulkReader
    from ..bulk.formats import scan_of

    fit = scan_of(collector, os.pread(source.descriptor, HEAD, 0), known, source.name)
    if fit is None:
        return None
    reader = BulkReader(
        source.descriptor, size, fit.scan, options, jobs, source.told, lambda: source.stop.is_set, fit.leading
    )
    return reader.events(collector, report, known, take)


def first_of(found: Iterator[Event] | None, otherwise: Iterable[Event]) -> Iterator[Event]:
    """The events that were found in bulk; where there are none, or the file is unfit, the others."""
    if found is not None:
        from ..bulk.reader import Unfit

        try:
            yield from found
            return
        except Unfit:
            found = None
    yield from otherwise
