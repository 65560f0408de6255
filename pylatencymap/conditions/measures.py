"""What conditions measure: values of one series, each with its band, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, inf, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..analysis import ENOUGH, Estimate, Modes, bunching_of, find_modes, percentile, share_above_threshold, time_waited
from ..window import GAP_BIT, UNCLOCKED_BIT, Selection, Window
from .syntax import Kind, MeasureCall

FloatArray = NDArray[np.float64]
SIGMAS = 1.96
"""Standard deviations of a band that holds the truth in 95 %."""


class NotMeasured(Exception):
    """A value does not exist, or the events are too few to tell it; the message says why."""


class Recorded(NamedTuple):
    """A run: names of its series, most time waited first, and how to get the columns of one.

    ``of_itself``: conditions are about the events that were measured, and not about what they are a sample of. Then
    those that come in bursts count in full when there must be enough of them.
    """

    names: tuple[str, ...]
    select: Callable[[str], Selection]
    of_itself: bool = False


def recorded_series(window: Window, start: int | None = None, end: int | None = None) -> Recorded:
    """All series of a window; with ``start`` and ``end``, epoch microseconds, of the intervals that end between."""
    return Recorded(tuple(window.by_time_waited()), lambda name: window.between(name, start, end))


def recorded_lately(window: Window, moment: int, span: int) -> Recorded:
    """All series of a window over the last ``span`` before a moment, both in microseconds. To select a series of which
    a part of that time was not measured raises NotMeasured: no data prove nothing.
    """
    return Recorded(tuple(window.by_time_waited()), lambda name: _measured_lately(window, name, moment, span), True)


COVERED = 0.999
"""What must have been measured of a span: times are rounded."""


def _measured_lately(window: Window, name: str, moment: int, span: int) -> Selection:
    """The intervals of a series that cover the ``span`` before a moment, the one in which it begins included. Series do
    not end all at once: one may be an interval behind.
    """
    history = window[name]
    stop = history.count_until(moment)
    newest = history.columns(max(stop - 1, 0), stop)
    end = int(newest["end"].max(initial=0))
    if moment - end > end - int(newest["start"].max(initial=0)):
        raise NotMeasured(f"{name} has no data now")
    begin = end - span
    columns = history.columns(history.count_until(begin), stop)
    measured = columns[columns["flags"] & GAP_BIT == 0]
    seen = np.maximum(measured["end"] - np.maximum(measured["start"], begin), 0).sum()
    if seen < COVERED * span:
        raise NotMeasured(f"{name} was measured for {seen / 1e6:.0f} s of the last {span / 1e6:.0f} s")
    return window.between(name, begin, end)


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured: ``measure``, as the condition writes it, in a series.

    ``value`` is the estimate; the truth lies between ``low`` and ``high``. ``unit`` is "s", "share" (0 to 1),
    "per second", "s per second" or "". ``least`` and ``most`` differ from the value where it lies in a range without
    an end: there is no estimate then, and it can be anything between them.
    """

    measure: str
    series: str
    value: float
    low: float
    high: float
    unit: str
    least: float
    most: float

    def times(self, factor: float) -> Measured:
        """So many times as much."""

        def scaled(number: float) -> float:
            return factor * number if number else 0.0  # infinity times 0 is no number

        value, low, high = scaled(self.value), scaled(self.low), scaled(self.high)
        return replace(self, value=value, low=low, high=high, least=scaled(self.least), most=scaled(self.most))


UNIT_OF = {
    Kind.LATENCY: "s",
    Kind.SHARE: "share",
    Kind.RATE: "per second",
    Kind.WAIT: "s per second",
    Kind.NUMBER: "",
}
PER_SECOND = (Kind.RATE, Kind.WAIT)
"""What is measured per second: not known where the length of the only interval is assumed."""


