"""Why a table, or a row of it, is not read, and what to do about it."""

from __future__ import annotations

from ...collector import Columns
from ...text.clean import printable
from .decimals import is_open
from .header import Layout, Place, names_in, wanted_column, wanted_time
from .names import latency_among, time_among
from .values import is_without_order

CHOOSE = "--time NAME, --latency NAME (or their numbers from 1, as in 2:us) and --by NAME say which columns are meant"
_FORMS = "2026-11-20 10:00:00.5, 20/Nov/2026:10:00:00 +0000, 10:00:00.5, or seconds to nanoseconds since 1970"
_MOST = 60
"""Characters of a line that are quoted."""


def no_time(text: str, time: Place) -> str:
    """Of a value in a column of times that is none."""
    at, shown = f"{time.date.name}, {time.name}" if time.date else time.name, printable(text, _MOST)
    if is_without_order(text):
        columns = f"{time.date.at + 1}:dmy,{time.at + 1}" if time.date else f"{time.at + 1}:dmy"
        other = columns.replace("dmy", "mdy")
        return f"whether the day or the month is first in {shown!r} is open; --time {columns} or {other} tells it"
    if is_open(text):
        return _comma(shown)
    return f"{shown!r} in {at!r} is no time; what is read is {_FORMS}"


def no_latency(text: str, name: str) -> str:
    """Of a value in a column of latencies that is none."""
    shown = printable(text, _MOST)
    if is_open(text):
        return _comma(shown)
    return f"{shown!r} in {name!r} is no latency: a number from 0, perhaps with its unit as in 1.5ms"


def _comma(shown: str) -> str:
    return f"the comma of {shown!r} may stand before decimals or behind thousands; write a point, or no comma"


class Lacking:
    """What the lines lack that might have been a header, by the line that lacks least."""

    def __init__(self, wanted: Columns) -> None:
        self._wanted = wanted
        self._line = ""
        self._least: list[str] | None = None

    def look(self, line: str) -> None:
        """One more line that is no header."""
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


def not_a_row(line: str, layout: Layout) -> str:
    """Of a line that has not all the fields."""
    names = ", ".join(layout.names[:8])
    return f"not a row with {printable(names, _MOST)}: {line}"
