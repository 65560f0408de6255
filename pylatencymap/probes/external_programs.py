"""Probes of other packages: programs called ``pylatencymap-NAME`` in the PATH.

Such a program prints text that some collector recognises, best the record stream. It gets the words of the command line
behind ``--``, and the sampling period in seconds in $PYLATENCYMAP_INTERVAL. It does not get root.
"""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from .checks import Check
    from .contract import ProbeCommand
    from .machine import Machine

PREFIX = "pylatencymap-"
INTERVAL = "PYLATENCYMAP_INTERVAL"


@cache
def external_programs_in_path(path: str | None = None) -> dict[str, str]:
    """Names and paths of these programs; of two with one name the first in the PATH, as in a shell."""
    found: dict[str, str] = {}
    for folder in (os.environ.get("PATH", "") if path is None else path).split(os.pathsep):
        for place in _programs_in(folder or "."):
            found.setdefault(os.path.basename(place).removeprefix(PREFIX), place)
    return dict(sorted(found.items()))


def _programs_in(folder: str) -> list[str]:
    try:
        names = sorted(name for name in os.listdir(folder) if name.startswith(PREFIX) and name != PREFIX)
    except OSError:
        return []  # a PATH often names folders that are not there
    places = [os.path.join(folder, name) for name in names]
    return [place for place in places if os.path.isfile(place) and os.access(place, os.X_OK)]


class ExternalProbe:
    """One of them, as a probe of ours."""

    def __init__(self, path: str) -> None:
        self.__doc__ = f"the program {path}"
        self._path = path

    def add_options(self, to: argparse.ArgumentParser) -> None:
        """What it is told, it is told behind ``--``."""
        to.add_argument(
            "words", nargs="*", metavar="WORD", help="passed on to the program; words with dashes behind --"
        )

    def command(self, options: argparse.Namespace, _: Machine) -> ProbeCommand:
        """Start it, under a keeper that ends it."""
        from .contract import ProbeCommand

        return ProbeCommand(
            [self._path, *options.words],
            None,
            kept=True,
            waiting=f"{os.path.basename(self._path)} has printed nothing",
            root=False,
            environ={INTERVAL: f"{options.interval:g}"},
            announced=False,
        )

    def checks(self, machine: Machine, *, tries: bool = True) -> list[Check]:  # noqa: ARG002 - it says nothing of itself
        """That it is there, and of a script its interpreter; what else it needs it tells when it is started."""
        from .checks import Check

        found = [Check("program", True, self._path)]
        words = machine.read(self._path).partition("\n")[0].removeprefix("#!").split()
        if words and machine.read(self._path).startswith("#!"):
            fix = "install it, or name another one in the first line of the program"
            found.append(Check("interpreter", machine.exists(words[0]), words[0], fix))
        return found
