"""Reads and checks the values of options. A wrong value gets a message that says what is right."""

from __future__ import annotations

import argparse
import os
import re
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ..buckets import check_resolution
from ..errors import UsageError
from ..text.clean import printable
from ..units import Unit, parse_latency
from ..view.style import FALLBACK_SIZE, LEAST_SIZE, MOST_COLUMNS, MOST_LINES, ColourDepth

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from ..record import Semantics
    from ..recorder import Keep
    from ..session import SelectionWords
    from ..session.input import MomentWords

Value = TypeVar("Value")


def _checked(read: Callable[[], Value], what: str) -> Value:
    """The value, or else argparse's own error, which names the option and says ``what`` is wrong."""
    try:
        return read()
    except UsageError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    except ValueError as error:
        raise argparse.ArgumentTypeError(what) from error


def _checked_words(read: Callable[[], Value]) -> Value:
    """The value, or else argparse's own error with the words of the error that was raised."""
    try:
        return read()
    except (UsageError, ValueError) as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def positive(text: str) -> float:
    """A finite number above 0."""
    value = _checked(lambda: float(text), f"{text!r} is no number")
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text}: must be more than 0")
    return value


def interval(text: str) -> float:
    """The length of an interval in seconds."""
    from ..intervals import LEAST_INTERVAL

    value = positive(text)
    if value < LEAST_INTERVAL:
        raise argparse.ArgumentTypeError(f"{text}: must be at least {LEAST_INTERVAL} s")
    return value


def seconds(text: str) -> float:
    """A finite number of seconds, 0 or more."""
    value = _checked(lambda: float(text), f"{text!r} is no number")
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text}: must be 0 or more")
    return value


_LENGTHS = {"": 1, "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86_400, "w": 604_800}


def length(text: str) -> float:
    """A length of time in seconds: ``300``, ``5m``, ``2h``, ``3d``."""
    found = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)\s*(s|m|min|h|d|w|)", text.strip().lower(), re.ASCII)
    seconds = float(found[1]) * _LENGTHS[found[2]] if found else 0.0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no length of time; write 90s, 5m, 2h or 3d")
    return seconds


def file_name(text: str) -> str:
    """The name of a file; an empty one is probably a variable that is not set."""
    if not text:
        raise argparse.ArgumentTypeError("the name of the file is empty")
    return text


def integer(text: str) -> int:
    """A whole number of any sign."""
    return _checked(lambda: int(text), f"{text!r} is no whole number")


def whole_number(text: str) -> int:
    """A whole number above 0."""
    value = _checked(lambda: int(text), f"{text!r} is no whole number")
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text}: must be at least 1")
    return value


def resolution(text: str) -> int:
    """Buckets per octave."""
    return _checked(lambda: check_resolution(int(text)), f"{text!r} is no whole number")


OUTPUT_FORMATS = ("lmap", "jsonl")


def output_format(text: str) -> str:
    """The name of a format that ``convert`` writes."""
    if text not in OUTPUT_FORMATS:
        hint = f"; --until {text} is the option for a time" if any(char.isdigit() for char in text) else ""
        what = f"{printable(text)!r} is no output format: {' or '.join(OUTPUT_FORMATS)}{hint}"
        raise argparse.ArgumentTypeError(what)
    return text


def latency(text: str) -> float:
    """A latency such as ``128us``, in seconds."""
    return _checked(lambda: parse_latency(text), "")


def speed(text: str) -> float | None:
    """The speed of a replay relative to the recording; None is ``max``."""
    from ..session import parse_speed

    return _checked(lambda: parse_speed(text), "")


def keep(text: str) -> Keep:
    """How much of an always-on recording is kept."""
    from ..recorder import parse_keep

    return _checked_words(lambda: parse_keep(text))


def moment(text: str) -> MomentWords:
    """A moment for ``--from`` or ``--to``."""
    from ..session.input import parse_moment

    return _checked_words(lambda: parse_moment(text))


def selection(text: str) -> SelectionWords:
    """What is selected at first."""
    from ..session import parse_selection

    return _checked_words(lambda: parse_selection(text))


class FileRange(NamedTuple):
    """A file, and which part of its time: ``word`` as the user wrote it; an end that is None is that of the file."""

    word: str
    path: str
    since: MomentWords | None = None
    until: MomentWords | None = None

    @property
    def has_range(self) -> bool:
        """Whether it is a part only."""
        return self.since is not None or self.until is not None


def file_range(word: str) -> FileRange:
    """A file, or ``FILE@FROM..TO``, of which either end may be missing. An existing file of just this name is meant
    as a whole. Raises UsageError.
    """
    path, at, span = word.rpartition("@")
    if not (at and path and ".." in span) or os.path.lexists(word):
        return FileRange(word, word)
    first, _, last = span.partition("..")
    try:
        since, until = (moment(text) if text.strip() else None for text in (first, last))
    except argparse.ArgumentTypeError as error:
        raise UsageError(f"{word}: {error}") from error
    return FileRange(word, path, since, until)


def maximum(text: str) -> float | None:
    """A maximum of a colour scale; None is automatic (-1)."""
    return None if text.strip() == "-1" else positive(text)


def waited_per_second(text: str) -> float | None:
    """Seconds waited per second: ``0.5``, or with a unit as in ``500ms``; None is automatic (-1)."""
    return maximum(text) if text.strip().lstrip("-+").replace(".", "", 1).isdigit() else latency(text)


def calendar_date(text: str) -> date:
    """A day as in 2026-01-31."""
    from datetime import date

    return _checked(lambda: date.fromisoformat(text), f"{text!r} is no date; write it as in 2026-01-31")


def bucket_exponent(text: str) -> int | None:
    """An exponent of 2 as in the earlier tool; None is automatic (-1 and 64)."""
    value = _checked(lambda: int(text), f"{text!r} is no whole number")
    if not -1 <= value <= 64:
        raise argparse.ArgumentTypeError(f"{text}: must be from -1 to 64")
    return None if value in (-1, 64) else value


def semantics_named(text: str) -> Semantics | None:
    """What counts mean; None is automatic."""
    from ..api import options

    return _checked(lambda: options.semantics_named(text), "")


def columns_expression(text: str) -> str:
    """A regular expression with a group latency."""
    from ..api import options

    return _checked(lambda: options.columns_expression(text), "")


def latency_unit(text: str) -> Unit | str:
    """A unit of latency. SECONDS, which only tables can use, is not a Unit."""
    from ..api import options

    return _checked(lambda: options.unit_named(text), "")


def depth_named(text: str) -> str:
    """A colour depth by name, or auto: then it is detected from the output when the picture is made."""
    known = ("auto", *(depth.value for depth in ColourDepth))
    if text not in known:
        raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(known)}")
    return text


def picture_size(text: str) -> tuple[int, int]:
    """Columns and lines in ``120x40``."""
    columns, _, lines = text.partition("x")
    if not (columns.isdigit() and lines.isdigit()):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no size; write columns and lines as in {size_text(FALLBACK_SIZE)}"
        )
    wanted = int(columns), int(lines)
    if not (LEAST_SIZE[0] <= wanted[0] <= MOST_COLUMNS and LEAST_SIZE[1] <= wanted[1] <= MOST_LINES):
        raise argparse.ArgumentTypeError(f"{text}: must be from {size_text(LEAST_SIZE)} to {MOST_COLUMNS}x{MOST_LINES}")
    return wanted


def size_text(size: tuple[int, int]) -> str:
    """``120x40``."""
    return f"{size[0]}x{size[1]}"
