"""Finds the records of a text that are written in the usual form, many at once: a block of lines each.

The form is that of docs/stream.md, "Writing": perhaps an ``#lmap`` line, then ``<begin record>``, the stamp, label,
unit and source, buckets, and ``<end record>``. Whatever is not exactly so is left to the line decoder.
"""

from __future__ import annotations

import re
from typing import TypeAlias

import numpy as np

from ...stream import BEGIN_RECORD, END_RECORD, EXTENSION, SEEN_WAITS
from ...text.lines import MAX_LINE, line_of
from ..byte_words import BYTES, ZEROS, Flags, Places, all_within, eight_digits, headroom
from ..chunk import Chunk

PADDING = 128
LEAST_LINES = 5
"""From the begin of a record to its end, without buckets."""
MOST_LINES = 10_000
_STAMP = b"timestamp,microsec,"
_LABEL, _UNIT, _SOURCE = b"label,", b"latencyunit,", b"datasource,"
_BEGIN, _END = BEGIN_RECORD.encode(), END_RECORD.encode()
_WAITS = f"{SEEN_WAITS} ".encode()
LARGEST = 1 << 53
"""Numbers below this are exact in floating point."""
MOST_DIGITS = 16

_WHOLE = rb"(?:0|[1-9][0-9]{0,15})"
_FRACTION = rb"(?:\.[0-9]{1,20})?(?:e-[0-9]{1,2})?"
_NUMBER = _WHOLE + _FRACTION
_LENGTH = rb"(?:0|[1-9][0-9]{0,10})" + _FRACTION
"""Seconds, below those that the line decoder refuses."""
_BUCKET = rb"\[" + _WHOLE + rb", " + _WHOLE + rb", " + _WHOLE + rb"\]"
_FORM = re.compile(
    rb'#lmap (\{"v": 1(?:, "(?:series|label|source|unit|counts)": "[^"\\]*")*)'
    rb'(?:, "buckets": \[((?:' + _BUCKET + rb"(?:, " + _BUCKET + rb")*)?)\])?"
    rb'(?:, "time": (' + _NUMBER + rb'))?(?:, "start": (' + _WHOLE + rb'))?(?:, "seconds": (' + _LENGTH + rb"))?"
    rb'((?:, "flags": \[[a-z", -]*\])?\})'
)
"""An ``#lmap`` line that says nothing unusual: what all lines of a kind share, and what differs."""

BlockKey: TypeAlias = bytes | tuple[object, ...]
"""The text that all records of a kind share."""
Said: TypeAlias = tuple[bytes | None, ...]
"""The parts of an ``#lmap`` line: its begin, buckets, time, start, seconds, its end. Empty without such a line."""

_MASKS = np.array([0] + [((1 << 64) - 1) ^ ((1 << 8 * (BYTES - length)) - 1) for length in range(1, 9)], np.uint64)
"""All bits of the last characters of a word, by their number."""
_NINES = headroom(bytes([9] * BYTES))
_HUNDRED_MILLION = 10**8


def numbers(text: Chunk, begins: Places, ends: Places) -> tuple[Places, Flags]:
    """The whole numbers between two places each, and whether there is one, below LARGEST."""
    lengths = ends - begins
    good = (lengths > 0) & (lengths <= MOST_DIGITS)
    words = text.at(ends - BYTES) ^ ZEROS
    words &= _MASKS[np.clip(lengths, 0, BYTES)]
    good &= all_within(words, _NINES)
    values = eight_digits(words).view(np.int64)
    longer = np.flatnonzero(good & (lengths > BYTES))
    if longer.size:
        words = text.at(ends[longer] - 2 * BYTES) ^ ZEROS
        words &= _MASKS[lengths[longer] - BYTES]
        good[longer] &= all_within(words, _NINES)
        values[longer] += eight_digits(words).view(np.int64) * _HUNDRED_MILLION
        good &= values < LARGEST
    return values, good


def chunk_of(data: bytes) -> Chunk:
    """Whole lines as a chunk."""
    buffer = np.zeros(len(data) + 2 * PADDING, np.uint8)
    buffer[PADDING : PADDING + len(data)] = np.frombuffer(data, np.uint8)
    return Chunk(buffer, PADDING, PADDING + len(data))


class Blocks:
    """The records of a chunk whose lines are in the usual form.

    firsts   int64 [n], the first line of each, the ``#lmap`` line if it has one; numbers of lines in the chunk, from 0
    begins   int64 [n], the line that begins the record
    lasts    int64 [n], its last line, or one behind it that is no record and says nothing of records
    stamps   int64 [n], microseconds
    keys     the text that tells its kind, for each
    said     the parts of its ``#lmap`` line, for each
    sizes    int64 [n], the number of its bucket lines
    labels   int64 [sum of sizes], the buckets: 0 for bucket 0, k + 1 for bucket 2^k
    counts   int64 [sum of sizes], their counts
    """

    def __init__(self, text: Chunk) -> None:
        self.text = text
        begins, ends = _candidates(text)
        firsts, said, passed = _with_extensions(text, begins)
        stamps, good = _stamps(text, begins)
        good &= _has_header(text, begins)
        good &= np.array([one is not None for one in said], np.bool_)
        sizes = ends - begins - LEAST_LINES
        lines = np.arange(int(sizes.sum())) + np.repeat(begins + LEAST_LINES - (sizes.cumsum() - sizes), sizes)
        labels, counts, fine = _buckets(text, lines)
        owners = np.repeat(np.arange(sizes.size), sizes)
        fine[1:] &= (labels[1:] > labels[:-1]) | (owners[1:] != owners[:-1])
        good[owners[~fine]] = False
        chosen, kept = np.flatnonzero(good), good[owners]
        self.firsts, self.begins, self.lasts = firsts[chosen], begins[chosen], ends[chosen]
        if passed:
            self.lasts += np.isin(self.lasts + 1, passed)
        self.stamps, self.sizes = stamps[chosen], sizes[chosen]
        self.labels, self.counts = labels[kept], counts[kept]
        self.said: list[Said] = [said[place] or () for place in chosen.tolist()]
        self.keys = _keys(text, self.begins, self.said)

    def __len__(self) -> int:
        return len(self.keys)

    def date(self, line: int) -> str:
        """What the stamp of the record that begins at a line says behind its number."""
        parts = line_of(self.text.line(line + 1)).split(",", 3)
        return parts[3] if len(parts) > 3 else ""


