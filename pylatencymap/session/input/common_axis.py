"""Puts files with different clocks on one time axis."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from datetime import datetime, tzinfo
from itertools import chain

from ...interval import Interval
from ...intervals import epoch_of, nearest_day
from ...record import Clock, Event, Mark, NamedTime
from ...units import MICROS_PER_DAY

DATED_BY = {"fio": "fio --log_unix_epoch=1", "strace": "strace -ttt", "ping": "ping -D"}
"""The command that writes real times, by the source of the intervals."""

OnMark = Callable[[Mark], object]
NoticeShift = Callable[[str, str, str], object]
"""Takes the name of a file, what was assumed about it, and details for output that has room for them."""


class PlacedFile:
    """The intervals and marks of one file, moved by ``shift`` microseconds once all files are known.

    ``first`` is its first interval: None before ``begin``, and if the file has none.
    """

    def __init__(self, name: str, on_mark: OnMark) -> None:
        self.name = name
        self.first: Interval | None = None
        self._on_mark = on_mark
        self._rest: Iterator[Interval] = iter(())
        self.shift = 0
        self._clock = False
        self._waiting: list[Mark] | None = []

    def mark(self, mark: Mark) -> None:
        """A mark of the file; it waits until the file is placed."""
        if self._waiting is not None:
            self._waiting.append(mark)
        else:
            if isinstance(mark, NamedTime):
                mark = replace(mark, begin=mark.begin + self.shift)
            self._on_mark(replace(mark, stamp=replace(mark.stamp, micros=mark.stamp.micros + self.shift)))

    def begin(self, intervals: Iterator[Interval]) -> None:
        """Read up to the first interval."""
        self.first, self._rest = next(intervals, None), intervals

    def start_at(self, micros: int, width: float) -> None:
        """Let the file begin at ``micros`` (epoch), shifted by whole intervals of ``width`` seconds."""
        if self.first is not None:
            self.move(_whole(micros - self.first.start, round(width * 1e6)), clock=True)

    def move(self, shift: int, *, clock: bool) -> None:
        """Set the shift in microseconds. ``clock``: times on the new axis are real."""
        self.shift, self._clock = shift, clock

    def intervals(self) -> Iterator[Interval]:
        """All intervals, at their place on the common axis. Marks that waited are delivered first."""
        waiting, self._waiting = self._waiting or [], None
        for mark in waiting:
            self.mark(mark)
        if self.first is None:
            return iter(())
        found = chain((self.first,), self._rest)
        return map(self.moved, found) if self.shift or self._clock else found

    def moved(self, interval: Interval) -> Interval:
        """An interval at its place on the common axis."""
        start, end = interval.start + self.shift, interval.end + self.shift
        return replace(interval, start=start, end=end, clock=interval.clock or self._clock)


def without_day(events: Iterable[Event], name: str, guessed: set[str]) -> Iterator[Event]:
    """The events of a decoder. Adds ``name`` to ``guessed`` if the first stamp is a time of day without a date."""
    rest = iter(events)
    for event in rest:
        stamp = None if isinstance(event, Mark) else event.stamp
        if stamp is not None:
            if stamp.clock is Clock.DAY and not stamp.text:
                guessed.add(name)
            yield event
            break
        yield event
    yield from rest


def put_on_common_axis(
    files: list[PlacedFile], guessed: Collection[str], width: float, tz: tzinfo | None, on_notice: NoticeShift
) -> None:
    """Move files that have begun, by the earliest file with a date. Files whose date is ``guessed`` move to the day
    nearest to its beginning. Files without a real clock begin where it begins, shifted by whole intervals of ``width``
    seconds.

    Files of one source without a real clock may share a clock, so they keep their distances: the first of them is
    moved there. If no file has a date, all begin together, without a real clock. ``on_notice`` receives what was
    assumed.
    """
    begun = [(file, file.moved(file.first)) for file in files if file.first is not None]
    real = [(file, first) for file, first in begun if first.clock]
    dated = [(file, first) for file, first in real if file.name not in guessed] or real
    earliest = min(dated, key=lambda one: one[1].start, default=None)
    if earliest is not None:
        _date(real, earliest, guessed, tz, on_notice)
    kinds: dict[str, list[tuple[PlacedFile, Interval]]] = {}
    for file, first in begun:
        if not first.clock:
            kinds.setdefault(first.source, []).append((file, first))
    begins = {kind: min(first.start for _, first in members) for kind, members in kinds.items()}
    target = earliest[1].start if earliest is not None else min(begins.values(), default=0)
    for kind, members in kinds.items():
        shift = _whole(target - begins[kind], round(width * 1e6))
        for file, _ in members:
            file.move(shift, clock=earliest is not None)
            if earliest is not None:
                what = f"{file.name} has no real clock: it is taken to begin where {earliest[0].name} begins"
                on_notice(file.name, what, _more(kind, earliest[1], tz))
    if earliest is None and len(begun) > 1:
        on_notice(begun[0][0].name, _names_together([file.name for file, _ in begun], len(kinds)), "")


def _whole(micros: int, width: int) -> int:
    """Round down to whole intervals, so that events of one interval stay in one."""
    return micros // width * width


def _date(
    real: list[tuple[PlacedFile, Interval]],
    earliest: tuple[PlacedFile, Interval],
    guessed: Collection[str],
    tz: tzinfo | None,
    on_notice: NoticeShift,
) -> None:
    """Move files with a guessed date to the day nearest to the beginning of the earliest dated file."""
    for file, first in real:
        if file.name not in guessed or earliest[0].name in guessed:
            continue
        midnight = datetime.fromtimestamp(first.end / 1e6, tz).replace(hour=0, minute=0, second=0, microsecond=0)
        of_day = first.end - round(midnight.timestamp()) * 1_000_000
        day = nearest_day(min(of_day, MICROS_PER_DAY - 1), earliest[1].end / 1e6, tz)
        shift = epoch_of(day, of_day, tz) - first.end
        if shift:
            file.move(shift, clock=True)
            what = f"{file.name} has times of day without a date: they are taken to be of {day}"
            on_notice(file.name, what, f", next to the begin of {earliest[0].name}; --date says otherwise")


def _more(kind: str, earliest: Interval, tz: tzinfo | None) -> str:
    begin = datetime.fromtimestamp(earliest.start // 1_000_000, tz)
    advice = f"; {DATED_BY[kind]} writes real times" if kind in DATED_BY else ""
    return f", at {begin:%Y-%m-%d %H:%M:%S}; --start FILE=TIME says otherwise{advice}"


def _names_together(names: list[str], kinds: int) -> str:
    what = "to begin together" if kinds > 1 else "to be of one clock"
    return f"{', '.join(names[:-1])} and {names[-1]} have no real clock: they are taken {what}"
