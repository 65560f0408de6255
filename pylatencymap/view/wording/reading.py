"""The reading: what the maps say, in plain words."""

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ...window import FloatArray, Matrix
from ..layout.latency_rows import HiddenRows, powers_of_two
from ..style.styled_text import StyledSpan, StyledText, width_of
from ..style.styles import DIM, STRONG, TEXT, Ink, style
from .number_text import count_text, lasted_text, range_text, share_text, span_text

# The peaks of a distribution: the fast mode, the slow mode, and what each of them owns.


TENTH = 0.1
"""A mode is as wide as its full width at a tenth of its maximum."""
VALLEY = 0.5
"""Two peaks are two modes where the rows between them fall below this share of the smaller one."""
WORTH = 0.05
"""A mode has at least this share of the events or of the time waited."""


class Peak(NamedTuple):
    """Rows ``first`` to ``last`` (inclusive), [lower, upper) in seconds, and their shares (0 to 1) over the window."""

    first: int
    last: int
    lower: float
    upper: float
    events: float
    waited: float


def find_peaks(bounds: FloatArray, events: FloatArray, waited: FloatArray) -> tuple[Peak, ...]:
    """Modes of a distribution in rows [bounds[r], bounds[r + 1]), fastest first.

    Peaks are looked for in the mean of both shares, because the fast mode shows in the events and the slow one in the
    time waited. ``events`` and ``waited`` are sums per row.
    """
    if not events.size or events.sum() <= 0:
        return ()
    shares = events / events.sum(), waited / max(float(waited.sum()), 1e-300)
    profile = (shares[0] + shares[1]) / 2
    modes = [_mode(bounds, *shares, *extent) for extent in _extents(profile, _peaks(profile))]
    return tuple(mode for mode in modes if max(mode.events, mode.waited) >= WORTH)


def _mode(bounds: FloatArray, events: FloatArray, waited: FloatArray, first: int, last: int) -> Peak:
    rows = slice(first, last + 1)
    return Peak(
        first, last, float(bounds[first]), float(bounds[last + 1]), float(events[rows].sum()), float(waited[rows].sum())
    )


def _peaks(profile: FloatArray) -> list[int]:
    """Rows of the peaks, ascending: from the highest down, each one behind a valley from all before it."""
    found: list[int] = []
    for row in np.argsort(-profile, kind="stable").tolist():
        if profile[row] <= 0:
            break
        if all(profile[_valley(profile, row, peak)] < VALLEY * profile[row] for peak in found):
            found.append(row)
    return sorted(found)


def _valley(profile: FloatArray, one: int, other: int) -> int:
    """The lowest row from one to the other."""
    low, high = min(one, other), max(one, other)
    return low + int(profile[low : high + 1].argmin())


def _extents(profile: FloatArray, peaks: list[int]) -> list[tuple[int, int]]:
    """First and last row of each mode: at least a tenth of its peak, and no further than the next valley."""
    valleys = [_valley(profile, one, other) for one, other in pairwise(peaks)]
    limits = zip(peaks, [0, *valleys], [*valleys, profile.size], strict=True)
    return [_extent(profile, peak, start, stop) for peak, start, stop in limits]


def _extent(profile: FloatArray, peak: int, start: int, stop: int) -> tuple[int, int]:
    enough = profile >= TENTH * profile[peak]
    first = last = peak
    while first > start and enough[first - 1]:
        first -= 1
    while last + 1 < stop and enough[last + 1]:
        last += 1
    return first, last


DIFFERENT_SHARE = 0.30
"""Shares of events and wait that differ by more than this are joined by "but"."""
CHANGED = 0.10
"""A slow mode whose share of the events changed by less has no trend."""
ENDS = 15.0
"""Seconds at each end of the window that a trend compares, at least; in a short window a third of it."""
EVENT_STYLE = style(Ink.FREQUENCY)
WAIT_STYLE = style(Ink.INTENSITY)


class Reading(NamedTuple):
    """The modes of the window, on octaves, and the events [octaves, columns] that they were found in."""

    modes: tuple[Peak, ...]
    events: FloatArray


def read_matrix(matrix: Matrix) -> Reading:
    """Find the modes. They are looked for per octave, so that noise in narrow rows makes none."""
    if not matrix.rows or not matrix.columns:
        return Reading((), np.zeros((0, 0)))
    begins = powers_of_two(matrix.bounds[:-1])
    begins[[0, -1] if matrix.overflow else [0]] = True
    starts = np.flatnonzero(begins)
    events = np.add.reduceat(matrix.counts, starts, axis=0)
    waited = np.add.reduceat(matrix.waited, starts, axis=0)
    bounds = np.append(matrix.bounds[starts], matrix.bounds[-1])
    return Reading(find_peaks(bounds, events.sum(axis=1), waited.sum(axis=1)), events)


