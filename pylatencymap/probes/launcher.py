"""Starts a probe, as root if needed, and follows it to its end: its output, its error messages, its exit status."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
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
from .keeper import GRANTED, INTERRUPTED, REFUSED
from .machine import Machine

RunCommand = Callable[[list[str]], int]
"""Runs a program on this terminal and returns its exit status."""


# Only the probe gets root.


def as_root(words: list[str], machine: Machine, run: RunCommand = subprocess.call) -> list[str]:
    """The command that starts a program as root. If sudo needs a password for it, sudo asks for it now, on the
    terminal, because later the live view covers the terminal. ``run`` runs a program on this terminal and returns its
    exit status. sudo is asked about this very program: rules may allow nothing else.
    """
    if machine.is_root():
        return words
    sudo = machine.which("sudo")
    if sudo is None:
        raise SourceError("measuring needs root, and there is no sudo here: run this command as root")
    if machine.ask([sudo, "-n", "-l", "--", *words]).status:
        _ask_for_password(sudo, run)
    return [sudo, "-n", "--", *words]


def _ask_for_password(sudo: str, run: RunCommand) -> None:
    if run([sudo, "-v"]):
        raise SourceError("measuring needs root, and sudo did not give it: run this command as root")


class DeniedBySudo(SourceError):
    """sudo did not start a program; it may want a password."""


KEEPER = Path(__file__).with_name("keeper.py")
READY_SECONDS = 30.0
"""The longest wait for the first line; after that the live view starts and says that there is no data yet."""
PATIENCE_SECONDS = 3.0
"""The same for programs that do not announce when they measure."""
END_SECONDS = 3.0
"""How long we wait for a probe to end after we asked it to."""
LINES_QUOTED = 6
"""How many of a failed probe's last lines a message quotes."""

SUDO_SAYS = "sudo:"
"""How the messages of sudo itself begin, in any language."""

Watched = TypeVar("Watched")


