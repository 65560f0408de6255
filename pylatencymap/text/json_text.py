"""Finds the JSON objects in a text: one per line or spread over several lines, with other text between them.

Divides long ones into lines.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from .compressed.breaks import TORN
from .lines import Line, Lines

MAX_OBJECT = 1 << 23
"""Longest object, in characters; a longer one is given up. Parsed, it can take 25 times as much memory."""
LINE_COST = 64
"""What a line of an object counts for besides its characters: it takes memory of its own."""

Pairs: TypeAlias = Callable[[list[tuple[str, Any]]], Any]
_JSON_LINE = re.compile(r"\s*(?:[][{}\",:]|-?[0-9]|(?:true|false|null)\b|$)")
"""How a line within a multi-line object begins. Any other line is noise: some other output came in between."""
_MEMBER = re.compile(r'\s*(?:["}]|$)')
"""How a line right after the brace that begins an object goes on."""
MOST_DOUBTED = 2
"""After this many lines in a row that cannot follow the first brace, it began no object."""
_STRING = re.compile(r'"[^"]*(?:"|\Z)')
"""A string without escaped characters; one that does not end goes on to the end of the line."""


class JsonObject(NamedTuple):
    """A JSON object, the number of its first line, and the arrival time of its last line."""

    value: dict[str, Any]
    line: int
    arrival: float | None = None


def json_objects(
    lines: Lines, report_bad: Callable[[int, str], None], pairs: Pairs | None = None
) -> Iterator[JsonObject | Line | None]:
    """The objects in a text; lines outside of objects, and pauses, are passed on unchanged.

    An object begins at the start of a line. ``report_bad`` is called with the line of an object that cannot be read, or
    that has not ended when the next one begins in the first column. A lone brace that no member follows begins no
    object: the lines behind it are passed on. ``pairs`` makes an object of its members, as object_pairs_hook does.
    """
    reader = _Reader(report_bad, json.JSONDecoder(object_pairs_hook=pairs))
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

    def __init__(self, report_bad: Callable[[int, str], None], decoder: json.JSONDecoder) -> None:
        self._report_bad = report_bad
        self._decoder = decoder
        self._parts: list[str] = []
        self._doubted: list[Line] = []
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
            self._report_bad(self._first, "a JSON object that does not end")
        self._parts, self._doubted, self._depth, self._size = [], [], 0, 0

    def feed(self, line: Line) -> Iterator[JsonObject | Line]:
        """The objects that a line completes, or the lines that belong to none after all. Most lines are one whole
        object, and parsing such a line is faster than counting its braces.
        """
        if not self._parts and line.text.startswith("{") and line.text.endswith("}"):
            with suppress(ValueError, RecursionError):
                value, end = self._decoder.raw_decode(line.text)
                if end == len(line.text):
                    yield JsonObject(value, line.number, line.arrival)
                    return
        if not self._parts:
            self._first = line.number
        self._parts.append(line.text)
        self._size += len(line.text) + LINE_COST
        self._depth += _opened(line.text)
        if self._is_no_object(line):
            lines = self._doubted
            self.drop()
            yield from lines
        elif self._depth <= 0:
            parts, self._parts = self._parts, []
            self.drop()
            yield from self._read(parts, line)
        elif self._size > MAX_OBJECT:
            self.drop()

    def _is_no_object(self, line: Line) -> bool:
        """Whether the object consists of a brace and lines that cannot follow it."""
        if len(self._parts) != len(self._doubted) + 2 or self._parts[0].strip() != "{" or _MEMBER.match(line.text):
            return False
        self._doubted.append(line)
        return len(self._doubted) == MOST_DOUBTED

    def _read(self, parts: list[str], line: Line) -> Iterator[JsonObject]:
        if not all(map(_JSON_LINE.match, parts)):
            parts = self._without_noise(parts)
        text = "\n".join(parts)
        place = text.find("{")
        while place >= 0:
            try:
                value, end = self._decoder.raw_decode(text, place)
            except (ValueError, RecursionError) as error:
                self._report_bad(self._first, f"JSON that cannot be read: {error}")
                return
            yield JsonObject(value, self._first, line.arrival)
            place = text.find("{", end)

    def _without_noise(self, parts: list[str]) -> list[str]:
        """The lines of an object that can be JSON; reports the others."""
        for number, part in enumerate(parts, self._first):
            if not _JSON_LINE.match(part):
                self._report_bad(number, f"a line within a JSON object that does not belong to it: {part.strip()}")
        return [part for part in parts if _JSON_LINE.match(part)]


def _opened(text: str) -> int:
    """The braces that a line opens minus those it closes. Braces in strings do not count; no string spans lines."""
    if "{" not in text and "}" not in text:
        return 0
    if '"' in text:
        if "\\" in text:
            text = text.replace("\\\\", "").replace('\\"', "")
        text = _STRING.sub("", text)
    return text.count("{") - text.count("}")


# Answers of Prometheus' HTTP API: each is one line of many megabytes, and long lines are cut.


_ANSWER = re.compile(rb'\s*\{\s*"status"\s*:')
_ANSWER_HEAD = 64
"""So many bytes tell whether a text begins like an answer."""
_SAMPLE_ENDS = re.compile(rb'(?:"|\})\]\s*,(?=\s*\[\s*[0-9])|(?<=\})(?=\{\s*"status"\s*:)')
"""Between two samples of a series, and between two answers."""
_DIGITS = re.compile(rb"[0-9](?=[0-9])")
"""No such place contains two digits: a text can be cut between them."""
_REACH = 4096


def divide_answers(chunks: Iterable[bytes | None]) -> Iterator[bytes | None]:
    """The chunks of a text. If it begins like an answer, each sample is a line of its own, and an answer before a pause
    ends a line: curl prints no line feed behind it.
    """
    pieces, head, piece = iter(chunks), b"", None
    for piece in pieces:
        head += piece or b""
        if len(head) >= _ANSWER_HEAD or piece is None or piece is TORN:
            break
    behind = (piece,) if piece is None or piece is TORN else ()
    if not _ANSWER.match(head):
        yield from (head, *behind) if head else behind
        yield from pieces
        return
    yield from _of_answers(chain((head, *behind), pieces))


def _of_answers(chunks: Iterable[bytes | None]) -> Iterator[bytes | None]:
    rest = b""
    for chunk in chunks:
        if chunk is TORN:
            yield _divided(rest)
            yield TORN
            rest = b""
            continue
        if chunk is None:
            yield _divided(rest) + (b"\n" if rest.rstrip().endswith(b"}") and not rest.endswith(b"\n") else b"")
            yield None
            rest = b""
            continue
        rest += chunk
        begin = max(len(rest) - _REACH, 0)
        places = [found.end() for found in _DIGITS.finditer(rest, begin)]
        if places:
            yield _divided(rest[: places[-1]])
            rest = rest[places[-1] :]
    yield _divided(rest)


def _divided(text: bytes) -> bytes:
    return _SAMPLE_ENDS.sub(lambda found: found[0] + b"\n", text)
