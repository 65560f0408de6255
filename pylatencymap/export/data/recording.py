"""Writes intervals and marks as a recording, from which the engine makes the same intervals again."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

from ...interval import Interval
from ...record import Mark
from ...stream import IntervalWriter
from . import DataOptions
from .rows import in_buckets

_LEVEL = 6
_GZIP = 16 + zlib.MAX_WBITS
"""zlib writes the head and the end of gzip, without a time: the same bytes whenever it is written."""


def written(intervals: Iterable[Interval], options: DataOptions) -> Iterator[bytes]:
    """The record stream of docs/stream.md."""
    texts: list[str] = []
    writer = IntervalWriter(texts.append)
    known: set[Mark] = set()
    taken = 0

    def take_new_marks() -> None:
        """Give the writer the marks that came since the last time; one that comes again, as by a file too, once."""
        nonlocal taken
        new = options.marks[taken:]
        taken += len(new)
        for mark in dict.fromkeys(new):
            if mark not in known:
                writer.mark(mark)
        known.update(new)

    for one in in_buckets(intervals, options.resolution):
        take_new_marks()
        writer.interval(one)
        yield "".join(texts).encode()
        texts.clear()
    take_new_marks()
    writer.end()
    yield "".join(texts).encode()


def compressed(intervals: Iterable[Interval], options: DataOptions) -> Iterator[bytes]:
    """The same as gzip."""
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
    for piece in written(intervals, options):
        if packed := packer.compress(piece):
            yield packed
    yield packer.flush()
