"""A real terminal for the live view: a pty behind the program, an emulator in front of it."""

import os
import re
import signal
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pexpect = pytest.importorskip("pexpect")
pyte = pytest.importorskip("pyte")

ROOT = Path(__file__).parent.parent.parent
ENTER, LEAVE = b"\x1b[?1049h", b"\x1b[?1049l"
DEADLINE = 10.0
DROPPED = ("NO_COLOR", "CLICOLOR_FORCE", "COLORTERM", "COLUMNS", "LINES", "PYTHONIOENCODING", "PYTHONUTF8", "ENV")
NEUTRAL = {"TERM": "xterm-256color", "TZ": "UTC", "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT), "PY": sys.executable}
STATE_OF_SPECIAL_KEYS = 4
"""Termios fields before this are flags; then come speeds, and the list of special characters."""


class Terminal:
    """Runs a shell command on a terminal of its own; ``$PY`` is this Python, the word ``L`` is the program."""

    def __init__(self, command: str, size: tuple[int, int], env: dict[str, str], cwd: Path) -> None:
        kept = {name: value for name, value in os.environ.items() if name not in DROPPED}
        self.raw = b""
        self._gone = False
        self.screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self.screen)
        words = ["sh", "-c", re.sub(r"(?<!\S)L(?!\S)", '"$PY" -m pylatencymap', command)]
        environ = {**kept, **NEUTRAL, **env}
        self.child = pexpect.spawn(words[0], words[1:], env=environ, cwd=cwd, dimensions=size[::-1], timeout=DEADLINE)
        self.child.delaybeforesend = None
        self.child.ptyproc.delayafterclose = self.child.ptyproc.delayafterterminate = 0.01
        self.modes_before = self.modes

    @property
    def modes(self) -> list[Any]:
        """Line discipline and special keys, as stty shows them."""
        attributes = termios.tcgetattr(self.child.child_fd)
        return [*attributes[:STATE_OF_SPECIAL_KEYS], attributes[6]]

    @property
    def text(self) -> str:
        return "\n".join(self.screen.display)

    @property
    def has_view(self) -> bool:
        """Whether the alternate screen is on."""
        return self.raw.rfind(ENTER) > self.raw.rfind(LEAVE)

    @property
    def after(self) -> str:
        """What was printed after the view was left, without escape sequences."""
        _, left, rest = self.raw.rpartition(LEAVE)
        return re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]|\r", b"", rest).decode() if left else ""

    def pump(self, seconds: float) -> bool:
        """Take what comes within so many seconds; False at the end of all output."""
        try:
            data = self.child.read_nonblocking(1 << 16, timeout=seconds)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.raw += data
        self._stream.feed(data)
        return True

    def until(self, condition: Callable[[], object], what: str = "") -> None:
        """Take output until a condition holds; fails after a deadline."""
        deadline = time.monotonic() + DEADLINE
        while not condition():
            open_still = self.pump(0.05)
            if condition():
                return
            if not open_still or time.monotonic() > deadline:
                raise AssertionError(f"never came: {what or condition}\n{self.text}\n{self.raw[-2000:]!r}")

    def shows(self, *words: str) -> None:
        self.until(lambda: all(word in self.text for word in words), f"{words} on the screen")

    def prints(self, word: str) -> None:
        """Wait for a text in all that came, on the screen or not."""
        self.until(lambda: word.encode() in self.raw, f"{word!r} in the output")

    def press(self, keys: str) -> None:
        self.child.send(keys)

    def resize(self, columns: int, lines: int) -> None:
        self.screen.resize(lines, columns)
        self.child.setwinsize(lines, columns)

    def ends(self) -> int:
        """Wait for the end; the exit status."""
        deadline = time.monotonic() + DEADLINE
        while self.pump(0.05):
            assert time.monotonic() < deadline, f"still running\n{self.text}"
        self.child.wait()
        return int(self.child.exitstatus if self.child.exitstatus is not None else -self.child.signalstatus)

    def is_as_before(self) -> None:
        """The terminal is as the program found it."""
        assert not self.has_view
        assert self.raw.count(ENTER) == self.raw.count(LEAVE)
        assert not self.screen.cursor.hidden
        assert self.modes == self.modes_before

    def hang_up(self) -> int:
        """Take the terminal away, as closing its window does; the wait status of the program."""
        pid, self._gone = self.child.pid, True
        os.close(self.child.child_fd)
        deadline = time.monotonic() + DEADLINE
        while (done := os.waitpid(pid, os.WNOHANG))[0] == 0:
            if time.monotonic() > deadline:
                os.kill(pid, signal.SIGKILL)
            time.sleep(0.01)
        return done[1]

    def close(self) -> None:
        if not self._gone:
            self.child.close(force=True)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    """Makes terminals; all of them are closed at the end of the test."""
    made: list[Terminal] = []

    def make(command: str, size: tuple[int, int] = (100, 30), **env: str) -> Terminal:
        made.append(Terminal(command, size, env, tmp_path))
        return made[-1]

    yield make
    for one in made:
        one.close()


def histogram(counts: dict[int, int]) -> str:
    rows = "".join(
        f"{1 << k:>10} -> {(2 << k) - 1:<10} : {counts.get(1 << k, 0):<8} |{'*' * 40}|\n"
        for k in range(1, max(counts).bit_length())
    )
    return f"     usecs               : count     distribution\n{rows}"


def stream(series: str, counters: list[dict[int, int]], first: int, step: float = 1.0) -> str:
    return "".join(
        f"<begin record>\ntimestamp,microsec,{round((first + number * step) * 1e6)},x\nlabel,{series}\n"
        "latencyunit,microsec\ndatasource,bpf\n"
        + "".join(f"{bucket},{count}\n" for bucket, count in buckets.items())
        + "<end record>\n"
        for number, buckets in enumerate(counters)
    )


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    """What biolatency prints when it is interrupted: 7 fast reads and 3 slow ones."""
    path = tmp_path / "dump.txt"
    path.write_text("\n\n" + histogram({64: 7, 4096: 3}))
    return path


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """Six intervals of one series, 100 reads each in [128, 256) us, 0.2 s apart."""
    path = tmp_path / "six.lmap"
    path.write_text(stream("sda", [{128: 100 * n} for n in range(7)], 1_700_000_000, 0.2))
    return path


@pytest.fixture(scope="session")
def make_stream() -> Callable[..., str]:
    return stream
