"""Splits lines into fields: by a separator, as JSON objects, or by a regular expression."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from typing import TypeAlias

Split: TypeAlias = Callable[[str], "list[str] | None"]
"""Returns the fields of a line; None if it has none."""

SEPARATORS = ("\t", ",", ";", "|")
_DATED = re.compile(r"\b([0-9]{4}-[0-9][0-9]-[0-9][0-9]) +(?=[0-9][0-9]:[0-9][0-9])")
_DECIMAL_COMMA = re.compile(r"(?<=[0-9]),(?=[0-9])")
MOST_FIELDS = 1_000


def separator_of(header: str) -> str:
    """The separator of the names in a header, or of a row without one; empty for blanks."""
    if ";" in header:
        header = _DECIMAL_COMMA.sub("", header)
    return next((sign for sign in SEPARATORS if sign in header), "")


def splitter(separator: str, *, dated: bool = True) -> Split:
    """Split at a separator; fields can be quoted. With blanks and ``dated``, a date and its time are one field."""
    if not separator and not dated:
        return lambda text: text.split(None, MOST_FIELDS) or None
    if not separator:
        return lambda text: _DATED.sub(r"\1T", text).split(None, MOST_FIELDS) or None

    def split(text: str) -> list[str] | None:
        if '"' not in text:
            return [field.strip() for field in text.split(separator, MOST_FIELDS)]
        try:
            return [field.strip() for field in next(csv.reader([text], delimiter=separator, skipinitialspace=True))]
        except (csv.Error, StopIteration):
            return None

    return split


def object_of(text: str) -> dict[str, str] | None:
    """The members of a JSON object on one line, with numbers as they are written.

    Members of nested objects are named by their paths, such as ``req.latency_ms``; lists are left out.
    """
    if not text.lstrip().startswith("{"):
        return None
    try:
        members = json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        return None
    return _flat(members)


def _flat(members: dict[str, object]) -> dict[str, str]:
    """A name that is written with a point takes precedence over an equal path."""
    found = {key: value for key, value in members.items() if isinstance(value, str)}
    if len(found) < len(members):
        for key, value in members.items():
            if isinstance(value, dict):
                for path, inner in _flat(value).items():
                    found.setdefault(f"{key}.{path}", inner)
    return found


def members(names: list[str]) -> Split:
    """The members with those names, if all of them are present."""

    def split(text: str) -> list[str] | None:
        found = object_of(text)
        if found is None or not all(name in found for name in names):
            return None
        return [found[name] for name in names]

    return split


def groups(expression: re.Pattern[str], names: list[str]) -> Split:
    """The groups of an expression with those names."""

    def split(text: str) -> list[str] | None:
        found = expression.search(text)
        return [found[name] or "" for name in names] if found else None

    return split
