"""A guard: every picture is drawn twice, with all that the last one left and with nothing kept, and must be the same.

``guard()`` wraps Picture.drawn. With DRAW_TWICE=1 in the environment it guards all tests of this process, and each
program that the tests run on a terminal.
"""

import os
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np

from pylatencymap.session.picture import Picture
from pylatencymap.view.drawing import DrawnPicture
from pylatencymap.view.last_picture import LastPicture
from pylatencymap.view.paint.canvas import BLANK
from pylatencymap.view.style.styles import BLANK_BITS

WANTED = bool(os.environ.get("DRAW_TWICE"))


class OnlyTexts(LastPicture):
    """Keeps what is to be held, and makes everything else again."""

    def kept(self, name: str, key: object, make: Callable[[], Any]) -> Any:  # noqa: ARG002
        return make()

    def held(self, name: str, moment: object, key: object, make: Callable[[], Any]) -> Any:
        if moment is None:
            self._made.pop(name, None)
            return make()
        return super().kept(name, (moment, key), make)


def guard() -> Callable[[], None]:
    """Draw twice from now on; returns what ends it."""
    plain = Picture.drawn

    def drawn(self: Picture, *what: Any) -> DrawnPicture:
        kinds: tuple[Any, ...] = (self, self.stack)  # each remembers for itself
        before = [deepcopy(one._memory) for one in kinds]
        first = plain(self, *what)
        left = [(one._memory, one._last) for one in kinds]
        for one, memory in zip(kinds, before, strict=True):
            one._memory, one._last = memory, one.__dict__.setdefault("_guard", OnlyTexts())
        try:
            second = plain(self, *what)
        finally:
            for one, (memory, last) in zip(kinds, left, strict=True):
                one._memory, one._last = memory, last
        assert_same(first, second)
        for old, (memory, _) in zip(before, left, strict=True):
            assert vars_of(old) == vars_of(memory), "what is remembered"
        return first

    Picture.drawn = drawn  # type: ignore[method-assign]

    def end() -> None:
        Picture.drawn = plain  # type: ignore[method-assign]

    return end


def assert_same(first: DrawnPicture, second: DrawnPicture) -> None:
    """The same cells, and the data in the same places."""
    assert first.cells.text() == second.cells.text()
    np.testing.assert_array_equal(first.cells.chars, second.cells.chars)
    np.testing.assert_array_equal(first.cells.styles, second.cells.styles)
    assert not (first.cells.styles[first.cells.chars == BLANK] & ~np.uint16(BLANK_BITS)).any(), "blanks have no colour"
    for name, one, other in zip(first.geometry._fields, first.geometry, second.geometry, strict=True):
        np.testing.assert_equal(one, other, err_msg=name)


def vars_of(thing: Any) -> Any:
    """All that an object holds, with what it holds itself."""
    if isinstance(thing, dict):
        return {key: vars_of(value) for key, value in thing.items()}
    return vars_of(vars(thing)) if hasattr(thing, "__dict__") else thing
