"""The intervals of one series: from its records to differences, resets and gaps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ..interval import Interval, midpoint_time
from ..record import (
    DOUBTFUL,
    ESTIMATED,
    GAP,
    IDLE,
    KEPT,
    RESET,
    Clock,
    Range,
    Record,
    Semantics,
    tidy_ranges,
    without_zeros,
)
from ..report import Report
from ..text import PAUSE_SECONDS
from ..units import Unit
from .batch import Batches
from .nominal import GAP_FACTOR, STEPS_REMEMBERED, low_median
from .options import DEFAULT_INTERVAL
from .timing.clock import GRID_SECONDS
from .totals import HeldTotals, Meaning, SumsJudge, TotalsJudge, Verdict, is_possible_sum, sum_limits

SPIKE_FACTOR = 10
"""After a reset, a record with a rate of more than this many times the recent median becomes a new baseline."""

LONGEST_WAIT = 86_400.0
"""Seconds that a held record waits at most: a damaged stamp can make an interval of centuries."""

_NEUTRAL_FLAGS = frozenset({KEPT, IDLE, DOUBTFUL})
"""Flags of a record that change nothing in its interval."""

_DROPPED = "the counts of {!r} do not fit those before and after; the record is damaged and is dropped"
_TOO_HIGH = "the record of {!r} before this one was damaged: its counts were too high, and are shown"


class SeriesIntervals:
    """Makes the intervals of one series of its records, one after the other."""

    __slots__ = (  # a source can have 100,000 series
        "_carried",
        "_end",
        "_has_doubted_sums",
        "_judge",
        "_last_waited",
        "_name",
        "_rates",
        "_report",
        "_silences",
        "_silent_until",
        "_sums",
        "_template",
        "_uncounted",
        "key",
    )

    def __init__(self, key: tuple[str, Unit], name: str, judge: TotalsJudge, report: Report) -> None:
        self.key = key
        self._name = name
        self._judge = judge
        self._sums: SumsJudge | None = None
        self._report = report
        self._has_doubted_sums = False
        self._last_waited: float | None = None
        self._end: int | None = None
        self._rates: Sequence[float] = ()
        self._template: Interval | None = None
        self._uncounted: tuple[Record, ...] = ()
        self._silences: tuple[tuple[int, int], ...] = ()
        self._silent_until = 0
        self._carried: tuple[tuple[Range, ...], bool] = ((), False)

    @property
    def held(self) -> Record | None:
        """The record that is held, the first of several."""
        held = None if self._sums is None else self._sums.held
        return self._judge.held if held is None else held.record

    @property
    def held_end(self) -> int:
        """The stamp of that record, in epoch microseconds."""
        record = self.held
        return 0 if record is None or record.stamp is None else record.stamp.micros

    @property
    def holds_until(self) -> int:
        """The stamp up to which it waits, in epoch microseconds."""
        return self.held_end + round(GAP_FACTOR * 1e6 * self._usual_seconds())

    @property
    def waits_until(self) -> float | None:
        """The moment up to which it waits, in monotonic seconds; None if it did not arrive live."""
        record = self.held
        if record is None or record.arrival is None:
            return None
        waits_for_pause = self._judge.waits_for_pause and (self._sums is None or self._sums.held is None)
        longest = min(GAP_FACTOR * self._usual_seconds(), LONGEST_WAIT)
        return record.arrival + (PAUSE_SECONDS if waits_for_pause else longest)

    def _usual_seconds(self) -> float:
        """The length of the last interval, or of the one that the held record ends."""
        if self._template is not None and not self._template.gap:
            return self._template.seconds
        return DEFAULT_INTERVAL if self._end is None else max((self.held_end - self._end) / 1e6, DEFAULT_INTERVAL)

    # Many records at once: what they need of the ones before, and what the next ones need of them.

    @property
    def name(self) -> str:
        """The name of its intervals."""
        return self._name

    @property
    def end(self) -> int:
        """When its last interval, or baseline, ended: epoch microseconds, less than any if there was none."""
        return -(1 << 62) if self._end is None else self._end

    @property
    def takes_intervals(self) -> bool:
        """Whether records per interval mean what they say, whatever came before."""
        return not (self._judge.has_begun or self._silences)

    def steady_totals(self, arrival: float | None) -> HeldTotals | None:
        """The record of totals that is held, if the next one, of this ``arrival``, confirms it by its counts alone."""
        is_plain = self._sums is None and not self._silences and self._carried == ((), False)
        if not is_plain or self._template is None or self._end is None or self._last_waited is not None:
            return None
        if len(self._uncounted) != 1 or self._uncounted[0].seconds is not None:
            return None
        return self._judge.steady(arrival)

    def go_on(self, last: Batches) -> None:
        """Intervals were made without this; the ``last`` ones of them."""
        *_, template = found = list(last.intervals())
        self._end = template.end
        self._template = replace(template, ranges=())
        rates = [float(one.events) / one.seconds for one in found if one.seconds > 0]
        self._rates = (*self._rates, *rates)[-STEPS_REMEMBERED:]

    def confirm(self, records: list[Record], last: Batches, rates: list[float]) -> None:
        """The same of totals, of which ``records`` are the last three: the last of them is held. ``rates``: see
        ``TotalsJudge.go_on``.
        """
        self.go_on(last)
        self._judge.go_on(records, rates)
        self._uncounted = (records[-1],)

    def take(self, record: Record) -> Iterator[Interval]:
        if record.semantics is Semantics.CUMULATIVE:
            self._uncounted = (*self._uncounted, record)
            yield from self._judged(self._judge.take(record))
            if self._silences:
                yield from self._gaps()
        else:
            if self._judge.has_begun:
                yield from self._end_of_totals()
            yield from self._found(record)

    def _end_of_totals(self) -> Iterator[Interval]:
        """The intervals of totals that are held when counts per interval follow. Later totals begin with a baseline,
        because what they add to the last ones has been counted in part.
        """
        yield from self.rest()
        self._judge.forget()
        self._sums = None
        self._uncounted = ()
        self._carried = (), False

    def rest(self) -> Iterator[Interval]:
        """The intervals of records that are still held: no other record will judge them."""
        yield from self._judged(self._judge.rest())
        if self._sums is not None:
            yield from self._shown(self._sums.rest())
        yield from self._gaps()

    def _judged(self, verdicts: list[Verdict]) -> Iterator[Interval]:
        """The intervals of verdicts on counts, whose sums are judged next."""
        for verdict in verdicts:
            if self._sums is None and verdict.record.waited is not None:
                self._sums = SumsJudge(self._judge.ahead)
            yield from self._shown((verdict,) if self._sums is None else self._sums.take(verdict))

    def _shown(self, verdicts: Iterable[Verdict]) -> Iterator[Interval]:
        for verdict in verdicts:
            if verdict.meaning is Meaning.DAMAGED:
                self._report.bad(verdict.record.line, _DROPPED.format(self._name))
                continue
            if verdict.meaning is Meaning.CORRECTED:
                self._report.bad(verdict.record.line, _TOO_HIGH.format(self._name))
            yield from self._found(verdict.record, verdict)

    def _found(self, record: Record, verdict: Verdict | None = None) -> Iterator[Interval]:
        assert record.stamp is not None
        while self._silences and self._silences[0][0] < record.stamp.micros:
            yield from self._first_gap()
        if IDLE in record.flags:
            yield from self._idle_before(record)
        interval = self._plain(record) if verdict is None else self._counted(verdict)
        if verdict is not None and interval is not None and interval.reset:
            yield from self._gap(self._silent_until, interval.start, interval)
        self._end = record.stamp.micros
        if interval is None:
            return
        continues = self._template is not None and self._template.end == interval.end
        self._template = interval.without_ranges() if interval.ranges else interval  # of 100,000 series
        if not interval.gap and not continues and interval.seconds > 0:
            self._rates = (*self._rates[1 - STEPS_REMEMBERED :], float(interval.events) / interval.seconds)
        yield interval

    def _idle_before(self, record: Record) -> Iterator[Interval]:
        """One interval for the snapshots since the last record that left the series out: it had no events."""
        assert record.stamp is not None
        end = record.start
        if record.semantics is Semantics.CUMULATIVE:
            end = record.stamp.micros - round((record.seconds or 0.0) * 1e6)
        if self._end is None or end is None or not self._end < end < record.stamp.micros:
            return
        waited = None if record.waited is None else 0.0
        idle = replace(record, stamp=replace(record.stamp, micros=end), note="")
        yield self._interval(idle, self._end, (end - self._end) / 1e6, (), waited)
        self._end = end

    def silence(self, since: int, until: int) -> Iterator[Interval]:
        """A gap: the source was silent between two moments. It comes after the interval of a record that is held."""
        self._silences = (*self._silences, (since, until))
        yield from self._gaps()

    def _gaps(self) -> Iterator[Interval]:
        """The gaps after which no record is held any more that came before them."""
        while self._silences and (self.held is None or self.held_end > self._silences[0][0]):
            yield from self._first_gap()

    def _first_gap(self) -> Iterator[Interval]:
        silence, *rest = self._silences
        self._silences = tuple(rest)
        yield from self._gap(*silence)

    def _gap(self, since: int, until: int, like: Interval | None = None) -> Iterator[Interval]:
        """Of a silence, or of the time from the last record to the start-up after which its counters began again."""
        start = since if self._end is None else max(since, self._end)
        self._silent_until = until
        template = self._template or like
        if template is not None and start < until:
            yield replace(
                template,
                start=start,
                end=until,
                seconds=(until - start) / 1e6,
                ranges=(),
                waited=None,
                reset=False,
                doubtful=False,
                gap=True,
                note="",
            )

    def _plain(self, record: Record) -> Interval | None:
        assert record.stamp is not None
        assert record.start is not None
        seconds = record.seconds or (record.stamp.micros - record.start) / 1e6
        found = self._interval(record, record.start, seconds, without_zeros(record.ranges), record.waited)
        return found if record.flags <= _NEUTRAL_FLAGS else _flagged(found, record.flags)

    def _counted(self, verdict: Verdict) -> Interval | None:
        record, reset = verdict.record, verdict.meaning is Meaning.RESTARTED
        seconds = self._seconds_until(record)
        if verdict.sum_damaged or verdict.sum_anew:
            self._doubt_sum(record, f"{record.waited:g} s waited do not fit the counts, or the times before and after")
        waited = None if verdict.sum_damaged else record.waited
        if verdict.meaning is Meaning.BASELINE:
            self._last_waited = waited
            return None
        time = self._time(record, reset, seconds)
        ranges, carried_reset = self._carried
        ranges = tidy_ranges([*ranges, *verdict.ranges]) if ranges else verdict.ranges
        reset = reset or carried_reset
        if time is None:
            self._carried = ranges, reset
            return None
        self._carried = (), False
        begins_anew = verdict.sum_anew or ESTIMATED in record.flags
        last_waited, self._last_waited = None if begins_anew else self._last_waited, waited
        interval = self._interval(record, *time, ranges, _waited(waited, last_waited, reset))
        if verdict.doubtful:
            interval = replace(interval, doubtful=True)
        return self._unless_spike(interval) if reset else interval

    def _seconds_until(self, record: Record) -> float | None:
        """The divisor from the last record that counted to this one; None if the stamps give it."""
        steps: list[float | None] = []
        while self._uncounted:
            one = self._uncounted[0]
            if one.stamp is not None and record.stamp is not None and one.stamp.micros > record.stamp.micros:
                break
            steps.append(one.seconds)
            self._uncounted = self._uncounted[1:]
            if one is record:
                break
        return sum(step for step in steps if step is not None) if steps and None not in steps else None

    def _time(self, record: Record, reset: bool, seconds: float | None) -> tuple[int, float] | None:
        """Start and seconds of the interval that a record ends; None if there is no interval.

        A record with the same stamp as the last one continues its interval. If that is impossible, as after a baseline,
        the next record includes its counts.
        """
        assert record.stamp is not None
        if self._end is None:
            return None
        if record.stamp.micros <= self._end:
            last = self._template
            continues = last is not None and last.end == self._end and not last.gap and not reset
            return (last.start, last.seconds) if last is not None and continues else None
        start = self._since(record, self._end) if reset else self._end
        if seconds is not None and start == self._end:
            return _begun(start, record.stamp.micros, seconds), seconds
        return start, (record.stamp.micros - start) / 1e6

    def _since(self, record: Record, end: int) -> int:
        """When the first interval after a reset begins: at the start-up time if that is known and makes sense."""
        assert record.stamp is not None
        start = record.start
        return start if start is not None and end <= start < record.stamp.micros else end

    def _unless_spike(self, interval: Interval) -> Interval:
        """An interval after a reset; if it would be a spike, a gap instead, with its record as the new baseline.

        The limit comes from the median of recent rates, or from the highest if the series was mostly idle; a series
        that was only idle has no limit.
        """
        marked = replace(interval, reset=True)
        if self._rates and interval.seconds > 0:
            usual = low_median(self._rates) or max(self._rates)
            if float(interval.events) / interval.seconds > SPIKE_FACTOR * usual > 0:
                return replace(marked, ranges=(), waited=None, gap=True)
        return marked

    def _interval(
        self, record: Record, start: int, seconds: float, ranges: tuple[Range, ...], waited: float | None
    ) -> Interval:
        assert record.stamp is not None
        if waited is not None and not is_possible_sum(waited, ranges, record.unit):
            least, most = (total * record.unit.seconds for total in sum_limits(ranges))
            what = f"{waited:g} s waited are impossible for the counts ({least:g} to {most:g} s)"
            self._doubt_sum(record, what)
            waited = None
        return Interval(
            series=self._name,
            unit=record.unit,
            start=start,
            end=record.stamp.micros,
            seconds=seconds,
            ranges=ranges,
            waited=midpoint_time(ranges, record.unit) if waited is None else waited,
            estimated=waited is None,
            clock=record.stamp.clock is Clock.EPOCH,
            label=record.label,
            source=record.source,
            note=record.note,
            doubtful=DOUBTFUL in record.flags,
        )

    def _doubt_sum(self, record: Record, what: str) -> None:
        """Say once that a time waited is not used."""
        if not self._has_doubted_sums:
            self._has_doubted_sums = True
            self._report.note(record.line, f"{self._name}: {what}: such times are replaced by estimates")


def _flagged(interval: Interval, flags: frozenset[str]) -> Interval:
    """The interval with the flags of its record."""
    if GAP in flags:
        interval = replace(interval, ranges=(), waited=None, estimated=False, gap=True)
    return replace(interval, reset=RESET in flags, estimated=interval.estimated or ESTIMATED in flags)


def _begun(start: int, end: int, seconds: float) -> int:
    """When an interval of so many seconds began, after a clock that was perhaps set ahead since ``start``."""
    step = (end - start) / 1e6
    was_set = step > GAP_FACTOR * seconds and step - seconds > GRID_SECONDS
    return end - round(seconds * 1e6) if was_set else start


def _waited(now: float | None, last: float | None, reset: bool) -> float | None:
    """Exact time waited since the last record; None if it is not known or fell without a reset."""
    if now is None or reset:
        return now
    return None if last is None or now < last else now - last
