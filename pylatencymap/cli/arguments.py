"""Options that commands share. They cannot be abbreviated. Option names of the earlier PyLatencyMap work as well."""

from __future__ import annotations

import argparse
import os
import re
from typing import TYPE_CHECKING, NoReturn

from .. import __version__
from ..errors import UsageError
from ..units import TIM_UNITS
from ..view.style import AUTO, BACKGROUNDS, BOTH_MAPS, CURVES, MAPS, PALETTES, SCALES
from .alerts import add_alert_options
from .defaults import parsed_with_defaults
from .option_values import (
    bucket_exponent,
    calendar_date,
    columns_expression,
    depth_named,
    file_name,
    integer,
    interval,
    keep,
    latency,
    latency_unit,
    length,
    maximum,
    moment,
    positive,
    resolution,
    seconds,
    selection,
    semantics_named,
    speed,
    waited_per_second,
    whole_number,
)
from .standard_streams import print_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HELP_COLUMNS = 100
ALL_OPTIONS = "--help-all"
EARLIER = argparse.SUPPRESS
"""The help of options of the earlier tool, which README.md lists."""


class HelpText(argparse.RawDescriptionHelpFormatter):
    """Help as wide as $COLUMNS. argparse's own way to find the width would import shutil and its archive libraries."""

    def __init__(self, prog: str) -> None:
        columns = os.environ.get("COLUMNS", "")
        super().__init__(prog, max_help_position=28, width=int(columns) if columns.isdecimal() else HELP_COLUMNS)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        """Without the spellings of the earlier tool, which have underscores; README.md lists them."""
        return re.sub(r", --\w+_\w+(?: [A-Z]+)?", "", super()._format_action_invocation(action))


SUM = "sum"
"""What ``--series`` calls all series added up, as the picture does: ``session.SUM_SERIES``, which is slow to import."""


class Parser(argparse.ArgumentParser):
    """Raises UsageError; argparse would print the usage before the message and exit. ``short``: the text of ``--help``,
    if all options are too many.
    """

    short = ""

    def format_help(self) -> str:
        return self.short or super().format_help()

    def parsed(self, argv: Sequence[str]) -> argparse.Namespace:
        """The options; file names can stand between them."""
        if ALL_OPTIONS in argv:
            self.short = ""
        options = parsed_with_defaults(self, list(_with_offsets(argv)))
        if hasattr(options, "summed"):
            options.summed = any(glob.lower() == SUM for glob in options.series)
            options.series = [glob for glob in options.series if glob.lower() != SUM]
        return options

    def _print_message(self, message: str, _: object = None) -> None:
        """Print help or version. Releases of argparse differ in what they do if a write fails; we do not rely on it."""
        print_text(message)

    def error(self, message: str) -> NoReturn:
        from difflib import get_close_matches

        unknown = message.removeprefix("unrecognized arguments: ").split()[0].partition("=")[0]
        close = get_close_matches(unknown, self._option_string_actions, 1, 0.7) if unknown.startswith("-") else []
        hint = f"; did you mean {close[0]}?" if close and close[0] != unknown else ""
        every = ALL_OPTIONS if ALL_OPTIONS in self._option_string_actions else "--help"
        raise UsageError(f"{message}{hint} ({self.prog} {every} lists the options)")


def _with_offsets(argv: Sequence[str]) -> Iterator[str]:
    """The words, with ``--from -2h`` as one word: argparse would take the offset for an option."""
    words = iter(argv)
    for word in words:
        value = next(words, None) if word in ("--from", "--to", "--until") else None
        if value is None:
            yield word
        elif value[:1] == "-" and value[1:2].isdigit():
            yield f"{word}={value}"
        else:
            yield from (word, value)


def parser(command: str, description: str, epilog: str | None = None, short: str = "") -> Parser:
    """A parser with only the options that all commands share. ``short``: the text of ``--help``, if all options are
    too many; then ``--help-all`` lists them.
    """
    made = Parser(
        prog=f"pylatencymap {command}".strip(),
        description=description,
        epilog=epilog,
        allow_abbrev=False,
        formatter_class=HelpText,
    )
    if short:
        made.short = short
        made.add_argument(ALL_OPTIONS, action="help", help="show this help message and exit")
    made.add_argument("--version", action="version", version=f"pylatencymap {__version__}")
    made.add_argument("--traceback", action="store_true", help="show where an error came from")
    made.add_argument("-d", "--debug_level", type=integer, default=0, metavar="N", help=EARLIER)
    return made


