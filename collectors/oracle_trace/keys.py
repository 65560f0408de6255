"""What a trace says about its waits besides event and time: objects, files, statements, and whose they are."""

from __future__ import annotations

import re
from typing import NamedTuple

from ...record import EventKey
from .._bounded import BoundedDict
from .calls import DatabaseCall
from .quoted_text import PARSING, PARSING_BEGIN

MOST_TEXT = 1_000
"""Characters of a statement that are kept."""

_HASH_VALUE = re.compile(r" hv=([0-9]{1,10})\b")
_SQL_ID = re.compile(r" sqlid='([^']{1,30})'")
WHOSE = re.compile(
    r"\*\*\* (MODULE NAME|ACTION NAME|CLIENT ID|SERVICE NAME|SESSION ID|CONTAINER ID):\((.*)\)(?: [0-9-]{10}|\s*$)"
)
OF_PROGRAM = re.compile(r"APPNAME mod='([^']*)' mh=[0-9]+ act='([^']*)'")
_CURSOR = re.compile(r"WAIT # ?(-?[0-9]{1,20})", re.IGNORECASE)
_PARAMETER = re.compile(r"([^\s=][^=]{0,40}?) ?= ?(-?[0-9]{1,20})(?= |$)")
KEY_OF_WHOSE = {
    "MODULE NAME": "module",
    "ACTION NAME": "action",
    "CLIENT ID": "client",
    "SERVICE NAME": "service",
    "SESSION ID": "session",
    "CONTAINER ID": "container",
}
_FIRST = ("obj#", "file#", "file number")
"""These parameters say most, so they come first."""
_NOT_SAID = ("tim",)
_DEPTH = re.compile(r" dep=([0-9]{1,4})\b")
DEPTH = "dep"
_OF_TRACE = {"cursor", "sqlid", "sql_id", "hv", DEPTH, *KEY_OF_WHOSE.values()}
_OF_TRACE |= {f"{name}_id" for name in KEY_OF_WHOSE.values()}
"""What only other lines of the trace say. A parameter of a wait that is called so, as damage can call one, is none."""
PLACES = {"p1": 0, "p2": 1, "p3": 2}
"""Names of parameters by their places, whatever the event calls them."""


class Statement(NamedTuple):
    """The statement of a cursor: its SQL id or else its hash value, empty if the trace names neither, its text, and how
    deep it is called: 0 by the user, 1 and more by other statements.
    """

    name: str
    key: str
    text: str
    depth: str = ""


def statement_of(text: str) -> tuple[str, Statement] | None:
    """The cursor of a line that begins a statement, and what the line says about that."""
    found = PARSING.match(text)
    if found is None:
        return None
    named = [("sqlid", _SQL_ID.search(text)), ("hv", _HASH_VALUE.search(text))]
    name, key = next(((one[1], key) for key, one in named if one), ("", ""))
    depth = _DEPTH.search(text)
    return found[1], Statement(name, key, "", depth[1] if depth else "")


class TraceKeys:
    """Follows the lines of a trace and knows what holds for the next wait.

    ``by``: a key that is said only if asked for, ``dep`` or one of PLACES.
    """

    def __init__(self, by: str = "") -> None:
        self._by = by
        self._statements: BoundedDict[str, Statement] = BoundedDict()
        self._whose: dict[str, str] = {}
        self._open = ""

    def see(self, text: str, *, is_quoted: bool) -> None:
        """Take any line, a wait as well; quoted text is that of a statement, or a value."""
        if is_quoted:
            self._add(text)
            return
        self._open = ""
        if text.startswith(PARSING_BEGIN):
            self._begin(text)
        elif text.startswith("*** ") and (found := WHOSE.match(text)):
            self._whose[KEY_OF_WHOSE[found[1]]] = found[2]
        elif text.startswith("APPNAME ") and (found := OF_PROGRAM.match(text)):
            self._whose.update(module=found[1], action=found[2])

    def of_wait(self, text: str, behind: int) -> tuple[EventKey, ...]:
        """The keys of a wait. Its parameters begin at a place of its line."""
        said = {name: value for name, value in _PARAMETER.findall(text, behind) if name not in _NOT_SAID}
        first = [name for name in _FIRST if name in said]
        cursor = _CURSOR.match(text)
        keys = [EventKey(name, said[name]) for name in first]
        if cursor is not None:
            keys += self._of_cursor(cursor[1])
        keys += [EventKey(name, said[name]) for name in said if name not in first and name.lower() not in _OF_TRACE]
        keys += [EventKey(name, value) for name, value in self._whose.items() if value]
        if self._by in PLACES and (place := PLACES[self._by]) < len(said):
            keys.append(EventKey(self._by, [*said.values()][place]))
        return tuple({key.name: key for key in keys}.values())

    def of_call(self, call: DatabaseCall) -> tuple[EventKey, ...]:
        """The keys of a call."""
        keys = self._of_cursor(call.cursor) if call.cursor else []
        keys += call.keys()
        keys += [EventKey(name, value) for name, value in self._whose.items() if value]
        return tuple({key.name: key for key in keys}.values())

    def _of_cursor(self, number: str) -> list[EventKey]:
        statement = self._statements.get(number)
        if statement is None:
            return [EventKey("cursor", f"#{number}")]
        if self._by == DEPTH and statement.depth:
            return [EventKey(DEPTH, statement.depth), EventKey("cursor", f"#{number}", statement.text)]
        named = [EventKey(statement.key, statement.name, statement.text)] if statement.name else []
        return [*named, EventKey("cursor", f"#{number}", statement.text)]

    def _begin(self, text: str) -> None:
        if (found := statement_of(text)) is not None:
            self._open, self._statements[found[0]] = found

    def _add(self, text: str) -> None:
        """A line of the statement of the last cursor, or of a value behind it."""
        known = self._statements.get(self._open)
        if known is not None and len(known.text) < MOST_TEXT:
            words = " ".join([known.text, *text.split()]).strip()
            self._statements[self._open] = known._replace(text=words[:MOST_TEXT])
