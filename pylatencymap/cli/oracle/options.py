"""The options of oralatencymap."""

from __future__ import annotations

import argparse
import os
import re
from typing import TYPE_CHECKING

from ... import __version__
from ...errors import UsageError
from ...oracle.history import PERFSTAT, statspack_views
from ...text.clean import hide_parameters
from ...view.style import SCALES
from ..arguments import (
    HelpText,
    Parser,
    add_live_options,
    add_series_option,
)
from ..commands.compare import add_form_options, add_page_options, check_pages
from ..option_values import integer, interval, length, positive, whole_number
from .choice_options import add_choice, check_choice, instance_numbers

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from ...oracle.history import Period

DEFAULT_SECONDS = 3
"""Seconds between samples."""
EPILOG = """\
the database is the first of --dsn, $ORALATENCYMAP_DSN, dsn in [oracle] of ~/.config/pylatencymap/config.toml,
$TWO_TASK, $ORACLE_SID. The password comes from --password-file, $ORALATENCYMAP_PASSWORD, password_file in that
file, or a prompt.

  oralatencymap db_file_sequential_read          reads of one block; underscores for blanks, any case
  oralatencymap "log file sync" "log file parallel write" --instance 1
  oralatencymap commits                          a set: log file sync and what it waits for (reads, rac, adg, exadata)
  oralatencymap --class "User I/O" --top 6       the six busiest events of a class; 'gc *' is a pattern
  oralatencymap                                  the busiest event
  oralatencymap --grants --user mon              what the user mon needs
See docs/oracle.md for more.
"""
LICENCE = "diagnostics"
HISTORIES = "--awr or --statspack"
WHY = (
    "the history is in DBA_HIST views, which may be read only with a licence of the Diagnostics Pack (Enterprise "
    "Edition), whatever the way of access; CONTROL_MANAGEMENT_PACK_ACCESS grants none. If you have it: "
    f"--licensed {LICENCE}"
)
_PASSWORD_OPTION = re.compile(r"--?pass(?!word-file(?:=|$))", re.IGNORECASE)


def arguments() -> Parser:
    """The parser of this command."""
    made = Parser(
        prog="oralatencymap",
        description="Latency of Oracle wait events over time, live: two heat maps, frequency and intensity.",
        epilog=EPILOG,
        allow_abbrev=False,
        formatter_class=HelpText,
    )
    made.add_argument(
        "events", metavar="EVENT", nargs="*", help="wait events, a set of them, or a pattern; none: the busiest"
    )
    made.add_argument("--version", action="version", version=f"oralatencymap {__version__}")
    made.add_argument("--traceback", action="store_true", help="show where an error came from")
    made.add_argument(
        "-d", "--debug_level", type=integer, default=0, metavar="N", help="1 or more: same as --traceback"
    )
    _add_connection(made)
    _add_waits(made)
    _add_history(made)
    _add_printing(made)
    add_live_options(made)
    return made


def parse_arguments(argv: list[str]) -> argparse.Namespace:
    """The options. Refuses contradictions, and takes an event that follows a bare ``--thick`` as an event."""
    _refuse_password_option(argv)
    try:
        options = arguments().parsed(argv)
    except UsageError as error:  # it quotes what was typed, and that may be a login
        raise UsageError(hide_parameters(str(error))) from None
    if options.thick and not os.path.isdir(options.thick):
        if options.thick[0] in "~./":
            raise UsageError(f"--thick {options.thick}: there is no such folder")
        options.events.insert(0, options.thick)
        options.thick = ""
    _take_sqlplus_login(options)
    _refuse_logins(options.events)
    if options.wallet and not os.path.isdir(options.wallet):
        raise UsageError(f"--wallet {options.wallet}: there is no such folder")
    if options.local and options.instance:
        raise UsageError("--local is the instance that we are connected to; leave out --instance, or --local")
    if options.events and options.list_events:
        raise UsageError("--list-events ranks all events; leave out the names")
    if options.events and options.print_sql:
        raise UsageError('--print-sql prints a script for any event; name it there: @oralatencymap 3 "EVENT"')
    if options.print_sql and options.interval and options.interval % 1:
        raise UsageError("--interval of a script is whole seconds; others are named there: @oralatencymap 0.5")
    if options.hours != 1.0 and not options.print_sql:
        raise UsageError("--hours belongs to --print-sql")
    check_choice(options)
    is_history = options.awr or options.statspack
    if options.alert and (is_history or options.list_events or options.print_sql or options.grants):
        raise UsageError(
            "--alert watches the live view; it does not go with --awr, --statspack, --list-events and what prints"
        )
    if is_history:
        _check_history(options)
    elif options.since or options.until or options.dbid or options.last_snapshots or options.against:
        raise UsageError(f"--from, --to, --last, --against and --dbid belong to {HISTORIES}")
    if options.schema != PERFSTAT and not options.statspack:
        raise UsageError("--schema is that of --statspack")
    _check_comparison(options)
    return options


