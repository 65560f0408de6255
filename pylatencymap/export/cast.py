"""Writes frames as an asciicast, version 2 (.cast): a film of the terminal, which asciinema plays.

Each frame holds only what differs from the one before, as the live view sends it.
Source: asciinema's documentation, asciicast file format, version 2.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from ..view import DrawnPicture
from ..view.style import ViewOptions
from ..view.terminal import ScreenEncoder

_HIDE_CURSOR = "\x1b[?25l"


def render_cast(
    frames: Iterable[tuple[float, DrawnPicture]], options: ViewOptions, size: tuple[int, int], title: str
) -> Iterator[bytes]:
    """The heading and a line for each frame that differs. ``frames``: seconds since the start, and what is shown then,
    in ``size`` columns and lines.
    """
    head = {"version": 2, "width": size[0], "height": size[1], "title": title, "env": {"TERM": "xterm-256color"}}
    yield _line(head)
    encoder, before = ScreenEncoder(options), _HIDE_CURSOR
    last = 0.0
    for seconds, drawn in frames:
        last = seconds
        if text := before + encoder.encode(drawn):
            yield _line([round(seconds, 6), "o", text])
        before = ""
    yield _line([round(last + 1, 6), "o", ""])  # the last picture stays for a second


def _line(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False) + "\n").encode()
