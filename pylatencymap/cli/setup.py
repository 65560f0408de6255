"""From parsed options to the parts of a session."""

from __future__ import annotations

import argparse
import os
import sys
import time
from typing import TYPE_CHECKING, Any, TextIO

from ..errors import SourceError, UsageError
from ..view.style import (
    AUTO,
    BACKGROUNDS,
    FALLBACK_SIZE,
    LEAST_SIZE,
    MOST_COLUMNS,
    MOST_LINES,
    ColourDepth,
    ViewOptions,
    detect_depth,
    environ_as_given,
)
from ..view.terminal import terminal_size
from .option_values import file_range, size_text
from .standard_streams import print_notice

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import tzinfo

    from ..session import PictureOptions
    from ..session.input import Excerpt, ReadPlan

LEAST_COLUMNS = 30
LINES_BESIDES = 14
"""Lines above and below the maps of a printed picture."""


def plan_of(options: argparse.Namespace) -> ReadPlan:
    """The options about reading, as a ReadPlan."""
    from dataclasses import replace

    from ..api import plan_from

    plan = plan_from({**_as_named(options), "tz": _zone(options.tz) if options.tz else None})
    division = getattr(options, "division", None)
    return replace(plan, excerpt=_excerpt(options), last=getattr(options, "last", None), division=division)


def _as_named(options: argparse.Namespace) -> dict[str, Any]:
    """What was parsed, by the names of the options."""
    given = dict(vars(options))
    return {**given, "time": given.get("time_column"), "latency": given.get("latency_column")}


def _excerpt(options: argparse.Namespace) -> Excerpt | None:
    """The part of the time that the options name; None if they name none."""
    since, until = getattr(options, "since", None), getattr(options, "until", None)
    if since is None and until is None:
        return None
    if getattr(options, "last", None) is not None:
        raise UsageError("--last is the end of what there is: leave out --from and --to, or write --from -2h")
    from ..session.input import Excerpt

    excerpt = Excerpt(since, until, _zone(options.tz), time.time())
    excerpt.bounds(0)  # reports a contradiction before anything is read
    return excerpt


def _zone(name: str | None) -> tzinfo:
    """The time zone of that name; None is the local one. Raises UsageError."""
    from ..text import zone_named

    return zone_named(name)


def picture_options(options: argparse.Namespace, depth: ColourDepth) -> PictureOptions:
    """The options about the picture. Raises UsageError if they would leave nothing to see."""
    from ..session import SUM_SERIES, PictureOptions, Viewpoint, files_name

    check_picture(options)
    looks = Viewpoint(
        view=ViewOptions(
            map=options.map,
            scale=options.scale,
            palette=options.palette,
            frequency_max=options.frequency_max,
            intensity_max=options.intensity_max,
            min_latency=options.min_latency,
            max_latency=options.max_latency,
            depth=depth,
            background=background_of(options.background),
            rows=options.rows,
            slo=options.slo,
            percentiles=options.percentiles,
        ),
        series=SUM_SERIES if options.summed else None,
        summed=options.summed,
        stacked=tuple(options.stack),
        resolution=options.resolution,
        buckets=(options.min_bucket, options.max_bucket),
        intensity_max=options.intensity_maxval,
    )
    fits = options.columns is None and getattr(options, "interval", None) is None
    part = any(getattr(options, name, None) is not None for name in ("since", "until", "last"))
    looks = looks._replace(only=_only(options))
    name, chosen = files_name(getattr(options, "files", ())), options.select
    return PictureOptions(looks, options.columns, options.history_mb, _zone(options.tz), fits, part, name, chosen)


def _only(options: argparse.Namespace) -> tuple[tuple[str, str], ...]:
    """The filter of the events; empty for all. Raises UsageError."""
    words = getattr(options, "only", [])
    if not words:
        return ()
    from ..events import parse_only

    return parse_only(words)


def check_picture(options: argparse.Namespace) -> None:
    """Raise UsageError if the options would leave nothing to see. Call it before a login, and before an older recording
    is moved.
    """
    _check_range(options)
    if options.stack and options.summed:
        raise UsageError("--series sum adds all series up, --stack draws some apart: leave out one of them")
    _zone(options.tz)


def background_of(wanted: str, environ: Mapping[str, str] = os.environ) -> str:
    """The background of the option, else the one that the environment names, else dark."""
    from ..view.style import background_from_environment

    return wanted if wanted != AUTO else background_from_environment(environ) or BACKGROUNDS[0]


