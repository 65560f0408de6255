"""What distinguishes the text of one tool from another's, and how its rows become ranges."""

import re
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from ...record import Range
from ...text.lines import Line

DTRACE_HEADING = re.compile(r"^[^\S\n]*value +-{5,} Distribution -{5,} +count[^\S\n]*$", re.MULTILINE)
SYSTEMTAP_HEADING = re.compile(r"^[^\S\n]*value \|-{5,} count[^\S\n]*$", re.MULTILINE)

RowText: TypeAlias = tuple[str, int, int]
"""Sign before the label (``<``, ``>=`` ...; ``~`` for omitted rows), label, count."""


class PrintedRow(NamedTuple):
    """A row of a histogram and the number of its line."""

    line: int
    sign: str
    label: int
    events: int


class MeasuredRanges(NamedTuple):
    """The rows of a histogram as ranges.

    ``below``: events with a value less than 0. ``trouble``: why the histogram cannot be used, or empty.
    """

    ranges: list[Range]
    below: int = 0
    trouble: str = ""


class ToolForm(NamedTuple):
    """The text format of one tool.

    ``keys``: finds the keys in the lines above a heading, which a blank line can separate from it; returns them and how
    many of the last lines they take. ``marker``: the kind of probe that has fired according to a line (``begin``,
    ``tick``, ``end`` or ``other``), and the rest of the line. ``refusal``: why a line's form cannot be used.
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
    """A histogram as printed: its heading, its rows, its keys, and the title above it."""

    heading: Line
    rows: list[PrintedRow]
    keys: list[str]
    title: str


def add_row(lower: int, upper: int | None, count: int, measured: list[Range]) -> int:
    """Add a range to ``measured``; return the number of events below 0, which are no latencies.

    A range around 0 counts as 0 and more: latencies are not negative, but rounding can make them so.
    """
    if upper is not None and upper <= 0:
        return count
    measured.append((max(lower, 0), upper, count))
    return 0
