"""Which part of the recorded time is shown: ``--from`` and ``--to``."""

from __future__ import annotations

import re
from calendar import isleap
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta, timezone, tzinfo
from typing import NamedTuple

from ...errors import UsageError
from ...interval import Interval
from ...intervals import Batches, one_by_one
from ...text import micros_at, moment_text, parse_date

_STEPS = {"s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400, "w": 604800}
_NOW = re.compile(r"now(?:\s*(?=-)|$)", re.ASCII)
_OFFSET = re.compile(r"([+-])\s*(\d{1,9}(?:\.\d{1,9})?)\s*(s|min|m|h|d|w)", re.ASCII)
_TIME = re.compile(r"(\d{1,2}):(\d\d)(?::(\d\d))?", re.ASCII)
_DAY = re.compile(r"(?:[a-z]{3}\s+)?(\d\d)-(\d\d)(?:\s+(\d{1,2}):(\d\d)(?::(\d\d))?)?", re.ASCII)
_EPOCH = re.compile(r"\d{9,11}(?:\.\d{1,6})?", re.ASCII)
EXAMPLES = "2026-11-22 14:00, 11-22 14:00, 14:00, now, or -2h, which is before now"
HALF_A_DAY = 43_200_000_000
LEAP_YEAR, NEAREST_LEAP_YEAR = 2000, 8
"""A year that has all days; so many years are a leap year and the next one apart at most."""


class MomentWords(NamedTuple):
    """A moment as the user wrote it. One of the other fields says which: ``date``, epoch ``seconds``, a time of day
    ``clock``, an ``offset`` in seconds, from now if it is negative, else from the begin of the excerpt, or of
    the data, or a ``day`` without a year, in ``LEAP_YEAR``, with a time.
    """

    text: str
    date: datetime | None = None
    seconds: float | None = None
    clock: tuple[int, int, int] | None = None
    offset: float | None = None
    day: datetime | None = None


def parse_moment(text: str) -> MomentWords:
    """Parse ``2026-11-22 14:00``, ISO 8601, ``11-22 14:00``, ``14:00``, ``-2h``, ``now``, ``now-2h``, ``+30min`` or
    epoch seconds. Raises ValueError with what is right.
    """
    folded = text.strip().lower()
    if found := _NOW.match(folded):
        folded = folded[found.end() :] or "-0s"
    if found := _OFFSET.fullmatch(folded):
        return MomentWords(text, offset=float(found[1] + found[2]) * _STEPS[found[3]])
    if found := _TIME.fullmatch(folded):
        hour, minute, second = (int(part or 0) for part in found.groups())
        if hour > 23 or minute > 59 or second > 59:
            raise ValueError(f"there is no {text} on a clock")
        return MomentWords(text, clock=(hour, minute, second))
    if found := _DAY.fullmatch(folded.removesuffix("utc").rstrip()):
        month, day, hour, minute, second = (int(part or 0) for part in found.groups())
        try:
            return MomentWords(text, day=datetime(LEAP_YEAR, month, day, hour, minute, second))
        except ValueError as error:
            raise ValueError(f"there is no {text} in a calendar") from error
    if _EPOCH.fullmatch(folded):
        return MomentWords(text, seconds=float(folded))
    date = parse_date(text)
    if date is None or not 1970 < date.year < 9999:
        raise ValueError(f"{text!r} is no time; write {EXAMPLES}")
    return MomentWords(text, date=date)


def micros_of_day(day: datetime, near: int, tz: tzinfo) -> int:
    """Epoch microseconds of a day without a year, in the year in which it is nearest to a moment."""
    year = datetime.fromtimestamp(near // 1_000_000, tz).year
    years = range(year - NEAREST_LEAP_YEAR, year + NEAREST_LEAP_YEAR + 1)
    some = (one for one in years if (day.month, day.day) != (2, 29) or isleap(one))
    moments = (micros_at(day.replace(year=one, tzinfo=tz)) for one in some)
    return min(moments, key=lambda moment: abs(moment - near))


class Excerpt(NamedTuple):
    """The time from ``first`` to ``last``, in the zone ``tz``; None is no limit. ``now`` is in epoch seconds."""

    first: MomentWords | None
    last: MomentWords | None
    tz: tzinfo
    now: float

    @classmethod
    def between(cls, first: int, last: int) -> Excerpt:
        """The time between two moments, in epoch microseconds."""
        begin, end = (MomentWords("", seconds=micros / 1e6) for micros in (first, last))
        return cls(begin, end, timezone.utc, 0.0)

    def bounds(self, begin: int | None = None) -> tuple[int | None, int | None]:
        """Epoch microseconds of both ends. Raises UsageError.

        A time of day belongs to the other end if that has a date: it is the last one before ``--to``, the next one
        after ``--from``. Else it is of the day of ``begin``, at which the recording begins, or of the next day if it
        would be more than 12 hours before. Without ``begin`` it is the last one that has been.
        """
        if self.first is None:
            return None, None if self.last is None else self._micros(self.last, begin, None)
        if self.last is None:
            return self._micros(self.first, begin, None), None
        if self.first.clock and self.last.clock is None and (self.last.offset or 0) <= 0:
            last = self._micros(self.last, begin, None)
            return self._clock(self.first, last - 2 * HALF_A_DAY), last
        first = self._micros(self.first, begin, None)
        last = self._micros(self.last, begin, first)
        if first >= last:
            raise UsageError(f"--from {self.first.text} is not before --to {self.last.text}")
        return first, last

    def _micros(self, words: MomentWords, begin: int | None, first: int | None) -> int:
        if words.date is not None:
            return micros_at(words.date if words.date.tzinfo else words.date.replace(tzinfo=self.tz))
        if words.day is not None:
            return micros_of_day(words.day, round(self.now * 1e6) if begin is None else begin, self.tz)
        if words.seconds is not None:
            return round(words.seconds * 1e6)
        if words.offset is not None:
            return self._offset(words, words.offset, begin if first is None else first)
        if first is not None:
            return self._clock(words, first + 1)
        if begin is not None:
            day = datetime.fromtimestamp(begin // 1_000_000, self.tz)
            midnight = micros_at(day.replace(hour=0, minute=0, second=0, microsecond=0))
            return self._clock(words, max(midnight, begin - HALF_A_DAY) if words is self.first else begin + 1)
        return self._clock(words, round(self.now * 1e6) - 2 * HALF_A_DAY + 1)

    def _offset(self, words: MomentWords, offset: float, start: int | None) -> int:
        if offset <= 0 and not words.text.strip().startswith("+"):
            return round((self.now + offset) * 1e6)
        if start is None:
            raise UsageError(f"{words.text} counts from --from: write --from T --to {words.text}")
        return start + round(offset * 1e6)

    def _clock(self, words: MomentWords, least: int) -> int:
        """The first moment with a time of day that is not before ``least``."""
        hour, minute, second = words.clock or (0, 0, 0)
        day = datetime.fromtimestamp(least // 1_000_000, self.tz)
        day = day.replace(hour=hour, minute=minute, second=second, microsecond=0, tzinfo=None)
        moments = (micros_at((day + timedelta(days=days)).replace(tzinfo=self.tz)) for days in (-1, 0, 1, 2))
        return next(moment for moment in moments if moment >= least)

    def text(self, bounds: tuple[int | None, int | None]) -> str:
        """The bounds in words."""
        first, last = (None if one is None else self.moment_text(one) for one in bounds)
        if first is not None and last is not None:
            return f"between {first} and {last}"
        return f"after {first}" if first is not None else f"before {last}"

    def elsewhere(self, bounds: tuple[int | None, int | None], begin: int, end: int | None) -> str:
        """Why there is nothing in an excerpt; ``begin`` and ``end`` are those of what there is, None if not all of it
        was read.
        """
        until = "" if end is None else f" and ends {self.moment_text(end)}"
        return f"nothing was recorded {self.text(bounds)}; what there is begins {self.moment_text(begin)}{until}"

    def doubt(self, bounds: tuple[int | None, int | None], end: int) -> str:
        """What to say if ``--to`` was taken to be of the day after ``--from``, but the recording ends before that day
        begins; else empty.
        """
        first, last = bounds
        if self.first is None or self.last is None or not self.last.clock or first is None or last is None:
            return ""
        days = [self.moment_text(one).split()[0] for one in (first, last, end - 1)]
        if not (days[0] < days[1] and days[2] < days[1]):
            return ""
        return (
            f"{self.last.text} is not after {self.first.text}, so it was taken to be of the next day, "
            f"{self.moment_text(last)}; the recording ends {self.moment_text(end)}"
        )

    def moment_text(self, micros: int) -> str:
        """A moment, to the second."""
        return moment_text(micros // 1_000_000 * 1_000_000, self.tz)


def cut(
    found: Iterable[Interval | Batches],
    bounds: tuple[int | None, int | None],
    empty: Callable[[int, int | None], object],
    ended: Callable[[int], object] = lambda _: None,
) -> Iterator[Interval | Batches]:
    """The intervals that end after the first bound and not after the last one. Gaps are cut at the bounds. Intervals
    come in the order of their ends, those of batches too. If there are others only, ``empty`` receives when they begin
    and end, None if they were not read to their end; else, if none is after the last bound, ``ended`` receives when the
    last one ends.
    """
    part = TimePart(bounds)
    for one in found:
        yield from part.within(one)
        if part.is_over:
            break
    if part.begin is not None and not part.has_any:
        empty(part.begin, None if part.is_over else part.end)
    elif part.has_any and not part.is_over:
        ended(part.end)


class TimePart:
    """Takes what lies within ``bounds`` out of intervals that are handed to it one after the other; see ``cut``.

    ``begin`` and ``end`` are those of all that it was given, ``has_any``: some were within, ``is_over``: no more will
    be.
    """

    def __init__(self, bounds: tuple[int | None, int | None]) -> None:
        self._first, self._last = self.bounds = bounds
        self.begin: int | None = None
        self.end = 0
        self.has_any = self.is_over = False

    def within(self, one: Interval | Batches) -> Iterator[Interval | Batches]:
        """What lies within the bounds: all of it, a part, or nothing."""
        for part in _whole_within((one,), self.bounds):
            if isinstance(part, Batches):
                self._note(int(part.starts.min()), int(part.ends.max()))
                self.has_any = True
                yield part
                continue
            self._note(part.start, part.end)
            if self._last is not None and part.start >= self._last:
                self.is_over = True
                return
            inside = self._inside(part)
            if inside is not None:
                self.has_any = True
                yield inside

    def _note(self, begin: int, end: int) -> None:
        self.begin = begin if self.begin is None else min(self.begin, begin)
        self.end = max(self.end, end)

    def _inside(self, interval: Interval) -> Interval | None:
        first, last = self._first, self._last
        if not interval.gap:
            outside = (first is not None and interval.end <= first) or (last is not None and interval.end > last)
            return None if outside else interval
        start = interval.start if first is None else max(interval.start, first)
        stop = interval.end if last is None else min(interval.end, last)
        if start >= stop:
            return None
        seconds = interval.seconds if stop - start == interval.end - interval.start else (stop - start) / 1e6
        return replace(interval, start=start, end=stop, seconds=seconds)


def _whole_within(
    found: Iterable[Interval | Batches], bounds: tuple[int | None, int | None]
) -> Iterator[Interval | Batches]:
    """The intervals one by one, but those of batches that are as a whole between the bounds."""
    first, last = bounds
    for part in found:
        if isinstance(part, Batches) and (
            (first is not None and int(part.ends.min()) <= first) or (last is not None and int(part.ends.max()) > last)
        ):
            yield from part.intervals()
        else:
            yield part


def limited(intervals: Iterable[Interval], count: int | None, duration: float | None) -> Iterator[Interval]:
    """The intervals with the first ``count`` ends, or of the first ``duration`` seconds; None means no limit."""
    begin: int | None = None
    end, ends = 0, 0
    for interval in intervals:
        begin = interval.start if begin is None else begin
        if not interval.gap and interval.end > end:
            end, ends = interval.end, ends + 1
        middle = (interval.start + interval.end) // 2
        if (count is not None and ends > count) or (duration is not None and middle - begin > duration * 1e6):
            return
        yield interval


def newest(intervals: Iterable[Interval], seconds: float) -> tuple[Iterator[Interval], tuple[int | None, int | None]]:
    """The intervals that end in the last ``seconds``, and when that time begins and ends. Reads all of them first."""
    held: deque[Interval] = deque()
    end = 0
    for interval in intervals:
        held.append(interval)
        end = max(end, interval.end)
        while held[0].end <= end - round(seconds * 1e6):
            held.popleft()
    if not held:
        return iter(()), (None, None)
    bounds = end - round(seconds * 1e6), end
    return one_by_one(cut(held, bounds, lambda *_: None)), bounds
