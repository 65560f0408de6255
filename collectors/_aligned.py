"""Values with blanks in a table whose columns are separated by blanks: where a value begins, the header shows."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"\S+")
JOINT = "\u00b7"
"""Stands for a blank within a value, so that splitting at blanks leaves the value whole."""


@lru_cache(maxsize=64)
def _edges(header: str) -> tuple[frozenset[int], frozenset[int]]:
    """The places at which the names in a header begin, and those at which they end."""
    found = list(_WORD.finditer(header))
    return frozenset(word.start() for word in found), frozenset(word.end() for word in found)


def with_joints(text: str, header: str) -> str:
    """A row of the same length in which the blanks within values are joints.

    A word goes on with the value before it if a single blank separates them, and it neither begins nor ends where a
    name in the header does.
    """
    begins, ends = _edges(header)
    row = list(text)
    last_end = 0
    for word in _WORD.finditer(text):
        if last_end and word.start() == last_end + 1 and word.start() not in begins and word.end() not in ends:
            row[last_end] = JOINT
        last_end = word.end()
    return "".join(row)


def without_joints(value: str) -> str:
    """The value as it was printed."""
    return value.replace(JOINT, " ") if JOINT in value else value
