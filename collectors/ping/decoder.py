"""Turns lines of ping into samples."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...errors import Refused
from ...record import Clock, Decoded, Pause, Sample
from ...report import Report
from ...text.clean import printable
from ...text.lines import Line, Lines
from ...units import Unit
from .._bounded import BoundedDict
from .._numbered_requests import NumberedRequests

LABEL, SOURCE = "round trips", "ping"

_STAMP = r"(?:\[([0-9]{1,12})\.([0-9]{1,9})\] )?"
_MS = r"([0-9]{1,9})(?:\.([0-9]{1,9}))? ms"
_REPLY = re.compile(
    rf"{_STAMP}[0-9]+ bytes from (\S+?)(?: \([^)]*\))?: (?:icmp_)?seq=([0-9]{{1,10}})(?: .*?)? time=(?:{_MS})"
)
_FPING = re.compile(rf"{_STAMP}(\S+) +: \[([0-9]{{1,10}})\], [0-9]+ bytes, {_MS}\b")
_WINDOWS = re.compile(r"()()Reply from (\S+): bytes=[0-9]+ time(?:=|(<))([0-9]{1,9})()ms\b")
_UNTIMED = re.compile(r"[0-9]+ bytes from \S.*: (?:icmp_)?seq=[0-9]+(?: \w+=[0-9]+)*\s*$")
_BROKEN = re.compile(rf"{_STAMP}[0-9]+ bytes from |Reply from \S+: bytes=")
_UNANSWERED = re.compile(
    r"(?:\[[0-9.]+\] )?(?:From \S+.* icmp_seq=[0-9]+ |no answer yet for icmp_seq=|Request timeout for icmp_seq)"
    r"|Request timed out|Reply from \S+: Destination|\S+ +: \[[0-9]+\], timed out"
)
_SUMMARY = re.compile(r"([0-9]{1,12}) packets transmitted, ([0-9]{1,12}) (?:packets )?received")
_ADVICE = "ping -D prints times"
_WORKS = "what would work is ping -D HOST"


class PingDecoder:
    """Reads one text, of one run or several."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._counted = NumberedRequests(report, _ADVICE)
        self._sent: BoundedDict[str, int] = BoundedDict()
        self._names: BoundedDict[str, str] = BoundedDict()
        self._lost = self._unanswered = self._untimed = 0
        self._any = False

    def events(self, lines: Lines) -> Iterator[Decoded]:
        """Yield samples in the order of the lines; report requests without a reply at the end."""
        last = 0
        for line in lines:
            if line is None:
                yield Pause()
                continue
            last = line.number
            found = _REPLY.match(line.text) or _FPING.match(line.text)
            if found is not None:
                yield self._sample(line, found)
            elif (found := _WINDOWS.match(line.text)) is not None:
                yield self._windows(line, found)
            else:
                self._other(line)
        self._account(last)

    def _sample(self, line: Line, found: re.Match[str]) -> Sample:
        seconds, fraction, host, number, whole, decimals = found.groups()
        series = self._series(host)
        if seconds:
            end, clock = int(seconds) * 1_000_000 + int(fraction[:6].ljust(6, "0")), Clock.EPOCH
        else:
            end, clock = self._counted.micros(series, int(number), line), Clock.COUNTED
        latency = _latency(whole, decimals or "")
        return Sample(series, Unit.US, latency, end, clock, "", LABEL, SOURCE, line.number, line.arrival)

    def _windows(self, line: Line, found: re.Match[str]) -> Sample:
        """A reply of Windows: whole milliseconds, no number. ``time<1ms`` is less than one, so all are truncated."""
        series = self._series(found[3])
        number = self._sent[series] = self._sent.get(series, 0) + 1
        end = self._counted.micros(series, number, line)
        latency = 0 if found[4] else int(found[5])
        return Sample(
            series, Unit.MS, latency, end, Clock.COUNTED, "", LABEL, SOURCE, line.number, line.arrival, step=1
        )

    def _series(self, host: str) -> str:
        self._any = True
        return self._names.get(host) or self._names.setdefault(host, printable(host))

    def _other(self, line: Line) -> None:
        """Process a line that is not a reply with a time."""
        text = line.text
        if found := _SUMMARY.search(text):
            self._lost += max(int(found[1]) - int(found[2]), 0)
            self._unanswered = 0
        elif _UNANSWERED.match(text):
            self._unanswered += 1
        elif _UNTIMED.match(text):
            self._untimed += 1
        elif _BROKEN.match(text):
            self._report.bad(line.number, f"a reply that was cut off: {text}")

    def _account(self, last: int) -> None:
        lost = self._lost + self._unanswered
        if not self._any:
            why = "no reply with a time" if self._untimed or lost else "no reply"
            raise Refused(f"{self._report.where(last)}: {why}; {_WORKS}, with 16 bytes (-s 16) or more")
        if self._untimed:
            self._report.note(last, f"{self._untimed} replies have no time: ping -s 16 or more measures it")
        if lost:
            self._report.note(last, f"{lost} requests were not answered in time; a loss has no latency to draw")


def _latency(whole: str, decimals: str) -> int:
    """A latency in whole microseconds. No ping prints more than three decimals: further ones are damage, and a unit of
    their own would make a series of their own.
    """
    return int(whole + decimals[:3].ljust(3, "0"))
