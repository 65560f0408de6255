"""The SQL*Plus script of any length.

SQL*Plus has no loop, so that a script that runs for an hour holds every one of its frames; and it has no files to
include that would not have to be installed, so that it is one file. ``template.sql`` beside this module is its outline,
in which a line ``{{name}}`` stands for the file ``parts/name.sql``. The file ``oralatencymap.sql`` of the repository is
``script()``.
"""

from __future__ import annotations

import re
from importlib.resources import files
from math import isfinite

from ..errors import UsageError

REPETITION = "EXEC &olm_sleep(&olm_seconds)\n/\nPRINT olm_screen\n"
"""Sleep, run the block that is in the buffer, and show what it made."""

PART = re.compile(r"^\{\{(\w+)\}\}\n", re.MULTILINE)
"""A line that stands for a file."""

LONGEST_HOURS = 24 * 7
"""A week at 3 seconds is a file of 10 MB."""


def script(hours: float = 1.0, seconds: int = 3) -> str:
    """The text of a script that draws for so many hours at ``seconds``, its interval unless it is told another one.

    Raises UsageError where that is no length of time.
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
    """A length of time in words: ``one hour``, ``90 minutes``, ``45 seconds``."""
    if seconds == 3600:
        return "one hour"
    for size, name in ((3600, "hours"), (60, "minutes")):
        if seconds % size == 0 and seconds > size:
            return f"{seconds // size} {name}"
    return f"{seconds} seconds"
