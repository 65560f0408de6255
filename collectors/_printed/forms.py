"""What tells one tool's text from another's, and what its rows come to."""

import re
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from ...record import Range
from ...text.lines import Line

DTRACE_HEADING = re.compile(r"^[^\S\n]*value +-{5,} Distribution -{5,} +count[^\S\n]*$", re.MULTILINE)
SYSTEMTAP_HEADING = re.compile(r"^[^\S\n]*value \|-{5,} count[^\S\n]*$", re.MULTILINE)

RowText: TypeAlias = tuple[str, int, int]
"""Sign before the label (``<``, ``>=`` ...; ``~`` for rows that were left out), label, count."""


class PrintedRow(NamedTuple):
    """A row of a histogram and the line that it stands in."""

    line: int
    sign: str
    label: int
    events: int


class MeasuredRanges(NamedTuple):
    """What the rows of a histogram come to.

    ``below``: events of less than 0. ``trouble``: why the histogram cannot be used, empty where it can.
    """

    ranges: list[Range]
    below: int = 0
    trouble: str = ""


class ToolForm(NamedTuple):
    """One tool's text.

    ``keys``: the keys in the lines above a heading, between which and the heading there may be a blank line, and how
    many of the lines, the last ones, they are. ``marker``: the kind of the probe that a line says has fired (``begin``,
    ``tick``, ``end`` or ``other``), and what stands behind it. ``refusal``: why a line's form cannot be used.
    """

    tool: str
    source: str
    heading: re.Pattern[str]
    row: Callable[[str], RowText | None]
    measured: Callable[[list[PrintedRow]], MeasuredRanges]
    keys: Callable[[list[str], bool], tuple[list[str], int]]
    marker: Callable[[str], tuple[str, str] | None]
    refusal: Callable[[str], str]


class PrintedHistogram(NamedTuple):
    """A histogram as it was printed: its heading, its rows, its keys, and the title that it stands under."""

    heading: Line
    rows: list[PrintedRow]
    keys: list[str]
    title: str


def add_row(lower: int, upper: int | None, count: int, measured: list[Range]) -> int:
    """Add a range to those measured; returns the events of less than 0, which are none of latency.

    A range around 0 holds events of 0 and more: latencies are not negative, rounding may be.
    """
    if upper is not None and upper <= 0:
        return count
    measured.append((max(lower, 0), upper, count))
    return 0
