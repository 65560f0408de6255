"""The parsers of all commands, as man pages and completions show them."""

from __future__ import annotations

import argparse
import importlib
from typing import TYPE_CHECKING

from .... import registry
from ...main import COMMANDS, IN_FOLDERS
from ...probe_choice import SERVER
from .. import replay, view

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...arguments import Parser

PROGRAM = "pylatencymap"
ORACLE_PROGRAM = "oralatencymap"
EARLIER_PROGRAM = "latencymap"
"""The earlier tool's command, which starts the same program."""
SHELLS = ("bash", "zsh", "fish")
SERIES, COLLECTORS = "series", "collectors"
"""What a script for a shell asks ``pylatencymap completions`` for."""
SOURCES = ("live", "collect", "serve")
"""Commands whose options depend on the collector that they are given."""


def parsers() -> dict[str, Parser]:
    """The parser of each command line by its words: of ``pylatencymap`` itself, of ``pylatencymap live bpf``..."""
    found = {PROGRAM: view.arguments(), **dict(_of_commands())}
    for made in found.values():
        tidy(made)
    return found


def oracle_parser() -> Parser:
    """The parser of ``oralatencymap``."""
    from ...oracle.options import arguments

    made = arguments()
    tidy(made)
    return made


def _of_commands() -> Iterator[tuple[str, Parser]]:
    for name in COMMANDS:
        words = f"{PROGRAM} {name}"
        if name == "replay":
            made = view.arguments(replay.HELP)
            made.prog, made.description, made.epilog = words, replay.HELP.split("\n\n")[1], None
            yield words, made
            continue
        module = importlib.import_module(f"..{IN_FOLDERS.get(name, name)}", __package__)
        if name not in SOURCES:
            yield words, module.arguments()
            continue
        yield words, module.arguments(["--pipe"] if name == "serve" else [])
        for probe in registry.probe_names():
            made = module.arguments([probe])
            made.prog = f"{words} {probe}"
            take_out(made, "collector")
            yield made.prog, made
        if name != "serve":
            from ..fleet import prometheus_options

            yield f"{words} {SERVER}", getattr(prometheus_options, f"{name}_arguments")()


def take_out(made: Parser, positional: str) -> None:
    """Take an argument out of a parser."""
    (found,) = [action for action in made._actions if action.dest == positional]
    made._remove_action(found)
    made._positionals._group_actions.remove(found)


def tidy(made: Parser) -> None:
    """Leave out the spellings of the earlier tool, which have underscores; README.md lists them."""
    for action in made._actions:
        ours = [word for word in action.option_strings if "_" not in word]
        if ours:
            action.option_strings = ours
        elif action.option_strings:
            action.help = argparse.SUPPRESS


def summary(made: Parser) -> str:
    """What a command does, in one line."""
    first = " ".join((made.description or "").split("\n\n")[0].split())
    sentence, dot, _ = first.partition(". ")
    return sentence.partition(": ")[0] if dot or ": " in sentence else first.removesuffix(".")
