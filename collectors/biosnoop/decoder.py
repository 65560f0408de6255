"""Turns the lines under a header into samples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import dropwhile

from ...collector import NOTHING_KNOWN, Known
from ...errors import Refused
from ...record import Clock, Decoded, EventKey, Pause, Sample
from ...report import Report
from ...text.clean import is_noise, printable
from ...text.lines import Line, Lines
from ...units import MICROS_PER_DAY, Unit
from .._aligned import without_joints
from .._bounded import BoundedDict
from .header import DIRECTIONS, DISKS, SECTORS, HeaderLayout, header_layout, is_measured

SOURCE = "biosnoop"
MOST_EARLY = 100_000
"""Most lines above the header that are kept until it comes."""
EPOCH_FROM = 10**15
"""Microseconds. Smaller times count from the start of the tool or of the machine, not from 1970."""
NO_SECTOR = ("-1", str(2**64 - 1))
"""What tools print that show the kernel's -1 with a sign and without."""
_NANOS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1, "": 10**9}
_UNITS = {10**6: Unit.MS, 10**3: Unit.US, 1: Unit.NS}
_DIRECTIONS = {"R": "read", "W": "write", "D": "discard", "F": "flush", "O": "open", "S": "fsync", "G": "getattr"}
_FLOOR = re.compile(
    r"Trac\w+ .*?(?:slower|higher|longer) than ([0-9]{1,9}(?:\.[0-9]{1,9})?) *(ms|us|ns|msecs?|usecs?)\b"
)
_WHOLE = (
    "latencies in whole ms: the tool cut off what is less, so each counts in the middle of its ms, and the time waited "
    "is an estimate"
)
_NO_TIMES = (
    "there are no times in this text: its axis is the sum of the latencies; iosnoop -t, funcslower -t and drsnoop -T "
    "print times"
)


