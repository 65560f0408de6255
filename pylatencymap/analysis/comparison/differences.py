"""The difference map: what each cell has more, or less, than the average of BEFORE in its row."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..density import FloatArray

NOISE = 2.0
"""Standard deviations of a row of BEFORE within which a difference is noise."""
ROUNDING = 1e-9
"""The part of an average within which a difference is what rounding leaves of sums."""
CLOSE = 1.5
"""Edges of two sources, in microseconds and in nanoseconds, make no rows narrower than that."""
SHARE_OF_DOUBLING = 1e-9
"""Edges are computed; one that misses a doubling by less than this part of itself is on it."""


@dataclass(frozen=True)
class RowRates:
    """One run in columns: ``rates`` [rows, columns], per second, and ``seconds`` [columns]; 0 is a gap."""

    rates: FloatArray
    seconds: FloatArray


@dataclass(frozen=True)
class Differences:
    """``reference`` [rows]: the average of BEFORE, per second; ``noise`` [rows]: the standard deviation of its columns;
    ``before`` and ``after``: for each run [rows, columns] the difference to the reference, 0 where it is noise.
    """

    reference: FloatArray
    noise: FloatArray
    before: tuple[FloatArray, ...]
    after: tuple[FloatArray, ...]


def average_rates(runs: Sequence[RowRates]) -> FloatArray:
    """The average of all columns of one run or more, weighted by their seconds, [rows]; 0 without data."""
    seconds = sum(float(run.seconds.sum()) for run in runs)
    sums = np.sum([run.rates @ run.seconds for run in runs], axis=0)
    return np.asarray(sums / seconds if seconds > 0 else sums * 0.0)


def differences(before: Sequence[RowRates], after: Sequence[RowRates]) -> Differences:
    """Each cell less the average of BEFORE in its row.

    The noise of a row is that of adjacent columns of BEFORE, so that a drift does not hide behind itself; a difference
    of less than two standard deviations is noise. Gaps have no difference; without data in BEFORE there is none.
    """
    reference, noise = average_rates(before), _noise(before)
    if not any((run.seconds > 0).any() for run in before):
        noise = np.full_like(noise, np.inf)
    found = [_beyond(run, reference, noise) for run in (*before, *after)]
    return Differences(reference, noise, tuple(found[: len(before)]), tuple(found[len(before) :]))


def _noise(runs: Sequence[RowRates]) -> FloatArray:
    """The standard deviation of a column, [rows], from the differences of adjacent columns with data; 0 if none are
    adjacent.
    """
    squares, pairs = np.zeros(len(runs[0].rates)), 0
    for run in runs:
        both = (run.seconds[1:] > 0) & (run.seconds[:-1] > 0)
        squares += (np.diff(run.rates, axis=1)[:, both] ** 2).sum(axis=1)
        pairs += int(np.count_nonzero(both))
    return np.asarray(np.sqrt(squares / (2 * pairs))) if pairs else squares


def _beyond(run: RowRates, reference: FloatArray, noise: FloatArray) -> FloatArray:
    found = run.rates - reference[:, None]
    found[np.abs(found) <= np.maximum(NOISE * noise, ROUNDING * reference)[:, None]] = 0.0
    found[:, run.seconds <= 0] = 0.0
    return np.asarray(found)


def rows_for_picture(weights: FloatArray, edges: FloatArray, most: int) -> list[int]:
    """The places in ``edges`` at which the rows of a picture begin, and where the last one ends; at least one row.

    Rows are doublings where the edges have them, and cover all ``weights`` [rows] above 0. If these are more than
    ``most``, neighbours are put together of which one has hardly any weight.
    """
    used = np.flatnonzero(weights)
    if not len(used):
        return [0, len(edges) - 1]
    first, last = int(used[0]), int(used[-1]) + 1
    places = [first]
    for place in range(first + 1, last):
        if _ends_row(float(edges[place]), float(edges[places[-1]])):
            places.append(place)
    places.append(last)
    while len(places) - 1 > max(most, 1):
        sums = np.add.reduceat(weights[:last], places[:-1])
        lost = np.minimum(sums[1:], sums[:-1])
        widest = np.diff(places)
        del places[1 + int(np.lexsort((sums[1:] + sums[:-1], widest[1:] + widest[:-1], lost))[0])]
    return places


def _ends_row(edge: float, begin: float) -> bool:
    """Whether a row of a picture that begins at ``begin`` ends at ``edge``: a doubling later, or at a power of two of
    microseconds, or of nanoseconds if that is not close by; most sources have such edges.
    """
    doubled = edge >= 2 * begin * (1 - SHARE_OF_DOUBLING)
    return doubled or _is_power(edge * 1e6) or (_is_power(edge * 1e9) and edge >= CLOSE * begin)


def doublings_between(low: float, high: float, edges: FloatArray) -> list[float]:
    """Bounds of rows for a picture between two ``edges``: powers of two of microseconds, if the source has some within
    a doubling of either, else doublings of the lower one.
    """
    if low <= 0 or not math.isfinite(high):
        return []
    near = edges[(edges >= low / 2 * (1 - SHARE_OF_DOUBLING)) & (edges <= high * 2 * (1 + SHARE_OF_DOUBLING))]
    on_powers = any(_is_power(float(edge) * 1e6) for edge in near)
    bound = 2.0 ** math.floor(math.log2(low * 1e6)) / 1e6 if on_powers else low
    found = []
    while (bound := bound * 2) < high * (1 - SHARE_OF_DOUBLING):
        if bound > low * (1 + SHARE_OF_DOUBLING):
            found.append(bound)
    return found


def _is_power(number: float) -> bool:
    """Whether a number is a power of two."""
    power = np.log2(number) if number > 0 else 0.5
    return bool(abs(power - round(power)) < SHARE_OF_DOUBLING)
