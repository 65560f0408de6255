"""Writes intervals as an HdrHistogram interval log (.hlog), a tag per series, which the tools of HdrHistogram read.

A histogram of three significant digits, in nanoseconds, takes single values: the events of a range count at its middle,
those of an open one at its lower bound, so that a mean of the log is the estimated one.
Source: HistogramLogWriter.java, AbstractHistogram.java (encodeIntoCompressedByteBuffer) and ZigZagEncoding.java of
HdrHistogram.
"""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime, timezone
from struct import Struct

from ...interval import Interval
from ...record import Range
from ...units import Unit
from . import DataOptions
from .rows import in_buckets

DIGITS = 3
HALF_MAGNITUDE: int = (2 * 10**DIGITS - 1).bit_length() - 1
"""Half the sub-buckets of a bucket, as a power of two."""
HIGHEST = 3_600_000_000_000
"""Nanoseconds that every histogram can hold: an hour."""
LARGEST = (1 << 62) - 1
_COOKIE, _COMPRESSED = 0x1C849303 | 0x10, 0x1C849304 | 0x10
"""Version 2 of the encoding, plain and compressed."""
_HEADER = Struct(">iiiiqqd")
_COMPRESSED_HEADER = Struct(">ii")
_NANOS = {Unit.NS: 1, Unit.US: 1_000, Unit.MS: 1_000_000}
_ABOUT = (
    b"# Values are nanoseconds. Written by pylatencymap: events count at the middle of their range.\n"
    b"#[Histogram log format version 1.3]\n"
)
_COLUMNS = b'"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"\n'
_NO_WORD = str.maketrans({",": ";", " ": "_", '"': "'"})
"""A tag has no commas, blanks and double quotes."""


def written(intervals: Iterable[Interval], options: DataOptions) -> Iterator[bytes]:
    """The heading, and a line for each interval that is no gap."""
    tags = _Tags()
    earliest: int | None = None
    for one in in_buckets(intervals, options.resolution):
        if earliest is None:
            yield _ABOUT + _start_time(one.start) + _COLUMNS
        elif one.start < earliest:
            yield _start_time(one.start)
        earliest = one.start if earliest is None else min(earliest, one.start)
        if not one.gap:
            counts = counts_of(one.ranges, _NANOS[one.unit])
            begin, length = one.start / 1e6, (one.end - one.start) / 1e6
            longest = max(counts, default=0) / 1e6
            data = b64encode(encoded(counts)).decode("ascii")
            yield f"Tag={tags.tag(one.series)},{begin:.6f},{length:.6f},{longest:.6f},{data}\n".encode()


def _start_time(micros: int) -> bytes:
    """The line that sets the start of the log. Readers skip intervals that begin before it, so it is never rounded up,
    and an interval that begins earlier has a new one before it.
    """
    date = datetime.fromtimestamp(micros // 1_000_000, timezone.utc)
    return f"#[StartTime: {micros / 1e6:.6f} (seconds since epoch), {date:%Y-%m-%dT%H:%M:%SZ}]\n".encode()


class _Tags:
    """A tag for each series, all different."""

    def __init__(self) -> None:
        self._tags: dict[str, str] = {}
        self._used = Counter[str]()

    def tag(self, series: str) -> str:
        """The tag of a series."""
        if series not in self._tags:
            tag = series.translate(_NO_WORD) or "all"
            self._used[tag] += 1
            self._tags[series] = tag if self._used[tag] == 1 else f"{tag}~{self._used[tag]}"
        return self._tags[series]


def counts_of(ranges: Iterable[Range], nanos: int) -> dict[int, int]:
    """Whole numbers of events by nanoseconds. Counts that are no whole numbers, as in resampled ranges, are rounded so
    that their sum is.
    """
    found = Counter[int]()
    total, given = 0.0, 0
    for lower, upper, count in ranges:
        total += count
        value = lower if upper is None else (lower + upper) / 2
        found[min(round(value * nanos), LARGEST)] += round(total) - given
        given = round(total)
    return {value: number for value, number in sorted(found.items()) if number}


def encoded(counts: dict[int, int]) -> bytes:
    """A compressed histogram with these counts by value, which ascend."""
    payload = _payload(counts)
    highest = max(HIGHEST, max(counts, default=0))
    plain = _HEADER.pack(_COOKIE, len(payload), 0, DIGITS, 1, highest, 1.0) + payload
    packed = zlib.compress(plain)
    return _COMPRESSED_HEADER.pack(_COMPRESSED, len(packed)) + packed


def _payload(counts: dict[int, int]) -> bytes:
    """The counts by index, up to the last one; a run of zeros is its negative length."""
    by_index = Counter[int]()
    for value, count in counts.items():
        by_index[index_of(value)] += count
    pieces, next_index = bytearray(), 0
    for index in sorted(by_index):
        if zeros := index - next_index:
            pieces += _zigzag(-zeros if zeros > 1 else 0)
        pieces += _zigzag(by_index[index])
        next_index = index + 1
    return bytes(pieces)


def index_of(value: int) -> int:
    """The place of the counter for a value."""
    bucket = max(int(value).bit_length() - HALF_MAGNITUDE - 1, 0)
    return (bucket << HALF_MAGNITUDE) + (value >> bucket)


def _zigzag(number: int) -> bytes:
    """A number as ZigZag LEB128 of at most 9 bytes."""
    value = (number << 1) ^ (number >> 63)
    found = bytearray()
    while value >= 0x80 and len(found) < 8:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)
