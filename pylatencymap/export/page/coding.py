"""Columns as text: small whole numbers, deflated, in base 64. ``web/columns.js`` is the inverse.

A level is a few streams of bytes, one after another, in one deflated block:

starts   varints of signed numbers, microseconds: from the end of the column before
ends     the same: how much longer than the step
seconds  the same: how much longer than from start to end; or float64, if they are no whole microseconds
waited   varints, in units of 1 us or 1 ns, or float64; nothing where all are estimates, which the page makes itself
flags    a byte each
dense    of each range in which most columns have events, a byte for each column: its count less the average of the PAST
         counts before it, signed; 255: it is in ``far``
far      varints of signed numbers
places   of each other range, varints: how many columns after the last one with events
counts   varints, for each of these places; or float64 for all, if counts are no whole numbers

A signed number n is written as 2 n, or -2 n - 1 if it is negative. Varints have 7 bits a byte, the lowest first.
"""

from __future__ import annotations

import zlib
from base64 import b64encode
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...window import ESTIMATED_BIT, GAP_BIT, FloatArray, IntArray
from .columns import PageColumns

PAST = 8
"""Counts whose average is what the next one is expected to be: more would be late where the load changes."""
DENSE = 8
"""A range is dense where one in so many columns has events."""
FAR = 255
NEAR_WHOLE = 1e-3
"""A number that misses a whole one by less is whole: sums of floating-point numbers are not exact."""
MOST_WHOLE = 2**52
LEVEL = 6


class CodedLevel(NamedTuple):
    """``about``: what the script has to know to read ``text``, base 64; values of JSON."""

    about: dict[str, Any]
    text: str


def coded_level(columns: PageColumns) -> CodedLevel:
    """A level of zoom as text."""
    lengths = columns.ends - columns.starts
    before = np.concatenate(([0], columns.ends[:-1]))
    seconds, seconds_scale = _seconds(columns, lengths)
    waited, waited_scale = _waited(columns)
    whole = bool((columns.events == np.floor(columns.events)).all() and columns.events.max(initial=0) < MOST_WHOLE)
    dense = _dense_ranges(columns) if whole else []
    near, far = _dense_streams(columns, dense)
    sparse = ~np.isin(columns.row, dense)
    places = _gaps_between(columns.row[sparse], columns.column[sparse])
    values = columns.events[sparse]
    streams = [
        varints(signed(columns.starts - before)),
        varints(signed(lengths - columns.step)),
        seconds,
        waited,
        columns.flags.tobytes(),
        near,
        far,
        varints(places),
        varints(values.astype(np.int64)) if whole else values.astype("<f8").tobytes(),
    ]
    about = {
        "step": columns.step,
        "size": columns.size,
        "seconds": seconds_scale,
        "waited": waited_scale,
        "whole": whole,
        "dense": dense,
        "sparse": np.bincount(columns.row[sparse], minlength=columns.ranges).tolist(),
        "bytes": [len(stream) for stream in streams],
    }
    return CodedLevel(about, b64encode(zlib.compress(b"".join(streams), LEVEL)).decode())


def _seconds(columns: PageColumns, lengths: IntArray) -> tuple[bytes, float]:
    """The divisors for rates, and how many of the units that they are in a second has; 0: they are float64."""
    micros = columns.seconds * 1e6
    if _is_whole(micros):
        wanted = np.where(columns.flags & GAP_BIT, 0, lengths)
        return varints(signed(np.rint(micros).astype(np.int64) - wanted)), 1e6
    return columns.seconds.astype("<f8").tobytes(), 0.0


def _waited(columns: PageColumns) -> tuple[bytes, float]:
    """The same of times waited; -1: there are none."""
    if (columns.flags & ESTIMATED_BIT).all():
        return b"", -1.0
    for scale in (1e6, 1e9):
        if _is_whole(columns.waited * scale):
            return varints(np.rint(columns.waited * scale).astype(np.int64)), scale
    return columns.waited.astype("<f8").tobytes(), 0.0


def _is_whole(values: FloatArray) -> bool:
    return bool((np.abs(values - np.rint(values)) < NEAR_WHOLE).all() and np.abs(values).max(initial=0) < MOST_WHOLE)


def _dense_ranges(columns: PageColumns) -> list[int]:
    used = np.bincount(columns.row, minlength=columns.ranges)
    return np.flatnonzero(used * DENSE > columns.size).tolist()


def _dense_streams(columns: PageColumns, dense: list[int]) -> tuple[bytes, bytes]:
    near, far = [], []
    bounds = np.searchsorted(columns.row, np.arange(columns.ranges + 1))
    for row in dense:
        counts = np.zeros(columns.size, np.int64)
        part = slice(bounds[row], bounds[row + 1])
        counts[columns.column[part]] = columns.events[part].astype(np.int64)
        rest = signed(counts - expected(counts))
        is_far = rest >= FAR
        near.append(np.where(is_far, FAR, rest).astype(np.uint8).tobytes())
        far.append(varints(rest[is_far]))
    return b"".join(near), b"".join(far)


def expected(counts: IntArray) -> IntArray:
    """What each count is expected to be: the average of the PAST ones before it, rounded down; 0 at first."""
    upto = np.concatenate((np.zeros(PAST + 1, np.int64), np.cumsum(counts)))[:-1]
    return (upto[PAST:] - upto[:-PAST]) // PAST


def _gaps_between(row: IntArray, column: IntArray) -> IntArray:
    """Of each place in a range how many columns after the one before it is; of the first one after column -1."""
    before = np.concatenate(([-1], column[:-1]))
    before[np.flatnonzero(np.diff(row, prepend=-1))] = -1
    return column - before


def signed(values: IntArray) -> IntArray:
    """Signed numbers as numbers that are not."""
    return np.where(values < 0, -2 * values - 1, 2 * values)


def varints(values: IntArray) -> bytes:
    """Numbers from 0 on, as few bytes as possible each: 7 bits a byte, the lowest first, and 128 if there are more."""
    if not len(values):
        return b""
    most = max(-(-int(values.max()).bit_length() // 7), 1)
    shifts = 7 * np.arange(most)
    digits = (values[:, None] >> shifts) & 127
    follows = (values[:, None] >> (shifts + 7)) > 0
    kept = np.concatenate((np.ones((len(values), 1), np.bool_), follows[:, :-1]), axis=1)
    found: NDArray[np.uint8] = (digits + 128 * follows)[kept].astype(np.uint8)
    return found.tobytes()
