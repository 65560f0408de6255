"""Turns lines of ioping into samples."""

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

LABEL, SOURCE = "I/O requests", "ioping"

_TIME = r"(?:.{0,60}?([0-9][0-9]):([0-9][0-9]):([0-9][0-9])(?:\.[0-9]+)? (?:.{0,60} )?)?"
_WHAT = r"[0-9.]{1,20} (?:[KMGT]?i?B|bytes) (<<<|>>>|from|to) (\S.*?)(?: \([^()]*\))?: request="
_TOOK = r"([0-9]{1,12}) time=([0-9]{1,9})(?:\.([0-9]{1,9}))? (ns|us|ms|s|min|hour|day)(?: \((\w+)\))?\s*$"
_REQUEST = re.compile(_TIME + _WHAT + _TOOK)
_BROKEN = re.compile(r".{0,60}?" + _WHAT)
_NANOS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "min": 60 * 10**9, "hour": 3600 * 10**9, "day": 86400 * 10**9}
_WRITES = (">>>", "to")
_WARMUP = "warmup"
_ADVICE = "ioping -I prints times"
_WORKS = "what would work is ioping -I TARGET"


class IopingDecoder:
    """Reads one text, of one run or several."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._counted = NumberedRequests(report, _ADVICE)
        self._names: BoundedDict[tuple[str, str], str] = BoundedDict()
        self._held: tuple[Line, re.Match[str]] | None = None
        self._warm = 0
        self._any = False

    def events(self, lines: Lines) -> Iterator[Decoded]:
        """Yield samples in the order of the lines.

        The first request is held back until its line is certainly complete: the word that marks a warm-up is at its
        end.
        """
        last = 0
        for line in lines:
            if self._held is not None:
                yield self._sample(*self._held)
                self._held = None
            if line is None:
                yield Pause()
                continue
            last = line.number
            found = _REQUEST.match(line.text)
            if found is None:
                if _BROKEN.match(line.text):
                    self._report.bad(line.number, f"a request that was cut off: {line.text}")
            elif found[10] == _WARMUP:
                self._warm += 1
            elif found[6] == "1":
                self._held = line, found
            else:
                yield self._sample(line, found)
        self._account(last)

    def _sample(self, line: Line, found: re.Match[str]) -> Sample:
        hours, minutes, seconds, way, target, number, whole, decimals, unit, _ = found.groups()
        nanos = _NANOS[unit]
        latency = int(whole) * nanos + (int(decimals) * nanos // 10 ** len(decimals) if decimals else 0)
        series = self._series(target, way)
        if hours:
            end, clock = ((int(hours) * 60 + int(minutes)) * 60 + int(seconds)) * 1_000_000, Clock.DAY
        else:
            end, clock = self._counted.micros(target, int(number), line), Clock.COUNTED
        self._any = True
        return Sample(series, Unit.NS, latency, end, clock, "", LABEL, SOURCE, line.number, line.arrival)

    def _series(self, target: str, way: str) -> str:
        name = self._names.get((target, way))
        if name is None:
            direction = "write" if way in _WRITES else "read"
            name = self._names[target, way] = f"{printable(target)},{direction}"
        return name

    def _account(self, last: int) -> None:
        if self._held is not None:
            self._report.bad(last, f"the only request may have been the warm-up: {self._held[0].text}")
        if not self._any:
            why = "the warm-up and no other request" if self._warm else "no request"
            raise Refused(f"{self._report.where(last)}: {why}; {_WORKS}")
        if self._warm:
            self._report.note(last, f"{self._warm} warm-up requests are left out, as in ioping's own statistics")
