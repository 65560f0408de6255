"""The lines of a recording that hold waits which samples have seen; docs/stream.md specifies them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ...record import EventKey
from ...stream import SEEN_WAITS
from .seen_waits import SeenWait

VERSION = 1
MOST_A_LINE = 1_000
"""Of more waits some are written, evenly: some 9 MB an hour at most, and a tenth of that compressed."""
LONGEST_LINE = 1 << 20
"""Bytes, as of every line of a text."""
LONGEST_TEXT = 2_000
MOST_KEYS = 40
_BEGIN = f"\n{SEEN_WAITS} {{".encode()


class WaitLine(NamedTuple):
    """What a line says: the waits that were seen until ``until``, epoch microseconds, and since the line before.
    ``of``: as many were seen; ``view`` is where.
    """

    view: str
    until: int
    of: int
    waits: tuple[SeenWait, ...]


def wait_line(waits: Sequence[SeenWait], view: str) -> str:
    """The line of some waits, at least one, with its end."""
    step = max(1.0, len(waits) / MOST_A_LINE)
    chosen = [waits[int(number * step)] for number in range(min(len(waits), MOST_A_LINE))]
    series: dict[str, int] = {}
    keys: dict[EventKey, int] = {}
    rows = [
        [
            series.setdefault(wait.series, len(series)),
            wait.micros,
            wait.end,
            int(wait.is_over),
            [keys.setdefault(key, len(keys)) for key in wait.keys],
            [keys.setdefault(key, len(keys)) for key in wait.more],
        ]
        for wait in chosen
    ]
    fields = {
        "v": VERSION,
        "view": view,
        "until": max(max(wait.seen, wait.end) for wait in waits),
        "of": len(waits),
        "series": list(series),
        "keys": [[key.name, key.value, key.note] if key.note else [key.name, key.value] for key in keys],
        "waits": rows,
    }
    return f"{SEEN_WAITS} {json.dumps(fields, separators=(',', ':'))}\n"


def read_wait_line(line: bytes) -> WaitLine:
    """What a line says. Raises ValueError if it is not as docs/stream.md says."""
    try:
        fields = json.loads(line.partition(b" ")[2])
        if fields["v"] != VERSION:
            raise ValueError(f"version {fields['v']}")
        series = [_text(one) for one in fields["series"]]
        keys = [EventKey(*(_text(part) for part in one)) for one in fields["keys"] if 2 <= len(one) <= 3]
        until, of = _whole(fields["until"]), _whole(fields["of"])
        waits = tuple(_wait(row, series, keys, until) for row in fields["waits"])
        return WaitLine(_text(fields["view"]), until, of, waits)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"it is no line of waits ({type(error).__name__})") from error


def _wait(row: list[Any], series: list[str], keys: list[EventKey], seen: int) -> SeenWait:
    number, micros, end, is_over, own, more = row
    said, besides = (tuple(keys[_whole(one)] for one in part[:MOST_KEYS]) for part in (own, more))
    return SeenWait(series[_whole(number)], _whole(micros), _whole(end), bool(is_over), seen, said, besides)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value[:LONGEST_TEXT]


def _whole(value: object) -> int:
    if type(value) is not int or not 0 <= value < 1 << 62:
        raise TypeError("no whole number")
    return value


def wait_lines(pieces: Iterable[bytes | None]) -> Iterator[bytes]:
    """The lines with waits of a text that comes in pieces; one that breaks off is none."""
    rest = b"\n"
    for piece in pieces:
        text = rest + (piece or b"")
        place = text.find(_BEGIN)
        while place >= 0 and (end := text.find(b"\n", place + 1)) >= 0:
            yield text[place + 1 : end]
            place = text.find(_BEGIN, end)
        rest = text[place:] if place >= 0 else text[1 - len(_BEGIN) :]
        if len(rest) > LONGEST_LINE:
            rest = rest[1 - len(_BEGIN) :]