def add_text_options(to: argparse.ArgumentParser, by: str = "--by", *, start: bool = True) -> None:
    """Add the options about how text is read. ``by`` is the name of the one for columns that name the series.
    ``start``: the command can move files in time.
    """
    group = to.add_argument_group("text")
    group.add_argument("--format", metavar="NAME", help="the collector that reads the text; default: detected")
    unit = "unit of latencies if the text names none: ns, us, ms or, in tables, s"
    group.add_argument("--unit", type=latency_unit, metavar="U", help=unit)
    unit = "unit of tim in Oracle SQL traces; default: by the release in their head; ns/1024: ports of 9.2, 10.2"
    group.add_argument("--tim-unit", choices=TIM_UNITS, default="", help=unit)
    told = "what counts mean: auto, cumulative, interval or rate"
    group.add_argument("--semantics", type=semantics_named, metavar="WORD", help=told)
    group.add_argument("--date", type=calendar_date, metavar="YYYY-MM-DD", help="date of the first time stamp")
    if start:
        when = "when FILE begins: a date and time, or epoch seconds"
        group.add_argument("--start", action="append", default=[], metavar="FILE=TIME", help=when)
    group.add_argument("--strict", action="store_true", help="stop at the first bad record, with exit status 4")
    if by == "--by":
        _add_key_options(to.add_argument_group("series by what events say; pylatencymap events FILE lists it"))
    _add_column_options(to, by)


def _add_key_options(group: argparse._ArgumentGroup) -> None:
    """Add the options about series by a key."""
    told = "series by a key of the events, as obj#, sql_id, pid, path; of tables by a column (repeatable)"
    group.add_argument("--by", dest="by", action="append", default=[], metavar="KEY", help=told)
    told = "so many values with a series of their own, those that waited most; default: 9, of tables all"
    group.add_argument("--top", type=whole_number, metavar="N", help=told)
    told = "of Oracle SQL traces: calls instead of waits, by their elapsed or their CPU time"
    group.add_argument("--calls", choices=("elapsed", "cpu"), help=told)


def _add_column_options(to: argparse.ArgumentParser, by: str) -> None:
    """Add the options about columns of tables."""
    group = to.add_argument_group(
        "tables (CSV, TSV, columns, JSON lines): columns by name or number; 2:us gives the unit as well"
    )
    told = "end time of events; or DATE,TIME; or none"
    group.add_argument("--time", dest="time_column", default="", metavar="COLUMN", help=told)
    group.add_argument("--latency", dest="latency_column", default="", metavar="COLUMN", help="latency of events")
    if by != "--by":
        group.add_argument(by, dest="by", action="append", default=[], metavar="COLUMN", help="what names the series")
    group.add_argument("--regex", type=columns_expression, metavar="RE", help="lines with groups time, latency, series")


def add_series_option(group: argparse._ArgumentGroup, *, draws: bool) -> None:
    """Add the option about series. ``draws``: the command draws a picture, in which the sum of all has a name."""
    told = "only these series (repeatable)" + ("; sum: all, added up" if draws else "")
    group.add_argument("--series", metavar="GLOB", action="append", default=[], help=told)
    if draws:
        group.set_defaults(summed=False)


def add_data_options(to: argparse.ArgumentParser, *, draws: bool = False) -> None:
    """Add the options about how much is read and used; see ``add_series_option``."""
    group = to.add_argument_group("data")
    add_series_option(group, draws=draws)
    group.add_argument(
        "--interval",
        type=interval,
        metavar="S",
        help="merge to S-second columns; for text without stamps: seconds between snapshots",
    )
    group.add_argument("--count", type=whole_number, metavar="N", help="stop after N intervals")
    group.add_argument(
        "--duration", type=positive, metavar="S", help="stop after S seconds; for files: of recorded time"
    )
    group.add_argument(
        "--jobs", type=whole_number, default=2, metavar="N", help="processes that scan large files; default: 2"
    )
    group.add_argument("--tz", metavar="ZONE", help="time zone of stamps and of the clock; default: local")


