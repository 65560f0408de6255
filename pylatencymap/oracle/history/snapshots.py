"""Makes records of snapshots: cumulative counts in milliseconds, with the exact time waited where it is known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from ...record import ESTIMATED, Bound, Range, Record, Semantics, Stamp, tidy_ranges
from ...report import Report
from ...stream import ORACLE_SOURCE, is_power_of_two, range_of
from ...units import Unit
from ..records import CountsByBound, event_series, stream_label
from ..server_clock import StartTimes, micros_of_utc
from .reading import KeptHistory, KeptSnapshot

MICRO = 1024
"""19c stores the bound 2^k us as 2^k / 1024 ms: small bounds are fractions, large ones look like whole milliseconds."""
TOP = {Unit.US: 1 << 32, Unit.MS: 1 << 22}
"""The live views end here. Rows beyond it, up to 1.8e16 ms, are no latencies and become one open range."""
ALIKE = 0.01
"""The exact sum is that of the counts if both count the same waits but for this share; they are kept one after the
other, so that a few waits are in one of them only.
"""
FEW = 2


@dataclass
class _WaitedSoFar:
    """The time waited of one event on one instance, in seconds, made to go with the counts: of each interval the mean
    of the sums, times its waits.
    """

    started: datetime | None = None
    counts: Bound = 0
    waits: Bound = 0
    micros: Bound = 0
    waited: float = 0.0

    def after(self, started: datetime, counts: Bound, sums: tuple[Bound, Bound] | None) -> tuple[float | None, bool]:
        """Take the next snapshot. Returns the time waited since start-up, and whether what was added is exact."""
        if started != self.started:
            self.started, self.counts, self.waits, self.micros, self.waited = started, 0, 0, 0, 0.0
        if sums is None:
            self.counts = counts
            return None, False
        counted, waits, micros = counts - self.counts, sums[0] - self.waits, sums[1] - self.micros
        self.counts, (self.waits, self.micros) = counts, sums
        if min(counted, waits, micros) < 0:
            return self.waited, False
        self.waited += float(micros) * float(counted) / float(waits) / 1e6 if waits else 0.0
        return self.waited, abs(waits - counted) <= max(FEW, ALIKE * counted)


class _Accounts:
    """What each event has waited on each instance, and in how many snapshots the two views disagree."""

    def __init__(self) -> None:
        self._waited: dict[tuple[int, str], _WaitedSoFar] = {}
        self.disagreeing = 0

    def after(self, one: KeptSnapshot, event: str, history: KeptHistory) -> tuple[float | None, frozenset[str]]:
        """The time waited since start-up, and ``ESTIMATED`` where what was added is not known exactly."""
        key = one.instance, one.number, event
        counts = sum(history.counts.get(key, {}).values())
        is_first = (one.instance, event) not in self._waited
        account = self._waited.setdefault((one.instance, event), _WaitedSoFar())
        sums = history.sums.get(key, (0, 0) if history.sums and not counts else None)
        waited, exact = account.after(one.started, counts, sums)
        self.disagreeing += sums is not None and not exact and not is_first
        return waited, frozenset() if exact or waited is None else frozenset({ESTIMATED})


def history_records(history: KeptHistory, events: Sequence[str], offset: timedelta, report: Report) -> Iterator[Record]:
    """A record for each snapshot, instance and event, by time. The snapshots' clock is ``offset`` ahead of UTC.

    Reports snapshots that are not used, and those whose exact sums do not go with the counts.
    """
    usable = [one for _, own in groupby(history.snapshots, lambda one: one.instance) for one in _rising(own, report)]
    fine = {event for (_, _, event), buckets in history.counts.items() if _is_fine(buckets)}
    known, accounts = StartTimes(), _Accounts()
    for line, one in enumerate(sorted(usable, key=lambda one: (one.ended, one.instance)), start=1):
        for event in events:
            if not _has_histogram(history, one, event):
                report.bad(line, f"snapshot {one.number} of instance {one.instance} has no buckets of {event}")
                continue
            series = event_series(event, one.instance)
            unit = Unit.US if event in fine else Unit.MS
            waited, flags = accounts.after(one, event, history)
            buckets = history.counts.get((one.instance, one.number, event), {})
            yield Record(
                series=series,
                unit=unit,
                ranges=_ranges(buckets, unit, report, line),
                semantics=Semantics.CUMULATIVE,
                stamp=Stamp(micros_of_utc(one.ended - offset)),
                start=known.micros(one.instance, one.started, offset),
                waited=waited,
                label=stream_label(series, history.view),
                source=ORACLE_SOURCE,
                flags=flags,
                line=line,
            )
    if accounts.disagreeing:
        report.say(_disagreement(accounts.disagreeing))


def _disagreement(number: int) -> str:
    many = "an interval" if number == 1 else f"{number} intervals"
    return f"the time waited of {many} is estimated: TOTAL_WAITS there is not the number of waits in the buckets"


def _rising(own: Iterable[KeptSnapshot], report: Report) -> Iterator[KeptSnapshot]:
    """The snapshots of an instance whose times rise: the clock of the snapshots is set back when summer time ends. What
    others counted is in the next one.
    """
    last: KeptSnapshot | None = None
    for one in own:
        if last is not None and one.ended <= last.ended:
            report.bad(one.number, f"snapshot {one.number} is not later than {last.number}: the clock was set back")
            continue
        last = one
        yield one


def _has_histogram(history: KeptHistory, one: KeptSnapshot, event: str) -> bool:
    """Whether an event that has waited has buckets: a low level of snapshots leaves them out."""
    key = one.instance, one.number, event
    return key in history.counts or not history.sums.get(key, (0, 0))[0]


def _is_fine(buckets: Iterable[Bound]) -> bool:
    return any(0 < bound < 1 for bound in buckets)


def _ranges(buckets: CountsByBound, unit: Unit, report: Report, number: int) -> tuple[Range, ...]:
    found: list[Range] = []
    for bound, count in buckets.items():
        label = round(bound * MICRO) if unit is Unit.US else bound
        if label > TOP[unit] and is_power_of_two(label):
            found.append((TOP[unit], None, count))
        elif (bounds := range_of(label, upper=True, unit=unit)) is not None:
            found.append((*bounds, count))
        else:
            report.bad(number, f"{bound} ms is no upper bound of a bucket")
    return tidy_ranges(found)
