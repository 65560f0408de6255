"""The twin of ``decoder.keys_in`` for large files: reads the fields of many lines at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...scan import (
    BYTES,
    Chunk,
    FieldReader,
    Flags,
    KeysOfLines,
    NotScannable,
    NumberFields,
    Places,
    SaidBySome,
    first_bytes,
    keys_said,
    numbers_said,
    value_named,
)
from ...text.lines import line_of
from .decoder import SERIES, keys_in

_FLAGS = 2
"""A lone field after the block size is a priority if it is less, and an offset if not."""
_SHORT = np.array([first_bytes(length) for length in range(BYTES + 1)], np.uint64)


class IoParts(NamedTuple):
    """The chunk that was scanned last: which of its lines are as usual, their directions and block sizes."""

    text: Chunk
    sure: Flags
    direction: Places
    size: NumberFields


def keys_of(text: Chunk, names: Sequence[str], lines: Places, parts: IoParts | None, comma: bytes) -> KeysOfLines:
    """See ``scan.HasKeys``. ``parts`` if they are known."""
    usual = lines[:0] if parts is None else parts.sure[lines].nonzero()[0]
    said = None if parts is None else _said(parts, names, lines[usual], comma)
    return keys_said(lines, usual, said, lambda line: _value(text.line(line), names))


def _said(parts: IoParts, names: Sequence[str], about: Places, comma: bytes) -> SaidBySome | None:
    """What usual lines say; None if they have to be looked at."""
    if "direction" in names:
        return SaidBySome(np.ones(about.size, np.bool_), SERIES, parts.direction[about])
    size = parts.size.of(about)
    if "size" in names:
        return numbers_said(size, size.are_plain(parts.text))
    if "offset" in names:
        return _offsets(parts.text, about, size, comma)
    if "priority" in names:
        return _priorities(parts.text, about, size, comma)
    return None


def _field_behind(text: Chunk, places: Places, comma: bytes) -> tuple[NumberFields, Flags]:
    """The numbers behind commas at these places, and where they are such."""
    rows = FieldReader(text, places.size)
    begins = rows.literal(places, comma)
    values, behind = rows.number(begins)
    numbers = NumberFields(values, begins, behind)
    return numbers, rows.sure & numbers.are_plain(text)


def _offsets(text: Chunk, about: Places, size: NumberFields, comma: bytes) -> SaidBySome:
    """The field behind the block size, unless it is a priority."""
    offsets, known = _field_behind(text, size.behind, comma)
    is_last = offsets.behind == text.ends[about]
    return numbers_said(offsets, known & ~(is_last & (offsets.values < _FLAGS)) & (is_last | _commas(text, offsets)))


def _commas(text: Chunk, numbers: NumberFields) -> Flags:
    commas: Flags = text.buffer[numbers.behind] == ord(",")
    return commas


def _priorities(text: Chunk, about: Places, size: NumberFields, comma: bytes) -> SaidBySome:
    """The last field, behind that of the offset, if it is short: then it is one word."""
    offsets, known = _field_behind(text, size.behind, comma)
    begins = offsets.behind + len(comma)
    length = text.ends[about] - begins
    known &= text.holds(offsets.behind, comma) & (length > 0) & (length <= BYTES)
    words, same = np.unique(text.at(begins[known]) & _SHORT[length[known]], return_inverse=True)
    values = [word.tobytes().rstrip(b"\0").decode("ascii", "replace") for word in words]
    is_word = np.array([value.isalnum() and value.isascii() for value in values], np.bool_)[same]
    known[known.nonzero()[0][~is_word]] = False
    return SaidBySome(known, values, same[is_word])


def _value(line: bytes, names: Sequence[str]) -> str | None:
    """What the decoder says of a line. Raises NotScannable if it is no I/O."""
    found = keys_in(line_of(line))
    if found is None:
        raise NotScannable
    return value_named(names, [(key.name, key.value) for key in found])
