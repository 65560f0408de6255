"""Messages of ``bpftrace -f json``: JSON objects, one per line or pretty-printed."""

from collections.abc import Iterator
from typing import Any

from ...record import Event, Range
from ...report import Report
from ...text import JsonObject, json_objects
from ...text.lines import Line, Lines
from .current import MapHistogram
from .plain import TIME_SERIES, lost
from .rows import LARGEST, between
from .snapshots import MapSnapshots


class Messages:
    """Reads messages. A map with keys is an object, in which a key can come more than once."""

    def __init__(self, report: Report, snapshots: MapSnapshots) -> None:
        self._report = report
        self._snapshots = snapshots

    def events(self, lines: Lines) -> Iterator[Event]:
        """Yield the ticks and records of the messages in a text."""
        for found in json_objects(lines, self._report.bad, merged_members):
            if found is None:
                yield from self._snapshots.pause()
            elif isinstance(found, JsonObject):
                yield from self._message(found)

    def _message(self, found: JsonObject) -> Iterator[Event]:
        kind, data = found.value.get("type"), found.value.get("data")
        line = Line(found.line, "", found.arrival)
        if kind in ("time", "printf") and isinstance(data, str):
            for text in data.splitlines():
                yield from self._snapshots.text(text, line)
        elif kind == "lost_events":
            count = found.value.get("count", data.get("events") if isinstance(data, dict) else None)
            lost(self._report, line, count)
        elif kind == "tseries":
            self._snapshots.refuse("tseries", line.number, TIME_SERIES)
        elif isinstance(data, dict) and kind in ("hist", "map", "stats"):
            for name, value in data.items():
                yield from self._map(line, str(kind), name.removeprefix("@"), value)

    def _map(self, line: Line, kind: str, name: str, value: Any) -> Iterator[Event]:
        """Process a map: without keys the value itself, else an object with one value for each key."""
        is_keyed = isinstance(value, dict) and not (kind == "stats" and "average" in value)
        for key, one in value.items() if is_keyed else ((None, value),):
            if kind == "hist":
                yield from self._histogram(line, name, key, one)
            elif kind == "stats" and isinstance(one, dict):
                total, count = whole_value(one.get("total")), whole_value(one.get("count"))
                if total is not None and count is not None:
                    self._snapshots.number(name, key, total, count)
            elif (total := whole_value(one)) is not None:
                self._snapshots.number(name, key, total)

    def _histogram(self, line: Line, name: str, key: str | None, rows: Any) -> Iterator[Event]:
        if not isinstance(rows, list):
            self._report.bad(line.number, f"the histogram of @{name} is no list of buckets")
            return
        histogram = MapHistogram(name, key, line)
        for row in rows:
            try:
                found = self._row(line, name, row)
            except (ValueError, AttributeError, TypeError) as error:
                self._report.bad(line.number, f"not a bucket of a histogram: {error}")
                continue
            if found:
                histogram.rows.append(found)
        yield from self._snapshots.add(histogram)

    def _row(self, line: Line, name: str, row: Any) -> Range | None:
        """The range of a bucket. Bounds are inclusive, and either can be missing. Raise ValueError if it is none."""
        least, most, count = row.get("min"), row.get("max"), row.get("count")
        if type(least) is type(most) is type(count) is int and 0 <= least <= most < LARGEST and 0 <= count < LARGEST:
            return (least, most + 1, count) if count else None  # nearly all rows take this path
        least, most, count = (_whole_in(row, member) for member in ("min", "max", "count"))
        if count is None or count < 0 or (least is None and most is None):
            raise ValueError("no bounds or no count")
        bounds = between(least, most)
        if not count:
            return None
        if bounds is None:
            self._report.bad(line.number, f"{count} latencies below 0 in @{name} are left out")
            return None
        return (*bounds, count)


def whole_value(value: Any) -> int | None:
    """A whole number, or a string of one, which bpftrace writes if a float cannot hold it; None for anything else."""
    if isinstance(value, str) and len(value) <= len(str(LARGEST)) and value.removeprefix("-").isdecimal():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST else None


def _whole_in(row: dict[str, Any], member: str) -> int | None:
    """A member that is a whole number; None if there is no such member. Raise ValueError if it is anything else."""
    number = whole_value(row.get(member))
    if number is None and member in row:
        raise ValueError(f"{member} is no whole number")
    return number


def merged_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object. bpftrace 0.17 repeats names: lists of the same name are appended, numbers added."""
    made = dict(pairs)
    if len(made) == len(pairs):
        return made
    made = {}
    for name, value in pairs:
        if name in made and type(made[name]) is type(value) and isinstance(value, list | int):
            made[name] = made[name] + value
        else:
            made[name] = value
    return made