def _refuse_password_option(argv: Iterable[str]) -> None:
    """Refuse an option for a password: there is none, and argparse would repeat its value in a message."""
    if any(_PASSWORD_OPTION.match(word) for word in argv):
        from ...oracle.connection import NO_PASSWORD

        raise UsageError(f"there is no option for a password: {NO_PASSWORD}")


def _take_sqlplus_login(options: argparse.Namespace) -> None:
    """What is typed to sqlplus on the server, ``/`` or ``/ as sysdba``, is a login, and no event is called so."""
    words = " ".join(options.events).lower().split()
    if words[:1] != ["/"] or options.events[0].split()[0] != "/":
        return
    options.external = True
    count = 1
    if words[1:3] == ["as", "sysdba"]:
        options.sysdba, count = True, 3
    left = count
    while left > 0:
        left -= len(options.events.pop(0).split())


def _refuse_logins(events: Iterable[str]) -> None:
    """What is typed to sqlplus; looked for as an event, the password would be repeated as unknown. Names of events
    hold a slash, and no @ behind it.
    """
    if any("@" in event.partition("/")[2] for event in events):
        from ...oracle.connection import NO_PASSWORD

        raise UsageError(f"USER/PASSWORD@DATABASE is no event; write --user NAME --dsn DATABASE. {NO_PASSWORD}")


def _check_history(options: argparse.Namespace) -> None:
    """Refuse what does not go with the history, and to read AWR unless the user states that there is a licence."""
    if options.awr and options.statspack:
        raise UsageError("--awr and --statspack are two histories; leave out one of them")
    name = "--awr" if options.awr else "--statspack"
    statspack_views(options.schema)  # reports a wrong name before a login
    if options.interval:
        raise UsageError(f"--interval is from sample to sample; {name} draws the snapshots as they are, leave it out")
    if options.list_events:
        raise UsageError(f"--list-events ranks what waits now; leave out {name}")
    if options.grants:
        return
    if options.awr and options.licensed != LICENCE:
        raise UsageError(WHY)
    if not options.events:
        raise UsageError(f"name the events of the history, as in oralatencymap db_file_sequential_read {name}")
    if options.last_snapshots and options.since:
        raise UsageError("--last counts snapshots back from --to; leave out --from, or --last")


def _check_comparison(options: argparse.Namespace) -> None:
    """Refuse what does not go with the comparison of two periods, which is printed at once, and what needs one."""
    if options.against is None:
        if options.json or options.markdown or options.svg or options.png or options.size:
            raise UsageError("--json, --markdown, --svg, --png and --size are about the page of --against")
        return
    if options.record or options.baseline:
        raise UsageError("--against compares two periods and ends: leave out --record and --baseline")
    if options.scale not in SCALES[:-1]:
        raise UsageError(f"--scale {options.scale} is no scale of a comparison; there are {', '.join(SCALES[:-1])}")
    options.once = True
    check_pages(options)


