"""Root for the probe, and for nothing else."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

from ..errors import SourceError
from .machine import Machine

Run = Callable[[list[str]], int]


def as_root(words: list[str], machine: Machine, run: Run = subprocess.call) -> list[str]:
    """The words with which a program is started as root. Asks for a password now, on the terminal, if sudo wants one:
    later there is a screen in the way. ``run`` runs a program on this terminal; its exit status.
    """
    if machine.is_root():
        return words
    sudo = machine.which("sudo")
    if sudo is None:
        raise SourceError("measuring needs root, and there is no sudo here: run this command as root")
    if machine.ask([sudo, "-n", "-v"]).status and run([sudo, "-v"]):
        raise SourceError("measuring needs root, and sudo did not give it: run this command as root")
    return [sudo, "-n", "--", *words]
