"""Probes from other packages: programs called ``pylatencymap-NAME`` in the PATH.

Such a program prints text that some collector recognises, preferably the record stream. Its arguments are the words
after ``--`` on the command line, and $PYLATENCYMAP_INTERVAL is the sampling period in seconds. It does not run as root.
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
    """The paths of these programs by name. If two have the same name, the first in the PATH wins, as in a shell."""
    found: dict[str, str] = {}
    for folder in (os.environ.get("PATH", "") if path is None else path).split(os.pathsep):
        for place in _programs_in(folder or "."):
            found.setdefault(os.path.basename(place).removeprefix(PREFIX), place)
    return dict(sorted(found.items()))


def _programs_in(folder: str) -> list[str]:
    try:
        names = sorted(name for name in os.listdir(folder) if name.startswith(PREFIX) and name != PREFIX)
    except OSError:
        return []  # a PATH often names folders that do not exist
    places = [os.path.join(folder, name) for name in names]
    return [place for place in places if os.path.isfile(place) and os.access(place, os.X_OK)]


class ExternalProbe:
    """A program ``pylatencymap-NAME`` with the interface of a built-in probe."""

    def __init__(self, path: str) -> None:
        self.__doc__ = f"the program {path}"
        self._path = path

    def add_options(self, to: argparse.ArgumentParser) -> None:
        """Add one option: the words after ``--``, which are the program's arguments."""
        to.add_argument(
            "words", nargs="*", metavar="WORD", help="passed on to the program; words with dashes behind --"
        )

    def command(self, options: argparse.Namespace, _: Machine) -> ProbeCommand:
        """The command that starts the program under a keeper, which ends it."""
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

    def checks(self, machine: Machine, *, tries: bool = True) -> list[Check]:  # noqa: ARG002 - there is no trial
        """Check that the program exists, and for a script that its interpreter does. If anything else is missing, the
        program itself reports it when it is started.
        """
        from .checks import Check

        found = [Check("program", True, self._path)]
        words = machine.read(self._path).partition("\n")[0].removeprefix("#!").split()
        if words and machine.read(self._path).startswith("#!"):
            fix = "install it, or name another one in the first line of the program"
            found.append(Check("interpreter", machine.exists(words[0]), words[0], fix))
        return found
