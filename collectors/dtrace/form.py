"""What DTrace prints: rows, keys, and the columns that report fired probes."""

import re

from ...record import Range
from .._printed.forms import DTRACE_HEADING, MeasuredRanges, PrintedRow, RowText, ToolForm, add_row
from .._printed.heading_lines import trimmed

TOP = 1 << 62
"""The last bucket of quantize(), after which DTrace prints no further row."""

_ROW = re.compile(
    r"\s*(?:(abs\(\) <|<=?|>=) )?(-?[0-9]{1,19})\s+"
    r"(?:\|[@\u2588-\u258f]* *|[@ ]*\|[@ ]*) (-?[0-9]{1,19})\s*"  # counts below 0 have their bar on the left
)
_FIRED = re.compile(r"\s{0,5}[0-9]{1,5}\s+[0-9]{1,8}\s+([\w.*`@-]*):([\w.@-]+)(?:\s(.*))?")
_FRAME = re.compile(r"\s{8,}(?:[^\s`]+`\S+|0x[0-9a-f]+)\s*")
_PACKED = re.compile(r"\s*(?:key\s+)?min \.-+\. max\s+\| count\s*")
_BY_KEY = re.compile(r"\s*key\s+-{5,} Distribution -{5,}\s+count\s*")
_WHOLE_OFFSET = re.compile(r"\+0x[0-9a-f]+$")


def row(text: str) -> RowText | None:
    """A row of a histogram; None for any other line."""
    if "|" not in text:
        return None
    found = _ROW.fullmatch(text)
    if not found:
        return None
    sign, label, count = found.groups()
    return sign or "", int(label), int(count)


def measured(rows: list[PrintedRow]) -> MeasuredRanges:
    """Convert rows to ranges. There are no gaps between rows: each ends where the next one begins."""
    ranges: list[Range] = []
    below = 0
    is_power = len(rows) > 2 and 0 < rows[-1].label == 2 * rows[-2].label == 4 * rows[-3].label
    for place, one in enumerate(rows):
        if not one.events:
            continue
        if one.events < 0:
            return MeasuredRanges([], trouble=f"a count of {one.events} in line {one.line}")
        lower, upper, trouble = _bounds(one, rows[place + 1] if place + 1 < len(rows) else None, is_power=is_power)
        if trouble:
            return MeasuredRanges([], trouble=trouble)
        below += add_row(lower, upper, one.events, ranges)
    if not rows:
        return MeasuredRanges([], trouble="a heading without rows")
    return MeasuredRanges(ranges, below)


def _bounds(one: PrintedRow, after: PrintedRow | None, *, is_power: bool) -> tuple[int, int | None, str]:
    """The lower and upper bound of a row, and what is wrong with it. ``is_power``: the last row has twice the label of
    the one before it, so that it ends at twice its own.
    """
    if one.sign == ">=":
        return one.label, None, ""
    if one.sign == "<=":
        return one.label, 0, ""  # the mirror image of the overflow row: all of it is below 0
    if one.sign:
        return min(0, one.label), one.label, ""
    if after is None:
        if one.label >= TOP or is_power:
            return one.label, 2 * one.label, ""
        return 0, None, f"the rows are cut off after line {one.line}"
    upper = 0 if after.sign.startswith("abs") else after.label
    if upper <= one.label or after.sign in ("<", "<="):
        return 0, None, f"bounds that do not ascend in line {after.line}"
    return one.label, upper, ""


def keys(pending: list[str], spaced: bool) -> tuple[list[str], int]:
    """The keys directly above the heading, in columns; a stack has a line per frame, and a blank line below it."""
    if not pending:
        return [], 0
    frames = 0
    while frames < len(pending) and _FRAME.fullmatch(pending[-1 - frames]):
        frames += 1
    if not frames:
        return ([], 0) if spaced else (_columns(pending[-1]), 1)
    stack = [_WHOLE_OFFSET.sub("", text.strip()) for text in pending[len(pending) - frames :]]
    above = pending[-1 - frames] if frames < len(pending) and pending[-1 - frames].startswith(" ") else ""
    return [*_columns(above), *map(trimmed, stack)], frames + bool(above)


def _columns(text: str) -> list[str]:
    """Split a line of keys at two or more blanks. Strings are padded to 50 characters, numbers are right-aligned."""
    return [trimmed(column) for column in re.split(r"\s{2,}", text.strip()) if column]


def marker(text: str) -> tuple[str, str] | None:
    """The kind of probe that has fired, from the columns CPU, ID and FUNCTION:NAME, and the rest of the line."""
    if ":" not in text:
        return None
    if text.split() == ["CPU", "ID", "FUNCTION:NAME"]:
        return "other", ""
    found = _FIRED.fullmatch(text)
    if not found:
        return None
    function, name, rest = found.groups()
    if not function and name.startswith("tick-"):
        return "tick", rest or ""
    return {"BEGIN": "begin", "END": "end"}.get(name, "other"), rest or ""


def refusal(text: str) -> str:
    """Why a line's form contains no distribution; empty if it is no such form."""
    if _PACKED.fullmatch(text):
        return "-x aggpack draws bars without their counts; what would work is the same script without it"
    if _BY_KEY.fullmatch(text):
        return "-x agghist prints one count per key, no distribution; what would work is quantize()"
    return ""


FORM = ToolForm("DTrace", "dtrace", DTRACE_HEADING, row, measured, keys, marker, refusal)
