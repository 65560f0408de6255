"""Calls that a message of strace itself cut in two, as happens on standard error, made whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...text.lines import Line, Lines
from .line import parsed

_MESSAGE = re.compile(r"strace: Process \d+ (?:attached|detached)\s*$")


def joined(lines: Lines) -> Iterator[Line | None]:
    """The lines, those that belong together as one; pauses as they are."""
    held: Line | None = None
    for line in lines:
        if line is None:
            yield None
            continue
        if held is not None and parsed(line.text) is None:
            line = line._replace(text=held.text + line.text)
        elif held is not None:
            yield held
        held = None
        message = _MESSAGE.search(line.text) if "strace: " in line.text else None
        if message is None:
            yield line
        elif message.start():
            held = line._replace(text=line.text[: message.start()])
    if held is not None:
        yield held
