"""The options of oralatencymap that say what is drawn: sets, classes and ranks of events, containers, other views."""

from __future__ import annotations

import argparse

from ...errors import UsageError
from ..option_values import whole_number

MOST_TOP = 50
"""The most events, or files, that --top draws."""


def add_choice(group: argparse._ArgumentGroup) -> None:
    """Add the options to their group."""
    group.add_argument(
        "--class",
        dest="classes",
        action="append",
        default=[],
        metavar="CLASS",
        help="the events of a class (repeat)",
    )
    group.add_argument("--top", type=whole_number, metavar="N", help="the N busiest: of all, a set, a pattern, a class")
    group.add_argument(
        "--container",
        nargs="?",
        const="",
        metavar="NAME",
        help="by container, as in event@1/SALES: this one, NAME,NAME or all (18c and later)",
    )
    group.add_argument(
        "--files",
        dest="datafiles",
        nargs="?",
        const=(),
        type=file_numbers,
        metavar="N,N",
        help="single-block reads by data file: these, or those with the most time (STATISTICS_LEVEL=ALL)",
    )
    group.add_argument("--standby", action="store_true", help="the apply lag of a physical standby")


def check_choice(options: argparse.Namespace) -> None:
    """Refuse contradictions."""
    if options.top is not None and not 1 <= options.top <= MOST_TOP:
        raise UsageError(f"--top takes 1 to {MOST_TOP}")
    if options.datafiles is not None:
        _check_files(options)
    if options.standby:
        _check_standby(options)
    narrowed = [name for name, given in _given(options).items() if given]
    if options.print_sql and narrowed:
        raise UsageError(f"--print-sql prints a script for one event; leave out {narrowed[0]}")
    if narrowed and (options.awr or options.statspack):
        history = "--awr" if options.awr else "--statspack"
        raise UsageError(f"{history} draws the events that are named; leave out {narrowed[0]}")


def _given(options: argparse.Namespace) -> dict[str, bool]:
    """The options that choose what is drawn, by name."""
    return {
        "--class": bool(options.classes),
        "--top": options.top is not None,
        "--container": options.container is not None,
        "--files": options.datafiles is not None,
        "--standby": options.standby,
    }


def _check_files(options: argparse.Namespace) -> None:
    if options.events:
        raise UsageError("--files draws the reads of data files and no event; leave out the names, or --files")
    if options.datafiles and options.top is not None:
        raise UsageError("--top draws the files with the most time; leave out their numbers")
    _refuse_beside("--files", options, ("--class", "--container", "--standby"))


def _check_standby(options: argparse.Namespace) -> None:
    if options.events:
        raise UsageError("--standby draws the apply lag and no event; leave out the names, or --standby")
    if options.instance:
        raise UsageError("--standby is of the instance that we are connected to; leave out --instance")
    _refuse_beside("--standby", options, ("--class", "--container", "--top", "--files"))


def _refuse_beside(name: str, options: argparse.Namespace, others: tuple[str, ...]) -> None:
    given = _given(options)
    for other in others:
        if given[other]:
            raise UsageError(f"{name} and {other} draw different things; leave out one of them")
    if options.list_events:
        raise UsageError(f"--list-events ranks events; leave out {name}")


def instance_numbers(text: str) -> tuple[int, ...]:
    """``1,2``."""
    return _numbers(text, "instance numbers")


def file_numbers(text: str) -> tuple[int, ...]:
    """``7,12``."""
    return _numbers(text, "file numbers")


def _numbers(text: str, what: str) -> tuple[int, ...]:
    try:
        found = tuple(int(part) for part in text.split(","))
    except ValueError:
        found = ()
    if not found or min(found) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no list of {what}; write it as in 1,2")
    return tuple(dict.fromkeys(found))
