"""JSON objects in a text: one a line or spread over lines, other text between them."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple, TypeAlias

from .lines import Line, Lines

MAX_OBJECT = 1 << 25
"""Longest object that is kept until it ends, in characters."""

Pairs: TypeAlias = Callable[[list[tuple[str, Any]]], Any]
_JSON_LINE = re.compile(r"\s*(?:[][{}\",:]|-?\d|(?:true|false|null)\b|$)")
"""What a line of an object that is spread over lines begins with; other lines came in between from elsewhere."""
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


class JsonObject(NamedTuple):
    """A JSON object, the line that it begins in, and the arrival of the one that it ends in."""

    value: dict[str, Any]
    line: int
    arrival: float | None = None


def json_objects(
    lines: Lines, bad: Callable[[int, str], None], pairs: Pairs | None = None
) -> Iterator[JsonObject | Line | None]:
    """The objects of a text; lines outside of them and pauses are passed on as they are.

    An object begins at the start of a line. One that does not end before the next begins in the first column, or that
    cannot be read, goes to ``bad`` with its line. ``pairs`` makes an object of its members, as object_pairs_hook does.
    """
    reader = _Reader(bad, json.JSONDecoder(object_pairs_hook=pairs))
    for line in lines:
        if line is None:
            yield None
        elif not reader.wants(line.text):
            yield line
        else:
            yield from reader.feed(line)
    reader.drop()


class _Reader:
    """Collects the lines of an object until its braces are closed."""

    def __init__(self, bad: Callable[[int, str], None], decoder: json.JSONDecoder) -> None:
        self._bad = bad
        self._decoder = decoder
        self._parts: list[str] = []
        self._first = 0
        self._depth = 0
        self._size = 0

    def wants(self, text: str) -> bool:
        """Whether a line belongs to an object."""
        if text.startswith("{"):
            self.drop()
        return bool(self._parts) or text.lstrip(" \t,[").startswith("{")

    def drop(self) -> None:
        """Give up the object that has not ended."""
        if self._parts:
            self._bad(self._first, "a JSON object that does not end")
        self._parts, self._depth, self._size = [], 0, 0

    def feed(self, line: Line) -> Iterator[JsonObject]:
        """The objects that a line completes. Mostly it is one by itself, which reading it tells sooner than braces."""
        if not self._parts and line.text.startswith("{") and line.text.endswith("}"):
            with suppress(ValueError, RecursionError):
                value, end = self._decoder.raw_decode(line.text)
                if end == len(line.text):
                    yield JsonObject(value, line.number, line.arrival)
                    return
        if not self._parts:
            self._first = line.number
        self._parts.append(line.text)
        self._size += len(line.text)
        self._depth += _opened(line.text)
        if self._depth <= 0:
            parts, self._parts = self._parts, []
            self.drop()
            yield from self._read(parts, line)
        elif self._size > MAX_OBJECT:
            self.drop()

    def _read(self, parts: list[str], line: Line) -> Iterator[JsonObject]:
        if not all(map(_JSON_LINE.match, parts)):
            parts = self._without_noise(parts)
        text = "\n".join(parts)
        place = text.find("{")
        while place >= 0:
            try:
                value, end = self._decoder.raw_decode(text, place)
            except (ValueError, RecursionError) as error:
                self._bad(self._first, f"JSON that cannot be read: {error}")
                return
            yield JsonObject(value, self._first, line.arrival)
            place = text.find("{", end)

    def _without_noise(self, parts: list[str]) -> list[str]:
        """The lines of an object without those that are none of JSON."""
        for number, part in enumerate(parts, self._first):
            if not _JSON_LINE.match(part):
                self._bad(number, f"a line within a JSON object that does not belong to it: {part.strip()}")
        return [part for part in parts if _JSON_LINE.match(part)]


def _opened(text: str) -> int:
    """How many more braces a line opens than it closes; those in strings do not count, and no string spans lines."""
    if "{" not in text and "}" not in text:
        return 0
    if '"' in text:
        text = _STRING.sub("", text)
    return text.count("{") - text.count("}")
