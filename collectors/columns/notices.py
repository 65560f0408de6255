"""Messages: why a table, or a row of it, cannot be read, and the remedy."""

from __future__ import annotations

from datetime import datetime, timezone
from decimal import Decimal

from ...collector import Columns
from ...record import Clock
from ...stream import is_on_axis
from ...text.clean import printable
from .decimal_commas import is_open
from .header import TableColumn, TableLayout, names_in, wanted_column, wanted_time
from .names import date_among, latency_among, other_latencies, time_among
from .values import ColumnMoment, TimeFormat, is_without_order

CHOOSE = "--time NAME, --latency NAME (or their numbers from 1, as in 2:us) and --by NAME say which columns are meant"
UNTIMED = "there are no times in this text: its events follow one another on an axis that is the sum of the latencies"
UNTIMED_LIVE = "there are no times in this text: each event ended when its line arrived"
_FORMS = "2026-11-20 10:00:00.5, 20/Nov/2026:10:00:00 +0000, 10:00:00.5, or seconds to nanoseconds since 1970"
_MOST = 60
"""Characters of a line that are quoted at most."""


def not_a_time(text: str, time: TableColumn) -> str:
    """The message for a value in a time column that is not a time."""
    at, shown = f"{time.date.name}, {time.name}" if time.date else time.name, printable(text, _MOST)
    if is_without_order(text):
        columns = f"{time.date.at + 1}:dmy,{time.at + 1}" if time.date else f"{time.at + 1}:dmy"
        other = columns.replace("dmy", "mdy")
        return f"whether the day or the month is first in {shown!r} is open; --time {columns} or {other} tells it"
    if is_open(text):
        return _comma(shown)
    return f"{shown!r} in {at!r} is no time; what is read is {_FORMS}"


def not_a_latency(text: str, name: str) -> str:
    """The message for a value in a latency column that is not a latency."""
    shown = printable(text, _MOST)
    if is_open(text):
        return _comma(shown)
    return f"{shown!r} in {name!r} is no latency: a number from 0, perhaps with its unit as in 1.5ms"


def _comma(shown: str) -> str:
    return f"the comma of {shown!r} may stand before decimals or behind thousands; write a point, or no comma"


class HeaderShortfall:
    """What is missing in the lines that could have been a header; describes the line that lacks least."""

    def __init__(self, wanted: Columns) -> None:
        self._wanted = wanted
        self._line = ""
        self._least: list[str] | None = None

    def look(self, line: str) -> None:
        """Consider one more line that is not a header."""
        missing = self._missing(names_in(line))
        if self._least is None or len(missing) < len(self._least):
            self._line, self._least = line, missing

    def __str__(self) -> str:
        missing = " or ".join(self._least or ["a time and a latency in two columns"])
        return f"no line has {missing}; the nearest is {printable(self._line, _MOST)!r}"

    def _missing(self, names: list[str]) -> list[str]:
        wanted = self._wanted
        has_time = wanted_time(wanted.time, names) if wanted.time else time_among(names) is not None
        has_latency = wanted_column(wanted.latency, names) if wanted.latency else latency_among(names) is not None
        missing = [] if has_time else [repr(wanted.time) if wanted.time else "a column that is clearly a time"]
        if not has_latency:
            missing.append(repr(wanted.latency) if wanted.latency else "a column that is clearly a latency")
        return [*missing, *(repr(name) for name in wanted.by if not wanted_column(name, names))]


def not_a_row(line: str, layout: TableLayout) -> str:
    """The message for a line that lacks some of the fields."""
    names = ", ".join(layout.names[:8])
    return f"not a row with {printable(names, _MOST)}: {line}"


# Messages that report the chosen columns, so that a wrong guess is noticed.


ALL = "all"
"""The series of a table whose events are not divided into series."""
_WORDS = {Decimal(1): "s", Decimal("0.001"): "ms", Decimal("0.000001"): "us", Decimal("0.000000001"): "ns"}


def choice_notices(
    layout: TableLayout, meaning: TimeFormat, moment: ColumnMoment, latency: Decimal, unit: Decimal
) -> list[str]:
    """The messages, with the values of the first row as an example: its time, its latency and the unit."""
    at = "start" if layout.starts else "end"
    date = f"{_name(layout.time.date, layout)} with " if layout.time.date else ""
    series = ", ".join(_name(place, layout) for place in layout.by) or f"{ALL!r}, for --by names no column"
    names = [
        f"time is {date}{_name(layout.time, layout)}: {meaning.what}, the {at} of each event",
        f"latency is {_name(layout.latency, layout)}, in {unit_word(unit)}; series: {series}",
        f"first row: {_clock(moment)}, {latency:f} {unit_word(unit)}",
    ]
    if unused := _unused_date(layout, moment):
        names.append(
            f"column {unused!r} is not used; --time {unused},{layout.time.name} takes it for the date of each time"
        )
    others = [] if layout.nameless else other_latencies(layout.names, {layout.time.at, layout.latency.at})
    return [*names, f"not drawn: {', '.join(others)}; --latency chooses another column"] if others else names


def unit_word(unit: Decimal) -> str:
    """``us``, or the length of the unit in seconds."""
    return _WORDS.get(unit.normalize(), f"units of {unit:f} s")


def _unused_date(layout: TableLayout, moment: ColumnMoment) -> str:
    """The name of an unused column with dates next to times of day; empty if there is none."""
    if layout.nameless or moment.clock is not Clock.DAY:
        return ""
    place = date_among(layout.names, layout.time.at)
    return "" if place is None else layout.names[place]


def _name(place: TableColumn, layout: TableLayout) -> str:
    return f"column {place.at + 1}" if layout.nameless else f"column {place.name!r}"


def _clock(moment: ColumnMoment) -> str:
    if moment.clock is Clock.EPOCH and is_on_axis(moment.micros):
        return datetime.fromtimestamp(moment.micros / 1e6, timezone.utc).isoformat(timespec="milliseconds")
    return f"{moment.micros / 1e6:.6f} s" + (" after midnight" if moment.clock is Clock.DAY else "")