def _candidates(text: Chunk) -> tuple[Places, Places]:
    """The first and the last line of what looks like a record."""
    heads = np.flatnonzero(text.buffer[text.starts] == ord("<"))
    begins, lengths = text.starts[heads], text.ends[heads] - text.starts[heads]
    is_begin = (lengths == len(_BEGIN)) & text.holds(begins, _BEGIN)
    is_end = (lengths == len(_END)) & text.holds(begins, _END)
    whole = np.flatnonzero(is_begin[:-1] & is_end[1:])
    first, last = heads[whole], heads[whole + 1]
    fitting = (last - first >= LEAST_LINES) & (last - first < MOST_LINES)
    return first[fitting], last[fitting]


def _with_extensions(text: Chunk, begins: Places) -> tuple[Places, list[Said | None], list[int]]:
    """The first line of each record, and what its ``#lmap`` line says, None if it is unusual; and the lines before
    records that say nothing of them.
    """
    said: list[Said | None] = [()] * begins.size
    firsts, before = begins.copy(), np.maximum(begins - 1, 0)
    has_line = (text.buffer[text.starts[before]] == ord(EXTENSION[0])) & (begins > 0)
    for place in np.flatnonzero(has_line).tolist():
        line = text.line(int(before[place]))
        if line.startswith(_WAITS):
            continue
        firsts[place] -= 1
        form = _FORM.fullmatch(line) if len(line) <= MAX_LINE else None
        said[place] = form.groups() if form else None
    before = np.maximum(firsts - 1, 0)
    marked = before[(text.buffer[text.starts[before]] == ord(EXTENSION[0])) & (firsts > 0)]
    return firsts, said, [line for line in marked.tolist() if text.line(line).startswith(_WAITS)]


def _stamps(text: Chunk, begins: Places) -> tuple[Places, Flags]:
    places, rest = text.starts[begins + 1], text.ends[begins + 1]
    begun = places + len(_STAMP)
    ends = begun + MOST_DIGITS
    usual = (ends < rest) & (text.buffer[np.minimum(ends, rest)] == ord(","))
    for place in np.flatnonzero(~usual).tolist():  # stamps of another length
        found = text.line(int(begins[place]) + 1).find(b",", len(_STAMP))
        ends[place] = places[place] + found if found >= 0 else rest[place]
    stamps, good = numbers(text, begun, ends)
    return stamps, good & text.holds(places, _STAMP)


def _has_header(text: Chunk, begins: Places) -> Flags:
    """Whether the three lines behind the stamp are label, unit and source."""
    starts = text.starts
    good: Flags = text.holds(starts[begins + 2], _LABEL)
    good &= text.holds(starts[begins + 3], _UNIT)
    good &= text.holds(starts[begins + 4], _SOURCE)
    return good


def _buckets(text: Chunk, lines: Places) -> tuple[Places, Places, Flags]:
    """The labels and counts of bucket lines, and whether they are such lines."""
    begins, ends = text.starts[lines], text.ends[lines]
    commas, good = _commas(text, lines, begins)
    labels, fine = numbers(text, begins, commas)
    counts, whole = numbers(text, commas + 1, ends)
    good &= fine & whole & (labels & (labels - 1) == 0)
    powers = labels.astype(np.float64).view(np.int64) >> 52  # the exponent of a double, 0 for 0
    return np.maximum(powers - 1022, 0), counts, good


def _commas(text: Chunk, lines: Places, begins: Places) -> tuple[Places, Flags]:
    """The first comma of each line, and whether the line has one, and no other."""
    marks = text.buffer == ord(",")
    commas = np.flatnonzero(marks)
    if not commas.size:
        return begins, np.zeros(begins.size, np.bool_)
    before = np.append(np.searchsorted(commas, text.starts), commas.size)
    places = before[lines]
    return commas[np.minimum(places, commas.size - 1)], before[lines + 1] == places + 1


def _keys(text: Chunk, begins: Places, said: list[Said]) -> list[BlockKey]:
    data = text.buffer.tobytes()
    begun, ended = text.starts[begins + 2].tolist(), text.starts[begins + LEAST_LINES].tolist()
    heads = [data[begin:end] for begin, end in zip(begun, ended, strict=True)]
    if not any(said):
        return list(heads)
    return [_key(head, form) if form else head for head, form in zip(heads, said, strict=True)]


def _key(head: bytes, form: Said) -> BlockKey:
    same, *differs, tail = form
    return head, same, tail, *(one is None for one in differs)
