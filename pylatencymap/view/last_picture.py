"""What of the last picture can be used again: results, each with the values that it was made from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

Made = TypeVar("Made")


class LastPicture:
    """The last result of each stage of a picture and its key. A fresh one means that everything is made again.

    Keys are values: where they are equal, so are the results. Nobody may write to what is handed out.
    """

    def __init__(self) -> None:
        self._made: dict[str, tuple[object, Any]] = {}

    def kept(self, name: str, key: object, make: Callable[[], Made]) -> Made:
        """The last result of a stage where its key is the same, else a new one."""
        last = self._made.get(name)
        if last is None or last[0] != key:
            last = self._made[name] = key, make()
        return cast(Made, last[1])

    def held(self, name: str, moment: object, key: object, make: Callable[[], Made]) -> Made:
        """A text or number that stays as it is, whatever data come, while the moment and the key are the same.

        A moment of None means that texts follow the data: it is made again.
        """
        if moment is None:
            self._made.pop(name, None)  # what was held for an earlier moment is older than what is made now
            return make()
        return self.kept(name, (moment, key), make)
