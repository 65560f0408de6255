"""Lines taken apart: by a separator, as objects of JSON, or by an expression."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from typing import TypeAlias

Split: TypeAlias = Callable[[str], "list[str] | None"]
"""The fields of a line; None where it has none."""

SEPARATORS = ("\t", ",", ";", "|")
_DATED = re.compile(r"\b(\d{4}-\d\d-\d\d) +(?=\d\d:\d\d)")
_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d)")
MOST_FIELDS = 1_000


def separator_of(header: str) -> str:
    """What separates the names of a header, or of a row without one; empty for blanks."""
    if ";" in header:
        header = _DECIMAL_COMMA.sub("", header)
    return next((sign for sign in SEPARATORS if sign in header), "")


def splitter(separator: str, *, dated: bool = True) -> Split:
    """Fields between separators, which may be quoted; between blanks a date and its time are one where ``dated``."""
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
    """The members of an object of JSON on one line, numbers as they are written; those of objects within it by their
    paths, as in ``req.latency_ms``, and lists not at all.
    """
    if not text.lstrip().startswith("{"):
        return None
    try:
        members = json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        return None
    return _flat(members)


def _flat(members: dict[str, object]) -> dict[str, str]:
    """Names that are written with a point go before paths that are the same."""
    found = {key: value for key, value in members.items() if isinstance(value, str)}
    if len(found) < len(members):
        for key, value in members.items():
            if isinstance(value, dict):
                for path, inner in _flat(value).items():
                    found.setdefault(f"{key}.{path}", inner)
    return found


def members(names: list[str]) -> Split:
    """The members of those names, where they are all there."""

    def split(text: str) -> list[str] | None:
        found = object_of(text)
        if found is None or not all(name in found for name in names):
            return None
        return [found[name] for name in names]

    return split


def groups(expression: re.Pattern[str], names: list[str]) -> Split:
    """The groups of those names."""

    def split(text: str) -> list[str] | None:
        found = expression.search(text)
        return [found[name] or "" for name in names] if found else None

    return split
