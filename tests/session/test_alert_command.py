"""The command of an alert: what is started, what is said of it, and how one that hangs is ended."""

import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence

import pytest

from pylatencymap.session.alerts.command import (
    GRACE_SECONDS,
    LONGEST_SECONDS,
    MOST_AT_ONCE,
    TOLD_SECONDS,
    AlertCommand,
    CommandProcess,
)
from tests.waiting import PATIENCE, TICK


class Fake:
    """A process that ends when it is told to."""

    def __init__(self) -> None:
        self.status: int | None = None
        self.output = b""
        self.signals: list[int] = []
        self.asked_after_end = self.closed = False

    def ended(self) -> int | None:
        return self.status

    def read(self) -> bytes:
        found, self.output = self.output, b""
        return found

    def signal(self, number: int) -> None:
        self.signals.append(number)

    def close(self) -> None:
        self.closed = True


class Rig:
    def __init__(self) -> None:
        self.now = 100.0
        self.started: list[Fake] = []
        self.given: list[tuple[Sequence[str], Mapping[str, str]]] = []
        self.command = AlertCommand(["mail", "-s", "slow disk"], self._start, lambda: self.now)

    def _start(self, argv: Sequence[str], environment: Mapping[str, str]) -> Fake:
        self.given.append((argv, environment))
        self.started.append(Fake())
        return self.started[-1]

    def after(self, seconds: float) -> list[str]:
        self.now += seconds
        return self.command.look()


def test_one_that_ends_well_says_nothing() -> None:
    rig = Rig()
    rig.command.run({"A": "1"})
    assert rig.given == [(("mail", "-s", "slow disk"), {"A": "1"})]
    rig.started[0].output, rig.started[0].status = b"sent\n", 0
    assert rig.after(1) == []
    assert rig.started[0].closed


@pytest.mark.parametrize(
    ("status", "output", "said"),
    [
        (3, b"one\nno \x1b]0;owned\x07route\n\n", "failed with status 3: no \\x1b]0;owned\\x07route"),
        (1, b"", "failed with status 1"),
        (-11, b"\xff\n", "was killed by signal 11: \ufffd"),
        (1, b"password=tiger", "failed with status 1: password=***"),
    ],
)
def test_a_failure_is_told_once_with_its_last_line_escaped(status: int, output: bytes, said: str) -> None:
    rig = Rig()
    rig.command.run({})
    rig.started[0].output, rig.started[0].status = output, status
    assert rig.after(1) == [f"--alert-run: mail {said}"]
    assert rig.after(1) == []


def test_one_that_hangs_is_ended_with_its_group() -> None:
    rig = Rig()
    rig.command.run({})
    assert rig.after(LONGEST_SECONDS - 0.1) == []
    (hangs,) = rig.started
    assert hangs.signals == []
    assert rig.after(0.1) == []
    assert hangs.signals == [signal.SIGTERM]
    hangs.status = -signal.SIGTERM
    assert rig.after(GRACE_SECONDS - 0.1) == []
    assert rig.after(0.1) == ["--alert-run: mail hung, and was ended after 30 s"]
    assert hangs.signals == [signal.SIGTERM, signal.SIGKILL], "what it started can be there yet"
    assert hangs.closed


def test_no_more_than_some_run_at_once() -> None:
    rig = Rig()
    for _ in range(MOST_AT_ONCE + 1):
        rig.command.run({})
    assert len(rig.started) == MOST_AT_ONCE
    assert rig.after(0) == [f"--alert-run: mail was not run: {MOST_AT_ONCE} of them are still running"]


def test_the_end_waits_for_it_and_says_so() -> None:
    rig, told = Rig(), []
    rig.command.run({})

    def pause(seconds: float) -> None:
        rig.now += seconds
        if rig.now > 105:
            rig.started[0].status = 0

    assert rig.command.wait(pause, lambda: False, lambda: told.append(rig.now)) == []
    assert told == [pytest.approx(100 + TOLD_SECONDS, abs=0.11)]
    assert rig.command.wait(pause, lambda: False, lambda: told.append(rig.now)) == []


def test_a_hurried_end_asks_and_then_kills() -> None:
    rig = Rig()
    rig.command.run({})

    def pause(seconds: float) -> None:
        rig.now += seconds

    said = rig.command.wait(pause, lambda: True, lambda: None)
    assert said == ["--alert-run: mail was ended before it was done"]
    assert rig.started[0].signals == [signal.SIGTERM, signal.SIGKILL]
    assert rig.now < 100 + GRACE_SECONDS + 1


@pytest.mark.parametrize(("status", "failed"), [(0, []), (3, ["--alert-run: mail failed with status 3"])])
def test_one_that_is_done_when_somebody_is_in_a_hurry_is_not_ended(status: int, failed: list[str]) -> None:
    rig = Rig()
    rig.command.run({})

    def pause(seconds: float) -> None:
        rig.now += seconds
        rig.started[0].status = status

    assert rig.command.wait(pause, lambda: True, lambda: None) == failed
    assert rig.started[0].signals == []
    assert rig.now < 100 + GRACE_SECONDS


def until_it_speaks(command: AlertCommand) -> list[str]:
    """What is said of a real process, as soon as it is."""
    latest = time.monotonic() + PATIENCE
    while not (said := command.look()):
        assert time.monotonic() < latest
        time.sleep(TICK)
    return said


def test_a_real_one_has_no_shell_no_terminal_and_the_facts() -> None:
    script = (
        "import os,sys; print(sys.argv[1:], os.environ['FACT'], os.getsid(0) == os.getpid(), sys.stdin.read()); exit(4)"
    )
    command = AlertCommand([sys.executable, "-c", script, "$HOME", "; ls"])
    command.run({"FACT": "`id`"})
    (said,) = until_it_speaks(command)
    assert said.endswith("failed with status 4: ['$HOME', '; ls'] `id` True")


def test_one_that_floods_us_and_hangs_is_ended_for_real() -> None:
    """Its child, which ignores SIGTERM, too; the clock runs ahead."""
    now = [0.0]
    processes: list[CommandProcess] = []

    def start(argv: Sequence[str], environment: Mapping[str, str]) -> CommandProcess:
        processes.append(CommandProcess(argv, environment))
        return processes[-1]

    command = AlertCommand(["sh", "-c", "trap '' TERM; yes $$"], start, lambda: now[0])
    command.run({})
    latest = time.monotonic() + PATIENCE
    while not (found := processes[0].read().split()):
        assert time.monotonic() < latest
        time.sleep(TICK)
    group = int(found[1])
    now[0] = LONGEST_SECONDS
    assert command.look() == []
    now[0] += GRACE_SECONDS
    assert command.look() == ["--alert-run: sh hung, and was ended after 30 s"]
    while True:
        assert time.monotonic() < latest
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        processes[0].ended()
        time.sleep(TICK)


def test_what_cannot_be_started_is_told() -> None:
    command = AlertCommand(["/nonexistent/program"])
    command.run({})
    assert command.look() == ["--alert-run: /nonexistent/program cannot be started: No such file or directory"]
