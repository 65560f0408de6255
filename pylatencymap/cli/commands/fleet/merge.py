"""``pylatencymap merge NAME=COMMAND...``: the streams of many hosts, live, on one screen."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ....errors import UsageError
from ...acceptance import Acceptance
from ...alerts import Alerts
from ...arguments import (
    Parser,
    add_live_options,
    add_series_option,
    parser,
)
from ...option_values import positive
from ...setup import check_picture, has_live_view
from ...standard_streams import print_notice

if TYPE_CHECKING:
    from ....hosts import HostCommand, ManyHosts, RecordingInOrder
    from ....interval import Interval
    from ....intervals import TakeBatch
    from ....record import Mark
    from ....session import Picture
    from ....session.input import ReadPlan
    from ...recording import OwnRecording

DESCRIPTION = "Runs a command for each host, and draws what they print: each host has series of its own, HOST,SERIES."
EPILOG = """\
  pylatencymap merge db1='ssh -o BatchMode=yes db1 biolatency -T 1' db2='ssh -o BatchMode=yes db2 biolatency -T 1'
  pylatencymap merge --hosts hosts.txt -- ssh -o BatchMode=yes {host} sudo -n pylatencymap collect bpf
The commands print anything that pylatencymap reads. They have neither the terminal nor standard input, so that nothing
can ask for a password: use keys. A command that ends is started again; a host that is silent, or gone, costs itself.
In the view, g shows all hosts at once, and sum is one of the series.
"""

BEHIND = "--"


def arguments() -> Parser:
    """The parser of this command."""
    made = parser("merge", DESCRIPTION, EPILOG)
    told = "a host and its command; with --hosts the command for all of them, in which {host} is the name"
    made.add_argument("words", metavar="NAME=COMMAND", nargs="*", help=told)
    group = made.add_argument_group("hosts")
    group.add_argument("--hosts", metavar="FILE", help="names of hosts, one a line; the command follows behind --")
    group.add_argument("--no-restart", action="store_true", help="a command that ends is not started again")
    group = made.add_argument_group("data")
    add_series_option(group, draws=True)
    group.add_argument("--format", metavar="NAME", help="the collector that reads the text; default: detected")
    group.add_argument("--duration", type=positive, metavar="S", help="stop after S seconds")
    group.add_argument("--tz", metavar="ZONE", help="time zone of stamps and of the clock; default: local")
    add_live_options(made)
    return made


def run(argv: list[str]) -> int:
    """Run with these arguments; the exit status."""
    place = argv.index(BEHIND) if BEHIND in argv else len(argv)
    options = arguments().parsed(argv[:place])
    options.words += argv[place + 1 :]  # its own options are no options of ours
    check_picture(options)
    acceptance, alerts = Acceptance(options, name="many hosts"), Alerts(options)
    hosts = hosts_of(options)
    return acceptance.run(lambda: _drawn(options, hosts, acceptance, alerts))


def hosts_of(options: argparse.Namespace) -> list[HostCommand]:
    """The hosts that the options name. Raises UsageError."""
    from ....hosts import hosts_of_file, named_command

    if options.hosts is not None:
        return hosts_of_file(options.hosts, options.words)
    if not options.words:
        raise UsageError("no host: name some as NAME=COMMAND, or --hosts FILE -- COMMAND")
    return [named_command(word) for word in options.words]


def _drawn(options: argparse.Namespace, hosts: list[HostCommand], acceptance: Acceptance, alerts: Alerts) -> int:
    from ....hosts import ManyHosts, RecordingInOrder
    from ....intervals import TimeOptions
    from ....session import NoticeQueue, SilenceTimer
    from ....session.input import ReadPlan, StopRequest
    from ....text import zone_named
    from ....view.layout import LIVE
    from ...recording import OwnRecording
    from ...session import CommandSession

    live_view = has_live_view(options)
    held = NoticeQueue()
    stop = StopRequest()
    tz = zone_named(options.tz) if options.tz else None
    recording = OwnRecording(options, live=live_view)
    plan = ReadPlan(format=options.format, time=TimeOptions(tz=tz))
    chosen = ReadPlan(series=tuple(options.series))
    say = held.add if live_view else print_notice
    many = ManyHosts(hosts, plan, stop, say, restarts=not options.no_restart)
    in_order = None if recording.tee is None else RecordingInOrder(recording.tee, say)

    def close() -> None:
        many.close()
        if in_order is not None:
            in_order.close()
        recording.close()
        for message in held.release():
            print_notice(message)

    session = CommandSession(
        options,
        _producer(many, chosen, recording, in_order),
        stop,
        lambda: chosen.why_empty() if chosen.skipped_series else "no host has printed any latency",
        state=LIVE,
        silence=SilenceTimer(many.heard, lambda: "no host has printed anything"),
        current_notice=lambda: held.current_notice() or recording.current_notice(),
        keep=recording.keep,
        flags=recording.flags,
        close=close,
        seconds=options.duration,
        alerts=alerts,
    )
    return acceptance.of(session).run(live_view)


def _producer(
    many: ManyHosts, chosen: ReadPlan, recording: OwnRecording, in_order: RecordingInOrder | None
) -> Callable[[Picture, TakeBatch], Iterator[Interval]]:
    def produce(picture: Picture, _: TakeBatch) -> Iterator[Interval]:
        def note(mark: Mark) -> None:
            picture.mark(mark)
            recording.keep(mark)

        found = (one for one in many.intervals(note) if chosen.wants_result(one.series))
        return recording.marked(found if in_order is None else in_order.taken(found), picture.marks)

    return produce
