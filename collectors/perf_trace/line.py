"""Parses the parts of a line of perf trace."""

from __future__ import annotations

import re
from typing import NamedTuple

from ...record import EventKey
from ...units import Unit
from .._block.request import TRACE_EVENTS, Odd, Request

_WRAPPED = round(2**64 / 1000)
"""Microseconds. If a call began before the first event, its negative start wraps around: it is
printed this much later.
"""
_MINOR_BITS = 20

_TIME = r" *(?:([0-9]{1,14})\.([0-9]{3})|\?) "
_CALL = re.compile(
    rf"{_TIME}\( *(?:([0-9]{{1,9}})\.([0-9]{{3}}) ms|\? *)?\): +(?:.{{1,32}}?/[0-9]{{1,7}} +|[0-9]{{1,7}} +)?"
    r"(\.\.\. \[continued\]: )?([a-z_]\w{0,60})\("
)
_EVENT = re.compile(rf"{_TIME}(?:\( *\): +)?(?:.{{0,32}}?/?[0-9]{{1,7}} +)?([a-z]\w*):([a-z]\w*)\(")
_PROCESS = re.compile(
    r" *(?:[0-9]{1,14}\.[0-9]{3}|\?) (?:\([^)]{0,20}\): +)?(?:(.{0,32}?)/)?([0-9]{1,7}) +(?=\.\.\. |[a-z_])"
)
_ARGUMENT = re.compile(r'\b(fd|filename|pathname|path): (?:"([^"]*)"|(-?[0-9]{1,10}|CWD)(?:<([^>]*)>)?)')
_FIELD = re.compile(r'(\w+): (?:"([^"]*)"|(-?[0-9]{1,20}))')
_NUMBER = re.compile(r"-?[0-9]{1,20}")
_NEVER = ("exit", "exit_group")
"""Calls that do not return; some releases print no result for them."""
_DONE = re.compile(r"\) += ")
_BEGIN = re.compile(r" *(?:[0-9]{1,14}\.[0-9]{3}|\?) \( *(?:[0-9]+\.[0-9]+ ?m?s?)?")


class Call(NamedTuple):
    """A system call. ``start`` is None if it began before the trace, ``micros`` is None if no duration is printed."""

    name: str
    start: int | None
    micros: int | None
    continued: bool
    returned: bool


def call_keys(text: str) -> tuple[EventKey, ...]:
    """What a call says besides its name and its time: process, file descriptor, path."""
    found = _PROCESS.match(text)
    said = {"comm": found[1], "pid": found[2]} if found is not None else {}
    for name, path, descriptor, behind in _ARGUMENT.findall(text):
        if name == "fd":
            said.setdefault("fd", descriptor)
        if name != "fd" or behind:
            said.setdefault("path", path or behind)
    return tuple(EventKey(name, value) for name, value in said.items() if value)


def read_line(text: str) -> Call | Request | Odd | None:
    """Parse a line; None if it is not a line of perf trace."""
    found = _CALL.match(text)
    if found is not None:
        return _call(text, found)
    event = _EVENT.match(text)
    if event is not None:
        kind = TRACE_EVENTS.get(event[4]) if event[3] == "block" else None
        return _request(kind, text, event) if kind else Odd.OTHER
    return Odd.CUT if _BEGIN.match(text) else None


def _call(text: str, found: re.Match[str]) -> Call | Odd:
    end = text.rstrip()
    returned = _DONE.search(text, found.end() - 1) is not None
    if not returned and found[6] in _NEVER and end.endswith(")"):
        return Odd.OTHER
    if not returned and not end.endswith("..."):
        return Odd.CUT
    micros = int(found[3]) * 1000 + int(found[4]) if found[3] else None
    if returned and micros is None and end.endswith("= ?"):
        return Odd.OTHER
    return Call(found[6], _start(found[1], found[2]), micros, bool(found[5]), returned)


def _start(whole: str | None, fraction: str) -> int | None:
    """A time in ms as microseconds; None if a question mark stands for it."""
    if whole is None:
        return None
    micros = int(whole) * 1000 + int(fraction)
    return micros - _WRAPPED if micros > _WRAPPED // 2 else micros


def _request(kind: str, text: str, event: re.Match[str]) -> Request | Odd:
    """Make a request from its fields; perf trace omits fields that are zero."""
    if not text.rstrip().endswith(")"):
        return Odd.CUT
    fields: dict[str, str] = {}
    for name, word, number in _FIELD.findall(text[event.end() :]):
        fields.setdefault(name, word or number)
    start = _start(event[1], event[2])
    device = fields.get("dev", "")
    if start is None or not _NUMBER.fullmatch(device):
        return Odd.CUT
    number = int(device)
    sector = _number(fields.get("sector", "0"))
    length = _number(fields.get("new_sector" if "new_sector" in fields else "nr_sector", "0"))
    if sector is None or length is None:
        return Odd.CUT
    return Request(
        kind,
        number >> _MINOR_BITS,
        number & ((1 << _MINOR_BITS) - 1),
        max(sector, 0),
        length,
        fields.get("rwbs", ""),
        start * 1000,
        Unit.US,
        fields.get("comm", ""),
    )


def _number(text: str) -> int | None:
    """A whole number; None for a word in its place."""
    return int(text) if _NUMBER.fullmatch(text) else None
