"""Generates the SQL*Plus script, for any running time.

SQL*Plus has no loop, so a script that runs for an hour contains a repetition for each of its frames. It is a single
file because included files would have to be installed. The outline is ``template.sql`` in this folder: a line
``{{name}}`` in it stands for the file ``parts/name.sql``. The repository's file ``oralatencymap.sql`` is the result of
``script()``.
"""

from __future__ import annotations

import re
from importlib.resources import files
from math import isfinite

from ..errors import UsageError

REPETITION = "EXEC &olm_pause\n/\nPRINT olm_screen\n"
"""Sleeps, runs the block in the buffer again, and shows its output."""

PART = re.compile(r"^\{\{(\w+)\}\}\n", re.MULTILINE)
"""A line that stands for a file of ``parts/``."""

LONGEST_HOURS = 24 * 7
"""The longest running time: a week at 3 seconds is a file of 10 MB."""


def script(hours: float = 1.0, seconds: int = 3) -> str:
    """The text of a script that draws for ``hours`` hours, with ``seconds`` as its default interval.

    Raises UsageError if either is out of range.
    """
    if not (isfinite(hours) and 0 < hours <= LONGEST_HOURS):
        raise UsageError(f"--hours {hours:g}: a script is for more than 0 and at most {LONGEST_HOURS} hours")
    if seconds < 1:
        raise UsageError(f"an interval of {seconds} s: a script's own interval is 1 second or more")
    frames = max(1, round(hours * 3600 / seconds))
    words = {"seconds": str(seconds), "frames": str(frames), "span": _span(frames * seconds)}
    text = PART.sub(lambda line: _part(line[1], frames), _read("template"))
    for word, value in words.items():
        text = text.replace("{{" + word + "}}", value)
    return text


def _part(name: str, frames: int) -> str:
    return REPETITION * frames if name == "repetitions" else _read(f"parts/{name}")


def _read(name: str) -> str:
    return files(__package__).joinpath(f"{name}.sql").read_text(encoding="utf-8")


def _span(seconds: int) -> str:
    """Write a length of time in words: ``one hour``, ``90 minutes``, ``45 seconds``."""
    if seconds == 3600:
        return "one hour"
    for size, name in ((3600, "hours"), (60, "minutes")):
        if seconds % size == 0 and seconds > size:
            return f"{seconds // size} {name}"
    return f"{seconds} seconds"
