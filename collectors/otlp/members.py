"""Reads members of OTLP JSON objects and checks their types."""

import math
import re
from collections.abc import Iterator
from typing import Any, TypeAlias

from .._metrics.names import LabelPairs

Object: TypeAlias = dict[str, Any]
MAX_COUNT = 1 << 64
_CAPITAL = re.compile(r"([A-Z])")


def member(value: Object, name: str) -> Any:
    """A member by its name, ``timeUnixNano``, or ``time_unix_nano`` as some programs write it."""
    if name in value:
        return value[name]
    return value.get(_CAPITAL.sub(r"_\1", name).lower())


def objects(value: Any, name: str) -> Iterator[Object]:
    """The objects in a list; none if the member is something else."""
    found = member(value, name) if isinstance(value, dict) else None
    if isinstance(found, list):
        yield from (one for one in found if isinstance(one, dict))


def whole_count(value: Any) -> int:
    """A count or a time: a number, in quotes if it has 64 bits; raise ValueError for anything else."""
    if isinstance(value, str) and len(value) <= 20:
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < MAX_COUNT:
        raise ValueError(f"not a count or a time: {str(value)[:40]}")
    return value


def wholes(value: Any) -> list[int]:
    """A list of counts; raise TypeError or ValueError for anything else."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise TypeError("the counts of buckets are no list")
    if {str, int}.issuperset(map(type, value)):
        found = [int(one) for one in value]
        if not found or (min(found) >= 0 and max(found) < MAX_COUNT):
            return found
    return [whole_count(one) for one in value]


def finite_number(value: Any) -> float | None:
    """A finite number; None for anything else."""
    try:
        found = float(value) if isinstance(value, int | float | str) and len(str(value)) <= 40 else math.nan
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None


def attributes(value: Any) -> LabelPairs:
    """Attributes sorted by their keys, so that they identify a series in whatever order they were written."""
    found = member(value, "attributes") if isinstance(value, dict) else None
    if isinstance(found, dict):
        return tuple(sorted((key, _text(one)) for key, one in found.items()))
    pairs = ((str(one.get("key", "")), _text(one.get("value"))) for one in objects(value, "attributes"))
    return tuple(sorted(pairs))


def _text(value: Any) -> str:
    """The value of an attribute: ``{"stringValue": "loop0"}`` is loop0."""
    while isinstance(value, dict) and len(value) == 1:
        value = next(iter(value.values()))
    return str(value)[:200] if not isinstance(value, dict | list) else "..."
