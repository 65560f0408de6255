"""Turns lines of strace into samples, one for each system call that returned."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...errors import Refused
from ...record import Clock, Decoded, Pause, Sample
from ...report import Report
from ...text.lines import Line, Lines
from .line import NO_TIME, RESULT, CallDuration, CallTime, ParsedLine, arguments_of, call_keys, duration, parse_line

# Rejoins calls that a message of strace itself cut in two, as happens on standard error.


_MESSAGE = re.compile(r"strace: Process [0-9]+ (?:attached|detached)\s*$")


def rejoin_lines(lines: Lines) -> Iterator[Line | None]:
    """Yield the lines, with the parts of a cut line joined, and pauses unchanged."""
    held: Line | None = None
    for line in lines:
        if line is None:
            yield None
            continue
        if held is not None and parse_line(line.text) is None:
            line = line._replace(text=held.text + line.text)
        elif held is not None:
            yield held
        held = None
        message = _MESSAGE.search(line.text) if "strace: " in line.text else None
        if message is None:
            yield line
        elif message.start():
            held = line._replace(text=line.text[: message.start()])
    if held is not None:
        yield held


LABEL, SOURCE = "system calls", "strace"
MOST_BEGUN = 100_000
"""Most calls that are kept until they return."""
ENOUGH = 20
"""After this many calls without a duration, none is expected any more."""

_DAY = 86_400 * 10**9
_TOTALS = re.compile(r"% time +seconds +usecs/call +calls")
_NEVER = re.compile(r"\) += \?|<(?:unfinished|detached) \.\.\.>\) *= \?")
_WORKS = "what would work is strace -f -ttt -T"
_NO_DURATIONS = f"system calls without their durations; {_WORKS} (-T adds them)"
_SUMMARY = f"summary table of strace -c: totals per system call, no distribution; {_WORKS}"
_NOTHING = f"no system call returned in this text; {_WORKS}"
_WHOLE = (
    "strace cut off what is less, so each call counts in the middle, and the time waited is an estimate; "
    "-T without --syscall-times is exact to 1 us"
)
_NO_TIMES = "there are no times in this text: its axis is the time spent in system calls; add -ttt for the time of day"


class UnfinishedCall(NamedTuple):
    """A call that has not returned. ``arguments``: the beginning of them, if keys are wanted."""

    call: str
    moment: CallTime | None
    arguments: str = ""


class StraceDecoder:
    """Reads one text. Times relative to the line before (-r) are added up; without any times, durations are."""

    def __init__(self, report: Report, *, keys: bool = False) -> None:
        self._report = report
        self._keys = keys
        self._begun: dict[str, UnfinishedCall] = {}
        self._since = self._spent = 0
        self._samples = self._untimed = self._alone = self._ended = 0
        self._summary = self._reported_no_times = self._reported_whole = False

    def events(self, lines: Lines) -> Iterator[Decoded]:
        """Yield samples in the order of the lines; raise Refused if the text has no durations."""
        last = 0
        for line in rejoin_lines(lines):
            if line is None:
                yield Pause()
                continue
            last = line.number
            found = parse_line(line.text)
            if found is None:
                self._summary |= _TOTALS.match(line.text) is not None
                continue
            sample = self._sample(line, found)
            if sample is not None:
                self._samples += 1
                yield sample
            elif not self._samples and self._untimed >= ENOUGH:
                break
        self._account(last)

    def _sample(self, line: Line, found: ParsedLine) -> Sample | None:
        """The sample of a line that ends a call; None for any other line."""
        if found.moment is NO_TIME:
            self._report.bad(line.number, f"this is no time of day: {line.text[:60]}")
            return None
        moment = self._placed(found.moment)
        if not (found.call or found.resumed):
            self._ended += found.ended and self._begun.pop(found.pid, None) is not None
            return None
        taken = duration(line.text, found.at)
        if taken is None:
            self._without_duration(line, found, moment)
            return None
        self._report_whole(line, taken)
        begun = None
        if found.resumed:
            begun = self._resumed(found)
            moment = begun.moment if begun else moment and moment._replace(nanos=moment.nanos - taken.nanos)
        end = self._end(line, moment, taken.nanos)
        series = found.call or found.resumed
        clock = moment.clock if moment else Clock.COUNTED
        sample = Sample(
            series, taken.unit, taken.latency, end, clock, "", LABEL, SOURCE, line.number, line.arrival, taken.step
        )
        if not self._keys:
            return sample
        arguments = begun.arguments if begun else "" if found.resumed else None
        return sample._replace(keys=call_keys(line.text, found, arguments))

    def _report_whole(self, line: Line, taken: CallDuration) -> None:
        """Report once that durations are in whole seconds or milliseconds."""
        if taken.step and not self._reported_whole:
            self._reported_whole = True
            unit = "ms" if taken.step == 1 else "s"
            self._report.note(line.number, f"durations in whole {unit} (--syscall-times): {_WHOLE}")

    def _placed(self, moment: CallTime | None) -> CallTime | None:
        if moment is None or moment.clock is not Clock.FREE:
            return moment
        self._since += moment.nanos
        return moment._replace(nanos=self._since)

    def _end(self, line: Line, moment: CallTime | None, nanos: int) -> int:
        """The moment in microseconds at which a call ended; ``nanos`` is its duration."""
        if moment is not None:
            end = moment.nanos + nanos
            return (end % _DAY if moment.clock is Clock.DAY else max(end, 0)) // 1000
        if not self._reported_no_times and line.arrival is None:
            self._reported_no_times = True
            self._report.note(line.number, _NO_TIMES)
        self._spent += nanos
        return self._spent // 1000

    def _resumed(self, found: ParsedLine) -> UnfinishedCall | None:
        """The beginning of a call. On standard error, strace does not print the pid while there is only one process."""
        pids = [found.pid, ""] if found.pid else ["", *self._begun]
        call = found.resumed
        pid = next((pid for pid in pids if pid in self._begun and self._begun[pid].call == call), None)
        if pid is None:
            self._alone += 1
            return None
        return self._begun.pop(pid)

    def _without_duration(self, line: Line, found: ParsedLine, moment: CallTime | None) -> None:
        """Process a call without a duration: it continues, never returns, was traced without -T, or was cut off."""
        text = line.text.rstrip()
        if _NEVER.search(text, found.at - 1):
            self._begun.pop(found.pid, None)
        elif text.endswith(("<unfinished ...>", "<detached ...>")):
            if found.call and len(self._begun) < MOST_BEGUN:
                arguments = arguments_of(text, found.at) if self._keys else ""
                self._begun[found.pid] = UnfinishedCall(found.call, moment, arguments)
        elif RESULT.search(text, found.at - 1) and not text.endswith(" ") and "<" not in text[text.rfind(" = ") :]:
            self._untimed += 1
            if self._samples:
                self._report.bad(line.number, f"a call without a duration: {text}")
        else:
            self._report.bad(line.number, f"a call that was cut off or is damaged: {text}")

    def _account(self, last: int) -> None:
        """Report what is left at the end; raise Refused if no call had a duration."""
        if not self._samples:
            why = _SUMMARY if self._summary and not self._untimed else _NO_DURATIONS if self._untimed else _NOTHING
            raise Refused(f"{self._report.where(last)}: {why}")
        open_ones = len(self._begun) + self._ended
        if open_ones:
            self._report.note(last, f"{open_ones} calls had not returned when the trace or their process ended")
        if self._alone:
            what = "calls returned whose beginning is not in the text; each counts where it returned"
            self._report.note(last, f"{self._alone} {what}")
