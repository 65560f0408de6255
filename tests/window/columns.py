"""What a history holds."""

from typing import Any

from pylatencymap.window.history import History


def tail(history: History, count: int) -> tuple[Any, Any]:
    """The last ``count`` columns and their counts."""
    return history.part(max(len(history) - count, 0), len(history))
