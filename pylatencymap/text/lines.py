"""Bytes to lines: numbered, decoded, cut at a sane length, and aware of pauses of a live source."""

from typing import NamedTuple, TypeAlias
from collections.abc import Iterable, Iterator


class Line(NamedTuple):
    """One line without its end. ``arrival`` is the monotonic time at which it was read, None from a file."""

    number: int
    text: str
    arrival: float | None = None


Lines: TypeAlias = Iterable[Line | None]
"""What decoders read. None says that a live source has paused at the end of a line: whatever looks complete is."""


def lines_of(text: str) -> Iterator[Line]:
    """The lines of a text at hand, as from a file."""
    for number, line in enumerate(text.splitlines(), 1):
        yield Line(number, line)
