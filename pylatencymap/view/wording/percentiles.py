"""Percentiles over time: where they are on the rows of the maps, or in a strip of its own, one doubling a half cell."""

from __future__ import annotations

from functools import lru_cache
from math import ceil, floor, inf, isfinite, log2
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...units import format_latency, format_measured
from ...window import FloatArray, IntArray, Matrix
from ..layout.geometry import SlotArray
from ..layout.latency_rows import powers_of_two
from ..layout.layout import LEAST_STRIP
from ..layout.status import Status
from ..style.glyphs import Glyphs
from ..style.styled_text import StyledText, width_of
from ..style.styles import DIM, STRONG, TEXT, Ink, style
from .time_axis import column_span, column_text, is_dated

SignArray: TypeAlias = NDArray[np.int8]
MEDIAN, SLOW = 1, 2
"""The signs of p50 and of p99 in a strip; 0 is none."""
SIGN_STYLES = (0, style(Ink.TOTAL), style(Ink.CLIP))
MOST_STRIP = 11
"""Lines of a strip, with its heading."""
TITLE = "PERCENTILES"


class CurveMarks(NamedTuple):
    """Where p50 and p99 are in a map, [2, columns] each: the ``lines``, -1 for none; whether they are in the ``upper``
    half of a line with two rows; the row in the ``other`` half, -1 for none.
    """

    lines: IntArray
    upper: NDArray[np.bool_]
    other: IntArray


class Octaves(NamedTuple):
    """So many doublings from ``base`` seconds on."""

    base: float
    number: int


class PercentileStrip(NamedTuple):
    """The signs in the upper and the lower half of each cell, int8 [lines, columns]; a label for each line; the texts
    of the heading, and those right of the strip.
    """

    upper: SignArray
    lower: SignArray
    labels: tuple[str, ...]
    heading: StyledText
    beside: tuple[StyledText, ...]


def curve_marks(values: FloatArray, bounds: FloatArray, slots: SlotArray) -> CurveMarks:
    """The places of percentiles [2, columns] on the rows drawn. On a row of two lines, each has its half of the row."""
    rows = bounds.size - 1
    known = ~np.isnan(values)
    place = np.clip(np.searchsorted(bounds, np.nan_to_num(values), side="right") - 1, 0, max(rows - 1, 0))
    first, last = np.full(rows + 1, -1), np.full(rows + 1, -1)
    for line, (upper, lower) in reversed(list(enumerate(slots.tolist()))):
        for row in (upper, lower):
            first[row] = line
            last[row] = max(last[row], line)
    first[-1] = last[-1] = -1
    if not rows:
        none = np.full(values.shape, -1)
        return CurveMarks(none, np.zeros(values.shape, np.bool_), none)
    lines = np.where(known, np.where(_is_high(values, bounds, place), first[place], last[place]), -1)
    pair = slots[np.maximum(lines, 0)]
    divided = pair[..., 0] != pair[..., 1]
    upper_half = divided & (pair[..., 0] == place)
    other = np.where(divided, np.where(upper_half, pair[..., 1], pair[..., 0]), -1)
    return CurveMarks(lines, upper_half, other)


def _is_high(values: FloatArray, bounds: FloatArray, place: IntArray) -> NDArray[np.bool_]:
    """Whether a value is in the upper half of its row, on a logarithmic scale."""
    lower, upper = bounds[place], bounds[place + 1]
    middle = np.where(np.isfinite(upper), np.sqrt(np.maximum(lower, upper / 4) * upper), inf)
    high: NDArray[np.bool_] = np.nan_to_num(values) >= middle
    return high


