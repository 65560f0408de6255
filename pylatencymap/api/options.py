"""Values of options, checked: they have the names of the command line, with underscores, and are values of Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, tzinfo
from enum import Enum
from numbers import Real
from operator import index
from typing import TYPE_CHECKING, Any

from ..buckets import check_resolution
from ..collector import Columns, Known
from ..errors import UsageError
from ..intervals import LEAST_INTERVAL, TimeOptions
from ..record import Semantics
from ..session.input import ReadPlan
from ..text import parse_date, zone_named
from ..units import TIM_UNITS, Unit, parse_latency, unit_from
from ..view.style import (
    BACKGROUNDS,
    FALLBACK_SIZE,
    LEAST_SIZE,
    MAPS,
    MOST_COLUMNS,
    MOST_LINES,
    PALETTES,
    SCALES,
    ColourDepth,
    ViewOptions,
)

if TYPE_CHECKING:
    from ..session import PictureOptions, TerminalSize

COLUMNS = "columns"
"""The collector of tables."""
UNTIMED = "none"
"""The time of a table that has none."""
SECONDS = "s"
_OF_TABLES = ("time", "latency", "regex")
"""Options that are about tables only."""
_SECONDS = frozenset({"s", "sec", "secs", "second", "seconds"})

Options = Mapping[str, Any]
Moment = datetime | str | int
"""A date and time, as a text as well, or epoch microseconds."""


def plan_from(options: Options) -> ReadPlan:
    """What is read, and how, by options that are ``checked`` or come from the command line."""
    by, columns = _key_of(options), _columns_of(options)
    return ReadPlan(
        format=options["format"] or (COLUMNS if columns else None),
        known=Known(
            unit=None if options["unit"] == SECONDS else options["unit"],
            tim_unit=options["tim_unit"] or TIM_UNITS[0],
            tim_unit_given=bool(options["tim_unit"]),
            columns=columns,
            calls=options.get("calls") or "",
        ),
        time=TimeOptions(
            interval=options["interval"], day=options["date"], tz=options["tz"], semantics=options["semantics"]
        ),
        series=tuple(options["series"] or ()),
        count=options["count"],
        duration=options["duration"],
        jobs=options["jobs"],
        by=by,
        top=options.get("top"),
    )


READING = (
    "format",
    "unit",
    "semantics",
    "date",
    "time",
    "latency",
    "regex",
    "interval",
    "by",
    "top",
    "calls",
    "tim_unit",
)
"""Options about how files are read, by their names."""


def reading_words(options: Options) -> tuple[str, ...]:
    """The same options as words of a command line, so that the files can be read again as they were."""
    words: list[str] = []
    for name in READING:
        given = options.get(name)
        for value in given if isinstance(given, list | tuple) else (given,):
            if value is not None and value != "":
                words += [f"--{name.replace('_', '-')}", _word(value)]
    return tuple(words)


def _word(value: object) -> str:
    """A value as the command line takes it."""
    plain = value.value if isinstance(value, Enum) else value
    return f"{plain:.15g}" if isinstance(plain, float) else str(plain)


def _key_of(options: Options) -> str:
    """The key by which events are divided; empty if there is none, or if ``by`` names columns of a table."""
    by = options["by"] or ()
    is_table = len(by) > 1 or options["format"] == COLUMNS or any(options[name] for name in _OF_TABLES)
    if not by:
        if options.get("top") is not None:
            raise UsageError("--top says how many series by a key there are: name the key with --by")
        return ""
    if options.get("top") is not None and len(by) > 1:
        raise UsageError("--top is for one key: leave out the other --by")
    return by[0] if not is_table or options.get("top") is not None else ""


def _columns_of(options: Options) -> Columns | None:
    """The columns of tables that were named; whose text it is need not be found out then."""
    unit = SECONDS if options["unit"] == SECONDS else ""
    regex = options["regex"] or ""
    by = () if _key_of(options) else tuple(options["by"] or ())
    columns = Columns(options["time"] or "", options["latency"] or "", by, regex, unit)
    if columns == Columns():
        return None
    if options["format"] not in (None, COLUMNS):
        which = "--time, --latency, --by, --regex and --unit s"
        raise UsageError(f"{which} are for tables, and not for --format {options['format']}")
    if columns.regex:
        _check_expression(columns)
    return columns


def _check_expression(columns: Columns) -> None:
    """Raise UsageError if a regular expression and the other options do not say what is the time."""
    timed = columns.time.lower() != UNTIMED
    if columns.latency or (columns.time and timed):
        raise UsageError("--regex has the groups time and latency; --time and --latency are for columns")
    if timed and "time" not in re.compile(columns.regex).groupindex:
        raise UsageError(f"{columns.regex!r} lacks the group (?P<time>...); lines without a time: --time {UNTIMED}")


def moment_of(name: str, value: Moment | None, tz: tzinfo) -> int | None:
    """Epoch microseconds; a date without a zone is in ``tz``. Raises UsageError."""
    found = parse_date(value) if isinstance(value, str) else value
    if isinstance(found, datetime):
        aware = found if found.tzinfo else found.replace(tzinfo=tz)
        return round(aware.replace(microsecond=0).timestamp()) * 1_000_000 + aware.microsecond
    if value is None:
        return None
    try:
        return index(found)  # type: ignore[arg-type]
    except TypeError as error:
        raise _wrong(name, value, "must be a date and time, or epoch microseconds") from error


def checked(given: Options) -> dict[str, Any]:
    """The values as the engine takes them; None stays None. Raises UsageError."""
    return {name: None if value is None else _checked(name, value) for name, value in given.items()}


def _checked(name: str, value: Any) -> Any:
    read, must = READERS[name]
    try:
        return read(value)
    except (TypeError, ValueError) as error:
        raise _wrong(name, value, must) from error
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from error


def _wrong(name: str, value: object, must: str) -> UsageError:
    return UsageError(f"{name}={value!r}: {must}")


def semantics_named(text: str) -> Semantics | None:
    """What counts mean; None is automatic. Raises UsageError."""
    known = {"auto": None, **{one.value: one for one in (Semantics.CUMULATIVE, Semantics.INTERVAL, Semantics.RATE)}}
    if text not in known:
        raise UsageError(f"{text!r} is none of {', '.join(known)}")
    return known[text]


def unit_named(text: str) -> Unit | str:
    """A unit of latency; SECONDS, which only tables may be in, is no Unit. Raises UsageError."""
    unit = SECONDS if text.strip().lower() in _SECONDS else unit_from(text)
    if unit is None:
        raise UsageError(f"{text!r} is none of ns, us, ms, and of tables s")
    return unit


def columns_expression(text: str) -> str:
    """A regular expression with a group latency; whether it needs a group time depends on another option. Raises
    UsageError.
    """
    try:
        groups = re.compile(text).groupindex
    except re.error as error:
        raise UsageError(f"{text!r} is no regular expression: {error}") from error
    missing = [name for name in ("time", "latency") if name not in groups]
    if "latency" in missing:
        wanted = " and ".join(f"(?P<{name}>...)" for name in missing)
        raise UsageError(f"{text!r} lacks the group {wanted}")
    return text


def _number(least: float, *, above: bool = False) -> Callable[[Any], float]:
    """A finite number, at least, or ``above``, a limit."""

    def read(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, Real):
            raise TypeError
        number = float(value)
        if not (least < number if above else least <= number) or number == float("inf"):
            raise ValueError
        return number

    return read


def _whole(value: Any) -> int:
    if isinstance(value, bool) or index(value) < 1:
        raise ValueError
    return index(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _texts(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(map(_text, value))


def _latency(value: Any) -> float:
    return parse_latency(value) if isinstance(value, str) else _positive(value)


def _date(value: Any) -> date:
    if isinstance(value, datetime):
        return value.date()
    return value if isinstance(value, date) else date.fromisoformat(value)


def _zone(value: Any) -> tzinfo:
    return value if isinstance(value, tzinfo) else zone_named(_text(value))


def _size(value: Any) -> tuple[int, int]:
    columns, lines = map(int, value.split("x")) if isinstance(value, str) else map(index, value)
    if not (LEAST_SIZE[0] <= columns <= MOST_COLUMNS and LEAST_SIZE[1] <= lines <= MOST_LINES):
        raise ValueError
    return columns, lines


def _one_of(*words: str) -> tuple[Callable[[Any], str], str]:
    def read(value: Any) -> str:
        if value not in words:
            raise ValueError
        return str(value)

    return read, f"must be one of {', '.join(words)}"


_positive = _number(0, above=True)
_SECONDS_ABOVE_0 = (_positive, "must be a number of seconds above 0")
_LATENCY = (_latency, "must be a number of seconds above 0, or a text as '10ms'")
_AT_LEAST_1 = (_whole, "must be a whole number, at least 1")
_ONE_TEXT = (_text, "must be a text")
_TEXTS = (_texts, "must be a text, or several")
READERS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "background": _one_of(*BACKGROUNDS),
    "by": _TEXTS,
    "calls": _one_of("elapsed", "cpu"),
    "columns": _AT_LEAST_1,
    "count": _AT_LEAST_1,
    "date": (_date, "must be a date, as a text as in '2026-01-31'"),
    "depth": (ColourDepth, f"must be one of {', '.join(depth.value for depth in ColourDepth)}"),
    "duration": _SECONDS_ABOVE_0,
    "finest": _SECONDS_ABOVE_0,
    "format": _ONE_TEXT,
    "frequency_max": (_positive, "must be a number of events per second above 0"),
    "history_mb": (_positive, "must be a number of megabytes above 0"),
    "intensity_max": _LATENCY,
    "interval": (_number(LEAST_INTERVAL), f"must be a number of seconds, at least {LEAST_INTERVAL}"),
    "jobs": _AT_LEAST_1,
    "latency": _ONE_TEXT,
    "map": _one_of(*MAPS),
    "max_latency": _LATENCY,
    "min_latency": _LATENCY,
    "only": _TEXTS,
    "palette": _one_of(*PALETTES),
    "regex": (columns_expression, "must be a text"),
    "resolution": (lambda value: check_resolution(index(value)), "must be a whole number"),
    "rows": _AT_LEAST_1,
    "scale": _one_of(*SCALES),
    "semantics": (lambda value: semantics_named(_text(value)), "must be a text"),
    "series": _TEXTS,
    "size": (
        _size,
        f"must be columns and lines as in {FALLBACK_SIZE}, from {LEAST_SIZE} to {(MOST_COLUMNS, MOST_LINES)}",
    ),
    "slo": _LATENCY,
    "tim_unit": _one_of(*TIM_UNITS),
    "time": _ONE_TEXT,
    "top": _AT_LEAST_1,
    "tz": (_zone, "must be the name of a time zone, or a tzinfo"),
    "unit": (lambda value: unit_named(_text(value)), "must be a text"),
}
"""How the value of each option is read, and what it must be."""


# What pictures and pages look like.


NOT_FOR_PAGES = ("size", "map", "columns", "rows", "depth")
"""Options about what a picture shows: a page shows all, at any size."""


def page_options(given: Options, tz: tzinfo) -> PictureOptions:
    """What a page looks like. Raises UsageError for an option of pictures alone."""
    wrong = [option for option in NOT_FOR_PAGES if given.get(option) is not None]
    if wrong:
        raise UsageError(f"{', '.join(wrong)}: only for pictures; a page has all series at any size")
    return picture_of(given, tz)[0]


def picture_of(given: Options, tz: tzinfo) -> tuple[PictureOptions, TerminalSize]:
    """What a picture looks like, and how large it is; an option that is None is as on the command line."""
    from ..session import PictureOptions, Viewpoint

    options = {name: value for name, value in checked(given).items() if value is not None}
    size, resolution = options.pop("size", FALLBACK_SIZE), options.pop("resolution", 1)
    columns = options.pop("columns", None)
    view = ViewOptions(**options)
    if view.min_latency is not None and view.max_latency is not None and view.min_latency >= view.max_latency:
        raise UsageError("min_latency must be less than max_latency")
    return PictureOptions(Viewpoint(view, resolution=resolution), columns, tz=tz, fits=columns is None), size
