"""Marks on the time axis: the user's, those in recordings, and those of ``--marks FILE``."""

from __future__ import annotations

import re
from bisect import bisect_right, insort
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta, tzinfo
from operator import attrgetter

from ..errors import SourceError
from ..interval import Interval
from ..intervals import Batch, TakeBatch
from ..record import Mark, NamedTime, Stamp
from ..report import Report
from ..text.clean import printable
from .input import MomentWords, StopRequest, open_source, parse_moment

MOST = 10_000
"""At most this many marks are kept, because a source can make marks for ever. The oldest are dropped."""

_moment = attrgetter("stamp.micros")
TimeOfDay = tuple[int, int, int]


class MarkList:
    """Marks in the order of time. One thread can add marks while another reads them.

    A mark of which only the time of day is known is at the last such time before the end of the data, and moves on with
    them.
    """

    def __init__(self) -> None:
        self._marks: list[Mark] = []
        self._daily: list[tuple[TimeOfDay, str, tzinfo]] = []
        self._placed: tuple[Mark, ...] = ()
        self._valid: tuple[int, int] | None = None
        self.named: dict[str, NamedTime] = {}

    def __iter__(self) -> Iterator[Mark]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._marks) + len(self._daily)

    @property
    def has_daily(self) -> bool:
        """Whether there are marks that ``placed_until`` places."""
        return bool(self._daily)

    def add(self, mark: Mark) -> None:
        """Keep a mark; of those that name a time, the last one of each name is ``named``."""
        if isinstance(mark, NamedTime):
            self.named = {**self.named, mark.name: mark}
            return
        insort(self._marks, mark, key=_moment)
        if len(self._marks) > MOST:
            del self._marks[0]

    def add_daily(self, times: Iterable[tuple[TimeOfDay, str]], tz: tzinfo) -> None:
        """Keep marks of which only hour, minute and second in a zone are known; ``placed_until`` places them."""
        self._daily = [*self._daily, *((time, note, tz) for time, note in times)]
        self._valid = None

    def placed_until(self, end: int | None) -> None:
        """Place marks that have only a time of day, for data that end at ``end`` (epoch microseconds)."""
        daily = self._daily
        if end is None or not daily or (self._valid is not None and self._valid[0] <= end < self._valid[1]):
            return
        found = [(last_time_of_day(time, end, tz), note) for time, note, tz in daily]
        self._placed = tuple(Mark(Stamp(last), note) for (last, _), note in found)
        self._valid = max(last for (last, _), _ in found), min(following for (_, following), _ in found)

    def until(self, end: int) -> tuple[tuple[int, str, str], ...]:
        """The marks up to a moment (epoch microseconds), as the picture needs them."""
        marks = self._all()
        return tuple((mark.stamp.micros, "M", mark.note) for mark in marks[: bisect_right(marks, end, key=_moment)])

    def within(self, begin: int, end: int) -> tuple[Mark, ...]:
        """The marks after ``begin`` and up to ``end`` (epoch microseconds)."""
        return tuple(mark for mark in self._all() if begin < mark.stamp.micros <= end)

    def _all(self) -> list[Mark]:
        marks = self._marks.copy()
        return sorted((*marks, *self._placed), key=_moment) if self._placed else marks