def _add_connection(to: argparse.ArgumentParser) -> None:
    group = to.add_argument_group("database")
    group.add_argument("--dsn", metavar="DSN", help="HOST:PORT/SERVICE, a name of tnsnames.ora, or a descriptor")
    group.add_argument("--user", metavar="NAME", default="", help="default: $ORALATENCYMAP_USER")
    group.add_argument("--password-file", metavar="FILE", default="", help="its first line is the password")
    group.add_argument("--sysdba", action="store_true", help="log in AS SYSDBA")
    group.add_argument(
        "--external", action="store_true", help="log in without a password: the system or a wallet (thick)"
    )
    group.add_argument(
        "--thick", metavar="LIB_DIR", nargs="?", const="", help="use Oracle Client libraries, from LIB_DIR if given"
    )
    group.add_argument("--wallet", metavar="DIR", help="folder of a wallet; without a user it has the password (thick)")


def _add_waits(to: argparse.ArgumentParser) -> None:
    group = to.add_argument_group("waits")
    add_choice(group)
    group.add_argument("--list-events", action="store_true", help="rank the events that are not idle, and exit")
    group.add_argument("--local", action="store_true", help="only the instance that we are connected to: V$, not GV$")
    group.add_argument("--instance", type=instance_numbers, metavar="N,N", default=(), help="only these instances")
    group.add_argument(
        "--no-sessions", dest="sessions", action="store_false", help="do not sample who waits, which w shows"
    )
    group.add_argument("--interval", type=interval, metavar="S", help="seconds between samples; default: 3")
    group.add_argument("--count", type=whole_number, metavar="N", help="stop after N intervals")
    group.add_argument("--duration", type=positive, metavar="S", help="stop after S seconds")
    add_series_option(group, draws=True)
    group.add_argument("--tz", metavar="ZONE", help="time zone of the clock; default: local")


def _add_history(to: argparse.ArgumentParser) -> None:
    group = to.add_argument_group("history")
    group.add_argument("--statspack", action="store_true", help="draw the snapshots of Statspack; needs no licence")
    group.add_argument("--schema", metavar="NAME", default=PERFSTAT, help=f"owner of Statspack; default: {PERFSTAT}")
    group.add_argument("--awr", action="store_true", help="draw the snapshots of AWR; needs a licence, see --licensed")
    group.add_argument(
        "--licensed", choices=(LICENCE,), help="you have a licence of the Diagnostics Pack: for --awr, and live for w"
    )
    group.add_argument("--from", dest="since", type=parse_moment, metavar="T", help="default: a day before --to")
    group.add_argument(
        "--to", dest="until", type=parse_moment, metavar="T", help="as in 2026-01-31T14:00; default: now"
    )
    group.add_argument(
        "--last",
        dest="last_snapshots",
        type=whole_number,
        metavar="N",
        help="the N latest intervals; not with --from",
    )
    group.add_argument("--dbid", type=whole_number, metavar="N", help="the database, if the history contains several")
    group.add_argument(
        "--against",
        type=period,
        metavar="PERIOD",
        help="print in what it differs from the time 7d earlier (or 1d, 4w), or from FROM..TO",
    )
    add_form_options(group)
    add_page_options(group)


def _add_printing(to: argparse.ArgumentParser) -> None:
    group = to.add_argument_group("instead of drawing")
    group.add_argument("--grants", action="store_true", help="print the least privileges to grant")
    group.add_argument("--print-sql", action="store_true", help="print the SQL*Plus script oralatencymap.sql")
    group.add_argument("--hours", type=positive, default=1.0, metavar="N", help="how long the script runs; default: 1")


def period(text: str) -> Period:
    """What a period is compared with: how much earlier, or ``FROM..TO``."""
    from datetime import timedelta

    from ...oracle.history import parse_period

    try:
        return timedelta(seconds=length(text))
    except OverflowError:
        raise argparse.ArgumentTypeError(f"{text!r}: there is no time so long ago") from None
    except argparse.ArgumentTypeError:
        pass
    try:
        return parse_period(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def parse_moment(text: str) -> datetime:
    """A date and time of day without a zone."""
    from datetime import datetime

    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.tzinfo is not None:
        raise argparse.ArgumentTypeError(f"{text!r} is no time; write it as in 2026-01-31T14:00, on the server's clock")
    return found
