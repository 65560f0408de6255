"""What a probe starts dies with it, and a probe that asks for a password on the terminal gets it."""

import ast
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pylatencymap.probes.launcher import KEEPER, TerminalLoan

WAITED = 60
OLDEST_PYTHON = (3, 6)
Gone = Callable[[int], bool]
STAYS = "while :; do sleep 0.2; done"
SHAPES = {
    "a pipe": "sh -c 'echo $$ >> $PIDS; exec sleep 986' | cat",
    "a background loop": f"({STAYS}) & echo $! >> $PIDS; exec sleep 986",
    "a session of its own": "setsid sh -c 'echo $$ >> $PIDS; exec sleep 986' & wait",
    "an orphan in a session of its own": "(setsid sh -c 'echo $$ >> $PIDS; exec sleep 986' &); exec sleep 986",
    "job control": "set -m; sh -c 'echo $$ >> $PIDS; exec sleep 986' & wait",
    "nothing that heeds signals": "trap '' INT TERM HUP; sh -c 'echo $$ >> $PIDS; exec sleep 986' & wait",
}
"""Scripts that leave a process behind unless somebody ends it. Each writes the process's number to the file $PIDS."""
READY = "until [ -s $PIDS ]; do sleep 0.05; done; echo ready"
STREAM = """for n in 1 2 3; do
echo '<begin record>'; echo "timestamp,microsec,170000000${n}000000,x"; echo label,mine; echo latencyunit,microsec
echo datasource,bpf; echo "64,${n}0"; echo '<end record>'; done"""
PROMPT = "Password for the probe: "


@pytest.fixture
def pids(tmp_path: Path) -> Iterator[Path]:
    """The file with the numbers of the processes that a script started; those that are left in the end are killed."""
    path = tmp_path / "pids"
    yield path
    for number in path.read_text().split() if path.exists() else []:
        if f"PIDS={path}".encode() in _environ(int(number)):
            os.kill(int(number), signal.SIGKILL)


def _environ(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/environ").read_bytes()
    except OSError:
        return b""


def script(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / f"pylatencymap-{name}"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def started(words: list[str], pids: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "PIDS": str(pids)})


def left(pids: Path, gone: Gone) -> list[str]:
    """What is left of the processes whose numbers are in a file: each with its parents."""
    return [" <- ".join(_parents(int(number))) for number in pids.read_text().split() if not gone(int(number))]


def _parents(process: int) -> Iterator[str]:
    """A process, its parent and so on, each as ``number name state``."""
    while process:
        try:
            head, _, tail = Path(f"/proc/{process}/stat").read_text().rpartition(")")
        except OSError:
            return
        state, parent = tail.split()[:2]
        yield f"{head.replace('(', '')} {state}"
        process = int(parent)


def check_all_dies(keeper: "subprocess.Popen[bytes]", pids: Path, gone: Gone) -> None:
    """Close the keeper's standard input when its program is ready: nothing is left of it then."""
    assert keeper.stdout is not None
    assert keeper.stdin is not None
    assert keeper.stdout.readline() == b"ready\n"
    keeper.stdin.close()
    assert not left(pids, gone)
    keeper.stdout.close()
    assert keeper.wait(WAITED) == 0


def changed_keeper(tmp_path: Path, name: str, seconds: float) -> Path:
    """A keeper with other seconds in one of its constants."""
    path = tmp_path / "keeper.py"
    changed, count = re.subn(rf"^{name} = .*", f"{name} = {seconds}", KEEPER.read_text(), flags=re.MULTILINE)
    assert count == 1
    path.write_text(changed)
    return path


@pytest.mark.parametrize("mode", [["--terminal"], []])
@pytest.mark.parametrize("shape", SHAPES)
def test_what_a_program_started_dies_with_it(
    shape: str, mode: list[str], tmp_path: Path, pids: Path, gone: Gone
) -> None:
    program = script(tmp_path, "x", f"({READY}) & {SHAPES[shape]}")
    keeper = started([sys.executable, "-I", str(KEEPER), *mode, str(program)], pids)
    check_all_dies(keeper, pids, gone)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL])
def test_it_dies_however_the_viewer_ends(number: int, tmp_path: Path, pids: Path, gone: Gone) -> None:
    script(tmp_path, "x", f"({READY}; {STREAM}) & {SHAPES['a background loop']}")
    environ = {**os.environ, "PIDS": str(pids), "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    words = [sys.executable, "-m", "pylatencymap", "collect", "x"]
    viewer = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environ)
    assert viewer.stdout is not None
    assert viewer.stdout.readline()
    viewer.send_signal(number)
    viewer.wait(WAITED)
    assert not left(pids, gone)
    viewer.stdout.close()


def test_a_keeper_that_was_held_up_still_kills(tmp_path: Path, pids: Path, gone: Gone) -> None:
    """A busy machine can leave it no time between the last words and the end of the time to kill in."""
    keeper_file = changed_keeper(tmp_path, "KILL_SECONDS", 0.0)
    program = script(tmp_path, "x", f"({READY}) & {SHAPES['a background loop']}")
    keeper = started([sys.executable, "-I", str(keeper_file), str(program)], pids)
    check_all_dies(keeper, pids, gone)


