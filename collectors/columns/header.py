"""Decides which column is what: by the names in a header, by the options, or by both."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from ...collector import Columns
from .._aligned import with_joints, without_joints
from .decimal_commas import with_point
from .names import STARTS, column_name, date_among, latency_among, time_among, unit_seconds
from .rows import Split, groups, members, object_of, separator_of, splitter
from .values import ORDERS, is_of_day, is_without_order, latency_in, time_format

MOST_ABOVE = 30
"""Most lines above a header that is recognised."""
MOST_UNMEASURED = 100
"""Most rows without a latency above the first one that has one."""
_NOTHING = frozenset({"", "-", "na", "n/a", "nan", "<na>", "none", "null"})
NO_COLUMNS = Columns()
_NAMED_UNIT = re.compile(r"(.+):([^\W0-9]+)")
_RULE = frozenset("-+=| \t\r")
_WIDE = frozenset({"comm", "command", "cmd", "process", "program", "name"})
"""In tables separated by blanks, the values of these columns can contain blanks themselves."""


class TableColumn(NamedTuple):
    """A column: its place, its name, and the length of its unit in seconds, None if it is unknown.

    ``date`` is the column that contains the days if the times are times of day and there is such a column; ``joined``:
    the user has named both. ``order`` is one of ORDERS if the user has chosen it.
    """

    at: int
    name: str
    unit: Decimal | None
    date: TableColumn | None = None
    joined: bool = False
    order: str = ""


NO_TIME = TableColumn(-1, "none", None)
"""Stands for the time of a table that has none."""
NONE = "none"
"""The user's word for it."""


class TableLayout(NamedTuple):
    """How rows are read.

    ``headed``: the line that showed the layout was a header, not a row. ``wide``: the place of a column whose values
    can contain blanks, -1 if there is none. ``nameless``: the names are only the values of a row. ``header``: the line
    with the names, if blanks separate them.
    """

    split: Split
    names: list[str]
    time: TableColumn
    latency: TableColumn
    by: tuple[TableColumn, ...]
    headed: bool
    nameless: bool = False
    wide: int = -1
    header: str = ""

    @property
    def starts(self) -> bool:
        """Whether times are those of the start of an event."""
        return column_name(self.time.name).word in STARTS

    def dated_by(self, fields: list[str]) -> TableLayout:
        """The same layout for a table with this first row.

        The date column is dropped unless the times are times of day and the date contains digits.
        """
        time = self.time
        if time.date is None or time.joined:
            return self
        if is_of_day(fields[time.at]) and any(char.isdecimal() for char in fields[time.date.at]):
            return self
        return self._replace(time=time._replace(date=None))

    def row(self, text: str) -> list[str] | None:
        """The fields of a line, as many as there are names; None if the line has fewer."""
        fields = self.split(text)
        if self.header and self.wide < 0 and fields is not None and len(fields) > len(self.names):
            joined = self.split(with_joints(text, self.header)) or fields
            fields = [without_joints(field) for field in joined] if len(joined) >= len(self.names) else fields
        if fields is None or len(fields) < len(self.names):
            return None
        more = len(fields) - len(self.names)
        if more and self.wide >= 0:
            fields[self.wide : self.wide + more + 1] = [" ".join(fields[self.wide : self.wide + more + 1])]
        return fields


def is_rule(line: str) -> bool:
    """Whether a line is empty or only separates other lines."""
    return _RULE.issuperset(line)


def is_headed(head: str) -> str:
    """The names of time and latency if the header and the first row with a latency are unambiguous; else an empty
    string.
    """
    lines = [line for line in head.split("\n") if not is_rule(line)]
    for number, line in enumerate(lines[:MOST_ABOVE]):
        layout = table_layout(line, NO_COLUMNS)
        if layout is None:
            continue
        first = number + layout.headed
        row = next(_measured(layout, lines[first : first + MOST_UNMEASURED + 1]), None)
        if row is None or latency_in(with_point(row[layout.latency.at])) is None:
            return ""
        return f"{layout.time.name} and {layout.latency.name}" if _has_time(layout, row) else ""
    return ""


def _measured(layout: TableLayout, below: list[str]) -> Iterator[list[str]]:
    """The rows up to a line that is none; not those that have a time, and for the latency a word of nothing."""
    for line in below:
        row = layout.row(line)
        if row is None:
            return
        if not (row[layout.latency.at].strip().lower() in _NOTHING and _has_time(layout, row)):
            yield row


def _has_time(layout: TableLayout, row: list[str]) -> bool:
    time = with_point(row[layout.time.at])
    return bool(time.replace(".", "", 1).isdecimal() or time_format(time, None, None) or is_without_order(time))


