"""The live view shows hostile names, marks, notes and typed text without passing on a command to the terminal."""

import os
import pty
import select
import signal
import sys
import time
import zlib
from pathlib import Path

import pytest

from tests.trust.hostile import EVIL, INPUTS, SEQUENCES, WORD, leaks, record

WAITED = 60
ROOT = Path(__file__).parents[2]
QUIET_MS = 400
"""Milliseconds without output after which the next key is pressed; it only decides how much is seen of each picture."""
KEYS = [
    b"g",
    b"g",
    b"/",
    b"\x1b",
    b"?",
    b"\x1b",
    b"m",
    EVIL.encode() + b"\r",
    b"/",
    EVIL.encode(),
    b"\x1b",
    b"s",
    b"\t",
    b"q",
]


def terminal_sees(words: list[str], folder: Path, keys: list[bytes]) -> bytes:
    """All that a terminal gets from a run during which these keys are pressed, each when the screen is quiet."""
    process, terminal = pty.fork()
    if not process:
        os.chdir(folder)
        environ = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        os.execvpe(sys.executable, [sys.executable, "-m", "pylatencymap", *words], environ)
    poll = select.poll()
    poll.register(terminal, select.POLLIN)
    seen, left, deadline = b"", list(keys), time.monotonic() + WAITED
    while time.monotonic() < deadline:
        if poll.poll(QUIET_MS):
            try:
                seen += os.read(terminal, 65536)
            except OSError:  # it has ended
                break
        elif left and b"\x1b[?1049h" in seen:
            os.write(terminal, left.pop(0))
    else:
        os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    os.close(terminal)
    return seen


@pytest.mark.parametrize("place", ["label", "mark", "note", "SQL trace"])
def test_no_command_reaches_the_terminal(place: str, tmp_path: Path) -> None:
    other = "".join(record(second, 500 * second, label="other" + EVIL) for second in (7, 8, 9))
    given = INPUTS[place] + (other if place != "SQL trace" else "")
    (tmp_path / f"given{WORD}.txt".replace("/", "")).write_text(given)
    name = next(tmp_path.iterdir()).name
    text = terminal_sees(["--speed", "max", name], tmp_path, KEYS).decode("utf-8", "replace")
    assert "PWN" in text
    assert [sequence for sequence in SEQUENCES if sequence in text] == []
    for path in tmp_path.iterdir():
        if path.name != name:
            assert not leaks(path.name)
        if path.name.endswith(".lmap.gz"):
            assert not leaks(zlib.decompress(path.read_bytes(), 31).decode())