class SeriesMeasures:
    """The measures of one series; raises NotMeasured for one that has no value."""

    def __init__(self, name: str, selection: Selection, *, of_itself: bool = False) -> None:
        self._selection = selection
        self._edges, self._counts = selection.rows()
        self._columns: FloatArray = selection.columns["seconds"]
        self._of_itself = of_itself
        self.name = name
        self.events = float(self._counts.sum())
        self.seconds = float(self._columns.sum())
        clock = not (selection.columns["flags"] & UNCLOCKED_BIT).any()
        self._timed = clock or np.count_nonzero(self._columns > 0) > 1

    def measure(self, call: MeasureCall) -> Measured:
        """The value of a measure, without its factor."""
        if self.seconds <= 0:
            raise NotMeasured(f"{self._called(call)} has no interval")
        if call.kind in PER_SECOND and not self._timed:
            raise NotMeasured(f"{self._called(call)} has one interval of unknown length; {call.name} needs its seconds")
        estimate, least, most = self._estimate(call)
        unit = UNIT_OF[call.kind]
        return Measured(call.called, self.name, estimate.value, estimate.low, estimate.high, unit, least, most)

    def _estimate(self, call: MeasureCall) -> tuple[Estimate, float, float]:
        """The value with its band, and what it can be for all that is known about ranges without an end."""
        if call.rank is not None:
            return self._percentile(call, call.rank)
        if call.argument is not None:
            return self._above(call, call.argument.value)
        if call.name == "modes":
            self._need(call, ENOUGH)
            found = Estimate(self._modes.sure, self._modes.sure, self._modes.possible)
        elif call.name == "rate":
            found = self._rate()
        elif call.name == "events":
            found = Estimate(self.events, self.events, self.events)
        else:
            if call.name == "average":
                self._need(call, ENOUGH)
            return self._time(self.events if call.name == "average" else self.seconds)
        return found, found.value, found.value

    def _percentile(self, call: MeasureCall, rank: float) -> tuple[Estimate, float, float]:
        self._need(call, max(ENOUGH, ceil(1 / min(rank, 1 - rank) - 1e-6)))
        found = percentile(self._counts, self._edges, rank, exact=self._exact, bunch=self._bunch, tick=self._tick)
        assert found is not None  # there are events
        is_open = self._open_events > 0 and rank * self.events > self.events - self._open_events
        return found, found.value, found.high if is_open else found.value

    def _above(self, call: MeasureCall, threshold: float) -> tuple[Estimate, float, float]:
        self._need(call, ENOUGH)
        shares = share_above_threshold(
            self._counts, self._edges, threshold, exact=self._exact, bunch=self._bunch, tick=self._tick
        )
        assert shares is not None  # there are events
        by_events = call.name == "events_above"
        found = shares.events if by_events else shares.waited
        if not by_events and self._waited().value <= 0:
            raise NotMeasured(f"{self._called(call)} waited for nothing")
        if self._open_events and threshold > self._edges[-2]:
            return found, found.low, found.high
        if self._open_events and not by_events and self._exact is None:
            return found, found.value, found.high  # they waited at least so long
        return found, found.value, found.value

    def _rate(self) -> Estimate:
        """Events per second, and where the rate lies of which so many independent events were seen."""
        seen = self.events / self._bunch
        middle, spread = seen + SIGMAS**2 / 2, SIGMAS * sqrt(seen + SIGMAS**2 / 4)
        scale = self._bunch / self.seconds
        return Estimate(self.events / self.seconds, max(middle - spread, 0.0) * scale, (middle + spread) * scale)

    def _time(self, divisor: float) -> tuple[Estimate, float, float]:
        """The time waited, by event or by second."""
        waited = self._waited()
        found = Estimate(waited.value / divisor, waited.low / divisor, waited.high / divisor)
        if self._open_events and self._exact is None:
            return found, min(found.low, found.value), inf
        return found, found.value, found.value

    def _waited(self) -> Estimate:
        return time_waited(self._counts, self._edges, exact=self._exact, bunch=self._bunch, tick=self._tick)

    def _need(self, call: MeasureCall, least: int) -> None:
        """Raise NotMeasured with fewer independent events."""
        if self.events >= least and (self._of_itself or self.events / self._bunch >= least):
            return
        bursts = ""
        if self._bunch > 1 and self.events >= least:
            bursts = f" that count as {self.events / self._bunch:,.0f}, because they come in bursts"
        events = f"{self.events:,.0f} event{'' if self.events == 1 else 's'}"
        raise NotMeasured(f"{self._called(call)} has {events}{bursts}; {call.name} needs {least:,}")

    def _called(self, call: MeasureCall) -> str:
        return f"before's {self.name}" if call.of_before else self.name

    @cached_property
    def _open_events(self) -> float:
        """Events in a range without an end."""
        return float(self._counts[-1].sum()) if len(self._counts) and self._edges[-1] == inf else 0.0

    # Alerts measure once a second: what a measure does not need is not computed.

    @cached_property
    def _exact(self) -> float | None:
        """Seconds that all events waited, if the source says so."""
        about = self._selection.summary()
        return None if about.estimated else about.waited

    @cached_property
    def _modes(self) -> Modes:
        return find_modes(
            self._counts, self._edges, self._columns, exact=self._exact, bunch=self._bunch, tick=self._tick
        )

    @cached_property
    def _tick(self) -> float | None:
        return self._selection.tick

    @cached_property
    def _bunch(self) -> float:
        """So many events count as one that is independent."""
        return bunching_of(self._counts, None)