def reading_text(modes: tuple[Peak, ...], noun: str, width: int, *, short: bool, single: bool) -> StyledText:
    """The modes on one line, fastest first; where they do not fit, the smallest are left out and counted.

    ``short`` is the wording of small terminals, ``single`` names the mode with the most wait only.
    """
    by_wait = sorted(modes, key=lambda mode: mode.waited, reverse=True)
    kept = by_wait[:1] if single else sorted(by_wait, key=_size, reverse=True)
    while kept:
        spans = _joined(sorted(kept, key=lambda mode: mode.first), noun, short=short)
        if len(kept) < len(modes):
            spans.append((f"   +{len(modes) - len(kept)} more", DIM))
        if width_of(spans) <= width or len(kept) == 1:
            return tuple(spans)
        kept.pop()
    return ()


def trend_text(reading: Reading, seconds: FloatArray, noun: str) -> StyledText:
    """How the slow mode's share of the events changed from the first to the last seconds of the window; or nothing."""
    if len(reading.modes) < 2:
        return ()
    mode = reading.modes[-1]
    span = min(ENDS, float(seconds.sum()) / 3)
    early, late = _until(seconds, span), _until(seconds[::-1], span)[::-1]
    first, last = _share_in(reading.events, mode, early), _share_in(reading.events, mode, late)
    if first is None or last is None or abs(last - first) <= CHANGED or (early * late).any():
        return ()
    # Columns are not cut: the time that they cover is what is said.
    begun, ended = span_text(float(seconds @ early)), span_text(float(seconds @ late))
    return (
        (range_text(mode.lower, mode.upper), STRONG),
        ("  fell from " if last < first else "  rose from ", DIM),
        (share_text(first, "0 %"), EVENT_STYLE),
        (f" of {noun} (first {begun}) to ", DIM),
        (share_text(last, "0 %"), EVENT_STYLE),
        (f" (last {ended})", DIM),
    )


def hidden_text(hidden: HiddenRows, seconds: FloatArray, noun: str) -> StyledText:
    """What lies below the lowest row shown, over the window."""
    total = float(seconds.sum())
    rate = float(hidden.counts.sum()) / total if total else 0.0
    text = range_text(0.0, hidden.bound).removeprefix("< ")
    said = ((f"below {text}, not shown: ", DIM), (f"{count_text(rate, '0')} {noun}/s", TEXT))
    return (*said, (f" over the window of {lasted_text(total)}", DIM)) if total else said


def _size(mode: Peak) -> float:
    """A mode is as large as what it has the larger part of."""
    return max(mode.events, mode.waited)


def _joined(modes: Iterable[Peak], noun: str, *, short: bool) -> list[StyledSpan]:
    spans: list[StyledSpan] = []
    for mode in modes:
        spans += [("   " if short else "      ", TEXT)] if spans else []
        spans += _short(mode, noun) if short else _full(mode, noun)
    return spans


def _full(mode: Peak, noun: str) -> list[StyledSpan]:
    joint = " but " if abs(mode.events - mode.waited) > DIFFERENT_SHARE else " and "
    return [
        (range_text(mode.lower, mode.upper), STRONG),
        ("  ", TEXT),
        (f"{share_text(mode.events, '0 %')} of {noun}", EVENT_STYLE),
        (joint, DIM),
        (f"{share_text(mode.waited, '0 %')} of the wait", WAIT_STYLE),
    ]


def _short(mode: Peak, noun: str) -> list[StyledSpan]:
    return [
        (range_text(mode.lower, mode.upper), STRONG),
        (" ", TEXT),
        (f"{share_text(mode.events, '0 %')} {noun}", EVENT_STYLE),
        (" ", TEXT),
        (f"{share_text(mode.waited, '0 %')} wait", WAIT_STYLE),
    ]


def _until(seconds: FloatArray, span: float) -> FloatArray:
    """Which columns begin within the first ``span`` seconds."""
    return (np.cumsum(seconds) - seconds < span).astype(float)


def _share_in(events: FloatArray, mode: Peak, columns: FloatArray) -> float | None:
    """A mode's share of the events in some columns; None without events."""
    sums = events @ columns
    total = float(sums.sum())
    return float(sums[mode.first : mode.last + 1].sum()) / total if total else None
