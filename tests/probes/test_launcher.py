"""A probe ends with whoever started it, and what it failed of is told."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pylatencymap.errors import SourceError
from pylatencymap.probes.contract import ProbeCommand
from pylatencymap.probes.launcher import KEEPER, RunningProbe, launch_probe
from pylatencymap.probes.machine import Machine

WAITED = 60
READS_TO_THE_END = "print('ready', flush=True)\nsys.stdin.read()\nprint('last words', flush=True)"
NEVER_ENDS = "print('ready', flush=True)\nwhile True: time.sleep(60)"
STARTS_AND_WAITS = """
import sys, time
from pylatencymap.probes.launcher import RunningProbe
launched = RunningProbe("test", sys.argv[1:])
launched.wait_until_ready()
print("started", flush=True)
while True: time.sleep(60)
"""
Fake = Callable[[str], list[str]]
Gone = Callable[[int], bool]


def pid_of(folder: Path) -> int:
    return int((folder / "pid").read_text())


def read_all(launched: RunningProbe) -> str:
    with os.fdopen(os.dup(launched.output)) as output:
        return output.read()


def test_it_prints_what_it_has_when_it_is_asked_to_end(fake_probe: Fake) -> None:
    launched = RunningProbe("test", fake_probe(READS_TO_THE_END))
    launched.wait_until_ready()
    launched.ask_to_end()
    launched.ask_to_end()
    assert read_all(launched) == "ready\nlast words\n"
    launched.close()


def test_it_has_ended_when_it_is_closed(fake_probe: Fake, tmp_path: Path, gone: Gone) -> None:
    launched = RunningProbe("test", fake_probe(READS_TO_THE_END))
    launched.wait_until_ready()
    launched.close()
    assert gone(pid_of(tmp_path))


@pytest.mark.parametrize("kept", [False, True])
def test_it_ends_when_its_parent_is_killed(
    kept: bool, fake_probe: Fake, tmp_path: Path, gone: Gone, root: Path
) -> None:
    words = fake_probe(NEVER_ENDS if kept else READS_TO_THE_END)
    words = [sys.executable, "-I", str(KEEPER), *words] if kept else words
    parent = subprocess.Popen(
        [sys.executable, "-c", STARTS_AND_WAITS, *words],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    assert parent.stdout is not None
    assert parent.stdout.readline() == b"started\n"
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    assert gone(pid_of(tmp_path))


def test_a_keeper_interrupts_before_it_kills(fake_probe: Fake, tmp_path: Path, gone: Gone) -> None:
    patient = tmp_path / "keeper.py"
    patient.write_text(KEEPER.read_text().replace("LAST_WORDS_SECONDS = 2.0", "LAST_WORDS_SECONDS = 60.0"))
    naps = "[time.sleep(0.1) for _ in range(6000)]"  # in one long sleep a signal just before it would not be heard
    body = f"try: print('ready', flush=True); {naps}\nexcept KeyboardInterrupt: print('totals', flush=True)"
    launched = RunningProbe("test", [sys.executable, "-I", str(patient), *fake_probe(body)])
    launched.wait_until_ready()
    launched.ask_to_end()
    assert read_all(launched) == "ready\ntotals\n"
    launched.close()
    assert gone(pid_of(tmp_path))


def test_a_keeper_ends_what_does_not_want_to(fake_probe: Fake, tmp_path: Path, gone: Gone) -> None:
    body = f"import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n{NEVER_ENDS}"
    launched = RunningProbe("test", [sys.executable, "-I", str(KEEPER), *fake_probe(body)])
    launched.wait_until_ready()
    launched.ask_to_end()
    assert gone(pid_of(tmp_path))
    launched.close()


def test_a_keeper_that_is_killed_takes_its_program_along(fake_probe: Fake, tmp_path: Path, gone: Gone) -> None:
    keeper = subprocess.Popen(
        [sys.executable, "-I", str(KEEPER), *fake_probe(NEVER_ENDS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert keeper.stdout is not None
    assert keeper.stdout.readline() == b"ready\n"
    keeper.kill()
    keeper.wait()
    assert gone(pid_of(tmp_path))


def test_a_keeper_ends_its_program_when_nobody_reads(fake_probe: Fake, tmp_path: Path, gone: Gone) -> None:
    keeper = subprocess.Popen(
        [sys.executable, "-I", str(KEEPER), *fake_probe(NEVER_ENDS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert keeper.stdout is not None
    assert keeper.stdout.readline() == b"ready\n"
    keeper.stdout.close()
    assert gone(pid_of(tmp_path))
    assert keeper.wait(WAITED) == 0


def test_a_probe_that_cannot_start_is_quoted_before_anything_is_drawn(fake_probe: Fake) -> None:
    body = "print('lockdown forbids it', file=sys.stderr)\nsys.exit(3)"
    with pytest.raises(SourceError, match=r"bpf: .* status 3: lockdown forbids it\. .*collectors --check bpf"):
        launch_probe("bpf", ProbeCommand(fake_probe(body), "records"), Root())


def test_control_characters_of_a_probe_do_not_reach_the_terminal(fake_probe: Fake) -> None:
    body = "print('\\x1b]0;title\\x07', file=sys.stderr)\nsys.exit(1)"
    with pytest.raises(SourceError) as caught:
        launch_probe("bpf", ProbeCommand(fake_probe(body), "records"), Root())
    assert "\x1b" not in str(caught.value)


def test_a_program_that_is_not_there_is_named() -> None:
    with pytest.raises(SourceError, match="/no/such/program cannot be started: No such file"):
        launch_probe("bpf", ProbeCommand(["/no/such/program"], "records"), Root())


def test_what_a_probe_printed_comes_before_its_failure(fake_probe: Fake) -> None:
    body = "print('one', flush=True)\nprint('the disk is gone', file=sys.stderr)\nsys.exit(1)"
    launched = launch_probe("bpf", ProbeCommand(fake_probe(body), "records"), Root())
    seen: list[str] = []
    with pytest.raises(SourceError, match="the disk is gone"):
        seen.extend(launched.watch_output(read_all(launched).splitlines()))
    assert seen == ["one"]
    launched.close()


def test_a_probe_that_ends_well_is_no_failure(fake_probe: Fake) -> None:
    launched = launch_probe("bpf", ProbeCommand(fake_probe("print('one', flush=True)"), "records"), Root())
    assert list(launched.watch_output(["one"])) == ["one"]
    launched.close()


def test_a_probe_that_was_asked_to_end_may_end_as_it_likes(fake_probe: Fake) -> None:
    body = "print('ready', flush=True)\nsys.stdin.read()\nsys.exit(7)"
    launched = launch_probe("bpf", ProbeCommand(fake_probe(body), "records"), Root())
    launched.ask_to_end()
    assert list(launched.watch_output([1, 2])) == [1, 2]
    launched.close()


def test_ctrl_c_in_the_terminal_does_not_reach_it(fake_probe: Fake, tmp_path: Path) -> None:
    launched = RunningProbe("test", fake_probe(READS_TO_THE_END))
    launched.wait_until_ready()
    assert os.getpgid(pid_of(tmp_path)) != os.getpgid(0)
    launched.close()


class Root(Machine):
    """This machine, as root sees it."""

    def is_root(self) -> bool:
        return True