def test_what_is_left_dies_when_the_program_ends_by_itself(tmp_path: Path, pids: Path, gone: Gone) -> None:
    speaks = f"(echo last words; echo > {tmp_path}/spoken; trap '' INT TERM; exec sleep 986) & echo $! >> $PIDS"
    program = script(tmp_path, "x", f"{speaks}; until [ -s {tmp_path}/spoken ]; do sleep 0.05; done; exit 7")
    keeper = started([sys.executable, "-I", str(KEEPER), str(program)], pids)
    assert keeper.stdout is not None
    assert keeper.stdout.read() == b"last words\n"
    assert not left(pids, gone)
    assert keeper.wait(WAITED) == 7


def test_the_keeper_waits_for_the_end_of_a_pipe(tmp_path: Path, pids: Path) -> None:
    """The program ends before the other end of its pipe has printed."""
    patient = changed_keeper(tmp_path, "LAST_WORDS_SECONDS", 60.0)
    program = script(tmp_path, "x", "echo 5 | (sleep 0.2; cat) & exit 0")
    keeper = started([sys.executable, "-I", str(patient), str(program)], pids)
    assert keeper.stdout is not None
    assert keeper.stdout.read() == b"5\n"
    assert keeper.wait(WAITED) == 0


def test_a_program_without_the_terminal_has_a_session_of_its_own(tmp_path: Path, pids: Path) -> None:
    session_of = "import os, sys; print(os.getsid(int(sys.argv[1])))"
    program = script(tmp_path, "x", f"echo $$; {sys.executable} -c '{session_of}' $$")
    keeper = started([sys.executable, "-I", str(KEEPER), str(program)], pids)
    assert keeper.stdout is not None
    process, session = keeper.stdout.read().split()
    assert process == session
    keeper.wait(WAITED)


def test_the_keeper_is_for_the_python_of_old_systems() -> None:
    ast.parse(KEEPER.read_text(), feature_version=OLDEST_PYTHON)


class Shell:
    """A terminal with a command in its foreground."""

    def __init__(self, words: list[str], environ: dict[str, str]) -> None:
        self.process, self.terminal = pty.fork()
        if not self.process:
            os.execvpe(words[0], words, environ)
        self._poll = select.poll()
        self._poll.register(self.terminal, select.POLLIN)
        self.seen = b""

    def read_until(self, sign: bytes) -> bool:
        """Whether the sign was seen before the command ended or WAITED seconds passed."""
        deadline = time.monotonic() + WAITED
        while sign not in self.seen and time.monotonic() < deadline:
            if self._poll.poll(100):
                try:
                    self.seen += os.read(self.terminal, 65536)
                except OSError:  # the command has ended
                    break
        return sign in self.seen

    def type(self, text: bytes) -> None:
        os.write(self.terminal, text)

    def status(self) -> int:
        self.read_until(b"\0 never printed")
        _, status = os.waitpid(self.process, 0)
        os.close(self.terminal)
        return os.waitstatus_to_exitcode(status)


ASKS = f"""{sys.executable} -c 'import getpass; print(getpass.getpass("{PROMPT}"), file=open("told", "w"))' || exit 9
{STREAM}"""


def shell(tmp_path: Path, text: str, *words: str) -> Shell:
    script(tmp_path, "asks", text)
    environ = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": os.getcwd(), "TERM": "xterm"}
    return Shell(["sh", "-c", f"cd {tmp_path}; {sys.executable} -m pylatencymap {' '.join(words)}"], environ)


def test_a_probe_gets_the_terminal_to_ask_for_a_password(tmp_path: Path) -> None:
    run = shell(tmp_path, ASKS, "collect", "asks", "--to", "jsonl")
    assert run.read_until(PROMPT.encode())
    run.type(b"s3cret!\n")
    assert run.status() == 0
    assert (tmp_path / "told").read_text() == "s3cret!\n"
    assert b"s3cret" not in run.seen
    assert run.seen.count(b'"counts"') == 2


def test_we_have_the_terminal_again_when_the_probe_speaks(tmp_path: Path) -> None:
    run = shell(tmp_path, ASKS + "\nexec sleep 986", "live", "asks")
    assert run.read_until(PROMPT.encode())
    run.type(b"s3cret!\n")
    assert run.read_until(b"mine")
    run.type(b"q")
    assert run.status() == 0


def test_ctrl_c_at_the_prompt_ends_both(tmp_path: Path) -> None:
    run = shell(tmp_path, ASKS.replace(" || exit 9", ""), "collect", "asks")
    assert run.read_until(PROMPT.encode())
    run.type(b"\x03")
    assert run.status() == 130
    assert not (tmp_path / "told").exists()


def test_a_probe_that_asks_too_late_is_ended_with_the_reason(tmp_path: Path) -> None:
    run = shell(tmp_path, f"{STREAM}\nread word < /dev/tty; echo $word > told", "collect", "asks")
    assert run.status() == 3
    assert b"wants to ask something on the terminal" in run.seen
    assert not (tmp_path / "told").exists()


def test_without_a_terminal_nothing_is_lent() -> None:
    code = "from pylatencymap.probes.launcher import TerminalLoan as T; t = T(); print(t.lend(1), t.was_lent)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, start_new_session=True, check=False
    )
    assert done.stdout == "False False\n"
    TerminalLoan().take_back()
