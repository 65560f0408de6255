"""``pylatencymap collect COLLECTOR``: measure, and print the record stream."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..arguments import Parser, add_record_options
from ..probe_choice import chosen_probe, probe_parser, without_server

if TYPE_CHECKING:
    import argparse

    from ..probe_choice import ChosenProbe

DESCRIPTION = "Measures latency on this machine and prints the record stream. Only the measuring program gets root."


def arguments(argv: list[str]) -> Parser:
    """The parser of this command, with the options of the probe that ``argv`` names."""
    made = probe_parser("collect", DESCRIPTION, argv)
    made.add_argument(
        "--to", choices=("lmap", "jsonl"), default="lmap", help="output format; default: lmap, the record stream"
    )
    add_record_options(made.add_argument_group("recording"))
    made.set_defaults(resolution=None)
    return made


def run(argv: list[str]) -> int:
    """Run with these arguments; the exit status."""
    if (words := without_server(argv)) is not None:
        from .fleet.prometheus_options import run_collect

        return run_collect(words)
    options = arguments(argv).parsed(argv)
    return _printed(options, chosen_probe(options))


def _printed(options: argparse.Namespace, probe: ChosenProbe) -> int:
    """Start a probe and print its records; returns the exit status."""
    from ..inputs import Inputs
    from ..standard_streams import write_utf8
    from .convert import text_of, write_all

    inputs = Inputs(options, probe.plan(options))
    launched = probe.launch(options.duration)
    try:
        inputs.attach(launched.name, launched.output, launched.ask_to_end)
        write_utf8()
        return write_all(
            lambda: launched.watch_output(text_of(options, inputs)),
            inputs,
            probe.left(launched, options.duration),
            lambda: probe.why_empty(inputs.plan),
        )
    finally:
        launched.close()
