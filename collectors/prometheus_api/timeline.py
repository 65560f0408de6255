"""The way of one histogram through time: differences of its totals as records, with restarts and holes told apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from statistics import median_low
from typing import NamedTuple

from ...record import GAP, KEPT, RESET, Bound, Record, Semantics, Stamp
from ...units import Unit
from .._metrics.estimated_sums import is_estimated
from .totals import BucketLayout, Totals, growth

HOLE = 2.5
"""A step of so many usual ones is a hole, if nothing is known of the scrapes between."""
STEPS_REMEMBERED = 9
ROUNDING = 1e-9
"""A sum is added up in floating point: by this part of itself it can fall."""


class Instance(NamedTuple):
    """What is known of the instance of a histogram, by moment: whether scrapes succeeded, when its process started."""

    up: Mapping[int, bool]
    process_starts: Mapping[int, int]


class Hole(NamedTuple):
    """A time without samples, from the last one to the next. ``silent``: the exporter did not answer; else Prometheus
    did not ask.
    """

    since: int
    until: int
    silent: bool


class _State(NamedTuple):
    moment: int
    totals: Totals
    created: int | None
    process_start: int | None


class Timeline:
    """The samples of one histogram, of which each moment is taken once. ``name`` and ``unit`` are those of its series;
    ``seconds`` is the length of one unit of its metric. ``holes`` are those of the samples since they were last taken,
    ``line`` is that of the answer.
    """

    def __init__(self, name: str, unit: Unit, seconds: Decimal, label: str) -> None:
        self._unit = unit
        self._seconds = seconds
        self._metric = label
        self._record = Record(name, unit, (), Semantics.INTERVAL, label=label, source="prometheus")
        self._last: _State | None = None
        self._after_zero = False
        self._steps: list[int] = []
        self.holes: list[Hole] = []
        self.line = 0

    @property
    def name(self) -> str:
        """The name of the series."""
        return self._record.series

    @property
    def unit_seconds(self) -> float:
        """The length of one unit of the metric."""
        return float(self._seconds)

    @property
    def last(self) -> int | None:
        """The moment of the last sample."""
        return None if self._last is None else self._last.moment

    def take(
        self, samples: Mapping[int, Totals], created: Mapping[int, int], instance: Instance, since: int | None = None
    ) -> Iterator[Record]:
        """The records of new samples. ``since``: a histogram that began after that moment began with nothing."""
        for moment in sorted(samples):
            if self._last is not None and moment <= self._last.moment:
                continue
            now = _State(moment, samples[moment], created.get(moment), instance.process_starts.get(moment))
            yield from self._first(now, since) if self._last is None else self._next(self._last, now, instance)
            if self._last is not None:
                self._steps = [*self._steps[1 - STEPS_REMEMBERED :], moment - self._last.moment]
            self._last = now if self._last is None else _known(now, self._last)

    def as_told(self, moment: int, totals: Totals, semantics: Semantics) -> Record:
        """A sample as a record of the numbers that it has."""
        return replace(
            self._record,
            ranges=totals.layout.ranges(totals.counts, self._seconds, self._unit),
            stamp=Stamp(moment),
            semantics=semantics,
            line=self.line,
        )

    def _first(self, now: _State, since: int | None) -> Iterator[Record]:
        """The first sample is the baseline, unless the counters began after it was known that they were not there."""
        if since is not None and now.created is not None and since <= now.created < now.moment:
            waited = self._waited(None, now)
            yield self._interval(now, now.created, now.totals.layout, now.totals.counts, waited, reset=False)

    def _next(self, last: _State, now: _State, instance: Instance) -> Iterator[Record]:
        if now.totals.is_zero and not last.totals.is_zero:
            self._after_zero = True  # the server tells when the counters began; what was before is lost
            yield self._gap(last.moment, now.moment)
            return
        grown, unknown_until = growth(last.totals, now.totals), self._hole(last, now, instance)
        began = _restarted_at(last, now)
        if began is not None or (grown is not None and grown.fell) or _has_less_sum(last, now):
            start = began or last.moment
            yield from self._gaps(last.moment, max(start, last.moment) if began else unknown_until)
            waited = self._waited(None, now)
            yield self._interval(now, start, now.totals.layout, now.totals.counts, waited, reset=True)
            return
        yield from self._gaps(last.moment, unknown_until)
        if grown is None:  # other bounds, that cut through those before: nobody knows where the events were
            yield from self._gaps(last.moment, now.moment)
            return
        waited = self._waited(last, now)
        yield self._interval(now, last.moment, grown.layout, grown.counts, waited, reset=self._after_zero)
        self._after_zero = False

    def _waited(self, last: _State | None, now: _State) -> float | None:
        """What was waited since an earlier sample, or since the counters began; None if that is not known exactly."""
        total, before = now.totals.sum, 0.0 if last is None else last.totals.sum
        told = None if last is None else last.totals.estimated
        if total is None or before is None or is_estimated(self._metric, told, now.totals.estimated):
            return None
        return total - before

    def _hole(self, last: _State, now: _State, instance: Instance) -> int:
        """The end of the time after the last sample in which nothing was scraped; that of the last sample if there is
        none. A histogram that was not in scrapes that succeeded was just away.
        """
        between = sorted(at for at in instance.up if last.moment < at < now.moment)
        failed = [at for at in between if not instance.up[at]]
        if failed:
            self.holes.append(Hole(last.moment, failed[-1], silent=True))
            return failed[-1]
        usual = median_low(self._steps) if self._steps else None
        known = [last.moment, *between, now.moment]
        since, until = max(pairwise(known), key=lambda pair: pair[1] - pair[0])
        if usual is None or until - since <= HOLE * usual:
            return last.moment
        self.holes.append(Hole(since, until, silent=False))
        return until - usual

    def _interval(
        self,
        now: _State,
        start: int,
        layout: BucketLayout,
        counts: Sequence[Bound],
        waited: float | None,
        *,
        reset: bool,
    ) -> Record:
        return replace(
            self._record,
            ranges=layout.ranges(counts, self._seconds, self._unit),
            stamp=Stamp(now.moment),
            start=start,
            waited=None if waited is None else waited * float(self._seconds),
            flags=_RESET if reset else _KEPT,
            line=self.line,
        )

    def _gaps(self, start: int, end: int) -> Iterator[Record]:
        if start < end:
            yield self._gap(start, end)

    def _gap(self, start: int, end: int) -> Record:
        return replace(self._record, stamp=Stamp(end), start=start, flags=_GAP)


_KEPT, _RESET, _GAP = (frozenset(flags) for flags in ({KEPT}, {KEPT, RESET}, {KEPT, GAP}))


def _known(now: _State, last: _State) -> _State:
    """A sample, completed by what earlier ones said."""
    totals = now.totals
    return now._replace(
        totals=totals._replace(estimated=last.totals.estimated) if totals.estimated is None else totals,
        created=last.created if now.created is None else now.created,
        process_start=last.process_start if now.process_start is None else now.process_start,
    )


def _restarted_at(last: _State, now: _State) -> int | None:
    """When the counters began anew, if the source tells that they did since the last sample: not before that sample."""
    for before, after in ((last.created, now.created), (last.process_start, now.process_start)):
        if before is not None and after is not None and before != after:
            return after if last.moment <= after < now.moment else last.moment
    return None


def _has_less_sum(last: _State, now: _State) -> bool:
    """Whether the time waited fell: no latency is negative."""
    before, after = last.totals.sum, now.totals.sum
    return before is not None and after is not None and after < before * (1 - ROUNDING)
