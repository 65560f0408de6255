"""What is asked of the machine before a probe is started on it; tests hand in machines of their own."""

from __future__ import annotations

import os
from typing import NamedTuple

ANSWER_SECONDS = 60.0
"""Long enough for a compiler on a busy machine."""


class Answer(NamedTuple):
    """Exit status of a program, and what it printed on both outputs."""

    status: int
    text: str


class Machine:
    """This machine."""

    def is_root(self) -> bool:
        return os.geteuid() == 0

    def system(self) -> str:
        """``Linux``."""
        return os.uname().sysname

    def release(self) -> str:
        """Of the kernel."""
        return os.uname().release

    def which(self, program: str) -> str | None:
        """Path of a program, also of one that only root has in the PATH."""
        import shutil

        return shutil.which(program) or shutil.which(program, path="/usr/sbin:/sbin:/usr/local/sbin")

    def exists(self, path: str) -> bool:
        return os.path.exists(path)

    def may_look(self, path: str) -> bool:
        """Whether a folder can be looked into: tracefs is closed to all but root."""
        return os.access(path, os.R_OK | os.X_OK)

    def read(self, path: str) -> str:
        """A short file; empty where it cannot be read."""
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                return file.read(65536)
        except OSError:
            return ""

    def ask(self, words: list[str]) -> Answer:
        """Run a program to its end, without input."""
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
