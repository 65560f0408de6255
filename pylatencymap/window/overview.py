"""The whole history in one line: the worst minute in each part of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .column_zoom import MINUTE, whole_micros
from .history import History
from .matrix import FloatArray
from .store import GAP_BIT


class Overview(NamedTuple):
    """``rates`` float64 [parts]: seconds waited per second in the worst minute of each part, NaN where nothing was
    measured; ``begin`` and ``end``: epoch microseconds. ``unit``: the seconds of such a minute, which is longer in
    years of data, and shorter in minutes of them.
    """

    rates: FloatArray
    begin: int
    end: int
    unit: float

    def resampled(self, parts: int) -> FloatArray:
        """The worst minute in each of so many parts; not more than there are."""
        starts = np.arange(parts) * len(self.rates) // parts
        worst = np.maximum.reduceat(np.where(np.isnan(self.rates), -1.0, self.rates), starts)
        return np.where(worst < 0, np.nan, worst)


AT_ONCE = 16_384
"""Columns that are looked at together."""
MOST_MINUTES = 500_000
"""A wrong stamp can make a history centuries long."""
ROUNDING = 1e-9
FEWEST_MINUTES = 2
"""Of fewer minutes none is looked for."""
LEAST_MEASURED = 0.1e-6
"""A minute of which less was measured (seconds for each microsecond of it) says little about it."""
FINER = 4
"""An overview has so many parts for each character of the line in which it is drawn, because lines differ in length."""


def overview_of(histories: Sequence[History], characters: int) -> Overview:
    """All that is kept of these series together, for a line of at most so many characters."""
    parts = FINER * characters
    begin, end = min(one.start for one in histories), max(one.end for one in histories)
    usual = min(one.usual_seconds() for one in histories)
    unit = max(whole_micros(usual), min(whole_micros(MINUTE), (end - begin) // characters), 1)
    unit = max(unit, (end - begin) // MOST_MINUTES)
    slots = (end - begin) // unit + 1
    waited, seconds = np.zeros(slots), np.zeros(slots)
    for history in histories:
        its_waited, its_seconds = _slotted(history, begin, unit, slots)
        waited += its_waited
        seconds = np.maximum(seconds, its_seconds)
    known = np.flatnonzero(seconds > 0)
    rates = np.full(parts, -1.0)
    # A slot belongs to all parts that it touches, so that none of them is empty between two others.
    each = unit * parts / max(end - begin, 1)
    first = np.floor(known * each + ROUNDING).astype(np.int64)
    last = np.maximum(np.minimum(np.ceil((known + 1) * each - ROUNDING), parts).astype(np.int64) - 1, first)
    for shift in range(int((last - first).max(initial=0)) + 1):
        places = np.minimum(np.minimum(first + shift, last), parts - 1)
        np.maximum.at(rates, places, waited[known] / seconds[known])
    return Overview(np.where(rates < 0, np.nan, rates), begin, end, unit / 1e6)


MOST_PARTS = 1024
"""Parts of a curve. When there would be more, two become one."""


class WaitCurve:
    """The time waited per second over all that is kept of one series, brought up to date in short steps."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._start_anew()

    def _start_anew(self) -> None:
        self._version = self._history.version
        self._begin, self._next = self._history.start, 0
        self._unit = max(whole_micros(self._history.usual_seconds()), 1)
        self._waited, self._seconds = np.zeros(MOST_PARTS), np.zeros(MOST_PARTS)

    @property
    def is_whole(self) -> bool:
        """Whether all columns are in the curve."""
        return self._version == self._history.version and self._next == len(self._history)

    def step(self) -> None:
        """Take some thousand columns more."""
        history = self._history
        if self._version != history.version or history.start < self._begin:  # columns have other numbers now
            self._start_anew()
        first, stop = self._next, min(self._next + AT_ONCE, len(history))
        if first >= stop:
            return
        last = int(history.columns(stop - 1, stop)["end"][0])
        while (last - self._begin) // self._unit >= MOST_PARTS:
            self._unit *= 2
            self._waited, self._seconds = (_halved(one) for one in (self._waited, self._seconds))
        waited, seconds = _slotted(history, self._begin, self._unit, MOST_PARTS, first, stop)
        self._waited += waited
        self._seconds += seconds
        self._next = stop

    def rates(self, parts: int) -> FloatArray:
        """Seconds waited per second in the worst piece of each of so many parts; NaN where nothing was measured."""
        used = int(np.flatnonzero(self._seconds)[-1]) + 1 if self._seconds.any() else 0
        if not used:
            return np.full(parts, np.nan)
        known = self._seconds[:used] > self._unit * LEAST_MEASURED
        rates = np.where(known, self._waited[:used] / np.maximum(self._seconds[:used], 1e-9), -1.0)
        if used < parts:
            worst = rates[np.arange(parts) * used // parts]
        else:
            worst = np.maximum.reduceat(rates, np.arange(parts) * used // parts)
        return np.where(worst < 0, np.nan, worst)


def _halved(values: FloatArray) -> FloatArray:
    """Each two adjacent values as one, and as many zeros behind them."""
    return np.concatenate((values.reshape(-1, 2).sum(axis=1), np.zeros(len(values) // 2)))


def costliest_minute(histories: Sequence[History], begin: int, end: int) -> int:
    """The middle of the minute between two moments (epoch microseconds) in which these series together waited most, or
    of the interval if that is longer. Where there is no such choice, the middle between both moments.
    """
    unit = whole_micros(max(MINUTE, *(one.usual_seconds() for one in histories)))
    slots = -(-(end - begin) // unit)
    if slots < FEWEST_MINUTES:
        return (begin + end) // 2
    waited, seconds = np.zeros(slots), np.zeros(slots)
    for history in histories:
        first, stop = history.count_until(begin), history.count_until(end)
        its_waited, its_seconds = _slotted(history, begin, unit, slots, first, stop)
        waited += its_waited
        seconds = np.maximum(seconds, its_seconds)
    rates = np.divide(waited, seconds, out=np.zeros(slots), where=seconds > unit * LEAST_MEASURED)
    if rates.max() <= 0:
        return (begin + end) // 2
    first = begin + int(rates.argmax()) * unit
    return (first + min(first + unit, end)) // 2


def _slotted(
    history: History, begin: int, unit: int, slots: int, first: int = 0, stop: int | None = None
) -> tuple[FloatArray, FloatArray]:
    """Seconds waited and seconds measured in each slot of ``unit`` microseconds. Long columns are spread evenly, over
    the time since the column before: those of damaged times can overlap.
    """
    waited: FloatArray = np.zeros(slots)
    seconds: FloatArray = np.zeros(slots)
    before = 0
    stop = len(history) if stop is None else stop
    for number in range(first, stop, AT_ONCE):
        columns = history.columns(number, min(number + AT_ONCE, stop))
        columns = columns[(columns["seconds"] > 0) & (columns["flags"] & GAP_BIT == 0)]
        if not len(columns):
            continue
        ends = columns["end"].astype(np.int64) - begin
        since = np.maximum(np.diff(ends, prepend=before) // unit, 0) + 1  # a column can end before the one before it
        before = int(ends[-1])
        pieces = np.clip(np.round(columns["seconds"] * 1e6 / unit).astype(np.int64), 1, since)
        index = np.repeat(np.arange(len(columns)), pieces)
        back = np.cumsum(pieces)[index] - 1 - np.arange(len(index))
        places = np.clip((ends[index] - 1 - back * unit) // unit, 0, slots - 1)
        share = 1.0 / pieces[index]
        np.add.at(waited, places, columns["waited"][index] * share)
        np.add.at(seconds, places, columns["seconds"][index] * share)
    return waited, seconds
