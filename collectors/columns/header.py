"""Which column is what: by the names of a header, by the options, or by both."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from ...collector import Columns
from .decimal_commas import with_point
from .names import STARTS, column_name, date_among, latency_among, time_among, unit_seconds
from .rows import Split, groups, members, object_of, separator_of, splitter
from .values import ORDERS, is_of_day, is_without_order, latency_in, time_format

MOST_ABOVE = 30
"""Lines that may stand above a header that is recognised."""
NO_COLUMNS = Columns()
_NAMED_UNIT = re.compile(r"(.+):([^\W\d]+)")
_RULE = frozenset("-+=| \t\r")
_WIDE = frozenset({"comm", "command", "cmd", "process", "program", "name"})
"""Columns between blanks whose values may hold blanks themselves."""


class TableColumn(NamedTuple):
    """A column: its place, its name, and the seconds of its unit, None where nothing tells it.

    ``date`` is the column with the days of times that are of a day, if there is one beside them; ``joined``: the user
    has named both. ``order`` is one of ORDERS, where the user has told it.
    """

    at: int
    name: str
    unit: Decimal | None
    date: TableColumn | None = None
    joined: bool = False
    order: str = ""


class TableLayout(NamedTuple):
    """How rows are read. ``headed`` says that the line that showed it was a header and no row; ``wide`` is the place of
    a column whose values may hold blanks, -1 where there is none; ``nameless``: names are values.
    """

    split: Split
    names: list[str]
    time: TableColumn
    latency: TableColumn
    by: tuple[TableColumn, ...]
    headed: bool
    nameless: bool = False
    wide: int = -1

    @property
    def starts(self) -> bool:
        """Whether times are those of the beginning."""
        return column_name(self.time.name).word in STARTS

    def dated_by(self, fields: list[str]) -> TableLayout:
        """The same for a table with this first row: only times of day are joined to dates, and no date is without
        digits.
        """
        time = self.time
        if time.date is None or time.joined:
            return self
        if is_of_day(fields[time.at]) and any(char.isdecimal() for char in fields[time.date.at]):
            return self
        return self._replace(time=time._replace(date=None))

    def row(self, text: str) -> list[str] | None:
        """The fields of a line, as many as there are names; None for a line that has fewer."""
        fields = self.split(text)
        if fields is None or len(fields) < len(self.names):
            return None
        more = len(fields) - len(self.names)
        if more and self.wide >= 0:
            fields[self.wide : self.wide + more + 1] = [" ".join(fields[self.wide : self.wide + more + 1])]
        return fields


def is_rule(line: str) -> bool:
    """Whether a line is empty, or only separates others."""
    return _RULE.issuperset(line)


def is_headed(head: str) -> str:
    """The names of time and latency in a text whose header and first row leave no doubt; empty for any other."""
    lines = [line for line in head.split("\n") if not is_rule(line)]
    for number, line in enumerate(lines[:MOST_ABOVE]):
        layout = table_layout(line, NO_COLUMNS)
        if layout is None:
            continue
        below = lines[number + layout.headed : number + layout.headed + 1]
        row = layout.row(below[0]) if below else None
        if row is None or latency_in(with_point(row[layout.latency.at])) is None:
            return ""
        time = with_point(row[layout.time.at])
        fits = time.replace(".", "", 1).isdecimal() or time_format(time, None, None) or is_without_order(time)
        return f"{layout.time.name} and {layout.latency.name}" if fits else ""
    return ""


def table_layout(line: str, wanted: Columns) -> TableLayout | None:
    """What a header says of the lines below it, or a line without one of itself; None where it says nothing."""
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
    return TableLayout(split, names, *chosen, headed, not headed, wide)


def names_in(line: str) -> list[str]:
    """What a line would name if it were a header, or an object whose members have names."""
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
    """Of objects only the members that are used have to be there."""
    chosen = _chosen(names, wanted)
    if chosen is None:
        return None
    time, latency, by = chosen
    dates = (time.date,) if time.date else ()
    used = list(dict.fromkeys(place.name for place in (time, latency, *by, *dates)))
    time, latency, *rest = (place._replace(at=used.index(place.name)) for place in (time, latency, *by))
    if time.date:
        time = time._replace(date=time.date._replace(at=used.index(time.date.name)))
    return TableLayout(members(used), used, time, latency, tuple(rest), headed=False)


def _chosen(names: list[str], wanted: Columns) -> tuple[TableColumn, TableColumn, tuple[TableColumn, ...]] | None:
    """Time, latency and series: those that are wanted, else those that have such names."""
    time = wanted_time(wanted.time, names) if wanted.time else _place(time_among(names), names)
    if time is None:
        return None
    latency = wanted_column(wanted.latency, names) if wanted.latency else _place(latency_among(names, time.at), names)
    by = [place for place in (wanted_column(name, names) for name in wanted.by) if place is not None]
    if latency is None or len(by) < len(wanted.by) or latency.at == time.at:
        return None
    if not wanted.time:
        time = time._replace(date=_place(date_among(names, time.at), names))
    return time, latency, tuple(by)


def wanted_time(word: str, names: list[str]) -> TableColumn | None:
    """A column of times, or two with a comma between them, the one with dates first."""
    place = wanted_column(word, names)
    date, comma, time = word.partition(",")
    if place or not comma:
        return place
    day, place = wanted_column(date, names), wanted_column(time, names)
    return place._replace(date=day, joined=True, order=place.order or day.order) if place and day else None


def _place(at: int | None, names: list[str]) -> TableColumn | None:
    return None if at is None else TableColumn(at, names[at], column_name(names[at]).unit)


def wanted_column(word: str, names: list[str]) -> TableColumn | None:
    """A column by its name in any case or its number from 1, perhaps with a unit or an order behind a colon."""
    folded = [name.lower() for name in names]
    if word.lower() in folded:
        return _place(folded.index(word.lower()), names)
    if word.isdecimal():
        return _place(int(word) - 1, names) if 1 <= int(word) <= len(names) else None
    found = _NAMED_UNIT.fullmatch(word)
    if not found or not (unit_seconds(found[2]) or found[2].lower() in ORDERS):
        return None
    place, unit = wanted_column(found[1], names), unit_seconds(found[2])
    if place is None:
        return None
    return place._replace(unit=unit) if unit else place._replace(order=found[2].lower())
