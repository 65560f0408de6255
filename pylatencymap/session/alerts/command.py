"""The command of an alert: started without a shell, never waited for, and ended if it hangs."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from ...text.clean import hide_passwords, printable

LONGEST_SECONDS = 30.0
"""A command that runs longer hangs, and is asked to end (SIGTERM)."""
GRACE_SECONDS = 2.0
"""After this time what is left of it is killed."""
MOST_AT_ONCE = 8
"""More commands than this do not run at the same time."""
LOOK_SECONDS = 0.1
"""How often to look at commands that are waited for at the end."""
TOLD_SECONDS = 1.0
"""If commands still run so long after the end of the session, the user is told that it waits for them."""
KEPT_BYTES = 4096
"""So much is kept of what a command prints last."""
MOST_SHOWN = 200
_BLOCK, _BLOCKS = 65536, 16
"""At most so many blocks of its output are read at a time, so that one that floods us costs little."""


class StartedCommand(Protocol):
    """A process that leads a group. ``ended`` returns its status as ``Popen.returncode``, None while it runs;
    ``read`` what it has printed since; ``signal`` reaches all of its group.
    """

    def ended(self) -> int | None: ...

    def read(self) -> bytes: ...

    def signal(self, number: int) -> None: ...

    def close(self) -> None: ...


StartCommand = Callable[[Sequence[str], Mapping[str, str]], StartedCommand]


class CommandProcess:
    """A real one, in a session of its own: no terminal, nothing to read, and its output comes to us."""

    def __init__(self, argv: Sequence[str], environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, **environment},
            start_new_session=True,
        )
        assert self._process.stdout is not None
        self._output = self._process.stdout
        os.set_blocking(self._output.fileno(), False)

    def ended(self) -> int | None:
        """Its exit status, or minus the signal that ended it; None while it runs."""
        return self._process.poll()

    def read(self) -> bytes:
        """What it has printed since the last time, up to _BLOCKS blocks of it."""
        found = b""
        with suppress(BlockingIOError):
            for _ in range(_BLOCKS):
                block = os.read(self._output.fileno(), _BLOCK)
                if not block:
                    break
                found = (found + block)[-KEPT_BYTES:]
        return found

    def signal(self, number: int) -> None:
        """Send a signal to its group. Its number is not another's as long as ``ended`` has not told the end."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def close(self) -> None:
        """Read no more of it."""
        self._output.close()


@dataclass
class _Run:
    """One run of the command; ``asked``: when it was asked to end, on the same clock as ``begun``."""

    process: StartedCommand
    begun: float
    asked: float | None = None
    hung: bool = True
    said: bytes = b""


class AlertCommand:
    """Runs an argv for each crossing. ``look`` has to be called now and then; it returns what went wrong.

    ``start`` and ``monotonic`` are the system's, except in tests.
    """

    def __init__(
        self,
        argv: Sequence[str],
        start: StartCommand = CommandProcess,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._argv = tuple(argv)
        self._start = start
        self._monotonic = monotonic
        self._runs: list[_Run] = []
        self._failed: list[str] = []

    def run(self, environment: Mapping[str, str]) -> None:
        """Start the command with these variables beside those of our own environment."""
        if len(self._runs) >= MOST_AT_ONCE:
            self._fail(f"was not run: {MOST_AT_ONCE} of them are still running")
            return
        try:
            self._runs.append(_Run(self._start(self._argv, environment), self._monotonic()))
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            self._fail(f"cannot be started: {getattr(error, 'strerror', None) or error}")

    def look(self) -> list[str]:
        """Take notice of what has ended, and end what hangs. Returns what failed since the last time."""
        self._runs = [run for run in self._runs if not self._is_over(run)]
        failed, self._failed = self._failed, []
        return failed

    def end(self) -> None:
        """Ask all that runs to end; ``look`` kills what is left after GRACE_SECONDS."""
        for run in self._runs:
            if run.asked is None:
                self._ask(run, hung=False)

    def wait(
        self, pause: Callable[[float], object], is_hurried: Callable[[], bool], tell: Callable[[], object]
    ) -> list[str]:
        """Wait until nothing runs any more; LONGEST_SECONDS and GRACE_SECONDS at most, and less once somebody is in a
        hurry. ``tell`` is called once if that takes longer than TOLD_SECONDS. Returns what failed.
        """
        failed, begun, told = self.look(), self._monotonic(), False
        while self._runs:
            if not told and self._monotonic() - begun >= TOLD_SECONDS:
                told = True
                tell()
            pause(LOOK_SECONDS)
            failed += self.look()  # first: what was done within the pause is not ended
            if is_hurried():
                self.end()
        return failed

    def _is_over(self, run: _Run) -> bool:
        """Whether a run has ended; it is asked to, or killed, when it is time."""
        run.said = (run.said + run.process.read())[-KEPT_BYTES:]
        now = self._monotonic()
        if run.asked is None:
            status = run.process.ended()
            if status is not None:
                self._ended(run, status)
                return True
            if now - run.begun >= LONGEST_SECONDS:
                self._ask(run, hung=True)
            return False
        if now - run.asked < GRACE_SECONDS:
            return False  # not asked whether it has ended: its number stays its own until the group is killed
        run.process.signal(signal.SIGKILL)
        run.process.ended()
        self._fail(f"hung, and was ended after {LONGEST_SECONDS:g} s" if run.hung else "was ended before it was done")
        run.process.close()
        return True

    def _ask(self, run: _Run, *, hung: bool) -> None:
        run.asked, run.hung = self._monotonic(), hung
        run.process.signal(signal.SIGTERM)

    def _ended(self, run: _Run, status: int) -> None:
        """Say how a run ended, if not well."""
        run.said = (run.said + run.process.read())[-KEPT_BYTES:]
        run.process.close()
        if status == 0:
            return
        how = f"failed with status {status}" if status > 0 else f"was killed by signal {-status}"
        self._fail(how, run.said)

    def _fail(self, how: str, said: bytes = b"") -> None:
        """Keep a failure for ``look``, with the last line that the command printed."""
        lines = said.decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        words = f"--alert-run: {self._argv[0]} {how}" + (f": {last}" if last else "")
        self._failed.append(printable(hide_passwords(words), MOST_SHOWN))
