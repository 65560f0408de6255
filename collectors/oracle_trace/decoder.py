"""Turns lines of a trace into samples, one for each wait."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...collector import Known
from ...errors import Refused
from ...record import Clock, Decoded, Pause, Sample
from ...report import Report
from ...text.clean import printable
from ...text.lines import Line, Lines
from .._bounded import BoundedDict
from .clock import TIM_UNITS, TraceClock
from .keys import TraceKeys
from .times import Times
from .undated_waits import UndatedWaits

LABEL, SOURCE = "Oracle SQL trace", "oracle_trace"

WAIT = re.compile(
    r"WAIT #-?[0-9]{1,20}: *name? *= *'([^']*)' *ela *= *(-?[0-9]{1,18})(?= )(?:.* tim *= *([0-9]{1,18}) *$)?",
    re.IGNORECASE,
)
CALL = re.compile(r"[A-Z ]{4,20}#-?[0-9]{1,20}.*?[, ]tim=([0-9]{1,18})\b")
_CUT = re.compile(r"WAIT #", re.IGNORECASE)
_NO_WAITS = "this SQL trace holds no waits; trace with waits => true (event 10046, level 8 or 12)"
_NS1024 = "the dates and tim are months apart, as where tim is in units of 1024 ns; if so, use --tim-unit ns/1024"


class OracleTraceDecoder:
    """Reads one text, which can be several traces one after another.

    Old releases print no ``tim`` on the lines of waits, and the ``tim`` of the last line can be cut off. Then the time
    continues from the last known one by adding up the waits.
    """

    def __init__(self, report: Report, known: Known) -> None:
        self._report = report
        self._unit = TIM_UNITS[known.tim_unit]
        self._clock = TraceClock(self._unit, known.tz)
        self._names: BoundedDict[str, str] = BoundedDict()
        self._times = Times(report)
        self._waiting = UndatedWaits(report)
        self._reported = False
        self._calls = self._waits = 0
        self._digits = 0
        self._held: tuple[Line, re.Match[str]] | None = None
        self._keys = TraceKeys() if known.keys else None

    def events(self, lines: Lines) -> Iterator[Decoded]:
        """Yield samples in the order of the lines; raise Refused at the end of a trace that has calls but no waits."""
        times, waiting = self._times, self._waiting
        for line in lines:
            if line is None:
                yield Pause()
                continue
            sample = self.sample(line)
            if self._keys is not None:
                self._keys.see(line.text)
            if waiting.held:
                yield from waiting.placed(times.now)
            if times.ready:
                yield from self._decided()
            if sample is not None:
                yield sample
        if self._held is not None:
            last, found = self._held
            sample = self._wait(last, found, None if self._may_be_cut(found[3]) else found[3])
            yield from () if sample is None else (sample,)
        times.end()
        yield from self._decided()
        yield from waiting.placed(times.now)
        yield from waiting.without_tim()
        if self._calls and not self._waits:
            raise Refused(f"{self._report.name}: {_NO_WAITS}")

    def sample(self, line: Line) -> Sample | None:
        """The sample that a line completes.

        A wait whose time could be cut off is held back: the next line shows whether it was.
        """
        earlier = None
        if self._held is not None:
            (before, match), self._held = self._held, None
            earlier = self._wait(before, match, match[3])
        text = line.text
        if found := WAIT.match(text):
            tim = found[3]
            if earlier is None and not self._may_be_cut(tim):
                return self._wait(line, found, tim)
            self._held = line, found
        elif text.startswith("***"):
            self._clock.date(text)
        elif "tim=" in text and (call := CALL.match(text)):
            self._calls += 1
            self._time(call[1], line)
        elif _CUT.match(text):
            self._report.bad(line.number, f"a wait that was cut off: {text}")
        return earlier

    def _may_be_cut(self, tim: str | None) -> bool:
        """Whether a ``tim`` is shorter than the last one: then it was cut off, if its line is the last."""
        return tim is not None and len(tim) < self._digits

    def _wait(self, line: Line, match: re.Match[str], tim: str | None) -> Sample | None:
        """The sample of a wait; None if its time is unknown or doubtful so far, or if its duration is negative."""
        waited = int(match[2])
        self._waits += 1
        if waited < 0:
            self._report.bad(line.number, f"a wait of less than no time: {line.text}")
            return None
        in_doubt = False
        if tim is not None:
            in_doubt = self._time(tim, line)
        elif self._times.now is not None:
            self._times.believe()
            self._times.now += self._micros(waited)
        name = match[1]
        series = self._names.get(name) or self._names.setdefault(name, wait_series(name))
        latency = waited * self._unit.factor
        end = self._times.now
        sample = Sample(
            series, self._unit.unit, latency, end or 0, Clock.EPOCH, "", LABEL, SOURCE, line.number, line.arrival
        )
        if self._keys is not None:
            sample = sample._replace(keys=self._keys.of_wait(line.text, match.end(2)))
        if in_doubt:
            self._times.hold(line, sample)
            return None
        if end is not None:
            return sample
        self._waiting.add(sample, self._micros(waited), self._clock.printed)
        return None

    def _micros(self, waited: int) -> int:
        return waited * self._unit.factor * round(self._unit.unit.seconds * 1e9) // 1000

    def _time(self, tim: str, line: Line) -> bool:
        """Take the time of a line; return whether it is doubtful."""
        self._digits = len(tim)
        now = self._clock.place(int(tim))
        if self._clock.looks_like_ns1024 and not self._reported:
            self._reported = True
            self._report.note(line.number, _NS1024)
        if now is not None and self._clock.is_epoch:
            return self._times.take(now)
        if now is not None:
            self._times.place(now)
        return False

    def _decided(self) -> Iterator[Sample]:
        """Yield the waits whose time was doubtful until now."""
        ready, self._times.ready = self._times.ready, []
        yield from ready


def wait_series(name: str) -> str:
    """The event's name, safe to print."""
    return printable(" ".join(name.split())) or "unnamed event"