def add_excerpt_options(
    to: argparse.ArgumentParser,
    *,
    until: Sequence[str] = ("--to", "--until"),
    last: bool = True,
    last_help: str = "only the end: 5m, 2h, 3d",
) -> None:
    """Add the options about which part of the recorded time is used; ``last``: the end of it as well."""
    group = to.add_argument_group("part of the time")
    told = "only after T: 2026-11-22T14:00; 14:00, the first there is; now, or -2h from now"
    group.add_argument("--from", dest="since", type=moment, metavar="T", help=told)
    group.add_argument(*until, dest="until", type=moment, metavar="T", help="only up to T; +30min counts from --from")
    if last:
        group.add_argument("--last", type=length, metavar="LENGTH", help=last_help)


def add_filter_option(to: argparse.ArgumentParser) -> None:
    """Add the option that leaves some of single events."""
    told = "of traces, tables and logs: only events with this value: obj#=82015 (repeatable)"
    to.add_argument("--only", action="append", default=[], metavar="KEY=VALUE", help=told)


def add_marks_option(to: argparse.ArgumentParser) -> None:
    """Add the option about marks that others have made."""
    group = to.add_argument_group("marks")
    group.add_argument(
        "--marks",
        type=file_name,
        metavar="FILE",
        help="marks for the time axis: a time, a comma and a text on each line, as in 2026-03-03 03:12,deploy",
    )


def add_baseline_option(to: argparse.ArgumentParser) -> None:
    """Add the option about what the view is compared with."""
    to.add_argument_group("comparison").add_argument(
        "--baseline",
        metavar="FILE",
        help="compare what the view shows with another recording, or a part of it: FILE@FROM..TO",
    )


def add_view_options(to: argparse.ArgumentParser) -> None:
    """Add the options about the picture."""
    group = to.add_argument_group("picture")
    add_look_options(group)
    told = "draw these two or three series above each other, on one clock and one scale (repeatable: one each)"
    group.add_argument("--stack", metavar="A,B", action="append", default=[], help=told)
    told = "p50 and p99 of each column: on the map, or a strip below; default: a strip if there is much room"
    group.add_argument("--percentiles", choices=CURVES, default=CURVES[0], help=told)
    told = "select this time at first: 03:12..03:32, the last in the data; or with latencies FROM..TO,8ms..33ms"
    group.add_argument("--select", type=selection, metavar="FROM..TO", help=told)
    group.add_argument(
        "--resolution", type=resolution, default=1, metavar="N", help="latency rows per doubling, 1 to 64"
    )
    group.add_argument(
        "-n", "--columns", "--num_records", type=whole_number, metavar="N", help="at most N time columns"
    )
    _add_limit_options(group)
    told = "memory for the history of all series; default: 256"
    group.add_argument("--history-mb", type=positive, default=256, metavar="MB", help=told)


def add_look_options(group: argparse._ArgumentGroup, scales: Sequence[str] = SCALES) -> None:
    """Add the options about which maps are drawn, and in which colours."""
    group.add_argument("--map", choices=MAPS, default=BOTH_MAPS, help="which maps to draw; default: both")
    group.add_argument("--scale", choices=scales, default=scales[0], help="colour scale; default: sqrt")
    group.add_argument(
        "--palette", choices=PALETTES, default=PALETTES[0], help="colours of the maps; default: cool-warm"
    )
    group.add_argument(
        "--background",
        choices=(AUTO, *BACKGROUNDS),
        default=AUTO,
        help="terminal background; default: detected, else dark",
    )
    group.add_argument(
        "--depth", type=depth_named, metavar="WORD", help="truecolor, 256, 16, mono or ascii; default: detected"
    )


