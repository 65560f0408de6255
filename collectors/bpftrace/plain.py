"""Plain text of bpftrace; the meaning of a line depends on the lines before it."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...record import Event
from ...report import Report
from ...text.lines import Line
from .current import MapHistogram
from .rows import is_cut, map_row, printed_bounds
from .signs import TSERIES
from .snapshots import MapSnapshots

MAX_LINE = 10_000
"""Longest line that is matched, in characters."""
MAX_KEY_LINES = 300
"""Keys that are stacks have a line for each frame."""
TIME_SERIES = "tseries() maps hold single values over time, no distribution; what would work is a hist() or lhist() map"

# A Ctrl-C that the terminal echoed, or a time without a line feed, can precede it.
_BEGINS = r"(?:(?<!\w)|(?<=\^C)|(?<=:[0-9]{2}))@(\w*)"
_KEYED = re.compile(rf"{_BEGINS}\[")
_BARE = re.compile(rf"{_BEGINS}$")
_NUMBER = re.compile(
    r"@(?P<name>\w*)(?:\[(?P<key>.*)\])?: (?:count (?P<count>[0-9]{1,20}), average -?[0-9]+, total )?"
    r"(?P<total>-?[0-9]{1,20})$"
)
MOST_NOISE = 2
"""The most lines in a row, between two rows of a map, that can be noise."""
_LOST = re.compile(r"Lost ([0-9]{1,20}) events")


class PlainText:
    """Reads lines. A histogram ends with the line after its last row; only a pause before that line leaves it open.

    ``_noise`` are lines behind a row, until the next line shows whether the map goes on behind them.
    """

    def __init__(self, report: Report, snapshots: MapSnapshots) -> None:
        self._report = report
        self._snapshots = snapshots
        self._histogram: MapHistogram | None = None
        self._noise: list[Line] = []
        self._key: _OpenKey | None = None
        self.has_maps = False

    def take(self, line: Line | None) -> Iterator[Event]:
        """Yield the events that a line, or a pause, completes."""
        if line is None:
            yield from self._past_noise()
            if self._histogram is None:
                yield from self._snapshots.pause()
        elif self._key is not None:
            yield from self._key_goes_on(line, self._key)
        else:
            row = map_row(line.text) if len(line.text) <= MAX_LINE else None
            if row is not None:
                yield from self._past_noise(row[0])
                self._add(line, *row)
            elif not self._may_be_noise(line):
                yield from self._past_noise()
                yield from self._other(line, line.text[:MAX_LINE].rstrip(" \r"))

    def end(self) -> Iterator[Event]:
        """Complete everything at the end of the text."""
        if self._key is not None:
            self._report.bad(self._key.begins.number, f"the key of @{self._key.name} does not end")
        yield from self._past_noise()
        yield from self._close()

    def _may_be_noise(self, line: Line) -> bool:
        """Hold a line behind a row, such as a damaged row, that can be noise within the map; returns whether it is."""
        text = line.text.strip()
        if self._histogram is None or not self._histogram.rows or len(self._noise) >= MOST_NOISE:
            return False
        if not text or text.startswith("@") or is_cut(line.text) or _LOST.match(text) or _heading_of(text):
            return False
        self._noise.append(line)
        return True

    def _past_noise(self, bounds: str = "") -> Iterator[Event]:
        """Report lines that were held if a row with these bounds continues the map; else the map ended before them."""
        lines, self._noise = self._noise, []
        if not lines:
            return
        if self._histogram is not None and bounds and _continues(self._histogram, bounds):
            for line in lines:
                self._report.bad(line.number, f"a line within a map that is none of its rows: {line.text.strip()}")
            return
        for line in lines:
            yield from self._other(line, line.text[:MAX_LINE].rstrip(" \r"))

    def _add(self, line: Line, bounds: str, count: int) -> None:
        if self._histogram is None:
            self._snapshots.stray()
            self._report.bad(line.number, f"a row without a map above it: {line.text.strip()}")
            return
        try:
            found = printed_bounds(bounds)
        except ValueError as error:
            self._report.bad(line.number, f"not the row of a histogram: {error}")
            return
        if found is not None and count:
            self._histogram.rows.append((*found, count))
        elif count:
            self._report.bad(line.number, f"{count} latencies below 0 in @{self._histogram.name} are left out")

    def _close(self, next_line: str = "") -> Iterator[Event]:
        """Complete the map. A map of zeros has no rows, only the blank line after them."""
        histogram, self._histogram = self._histogram, None
        if histogram is not None and (histogram.rows or not next_line):
            yield from self._snapshots.add(histogram)

    def _other(self, line: Line, text: str) -> Iterator[Event]:
        """Process any line that is not a row."""
        if self._histogram is not None and is_cut(line.text):
            self._report.bad(line.number, f"a row that was cut off: {line.text.strip()}")
            return
        if found := _LOST.match(text):  # from standard error of bpftrace: it can come between two rows
            lost(self._report, line, int(found[1]))
            return
        yield from self._close(text)
        if not text:
            return
        heading = _heading_of(text) if "@" in text else None
        if heading is not None:
            yield from self._begin(line, *heading)
        elif text.startswith("@") and "]:" not in text and (keyed := _KEYED.match(text)):
            self._key = _OpenKey(keyed[1], line, [text[keyed.end() :]])
        elif text.startswith("@") and (number := _NUMBER.match(text)):
            events = number["count"]
            self._snapshots.number(number["name"], number["key"], int(number["total"]), int(events) if events else None)
        else:
            yield from self._free(line, text)

    def _begin(self, line: Line, before: str, name: str, key: str | None) -> Iterator[Event]:
        """A map begins, perhaps after text that a script printed without ending the line."""
        self.has_maps = True
        if before:
            yield from self._free(line, before)
        self._histogram = MapHistogram(name, key, line)

    def _key_goes_on(self, line: Line, key: "_OpenKey") -> Iterator[Event]:
        """Add a line to a key of several lines, such as a stack. A row, or another map, shows that it was none."""
        if line.text.startswith("@") or map_row(line.text[:MAX_LINE]) is not None:
            self._key = None
            self._report.bad(key.begins.number, f"the key of @{key.name} does not end")
            yield from self.take(line)
            return
        frame, end, value = line.text.rpartition("]:")
        key.lines.append(frame if end else line.text)
        if end and not value.strip():
            self._key = None
            frames = [part.strip(" ,\t") for part in key.lines]
            yield from self._begin(key.begins, "", key.name, ";".join(part for part in frames if part))
        elif end or len(key.lines) > MAX_KEY_LINES:
            self._key = None

    def _free(self, line: Line, text: str) -> Iterator[Event]:
        """Process a line that no map printed."""
        if TSERIES.match(text):
            self._snapshots.refuse("tseries", line.number, TIME_SERIES)
        else:
            yield from self._snapshots.text(text, line)


def lost(report: Report, line: Line, events: object) -> None:
    """Report that bpftrace lost events because it could not read its buffers in time."""
    report.bad(line.number, f"bpftrace lost {events} events: the counts may be too low")


class _OpenKey(NamedTuple):
    """A key whose bracket has not been closed yet."""

    name: str
    begins: Line
    lines: list[str]


def _continues(histogram: MapHistogram, bounds: str) -> bool:
    """Whether a row with these bounds can be the next one of a map."""
    upper = histogram.rows[-1][1]
    try:
        found = printed_bounds(bounds)
    except ValueError:
        return False
    return found is not None and upper is not None and found[0] >= upper


def _heading_of(text: str) -> tuple[str, str, str | None] | None:
    """The text before a map's heading, the map's name, and its key; None if the line does not end as a heading does."""
    if not text.endswith(":"):
        return None
    if text.endswith("]:"):
        keyed = _KEYED.search(text)
        return (text[: keyed.start()], keyed[1], text[keyed.end() : -2]) if keyed else None
    bare = _BARE.search(text, 0, len(text) - 1)
    return (text[: bare.start()], bare[1], None) if bare else None
