"""Lines of a trace to samples: one for each wait."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...collector import Known
from ...errors import Refused
from ...record import Clock, Decoded, Pause, Sample
from ...report import Report
from ...text.clean import printable
from ...text.lines import Line, Lines
from .clock import TIM_UNITS, TraceClock

LABEL, SOURCE = "Oracle SQL trace", "oracle"
MOST_WAITING = 100_000
"""Waits that are kept until the first time is known."""

_WAIT = re.compile(
    r"WAIT #-?\d{1,20}: *name? *= *'([^']*)' *ela *= *(-?\d{1,18})(?= )(?:.* tim *= *(\d{1,18}) *$)?", re.IGNORECASE
)
_CUT = re.compile(r"WAIT #", re.IGNORECASE)
_CALL = re.compile(r"[A-Z ]{4,20}#-?\d{1,20}.*?[, ]tim=(\d{1,18})\b")
_NO_WAITS = "this SQL trace holds no waits; trace with waits => true (event 10046, level 8 or 12)"
_NS1024 = "the dates and tim are months apart, as where tim is in units of 1024 ns; if so, use --tim-unit ns/1024"


class Decoder:
    """Reads one text, perhaps several traces one after another.

    Old releases print no ``tim`` beside waits, and that of the last line may be cut off: then the time goes on from the
    last one known by the waits themselves.
    """

    def __init__(self, report: Report, known: Known) -> None:
        self._report = report
        self._unit = TIM_UNITS[known.tim_unit]
        self._clock = TraceClock(self._unit, known.tz)
        self._names: dict[str, str] = {}
        self._now: int | None = None
        self._waiting: list[Sample] = []
        self._told = False
        self._digits = 0
        self._suspect: tuple[Line, re.Match[str]] | None = None
        self._calls = self._waits = 0

    def events(self, lines: Lines) -> Iterator[Decoded]:
        """Samples in the order of the lines; raises Refused at the end of a trace that has calls but no waits."""
        for line in lines:
            if line is None:
                yield Pause()
                continue
            yield from self._confirmed(is_cut=False)
            text = line.text
            if match := _WAIT.match(text):
                if match[3] is not None and len(match[3]) < self._digits:
                    self._suspect = line, match
                else:
                    yield from self._wait(line, match, match[3])
            elif text.startswith("***"):
                self._clock.date(text)
            elif _CUT.match(text):
                self._report.bad(line.number, f"a wait that was cut off: {text}")
            elif "tim=" in text and (call := _CALL.match(text)):
                self._calls += 1
                yield from self._time(call[1], line)
        yield from self._confirmed(is_cut=True)
        yield from self._placed(0, Clock.COUNTED)
        if self._calls and not self._waits:
            name = self._report.name
            raise Refused(
                f"{name}: this SQL trace holds no waits; trace with waits => true (event 10046, level 8 or 12)"
            )

    def _confirmed(self, *, is_cut: bool) -> Iterator[Decoded]:
        """The wait whose time is shorter than the one before: cut off only if it is the last line of the text."""
        if self._suspect is not None:
            (line, match), self._suspect = self._suspect, None
            yield from self._wait(line, match, None if is_cut else match[3])

    def _wait(self, line: Line, match: re.Match[str], tim: str | None) -> Iterator[Decoded]:
        name, ela = match[1], match[2]
        waited = int(ela)
        self._waits += 1
        if waited < 0:
            self._report.bad(line.number, f"a wait of less than no time: {line.text}")
            return
        if tim is not None:
            yield from self._time(tim, line)
        elif self._now is not None:
            self._now += waited * self._unit.factor * round(self._unit.unit.seconds * 1e9) // 1000
        sample = Sample(
            self._series(name),
            self._unit.unit,
            waited * self._unit.factor,
            self._now or 0,
            label=LABEL,
            source=SOURCE,
            line=line.number,
            arrival=line.arrival,
        )
        if self._now is not None:
            yield sample
        else:
            self._waiting.append(sample)
            if len(self._waiting) >= MOST_WAITING:
                yield from self._placed(0, Clock.COUNTED)

    def _time(self, tim: str, line: Line) -> Iterator[Sample]:
        """The time of a line; what waited for the first one is placed there."""
        self._digits = len(tim)
        now = self._clock.place(int(tim))
        if self._clock.looks_like_ns1024 and not self._told:
            self._told = True
            self._report.note(line.number, _NS1024)
        if now is not None:
            yield from self._placed(now, Clock.EPOCH)
            self._now = now

    def _placed(self, micros: int, clock: Clock) -> Iterator[Sample]:
        waiting, self._waiting = self._waiting, []
        for sample in waiting:
            yield sample._replace(micros=micros, clock=clock)

    def _series(self, name: str) -> str:
        """The event's name; the same text every time, so that names are cleaned once."""
        found = self._names.get(name)
        if found is None:
            found = self._names[name] = printable(" ".join(name.split())) or "unnamed event"
        return found
