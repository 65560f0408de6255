"""The contract of a probe, which a collector's module ``probe_command`` keeps."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from .checks import Check
    from .machine import Machine

SCRIPT_FILE = "{script}"
"""A word of a command that is replaced by the path of the file that contains its script."""


class ProbeCommand(NamedTuple):
    """A program to start, and how to read its output.

    ``words``: the program and its arguments.
    ``format``: the name of the collector that reads the output; None if the output is to be recognised.
    ``from_zero``: the counts are totals since the program started; if False, the output shows what they are.
    ``kept``: the program does not end by itself when its standard input ends, so it needs a keeper.
    ``waiting``: the message to show until the first output arrives.
    ``root``: the program is started as root.
    ``environ``: additional environment variables; a program started as root does not get them.
    ``announced``: the program prints a line as soon as it measures.
    ``label``: what the program measures, if its output does not say.
    ``watched``: groups of series, one group per thing that is watched. The output does not name them while they are
    idle.
    ``script``: a text that the program reads from the file SCRIPT_FILE. The file is deleted once the program measures.
    """

    words: list[str]
    format: str | None
    from_zero: bool = False
    kept: bool = False
    waiting: str = ""
    root: bool = True
    environ: Mapping[str, str] = MappingProxyType({})
    announced: bool = True
    label: str = ""
    watched: tuple[tuple[str, ...], ...] = ()
    script: str = ""


class Probe(Protocol):
    """A module ``probe_command`` in a collector's folder. The first line of its docstring describes the probe to users.

    ``add_options`` adds the probe's own options. ``command`` returns what to start with these options, which include
    ``interval`` in seconds; if that is impossible, it raises SourceError or UsageError with advice. ``checks`` returns
    a check for everything that the probe needs, in the order in which it needs it, and a short trial run at the end
    unless ``tries`` is False.
    """

    def add_options(self, to: argparse.ArgumentParser) -> None: ...

    def command(self, options: argparse.Namespace, machine: Machine) -> ProbeCommand: ...

    def checks(self, machine: Machine, *, tries: bool = True) -> list[Check]: ...
