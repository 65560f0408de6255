"""What ``live`` and ``collect`` share: choosing a probe, its options, starting it, and how to read its output."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, NamedTuple

from .. import registry
from ..errors import UsageError
from .arguments import Parser, add_series_option, parser
from .option_values import interval, positive, whole_number

if TYPE_CHECKING:
    from ..probes import Machine, ProbeCommand, RunningProbe
    from ..session.input import ReadPlan

DEFAULT_SECONDS = 1.0
SERVER = "prometheus"
"""What is measured elsewhere: it is asked, and no probe is started."""


def without_server(argv: list[str]) -> list[str] | None:
    """The words of a command line behind ``prometheus``; None if it names a probe."""
    names = {SERVER, *registry.all_probe_names()}
    place = next((place for place, word in enumerate(argv) if word in names), None)
    return None if place is None or argv[place] != SERVER else [*argv[:place], *argv[place + 1 :]]


def probe_parser(command: str, description: str, argv: list[str]) -> Parser:
    """The parser of ``live`` or ``collect``, with the options of the probe that ``argv`` names."""
    names = registry.all_probe_names()
    name = next((word for word in argv if word in names), None)
    probes = "\n".join(_described(known, own=not name) for known in names)
    if command != "serve":
        probes += f"\n  {SERVER:<10} histograms of a Prometheus server; see pylatencymap {command} {SERVER} --help"
    more = "" if name else f"\nCollectors have their own options; see pylatencymap {command} COLLECTOR --help."
    made = parser(command, description + more, f"collectors that can measure by themselves:\n{probes}\n")
    made.add_argument("collector", metavar="COLLECTOR", help="one of the collectors below")
    if name:
        registry.load_probe(name).add_options(made)
    group = made.add_argument_group("data")
    group.add_argument(
        "--interval", type=interval, metavar="S", default=DEFAULT_SECONDS, help="seconds between samples; default: 1"
    )
    group.add_argument("--count", type=whole_number, metavar="N", help="stop after N intervals")
    group.add_argument("--duration", type=positive, metavar="S", help="stop after S seconds, even if no data arrives")
    add_series_option(group, draws=command == "live")
    made.set_defaults(strict=False)
    return made


def _described(name: str, *, own: bool) -> str:
    """A line about a probe; ``own`` adds a line with its options."""
    probe = registry.load_probe(name)
    line = f"  {name:<10} {(probe.__doc__ or '').splitlines()[0]}"
    options = argparse.ArgumentParser(add_help=False)
    probe.add_options(options)
    words = " ".join(action.option_strings[-1] for action in options._actions if action.option_strings)
    return f"{line}\n  {'':<10} options: {words}" if own and words else line


class ChosenProbe(NamedTuple):
    """A probe to be started: its name, its command, and the machine."""

    name: str
    command: ProbeCommand
    machine: Machine

    def launch(self, seconds: float | None) -> RunningProbe:
        """Start it for ``seconds``. Returns when it measures; see ``launch_probe``."""
        from ..probes import launch_probe

        return launch_probe(self.name, self.command, self.machine, seconds)

    def left(self, launched: RunningProbe, seconds: float | None) -> float | None:
        """How many of ``seconds`` are left. They count from the announcement that the probe measures; if it announces
        nothing, from its start.
        """
        return seconds if seconds is None or self.command.announced else max(seconds - launched.age, 0.0)

    def why_empty(self, plan: ReadPlan) -> str:
        """The message if the probe produced no interval."""
        return plan.why_empty() if plan.skipped_series or plan.diagnosis.has_snapshots else self.command.waiting

    def plan(self, options: argparse.Namespace) -> ReadPlan:
        """How to read its output. It samples at the interval of the options, so nothing needs to be merged."""
        from ..intervals import TimeOptions
        from ..session.input import ProbeHints, ReadPlan
        from ..text import zone_named

        zone = zone_named(options.tz) if getattr(options, "tz", None) else None
        return ReadPlan(
            format=self.command.format,
            time=TimeOptions(tz=zone),
            series=tuple(options.series),
            count=options.count,
            duration=options.duration,
            from_zero=self.command.from_zero,
            probe_hints=ProbeHints(self.command.label, self.command.watched, source=self.command.format or ""),
        )


def chosen_probe(options: argparse.Namespace) -> ChosenProbe:
    """The probe that the options name. If it cannot be used, raises UsageError or SourceError with what to do."""
    from ..probes import Machine

    machine = Machine()
    if options.collector not in registry.all_probe_names() and options.collector in registry.collector_names():
        known = " and ".join(registry.all_probe_names())
        raise UsageError(f"{options.collector} has no probe ({known} have): pipe the tool that prints its text")
    return ChosenProbe(options.collector, registry.load_probe(options.collector).command(options, machine), machine)
