"""The lines around a histogram: the heading with its unit, the sections that name its series, exact sums."""

import re
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from ...record import Bound, Clock, Stamp
from ...report import Report
from ...text import reason_not_time, unit_named
from ...text.clean import printable
from ...text.lines import Line
from ...units import Unit, unit_from
from .._bounded import BoundedDict
from .._series import OTHER, SeriesNames
from .linear import slots_of

UNKNOWN = "unknown"
"""The series name for a key that the probe could not find out."""

_QUOTED = re.compile(r"b?(['\"])(.*)\1", re.DOTALL)
_BYTES = re.compile(r"\bb(['\"])(.*?)\1")
"""Matches the way Python prints bytes, inside a longer value: b'vfs_read' [1234]."""

_BLANKS = r"[ \t\r\n]*"
_HISTOGRAM = re.compile(rf"{_BLANKS}(?P<word>\S+(?: \S+)*?)\s*: count(?P<gap> {{4,5}})distribution{_BLANKS}")
"""Blanks inside the word are single ones: two blanks follow a prefix that another program, such as pdsh, put before
each line.
"""
_EXACT = re.compile(
    r"~avg =~-?[0-9]+~[A-Za-z]+~, total:~(?P<total>[0-9]+)~(?P<unit>[A-Za-z]+)~, count:~(?P<count>[0-9]+)~".replace(
        "~", _BLANKS
    )
)
_CLOCK = re.compile(
    r"(?P<open>\[)? *(?:(?P<date>[0-9]{4}[-/][01][0-9][-/][0-3][0-9]) *T? *)?"
    r"(?P<hour>[01]?[0-9]|2[0-3]): *(?P<minute>[0-5][0-9]): *(?P<second>[0-5][0-9]|60) *(?P<fraction>\.[0-9]{1,9})?"
    r" *(?(open)\]|:?) *"
)
_LIKE_A_CLOCK = re.compile(r"\[? *[^\s:]{1,3}:[^\s:]{1,3}:[^\s:]{1,3}(?:\.[0-9]{1,9})? *[\]:]?")
"""A time of day, of which characters can be damaged or missing."""
_WITHOUT_COLON = re.compile(r"\[? *[0-9]{2}(?:[^\w\s]?[0-9]{2}:|:[0-9]{2}[^\w\s]?)[0-9]{2} *[\]:]?")
"""A time of day in which one colon is damaged or missing."""
LEAST_DIGITS = 4
"""At least so many of the six digits of a damaged time are left."""
_PLAIN_PAIR = re.compile(r"([A-Za-z]+) = ([\w.:/-]+)")
"""Most sections, such as ``pid = 1234`` and ``disk = sda<TAB>flags = Read<TAB>``, consist of these and are read without
the grammar. If every histogram has a new key there are as many sections as histograms, and loading the grammar takes as
long as drawing a picture.
"""
_AVERAGE = re.compile(r"\s*\[AVG [0-9]+\]\s*$")
_OPEN_WORDS = frozenset({"value", "latency", "lat", "time", "duration", "delta", "elapsed"})
"""Words above a histogram that leave its unit to a line above them. Any other word can mean a number of anything."""
_ARGDIST = {"$latency": Unit.NS, "$latency/1000": Unit.US, "$latency/1000000": Unit.MS}


class Heading(NamedTuple):
    """``word : count distribution``. ``unit`` is None, with the reason, if the word is not a unit of time.

    ``is_open``: nothing says that it measures anything but time. ``width`` is the width of a slot if the histogram
    is linear: ``500 us : count ...``. ``libbpf`` distinguishes the log2 histograms of libbpf-tools (four blanks before
    ``distribution``) from those of bcc (five).
    """

    unit: Unit | None
    width: Bound
    reason: str
    libbpf: bool
    is_open: bool = False


class Exact(NamedTuple):
    """``avg = 663 usecs, total: 16575 usecs, count: 25``: the seconds waited and the number of events they cover."""

    seconds: float
    events: int


@lru_cache(maxsize=256)
def heading_of(line: str) -> Heading | None:
    """The heading of a histogram, or None for any other line."""
    found = _HISTOGRAM.fullmatch(line.expandtabs())
    if found is None:
        return None
    word, libbpf = str(found["word"]), len(found["gap"]) == 4
    slots = slots_of(word)
    if slots is not None:
        return Heading(slots.unit, slots.width, "", libbpf)
    unit = heading_unit(word)
    if unit:
        return Heading(unit, 1, "", libbpf)
    return Heading(None, 1, reason_against(word), libbpf, is_open=word.lower() in _OPEN_WORDS)


def heading_unit(word: str) -> Unit | None:
    """The unit of time in the word above a histogram; None if it names none."""
    return unit_named(word) or _ARGDIST.get(word)


def reason_against(word: str) -> str:
    """Why a histogram with this word in its heading cannot be used."""
    kind = reason_not_time(word) or "no unit of time is named"
    return (
        f"a histogram of {printable(word)!r}: {kind}; what would work is a histogram of usecs, msecs or nsecs, "
        "or --unit us (or ns, ms) if it is one of latencies"
    )


