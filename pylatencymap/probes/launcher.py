"""Starts a probe, as root if needed, and follows it to its end: its output, its error messages, its exit status."""

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

# Only the probe gets root.


RunCommand = Callable[[list[str]], int]


def as_root(words: list[str], machine: Machine, run: RunCommand = subprocess.call) -> list[str]:
    """The command that starts a program as root. If sudo needs a password, it asks for it now, on the terminal, because
    later the live view covers the terminal. ``run`` runs a program on this terminal and returns its exit status.
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
"""The longest wait for the first line; after that the live view starts and says that there is no data yet."""
PATIENCE_SECONDS = 3.0
"""The same for programs that do not announce when they measure."""
END_SECONDS = 3.0
"""How long we wait for a probe to end after we asked it to."""
LINES_QUOTED = 6
"""How many of a failed probe's last lines a message quotes."""

Watched = TypeVar("Watched")


class RunningProbe:
    """A running probe; ``output`` is the file descriptor to read. The probe ends when ``ask_to_end`` or ``close`` is
    called. It also ends when this process dies, for whatever reason, because its standard input is a pipe whose other
    end only we hold.
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
                preexec_fn=os.setpgrp,  # only we get SIGINT on Ctrl-C, and then end the probe ourselves
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
        """Wait for the probe's first output. If it ends without any, raises SourceError with the probe's messages."""
        poll = select.poll()
        poll.register(self.output, select.POLLIN)
        events = poll.poll(seconds * 1000)
        if events and not events[0][1] & select.POLLIN:
            self._process.wait()
            raise SourceError(self._failure())

    def watch_output(self, items: Iterable[Watched]) -> Iterator[Watched]:
        """Pass on ``items``, which are made from the probe's output. Afterwards raises SourceError if the probe failed
        without being asked to end. A probe whose output is still open at that point has done its work.
        """
        yield from items
        if self._lifeline is None or not self._is_over():
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            if self._process.wait(END_SECONDS):
                raise SourceError(self._failure())

    @property
    def age(self) -> float:
        """Seconds since the probe was started."""
        return time.monotonic() - self._started

    def ask_to_end(self) -> None:
        """Ask the probe to print the data it has, and to end."""
        lifeline, self._lifeline = self._lifeline, None
        if lifeline is not None:
            os.close(lifeline)

    def close(self) -> None:
        """Stop reading the probe's output and wait for its end. The probe has to end by itself: it can run as root, so
        we cannot kill it.
        """
        self.ask_to_end()
        assert self._process.stdout is not None
        self._process.stdout.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(END_SECONDS)

    def _is_over(self) -> bool:
        """Whether no process holds the other end of the output any more."""
        poll = select.poll()
        poll.register(self.output, 0)
        return bool(poll.poll(0))

    def _failure(self) -> str:
        """The message for a probe that failed."""
        self._messages.seek(0)
        text = self._messages.read().decode("utf-8", "replace")
        last = [printable(line.strip(), 300) for line in text.splitlines() if line.strip()][-LINES_QUOTED:]
        reason = " | ".join(last) or "it said nothing"
        return f"{self.name}: the probe ended with status {self._process.returncode}: {reason}. {self._advice()}"

    def _advice(self) -> str:
        return f"'pylatencymap collectors --check {self.name}' says what it needs"


def launch_probe(name: str, command: ProbeCommand, machine: Machine, seconds: float | None = None) -> RunningProbe:
    """Start a probe and return when it measures. If the probe does not announce that, wait a moment for it to print
    something or to fail, but no longer than the ``seconds`` that it is to run. Raises SourceError.
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
    """The words to start, with the script in a file that exists as long as the context."""
    words = [sys.executable, "-I", str(KEEPER), *command.words] if command.kept else command.words
    if not command.script:
        yield words
        return
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", prefix="pylatencymap-") as file:
        file.write(command.script)
        file.flush()
        yield [file.name if word == SCRIPT_FILE else word for word in words]
