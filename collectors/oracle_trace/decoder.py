"""Turns lines of a trace into samples, one for each wait."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...collector import Known
from ...errors import Refused
from ...record import Clock, Decoded, EventKey, Pause, Sample
from ...report import Report
from ...text.clean import printable
from ...text.lines import Line, Lines
from .._bounded import BoundedDict
from .calls import CPU, call_in
from .clock import TIM_UNITS, USUAL_UNIT, TraceClock, unit_of_release
from .keys import TraceKeys
from .quoted_text import QuotedText, TraceLine
from .times import Times
from .undated_waits import UndatedWaits

LABEL, SOURCE = "Oracle SQL trace", "oracle_trace"

WAIT = re.compile(
    r"WAIT # ?-?[0-9]{1,20}: *name? *= *'(.*?)' *ela *= *(-?[0-9]{1,18})(?= )(?:.* tim *= *([0-9]{1,18}) *$)?",
    re.IGNORECASE,
)
CALL = re.compile(r"(?!WAIT)[A-Z ]{4,20}#-?[0-9]{1,20}.*?[, ]tim=([0-9]{1,18})\b")
_LOB_CALL = re.compile(r"LOB[A-Z]{1,20}:.*?[, ]tim=([0-9]{1,18})\b")
"""Calls for large objects have no cursor."""
_ANY_WAIT = re.compile(r"WAIT #", re.IGNORECASE)
_NO_WAITS = "this SQL trace holds no waits; trace with waits => true (event 10046, level 8 or 12)"
_NO_CALLS = "this SQL trace holds no calls; it looks like what grep WAIT leaves of one"
_LOOKS_LIKE = {
    "ns/1024": "the dates and tim differ as where tim is in units of 1024 ns; if so, use --tim-unit ns/1024",
    "cs": "the dates and tim differ as where all times are in centiseconds, as before Oracle 9i: if so, what waits "
    "took is 10,000 times too little here; use --tim-unit cs",
}
_AT_ARRIVAL = "no date in this trace says when it was: its last wait so far is taken to have ended when it arrived"
_NO_DATES = "no date in this trace says when it was: its axis is tim, which counts from the start of the host"
_LATE_DATES = (
    "the first date comes too late to keep the waits before it: the axis is tim, which counts from the host's start"
)


class OracleTraceDecoder:
    """Reads one text, which can be several traces one after another.

    Old releases print no ``tim`` on the lines of waits, and the ``tim`` of the last line can be cut off. Then the time
    continues from the last known one by adding up the waits.
    """

    def __init__(self, report: Report, known: Known) -> None:
        self._report = report
        is_given = known.tim_unit_given or known.tim_unit != USUAL_UNIT
        self._given_unit = known.tim_unit if is_given else ""
        self._clock = TraceClock(known.tz)
        self._clock.unit = TIM_UNITS[known.tim_unit]
        self._wall_offset = known.wall_offset
        if known.undated:
            self._clock.count_from_tim()
        self._names: BoundedDict[str, str] = BoundedDict()
        self._times = Times(report)
        self._waiting = UndatedWaits(report)
        self._noted: set[str] = set()
        self._calls = self._waits = 0
        self._digits = 0
        self._held: tuple[Line, re.Match[str]] | None = None
        self._keys = TraceKeys(known.by) if known.keys else None
        self._wanted_calls = known.calls
        self._gave_up = False
        self._undated_from: int | None = None

    def events(self, lines: Lines) -> Iterator[Decoded]:
        """Yield samples in the order of the lines; raise Refused at the end of a trace that has calls but no waits."""
        quoted = QuotedText()
        for line in lines:
            if line is None:
                yield Pause()
                yield from self._begun_at_arrival()
                continue
            for one in quoted.take(line):
                yield from self._samples_of(one)
            if self._waiting.held and self._waiting.come_as_they_happen():
                yield from self._begun_at_arrival()
        for one in quoted.end():
            yield from self._samples_of(one)
        yield from self._rest()
        if self._calls and not self._waits and not self._wanted_calls:
            raise Refused(f"{self._report.name}: {_NO_WAITS}")
        if self._waits and not self._calls and self._wanted_calls:
            raise Refused(f"{self._report.name}: {_NO_CALLS}")

    def _samples_of(self, one: TraceLine) -> Iterator[Sample]:
        """The samples whose time is known with a line."""
        line, is_quoted = one
        sample = None if is_quoted else self._sample(line)
        if self._keys is not None:
            self._keys.see(line.text, is_quoted=is_quoted)
        if self._waiting.held:
            yield from self._placed()
        if self._times.ready:
            yield from self._decided()
        if sample is not None:
            yield sample

    def _rest(self) -> Iterator[Sample]:
        """The samples that were held to the end."""
        if self._held is not None:
            last, found = self._held
            sample = self._wait(last, found, None if self._may_be_cut(found[3]) else found[3])
            yield from () if sample is None else (sample,)
        self._times.end()
        yield from self._decided()
        yield from self._placed(to_the_end=True)
        yield from self._waiting.without_tim()
        if self._undated_from is not None:
            self._note(self._undated_from, _LATE_DATES if self._clock.has_dates else _NO_DATES)

    def _placed(self, *, to_the_end: bool = False) -> Iterator[Sample]:
        """The undated waits, if their time is known by now. It is taken to be that of ``tim`` if there are too many to
        keep, or none will come any more.
        """
        waiting, times, clock = self._waiting, self._times, self._clock
        is_over = to_the_end or waiting.are_too_many or times.now is not None
        if is_over and waiting.held and waiting.heard is not None and clock.zero is None:
            clock.count_from_tim()
            self._undated_from = waiting.held[0].sample.line
            if times.now is None:
                times.place(waiting.heard)
        if times.now is not None:
            yield from waiting.placed(times.now, clock.zero, Clock.FREE if clock.is_free else Clock.EPOCH)
        elif waiting.are_too_many or self._gave_up:
            self._gave_up = True
            yield from waiting.without_tim()

    def _sample(self, line: Line) -> Sample | None:
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
        elif _ANY_WAIT.match(text):
            self._report.bad(line.number, f"a wait that is cut off or cannot be read: {text}")
        elif "tim=" in text and (call := CALL.match(text) or (self._wanted_calls and _LOB_CALL.match(text))):
            self._calls += 1
            in_doubt = self._time(call[1], line)
            if self._wanted_calls and earlier is None:
                return self._call(line, in_doubt)
        elif text.startswith("Oracle") and (unit := unit_of_release(text)):
            self._release(unit, line)
        return earlier

    def _may_be_cut(self, tim: str | None) -> bool:
        """Whether a ``tim`` is shorter than the last one: then it was cut off, if its line is the last."""
        return tim is not None and len(tim) < self._digits

    def _wait(self, line: Line, match: re.Match[str], tim: str | None) -> Sample | None:
        """The sample of a wait; None if its time is unknown or doubtful so far, or if its duration is negative."""
        waited = int(match[2])
        self._waits += 1
        if self._clock.is_free and self._undated_from is None:
            self._undated_from = line.number
        if waited < 0:
            self._report.bad(line.number, f"a wait of less than no time: {line.text}")
            return None
        in_doubt = False
        if tim is not None:
            in_doubt = self._time(tim, line)
        elif self._times.now is not None:
            self._times.believe()
            self._times.now += self._micros(waited)
        if self._wanted_calls:
            return None
        name = match[1]
        series = self._names.get(name) or self._names.setdefault(name, wait_series(name))
        keys = () if self._keys is None else self._keys.of_wait(line.text, match.end(2))
        return self._known_now(self._event(series, waited, line, keys), line, in_doubt, has_tim=tim is not None)

    def _call(self, line: Line, in_doubt: bool) -> Sample | None:
        """The sample of a call, in the same way."""
        call = call_in(line.text)
        if call is None:
            return None
        took = call.cpu if self._wanted_calls == CPU else call.elapsed
        keys = () if self._keys is None else self._keys.of_call(call)
        return self._known_now(self._event(call.series, took, line, keys), line, in_doubt, has_tim=True)

    def _event(self, series: str, took: int, line: Line, keys: tuple[EventKey, ...]) -> Sample:
        unit, end = self._clock.unit, self._times.now or 0
        latency = took * unit.factor
        where = "", LABEL, SOURCE, line.number, line.arrival
        return Sample(*(series, unit.unit, latency, end, self._clock.kind), *where, keys=keys)

    def _known_now(self, sample: Sample, line: Line, in_doubt: bool, *, has_tim: bool) -> Sample | None:
        """The sample, unless it has to wait for its time."""
        if in_doubt:
            self._times.hold(line, sample)
            return None
        if self._times.now is not None:
            return sample
        took = self._micros(sample.latency // self._clock.unit.factor)
        self._waiting.add(sample, took, self._clock.printed, has_tim=has_tim)
        return None

    def _micros(self, waited: int) -> int:
        unit = self._clock.unit
        return waited * unit.factor * round(unit.unit.seconds * 1e9) // 1000

    def _time(self, tim: str, line: Line) -> bool:
        """Take the time of a line; return whether it is doubtful."""
        self._digits = len(tim)
        now = self._clock.place(int(tim))
        if self._clock.looks_like:
            self._note(line.number, _LOOKS_LIKE[self._clock.looks_like])
        if now is not None and self._clock.is_epoch:
            return self._times.take(now)
        if now is not None:
            self._times.place(now)
        else:
            self._waiting.hear(self._clock.unit.micros(int(tim)))
        return False

    def _begun_at_arrival(self) -> Iterator[Sample]:
        """Draw the undated waits of a live source now. The last of them ended when it arrived."""
        waiting = self._waiting
        if self._wall_offset is None or not waiting.held or waiting.heard is None:
            return
        last = waiting.held[-1].sample
        if last.arrival is not None:
            arrival = round((self._wall_offset + last.arrival) * 1e6)
            self._clock.zero = arrival - waiting.heard
            self._times.place(arrival)
            self._note(last.line, _AT_ARRIVAL)
            yield from self._placed()

    def _release(self, unit: str, line: Line) -> None:
        """The head of a trace names the release: its unit holds from here on, unless the user gave another one."""
        if not self._given_unit:
            self._clock.unit = TIM_UNITS[unit]
        elif self._given_unit != unit and "cs" in (unit, self._given_unit):
            what = f"{line.text.strip()}: its times are in {unit}, and --tim-unit says {self._given_unit}"
            self._note(line.number, what)

    def _note(self, line: int, what: str) -> None:
        """Say something once."""
        if what not in self._noted:
            self._noted.add(what)
            self._report.note(line, what)

    def _decided(self) -> Iterator[Sample]:
        """Yield the waits whose time was doubtful until now."""
        ready, self._times.ready = self._times.ready, []
        yield from ready


def wait_series(name: str) -> str:
    """The event's name, safe to print."""
    return printable(" ".join(name.split())) or "unnamed event"
