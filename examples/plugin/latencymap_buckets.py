"""Histograms of a server that prints, every second, how many requests took how long:

    requests until 1763719201
    GET <= 250 us 17
    GET <= 1000 us 4
    GET > 1000 us 1
    PUT <= 250 us 2

Bounds are inclusive, and a row begins where the one above it ends. Counts are those of the second.
"""

import re
from collections.abc import Iterator
from itertools import chain

from pylatencymap.collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from pylatencymap.errors import Refused
from pylatencymap.record import Decoded, Range, Record, Semantics, Stamp, Tick, tidy_ranges
from pylatencymap.report import Report
from pylatencymap.text.clean import printable
from pylatencymap.text.lines import Lines
from pylatencymap.units import Unit

DESCRIPTION = "counts by latency under 'requests until'"

_HEADING = re.compile(r"requests (until|in total)(?: (\d{9,11}))?$")
_ROW = re.compile(r"(\S+) (<=|>) (\d{1,12}) us (\d{1,12})$")


def detect(head: str) -> Likelihood:
    """Sure where a heading stands."""
    found = any(_HEADING.match(line) for line in head.splitlines())
    return Likelihood(0.95, "its headings") if found else NOT_MINE


def decode(lines: Lines, report: Report, _: Known = NOTHING_KNOWN) -> Iterator[Decoded]:
    """A tick for each heading, and behind it a record for each series; a print ends with the next one, with a pause of
    the source, and with the text.
    """
    tick: Tick | None = None
    rows: dict[str, list[Range]] = {}
    ends: dict[str, int] = {}
    for line in chain(lines, [None]):
        row = _ROW.match(line.text) if line else None
        if line and row and tick:
            series, sign, bound, count = row.groups()
            series, upper = printable(series), int(bound) + 1
            lower, ends[series] = ends.get(series, 0), upper
            rows.setdefault(series, []).append((lower, upper if sign == "<=" else None, int(count)))
            continue
        if tick:
            yield from _records(tick, rows)
            rows = {}
        heading = _HEADING.match(line.text) if line else None
        if line and heading:
            if heading[2] is None:
                raise Refused(f"{report.where(line.number)}: totals of a whole run; what would work is --every-second")
            ends = {}
            tick = Tick(Stamp(int(heading[2]) * 1_000_000, whole=True), line.arrival, line.number)
            yield tick
        elif line and line.text.strip():
            report.bad(line.number, f"no row of this form: {line.text}")


def _records(tick: Tick, rows: dict[str, list[Range]]) -> Iterator[Record]:
    for series, ranges in rows.items():
        yield Record(
            series,
            Unit.US,
            tidy_ranges(ranges),
            Semantics.INTERVAL,
            tick.stamp,
            label="requests",
            source="server",
            arrival=tick.arrival,
            line=tick.line,
        )