class HeaderTableDecoder:
    """Reads one text."""

    def __init__(self, report: Report, known: Known = NOTHING_KNOWN) -> None:
        self._report = report
        self._given = known.unit
        self._keys = known.keys
        self._layout: HeaderLayout | None = None
        self._unread: HeaderLayout | None = None
        self._names: BoundedDict[tuple[str | None, str | None], str] = BoundedDict()
        self._held: tuple[Line, re.Match[str]] | None = None
        self._early: list[Line] = []
        self._too_early = 0
        self._aligned = True
        self._decimals = self._spent = 0
        self._reported_no_times = self._reported_whole = self._any = False
        self._unfit: int | None = None

    def events(self, lines: Lines) -> Iterator[Decoded]:
        """Yield samples in the order of the lines, each once the next line or a pause shows it to be complete."""
        last = 0
        for line in lines:
            yield from self._complete()
            if line is None:
                yield Pause()
                continue
            last = line.number
            self._line(line)
            if self._early and self._layout is not None:
                yield from self._above(line, self._layout)
        if self._held is not None and self._is_cut(*self._held):
            self._report.bad(last, f"a line that was cut off: {self._held[0].text}")
            self._held = None
        yield from self._complete()
        if self._unfit is not None and not self._any:
            what = "no line fits the header above; what would work is --format columns with --time and --latency"
            raise Refused(f"{self._report.where(self._unfit)}: {what}")
        if self._layout is None:
            what = "no header with a column of latencies; what would work is the text from its header on"
            raise Refused(f"{self._report.where(last)}: {what}")

    def _line(self, line: Line) -> None:
        """Process a line: a header, an event, or other text around them."""
        text = line.text
        if self._unread is not None and self._unread.matched(text):
            self._report.bad(line.number, f"an event without a time, below a header without one: {text}")
            return
        found = self._layout.matched(text) if self._layout else None
        if found is not None:
            self._held = line, found
        elif ("LAT" in text or " MS" in text) and (layout := header_layout(text)) is not None:
            self._unread = None
            if self._layout is not None and self._layout.is_timed and not layout.is_timed:
                self._unread = layout
                return
            self._layout, self._aligned, self._decimals = layout, True, 0
            self._check_unit(line, layout)
        elif floor := _FLOOR.match(text):
            if float(floor[1]):
                what = f"events up to {floor[1]} {floor[2]} are not in this text: the tool left them out"
                self._report.note(line.number, what)
        elif self._layout is not None and not is_noise(text) and self._looks_like_row(text, self._layout):
            self._unfit = self._unfit or line.number
            self._report.bad(line.number, f"a line that does not fit the header: {text}")
        elif self._layout is None and len(self._early) < MOST_EARLY:
            self._early.append(line)
        elif self._layout is None:
            self._too_early += 1

    @staticmethod
    def _looks_like_row(text: str, layout: HeaderLayout) -> bool:
        return text.lstrip()[:1].isdigit() or layout.may_be_row(text)

    def _check_unit(self, line: Line, layout: HeaderLayout) -> None:
        """Report that the header names another unit than the user."""
        unit = layout.units["lat"]
        if self._given is not None and self._given.value != unit:
            what = f"{layout.latency} names its unit, so --unit {self._given.value} is not used"
            self._report.note(line.number, what)
            self._given = None

    def _above(self, header: Line, layout: HeaderLayout) -> Iterator[Sample]:
        """Yield the events above the first header: such a text prints its header late.

        Lines above the first of these events are no rows.
        """
        early, self._early = self._early, []
        for line in dropwhile(lambda line: layout.row.match(line.text) is None, early):
            self._line(line)
            yield from self._complete()
        if self._too_early:
            what = f"{self._too_early} lines above the header are not read: there are more than {MOST_EARLY}"
            self._report.bad(header.number, what)

    def _is_cut(self, line: Line, found: re.Match[str]) -> bool:
        """Whether the very last line was cut off within its latency, judged by the columns of earlier lines."""
        assert self._layout is not None
        if line.ended or not self._layout.length:
            return False
        return (self._aligned and _is_short(line, found, self._layout)) or _decimals(found["lat"]) < self._decimals

    def _complete(self) -> Iterator[Sample]:
        """Yield the event of the last line."""
        if self._held is None or self._layout is None:
            return
        (line, found), self._held = self._held, None
        self._any = True
        layout, groups = self._layout, found.groupdict()
        self._aligned &= not _is_short(line, found, layout)
        self._decimals = _decimals(found["lat"])
        latency, unit = _latency(found["lat"], layout.units["lat"])
        if latency < 0:
            self._report.bad(line.number, f"a latency of less than nothing: {line.text}")
            return
        nanos = latency * _nanos_of(unit)
        end, clock = self._end(line, groups, nanos)
        series = self._series(groups.get("disk"), groups.get("dir"))
        step = self._step(line, unit)
        keys = keys_in(layout, found) if self._keys else ()
        yield Sample(series, unit, latency, end, clock, "", layout.label, SOURCE, line.number, line.arrival, step, keys)
        if groups.get("que") is not None:
            queued, unit = _latency(found["que"], layout.units["que"])
            if queued >= 0:  # -1 if the tool did not see the request enter the queue
                left = max(end - nanos // 1000, 0)
                queue, step = f"{series},queue", self._step(line, unit)
                yield Sample(
                    queue, unit, queued, left, clock, "", layout.label, SOURCE, line.number, line.arrival, step, keys
                )

    def _step(self, line: Line, unit: Unit) -> int:
        """The unit to which a latency was truncated: whole ms in bpftrace's tools come from an integer division."""
        if unit is not Unit.MS:
            return 0
        if not self._reported_whole:
            self._reported_whole = True
            self._report.note(line.number, _WHOLE)
        return 1

    def _end(self, line: Line, groups: dict[str, str | None], nanos: int) -> tuple[int, Clock]:
        """The moment in microseconds at which an event ended, and its clock."""
        assert self._layout is not None
        ended = groups.get("end")
        text, unit = (ended, self._layout.units["end"]) if ended else (groups.get("time"), "")
        if text is None:
            if not self._reported_no_times and line.arrival is None:
                self._reported_no_times = True
                self._report.note(line.number, _NO_TIMES)
            self._spent += nanos
            return self._spent // 1000, Clock.COUNTED
        hours, minutes, seconds = (["0", "0", *text.split(":")])[-3:]
        unit = unit or self._layout.units.get("time", "")
        micros = _scaled(seconds, _NANOS[unit]) // 1000 + (int(hours) * 60 + int(minutes)) * 60_000_000
        if self._layout.starts and not ended:
            micros += nanos // 1000
        if ":" in text:
            return micros % MICROS_PER_DAY, Clock.DAY
        return max(micros, 0), Clock.EPOCH if micros >= EPOCH_FROM else Clock.FREE

    def _series(self, disk: str | None, flags: str | None) -> str:
        """``vda,read``, or the part of it that is known."""
        name = self._names.get((disk, flags))
        if name is None:
            direction = _DIRECTIONS.get(flags[0], flags) if flags else ""
            name = ",".join(part for part in (printable(without_joints(disk or "")), direction) if part) or "all"
            self._names[disk, flags] = name
        return name


def keys_in(layout: HeaderLayout, found: re.Match[str]) -> tuple[EventKey, ...]:
    """All columns but times and latencies. A request that only empties caches has no sector."""
    keys = {}
    for column, value in layout.values(found).items():
        name = key_name(column)
        if name == "operation":
            value = _DIRECTIONS.get(value[0], value)
        is_missing = not value or (column in SECTORS and value in NO_SECTOR)
        if not is_measured(column) and not is_missing:
            keys[name] = EventKey(name, without_joints(value))
    return tuple(keys.values())


def key_name(column: str) -> str:
    """What the key of a column is called."""
    return "device" if column in DISKS else "operation" if column in DIRECTIONS else column.lower()


def _is_short(line: Line, found: re.Match[str], layout: HeaderLayout) -> bool:
    """Whether a line ends before its header does."""
    length = len(line.text.rstrip())
    return length < layout.length or length - found.start("before") < layout.tail


def _decimals(number: str) -> int:
    return len(number.partition(".")[2])


def _nanos_of(unit: Unit) -> int:
    return next(nanos for nanos, known in _UNITS.items() if known is unit)


def _latency(number: str, unit: str) -> tuple[int, Unit]:
    """A printed latency, in the coarsest unit in which it is a whole number."""
    nanos = _NANOS[unit]
    finest = max(nanos // 1000 ** -(-_decimals(number) // 3), 1)
    return _scaled(number, nanos) // finest, _UNITS[finest]


def _scaled(number: str, nanos: int) -> int:
    """A decimal number in nanoseconds; ``nanos`` is the length of its unit."""
    whole, _, fraction = number.lstrip("-").partition(".")
    value = int(whole) * nanos + (int(fraction) * nanos // 10 ** len(fraction) if fraction else 0)
    return -value if number.startswith("-") else value
