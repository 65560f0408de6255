"""The figures of a series, and of all together: events, time waited, percentiles, modes, each with its uncertainty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..analysis import Estimate, Modes, find_modes, half_of_time_above, percentiles_of, time_waited
from ..window import FloatArray
from .evidence import SeriesData

RANKS = {"p50": 0.5, "p90": 0.9, "p99": 0.99}
ALL = "all"
"""The name of all series together."""


@dataclass(frozen=True, slots=True)
class SeriesFigures:
    """``seconds`` is the time with data; ``waited`` has a band of no width where it is ``exact``; ``percentiles`` by
    their names, p50, p90 and p99; ``half``: half of the time waited is spent in waits longer than this. Latencies are
    None where there were no events. ``timed``: the seconds are known, and not only assumed.
    """

    name: str
    noun: str
    events: float
    seconds: float
    waited: Estimate
    exact: bool
    percentiles: dict[str, Estimate]
    half: Estimate | None
    modes: Modes
    timed: bool = True

    @property
    def rate(self) -> float:
        """Events per second; 0 where no time is known."""
        return self.events / self.seconds if self.seconds > 0 else 0.0

    @property
    def in_flight(self) -> float:
        """Seconds waited per second: the average number of events in progress."""
        return self.waited.value / self.seconds if self.seconds > 0 else 0.0

    @property
    def average(self) -> float | None:
        """Seconds per event."""
        return self.waited.value / self.events if self.events else None


def figures_of(data: SeriesData) -> SeriesFigures:
    """The figures of one series."""
    modes = find_modes(data.counts, data.edges, data.span, exact=data.exact, tick=data.tick)
    found = _figures(data.name, data.noun, data.total, data.edges, modes, data.exact, data.span, data.tick)
    return replace(found, timed=data.clock or data.measured > 1)


def figures_of_all(series: Sequence[SeriesData], each: Sequence[SeriesFigures]) -> SeriesFigures | None:
    """The figures of all series together, of which ``each`` has its own; None unless they count in the same rows."""
    edges = max((one.edges for one in series), key=len)
    total = np.zeros(len(edges) - 1)
    for one in series:
        first = int(np.searchsorted(edges, one.edges[0]))
        if not np.array_equal(edges[first : first + len(one.edges)], one.edges):
            return None
        total[first : first + len(one.total)] += one.total
    known = [one.exact for one in series if one.exact is not None]
    exact = sum(known) if len(known) == len(series) else None
    nouns = {one.noun for one in series}
    span = max(one.span for one in series)
    ticks = {one.tick for one in series}
    tick = ticks.pop() if len(ticks) == 1 else None
    modes = find_modes(total, edges, span, exact=exact, bunch=max(one.modes.bunch for one in each), tick=tick)
    found = _figures(ALL, nouns.pop() if len(nouns) == 1 else "events", total, edges, modes, exact, span, tick)
    sums = (sum(getattr(one.waited, end) for one in each) for end in ("value", "low", "high"))
    # What all waited is what each waited, and not an estimate of its own, which could be less.
    return replace(found, waited=Estimate(*sums), timed=all(one.timed for one in each))


def _figures(
    name: str,
    noun: str,
    total: FloatArray,
    edges: FloatArray,
    modes: Modes,
    exact: float | None,
    span: float,
    tick: float | None,
) -> SeriesFigures:
    bunch = modes.bunch
    found = percentiles_of(total, edges, tuple(RANKS.values()), exact=exact, bunch=bunch, tick=tick)
    return SeriesFigures(
        name,
        noun,
        float(total.sum()),
        span,
        time_waited(total, edges, exact=exact, bunch=bunch, tick=tick),
        exact is not None,
        dict(zip(RANKS, found, strict=False)),  # without events there are none
        half_of_time_above(total, edges, exact=exact, bunch=bunch, tick=tick),
        modes,
    )