def octaves_of(bounds: FloatArray) -> Octaves:
    """The doublings that rows with these bounds cover, cut where the labels of the maps are."""
    finite = bounds[np.isfinite(bounds) & (bounds > 0)]
    if not finite.size:
        return Octaves(1e-6, 1)
    named = finite[powers_of_two(finite)]
    anchor = float(named[0]) if named.size else 1e-6
    low, high = float(finite[0]), float(finite[-1])
    first = floor(log2(low / anchor) + 1e-9) - bool(bounds[0] <= 0)
    last = ceil(log2(high / anchor) - 1e-9) + (not isfinite(float(bounds[-1])))
    return Octaves(anchor * 2.0**first, max(last - first, 1))


def strip_demand(octaves: Octaves) -> int:
    """The lines of a strip, with its heading, that has one doubling in each half cell; of very many doublings more."""
    each = -(-octaves.number // (2 * (MOST_STRIP - 1)))
    return max(1 + -(-octaves.number // (2 * each)), LEAST_STRIP)


def tall_strip_demand(octaves: Octaves) -> int:
    """The lines of a strip, with its heading, that has one doubling in each cell."""
    return 1 + octaves.number


def percentile_strip(
    values: FloatArray, octaves: Octaves, lines: int, look: Glyphs, room: int, beside: tuple[StyledText, ...]
) -> PercentileStrip:
    """The strip of percentiles [2, columns] on so many lines without its heading, which has ``room`` characters."""
    each = 0.5 if lines >= octaves.number else float(-(-octaves.number // (2 * lines)))
    halves = np.floor(np.log2(np.maximum(np.nan_to_num(values), octaves.base) / octaves.base) / each + 1e-9)
    halves = np.where(np.isnan(values), -1, np.clip(halves, 0, 2 * lines - 1)).astype(np.intp)
    signs: SignArray = np.zeros((2 * lines + 1, values.shape[1]), np.int8)  # the last row takes what is not known
    columns = np.arange(values.shape[1])
    for sign, row in ((MEDIAN, halves[0]), (SLOW, halves[1])):
        signs[row, columns] = sign
    drawn = signs[:-1][::-1]
    return PercentileStrip(drawn[0::2], drawn[1::2], _labels(octaves, each, lines), _heading(look, room), beside)


@lru_cache(maxsize=64)
def _labels(octaves: Octaves, each: float, lines: int) -> tuple[str, ...]:
    """The bound between both halves of each line, from the top; the upper bound of a line of one doubling. Lines that
    are not needed have none.
    """
    used = ceil(octaves.number / (2 * each))
    ends = (each * (2 * line + 1 + (each < 1)) for line in range(lines))
    texts = [format_latency(octaves.base * 2.0**end) if line < used else "" for line, end in enumerate(ends)]
    return tuple(texts[::-1])


@lru_cache(maxsize=64)
def _heading(look: Glyphs, room: int) -> StyledText:
    signs = look.strip if not look.coloured else "▀▀"
    legend: StyledText = (
        (signs[0], SIGN_STYLES[MEDIAN] if look.coloured else TEXT),
        (" p50  ", DIM),
        (signs[1], SIGN_STYLES[SLOW] if look.coloured else STRONG),
        (" p99", DIM),
    )
    for words in ("  of each column   ", "  "):
        text = ((TITLE, STRONG), (words, DIM), *legend)
        if width_of(text) <= room:
            break
    return text


def worst_text(slow: FloatArray, matrix: Matrix, status: Status, room: int) -> tuple[StyledText, ...]:
    """The largest p99 of the columns, and when that was."""
    if np.isnan(slow).all():
        return ()
    place = int(np.nanargmax(slow))
    span = column_span(matrix.ends, status.interval)
    dated = is_dated(matrix.ends, span)
    when = column_text(int(matrix.ends[place]), span, status.tz, real=matrix.clock, dated=dated)
    worst = format_measured(float(slow[place]))
    lines: tuple[StyledText, ...] = ((("worst p99 ", DIM), (worst, TEXT)), ((when, DIM),))
    whole = (*lines[0], (" in ", DIM), *lines[1])
    if width_of(whole) <= room:
        return (whole,)
    return tuple(line for line in lines if width_of(line) <= room)
