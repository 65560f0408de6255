"""What SystemTap prints: rows of logarithmic and of linear histograms, which differ in their labels."""

import re
from itertools import pairwise

from ...record import Range
from .._printed.forms import SYSTEMTAP_HEADING, MeasuredRanges, PrintedRow, RowText, ToolForm, add_row
from .._printed.heading_lines import trimmed

LEFT_OUT = "~"
_ROW = re.compile(r"\s*([<>]?)(-?[0-9]{1,19}) \|@*\s+([0-9]{1,19})\s*")


def row(text: str) -> RowText | None:
    """A row of a histogram, or the sign that rows are omitted; None for any other line."""
    if "|" not in text:
        return (LEFT_OUT, 0, 0) if text.strip() == LEFT_OUT else None
    found = _ROW.fullmatch(text)
    return (found[1], int(found[2]), int(found[3])) if found else None


def measured(rows: list[PrintedRow]) -> MeasuredRanges:
    """Convert rows to ranges: powers of two or equal widths, depending on the labels of adjacent rows."""
    steps = [(one.label, after.label) for one, after in pairwise(rows) if not one.sign and not after.sign]
    signed = any(one.sign in ("<", ">") for one in rows)
    if not signed and all(after == _next_power(label) for label, after in steps) and _are_powers(rows):
        return _logarithmic(rows)
    widths = {after - label for label, after in steps}
    if len(widths) != 1 or min(widths) <= 0:
        return MeasuredRanges([], trouble="labels that show neither powers of two nor one width" if rows else "no rows")
    return _linear(rows, widths.pop())


def _next_power(label: int) -> int:
    """The label of the row after a label: ..., -4, -2, -1, 0, 1, 2, 4, ..."""
    if label > 0:
        return 2 * label
    return 1 if label == 0 else -(-label // 2)


def _are_powers(rows: list[PrintedRow]) -> bool:
    labels = [abs(one.label) for one in rows if not one.sign]
    return bool(labels) and all(not label & (label - 1) for label in labels)


def _logarithmic(rows: list[PrintedRow]) -> MeasuredRanges:
    """Rows [label, 2 label), and the value 0 on its own."""
    ranges: list[Range] = []
    below = 0
    for one in rows:
        if one.events and one.label < 0:
            below += one.events
        elif one.events:
            ranges.append((one.label, max(2 * one.label, 1), one.events))
    return MeasuredRanges(ranges, below)


def _linear(rows: list[PrintedRow], width: int) -> MeasuredRanges:
    """Rows [label, label + width). The overflow row has the label of the last row and begins where that row ends."""
    ranges: list[Range] = []
    below = 0
    for one in rows:
        if not one.events:
            continue
        if one.sign == "<":
            below += add_row(min(0, one.label), one.label, one.events, ranges)
        elif one.sign == ">":
            below += add_row(one.label + width, None, one.events, ranges)
        else:
            below += add_row(one.label, one.label + width, one.events, ranges)
    return MeasuredRanges(ranges, below)


def keys(pending: list[str], _: bool) -> tuple[list[str], int]:
    """The line above a histogram names it, whatever else surrounds it."""
    return ([trimmed(pending[-1])], 1) if pending else ([], 0)


def marker(_: str) -> tuple[str, str] | None:
    """SystemTap does not print which probe has fired."""
    return None


def refusal(_: str) -> str:
    """Every form that SystemTap prints under such a heading is a distribution, so none is refused."""
    return ""


FORM = ToolForm("SystemTap", "systemtap", SYSTEMTAP_HEADING, row, measured, keys, marker, refusal)
