"""What the numbers of sampled waits stand for: the text of a statement, the name of an object; each asked for once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence

from ...record import EventKey
from ..connection.driver import Connection, Trouble
from ..queries import SELECT, condition_of
from .statements import SessionRow, object_of

OBJECTS_VIEW = "dba_objects"
NO_TEXTS, NO_OBJECTS = "w has no texts of statements", "w has numbers of objects only"
MOST_AT_ONCE = 50
MOST_KEPT = 5_000
"""Some 5 MB."""
LONGEST_TEXT = 200


def texts_view(local: bool) -> str:
    """The view with the texts of statements. It is no part of a pack."""
    return "v$sqlstats" if local else "gv$sqlstats"


def text_query(view: str, sql_ids: Sequence[str]) -> tuple[str, dict[str, object]]:
    """Selects sql_id and the beginning of its text."""
    where, binds = condition_of("sql_id", "q", sql_ids)
    return f"{SELECT} sql_id, max(substr(sql_text, 1, {LONGEST_TEXT})) from {view} where {where} group by sql_id", binds


def object_query(numbers: Sequence[str]) -> tuple[str, dict[str, object]]:
    """Selects number, owner, name and partition of objects of the container that we are connected to."""
    where, binds = condition_of("object_id", "o", list(map(int, numbers)))
    return f"{SELECT} object_id, owner, object_name, subobject_name from {OBJECTS_VIEW} where {where}", binds


class NamesOfWaits:
    """Looks names up after a sample, one statement a kind at most, and is asked for them in another thread. It is an
    extra: after an error, or an answer that takes longer than ``patience`` seconds, it asks that view no more.
    ``container``: where we are connected to; numbers of objects of other containers have no name.
    """

    def __init__(
        self, view: str, container: int, patience: float, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._view, self._container, self._patience, self._clock = view, container, patience, monotonic
        self._notes: dict[tuple[str, str], str] = {}
        self._ended: set[str] = set()

    def noted(self, keys: Sequence[EventKey]) -> tuple[EventKey, ...]:
        """The keys, with what is known of their values."""
        return tuple(key._replace(note=self._notes.get((key.name, key.value), "")) for key in keys)

    def look_up(self, connection: Connection, rows: Iterable[SessionRow]) -> bool:
        """Ask for what these rows have that is not known. Returns whether the connection can be used again."""
        texts: dict[str, str] = {}
        objects: dict[str, str] = {}
        for row in rows:
            if row.sql_id and self._is_new("sql_id", row.sql_id):
                texts[row.sql_id] = row.sql_id
            number = object_of(row)
            if number is not None and int(row.container or 0) in (0, self._container) and self._is_new("obj#", number):
                objects[str(row.object)] = number
        return self._ask(connection, "sql_id", texts) and self._ask(connection, "obj#", objects)

    def _is_new(self, name: str, value: str) -> bool:
        return name not in self._ended and (name, value) not in self._notes and len(self._notes) < MOST_KEPT

    def _ask(self, connection: Connection, name: str, values: Mapping[str, str]) -> bool:
        """Ask for the first of the values, by what the view calls them. What it does not know is not asked again."""
        asked = list(values)[:MOST_AT_ONCE]
        if not asked:
            return True
        began = self._clock()
        try:
            rows = connection.rows(*(text_query(self._view, asked) if name == "sql_id" else object_query(asked)))
        except Trouble as trouble:
            self._ended.add(name)
            return not trouble.late and any(code.startswith("ORA-") for code in trouble.codes)
        if self._clock() - began > self._patience:
            self._ended.add(name)
        known = {str(first): _text(name, rest) for first, *rest in rows}
        self._notes.update({(name, values[one]): known.get(one, "") for one in asked})
        return True


def _text(name: str, told: Sequence[object]) -> str:
    """A statement on one line; an object as OWNER.NAME and its partition."""
    if name == "sql_id":
        return " ".join(str(told[0] or "").split())
    owner, called, partition = told
    return f"{owner}.{called}" + (f" {partition}" if partition else "")
