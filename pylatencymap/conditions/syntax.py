"""Conditions as trees, and the text of a tree: parsed again, it gives an equal tree."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from ..errors import UsageError
from ..text import text_width
from ..text.clean import printable


class Kind(Enum):
    """What a number in a condition is; only numbers of one kind are compared."""

    LATENCY = "a latency"
    SHARE = "a share"
    RATE = "a rate"
    WAIT = "time waited per second"
    NUMBER = "a number"


UNITS = {
    "ns": (1e-9, Kind.LATENCY),
    "us": (1e-6, Kind.LATENCY),
    "ms": (1e-3, Kind.LATENCY),
    "s": (1.0, Kind.LATENCY),
    "%": (0.01, Kind.SHARE),
    "/s": (1.0, Kind.RATE),
    "us/s": (1e-6, Kind.WAIT),
    "ms/s": (1e-3, Kind.WAIT),
    "s/s": (1.0, Kind.WAIT),
    "": (1.0, Kind.NUMBER),
}
"""Scale and kind of each unit; latencies in seconds, shares from 0 to 1."""
MEASURES = {
    "average": Kind.LATENCY,
    "events": Kind.NUMBER,
    "events_above": Kind.SHARE,
    "modes": Kind.NUMBER,
    "rate": Kind.RATE,
    "time_above": Kind.SHARE,
    "waited": Kind.WAIT,
}
"""Measures besides the percentiles."""
ABOVE = frozenset({"events_above", "time_above"})
"""Measures that have a latency in parentheses."""
EQUALITIES = frozenset({"==", "!="})
_PERCENTILE = re.compile(r"p(\d{1,2}(?:\.\d{1,6})?)")


class ConditionError(UsageError):
    """A condition cannot be understood. ``excerpt`` is its text, and a line with a caret below the place."""

    def __init__(self, message: str, text: str, column: int) -> None:
        shown = printable(text, len(text) * 10 + 1)
        caret = " " * text_width(printable(text[: column - 1], len(text) * 10 + 1)) + "^"
        super().__init__(f"column {column}: {message}", (shown, caret))


@dataclass(frozen=True, slots=True)
class Constant:
    """A number with its unit, one of UNITS. ``column``, here and below: where it stands in the text, from 1."""

    number: float
    unit: str = ""
    column: int = field(default=1, compare=False)

    @property
    def value(self) -> float:
        """In seconds, as a part of 1, or per second."""
        return self.number * UNITS[self.unit][0]

    @property
    def kind(self) -> Kind:
        return UNITS[self.unit][1]

    def __str__(self) -> str:
        return f"{repr(self.number).removesuffix('.0')}{self.unit}"


@dataclass(frozen=True, slots=True)
class MeasureCall:
    """What is measured, ``factor`` times: ``1.2 * before.time_above(8ms)``."""

    name: str
    argument: Constant | None = None
    of_before: bool = False
    factor: float = 1.0
    column: int = field(default=1, compare=False)

    @property
    def rank(self) -> float | None:
        """That of a percentile, 0 to 1; None for other measures."""
        return rank_of(self.name)

    @property
    def kind(self) -> Kind:
        return MEASURES.get(self.name, Kind.LATENCY)

    @property
    def called(self) -> str:
        """The measure, without its factor."""
        argument = "" if self.argument is None else f"({self.argument})"
        return f"{'before.' if self.of_before else ''}{self.name}{argument}"

    def __str__(self) -> str:
        return self.called if self.factor == 1 else f"{Constant(self.factor)} * {self.called}"


def rank_of(name: str) -> float | None:
    """The rank, between 0 and 1, that a name such as ``p99.9`` gives; None if it names no percentile."""
    match = _PERCENTILE.fullmatch(name)
    rank = float(match[1]) / 100 if match else 0.0
    return rank if 0 < rank < 1 else None


@dataclass(frozen=True, slots=True)
class Compared:
    """``left`` compared with ``right``; one of them at least is measured."""

    left: Constant | MeasureCall
    operator: str
    right: Constant | MeasureCall
    column: int = field(default=1, compare=False)

    def __str__(self) -> str:
        return f"{self.left} {self.operator} {self.right}"


@dataclass(frozen=True, slots=True)
class Negated:
    """``not`` before a condition."""

    inner: Node

    def __str__(self) -> str:
        return f"not {_inside(self.inner, 3)}"


@dataclass(frozen=True, slots=True)
class Joined:
    """Two or more conditions with ``and``, or ``or``, between them."""

    word: str
    parts: tuple[Node, ...]

    def __str__(self) -> str:
        return f" {self.word} ".join(_inside(part, _level(self) + 1) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Surely:
    """``sure(...)``: a condition that holds wherever in the bands the truth is."""

    inner: Node

    def __str__(self) -> str:
        return f"sure({self.inner})"


@dataclass(frozen=True, slots=True)
class PerSeries:
    """``any(...)`` or ``all(...)``: a condition about each series whose name matches ``pattern``; None: about all."""

    word: str
    pattern: str | None
    inner: Node
    column: int = field(default=1, compare=False)

    def __str__(self) -> str:
        return f"{self.word}({self._which()}{self.inner})"

    def _which(self) -> str:
        if self.pattern is None:
            return ""
        quoted = self.pattern.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{quoted}", '


Node: TypeAlias = Compared | Negated | Joined | Surely | PerSeries


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition as the user wrote it, and its tree."""

    text: str
    root: Node


@dataclass(frozen=True, slots=True)
class LastingCondition:
    """A condition that is to hold over ``seconds``; ``text``: both, as the user wrote them."""

    text: str
    condition: Condition
    seconds: float


def _level(node: Node) -> int:
    """How strongly a condition holds together: ``or`` least, then ``and``, then ``not``."""
    if isinstance(node, Joined):
        return 1 if node.word == "or" else 2
    return 3 if isinstance(node, Negated) else 4


def _inside(node: Node, level: int) -> str:
    """The text of a part, in parentheses if it would fall apart without them."""
    return str(node) if _level(node) >= level else f"({node})"
