"""What the lines of a chunk say about a key, and what earlier chunks say about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ...intervals import LONGEST_KEPT
from ..byte_words import Places
from ..chunk import PADDING, Chunk

Value: TypeAlias = "str | None"
"""A value of the key; None: the line does not say it."""


UNKNOWN = -1
NOTHING: Mapping[Any, Any] = {}


class KeysOfLines(NamedTuple):
    """What some lines of a chunk say about a key.

    values   the different values
    numbers  for each line, the place of its value; UNKNOWN if only the decoder can tell it, should it be an event
    earlier  the places of values that an earlier chunk says, if any does, with the subject that they depend on
    later    what holds for later chunks, by subject
    """

    values: list[Value]
    numbers: Places
    earlier: Mapping[int, bytes] = NOTHING
    later: Mapping[bytes, Value] = NOTHING


@runtime_checkable
class HasKeys(Protocol):
    """A scan that finds the keys of its events, by the names of the decoder's or those that users know. ``keys_of``
    returns what the decoder says about these lines; it raises NotScannable if it cannot be sure. ``looks_back``:
    whether such a key can stand in an earlier chunk.
    """

    def looks_back(self, names: Sequence[str]) -> bool: ...

    def keys_of(self, text: Chunk, names: Sequence[str], lines: Places) -> KeysOfLines: ...


@runtime_checkable
class HasNotes(Protocol):
    """A scan of a format that explains values of keys. ``notes_of`` returns the texts of a chunk that do so, by value,
    empty where the text is missing; it raises NotScannable if a value has several.
    """

    def notes_of(self, text: Chunk, names: Sequence[str]) -> Mapping[str, str]: ...


class SaidBefore:
    """What the chunks so far say about the next one, by subject."""

    def __init__(self) -> None:
        self._said: dict[bytes, Value] = {}

    def add(self, later: Mapping[bytes, Value]) -> None:
        """Take what a chunk says."""
        self._said.update(later)

    def values_of(self, said: KeysOfLines) -> list[Value]:
        """The values of a chunk that follows these."""
        values = [value if value is None else value[:LONGEST_KEPT] for value in said.values]
        for place, subject in said.earlier.items():
            values[place] = self._said.get(subject)
        return values


def chunk_of(line: bytes) -> Chunk:
    """A chunk of a single line without its end."""
    text = line + b"\n"
    buffer: NDArray[np.uint8] = np.zeros(len(text) + 2 * PADDING, np.uint8)
    buffer[PADDING : PADDING + len(text)] = np.frombuffer(text, np.uint8)
    return Chunk(buffer, PADDING, PADDING + len(text))
