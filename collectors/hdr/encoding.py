"""Decodes compressed HdrHistograms into counts of exact ranges.

A histogram is a big-endian header and an array of counts. Each bucket after the first adds half as many sub-buckets,
of twice the width: sub-bucket s of bucket b contains the integers [s << shift, (s + 1) << shift), where
shift = b + unit magnitude.
Source: encodeIntoByteBuffer, decodeFromByteBuffer and getBucketsNeededToCoverValue of AbstractHistogram.java,
ZigZagEncoding.java, and DoubleHistogram.java, whose values are those of an integer histogram times a ratio.
"""

import math
import struct
import zlib
from base64 import b64decode
from collections.abc import Iterator
from functools import lru_cache
from struct import Struct
from typing import NamedTuple

from ...record import Bound, Range

MAX_BYTES = 1 << 24
"""Largest histogram that is decompressed."""
MAX_VALUE = 1 << 63
MAX_KEPT = 100_000
"""Ranges kept for each layout."""
_WORD_SIZE = 0xF0
"""The bits of a cookie that contain the number of bytes per count."""
_DOUBLE = (0x0C72124E, 0x0C72124F)
_COMPRESSED = {0x1C849309: 0, 0x1C849302: 1, 0x1C849304: 2}
_PLAIN = {0x1C849308: 0, 0x1C849301: 1, 0x1C849303: 2}
"""Cookies without their word sizes, and the versions of the encoding."""
_COOKIE = Struct(">I")
_COMPRESSED_HEADER = Struct(">Ii")
_DOUBLE_HEADER = Struct(">Iiq")
_HEADER_V0 = Struct(">Iiqqq")
_HEADER = Struct(">Iiiiqqd")
_WORDS = {2: "h", 4: "i", 8: "q"}


class ValueLayout(NamedTuple):
    """The layout of the values: ``unit_magnitude`` and ``half_magnitude`` are powers of two."""

    unit_magnitude: int
    half_magnitude: int
    ratio: float


def decoded(text: str) -> tuple[Range, ...]:
    """The ranges with values, as a record keeps them; raise ValueError, with the reason, if the data is damaged."""
    try:
        layout, counts = _opened(_inflated(b64decode(text, validate=True)))
        bounds = _bounds_of(layout)
        return tuple([(*bounds[index], count) for index, count in counts])
    except struct.error as error:
        raise ValueError("the histogram is cut off") from error


def _inflated(data: bytes) -> bytes:
    """The histogram decompressed; a double histogram also loses its own header."""
    (cookie,) = _COOKIE.unpack_from(data)
    if cookie in _DOUBLE:
        data = data[_DOUBLE_HEADER.size :]
        (cookie,) = _COOKIE.unpack_from(data)
    if cookie & ~_WORD_SIZE not in _COMPRESSED:
        return data
    _, length = _COMPRESSED_HEADER.unpack_from(data)
    packed = data[_COMPRESSED_HEADER.size :]
    if length != len(packed):
        raise ValueError(f"the histogram has {len(packed)} bytes and not {length}")
    inflater = zlib.decompressobj()
    try:
        plain = inflater.decompress(packed, MAX_BYTES)
    except zlib.error as error:
        raise ValueError(f"the histogram is damaged: {error}") from error
    if not inflater.eof:
        raise ValueError(f"the histogram is cut off or longer than {MAX_BYTES} bytes")
    return plain


def _opened(data: bytes) -> tuple[ValueLayout, Iterator[tuple[int, int]]]:
    """The layout of a histogram, and its indexes and counts."""
    (cookie,) = _COOKIE.unpack_from(data)
    version, word = _PLAIN.get(cookie & ~_WORD_SIZE), (cookie & _WORD_SIZE) >> 4
    if version is None:
        raise ValueError(f"no histogram begins with {cookie:#010x}")
    if version == 0:
        _, digits, lowest, _, _ = _HEADER_V0.unpack_from(data)
        layout, payload = _layout(digits, lowest, 1.0), data[_HEADER_V0.size :]
    else:
        _, length, _, digits, lowest, _, ratio = _HEADER.unpack_from(data)
        layout, payload = _layout(digits, lowest, ratio), data[_HEADER.size :]
        if len(payload) < length:
            raise ValueError("the histogram is cut off")
        payload = payload[: max(length, 0)]
    return layout, _zigzag_counts(payload) if version == 2 else _word_counts(payload, word)


def _layout(digits: int, lowest: int, ratio: float) -> ValueLayout:
    if not 0 <= digits <= 5 or lowest < 1:
        raise ValueError(f"no histogram has {digits} significant digits from {lowest} up")
    if not (math.isfinite(ratio) and ratio > 0):
        raise ValueError(f"no histogram has the ratio {ratio}")
    sub_buckets = (2 * 10**digits - 1).bit_length()
    return ValueLayout(lowest.bit_length() - 1, max(sub_buckets, 1) - 1, ratio)


def _word_counts(payload: bytes, word: int) -> Iterator[tuple[int, int]]:
    if word not in _WORDS:
        raise ValueError(f"no histogram has counts of {word} bytes")
    whole = len(payload) - len(payload) % word
    for index, (count,) in enumerate(Struct(f">{_WORDS[word]}").iter_unpack(payload[:whole])):
        if count < 0:
            raise ValueError(f"a count below 0: {count}")
        if count:
            yield index, count


def _zigzag_counts(payload: bytes) -> Iterator[tuple[int, int]]:
    """Decode zigzag LEB128 numbers of at most 9 bytes, the ninth with 8 bits; a number -n means n zeros."""
    index = 0
    rest = iter(payload)
    for byte in rest:
        value = byte if byte < 0x80 else _long(byte, rest)
        if value & 1:
            index += (value >> 1) + 1
            continue
        if value:
            yield index, value >> 1
        index += 1


def _long(byte: int, rest: Iterator[int]) -> int:
    """A number of several bytes, the first of which has been read."""
    value, shift = byte & 0x7F, 7
    for byte in rest:
        if shift == 56:
            return value | byte << 56
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value
        shift += 7
    raise ValueError("the histogram is cut off")


class _Bounds(dict[int, tuple[Bound, Bound]]):
    """The half-open ranges of values by index. Buckets after the first use only the upper half of sub-buckets."""

    def __init__(self, layout: ValueLayout) -> None:
        super().__init__()
        self._layout = layout

    def __missing__(self, index: int) -> tuple[Bound, Bound]:
        unit, magnitude, ratio = self._layout
        half = 1 << magnitude
        bucket, sub = (index >> magnitude) - 1, (index & (half - 1)) + half
        if bucket < 0:
            bucket, sub = 0, sub - half
        shift = bucket + unit
        if shift > 62 or (sub + 1) << shift > 2 * MAX_VALUE:
            raise ValueError("values beyond 2^64")
        if len(self) >= MAX_KEPT:
            self.clear()
        lower, upper = sub << shift, (sub + 1) << shift
        found = (lower, upper) if ratio == 1.0 else (lower * ratio, upper * ratio)
        self[index] = found
        return found


@lru_cache(maxsize=8)
def _bounds_of(layout: ValueLayout) -> _Bounds:
    return _Bounds(layout)
