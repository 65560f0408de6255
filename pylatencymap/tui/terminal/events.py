"""What a terminal tells: keys, the mouse, its background colour, and that it has done what was sent to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["press", "wheel-up", "wheel-down"]


class Mouse(NamedTuple):
    """The left button or the wheel; ``column`` and ``line`` count from 0."""

    kind: Kind
    column: int
    line: int


class Background(NamedTuple):
    """The terminal's background colour, each part 0 to 255."""

    red: int
    green: int
    blue: int


@dataclass(frozen=True)
class Done:
    """The terminal has done all that was sent to it up to the last question."""


class Pasted(str):
    """A character that was pasted and not typed: text for whoever reads text, never a command."""

    __slots__ = ()


Event: TypeAlias = str | Mouse | Background
"""A string is a character, or the name of a key, as KEY_LEFT: see keys."""
