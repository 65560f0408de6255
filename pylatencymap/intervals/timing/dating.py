"""Finds the day of stamps without a date."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, datetime, time, timedelta, tzinfo
from itertools import chain, islice, pairwise

from ...record import Clock, Event, Mark, Stamp, Tick
from ...text import parse_date
from ...units import MICROS_PER_DAY
from ..nominal import GAP_FACTOR, STEPS_REMEMBERED, NominalInterval
from ..options import BURST_SECONDS, DEFAULT_INTERVAL, Pulse, TimeOptions

"""Microseconds."""
QUARTER_HOUR = MICROS_PER_DAY // 96
"""Microseconds; time zones differ by multiples of it."""
HALF_DAY = MICROS_PER_DAY // 2
"""Microseconds. If a time of day falls by more, it has passed midnight; if by less, the clock went back."""
SLACK_SECONDS = 300
"""How far a time of day can be ahead of a clock that should be later, because clocks differ."""


class Calendar:
    """Puts times of day on the wall clock, counting over midnights and through a repeated hour."""

    def __init__(self, options: TimeOptions) -> None:
        self._options = options
        self._day: date | None = None
        self._zero: int | None = None
        self._last_of_day = 0
        self._last = 0

    def place(self, of_day: int, printed: datetime | None = None) -> int:
        """Epoch microseconds of a time of day after the last one given; ``printed`` is the date next to it, if any."""
        passed_midnight = self._last_of_day - of_day > HALF_DAY
        if printed is not None and printed.time() != time():
            placed = self._dated(of_day, printed)
        elif self._zero is not None:
            self._zero += MICROS_PER_DAY if passed_midnight else 0
            placed = self._zero + of_day
        else:
            placed = self._undated(of_day, printed, passed_midnight)
        self._last_of_day, self._last = of_day, placed
        return placed

    def _dated(self, of_day: int, printed: datetime) -> int:
        """The moment by a printed date with a time.

        The date can be in another zone than the time of day, and is often less exact: the first one sets the zero of
        the times of day, and later ones move it by whole quarters of an hour only.
        """
        moment = _micros(printed)
        if moment < self._last:
            moment = max(moment, _micros(printed.replace(fold=1)))
        zero = moment - of_day
        if self._zero is not None:
            zero = self._zero + round((zero - self._zero) / QUARTER_HOUR) * QUARTER_HOUR
        self._zero = zero
        return zero + of_day

    def _undated(self, of_day: int, printed: datetime | None, passed_midnight: bool) -> int:
        """The moment by a printed day, or without any date."""
        if printed is not None:
            self._day = printed.date()
        elif self._day is None:
            self._day = self._first_day(of_day)
        elif passed_midnight:
            self._day += timedelta(days=1)
        placed = epoch_of(self._day, of_day, self._options.tz)
        return placed if placed >= self._last else max(placed, epoch_of(self._day, of_day, self._options.tz, fold=1))

    def _first_day(self, of_day: int) -> date:
        options = self._options
        if options.day is not None:
            return options.day
        if options.modified is None:
            return nearest_day(of_day, options.now(), options.tz)
        midnights, last = options.survey() if options.survey else (0, of_day)
        return day_before(last, options.modified, options.tz) - timedelta(days=midnights)


def epoch_of(day: date, of_day: int, tz: tzinfo | None, fold: int = 0) -> int:
    """Epoch microseconds of a time of day (microseconds) in a zone; tz None is the local zone.

    A leap second, 23:59:60, is the midnight after it.
    """
    days, of_day = divmod(of_day, MICROS_PER_DAY)
    seconds, micros = divmod(of_day, 1_000_000)
    clock = (datetime.min + timedelta(seconds=seconds)).time().replace(fold=fold)
    moment = datetime.combine(day + timedelta(days=days), clock, tz)
    return round(moment.timestamp()) * 1_000_000 + micros


def nearest_day(of_day: int, wall: float, tz: tzinfo | None) -> date:
    """The day on which a time of day lies nearest to a moment (epoch seconds)."""
    today = datetime.fromtimestamp(wall, tz).date()
    days = [today + timedelta(days=n) for n in (-1, 0, 1)]
    return min(days, key=lambda day: abs(epoch_of(day, of_day, tz) / 1e6 - wall))


def day_before(of_day: int, wall: float, tz: tzinfo | None) -> date:
    """The last day on which a time of day is before a moment (epoch seconds), or at most SLACK_SECONDS after it."""
    latest = datetime.fromtimestamp(wall + SLACK_SECONDS, tz).date()
    ahead = epoch_of(latest, of_day, tz) / 1e6 > wall + SLACK_SECONDS
    return latest - timedelta(days=1) if ahead else latest


def days_before(first: int, last: int, options: TimeOptions) -> int | None:
    """What to add to a source's times of day, in microseconds, to get epoch microseconds.

    ``first`` and ``last`` are the first and the last time of day; after midnight they are a day or more. None if the
    shift is not the same for all: the two are half a day apart, or the clocks were changed in between. None as well if
    the file was last written between the two: whether ``last`` is damaged then decides on the day.
    """
    if last - first >= HALF_DAY or _was_written_between(first, last, options):
        return None
    calendar = Calendar(
        options._replace(survey=lambda: (last // MICROS_PER_DAY - first // MICROS_PER_DAY, last % MICROS_PER_DAY))
    )
    shift, same = (calendar.place(moment % MICROS_PER_DAY) - moment for moment in (first, last))
    return shift if shift == same else None


def _was_written_between(first: int, last: int, options: TimeOptions) -> bool:
    if options.day is not None or options.modified is None:
        return False
    days = [day_before(moment % MICROS_PER_DAY, options.modified, options.tz) for moment in (first, last)]
    return days[1] - days[0] != timedelta(days=last // MICROS_PER_DAY - first // MICROS_PER_DAY)


def _micros(moment: datetime) -> int:
    return round(moment.replace(microsecond=0).timestamp()) * 1_000_000 + moment.microsecond


def survey_midnights(events: Iterable[Event]) -> tuple[int, int]:
    """The number of midnights that a source spans, and its last time of day in microseconds.

    A single time that jumps counts only if the next one continues from it: otherwise it is damaged. In a trace only
    bins with events count: those without any reach up to the next event, whatever its time is.
    """
    times, survey = _times_of_day(events), _Survey()
    first = list(islice(times, STEPS_REMEMBERED + 1))
    survey.expect(first)
    for of_day in chain(first, times):
        survey.add(of_day)
    return survey.midnights, survey.last or 0


def _times_of_day(events: Iterable[Event]) -> Iterator[int]:
    """The times of day of the snapshots, in microseconds."""
    stamp: Stamp | None = None
    for event in events:
        if isinstance(event, Mark) or event.stamp is None or event.stamp.clock is not Clock.DAY:
            continue
        if isinstance(event, Tick) and event.kept:
            continue
        if stamp is None or event.stamp.micros != stamp.micros:
            yield event.stamp.micros
        stamp = event.stamp


class _Survey:
    """Counts midnights, time by time.

    ``last`` is the last time that counts, and ``_jumped`` one that the next one has to confirm.
    """

    def __init__(self) -> None:
        self.midnights = 0
        self.last: int | None = None
        self._jumped: int | None = None
        self._usual = NominalInterval()

    def expect(self, first: list[int]) -> None:
        """Say what the first times will be: one step alone says nothing of what is usual."""
        steps = (_day_step(before, after) / 1e6 for before, after in pairwise(first))
        self._usual.expect([step for step in steps if step > 0])

    def add(self, of_day: int) -> None:
        """The next time of day."""
        if self.last is None:
            self.last = of_day
        elif self._jumped is None:
            if self._continues(self.last, of_day):
                self._count(of_day)
            else:
                self._jumped = of_day
        elif self._continues(self.last, of_day, 2):
            self._jumped = None
            self._count(of_day)
        else:
            jumped, self._jumped = self._jumped, None
            self._count(jumped)
            self.add(of_day)

    def _count(self, of_day: int) -> None:
        assert self.last is not None
        step = _day_step(self.last, of_day)
        if step < 0 and self._continues(self.last, of_day):
            return  # the parts of a round can be earlier by a little
        if step > 0:
            self._usual.add(step / 1e6)
        self.midnights += self.last - of_day > HALF_DAY
        self.last = of_day

    def _continues(self, first: int, second: int, steps: int = 1) -> bool:
        """Whether a time is a usual next one, at most ``steps`` usual intervals from the other."""
        usual = self._usual.seconds
        return usual is None or abs(_day_step(first, second)) <= GAP_FACTOR * usual * 1e6 * steps


def _day_step(first: int, second: int) -> int:
    """Microseconds from one time of day to another, at most half a day."""
    return (second - first + HALF_DAY) % MICROS_PER_DAY - HALF_DAY


# First snapshots without a stamp, of a source whose later snapshots have stamps.


MOST_UNDATED = 8
"""At most this many first snapshots are dated back; if more have no stamp, the source gets its time in another way."""


def date_first_prints(events: Iterable[Event | Pulse], options: TimeOptions) -> Iterator[Event | Pulse]:
    """The events; first snapshots without a stamp are dated back from the first stamp, one interval each.

    The interval is the step from the first stamp to the next one. A live source is not read ahead: there it is the time
    between the arrivals of the first snapshot with a stamp and the one before it.
    """
    rest = iter(events)
    held: list[Event] = []
    ticks: list[Tick] = []
    try:
        for event in rest:
            if isinstance(event, Pulse):
                yield event
                continue
            held.append(event)
            if isinstance(event, Tick):
                ticks.append(event)
                if _is_enough(ticks, options.live):
                    break
    except Exception:
        yield from _back(held, ticks, options)
        raise
    yield from _back(held, ticks, options)
    yield from rest


def _is_enough(ticks: list[Tick], live: bool) -> bool:
    """Whether the first snapshots are enough to date them, or dating them is pointless."""
    if ticks[0].stamp is not None or len(ticks) == 1:
        return ticks[0].stamp is not None
    too_many = ticks[-1].stamp is None and len(ticks) > MOST_UNDATED
    return live or too_many or ticks[-2].stamp is not None


def _back(events: list[Event], ticks: list[Tick], options: TimeOptions) -> Iterator[Event]:
    """The first events, with ticks dated back."""
    undated = next((number for number, tick in enumerate(ticks) if tick.stamp is not None), 0)
    stamp = ticks[undated].stamp if ticks else None
    step = round(_step(ticks, undated, options) * 1e6) if undated else 0
    for event in events:
        if undated and stamp is not None and isinstance(event, Tick):
            event = replace(event, stamp=earlier_stamp(stamp, undated * step))
            undated -= 1
        yield event


def _step(ticks: list[Tick], first: int, options: TimeOptions) -> float:
    """Seconds from one snapshot to the next; ``first`` is the place of the first tick with a stamp."""
    usual = options.interval or DEFAULT_INTERVAL
    if options.live:
        before, after = ticks[first - 1].arrival, ticks[first].arrival
        arrived = 0.0 if before is None or after is None else after - before
        return arrived if arrived >= BURST_SECONDS else usual
    stamp, later = ticks[first].stamp, ticks[first + 1].stamp if first + 1 < len(ticks) else None
    if stamp is None or later is None or stamp.clock is not later.clock:
        return usual
    step = later.micros - stamp.micros
    return (step % MICROS_PER_DAY if stamp.clock is Clock.DAY else step) / 1e6 or usual


def earlier_stamp(stamp: Stamp, micros: int) -> Stamp:
    """A stamp ``micros`` microseconds earlier, and so the date next to it, unless calendars end before that. A time of
    day can become less than 0.
    """
    printed = parse_date(stamp.text) if stamp.text else None
    text = stamp.text
    if printed is not None and printed.time() != time():
        try:
            text = (printed - timedelta(microseconds=micros)).isoformat(" ")
        except OverflowError:
            text = ""  # a damaged date where calendars end
    return replace(stamp, micros=stamp.micros - micros, text=text)
