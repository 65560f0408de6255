"""A pseudo-terminal for programs under test: how fast it reads, whether it answers, and which modes are left on it."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
PROGRAM = f"{sys.executable} -m pylatencymap"
SIZE = (120, 40)
DEADLINE = 60.0
"""Seconds that anything may take; they matter only to a run that fails."""
NAMES = {b"1049": "alternate screen", b"1000": "mouse", b"1006": "mouse", b"2004": "paste", b"2026": "held frame"}
_CSI = re.compile(rb"\x1b\[(\??)([0-9;]*)([hlmr])")
_QUESTION = re.compile(rb"\x1b\[([56])n")
_LONGEST_QUESTION = 4
_SPECIAL = 6
"""The index of the special characters in what tcgetattr returns."""


def _take_terminal() -> None:
    """In the child: make standard input its terminal. Jobs in the background ignore some signals; it shall not."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class PseudoTerminal:
    """Runs a shell command on a pseudo-terminal of its own.

    ``speed``: bytes a second that it reads, None for all that there is. ``answers``: whether it answers questions about
    its status and its cursor. ``stalled`` can be set: then it reads nothing.
    """

    def __init__(
        self,
        command: str,
        folder: Path,
        environ: Mapping[str, str] | None = None,
        *,
        speed: int | None = None,
        answers: bool = True,
    ) -> None:
        self.output = b""
        self.stalled = False
        self._speed = speed
        self._answers = answers
        self._asked = 0
        self._may_read = time.monotonic()
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", SIZE[1], SIZE[0], 0, 0))
        surroundings = {
            **{name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")},
            "TERM": "xterm-256color",
            "LC_ALL": "C.UTF-8",
            "PYTHONPATH": str(ROOT),
            **(environ or {}),
        }
        self.before = termios.tcgetattr(slave)
        self.process = subprocess.Popen(
            ["bash", "-c", command],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=folder,
            env=surroundings,
            start_new_session=True,
            preexec_fn=_take_terminal,
        )
        self._slave = slave  # open to the end, so that the modes can be read when all others have closed it

    def pump(self, seconds: float = 0.02) -> None:
        """Read what comes within so many seconds, as fast as this terminal reads."""
        wait = max(0.0, self._may_read - time.monotonic())
        if self.stalled or wait:
            time.sleep(seconds if self.stalled else min(wait, seconds))
            return
        if not select.select([self.master], [], [], seconds)[0]:
            return
        piece = os.read(self.master, 1 << 16 if self._speed is None else 256)
        if self._speed is not None:
            self._may_read = time.monotonic() + len(piece) / self._speed
        self.output += piece
        for question in _QUESTION.finditer(self.output, self._asked):
            self._asked = question.end()
            if self._answers:
                self.type("\x1b[0n" if question[1] == b"5" else "\x1b[2;2R")
        self._asked = max(self._asked, len(self.output) - _LONGEST_QUESTION)

    def pump_for(self, seconds: float) -> None:
        """Read for so long."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.pump()

    def until(self, condition: Callable[[], object], what: str) -> None:
        """Read until a condition holds. Raises TimeoutError after DEADLINE."""
        deadline = time.monotonic() + DEADLINE
        while not condition():
            if time.monotonic() > deadline:
                raise TimeoutError(f"never came: {what}; the last output: {self.output[-300:]!r}")
            self.pump()

    def prints(self, text: str) -> None:
        """Read until a text has come."""
        self.until(lambda: text.encode() in self.output, repr(text))

    def type(self, text: str) -> None:
        """Type all of a text at once."""
        os.write(self.master, text.encode())

    @property
    def has_ended(self) -> bool:
        """Whether the shell has ended."""
        return self.process.poll() is not None

    def ends(self) -> int:
        """Read to the end; the exit status of the shell."""
        self.until(lambda: self.has_ended, "the end")
        self.stalled, self._speed = False, None
        while select.select([self.master], [], [], 0)[0]:
            self.pump(0)
        return int(self.process.returncode)

    @property
    def has_view(self) -> bool:
        """Whether the alternate screen is on."""
        return "alternate screen" in self.left_over

    @property
    def left_over(self) -> set[str]:
        """What differs from the terminal that the command found: modes, style, cursor, line discipline."""
        left: set[str] = set()
        for private, numbers, letter in _CSI.findall(self.output):
            if letter in b"hl" and private:
                for number in numbers.split(b";"):
                    name = "hidden cursor" if number == b"25" else NAMES.get(number, f"mode {number.decode()}")
                    (left.add if (letter == b"h") != (number == b"25") else left.discard)(name)
            elif letter == b"m":
                (left.discard if numbers in (b"", b"0") else left.add)("style")
        return left

    @property
    def modes(self) -> list[Any]:
        """Line discipline and special characters, as stty shows them."""
        return self._without_speeds(termios.tcgetattr(self._slave))

    @property
    def is_as_before(self) -> bool:
        """Whether the line discipline is as the command found it."""
        return self.modes == self._without_speeds(self.before)

    @staticmethod
    def _without_speeds(attributes: list[Any]) -> list[Any]:
        return [*attributes[:4], attributes[_SPECIAL]]

    def close(self) -> None:
        """End everything that still runs on the terminal."""
        if not self.has_ended:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        for descriptor in (self.master, self._slave):
            os.close(descriptor)
