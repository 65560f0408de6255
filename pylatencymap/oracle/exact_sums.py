"""Exact times waited: the sums of GV$SYSTEM_EVENT beside the counts of the histogram.

The two views are not read at one instant, so that a sum can be a moment older or younger than the counts. What the
waits of an interval do not allow is owed to the next one: nothing is negative, and the total of a window is that of
the database. oralatencymap.sql has the same rules (``oracle_script/parts/sums.sql``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

from ..record import Bound
from ..stream import ranges_of
from ..units import Unit

FEW_WAITS, SHARE = 20, 1000
"""The views count the same waits if they differ by no more than FEW_WAITS and one in SHARE: since start-up, and also
since they were first compared, where the waits of one interval are allowed besides, because the views can be a moment
apart. The first alone would pass any difference of minutes after months of uptime.
"""
MOST_DEBTS = 5
"""If more is owed after so many samples in succession, the sums are not of these waits, and are not believed."""


class ToldSum(NamedTuple):
    """Waits since start-up and their time in microseconds, as GV$SYSTEM_EVENT has them; ``foreground`` is the part of
    the time that foreground sessions waited, None if the release does not say.
    """

    waits: Bound
    micros: Bound
    foreground: Bound | None = None


NOTHING = ToldSum(0, 0, 0)


class _Comparison(NamedTuple):
    """The waits of a series in both views: when they were first compared, and last. ``widest``: the most that
    the histogram counted in one interval.
    """

    first_told: Bound
    first_counted: Bound
    told: Bound
    counted: Bound
    widest: Bound = 0

    @property
    def are_the_same(self) -> bool:
        """Whether both count the same waits, to within what a moment between them can do."""
        return _agree(self.told, self.counted) and _agree(*self.since_first, self.widest)

    @property
    def since_first(self) -> tuple[Bound, Bound]:
        return self.told - self.first_told, self.counted - self.first_counted


class _Account(NamedTuple):
    """What is known of a series. ``counts``: waits by upper bound. ``told``: the last sum, None if it was not believed.
    ``given``: the microseconds that the records have so far; what is missing is owed. ``debts``: for how many samples
    the debt has grown. ``both``: how both views counted.
    """

    started: int | None
    counts: Mapping[Bound, Bound]
    told: ToldSum | None = None
    given: float = 0
    debts: int = 0
    both: _Comparison | None = None

    @property
    def owed(self) -> float:
        return 0.0 if self.told is None else abs(self.told.micros - self.given)


class ServerSums:
    """The sums of all series. ``say`` is told, once, why a time stays estimated. ``view``: where the sums come from."""

    def __init__(self, view: str, say: Callable[[str], None]) -> None:
        self.foreground: dict[str, tuple[float, float]] = {}
        """Microseconds waited since the first sample, by event: those of foreground sessions, and all."""
        self._view = view.upper()
        self._say = say
        self._has_said = False
        self._accounts: dict[str, _Account] = {}

    def seconds_waited(
        self, series: str, unit: Unit, counts: Mapping[Bound, Bound], started: int | None, told: ToldSum | None
    ) -> float | None:
        """The total for a record with these counts since start-up, in seconds; None if it is not known. The totals of a
        series grow by what its counts allow. ``told`` None: there is no sum.
        """
        last = self._accounts.get(series)
        is_new = last is not None and (last.started != started or _has_fallen(last.counts, counts))
        before = {} if last is None or is_new else last.counts
        found = _Account(started, {**before, **counts}, both=last and last.both)
        waits = sum(found.counts.values())
        if told is None and not waits:
            told = NOTHING
        if told is not None:
            both = _compared(last and last.both, told.waits, waits)
            found = found._replace(both=both)
            if self._is_believed(series, both):
                if last is None or (last.told is None and not is_new):
                    found = found._replace(told=told, given=told.micros)
                else:
                    found = self._grown(series, unit, found, told, _Account(started, {}, NOTHING) if is_new else last)
        self._accounts[series] = found
        return None if found.told is None else found.given / 1e6

    def _grown(self, series: str, unit: Unit, found: _Account, told: ToldSum, last: _Account) -> _Account:
        """The account after an interval in which both views were read."""
        if last.told is None or told.micros < last.told.micros:  # the sum began again, and the counts did not
            return found
        grown = {bound: count - last.counts.get(bound, 0) for bound, count in found.counts.items()}
        given = last.given + _possible_micros(grown, unit, told.micros - last.given)
        debts = last.debts + 1 if abs(told.micros - given) > last.owed + 1 else 0
        if debts > MOST_DEBTS:
            self._tell(f"the times of {self._view} for {series} do not fit the counts: they are estimated")
            return found
        self._count_foreground(series, told, last.told)
        return found._replace(told=told, given=given, debts=debts)

    def _is_believed(self, series: str, both: _Comparison) -> bool:
        """Whether both views count the same waits."""
        if both.are_the_same:
            return True
        are_alike = _agree(both.told, both.counted)
        told, counted = both.since_first if are_alike else (both.told, both.counted)
        since = f" since the first sample, of {both.counted} since start-up" * are_alike
        self._tell(
            f"{self._view} counts {told} waits of {series} and the histogram {counted}{since}: times waited are "
            "estimated while they differ"
        )
        return False

    def _count_foreground(self, series: str, told: ToldSum, last: ToldSum) -> None:
        if told.foreground is not None and last.foreground is not None:
            event = series.rpartition("@")[0]
            own, all_of_them = self.foreground.get(event, (0.0, 0.0))
            gained = max(float(told.foreground - last.foreground), 0.0)
            self.foreground[event] = own + gained, all_of_them + float(told.micros - last.micros)

    def _tell(self, why: str) -> None:
        if not self._has_said:
            self._has_said = True
            self._say(why)


def _compared(last: _Comparison | None, told: Bound, counted: Bound) -> _Comparison:
    """Both views; the comparison begins anew where either began again."""
    if last is None or told < last.told or counted < last.counted:
        return _Comparison(told, counted, told, counted)
    return last._replace(told=told, counted=counted, widest=max(last.widest, counted - last.counted))


def _agree(told: Bound, counted: Bound, besides: Bound = 0) -> bool:
    return abs(told - counted) <= FEW_WAITS + counted / SHARE + besides


def _has_fallen(before: Mapping[Bound, Bound], now: Mapping[Bound, Bound]) -> bool:
    return any(now.get(bound, count) < count for bound, count in before.items())


def _possible_micros(grown: Mapping[Bound, Bound], unit: Unit, wanted: float) -> float:
    """The sum of latencies, in microseconds, that is nearest to the wanted one and possible for these waits."""
    size = round(unit.seconds * 1e6)
    ranges = ranges_of(dict(grown), upper=True, unit=unit)
    least = sum(lower * count for lower, _, count in ranges) * size
    most = sum(math.inf if upper is None else upper * count for _, upper, count in ranges) * size
    return min(max(wanted, least), most)
