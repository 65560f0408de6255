"""What a collector says of its probe, in its module ``probe_command``."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from .checks import Check
    from .machine import Machine

SCRIPT_FILE = "{script}"
"""Among the words of a command: the path of a file that holds its script."""


class ProbeCommand(NamedTuple):
    """A program to start, and how its text is read.

    ``words``: the program and its arguments. ``format``: the collector that reads what it prints; None: that is
    recognised. ``from_zero``: its counts are totals since it was started; else its text tells. ``kept``: it does not
    end by itself when its standard input ends, and needs a keeper. ``waiting``: what to say while nothing has come of
    it. ``root``: it is started as root. ``environ``: variables of its environment; root has its own. ``announced``: it
    prints a line as soon as it measures. ``label``: what it measures, where its text does not say. ``watched``: groups
    of series, each of one thing that is watched, which its text does not name while they are idle.
    ``script``: text that it reads from the file SCRIPT_FILE, which is gone when it measures.
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
    """A module ``probe_command`` of a collector's folder. Its docstring's first line describes the probe.

    ``add_options`` adds the probe's own options. ``command`` is what to start, with these options, ``interval``
    (seconds) among them; it raises SourceError or UsageError, with what to do, where that cannot be. ``checks`` is all
    that has to be there, in the order in which it is needed, and unless ``tries`` is False a short run at the end.
    """

    def add_options(self, to: argparse.ArgumentParser) -> None: ...

    def command(self, options: argparse.Namespace, machine: Machine) -> ProbeCommand: ...

    def checks(self, machine: Machine, *, tries: bool = True) -> list[Check]: ...
