"""Writes intervals and marks as a recording, from which the engine makes the same intervals again."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Iterator

from ...interval import Interval, record_of
from ...record import Mark
from ...stream import StreamWriter
from . import DataOptions
from .rows import in_buckets

_LEVEL = 6
_GZIP = 16 + zlib.MAX_WBITS
"""zlib writes the head and the end of gzip, without a time: the same bytes whenever it is written."""


def written(intervals: Iterable[Interval], options: DataOptions) -> Iterator[bytes]:
    """The record stream of docs/stream.md."""
    texts: list[str] = []
    writer = StreamWriter(texts.append)
    done: list[Mark] = []
    for one in in_buckets(intervals, options.resolution):
        for mark in _new_marks(options.marks, done, one.end):
            writer.event(mark)
        writer.event(record_of(one))
        yield "".join(texts).encode()
        texts.clear()
    for mark in _new_marks(options.marks, done, None):
        writer.event(mark)
    writer.end()
    yield "".join(texts).encode()


def _new_marks(marks: Collection[Mark], done: list[Mark], end: int | None) -> list[Mark]:
    """The marks up to a moment (None: all) that are not done; then they are."""
    if len(marks) == len(done):
        return []
    new = [one for one in marks if one not in done and (end is None or one.stamp.micros <= end)]
    done += new
    return new


def compressed(intervals: Iterable[Interval], options: DataOptions) -> Iterator[bytes]:
    """The same as gzip."""
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
    for piece in written(intervals, options):
        if packed := packer.compress(piece):
            yield packed
    yield packer.flush()
