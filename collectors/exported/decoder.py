"""Turns rows of CSV and JSON lines into records, each of a whole interval."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from math import isfinite
from typing import Any

from ...interval import Interval, record_of
from ...record import Bound, Range, Record
from ...report import Report
from ...text.clean import printable
from ...text.lines import Line, Lines
from ...units import Unit
from .._series import SeriesNames
from .signs import CSV_HEADING

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MICRO = timedelta(microseconds=1)
_FLAGS = ("estimated", "reset", "gap")
_WORDS = {"true": True, "false": False}
Fields = dict[str, str]


class ExportedDecoder:
    """Reads one text. The rows of an interval follow each other; its first one has the bucket 0."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._names = SeriesNames(report)
        self._columns: list[str] | None = None
        self._first: tuple[Line, Fields] | None = None
        self._ranges: list[Range] = []

    def events(self, lines: Lines) -> Iterator[Record]:
        """Yield each interval as soon as it is complete."""
        for line in lines:
            if line is None:
                continue  # more rows of the same interval can follow
            if CSV_HEADING.match(line.text):
                yield from self._whole()
                self._columns = _values_of(line.text.lstrip("\ufeff"))
            elif line.text.startswith("{"):
                yield from self._read(line, lambda text: _interval_of_json(json.loads(text)))
            elif line.text.strip():
                yield from self._row(line)
        yield from self._whole()

    def _read(self, line: Line, interval_of: Any, about: Any = None) -> Iterator[Record]:
        """The record of an interval that begins at a line; a bad one is reported."""
        try:
            interval = interval_of(line.text if about is None else about)
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
            what = f"no {error}" if isinstance(error, KeyError) else str(error)
            self._report.bad(line.number, f"not an interval that pylatencymap wrote ({what}); it is left out")
            return
        name = self._names.capped(printable(interval.series), line.number)
        texts = {key: printable(getattr(interval, key)) for key in ("label", "source", "note")}
        yield replace(record_of(replace(interval, series=name, **texts)), line=line.number, arrival=line.arrival)

    def _row(self, line: Line) -> Iterator[Record]:
        """A row of CSV: one more range of the interval, or the first of the next one."""
        values = _values_of(line.text)
        if self._columns is None or len(values) != len(self._columns):
            self._report.bad(line.number, f"not a row of the table: {line.text[:60]}")
            return
        fields = dict(zip(self._columns, values, strict=True))
        if fields["bucket"] == "0":
            yield from self._whole()
            self._first = line, fields
        elif self._first is None or not _same_interval(self._first[1], fields):
            self._report.bad(line.number, "a bucket without the first one of its interval; it is left out")
            return
        try:
            self._ranges += _ranges_of_row(fields)
        except ValueError as error:
            self._report.bad(line.number, f"not a bucket: {error}; it is left out")

    def _whole(self) -> Iterator[Record]:
        """The interval of the rows so far."""
        if self._first is not None:
            (line, fields), ranges = self._first, tuple(self._ranges)
            self._first, self._ranges = None, []
            yield from self._read(line, lambda about: _interval_of_row(about, ranges), fields)


def _values_of(text: str) -> list[str]:
    """The values of a row; none if it is no CSV."""
    try:
        return next(csv.reader([text]), [])
    except csv.Error:
        return []


def _same_interval(first: Fields, fields: Fields) -> bool:
    return all(fields[name] == first[name] for name in ("series", "unit", "start", "end"))


def _interval_of_json(fields: Any) -> Interval:
    """The interval of a JSON line. Raises ValueError, TypeError or KeyError."""
    if not isinstance(fields, dict):
        raise TypeError("no object")
    texts = [fields[key] for key in ("series", "label", "source")]
    note = fields.get("note", "")
    if not all(isinstance(text, str) for text in (*texts, note)):
        raise ValueError("a name that is no text")
    flags = {key: fields[key] is True for key in _FLAGS}
    waited = None if fields["time"] is None else _finite(fields["time"])
    return Interval(
        texts[0],
        Unit(fields["unit"]),
        _micros(fields["start"]),
        _micros(fields["end"]),
        _finite(fields["seconds"]),
        tuple([_range_of(*one) for one in fields["counts"]]),
        waited,
        clock=fields.get("clock", True) is not False,
        label=texts[1],
        source=texts[2],
        note=note,
        doubtful=fields.get("doubtful") is True,
        **flags,
    )


def _interval_of_row(fields: Fields, ranges: tuple[Range, ...]) -> Interval:
    """The interval whose first row this is."""
    return Interval(
        fields["series"],
        Unit(fields["unit"]),
        _moment(fields["start"]),
        _moment(fields["end"]),
        _finite(float(fields["seconds"])),
        ranges,
        _finite(float(fields["waited"])) if fields["waited"] else None,
        clock=_WORDS[fields["clock"]],
        label=fields["label"],
        source=fields["source"],
        note=fields["note"],
        **{key: _WORDS[fields[key]] for key in (*_FLAGS, "doubtful")},
    )


def _ranges_of_row(fields: Fields) -> tuple[Range, ...]:
    """The range of a row; none if the interval has no counts."""
    if not fields["lower"]:
        return ()
    upper = fields["upper"]
    return (_range_of(_plain(fields["lower"]), _plain(upper) if upper else None, _plain(fields["count"])),)


def _range_of(lower: Any, upper: Any, count: Any) -> Range:
    return _finite(lower), None if upper is None else _finite(upper), _finite(count)


def _finite(value: Any) -> Bound:
    """A number that is one. Raises ValueError."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not isfinite(value):
        raise ValueError(f"{str(value)[:40]} is no number")
    return value


def _plain(text: str) -> Bound:
    return int(text) if text.isdigit() else float(text)


def _micros(seconds: Any) -> int:
    """Epoch microseconds of epoch seconds."""
    return round(_finite(seconds) * 1e6)


def _moment(text: str) -> int:
    """Epoch microseconds of a date in UTC. Raises ValueError."""
    return (datetime.fromisoformat(text.replace("Z", "+00:00")) - _EPOCH) // _MICRO
