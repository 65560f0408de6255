"""A dictionary that cannot grow without end, for what a decoder remembers of the names in its text."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

from ..record import MOST_SERIES

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class BoundedDict(dict[Key, Value]):
    """Forgets all its entries before the one after MOST_SERIES; what it held must be possible to find out again."""

    def __setitem__(self, key: Key, value: Value) -> None:
        if len(self) >= MOST_SERIES and key not in self:
            self.clear()
        super().__setitem__(key, value)

    def setdefault(self, key: Key, default: Value) -> Value:
        """The value of a key, after setting it if there is none."""
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, pairs: Iterable[tuple[Key, Value]]) -> None:  # type: ignore[override]
        """Set several values."""
        for key, value in pairs:
            self[key] = value