class TerminalLoan:
    """Lends our terminal to a process group of our session, as a shell does with ``fg``; only if we have it ourselves.

    Ctrl-C then goes to that group and not to us.
    """

    def __init__(self) -> None:
        self.was_lent = False

    def lend(self, group: int) -> bool:
        """Put a process group into the foreground; returns whether it is there."""
        with contextlib.suppress(OSError), open("/dev/tty", "rb", buffering=0) as terminal:
            if os.tcgetpgrp(terminal.fileno()) in (os.getpgrp(), group):
                self._put(terminal.fileno(), group)
                self.was_lent = True
                return True
        return False  # we have no terminal, or somebody else has it

    def take_back(self) -> None:
        """Put our own process group into the foreground again if we lent the terminal."""
        if self.was_lent:
            with contextlib.suppress(OSError), open("/dev/tty", "rb", buffering=0) as terminal:
                self._put(terminal.fileno(), os.getpgrp())

    def _put(self, terminal: int, group: int) -> None:
        """SIGTTOU, with which the system stops a background process that does this, has to be blocked meanwhile."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})
        try:
            os.tcsetpgrp(terminal, group)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class RunningProbe:
    """A running probe; ``output`` is the file descriptor to read. The probe ends when ``ask_to_end`` or ``close`` is
    called. It also ends when this process dies, for whatever reason, because its standard input is a socket whose other
    end only we hold. With ``asks`` it is a keeper that asks there for the terminal, see ``keeper``.
    """

    def __init__(
        self, name: str, words: list[str], environ: Mapping[str, str] | None = None, *, asks: bool = False
    ) -> None:
        self.name = name
        self._asks = asks
        self._messages = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the probe
        lifeline, far_end = socket.socketpair()
        self._lifeline: socket.socket | None = lifeline
        self._terminal = TerminalLoan()
        try:
            self._process = subprocess.Popen(
                words,
                stdin=far_end.fileno(),
                stdout=subprocess.PIPE,
                stderr=self._messages,
                env={**os.environ, **(environ or {})},
                # Only we get SIGINT on Ctrl-C, and then end the probe ourselves. No session of its own, in which sudo
                # would not know the password that was given: it remembers passwords by terminal.
                preexec_fn=os.setpgrp,
            )
        except OSError as error:
            lifeline.close()
            raise SourceError(f"{name}: {words[0]} cannot be started: {error.strerror}") from error
        finally:
            far_end.close()
        assert self._process.stdout is not None
        self.output = self._process.stdout.fileno()
        self._started = time.monotonic()

    def wait_until_ready(self, seconds: float = READY_SECONDS) -> None:
        """Wait for the probe's first output. A probe that asks for the terminal has it until then, and as long as it
        likes. If the probe ends without any output, raises SourceError with its messages, DeniedBySudo if only sudo
        spoke, or KeyboardInterrupt if Ctrl-C ended it.
        """
        try:
            events = self._first_output(seconds)
        finally:
            self._terminal.take_back()
            self._answer(REFUSED)
        if events and not events & select.POLLIN:
            self._process.wait()
            if self._terminal.was_lent and self._process.returncode == INTERRUPTED:
                raise KeyboardInterrupt
            raise (DeniedBySudo if self._only_sudo_spoke() else SourceError)(self._failure())

    def _first_output(self, seconds: float) -> int:
        """Wait for the first output or the end; returns the events of ``poll``, 0 if nothing came in time."""
        poll = select.poll()
        poll.register(self.output, select.POLLIN)
        assert self._lifeline is not None
        poll.register(self._lifeline, select.POLLIN)
        deadline = time.monotonic() + seconds
        while True:
            left = None if self._terminal.was_lent else max(deadline - time.monotonic(), 0.0) * 1000
            events = dict(poll.poll(left))
            if self.output in events or not events:
                return events.get(self.output, 0)
            if asked := self._lifeline.recv(4096).split():
                self._answer(GRANTED if self._terminal.lend(int(asked[-1])) else REFUSED)
            else:
                poll.unregister(self._lifeline)  # the probe does not use its standard input

    def _answer(self, word: bytes) -> None:
        """Tell the keeper whether its program can have the terminal. Without a keeper nobody reads it."""
        if self._lifeline is not None and self._asks:
            with contextlib.suppress(OSError):  # it has ended
                self._lifeline.send(word)

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
            lifeline.close()

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

    def _lines(self) -> list[str]:
        """What the probe said on standard error."""
        self._messages.seek(0)
        text = self._messages.read().decode("utf-8", "replace")
        return [printable(line.strip(), 300) for line in text.splitlines() if line.strip()]

    def _only_sudo_spoke(self) -> bool:
        lines = self._lines()
        return bool(lines) and all(line.startswith(SUDO_SAYS) for line in lines)

    def _failure(self) -> str:
        """The message for a probe that failed."""
        reason = " | ".join(self._lines()[-LINES_QUOTED:]) or "it said nothing"
        return f"{self.name}: the probe ended with status {self._process.returncode}: {reason}. {self._advice()}"

    def _advice(self) -> str:
        return f"'pylatencymap collectors --check {self.name}' says what it needs"


def launch_probe(
    name: str,
    command: ProbeCommand,
    machine: Machine,
    seconds: float | None = None,
    run: RunCommand = subprocess.call,
) -> RunningProbe:
    """Start a probe and return when it measures. If the probe does not announce that, wait a moment for it to print
    something or to fail, but no longer than the ``seconds`` that it is to run. Raises SourceError.

    sudo can list a program without a password and yet want one to start it. Then it asks for it on the terminal, by
    ``run``, and the program is started once more.
    """
    with _words(command, machine) as words:
        if not command.root or machine.is_root():
            return _started(name, words, command, seconds)
        words = as_root(words, machine, run)
        try:
            return _started(name, words, command, seconds)
        except DeniedBySudo:
            _ask_for_password(words[0], run)
        return _started(name, words, command, seconds)


def _started(name: str, words: list[str], command: ProbeCommand, seconds: float | None) -> RunningProbe:
    """Start the words and wait until they measure."""
    patience = READY_SECONDS if command.announced else min(PATIENCE_SECONDS, seconds or PATIENCE_SECONDS)
    launched = RunningProbe(name, words, command.environ, asks=command.kept and not command.root)
    try:
        launched.wait_until_ready(patience)
    except BaseException:
        launched.close()
        raise
    return launched


@contextlib.contextmanager
def _words(command: ProbeCommand, machine: Machine) -> Iterator[list[str]]:
    """The words to start, with the script in a file that exists as long as the context."""
    words = [*_keeper(command, machine), *command.words] if command.kept else command.words
    if not command.script:
        yield words
        return
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", prefix="pylatencymap-") as file:
        file.write(command.script)
        file.flush()
        yield [file.name if word == SCRIPT_FILE else word for word in words]


def _keeper(command: ProbeCommand, machine: Machine) -> list[str]:
    """The keeper: as root under the Python of the system, and without a terminal. A program that is not root keeps
    the terminal, on which it may ask for a password.
    """
    if command.root:
        return [machine.which("python3") or sys.executable, "-I", str(KEEPER)]
    return [sys.executable, "-I", str(KEEPER), "--terminal"]
