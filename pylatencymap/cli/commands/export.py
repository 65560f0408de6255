"""``pylatencymap export FILE -o OUT``: a picture in a file."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ...errors import Exit
from ...view.style import FALLBACK_SIZE, ColourDepth
from ..arguments import (
    Parser,
    add_data_options,
    add_excerpt_options,
    add_marks_option,
    add_text_options,
    add_view_options,
    parser,
)
from ..option_values import picture_size, size_text
from ..setup import check_picture, picture_options
from ..standard_streams import print_notice

if TYPE_CHECKING:
    from ...export import Exporter


def arguments() -> Parser:
    """The parser of this command."""
    made = parser("export", "Writes a picture of recordings or saved text, as SVG or PNG.")
    made.add_argument("files", metavar="FILE", nargs="+", help="recordings or saved text; -: standard input")
    made.add_argument("-o", "--output", metavar="OUT", required=True, help="file to write; .svg or .png")
    made.add_argument(
        "--size",
        type=picture_size,
        default=FALLBACK_SIZE,
        metavar="WxH",
        help=f"characters and lines; default: {size_text(FALLBACK_SIZE)}",
    )
    add_data_options(made, draws=True)
    add_excerpt_options(made)
    add_marks_option(made)
    add_text_options(made)
    add_view_options(made)
    return made


def run(argv: list[str]) -> int:
    """Run with these arguments; the exit status."""
    from ...export import exporter_for

    options = arguments().parsed(argv)
    write = exporter_for(options.output)
    check_picture(options)
    return _exported(options, write)


def _exported(options: argparse.Namespace, write: Exporter) -> int:
    """Draw the inputs that the options name and write the picture; returns the exit status."""
    from ...export import write_file
    from ...view.layout import END
    from ..reading import read_to_end

    depth = ColourDepth.TRUECOLOR if options.depth in (None, "auto") else ColourDepth(options.depth)
    chosen = picture_options(options, depth)
    picture, inputs, ending = read_to_end(options, options.files, chosen)
    if len(picture) and ending.shows_result:
        write_file(options.output, write(picture.final(options.size, END).cells, chosen.viewpoint.view))
    elif ending.status is Exit.OK:
        print_notice(inputs.plan.why_empty())
        return Exit.NO_INTERVAL
    return ending.status
