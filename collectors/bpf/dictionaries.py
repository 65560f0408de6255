"""What bcc's tools print with -j: one histogram per line as a Python dictionary, which is not JSON.

``{'ts': '2020-12-30 14:33:03', 'val_type': 'usecs', 'data': [{'interval-start': 64, 'interval-end': 127, 'count': 75}],
'disk': b'sda'}``, both bounds inclusive. Source: _print_json_hist of bcc's table.py, and the tools' main loops, which
print a blank line per interval.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from ...record import Clock, Event, Record, Stamp, Tick
from ...report import Report
from ...text.clean import printable
from ...text.lines import Line
from .._series import SeriesNames
from .headings import Exact, unquoted
from .histogram import BpfHistogram
from .spacing import MAX_IDLE, MAX_RECORDS

MAX_META = 2_000
"""Most characters in a dictionary apart from its rows."""
SIGN = "{'"

_DATA = re.compile(r"'data': \[((?:\{'interval-start': [^{}]{1,80}\}(?:, )?)*)\]")
_ENTRY = re.compile(r"\{'interval-start': ([0-9]{1,20}), 'interval-end': ([0-9]{1,20}), 'count': ([0-9]{1,20})\}")
_DAY = timedelta(days=1)


class Dictionary(NamedTuple):
    """A parsed line: its moment, its unit, its rows, and the key that names its series."""

    moment: datetime
    word: str
    rows: list[tuple[int, int, int]]
    series: str


def dictionary_of(text: str) -> Dictionary:
    """Parse the dictionary in a line; raise ValueError, with the reason, if it cannot be read."""
    data = _DATA.search(text)
    if data is None:
        raise ValueError("a dictionary without the rows of a histogram")
    rest = text[: data.start()] + "'data': 0" + text[data.end() :]
    if len(rest) > MAX_META:
        raise ValueError("a dictionary that is too long")
    try:
        found: dict[str, Any] = ast.literal_eval(rest.strip())
        moment = datetime.strptime(str(found.pop("ts")), "%Y-%m-%d %H:%M:%S")
        word = str(found.pop("val_type"))
        del found["data"]
    except (ValueError, SyntaxError, TypeError, KeyError, AttributeError, RecursionError, MemoryError) as error:
        raise ValueError("a dictionary that is cut off or damaged") from error
    rows = [(int(low), int(high), int(count)) for low, high, count in _ENTRY.findall(data[1])]
    if len(rows) != data[1].count("{"):
        raise ValueError("a dictionary with damaged rows")
    return Dictionary(moment, printable(word), rows, ",".join(_name(value) for value in found.values()) or "all")


def _name(value: object) -> str:
    return unquoted(value.decode(errors="replace") if isinstance(value, bytes) else str(value))


class Dictionaries:
    """Makes records and ticks from dictionaries. Each interval begins with a blank line, even an empty one."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._names = SeriesNames(report)
        self._known: set[str] = set()
        self._seen: set[str] = set()
        self._blanks = 0
        self._last: datetime | None = None
        self._stamp: Stamp | None = None
        self._held: BpfHistogram | None = None

    @property
    def used(self) -> bool:
        """Whether the text contains dictionaries."""
        return self._last is not None

    def blank(self) -> None:
        """One blank line."""
        self._blanks += 1

    def exact(self, exact: Exact) -> None:
        """Take an exact sum of the last histogram; the tool prints it between two blank lines."""
        if self._held is not None:
            self._held.add_exact(exact)
            self._blanks = -1

    def flush(self) -> Iterator[Record]:
        """Yield the last histogram: no later line can add to it."""
        held, self._held = self._held, None
        record = held.record() if held else None
        if record is not None:
            yield record

    def take(self, line: Line, found: Dictionary, histogram: BpfHistogram) -> Iterator[Event]:
        """Start the dictionary of a line, as an empty histogram of its unit and label; the one before is complete."""
        yield from self.flush()
        series = self._names.capped(found.series, line.number)
        if self._stamp is None or self._blanks > 0 or series in self._seen:
            yield from self._ticks(line, found.moment)
        self._seen.add(series)
        self._known.add(series)
        self._blanks = 0
        histogram = replace(histogram, series=series, stamp=self._stamp)
        for lower, upper, count in found.rows:
            if count and (wrong := histogram.add(lower, upper, count)):
                self._report.bad(line.number, wrong)
        self._held = histogram

    def _ticks(self, line: Line, moment: datetime) -> Iterator[Tick]:
        """The tick of the snapshot at a moment and, evenly spaced, those of snapshots without a histogram before it."""
        last, idle = self._last, min(self._blanks - 1, MAX_IDLE, MAX_RECORDS // max(1, len(self._known)))
        if last is not None and idle > 0 and timedelta(0) < moment - last < _DAY:
            for place in range(1, idle + 1):
                yield Tick(_stamp(last + (moment - last) * place / (idle + 1)), line.arrival, line.number)
        self._last, self._stamp = moment, _stamp(moment)
        self._seen.clear()
        yield Tick(self._stamp, line.arrival, line.number)


def _stamp(moment: datetime) -> Stamp:
    moment = moment.replace(microsecond=0)
    of_day = (moment.hour * 60 + moment.minute) * 60 + moment.second
    return Stamp(of_day * 1_000_000, Clock.DAY, whole=True, text=moment.isoformat(" "))
