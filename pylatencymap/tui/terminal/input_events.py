"""What a terminal tells: keys, the mouse, its background colour, and that it has done what was sent to it."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

MouseAction: TypeAlias = Literal["press", "wheel-up", "wheel-down"]


class Mouse(NamedTuple):
    """The left button or the wheel; ``column`` and ``line`` count from 0."""

    kind: MouseAction
    column: int
    line: int


class BackgroundColour(NamedTuple):
    """The terminal's background colour, each part 0 to 255."""

    red: int
    green: int
    blue: int


class TerminalDone:
    """The terminal has done all that was sent to it up to the last question."""


class Pasted(str):
    """A character that was pasted and not typed: text for whoever reads text, never a command."""

    __slots__ = ()


TerminalEvent: TypeAlias = str | Mouse | BackgroundColour
"""A string is a character, or the name of a key, as KEY_LEFT: see keys."""
