"""Calls of a trace: ``FETCH #7:c=1000,e=15221,p=3,cr=9,cu=0,mis=0,r=1,dep=0,og=1,tim=...``.

``c`` is the CPU time, ``e`` the elapsed time, ``dep`` how deep the call is: 0 by the user, 1 and more by other calls.
A call is printed when it ends, behind the waits and the recursive calls in it, and its own times include theirs.
Source: My Oracle Support note 39817.1; Millsap and Holt, Optimizing Oracle Performance (O'Reilly 2003), chapter 5.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ...record import EventKey

ELAPSED, CPU = "elapsed", "cpu"
WHAT = (ELAPSED, CPU)
"""What of calls can be drawn."""
_CALL = re.compile(
    r"(?P<name>PARSE|EXEC|FETCH|CLOSE|UNMAP|SORT UNMAP|LOB[A-Z]{1,20})"
    r"(?: #(?P<cursor>-?[0-9]{1,20}))?:"
    r"(?P<counts>(?:[^,=]{1,40}=[^,]{0,40},)*?c=(?P<c>[0-9]{1,18}),e=(?P<e>[0-9]{1,18})\b.*)"
)
_COUNT = re.compile(r"(?<![A-Za-z])([a-z]{1,4})=([0-9]{1,20})\b")
_NOT_KEYS = ("e", "tim", "type", "bytes")


class DatabaseCall(NamedTuple):
    """A call: its name, its cursor or an empty text, its CPU and elapsed time in the unit of the trace, its depth and
    all its counts.
    """

    name: str
    cursor: str
    cpu: int
    elapsed: int
    depth: int
    counts: str

    @property
    def series(self) -> str:
        """Its series: calls by the user apart from recursive ones, which are part of them."""
        return f"call {self.name}" if not self.depth else f"recursive call {self.name}"

    def keys(self) -> list[EventKey]:
        """What its line says of it."""
        return [EventKey(name, value) for name, value in _COUNT.findall(self.counts) if name not in _NOT_KEYS]


def call_in(text: str) -> DatabaseCall | None:
    """The call of a line; None if the line is none that has times."""
    found = _CALL.match(text)
    if found is None:
        return None
    depth = re.search(r",dep=([0-9]{1,4})\b", found["counts"])
    name, cursor, counts = found["name"], found["cursor"] or "", found["counts"]
    return DatabaseCall(name, cursor, int(found["c"]), int(found["e"]), int(depth[1]) if depth else 0, counts)