@lru_cache(maxsize=8192)
def section_of(line: str) -> tuple[tuple[str, str], ...]:
    """Keys and their cleaned values: ``disk = b'sda'`` as (("disk", "sda"),); empty if the line is not a section."""
    pairs = [_PLAIN_PAIR.fullmatch(pair) for pair in line.rstrip("\t").split("\t")]
    if all(pairs):
        return tuple((pair[1], _value(pair[2])) for pair in pairs if pair)
    if "=" not in line:
        return ()
    from .grammar import key_line, parse_with

    found = parse_with(key_line, line)
    return () if found is None else tuple((str(key).strip(), _value(str(value))) for key, value in found)


def _value(text: str) -> str:
    value = _AVERAGE.sub("", text).strip()
    return "all" if value and not value.strip("*") else unquoted(value)


def section_series(keys: dict[str, str]) -> str:
    """The name of a series: the values of its keys, joined by commas."""
    return printable(",".join(keys.values())) or "all"


def is_unknown(keys: dict[str, str]) -> bool:
    """Whether different series can share this name, because the tool could not find out a key."""
    return any(value.lower() == UNKNOWN for value in keys.values())


def exact_of(line: str) -> Exact | None:
    """The exact sum below a histogram; None for any other line, or if its unit is unknown."""
    found = _EXACT.fullmatch(line.expandtabs())
    unit = unit_from(str(found["unit"])) if found else None
    return Exact(int(found["total"]) * unit.seconds, int(found["count"])) if found and unit else None


def stamp_of(line: str) -> Stamp | None:
    """The time in ``08:11:19``, ``[08:11:19]``, ``08:11:19:`` or ``2026-11-21 08:11:19``, with the date if it has one;
    None for any other line.
    """
    found = _CLOCK.fullmatch(line)
    if found is None:
        return None
    date, fraction = found["date"], found["fraction"] or ""
    seconds = (int(found["hour"]) * 60 + int(found["minute"])) * 60 + int(found["second"])
    micros = int(fraction[1:7].ljust(6, "0")) if fraction else 0
    clock = f"{found['hour']}:{found['minute']}:{found['second']}{fraction}"
    text = f"{date} {clock}" if date else ""
    return Stamp(seconds * 1_000_000 + micros, Clock.DAY, whole=not fraction, text=text)


def is_bad_clock(line: str) -> bool:
    """Whether a line looks like the time above a print, but is no time of day."""
    if stamp_of(line) is not None or sum(char.isdecimal() for char in line) < LEAST_DIGITS:
        return False
    return _LIKE_A_CLOCK.fullmatch(line) is not None or _WITHOUT_COLON.fullmatch(line) is not None


@lru_cache(maxsize=8192)
def unquoted(value: str) -> str:
    """A key's value as a name: without quotes, Python's b'' and surrounding blanks, safe to print."""
    value = value.strip()
    match = _QUOTED.fullmatch(value)
    return printable((match[2] if match else _BYTES.sub(r"\2", value)).strip()) or UNKNOWN


# Series that come again in one print.


MOST_TWINS = 8
"""At most so many sections with one title belong to one print."""


class PrintedSeries:
    """The series of the print that is being read.

    One that comes again has another section with the same title, and gets a number; but if no print so far had it
    twice, the time above a further print was lost.
    """

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()
        self._twins: BoundedDict[str, bool] = BoundedDict()
        self._prints = 0
        self._apart = False

    def begin(self) -> None:
        """A print begins."""
        self._seen.clear()
        self._prints += 1

    def text(self) -> None:
        """A line came that can tell a histogram from the one before."""
        self._apart = True

    def name(self, series: str, *, keyed: bool) -> str:
        """The name of a series in its print; empty if it must be of another print. ``keyed``: it has a section."""
        apart, self._apart = self._apart or keyed, False
        self._seen[series] += 1
        if self._seen[series] == 1:
            return series
        name = f"{series}#{self._seen[series]}"
        if not apart or self._seen[series] > MOST_TWINS or (self._prints > 1 and name not in self._twins):
            return ""
        self._twins[name] = True
        return name


# Collects the section lines above a histogram until its heading comes, and names its series.


class SectionNames(NamedTuple):
    """The series of a histogram, the keys that name it, and the line at which its section (or its heading) begins.

    ``shared``: several series of one interval can have this name.
    """

    series: str
    keys: tuple[str, ...]
    begins: Line
    shared: bool


class Sections:
    """Pending section lines, and the names of all series so far."""

    def __init__(self, report: Report) -> None:
        self._names = SeriesNames(report)
        self._keys: dict[str, str] = {}
        self._begins: Line | None = None

    @property
    def pending(self) -> bool:
        """Whether a section waits for its histogram."""
        return self._begins is not None

    def add(self, line: Line, keys: dict[str, str]) -> None:
        """Add a section line. A repeated key replaces the earlier one, which had no histogram."""
        self._keys.update(keys)
        self._begins = self._begins or line

    def clear(self) -> None:
        """Drop the pending sections: they have no histogram."""
        self._keys, self._begins = {}, None

    def take(self, heading: Line) -> SectionNames:
        """The series of the histogram whose heading was just read."""
        keys, begins = self._keys, self._begins or heading
        self.clear()
        series = self._names.capped(section_series(keys), heading.number)
        return SectionNames(series, tuple(keys), begins, shared=series == OTHER or is_unknown(keys))
