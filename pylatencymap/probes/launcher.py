"""A probe that runs: its output, its last words, and its end."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from ..errors import SourceError
from ..text.clean import printable
from .contract import SCRIPT_FILE, ProbeCommand
from .machine import Machine

# Root for the probe, and for nothing else.


RunCommand = Callable[[list[str]], int]


def as_root(words: list[str], machine: Machine, run: RunCommand = subprocess.call) -> list[str]:
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


KEEPER = Path(__file__).with_name("keeper.py")
READY_SECONDS = 30.0
"""The longest that the first line is waited for; then the screen says that nothing has come yet."""
PATIENCE_SECONDS = 3.0
"""The same for programs of which nobody knows when they will print something."""
END_SECONDS = 3.0
"""How long a probe may take to end, once it is asked to."""
LINES_TOLD = 6

Watched = TypeVar("Watched")


class RunningProbe:
    """A running probe. ``output`` is the descriptor to read. It ends when ``ask_to_end`` or ``close`` is called, and
    when this process is gone, however that happened: its standard input is a pipe whose other end only we hold.
    """

    def __init__(self, name: str, words: list[str], environ: Mapping[str, str] | None = None) -> None:
        self.name = name
        self._messages = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the probe
        read_end, lifeline = os.pipe()
        self._lifeline: int | None = lifeline
        try:
            self._process = subprocess.Popen(
                words,
                stdin=read_end,
                stdout=subprocess.PIPE,
                stderr=self._messages,
                env={**os.environ, **(environ or {})},
                preexec_fn=os.setpgrp,  # Ctrl-C is ours; we tell the probe
            )
        except OSError as error:
            os.close(lifeline)
            raise SourceError(f"{name}: {words[0]} cannot be started: {error.strerror}") from error
        finally:
            os.close(read_end)
        assert self._process.stdout is not None
        self.output = self._process.stdout.fileno()
        self._started = time.monotonic()

    def wait_until_ready(self, seconds: float = READY_SECONDS) -> None:
        """Wait for its first output. Raises SourceError, with its messages, where it ends without any."""
        poll = select.poll()
        poll.register(self.output, select.POLLIN)
        events = poll.poll(seconds * 1000)
        if events and not events[0][1] & select.POLLIN:
            self._process.wait()
            raise SourceError(self._failure())

    def watched(self, items: Iterable[Watched]) -> Iterator[Watched]:
        """What is made of its output. Raises SourceError where it failed without being asked to end; one that still
        prints when ``items`` end has done its work.
        """
        yield from items
        if self._lifeline is None or not self._is_over():
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            if self._process.wait(END_SECONDS):
                raise SourceError(self._failure())

    @property
    def age(self) -> float:
        """Seconds since it was started."""
        return time.monotonic() - self._started

    def ask_to_end(self) -> None:
        """It prints what it has, and ends."""
        lifeline, self._lifeline = self._lifeline, None
        if lifeline is not None:
            os.close(lifeline)

    def close(self) -> None:
        """Nothing more is read of it; wait for its end. It comes by itself: we could not enforce it, it is root's."""
        self.ask_to_end()
        assert self._process.stdout is not None
        self._process.stdout.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(END_SECONDS)

    def _is_over(self) -> bool:
        """Whether nobody holds the other end of its output any more."""
        poll = select.poll()
        poll.register(self.output, 0)
        return bool(poll.poll(0))

    def _failure(self) -> str:
        """What to say of a probe that failed."""
        self._messages.seek(0)
        text = self._messages.read().decode("utf-8", "replace")
        last = [printable(line.strip(), 300) for line in text.splitlines() if line.strip()][-LINES_TOLD:]
        reason = " | ".join(last) or "it said nothing"
        return f"{self.name}: the probe ended with status {self._process.returncode}: {reason}. {self._advice()}"

    def _advice(self) -> str:
        return f"'pylatencymap collectors --check {self.name}' says what it needs"


def launch_probe(name: str, command: ProbeCommand, machine: Machine, seconds: float | None = None) -> RunningProbe:
    """Start a probe; returns when it measures. One that does not announce that is given a moment to print something or
    to fail, no longer than the ``seconds`` that it is to run. Raises SourceError.
    """
    patience = READY_SECONDS if command.announced else min(PATIENCE_SECONDS, seconds or PATIENCE_SECONDS)
    with _words(command) as words:
        launched = RunningProbe(name, as_root(words, machine) if command.root else words, command.environ)
        try:
            launched.wait_until_ready(patience)
        except BaseException:
            launched.close()
            raise
    return launched


@contextlib.contextmanager
def _words(command: ProbeCommand) -> Iterator[list[str]]:
    """What is started, with its script in a file as long as that is needed."""
    words = [sys.executable, "-I", str(KEEPER), *command.words] if command.kept else command.words
    if not command.script:
        yield words
        return
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", prefix="pylatencymap-") as file:
        file.write(command.script)
        file.flush()
        yield [file.name if word == SCRIPT_FILE else word for word in words]