def table_layout(line: str, wanted: Columns) -> TableLayout | None:
    """The layout of the lines below a header, or of a line without a header; None if the line shows no layout."""
    if wanted.regex:
        return _by_expression(re.compile(wanted.regex), wanted)
    found = object_of(line)
    if found is not None:
        return _of_objects(list(found), wanted)
    text = _unmarked(line)
    separator = separator_of(text)
    split = splitter(separator)
    names = _named(split(text))
    chosen = _chosen(names, wanted)
    if chosen is None:
        return None
    if chosen[0].date:
        split = splitter(separator, dated=False)
    latency = chosen[1]
    headed = latency_in(with_point(names[latency.at])) is None
    if not headed and (line.startswith("#") or not wanted.latency):
        return None
    wide = next((at for at, name in enumerate(names) if name.lower() in _WIDE), -1) if headed and not separator else -1
    aligned = line if headed and not separator and not line.startswith("#") else ""
    return TableLayout(split, names, *chosen, headed, not headed, wide, aligned)


def names_in(line: str) -> list[str]:
    """The names in a line if it is a header, or the names of the members if it is an object."""
    found = object_of(line)
    if found is not None:
        return list(found)
    text = _unmarked(line)
    return _named(splitter(separator_of(text))(text))


def _unmarked(line: str) -> str:
    return line.lstrip("# ") if line.startswith("#") else line


def _named(fields: list[str] | None) -> list[str]:
    return [name.strip("\"'") for name in fields or []]


def _by_expression(expression: re.Pattern[str], wanted: Columns) -> TableLayout | None:
    names = list(expression.groupindex)
    chosen = _chosen(names, wanted._replace(by=wanted.by or tuple(name for name in names if name == "series")))
    return TableLayout(groups(expression, names), names, *chosen, headed=False) if chosen else None


def _of_objects(names: list[str], wanted: Columns) -> TableLayout | None:
    """The layout of objects: only the members that are used are required."""
    chosen = _chosen(names, wanted)
    if chosen is None:
        return None
    time, latency, by = chosen
    dates = (time.date,) if time.date else ()
    timed = () if time is NO_TIME else (time,)
    used = list(dict.fromkeys(place.name for place in (*timed, latency, *by, *dates)))
    latency, *rest = (place._replace(at=used.index(place.name)) for place in (latency, *by))
    time = time._replace(at=used.index(time.name)) if timed else NO_TIME
    if time.date:
        time = time._replace(date=time.date._replace(at=used.index(time.date.name)))
    return TableLayout(members(used), used, time, latency, tuple(rest), headed=False)


def _chosen(names: list[str], wanted: Columns) -> tuple[TableColumn, TableColumn, tuple[TableColumn, ...]] | None:
    """Time, latency and series: the columns that the user wants, else the columns with suitable names."""
    time = wanted_time(wanted.time, names) if wanted.time else _place(time_among(names), names)
    if time is None and wanted.time.lower() == NONE:
        time = NO_TIME
    if time is None:
        return None
    latency = wanted_column(wanted.latency, names) if wanted.latency else _place(latency_among(names, time.at), names)
    by = [place for place in (wanted_column(name, names) for name in wanted.by) if place is not None]
    if latency is None or len(by) < len(wanted.by) or latency.at == time.at:
        return None
    if time.at >= 0 and not wanted.time:
        time = time._replace(date=_place(date_among(names, time.at), names))
    return time, latency, tuple(by)


def wanted_time(word: str, names: list[str]) -> TableColumn | None:
    """The column of times that the user named, or two separated by a comma, the one with dates first."""
    place = wanted_column(word, names)
    date, comma, time = word.partition(",")
    if place or not comma:
        return place
    day, place = wanted_column(date, names), wanted_column(time, names)
    return place._replace(date=day, joined=True, order=place.order or day.order) if place and day else None


def _place(at: int | None, names: list[str]) -> TableColumn | None:
    return None if at is None else TableColumn(at, names[at], column_name(names[at]).unit)


def wanted_column(word: str, names: list[str]) -> TableColumn | None:
    """A column by its name in any case, with or without the unit in it, or by its number from 1; a colon and a unit or
    an order can follow.
    """
    if word.isdecimal() and 1 <= int(word) <= len(names):  # first: without a header, the names are the values of a row
        return _place(int(word) - 1, names)
    folded = [name.lower() for name in names]
    if word.lower() in folded:
        return _place(folded.index(word.lower()), names)
    if word.isdecimal():
        return None
    short = [at for at, name in enumerate(names) if _is_without_unit(word, name)]
    if len(short) == 1:
        return _place(short[0], names)
    found = _NAMED_UNIT.fullmatch(word)
    if not found or not (unit_seconds(found[2]) or found[2].lower() in ORDERS):
        return None
    place, unit = wanted_column(found[1], names), unit_seconds(found[2])
    if place is None:
        return None
    return place._replace(unit=unit) if unit else place._replace(order=found[2].lower())


def _is_without_unit(word: str, name: str) -> bool:
    """Whether a word is a name but for its unit, as ``DELTA`` is for ``DELTA(us)``."""
    full, short = column_name(name), column_name(word)
    return full.unit is not None and short.unit is None and full.word == short.word
