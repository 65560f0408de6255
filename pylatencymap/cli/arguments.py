"""Options that commands share. No abbreviations; the names of the earlier PyLatencyMap work as well."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, NoReturn

from .. import __version__
from ..errors import UsageError
from ..units import TIM_UNITS
from ..view.style import AUTO, BACKGROUNDS, BOTH_MAPS, MAPS, PALETTES, SCALES
from .option_values import (
    bucket_exponent,
    calendar_date,
    columns_expression,
    depth_named,
    interval,
    latency,
    latency_unit,
    maximum,
    positive,
    resolution,
    seconds,
    semantics_named,
    speed,
    waited_per_second,
    whole_number,
)
from .standard_streams import print_text

if TYPE_CHECKING:
    from collections.abc import Sequence

HELP_COLUMNS = 100


class HelpText(argparse.RawDescriptionHelpFormatter):
    """As wide as the terminal says it is; argparse would load the libraries of archives to find that out."""

    def __init__(self, prog: str) -> None:
        columns = os.environ.get("COLUMNS", "")
        super().__init__(prog, max_help_position=28, width=int(columns) if columns.isdecimal() else HELP_COLUMNS)


class Parser(argparse.ArgumentParser):
    """Raises UsageError, where argparse would print a page of usage before the message and end the program."""

    def parsed(self, argv: Sequence[str]) -> argparse.Namespace:
        """The options; files may stand between them."""
        return self.parse_intermixed_args(argv)

    def _print_message(self, message: str, _: object = None) -> None:
        """Help and version. What a write that fails comes to is not left to argparse, whose releases differ in it."""
        print_text(message)

    def error(self, message: str) -> NoReturn:
        from difflib import get_close_matches

        unknown = message.removeprefix("unrecognized arguments: ").split()[0].partition("=")[0]
        close = get_close_matches(unknown, self._option_string_actions, 1, 0.7) if unknown.startswith("-") else []
        hint = f"; did you mean {close[0]}?" if close and close[0] != unknown else ""
        raise UsageError(f"{message}{hint} ({self.prog} --help lists the options)")


def parser(command: str, description: str, epilog: str | None = None) -> Parser:
    """An empty parser in the house style."""
    made = Parser(
        prog=f"pylatencymap {command}".strip(),
        description=description,
        epilog=epilog,
        allow_abbrev=False,
        formatter_class=HelpText,
    )
    made.add_argument("--version", action="version", version=f"pylatencymap {__version__}")
    made.add_argument("--traceback", action="store_true", help="show where an error came from")
    made.add_argument("-d", "--debug_level", type=int, default=0, metavar="N", help="1 and more: as --traceback")
    return made


def add_text_options(to: argparse.ArgumentParser) -> None:
    """How text is understood."""
    group = to.add_argument_group("text")
    group.add_argument("--format", metavar="NAME", help="the collector that reads the text; default: recognised")
    group.add_argument(
        "--unit",
        type=latency_unit,
        metavar="U",
        help="ns, us, ms, or of tables s: the unit of latencies where the text does not tell",
    )
    group.add_argument(
        "--tim-unit",
        choices=TIM_UNITS,
        default=TIM_UNITS[0],
        help="of an Oracle SQL trace: us; ns/1024 in 9.2 and 10.2 on Linux and Solaris; cs before 9i",
    )
    group.add_argument(
        "--semantics", type=semantics_named, metavar="WORD", help="auto, cumulative, interval or rate: what counts mean"
    )
    group.add_argument("--date", type=calendar_date, metavar="YYYY-MM-DD", help="day of the first time stamp")
    group.add_argument(
        "--start",
        action="append",
        default=[],
        metavar="FILE=TIME",
        help="FILE begins at a date and time, or epoch second",
    )
    group.add_argument("--strict", action="store_true", help="end at the first bad record, with exit status 4")
    _add_column_options(to)


def _add_column_options(to: argparse.ArgumentParser) -> None:
    """Which columns of a table are meant."""
    group = to.add_argument_group(
        "tables (CSV, TSV, columns, JSON lines), by name or number; 2:us tells a unit as well"
    )
    group.add_argument(
        "--time", dest="time_column", default="", metavar="COLUMN", help="when events ended; or DATE,TIME"
    )
    group.add_argument("--latency", dest="latency_column", default="", metavar="COLUMN", help="how long they took")
    group.add_argument("--by", action="append", default=[], metavar="COLUMN", help="names series (repeatable)")
    group.add_argument("--regex", type=columns_expression, metavar="RE", help="lines with groups time, latency, series")


def add_data_options(to: argparse.ArgumentParser) -> None:
    """How much is read, and what of it is used."""
    group = to.add_argument_group("data")
    group.add_argument("--series", metavar="GLOB", action="append", default=[], help="only these series (repeatable)")
    group.add_argument(
        "--interval", type=interval, metavar="S", help="merge intervals up to S seconds; spacing of unstamped text"
    )
    group.add_argument("--count", type=whole_number, metavar="N", help="end after N intervals")
    group.add_argument("--duration", type=positive, metavar="S", help="end after S seconds; of files, of recorded time")
    group.add_argument(
        "--jobs", type=whole_number, default=2, metavar="N", help="processes that scan large files; default: 2"
    )
    group.add_argument("--tz", metavar="ZONE", help="zone of the time stamps and of the clock; default: local")


def add_view_options(to: argparse.ArgumentParser) -> None:
    """What the picture looks like."""
    group = to.add_argument_group("picture")
    group.add_argument("--map", choices=MAPS, default=BOTH_MAPS, help="default: both")
    group.add_argument("--scale", choices=SCALES, default=SCALES[0], help="colour scale; default: sqrt")
    group.add_argument("--palette", choices=PALETTES, default=PALETTES[0], help="default: cool-warm")
    group.add_argument(
        "--background",
        choices=(AUTO, *BACKGROUNDS),
        default=AUTO,
        help="of the terminal; default: as it tells, or dark",
    )
    group.add_argument(
        "--depth", type=depth_named, metavar="WORD", help="truecolor, 256, 16, mono or ascii; default: as the terminal"
    )
    group.add_argument(
        "--resolution", type=resolution, default=1, metavar="N", help="latency rows per doubling, 1 to 64"
    )
    group.add_argument(
        "-n", "--columns", "--num_records", type=whole_number, metavar="N", help="at most N columns of time"
    )
    group.add_argument("--rows", type=whole_number, metavar="N", help="at most N rows of latency in each map")
    group.add_argument("--min-latency", type=latency, metavar="L", help="leave out what is faster, as in 128us")
    group.add_argument("--max-latency", type=latency, metavar="L", help="one row for all that is slower, as in 1s")
    group.add_argument(
        "--min_bucket", type=bucket_exponent, metavar="K", help="lowest row ends at 2^K of the unit; -1: auto"
    )
    group.add_argument(
        "--max_bucket", type=bucket_exponent, metavar="K", help="top row is open above half of 2^K; 64: auto"
    )
    group.add_argument(
        "--frequency-max", "--frequency_maxval", type=maximum, metavar="N", help="pin the scale at N events per second"
    )
    group.add_argument(
        "--intensity-max", type=waited_per_second, metavar="T", help="pin it at a time waited per second, as in 500ms"
    )
    group.add_argument("--intensity_maxval", type=maximum, metavar="N", help="the same, N of the stream's own unit")
    group.add_argument("--slo", type=latency, metavar="L", help="a line at L, as in 10ms, and the share that is slower")
    group.add_argument(
        "--history-mb", type=positive, default=256, metavar="MB", help="memory for history, all series; default: 256"
    )


def add_run_options(to: argparse.ArgumentParser) -> None:
    """How a session runs."""
    group = to.add_argument_group("session")
    group.add_argument("--once", action="store_true", help="no live view: one picture at the end")
    group.add_argument("--record", metavar="FILE", help="keep all records in FILE (.lmap or .lmap.gz)")


def add_replay_options(to: argparse.ArgumentParser) -> None:
    """How fast a file is replayed."""
    group = to.add_argument_group("replay")
    group.add_argument("--speed", type=speed, default=1.0, metavar="X", help="10x, 0.5x or max; default: as recorded")
    group.add_argument(
        "--delay", "--screen_delay", type=seconds, metavar="S", help="S seconds between records; 0 draws every record"
    )
