"""``pylatencymap report FILE...``: what recordings say, in words, as Markdown or as JSON."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from ...errors import Exit, UsageError
from ...view.style import AUTO, FALLBACK_SIZE, ColourDepth, ViewOptions
from ..acceptance import Acceptance
from ..arguments import (
    Parser,
    add_condition_options,
    add_data_options,
    add_excerpt_options,
    add_filter_option,
    add_findings_memory,
    add_marks_option,
    add_text_options,
    parser,
)
from ..option_values import file_name, file_range
from ..setup import background_of, reading_words, text_size
from ..standard_streams import print_notice, print_text, write_output, write_utf8

if TYPE_CHECKING:
    from ...conditions import ConditionVerdict
    from ...export import Exporter
    from ...findings import RunFindings
    from ...session import Picture

EPILOG = """A part of a file: FILE@FROM..TO, as monday.lmap@14:00..14:30; either end may be missing. A file that has
just this name is read whole.

exit status:
  0 done   1 no interval, or a condition that cannot be told   2 wrong command line   3 a source that cannot be read
  6 a condition of --fail-if holds   130 Ctrl-C"""
SCREEN = (80, 24)


def arguments() -> Parser:
    """The parser of this command."""
    made = parser("report", "Says in words what recordings or saved text hold: modes, percentiles, changes.", EPILOG)
    made.add_argument("files", metavar="FILE[@FROM..TO]", nargs="+", help="recordings or saved text; -: standard input")
    form = made.add_mutually_exclusive_group()
    form.add_argument("--full", action="store_true", help="all that is found; default: as much as fits on the screen")
    form.add_argument("--markdown", action="store_true", help="all of it as Markdown, for a ticket")
    form.add_argument("--json", action="store_true", help="all of it as JSON, for programs")
    made.add_argument(
        "--picture",
        type=file_name,
        metavar="FILE",
        help="write the heat maps to FILE as well, .svg or .png; --markdown shows it",
    )
    add_data_options(made)
    add_findings_memory(made)
    add_excerpt_options(made)
    add_filter_option(made)
    add_marks_option(made)
    add_text_options(made)
    add_condition_options(made)
    return made


def run(argv: list[str]) -> int:
    """Run with these arguments; the exit status."""
    options = arguments().parsed(argv)
    _take_range(options)
    write = _picture_writer(options)
    acceptance = Acceptance(options)
    return acceptance.run(lambda: _reported(options, acceptance, write))


def _picture_writer(options: argparse.Namespace) -> Exporter | None:
    """What writes ``--picture``; None without it. Raises UsageError."""
    from ...export import exporter_for

    if options.picture is None:
        return None
    if any(os.path.realpath(options.picture) == os.path.realpath(file) for file in options.files):
        raise UsageError(f"--picture {options.picture}: this file is read")
    return exporter_for(options.picture)


def _take_range(options: argparse.Namespace) -> None:
    """Use the range that stands behind the files as ``--from`` and ``--to``. Raises UsageError."""
    ranges = [file_range(word) for word in options.files]
    options.files = [one.path for one in ranges]
    given = [one for one in ranges if one.has_range]
    if not given:
        return
    if (options.since, options.until) != (None, None):
        raise UsageError(f"{given[0].word}: write the range behind the file or as --from and --to, not both")
    different = [one for one in ranges if (one.since, one.until) != (given[0].since, given[0].until)]
    if different:
        raise UsageError(
            f"{given[0].word} and {different[0].word}: files that are read together have one range; write it behind "
            "each of them, or --from and --to"
        )
    options.since, options.until = given[0].since, given[0].until


def _reported(options: argparse.Namespace, acceptance: Acceptance, write: Exporter | None) -> int:
    """Read the inputs that the options name and print what they say; returns the exit status."""
    from dataclasses import replace

    from ...api import Run, profile_of, stragglers_of
    from ...session import PictureOptions, Viewpoint, files_name
    from ...text import zone_named
    from ..reading import read_to_end

    zone = zone_named(options.tz)
    looks = Viewpoint(view=ViewOptions(depth=ColourDepth.TRUECOLOR, background=background_of(AUTO)))
    part = any(one is not None for one in (options.since, options.until, options.last))
    chosen = PictureOptions(looks, history_mb=options.history_mb, tz=zone, part=part, file=files_name(options.files))
    picture, inputs, ending = read_to_end(options, options.files, chosen)
    if len(picture) and ending.shows_result:
        bad = inputs.bad_count()
        how, some = reading_words(options), bool(options.series)
        only = tuple(options.only)
        run = Run(picture.window, picture.marks, bad, (), zone, (), how, some_series=some, only=only)
        judged = acceptance.judge(picture.window)
        found = run.report(files=options.files)
        if not only:  # these are about all events
            found = replace(
                found,
                profile=profile_of(options.files, inputs.plan, picture.window),
                stragglers=stragglers_of(options.files, inputs.plan, picture.window),
            )
        if write is not None:
            _save(picture, options.picture, write)
        _print(found, options, acceptance.verdicts)
        return ending.status or judged
    if ending.status is Exit.OK:
        print_notice(inputs.plan.why_empty())
        return Exit.NO_INTERVAL
    return ending.status


def _save(picture: Picture, path: str, write: Exporter) -> None:
    """Write the heat maps of all that was read."""
    from ...export import write_file
    from ...view.layout import END

    write_file(path, write(picture.final(FALLBACK_SIZE, END).cells, picture.options.viewpoint.view))


def _print(found: RunFindings, options: argparse.Namespace, verdicts: tuple[ConditionVerdict, ...]) -> None:
    if options.json:
        import json

        write_utf8()
        said = found.as_dict()
        if verdicts:
            said["conditions"] = [verdict.as_json() for verdict in verdicts]
        write_output(json.dumps(said, indent=2) + "\n")  # escapes whatever does not print
    elif options.markdown:
        print_text(found.markdown([verdict.sentence for verdict in verdicts], options.picture))
    else:
        columns, lines = text_size(SCREEN, sys.stdout, os.environ)
        print_text(found.text(columns, None if options.full else lines - 1))
