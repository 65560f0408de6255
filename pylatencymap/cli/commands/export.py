"""``pylatencymap export FILE -o OUT``: a picture, a page, a film or the data in a file that other tools open."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from ...errors import Exit, UsageError
from ...view.style import AUTO, AUTO_CURVES, BOTH_MAPS, FALLBACK_SIZE, PALETTES, SCALES, ColourDepth
from ..arguments import (
    Parser,
    add_data_options,
    add_excerpt_options,
    add_filter_option,
    add_marks_option,
    add_text_options,
    add_view_options,
    parser,
)
from ..option_values import length, moment, picture_size, size_text, speed
from ..setup import check_picture, picture_options, plan_of
from ..standard_streams import notice_or_raise, print_notice, write_bytes

if TYPE_CHECKING:
    from ...interval import Interval
    from ...record import Mark
    from ...session import EndingRule, Picture, PictureOptions
    from ..inputs import Inputs

STDOUT = "-"
_BINARY = (".png", ".parquet", ".lmap.gz")
DESCRIPTION = """Writes recordings or saved text as a file that other tools open. Its extension says which:
  .svg .png .txt .ans       the picture; .txt without colours, .ans with those of a terminal
  .html                     a page to be explored in a browser, with all series
  .cast                     a film of the terminal, for asciinema
  .csv .parquet .jsonl      a row for each bucket, or a line for each interval, of all series
  .hlog                     an HdrHistogram log, a tag for each series
  .prom .om                 the totals as histograms for Prometheus: text 0.0.4, and OpenMetrics
  .lmap .lmap.gz            a recording"""
EPILOG = """docs/export.md says what is in each, and which of them are read again."""


def arguments() -> Parser:
    """The parser of this command."""
    made = parser("export", DESCRIPTION, EPILOG)
    made.add_argument("files", metavar="FILE", nargs="+", help="recordings or saved text; -: standard input")
    made.add_argument("-o", "--output", metavar="OUT", required=True, help="file to write; -: standard output")
    made.add_argument(
        "--to",
        action=_FormatOrTime,
        metavar="NAME",
        help="the format, if OUT does not say it: --to csv; with a time the same as --until",
    )
    made.add_argument(
        "--size",
        type=picture_size,
        default=FALLBACK_SIZE,
        metavar="WxH",
        help=f"of pictures and films: characters and lines; default: {size_text(FALLBACK_SIZE)}",
    )
    made.add_argument(
        "--finest",
        type=length,
        metavar="TIME",
        help="of pages: the finest step, e.g. 1s, whatever the size; default: as fine as 1.5 MB allow",
    )
    made.add_argument(
        "--speed", type=speed, metavar="X", help="of films: 1x plays as it came; default: at most 2 minutes"
    )
    add_data_options(made, draws=True)
    add_excerpt_options(made, until=["--until"])
    add_filter_option(made)
    add_marks_option(made)
    add_text_options(made)
    add_view_options(made)
    made.set_defaults(resolution=None)  # of data, None are the ranges of the source
    return made


class _FormatOrTime(argparse.Action):
    """The name of a format, or the end of a part of the time."""

    def __call__(self, _: object, options: argparse.Namespace, value: object, _option: str | None = None) -> None:
        from ...export import FORMATS

        if value in FORMATS:
            options.to = value
            return
        try:
            options.until = moment(str(value))
        except argparse.ArgumentTypeError as error:
            raise argparse.ArgumentError(self, f"no format ({' '.join(FORMATS)}), and {error}") from error


def run(argv: list[str]) -> int:
    """Run with these arguments; the exit status."""
    options = arguments().parsed(argv)
    from ...export import CAST, DATA_FORMATS, PAGES, extension_for

    extension = extension_for(options.output, options.to)
    if options.output == STDOUT and extension in _BINARY and sys.stdout.isatty():
        raise UsageError(f"{extension[1:]} is no text for a terminal: redirect standard output, or name a file with -o")
    check_picture(options)
    _check_output(options)
    if extension not in PAGES and options.finest is not None:
        raise UsageError(f"--finest is for pages, and {extension[1:]} is none; write .html")
    if extension != CAST and options.speed is not None:
        raise UsageError(f"--speed is for films, and {extension[1:]} is none; write .cast")
    if extension in DATA_FORMATS:
        _refuse(options, NOT_FOR_DATA, f"only for pictures; {extension[1:]} has the data as they are")
        return _data_exported(options, extension)
    options.resolution = options.resolution or 1
    if extension in PAGES:
        return _page_exported(options, extension)
    return _film_exported(options) if extension == CAST else _picture_exported(options, extension)


def _check_output(options: argparse.Namespace) -> None:
    """Raise UsageError if the output would replace an input."""
    if options.output != STDOUT and os.path.realpath(options.output) in map(os.path.realpath, options.files):
        raise UsageError(f"-o {options.output}: this file is read; write to another one")


def _refuse(options: argparse.Namespace, foreign: dict[str, tuple[str, object]], why: str) -> None:
    """Raise UsageError for options that are given and would be ignored; what is configured is for other commands."""
    given = [
        option
        for option, (name, usual) in foreign.items()
        if name not in options.configured and getattr(options, name) != usual
    ]
    if given:
        raise UsageError(f"{', '.join(given)}: {why}")


def _picture_exported(options: argparse.Namespace, extension: str) -> int:
    """Draw the inputs that the options name and write the picture; returns the exit status."""
    from ...export import EXPORTERS
    from ...view.layout import END

    return _drawn_exported(
        options,
        lambda picture, chosen, _: [
            EXPORTERS[extension](picture.final(options.size, END).cells, chosen.viewpoint.view),
        ],
    )


def _film_exported(options: argparse.Namespace) -> int:
    """Write a film of the inputs; returns the exit status."""
    from ...api import film_of
    from ...export import render_cast

    def film(picture: Picture, chosen: PictureOptions, _: Inputs) -> Iterator[bytes]:
        title, frames = film_of(picture, options.size, options.speed)
        return render_cast(frames, chosen.viewpoint.view, options.size, title)

    return _drawn_exported(options, film)


NOT_FOR_PAGES: dict[str, tuple[str, object]] = {
    "--size": ("size", FALLBACK_SIZE),
    "--columns": ("columns", None),
    "--rows": ("rows", None),
    "--map": ("map", BOTH_MAPS),
    "--depth": ("depth", None),
    "--percentiles": ("percentiles", AUTO_CURVES),
    "--stack": ("stack", []),
    "--select": ("select", None),
    "--series sum": ("summed", False),
}
"""Options about what a picture shows, each with its name and its value if it is not given: a page shows all."""
NOT_FOR_DATA: dict[str, tuple[str, object]] = {
    **NOT_FOR_PAGES,
    "--scale": ("scale", SCALES[0]),
    "--palette": ("palette", PALETTES[0]),
    "--background": ("background", AUTO),
    "--min-latency": ("min_latency", None),
    "--max-latency": ("max_latency", None),
    "--min_bucket": ("min_bucket", None),
    "--max_bucket": ("max_bucket", None),
    "--frequency-max": ("frequency_max", None),
    "--intensity-max": ("intensity_max", None),
    "--intensity_maxval": ("intensity_maxval", None),
    "--slo": ("slo", None),
}
"""The same of data, which have no looks and all latencies."""


def _page_exported(options: argparse.Namespace, extension: str) -> int:
    """Write a page of the inputs; returns the exit status. Refuses what would be ignored, before anything is read."""
    from ...export import PAGES
    from ...export.page import checked_step
    from ...session import page_content

    if options.finest is not None:
        checked_step(options.finest)
    _refuse(options, NOT_FOR_PAGES, "only for pictures; a page has all series at any size")

    def page(picture: Picture, _: PictureOptions, inputs: Inputs) -> list[bytes]:
        at, tz = picture.options.viewpoint, picture.options.tz
        content = page_content(picture.window, picture.marks, at, tz, files=options.files, bad=inputs.bad_count())
        return [PAGES[extension](content, options.finest)]

    return _drawn_exported(options, page)


def _drawn_exported(
    options: argparse.Namespace, make: Callable[[Picture, PictureOptions, Inputs], Iterable[bytes]]
) -> int:
    """Read the inputs and write what is made of them; returns the exit status."""
    from ..reading import read_to_end

    depth = ColourDepth.TRUECOLOR if options.depth in (None, "auto") else ColourDepth(options.depth)
    chosen = picture_options(options, depth)
    picture, inputs, ending = read_to_end(options, options.files, chosen)
    if len(picture) and ending.shows_result:
        with _opened(options.output) as write:
            for piece in make(picture, chosen, inputs):
                write(piece)
    elif ending.status is Exit.OK:
        print_notice(inputs.plan.why_empty())
        return Exit.NO_INTERVAL
    return ending.status


def _opened(output: str) -> AbstractContextManager[Callable[[bytes], object]]:
    """What writes to standard output, or to a file, which takes its place at the end, when it is whole."""
    from ...export import written_whole

    return nullcontext(write_bytes) if output == STDOUT else written_whole(output)


class _Nothing(Exception):
    """The inputs hold no interval, or reading them was broken off."""


def _data_exported(options: argparse.Namespace, extension: str) -> int:
    """Write the intervals of the inputs as they are read; returns the exit status."""
    from ..inputs import Inputs

    inputs = Inputs(options, plan_of(options))
    inputs.open(options.files)
    data = _Data(inputs)
    try:
        with _opened(options.output) as write:
            ending = data.write(write, extension, options)
            if not data.intervals or not ending.shows_result:
                raise _Nothing
    except _Nothing:
        if ending.status is Exit.OK:
            print_notice(inputs.plan.why_empty())
            return Exit.NO_INTERVAL
    return ending.status


class _Data:
    """The intervals of inputs on their way to a file; ``intervals`` is how many there were."""

    def __init__(self, inputs: Inputs) -> None:
        self._inputs = inputs
        self.intervals = 0

    def write(self, write: Callable[[bytes], object], extension: str, options: argparse.Namespace) -> EndingRule:
        """Write them; returns how reading them ended."""
        from ...export import DataOptions, data_writer_for
        from ...session import Feed
        from ..reading import run_inputs

        written = data_writer_for(extension)
        marks: list[Mark] = []
        about = DataOptions(options.resolution, marks)
        feed: Feed[bytes] = Feed(lambda: written(self._read(marks), about))
        ending = run_inputs(feed, lambda pieces: write(b"".join(pieces)), self._inputs, options.duration)
        notice_or_raise(feed.error, interrupted=ending.by_signal)
        return ending

    def _read(self, marks: list[Mark]) -> Iterator[Interval]:
        """The intervals; the marks between them, and in the end those of ``--marks``, are added to the list."""
        from ...intervals import join_continued
        from ...session import MarkList

        end = None
        for one in join_continued(self._inputs.intervals(marks.append)):
            self.intervals += 1
            end = one.end
            yield one
        of_file = MarkList()
        self._inputs.hand_marks_to(of_file)
        of_file.placed_until(end)
        marks += of_file