def _add_limit_options(group: argparse._ArgumentGroup) -> None:
    """Add the options about rows, the range of latencies and the ends of the colour scales."""
    group.add_argument(
        "--rows",
        type=whole_number,
        metavar="N",
        help="at most N latency rows per map; if there are more, they merge, marked with *",
    )
    group.add_argument("--min-latency", type=latency, metavar="L", help="hide faster events, e.g. 128us")
    group.add_argument("--max-latency", type=latency, metavar="L", help="one row for all slower events, e.g. 1s")
    group.add_argument("--min_bucket", type=bucket_exponent, metavar="K", help=EARLIER)
    group.add_argument("--max_bucket", type=bucket_exponent, metavar="K", help=EARLIER)
    group.add_argument(
        "--frequency-max", "--frequency_maxval", type=maximum, metavar="N", help="pin the scale at N events per second"
    )
    group.add_argument(
        "--intensity-max", type=waited_per_second, metavar="T", help="pin the scale at T waited per second, e.g. 500ms"
    )
    group.add_argument("--intensity_maxval", type=maximum, metavar="N", help=EARLIER)
    group.add_argument(
        "--slo", type=latency, metavar="L", help="mark latency L, e.g. 10ms, and show the share of slower events"
    )


def add_findings_memory(to: argparse.ArgumentParser) -> None:
    """Add the option about memory of commands that read all of a recording before they say anything."""
    to.add_argument(
        "--history-mb",
        type=positive,
        default=FINDINGS_MB,
        metavar="MB",
        help=f"memory for all series of a run; beyond it the oldest intervals are merged; default: {FINDINGS_MB}",
    )


def add_run_options(to: argparse.ArgumentParser) -> None:
    """Add the options about the run of a session."""
    group = to.add_argument_group("session")
    group.add_argument("--once", action="store_true", help="no live view; print one picture at the end")
    add_record_options(group)


FINDINGS_MB = 1024
WITH_ONCE = "with --once: "
"""Where a run can have no end, conditions need one."""


def add_condition_options(to: argparse.ArgumentParser, proviso: str = "", example: str = "p99 > 10ms") -> None:
    """Add the options about conditions that fail a run; ``acceptance.py`` uses them. ``proviso``: what they need."""
    group = to.add_argument_group("acceptance")
    group.add_argument(
        "--fail-if",
        action="append",
        default=[],
        metavar="EXPR",
        help=f'{proviso}exit status 6 if EXPR holds, as "{example}"; 1 if that cannot be told (repeatable)',
    )
    group.add_argument("--junit", type=file_name, metavar="FILE", help="write the verdicts to FILE as JUnit XML")


def add_live_options(to: argparse.ArgumentParser) -> None:
    """Add what all commands share that draw what is measured now: from marks to alerts."""
    add_marks_option(to)
    add_baseline_option(to)
    add_view_options(to)
    add_run_options(to)
    add_condition_options(to, WITH_ONCE)
    add_alert_options(to)


def add_follow_option(to: argparse.ArgumentParser) -> None:
    """Add the option about recordings that are being written."""
    group = to.add_argument_group("follow")
    group.add_argument(
        "--follow",
        action="store_true",
        help="view what is being written: a recording, the folder of --record DIR/, or an event log of Spark; "
        "all of it, then LIVE",
    )


def add_record_options(group: argparse._ArgumentGroup) -> None:
    """Add the options about recording."""
    group.add_argument(
        "--record",
        type=file_name,
        metavar="FILE|DIR/",
        help="record everything to FILE (.lmap or .lmap.gz), or to hourly files in DIR/",
    )
    group.add_argument(
        "--keep", type=keep, metavar="N", help="with --record DIR/: how much to keep, 7d or 2GB; default: all"
    )


def add_replay_options(to: argparse.ArgumentParser) -> None:
    """Add the options about the speed of a replay. Without ``--speed``, the parsed options have no ``speed``."""
    group = to.add_argument_group("replay", "with one of these options, files are played even without the word replay")
    group.add_argument(
        "--speed", type=speed, default=argparse.SUPPRESS, metavar="X", help="10x, 0.5x or max; default: as recorded"
    )
    group.add_argument(
        "--delay",
        "--screen_delay",
        type=seconds,
        metavar="S",
        help="S seconds between records, each drawn; 0: as fast as possible",
    )
