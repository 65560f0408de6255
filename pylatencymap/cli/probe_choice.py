"""Commands over a probe: which one, its options, its start, and how its text is read."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, NamedTuple

from .. import registry
from ..errors import UsageError
from .arguments import Parser, parser
from .option_values import interval, positive, whole_number

if TYPE_CHECKING:
    from ..probes import Machine, ProbeCommand, RunningProbe
    from ..session.input import ReadPlan

DEFAULT_SECONDS = 1.0


def probe_parser(command: str, description: str, argv: list[str]) -> Parser:
    """The parser of ``live`` or ``collect``, with the options of the probe that ``argv`` names."""
    names = registry.all_probe_names()
    name = next((word for word in argv if word in names), None)
    probes = "\n".join(_described(known, own=not name) for known in names)
    more = (
        "" if name else f"\nCollectors have options of their own: pylatencymap {command} COLLECTOR --help shows them."
    )
    made = parser(command, description + more, f"collectors that can measure by themselves:\n{probes}\n")
    made.add_argument("collector", metavar="COLLECTOR", help="one of those below")
    if name:
        registry.load_probe(name).add_options(made)
    group = made.add_argument_group("data")
    group.add_argument(
        "--interval", type=interval, metavar="S", default=DEFAULT_SECONDS, help="sampling period in seconds; default: 1"
    )
    group.add_argument("--count", type=whole_number, metavar="N", help="end after N intervals")
    group.add_argument("--duration", type=positive, metavar="S", help="end after S seconds, also while nothing comes")
    group.add_argument("--series", metavar="GLOB", action="append", default=[], help="only these series (repeatable)")
    made.set_defaults(strict=False)
    return made


def _described(name: str, *, own: bool) -> str:
    """A line about a probe, and with ``own`` one with its options."""
    probe = registry.load_probe(name)
    line = f"  {name:<10} {(probe.__doc__ or '').splitlines()[0]}"
    options = argparse.ArgumentParser(add_help=False)
    probe.add_options(options)
    words = " ".join(action.option_strings[-1] for action in options._actions if action.option_strings)
    return f"{line}\n  {'':<10} options: {words}" if own and words else line


class ChosenProbe(NamedTuple):
    """A probe that is to be started: its name, and what to start."""

    name: str
    command: ProbeCommand
    machine: Machine

    def launch(self, seconds: float | None) -> RunningProbe:
        """Start it, for so many seconds; returns when it measures, see ``launch_probe``."""
        from ..probes import launch_probe

        return launch_probe(self.name, self.command, self.machine, seconds)

    def left(self, launched: RunningProbe, seconds: float | None) -> float | None:
        """Of so many seconds those that are left: they count from when it measures, or from its start where it does not
        announce that.
        """
        return seconds if seconds is None or self.command.announced else max(seconds - launched.age, 0.0)

    def why_empty(self, plan: ReadPlan) -> str:
        """What to say where nothing came of it."""
        return plan.why_empty() if plan.passed_over or plan.seen.any else self.command.waiting

    def plan(self, options: argparse.Namespace) -> ReadPlan:
        """How its text is read. It samples as often as it is asked to, so that nothing is to be merged."""
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
            expected=ProbeHints(self.command.label, self.command.watched, source=self.command.format or ""),
        )


def chosen_probe(options: argparse.Namespace) -> ChosenProbe:
    """The probe that the options name. Raises UsageError or SourceError, with what to do, where there is none."""
    from ..probes import Machine

    machine = Machine()
    if options.collector not in registry.all_probe_names() and options.collector in registry.collector_names():
        known = " and ".join(registry.all_probe_names())
        raise UsageError(f"{options.collector} has no probe ({known} have): pipe the tool that prints its text")
    return ChosenProbe(options.collector, registry.load_probe(options.collector).command(options, machine), machine)
