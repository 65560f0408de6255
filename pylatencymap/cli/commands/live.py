"""``pylatencymap live COLLECTOR``: measure, and draw it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..acceptance import Acceptance
from ..alerts import Alerts
from ..arguments import (
    Parser,
    add_live_options,
)
from ..probe_choice import chosen_probe, probe_parser, without_server
from ..setup import check_picture, has_live_view

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from ...interval import Interval
    from ...intervals import TakeBatch
    from ...probes import RunningProbe
    from ...session import Picture
    from ..inputs import Inputs
    from ..probe_choice import ChosenProbe
    from ..session import CommandSession

DESCRIPTION = "Measures latency on this machine and draws it. Only the measuring program gets root."
SILENT_PROBE = "the probe says nothing"


def arguments(argv: list[str]) -> Parser:
    """The parser of this command, with the options of the probe that ``argv`` names."""
    made = probe_parser("live", DESCRIPTION, argv)
    made.add_argument("--tz", metavar="ZONE", help="time zone of the clock; default: local")
    add_live_options(made)
    return made


def run(argv: list[str]) -> int:
    """Run with these arguments; the exit status."""
    if (words := without_server(argv)) is not None:
        from .fleet.prometheus_options import run_live

        return run_live(words)
    options = arguments(argv).parsed(argv)
    check_picture(options)
    acceptance, alerts = Acceptance(options, name=options.collector), Alerts(options)
    probe = chosen_probe(options)
    return acceptance.run(lambda: _drawn(options, probe, acceptance, alerts))


def _drawn(options: argparse.Namespace, probe: ChosenProbe, acceptance: Acceptance, alerts: Alerts) -> int:
    """Start a probe and draw its records; returns the exit status."""
    from ..inputs import Inputs

    live_view = has_live_view(options)
    inputs = Inputs(options, probe.plan(options), hold_messages=live_view)
    inputs.read_marks()
    launched = probe.launch(options.duration)
    try:
        inputs.attach(launched.name, launched.output, launched.ask_to_end)
    except BaseException:
        launched.close()
        raise
    events = inputs.event_inputs() if live_view else None
    session = _session(options, probe, inputs, launched)._replace(alerts=alerts, events=events)
    return acceptance.of(session).run(live_view)


def _session(options: argparse.Namespace, probe: ChosenProbe, inputs: Inputs, launched: RunningProbe) -> CommandSession:
    """A session with a running probe."""
    from ...session import FirstAdvice, SilenceTimer
    from ..session import CommandSession

    happened = False

    def produce(picture: Picture, _: TakeBatch) -> Iterator[Interval]:
        nonlocal happened
        inputs.hand_marks_to(picture.marks)
        for interval in launched.watch_output(inputs.intervals(picture.mark)):
            happened = happened or bool(interval.ranges)
            yield interval

    def idle() -> str:
        return "" if happened else probe.command.waiting

    def close() -> None:
        launched.close()
        inputs.close()

    return CommandSession(
        options=options,
        produce=produce,
        stop=inputs.stop,
        pipe=True,
        keep=inputs.keep,
        has_spoken=inputs.has_spoken,
        waiting_notices=inputs.waiting_notices,
        first_advice=FirstAdvice(lambda: probe.command.waiting, inputs.begun).due,
        silence=SilenceTimer(inputs.heard, lambda: SILENT_PROBE, idle=idle),
        current_notice=inputs.current_notice,
        bad_count=inputs.bad_count,
        why_empty=lambda: probe.why_empty(inputs.plan),
        ask_to_end=inputs.ask_to_end,
        close=close,
        flags=inputs.recording_flags,
        seconds=probe.left(launched, options.duration),
    )
