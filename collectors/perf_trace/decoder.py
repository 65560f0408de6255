"""Turns lines of perf trace into samples."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...collector import Known
from ...errors import Refused
from ...record import Clock, Decoded, Pause, Sample
from ...report import Report
from ...text.lines import Line, Lines
from ...units import Unit
from .._block.pairing import Pairing
from .._block.request import Odd, Request
from .line import Call, call_keys, read_line

LABEL, SOURCE = "system calls", "perf_trace"
ENOUGH = 2_000
"""After this many events without durations, none is expected any more."""

_LOST = re.compile(r"\bLOST ([0-9]{1,18}) events", re.IGNORECASE)
_WORKS = (
    "what would work is perf trace -e CALLS, which prints each call with its duration, or "
    "perf trace -a --no-syscalls -e block:block_rq_issue,block:block_rq_complete"
)
_SUMMARY = "summary of perf trace -s: totals per system call, no distribution"
_NOTHING = "no system call with a duration and no block request in this text"


class PerfTraceDecoder:
    """Reads one text."""

    def __init__(self, report: Report, known: Known) -> None:
        self._report = report
        self._keys = known.keys
        self._pairing = Pairing(report, known, SOURCE)
        self._calls = self._open = self._alone = self._others = self._lost = 0
        self._summary = False

    def events(self, lines: Lines) -> Iterator[Decoded]:
        """Yield samples in the order of the lines; raise Refused if there are none."""
        last = 0
        for line in lines:
            if line is None:
                yield Pause()
                continue
            last = line.number
            found = read_line(line.text)
            if isinstance(found, Call):
                yield from self._call(found, line)
            elif isinstance(found, Request):
                yield from self._pairing.add(found, line)
            else:
                self._odd(found, line)
            if self._others >= ENOUGH and not self._any:
                break
        self._account(last)

    @property
    def _any(self) -> int:
        return self._calls + self._pairing.samples

    def _call(self, call: Call, line: Line) -> Iterator[Sample]:
        """Yield the sample of a call. The printed time is that of its start, even if the call was continued later."""
        if not call.returned:
            self._open += 1
            return
        if call.start is None or call.micros is None:
            self._alone += 1
            return
        self._open -= call.continued
        self._calls += 1
        end = max(call.start + call.micros, 0)
        keys = call_keys(line.text) if self._keys else ()
        yield Sample(
            call.name, Unit.US, call.micros, end, Clock.FREE, "", LABEL, SOURCE, line.number, line.arrival, keys=keys
        )

    def _odd(self, found: Odd | None, line: Line) -> None:
        if found is Odd.CUT:
            self._report.bad(line.number, f"a call or event that cannot be read: {line.text}")
        elif found is Odd.OTHER:
            self._others += 1
        elif "LOST" in line.text and (lost := _LOST.search(line.text)):
            self._lost += int(lost[1])
        else:
            self._summary |= line.text.strip() == "Summary of events:"

    def _account(self, last: int) -> None:
        where = self._report.where(last)
        if self._open > 0:
            self._report.note(last, f"{self._open} calls had not returned when the trace ended")
        if self._alone:
            self._report.note(last, f"{self._alone} calls returned without a duration, for they began before the trace")
        if self._lost:
            self._report.note(last, f"{self._lost} events were lost by perf")
        self._pairing.account(last)
        if not self._any:
            raise Refused(f"{where}: {_SUMMARY if self._summary else _NOTHING}; {_WORKS}")
