"""Members of OTLP JSON objects, whose kinds nobody has checked."""

import math
import re
from collections.abc import Iterator
from typing import Any, TypeAlias

from .._metrics.names import LabelPairs

Object: TypeAlias = dict[str, Any]
MAX_COUNT = 1 << 64
_CAPITAL = re.compile(r"([A-Z])")


def member(value: Object, name: str) -> Any:
    """A member by its name, ``timeUnixNano``, or as some programs write it, ``time_unix_nano``."""
    if name in value:
        return value[name]
    return value.get(_CAPITAL.sub(r"_\1", name).lower())


def objects(value: Any, name: str) -> Iterator[Object]:
    """The objects in a list that is a member; none where it is something else."""
    found = member(value, name) if isinstance(value, dict) else None
    if isinstance(found, list):
        yield from (one for one in found if isinstance(one, dict))


def whole_count(value: Any) -> int:
    """A count or a time: a number, or one in quotes as 64-bit numbers are; raises ValueError."""
    if isinstance(value, str) and len(value) <= 20:
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < MAX_COUNT:
        raise ValueError(f"not a count or a time: {str(value)[:40]}")
    return value


def wholes(value: Any) -> list[int]:
    """A list of counts; raises TypeError or ValueError."""
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
    """A finite number, None for anything else."""
    try:
        found = float(value) if isinstance(value, int | float | str) and len(str(value)) <= 40 else math.nan
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None


def attributes(value: Any) -> LabelPairs:
    """Attributes by their keys, in the order of these, so that they tell one series whatever their order was."""
    found = member(value, "attributes") if isinstance(value, dict) else None
    if isinstance(found, dict):
        return tuple(sorted((key, _text(one)) for key, one in found.items()))
    pairs = ((str(one.get("key", "")), _text(one.get("value"))) for one in objects(value, "attributes"))
    return tuple(sorted(pairs))


def _text(value: Any) -> str:
    """An attribute's value: ``{"stringValue": "loop0"}`` is loop0."""
    while isinstance(value, dict) and len(value) == 1:
        value = next(iter(value.values()))
    return str(value)[:200] if not isinstance(value, dict | list) else "..."
