"""Reads what a page holds without its script: an independent inverse of ``export/page/coding.py``."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from html.parser import HTMLParser
from struct import unpack
from typing import Any, NamedTuple


class DecodedLevel(NamedTuple):
    """Columns as (start, end, seconds, waited, flags), with the counts of each by number of range."""

    step: int
    columns: list[tuple[int, int, float, float | None, int]]
    counts: list[dict[int, float]]


class PageParts(HTMLParser):
    """All elements of a page as a strict parser sees them, and the text of its scripts by id."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: dict[str, str] = {}
        self.text: list[str] = []
        self._within: str | None = None
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._within = (dict(attrs).get("id") or "script") if tag == "script" else tag

    def handle_endtag(self, _tag: str) -> None:
        self._within = None

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] == "script" and self._within:
            self.scripts[self._within] = self.scripts.get(self._within, "") + data
        elif self._within != "style":
            self.text.append(data)

    @property
    def about(self) -> dict[str, Any]:
        return dict(json.loads(self.scripts["about"]))

    @property
    def program(self) -> str:
        """The script that the page unpacks and runs."""
        return zlib.decompress(b64decode(self.scripts["program"])).decode()

    def levels(self, series: int) -> list[DecodedLevel]:
        found = self.about["series"][series]["levels"]
        return [decoded(about, self.scripts[f"level-{series}-{place}"]) for place, about in enumerate(found)]


def decoded(about: dict[str, Any], text: str) -> DecodedLevel:
    raw = zlib.decompress(b64decode(text))
    streams, at = [], 0
    for size in about["bytes"]:
        streams.append(raw[at : at + size])
        at += size
    assert at == len(raw)
    starts, lengths, seconds, waited, flags, near, far, places, counts = streams
    columns, end = [], 0
    for start, longer, flag in zip(map(zag, numbers(starts)), map(zag, numbers(lengths)), flags, strict=True):
        begin = end + start
        end = begin + about["step"] + longer
        columns.append((begin, end, flag))
    lasted = seconds_of(about, seconds, columns)
    waits = waited_of(about, waited)
    cells = counts_of(about, near, far, places, counts)
    return DecodedLevel(
        about["step"],
        [(*one[:2], lasted[place], waits[place], one[2]) for place, one in enumerate(columns)],
        cells,
    )


def seconds_of(about: dict[str, Any], stream: bytes, columns: list[tuple[int, int, int]]) -> list[float]:
    if not about["seconds"]:
        return list(unpack(f"<{about['size']}d", stream))
    rests = map(zag, numbers(stream))
    return [
        (rest + (0 if flag & 1 else end - begin)) / about["seconds"]
        for rest, (begin, end, flag) in zip(rests, columns, strict=True)
    ]


def waited_of(about: dict[str, Any], stream: bytes) -> list[float | None]:
    if about["waited"] < 0:
        return [None] * about["size"]
    if not about["waited"]:
        return list(unpack(f"<{about['size']}d", stream))
    return [number / about["waited"] for number in numbers(stream)]


def counts_of(about: dict[str, Any], near: bytes, far: bytes, places: bytes, counts: bytes) -> list[dict[int, float]]:
    cells: list[dict[int, float]] = [{} for _ in range(about["size"])]
    more, size = iter(numbers(far)), about["size"]
    for number, row in enumerate(about["dense"]):
        past: list[int] = []
        for column in range(size):
            byte = near[number * size + column]
            count = sum(past[-8:]) // 8 + zag(byte if byte < 255 else next(more))
            past.append(count)
            if count:
                cells[column][row] = count
    assert next(more, None) is None
    distances = numbers(places)
    values: list[float] = list(numbers(counts)) if about["whole"] else list(unpack(f"<{len(counts) // 8}d", counts))
    assert len(distances) == len(values) == sum(about["sparse"])
    at = iter(zip(distances, values, strict=True))
    for row, many in enumerate(about["sparse"]):
        column = -1
        for _ in range(many):
            distance, value = next(at)
            column += distance
            cells[column][row] = value
    return cells


def numbers(stream: bytes) -> list[int]:
    """Varints, the lowest 7 bits first."""
    return [
        sum((byte & 127) << 7 * place for place, byte in enumerate(one))
        for one in re.findall(rb"[\x80-\xff]*[\x00-\x7f]", stream, re.DOTALL)
    ]


def zag(number: int) -> int:
    return -(number + 1) // 2 if number % 2 else number // 2
