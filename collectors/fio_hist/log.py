"""Turns lines of a histogram log into records."""

import re

from ...record import Clock, Range, Record, Semantics, Stamp, lost_record, tidy_ranges
from ...report import Report
from ...text.lines import Line
from .bins import LAYOUTS, BinLayout, bin_ranges

DIRECTIONS = ("read", "write", "trim")
FIELDS = 3
"""Fields before the bins: milliseconds, direction and block size."""
REAL = 10**12
"""Milliseconds. Larger times count from 1970 (log_unix_epoch); smaller ones from the start of the run."""

_LINE = re.compile(r"([0-9]{1,16}), ?([0-2]), ?[0-9]+, ?(?=[0-9])")


class Log:
    """The lines of a log so far; the number of bins in the first one determines the layout of all."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._layout: BinLayout | None = None
        self._bins = 0
        self._last: dict[str, int] = {}

    def owns(self, line: Line) -> bool:
        """Whether a line looks like a line of a log."""
        return _LINE.match(line.text) is not None and line.text.count(",") >= min(LAYOUTS) + FIELDS - 1

    def record(self, line: Line) -> Record | None:
        """The interval that ends at this line. If it cannot be read, that is reported: a lost record, or None if there
        was no line before it.
        """
        fields = line.text.rstrip(", \r").split(",")
        bins = fields[FIELDS:]
        self._layout = self._layout or LAYOUTS.get(len(bins))
        self._bins = self._bins or len(bins)
        if self._layout is None or len(bins) != self._bins:
            known = self._bins if self._layout else " or ".join(map(str, sorted(LAYOUTS)))
            self._report.bad(line.number, f"{len(bins)} bins instead of {known}; this line is left out")
            self._bins = self._bins if self._layout else 0
            return self._lost(line, fields)
        try:
            ranges = _ranges(bins, self._layout)
        except ValueError:
            self._report.bad(line.number, "a bin that holds no count; this line is left out")
            return self._lost(line, fields)
        return self._placed(line, fields, ranges, self._layout)

    def _lost(self, line: Line, fields: list[str]) -> Record | None:
        """What stands for a line without its counts: its time is known, and no other line covers it."""
        if self._layout is None or DIRECTIONS[int(fields[1])] not in self._last:
            return None
        return lost_record(self._placed(line, fields, [], self._layout))

    def _placed(self, line: Line, fields: list[str], ranges: list[Range], layout: BinLayout) -> Record:
        """A line covers the time since the last line of its direction, at first since the start of the run."""
        milli, series = int(fields[0]), DIRECTIONS[int(fields[1])]
        real, last = milli >= REAL, self._last.get(series)
        self._last[series] = milli
        begin = None if real else 0
        if last is not None and (last >= REAL) != real:  # a damaged time, or a run after another: nobody knows
            begin, last = None, None
        return Record(
            series=series,
            unit=layout.unit,
            ranges=tidy_ranges(ranges),
            semantics=Semantics.INTERVAL,
            stamp=Stamp(milli * 1000, Clock.EPOCH if real else Clock.FREE),
            start=begin if last is None or last > milli else last * 1000,
            label="fio completion latency",
            source="fio_hist",
            arrival=line.arrival,
            line=line.number,
        )


def _ranges(bins: list[str], layout: BinLayout) -> list[Range]:
    """The bins that are not empty; raise ValueError if one is not a count."""
    bounds = bin_ranges(layout)
    found = [(index, text) for index, text in enumerate(bins) if text not in {" 0", "0"}]
    counts = [(index, int(text)) for index, text in found if len(text) <= 20]
    if len(counts) != len(found) or any(count < 0 for _, count in counts):
        raise ValueError
    return [(*bounds[index], count) for index, count in counts]
