"""A cache of what the last picture was made of, so that the next one recomputes only what changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

Made = TypeVar("Made")


class LastPicture:
    """The last result of each named step of drawing, with its key: the values that it was computed from.

    Equal keys must mean equal results. Callers share the results and must not change them. A new LastPicture is an
    empty cache: everything is computed again.
    """

    def __init__(self) -> None:
        self._made: dict[str, tuple[object, Any]] = {}

    def kept(self, name: str, key: object, make: Callable[[], Made]) -> Made:
        """Return the last result of a step if its key is unchanged, else compute and keep a new one."""
        last = self._made.get(name)
        if last is None or last[0] != key:
            last = self._made[name] = key, make()
        return cast(Made, last[1])

    def again(self, name: str, key: object, make: Callable[[], Made], *, stays: bool) -> Made:
        """Compute and keep a new result; or if it ``stays``, return the last one, whatever it was made of, as long as
        the key is unchanged.
        """
        last = self._made.get(name)
        if not stays or last is None or last[0] != key:
            last = self._made[name] = key, make()
        return cast(Made, last[1])

    def held(self, name: str, moment: object, key: object, make: Callable[[], Made]) -> Made:
        """Return the last result while the moment and the key are unchanged, even if new data have arrived since.

        This keeps texts and numbers readable between their updates, see Scene.moment. With a moment of None they
        follow the data: the result is computed every time.
        """
        if moment is None:
            self._made.pop(name, None)  # a later moment must not bring back a result older than this one
            return make()
        return self.kept(name, (moment, key), make)
