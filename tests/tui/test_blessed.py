"""What is used of blessed asks nothing, waits for nothing and writes nothing, whatever the terminal does."""

import os
import select
import subprocess
import sys
import termios
from collections.abc import Iterator

import pytest

from tests.waiting import PATIENCE

KEYS = """
import os
from pylatencymap.tui.terminal.key_names import KeyNames
keys = KeyNames()
keys.learn()
names = [keys.name(text) for text in ("\\x1b[A", "\\x1bOB", "\\x1b[1;2C", "\\x1b[5~", "\\x1b[Z", "x")]
os.write(3, " ".join(names).encode())
"""


@pytest.fixture
def pty() -> Iterator[tuple[int, int]]:
    master, slave = os.openpty()
    yield master, slave
    os.close(master)
    os.close(slave)


@pytest.mark.parametrize("term", ["xterm-256color", "tmux-256color", "linux", "no-such-terminal"])
@pytest.mark.parametrize("held", [False, True])
def test_keys_are_learned_on_a_silent_or_stopped_terminal(pty: tuple[int, int], term: str, held: bool) -> None:
    """Standard input, output and error are a terminal that answers nothing and, where ``held``, takes nothing."""
    master, slave = pty
    if held:
        termios.tcflow(slave, termios.TCOOFF)  # what Ctrl-S does
    before = termios.tcgetattr(slave)
    reader, writer = os.pipe()
    program = [sys.executable, "-c", f"import os; os.dup2({writer}, 3)\n{KEYS}"]
    environ = {**os.environ, "TERM": term}
    child = subprocess.Popen(
        program,
        stdin=slave,
        stdout=slave,
        stderr=subprocess.PIPE,
        pass_fds=(writer,),
        env=environ,
        start_new_session=True,
    )
    try:
        _, errors = child.communicate(timeout=PATIENCE)
    finally:
        child.kill()
        os.close(writer)
    with os.fdopen(reader, "rb") as told:
        names = told.read().decode().split()
    assert not errors
    assert names == ["KEY_UP", "KEY_DOWN", "KEY_SRIGHT", "KEY_PGUP", "KEY_BTAB", "x"]
    assert not select.select([master], [], [], 0)[0], "something was written to the terminal"
    assert termios.tcgetattr(slave) == before
