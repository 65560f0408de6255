"""Events from a terminal: keys, the mouse, and answers about its background, its cursor and its output."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

MouseAction: TypeAlias = Literal["press", "drag", "release", "wheel-up", "wheel-down"]


class Mouse(NamedTuple):
    """The left button (``drag``: the mouse moved while it is pressed), or the wheel; ``column`` and ``line`` count from
    0.
    """

    kind: MouseAction
    column: int
    line: int


class BackgroundColour(NamedTuple):
    """The terminal's background colour, each part 0 to 255."""

    red: int
    green: int
    blue: int


class TerminalDone:
    """The terminal has processed all output up to the last question."""


class CursorPlace(NamedTuple):
    """Where the terminal's cursor was when the terminal came to a question about it; both count from 1."""

    line: int
    column: int


class Pasted(str):
    """A character that was pasted, not typed: text for a prompt, never a command."""

    __slots__ = ()


TerminalEvent: TypeAlias = str | Mouse | BackgroundColour
"""A string is a character, or the name of a key, as KEY_LEFT: see keys."""