def last_time_of_day(time: TimeOfDay, end: int, tz: tzinfo) -> tuple[int, int]:
    """The last moment up to ``end`` with a time of day, and the first one after it; epoch microseconds."""
    hour, minute, second = time
    day = datetime.fromtimestamp(end // 1_000_000, tz)
    day = day.replace(hour=hour, minute=minute, second=second, microsecond=0, tzinfo=None)
    moments = [
        round((day + timedelta(days=days)).replace(tzinfo=tz).timestamp()) * 1_000_000 for days in (-2, -1, 0, 1, 2)
    ]
    place = max(place for place, moment in enumerate(moments[:-1]) if moment <= end)
    return moments[place], moments[place + 1]


# ``--marks FILE``: a time and a text on each line.


EXAMPLE = "2026-03-03 03:12:05,deploy of 2.4"
_FRACTION = r"(?:\.\d{1,9}|,\d{3,9}(?=[+-]\d\d:?\d\d))?"
"""A comma begins a fraction only where a zone follows, as in ``dmesg --time-format iso``: else it begins the text."""
_ZONE = r"(?:\s*(?:z|utc|[+-]\d\d:?\d\d))?"
_LINE = re.compile(
    rf"(\d{{4}}-\d\d-\d\d(?:(?:t|\s+)\d{{1,2}}:\d\d(?::\d\d{_FRACTION})?{_ZONE})?"
    r"|\d{1,2}:\d\d(?::\d\d)?|\d{9,11}(?:\.\d{1,6})?)(?:\s*,\s*|\s+|$)(.*)",
    re.ASCII | re.IGNORECASE,
)


class MarkFile:
    """The marks of a file. ``name``: of the file, ``say`` receives what is wrong with its lines, each as
    ``file:line: what``.
    """

    def __init__(self, name: str, tz: tzinfo, say: Callable[[str], None]) -> None:
        self._tz = tz
        self._say = say
        self._report = Report(printable(name), say=say)
        self._fixed: list[Mark] = []
        self._daily: list[tuple[TimeOfDay, str]] = []
        self._begin: int | None = None
        self._end = 0
        self._clock = True

    def read(self, lines: Iterable[tuple[int, str]]) -> None:
        """Read lines with their numbers: a time, a comma or a blank, a text. Blank lines and those that begin with #
        are left out.
        """
        for number, text in lines:
            if not text.strip() or text.lstrip().startswith("#"):
                continue
            if len(self._fixed) + len(self._daily) == MOST:
                self._report.note(number, f"no more than {MOST:,} marks are kept: the rest is left out from here on")
                return
            try:
                self._take(text.strip())
            except ValueError as error:
                self._report.bad(number, str(error))

    def _take(self, text: str) -> None:
        """Read one line; raises ValueError with what is right."""
        found = _LINE.fullmatch(text[1:].replace('"', "", 1) if text.startswith('"') else text)
        words = None if found is None else _time(found[1])
        if found is None or words is None:
            what = _first_word(text) if found is None else found[1]
            raise ValueError(f"{what!r} is no time; write a time, a comma and a text: {EXAMPLE}")
        note = found[2].strip()
        quoted = len(note) > 1 and note[0] == note[-1] == '"'
        note = printable(note[1:-1].replace('""', '"') if quoted else note) or "mark"
        if words.clock is not None:
            self._daily.append((words.clock, note))
        elif words.seconds is not None:
            self._fixed.append(Mark(Stamp(round(words.seconds * 1e6)), note))
        elif words.date is not None:
            date = words.date if words.date.tzinfo else words.date.replace(tzinfo=self._tz)
            micros = round(date.replace(microsecond=0).timestamp()) * 1_000_000 + date.microsecond
            self._fixed.append(Mark(Stamp(micros), note))

    def hand_to(self, marks: MarkList) -> None:
        """Add all of its marks to a list."""
        for mark in self._fixed:
            marks.add(mark)
        marks.add_daily(self._daily, self._tz)

    def watched(self, intervals: Iterable[Interval]) -> Iterator[Interval]:
        """The same intervals; at their end the marks that are not within their time are counted and told."""
        for one in intervals:
            self._see(one.start, one.end, clock=one.clock)
            yield one
        self._tell_outside()

    def watching(self, take: TakeBatch) -> TakeBatch:
        """Takes batches; their time counts as that of the intervals."""

        def watched(one: Batch | Interval) -> None:
            if isinstance(one, Interval):
                self._see(one.start, one.end, clock=one.clock)
            elif len(one.ends):
                self._see(int(one.starts[0]), int(one.ends[-1]), clock=one.clock)
            take(one)

        return watched

    def _see(self, begin: int, end: int, *, clock: bool) -> None:
        if self._begin is None or begin < self._begin:
            self._begin = begin
        if end > self._end:
            self._end = end
        self._clock = clock

    def _tell_outside(self) -> None:
        """Say how many marks are not on the time axis of the data."""
        begin, end = self._begin, self._end
        if begin is None:
            return
        if not self._clock:
            self._say(f"{self._report.name}: the data have no clock, so that no mark has a place in them")
            return
        moments = [mark.stamp.micros for mark in self._fixed]
        moments += [last_time_of_day(time, end, self._tz)[0] for time, _ in self._daily]
        outside = sum(not begin < moment <= end for moment in moments)
        if outside:
            first, last = (datetime.fromtimestamp(one // 1_000_000, self._tz) for one in (begin, end))
            self._say(
                f"{self._report.name}: {outside} of {len(moments)} marks {'is' if outside == 1 else 'are'} outside of "
                f"the data, which begin {first:%Y-%m-%d %H:%M:%S} and end {last:%Y-%m-%d %H:%M:%S}"
            )


def _time(text: str) -> MomentWords | None:
    """A time as it was written; None if there is no such time."""
    try:
        return parse_moment(text)
    except ValueError:
        return None


def _first_word(text: str) -> str:
    return printable(text.split(",")[0], 40)


def read_mark_file(path: str, tz: tzinfo, say: Callable[[str], None]) -> MarkFile:
    """The marks in a file; times without a zone are in ``tz``. Raises SourceError if it cannot be read."""
    stop = StopRequest()
    try:
        source = open_source(path, stop)
    except SourceError as error:
        stop.close()
        raise SourceError(f"--marks {error}") from error
    try:
        found = MarkFile(path, tz, say)
        found.read((line.number, line.text) for line in source.lines() if line is not None)
        return found
    finally:
        source.close()
        stop.close()
