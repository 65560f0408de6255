"""The reading: says in plain words which modes the maps show, and how the slow one changed."""

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ...number_text import count_text, lasted_text, range_text, share_text, span_text
from ...window import FloatArray, Matrix
from ..layout.latency_rows import HiddenRows, powers_of_two
from ..style.styled_text import StyledSpan, StyledText, width_of
from ..style.styles import DIM, STRONG, TEXT, Ink, style

# The peaks of a distribution (the fast mode, the slow mode), and the share of events and wait in each.


TENTH = 0.1
"""A mode extends over the adjacent rows that have at least this share of its peak."""
VALLEY = 0.5
"""Two peaks are two modes if a row between them is below this share of the smaller peak."""
WORTH = 0.05
"""A mode is listed if it has at least this share of the events or of the time waited."""


class Peak(NamedTuple):
    """A mode: rows ``first`` to ``last`` (included), [lower, upper) in seconds.

    ``events`` and ``waited`` are its shares (0 to 1) of the window.
    """

    first: int
    last: int
    lower: float
    upper: float
    events: float
    waited: float


def find_peaks(bounds: FloatArray, events: FloatArray, waited: FloatArray) -> tuple[Peak, ...]:
    """The modes of a distribution in rows [bounds[r], bounds[r + 1]), fastest first.

    ``events`` and ``waited`` are sums per row. Peaks are searched for in the mean of both shares, because the fast mode
    shows in the events and the slow mode in the time waited.
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
    """The rows of the peaks, ascending.

    Rows are tried from the highest down. A row is a peak if a valley separates it from every peak found before.
    """
    found: list[int] = []
    for row in np.argsort(-profile, kind="stable").tolist():
        if profile[row] <= 0:
            break
        if all(profile[_valley(profile, row, peak)] < VALLEY * profile[row] for peak in found):
            found.append(row)
    return sorted(found)


def _valley(profile: FloatArray, one: int, other: int) -> int:
    """The row with the lowest value between two rows, both included."""
    low, high = min(one, other), max(one, other)
    return low + int(profile[low : high + 1].argmin())


def _extents(profile: FloatArray, peaks: list[int]) -> list[tuple[int, int]]:
    """The first and last row of each mode: rows with at least a TENTH of its peak, up to the next valley."""
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
"""If the shares of events and wait differ by more than this, "but" joins them, else "and"."""
CHANGED = 0.10
"""The share of the slow mode must change by more than this to be reported as a trend."""
ENDS = 15.0
"""A trend compares this many seconds at each end of the window, but at most a third of the window."""
EVENT_STYLE = style(Ink.FREQUENCY)
WAIT_STYLE = style(Ink.INTENSITY)


class Reading(NamedTuple):
    """The modes of the window, in rows of one octave, and the events [octaves, columns] in which they were found."""

    peaks: tuple[Peak, ...]
    events: FloatArray


def read_matrix(matrix: Matrix) -> Reading:
    """Find the modes. The search uses octaves, so that noise in narrow rows does not look like modes."""
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
    """The modes on one line, fastest first. If they do not fit, the smallest are left out and their number is shown.

    ``short`` is the wording for small terminals. ``single`` names only the mode with the most wait.
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
    """How the slow mode's share of the events changed from the start to the end of the window; empty if it did not."""
    if len(reading.peaks) < 2:
        return ()
    mode = reading.peaks[-1]
    span = min(ENDS, float(seconds.sum()) / 3)
    early, late = _until(seconds, span), _until(seconds[::-1], span)[::-1]
    first, last = _share_in(reading.events, mode, early), _share_in(reading.events, mode, late)
    if first is None or last is None or abs(last - first) <= CHANGED or (early * late).any():
        return ()
    # Columns are compared whole, so the text gives the time that they really cover.
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
    """What is below the lowest row shown, over the window."""
    total = float(seconds.sum())
    rate = float(hidden.counts.sum()) / total if total else 0.0
    text = range_text(0.0, hidden.bound).removeprefix("< ")
    said = ((f"below {text}, not shown: ", DIM), (f"{count_text(rate, '0')} {noun}/s", TEXT))
    return (*said, (f" over the window of {lasted_text(total)}", DIM)) if total else said


def _size(mode: Peak) -> float:
    """The size of a mode: its share of the events or of the wait, whichever is larger."""
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
    """1.0 for each column that begins within the first ``span`` seconds, 0.0 for the others."""
    return (np.cumsum(seconds) - seconds < span).astype(float)


def _share_in(events: FloatArray, mode: Peak, columns: FloatArray) -> float | None:
    """A mode's share of the events in the ``columns`` marked 1.0; None without events."""
    sums = events @ columns
    total = float(sums.sum())
    return float(sums[mode.first : mode.last + 1].sum()) / total if total else None
