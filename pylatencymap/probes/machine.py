"""Asks the machine for the facts that probes and their checks need. Tests pass a machine of their own."""

from __future__ import annotations

import os
from typing import NamedTuple

ANSWER_SECONDS = 60.0
"""The longest run of a program that is asked: long enough for a compiler on a busy machine."""


class Answer(NamedTuple):
    """The exit status of a program, and what it printed on standard output and standard error."""

    status: int
    text: str


SYSTEM_FOLDERS = "/usr/sbin:/usr/bin:/sbin:/bin"
"""Where only root can write. The user's PATH may name folders in which others can put programs of these names."""
LOCAL_FOLDERS = "/usr/local/sbin"
"""Searched last: folders that are often missing in the PATH of those who are not root."""


class Machine:
    """This machine."""

    def is_root(self) -> bool:
        return os.geteuid() == 0

    def system(self) -> str:
        """The name of the operating system, such as ``Linux``."""
        return os.uname().sysname

    def release(self) -> str:
        """The release of the kernel."""
        return os.uname().release

    def which(self, program: str) -> str | None:
        """The path of a program that is to run as root: that of the system if there is one, else that in the PATH."""
        import shutil

        places = (SYSTEM_FOLDERS, None, LOCAL_FOLDERS)
        return next(filter(None, (shutil.which(program, path=place) for place in places)), None)

    def exists(self, path: str) -> bool:
        return os.path.exists(path)

    def may_look(self, path: str) -> bool:
        """Whether we can look into a folder; only root can look into tracefs."""
        return os.access(path, os.R_OK | os.X_OK)

    def read(self, path: str) -> str:
        """The text of a short file; empty if it cannot be read."""
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                return file.read(65536)
        except OSError:
            return ""

    def ask(self, words: list[str]) -> Answer:
        """Run a program to its end without input; returns status 127 and the error if that fails."""
        import subprocess

        try:
            done = subprocess.run(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=ANSWER_SECONDS,
                encoding="utf-8",
                errors="replace",
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return Answer(127, str(error))
        return Answer(done.returncode, done.stdout)