def _check_range(options: argparse.Namespace) -> None:
    low, high = options.min_latency, options.max_latency
    if low is not None and high is not None and low >= high:
        raise UsageError("--min-latency must be less than --max-latency")
    low, high = options.min_bucket, options.max_bucket
    if low is not None and high is not None and low >= high:
        raise UsageError("--min_bucket must be less than --max_bucket")


def depth_of(wanted: str | None, stream: TextIO, environ: Mapping[str, str] | None = None) -> ColourDepth:
    """The colour depth of the option, else what the stream can show."""
    if wanted in (None, "auto"):
        given = environ_as_given() if environ is None else environ
        return detect_depth(given, stream.encoding, stream.isatty())
    return ColourDepth(wanted)


def still_size(options: argparse.Namespace, environ: Mapping[str, str] = os.environ) -> tuple[int, int]:
    """Columns and lines of a printed picture: those of $COLUMNS and $LINES, else the terminal's, else 120 x 40. It is
    wide enough for ``--columns``, high enough for ``--rows``, and at most MOST_COLUMNS x MOST_LINES.
    """
    from ..view import map_columns

    columns, lines = _size_around(environ)
    columns = min(max(columns, LEAST_COLUMNS), MOST_COLUMNS)
    view = ViewOptions()
    while options.columns and columns < MOST_COLUMNS and map_columns((columns, lines)) < options.columns:
        if sys.stdout.isatty():
            break
        columns += 1
    if options.rows and not sys.stdout.isatty():
        lines = max(lines, len(view.maps) * (options.rows + 3) + LINES_BESIDES)
    return columns, min(max(lines, LEAST_SIZE[1]), MOST_LINES)


def _size_around(environ: Mapping[str, str]) -> tuple[int, int]:
    return text_size(FALLBACK_SIZE, sys.stdout, environ)


def text_size(otherwise: tuple[int, int], stream: TextIO, environ: Mapping[str, str]) -> tuple[int, int]:
    """Columns and lines: those of $COLUMNS and $LINES, else the terminal's, else ``otherwise``."""
    here: tuple[int, int] = terminal_size(stream.fileno()) if stream.isatty() else otherwise
    columns, lines = environ.get("COLUMNS", ""), environ.get("LINES", "")
    return int(columns) if columns.isdecimal() else here[0], int(lines) if lines.isdecimal() else here[1]


def has_live_view(options: argparse.Namespace) -> bool:
    """Whether to show the live view. If a terminal cannot show it, prints the reason. Raises UsageError for options
    that need it.
    """
    reason = "" if options.once or not sys.stdout.isatty() else _terminal_lacks(os.environ)
    if reason:
        print_notice(reason)
    has_view = sys.stdout.isatty() and not options.once and not reason
    _check_baseline(getattr(options, "baseline", None), has_view=has_view)
    return has_view


NEEDS_VIEW = (
    "--baseline compares in the view, which needs a terminal; "
    "pylatencymap compare BASELINE FILE prints and draws the same without one"
)


def _check_baseline(word: str | None, *, has_view: bool) -> None:
    """Raise UsageError for a baseline without a view, or for one that cannot be read."""
    if word is None:
        return
    if not has_view:
        raise UsageError(NEEDS_VIEW)
    path = file_range(word).path
    if not os.path.exists(path):
        raise SourceError(f"--baseline {path}: no such file")


def _terminal_lacks(environ: Mapping[str, str]) -> str:
    term = environ.get("TERM", "")
    if term in ("", "dumb"):
        return f"this terminal (TERM={term}) cannot move its cursor: one picture follows at the end"
    columns, lines = terminal_size(sys.stdout.fileno())
    if columns < LEAST_SIZE[0] or lines < LEAST_SIZE[1]:
        least = size_text(LEAST_SIZE)
        return f"{columns}x{lines} is too small for the live view ({least}): one picture follows at the end"
    return ""


def reading_words(options: argparse.Namespace) -> tuple[str, ...]:
    """The options that say how the files are read, as they can be given again."""
    from ..api import reading_words as words_of

    words = list(words_of(_as_named(options)))
    if marks := getattr(options, "marks", None):
        words += ["--marks", marks]
    for value in getattr(options, "start", ()):
        words += ["--start", value]
    return tuple(words)


def is_part_of_files(options: argparse.Namespace) -> bool:
    """Whether the options leave out some of the time, or of the series."""
    return any(vars(options).get(name) for name in ("since", "until", "last", "count", "duration", "series"))
