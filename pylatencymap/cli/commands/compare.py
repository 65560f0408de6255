"""``pylatencymap compare BEFORE AFTER``: whether two recordings differ, in what, and how sure that is."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...errors import Exit, UsageError
from ...view.style import (
    FALLBACK_SIZE,
    LEAST_SIZE,
    MOST_COLUMNS,
    MOST_LINES,
    SCALES,
    ColourDepth,
    ViewOptions,
)
from ..acceptance import Acceptance
from ..arguments import (
    Parser,
    add_condition_options,
    add_data_options,
    add_filter_option,
    add_findings_memory,
    add_look_options,
    add_marks_option,
    add_text_options,
    parser,
)
from ..option_values import FileRange, file_name, file_range, picture_size, size_text
from ..setup import background_of, depth_of, plan_of, text_size
from ..standard_streams import print_notice, print_text, write_output, write_utf8

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...api import ComparedRuns, Run
    from ...conditions import ConditionVerdict
    from ...intervals import Division
    from ...session import Picture

EPILOG = """A part of a file: FILE@FROM..TO, as in monday.lmap@..03:12; either end may be missing.
With four runs of each side or more (--before FILE... --after FILE...), a load that wanders slowly
is no difference.

exit status:
  0 done   1 no interval, nothing to compare, or a condition that cannot be told   2 wrong command line
  3 a source that cannot be read   6 a condition of --fail-if holds   130 Ctrl-C"""
LEAST_COLUMNS = 24
"""A page that is narrower than a picture may be has no maps; below this nothing is legible."""
STDIN = "-"
RANKED_APART = (
    "--by and --only: of the events that a filter leaves, each file would have series of other values; "
    "leave out one of them"
)
WIDE_LANGUAGES = ("zh", "ja", "ko")
"""Languages in which terminals may draw triangles two cells wide."""


def arguments() -> Parser:
    """The parser of this command."""
    made = parser(
        "compare", "Compares two recordings: whether AFTER differs from BEFORE, and how sure that is.", EPILOG
    )
    made.add_argument("files", metavar="BEFORE AFTER", nargs="*", help="recordings or saved text, or parts of them")
    for side in ("before", "after"):
        told = f"runs of {side.upper()}, one or more (repeatable)"
        made.add_argument(f"--{side}", metavar="FILE", nargs="+", action="extend", default=[], help=told)
    add_form_options(made)
    add_data_options(made)
    add_filter_option(made)
    add_findings_memory(made)
    group = made.add_argument_group("picture")
    add_page_options(group)
    add_look_options(group, SCALES[:-1])
    add_marks_option(made)
    add_condition_options(made, example="p99 > 1.2 * before.p99")
    add_text_options(made)
    return made


def add_form_options(to: argparse._ActionsContainer) -> None:
    """Add the options about the form of what is printed."""
    form = to.add_mutually_exclusive_group()
    form.add_argument("--markdown", action="store_true", help="all series as Markdown, for a ticket")
    form.add_argument("--json", action="store_true", help="all of it as JSON, for programs")


def add_page_options(group: argparse._ArgumentGroup) -> None:
    """Add the options about pictures of the page."""
    group.add_argument(
        "--svg", type=file_name, metavar="FILE", help="write the page to FILE as SVG as well; --markdown shows it"
    )
    group.add_argument("--png", type=file_name, metavar="FILE", help="write the page to FILE as PNG as well")
    group.add_argument(
        "--size",
        type=picture_size,
        metavar="WxH",
        help=f"characters and lines of these; default: {size_text(FALLBACK_SIZE)}",
    )


def run(argv: list[str]) -> int:
    """Run with these arguments; the exit status."""
    options = arguments().parsed(argv)
    sides = _sides(options)
    options.files = [one.path for side in sides for one in side]
    if options.by and options.only:
        raise UsageError(RANKED_APART)
    check_pages(options)
    words = [" ".join(one.word for one in side) for side in sides]
    acceptance = Acceptance(options, comparing=True, name=" -> ".join(words))
    return acceptance.run(lambda: _compared(options, sides, acceptance))


def _sides(options: argparse.Namespace) -> tuple[list[FileRange], list[FileRange]]:
    """The files of both sides. Raises UsageError."""
    if options.before or options.after:
        if options.files or not (options.before and options.after):
            raise UsageError("write either BEFORE AFTER, or --before FILE... --after FILE...")
        words = options.before, options.after
    elif len(options.files) != 2:
        many = f"{len(options.files)} given; several runs of a side: --before FILE... --after FILE..."
        raise UsageError(f"compare takes two files, BEFORE and AFTER: {many}")
    else:
        words = options.files[:1], options.files[1:]
    before, after = ([file_range(word) for word in side] for side in words)
    if sum(one.path == STDIN for one in (*before, *after)) > 1:
        raise UsageError("standard input can be read only once")
    return before, after


def check_pages(options: argparse.Namespace) -> None:
    """Raise UsageError for a picture that would replace an input, or whose name says another format."""
    written = [(f"--{form}", path) for form in ("svg", "png") if (path := getattr(options, form))]
    for option, path in written:
        if os.path.splitext(path)[1].lower() != option.replace("--", "."):
            raise UsageError(f"{option} {path}: the name must end in {option.replace('--', '.')}")
        if any(os.path.realpath(path) == os.path.realpath(other) for other in getattr(options, "files", ())):
            raise UsageError(f"{option} {path}: this file is read")
    if options.size is not None and not written:
        raise UsageError("--size is that of --svg and --png; the terminal's page is as large as the terminal")


def _compared(
    options: argparse.Namespace, sides: tuple[Sequence[FileRange], Sequence[FileRange]], acceptance: Acceptance
) -> int:
    """Read both sides, print what they differ in, and judge it; returns the exit status."""
    from ...api import compare

    runs, status = _runs(options, (*sides[0], *sides[1]))
    if status is not Exit.OK:
        return status
    before, after = ([one.word for one in side] for side in sides)
    return show_comparison(
        compare(runs[: len(before)], runs[len(before) :], files=(before, after)), options, acceptance
    )


def show_comparison(found: ComparedRuns, options: argparse.Namespace, acceptance: Acceptance) -> int:
    """Judge a comparison, and print and save it as the options say; returns the exit status."""
    judged: int = Exit.OK
    if acceptance.has_conditions:
        recorded = found.recorded()
        judged = acceptance.judge(recorded[1], recorded[0])
    for path in filter(None, (options.svg, options.png)):
        _save(found, path, options)
    _print(found, options, acceptance.verdicts)
    return judged


def _runs(options: argparse.Namespace, ranges: Sequence[FileRange]) -> tuple[list[Run], int]:
    """A run for each range, in order, and the exit status if there is none of some. A file of which there are several
    ranges is read once.
    """
    options.division = _division(options, ranges)
    found: dict[int, Run] = {}
    for first, one in enumerate(ranges):
        if first in found:
            continue
        same = [number for number, other in enumerate(ranges) if _is_read_with(options, one, other)]
        read = _read if len(same) < 2 else _read_together
        runs, status = read(options, [ranges[number] for number in same or (first,)])
        if status is not Exit.OK:
            return [], status
        found.update(zip(same or (first,), runs, strict=True))
    return [found[number] for number in range(len(ranges))], Exit.OK


def _division(options: argparse.Namespace, ranges: Sequence[FileRange]) -> Division | None:
    """How the events of all files are divided by a key: their values are ranked together, so that both sides have the
    same series. None without a key, and for standard input, which cannot be read twice.
    """
    paths = list(dict.fromkeys(one.path for one in ranges))
    if not options.by or STDIN in paths:
        return None
    from ...session.input import Sources, open_path

    sources = Sources(plan_of(options), lambda _: None)
    try:
        for path in paths:
            sources.add(open_path(path, sources.stop))
        sources.divide()
    finally:
        sources.close_all()
    return sources.plan.division


def _is_read_with(options: argparse.Namespace, one: FileRange, other: FileRange) -> bool:
    """Whether one reading serves two ranges: not where options limit how much is read of each; and of a folder, each
    reads only its own segments.
    """
    is_limited = options.count is not None or options.duration is not None
    return one.path == other.path and not is_limited and not os.path.isdir(one.path)


def _read(given: argparse.Namespace, ranges: Sequence[FileRange]) -> tuple[list[Run], int]:
    """The run of the only range, and the exit status if there is none."""
    from ...session import PictureOptions
    from ..reading import read_to_end

    (which,) = ranges
    options = _about(given, which)
    picture, inputs, ending = read_to_end(options, [which.path], PictureOptions(history_mb=options.history_mb))
    if ending.status is not Exit.OK:
        return [], ending.status
    if not len(picture):
        print_notice(f"{which.word}: {inputs.plan.why_empty()}")
        return [], Exit.NO_INTERVAL
    return [_run(picture, inputs.bad_count(), options, inputs.plan.division)], Exit.OK


def _read_together(given: argparse.Namespace, ranges: Sequence[FileRange]) -> tuple[list[Run], int]:
    """The runs of several ranges of one file, and the exit status if there is none of some."""
    from ...session import Picture, PictureOptions
    from ..reading import read_excerpts_to_end

    options = _about(given, ranges[0]._replace(since=None, until=None))
    excerpts = [plan_of(_about(given, one)).excerpt for one in ranges]
    pictures = [Picture(PictureOptions(history_mb=options.history_mb)) for _ in ranges]
    inputs, ending = read_excerpts_to_end(options, ranges[0].path, excerpts, pictures)
    if ending.status is not Exit.OK:
        return [], ending.status
    for number, (which, picture) in enumerate(zip(ranges, pictures, strict=True)):
        if not len(picture):
            print_notice(f"{which.word}: {inputs.missed.get(number) or inputs.plan.why_empty()}")
            return [], Exit.NO_INTERVAL
    bad = [inputs.bad_count(), *(0 for _ in ranges[1:])]  # they were read once
    division = inputs.plan.division
    return [_run(picture, one, options, division) for picture, one in zip(pictures, bad, strict=True)], Exit.OK


def _about(given: argparse.Namespace, which: FileRange) -> argparse.Namespace:
    """The options for one range."""
    options = argparse.Namespace(**{**vars(given), "since": which.since, "until": which.until})
    options.start = [word for word in given.start if _is_about(word, which.path)]
    return options


def _run(picture: Picture, bad: int, options: argparse.Namespace, division: Division | None) -> Run:
    from ...api import Run
    from ...text import zone_named

    run = Run(picture.window, picture.marks, bad, (), zone_named(options.tz), only=tuple(options.only))
    return run.divided_by(division)


def _is_about(start: str, path: str) -> bool:
    """Whether a ``--start FILE=TIME`` is about a file."""
    return start.rpartition("=")[0] in (path, os.path.basename(path))


def _print(found: ComparedRuns, options: argparse.Namespace, verdicts: tuple[ConditionVerdict, ...]) -> None:
    if options.json:
        import json

        write_utf8()
        said = {**found.as_dict(), "conditions": [verdict.as_json() for verdict in verdicts]}
        write_output(json.dumps(said, indent=2) + "\n")  # escapes whatever does not print
    elif options.markdown:
        print_text(found.markdown([verdict.sentence for verdict in verdicts], options.svg or options.png))
    else:
        _print_page(found, options)


def _print_page(found: ComparedRuns, options: argparse.Namespace) -> None:
    from ...view.terminal import final_picture, plain_picture

    depth = depth_of(options.depth, sys.stdout)
    columns, lines = text_size(FALLBACK_SIZE, sys.stdout, os.environ)
    size = min(max(columns, LEAST_COLUMNS), MOST_COLUMNS), min(max(lines - 1, LEAST_SIZE[1] - 1), MOST_LINES)
    view = _view(options, depth)
    cells = found.drawn(size, view, plain=_has_wide_triangles(os.environ))
    bare = depth is ColourDepth.MONO and not sys.stdout.isatty() and options.depth is None
    write_output(plain_picture(cells) if bare else final_picture(cells, view))


def _view(options: argparse.Namespace, depth: ColourDepth) -> ViewOptions:
    background = background_of(options.background)
    return ViewOptions(options.map, options.scale, options.palette, depth=depth, background=background)


def _save(found: ComparedRuns, path: str, options: argparse.Namespace) -> None:
    from ...export import exporter_for, write_file

    depth = ColourDepth.TRUECOLOR if options.depth in (None, "auto") else ColourDepth(options.depth)
    view = _view(options, depth)
    write_file(path, exporter_for(path)(found.drawn(options.size or FALLBACK_SIZE, view), view))


def _has_wide_triangles(environ: Mapping[str, str]) -> bool:
    """Whether the locale's language is one in which terminals may draw triangles in two cells."""
    locale = next((environ[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if environ.get(name)), "")
    return locale[:2].lower() in WIDE_LANGUAGES
