"""A real terminal for the live view: a pty behind the program, an emulator in front of it.

The fixture ``terminal`` makes one, and runs a shell command on it::

    view = terminal(f"L {recording.name} --speed max", size=(120, 40), COLORTERM="truecolor")
    view.shows("LIVE", "q quit")            # waits until all of these are on the screen
    view.shows_the_end("INTENSITY")         # waits for the picture of a source that has ended
    view.press("]")                         # a character, text, or the name of a key: view.press("KEY_SLEFT")
    view.click(40, 12)                      # columns and lines count from 0
    view.until(lambda: "2 s" in view.line(0))
    assert view.cell(40, 12).char == "+"
    view.resize(80, 24)
    view.press("q")
    assert view.ends() == 0                 # exit status
    view.is_as_before()                     # line discipline, screen, cursor, mouse, style: all as found

Nothing sleeps: whatever waits (``until``, ``shows``, ``prints``, ``ends``) takes output meanwhile, and fails after
DEADLINE with what is on the screen. Output is taken frame by frame, so that a picture is seen however soon the next one
came. The terminal answers the questions that real ones answer (status, cursor position, background) as soon as the
output that holds them is taken; ``answers=False`` makes it one that says nothing.

A machine that runs tests may stall for seconds, at any place. Therefore the program's own time limits are long here,
see PATIENCE; with ``hurried=True`` they are what users have.
"""

import codecs
import fcntl
import os
import re
import select
import signal
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.drawn_twice import WANTED, guard
from tests.tui.tasks import three_days as text_of_three_days

pexpect = pytest.importorskip("pexpect")
pyte = pytest.importorskip("pyte")

ROOT = Path(__file__).parent.parent.parent
ENTER, LEAVE = b"\x1b[?1049h", b"\x1b[?1049l"
BEGIN_FRAME, END_FRAME = b"\x1b[?2026h", b"\x1b[?2026l"
DEADLINE = 60.0
"""Seconds that anything may take: it matters only to a test that fails."""
LONGEST = 180
"""Seconds that one test may take."""
PATIENCE = """
import pylatencymap.session.ending as ending
import pylatencymap.session.feed as once
import pylatencymap.session.messages as messages
import pylatencymap.tui.terminal.keyboard as keyboard
import pylatencymap.tui.terminal.outlet as outlet
import pylatencymap.view.terminal.output_guard as guard
guard.SHOWN_SECONDS = messages.USUAL_FACTOR = 30.0
ending.LAST_WORDS_SECONDS = once.LAST_SECONDS = keyboard.LAST_ANSWER_SECONDS = outlet.STUCK_SECONDS = 30.0
"""
"""What Python imports by itself, as sitecustomize, before the program begins."""
GUARD = """
import sys
class WhenTheViewIsImported:
    def find_spec(self, name, *_):
        if name == "pylatencymap.tui.app":
            sys.meta_path.remove(self)
            from tests.drawn_twice import guard
            guard()
sys.meta_path.insert(0, WhenTheViewIsImported())
"""
SIGNALLING = "\x03\x1a\x1c"
"""Keys with which a terminal drops what has been typed or told, and not been read."""
DROPPED = ("NO_COLOR", "CLICOLOR_FORCE", "COLORTERM", "COLUMNS", "LINES", "PYTHONIOENCODING", "PYTHONUTF8", "ENV")
NEUTRAL = {"TERM": "xterm-256color", "TZ": "UTC", "LC_ALL": "C.UTF-8", "PY": sys.executable}
STATE_OF_SPECIAL_KEYS = 4
"""Termios fields before this are flags; then come speeds, and the list of special characters."""
PRIVATE_MODE = re.compile(rb"\x1b\[\?([\d;]+)([hl])")
QUESTION = re.compile(rb"\x1b\[([56])n|\x1b\](11);\?(?:\x07|\x1b\\)")
LONGEST_QUESTION = 12
UNFINISHED = ("REPLAY", "READING", "PAUSED", "LIVE")
FINISHED = re.compile(r"\bALL \d|\d (?:s|min|h|d) of \d")
"""What the chip of a finished picture says: ``ALL 3 d``, ``44 min of 3 d``."""
SHOWN_CURSOR = 25
KEYS = {
    "KEY_UP": "\x1b[A",
    "KEY_DOWN": "\x1b[B",
    "KEY_RIGHT": "\x1b[C",
    "KEY_LEFT": "\x1b[D",
    "KEY_SUP": "\x1b[1;2A",
    "KEY_SDOWN": "\x1b[1;2B",
    "KEY_SRIGHT": "\x1b[1;2C",
    "KEY_SLEFT": "\x1b[1;2D",
    "KEY_HOME": "\x1b[H",
    "KEY_END": "\x1b[F",
    "KEY_PGUP": "\x1b[5~",
    "KEY_PGDOWN": "\x1b[6~",
    "KEY_DELETE": "\x1b[3~",
    "KEY_BTAB": "\x1b[Z",
    "KEY_TAB": "\t",
    "KEY_ENTER": "\r",
    "KEY_BACKSPACE": "\x7f",
    "KEY_ESCAPE": "\x1b",
    "KEY_CTRL_L": "\x0c",
}
"""What xterm sends."""


class Cell(NamedTuple):
    """A place on the screen; colours are pyte's: a name, six hexadecimal digits, or "default"."""

    char: str
    fg: str
    bg: str
    bold: bool
    reverse: bool


def modes_of(descriptor: int) -> list[Any]:
    attributes = termios.tcgetattr(descriptor)
    return [*attributes[:STATE_OF_SPECIAL_KEYS], attributes[6]]


def modes_of_a_new_terminal() -> list[Any]:
    ends = os.openpty()
    try:
        return modes_of(ends[0])
    finally:
        for end in ends:
            os.close(end)


class Terminal:
    """Runs a shell command on a terminal of its own; ``$PY`` is this Python, the word ``L`` is the program.

    ``screen`` is what the emulator (pyte) shows, ``raw`` all that ever came, ``child`` the pexpect process.
    """

    def __init__(
        self,
        command: str,
        size: tuple[int, int],
        env: dict[str, str],
        cwd: Path,
        *,
        answers: bool = True,
        background: str = "0000/0000/0000",
    ) -> None:
        kept = {name: value for name, value in os.environ.items() if name not in DROPPED}
        self.raw = b""
        self._coming = b""
        self._gone = False
        self._heard = self._fed = 0
        self.answers = answers
        self.background = background
        self.screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self.screen)
        words = ["sh", "-c", re.sub(r"(?<!\S)L(?!\S)", '"$PY" -m pylatencymap', command)]
        environ = {**kept, **NEUTRAL, **env}
        self.child = pexpect.spawn(words[0], words[1:], env=environ, cwd=cwd, dimensions=size[::-1], timeout=DEADLINE)
        self.child.delaybeforesend = None
        self.child.ptyproc.delayafterclose = self.child.ptyproc.delayafterterminate = 0.01
        self.modes_before = modes_of_a_new_terminal()  # by now the program may have set others

    @property
    def modes(self) -> list[Any]:
        """Line discipline and special keys, as stty shows them."""
        return modes_of(self.child.child_fd)

    @property
    def private_modes(self) -> set[int]:
        """The private modes that are on: 1049 alternate screen, 1000 and 1006 mouse, 2004 paste, 2026 synchronized."""
        on = {SHOWN_CURSOR}
        for numbers, letter in PRIVATE_MODE.findall(self.raw):
            for number in map(int, numbers.split(b";")):
                (on.add if letter == b"h" else on.discard)(number)
        return on

    @property
    def text(self) -> str:
        """The screen, lines joined by newlines."""
        return "\n".join(self.screen.display)

    def line(self, number: int) -> str:
        """One line of the screen, without blanks at its end; -1 is the last."""
        return str(self.screen.display[number]).rstrip()

    def cell(self, column: int, line: int) -> Cell:
        """One place on the screen."""
        found = self.screen.buffer[line][column]
        return Cell(found.data, found.fg, found.bg, found.bold, found.reverse)

    @property
    def has_view(self) -> bool:
        """Whether the alternate screen is on."""
        return self.raw.rfind(ENTER) > self.raw.rfind(LEAVE)

    @property
    def is_in_frame(self) -> bool:
        """Whether only the beginning of a frame has come, so that the screen shows parts of two."""
        return self.raw.rfind(BEGIN_FRAME) > self.raw.rfind(END_FRAME)

    @property
    def after(self) -> str:
        """What was printed after the view was left, without escape sequences."""
        _, left, rest = self.raw.rpartition(LEAVE)
        text = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]|\r", b"", rest) if left else b""
        return codecs.getincrementaldecoder("utf-8")().decode(text)  # its last character may be on its way still

    def pump(self, seconds: float) -> bool:
        """Take what comes within so many seconds, of pictures one; False at the end of all output."""
        if not self._coming:
            try:
                self._coming = self.child.read_nonblocking(1 << 16, timeout=seconds)
            except pexpect.TIMEOUT:
                return True
            except pexpect.EOF:
                self._coming = self._last_words()
            if not self._coming:
                return False
        before = self.raw[1 - len(END_FRAME) :]  # a mark may come in two pieces
        found = (before + self._coming).find(END_FRAME)
        cut = found + len(END_FRAME) - len(before) if found >= 0 else len(self._coming)
        piece, self._coming = self._coming[:cut], self._coming[cut:]
        self.raw += piece
        self._take_in()
        return True

    def _last_words(self) -> bytes:
        """What is left to read of a program that has ended. pexpect may have found nothing to read, and then that it
        had ended, while it wrote and ended in between.
        """
        if not select.select([self.child.child_fd], [], [], 0)[0]:
            return b""
        try:
            return os.read(self.child.child_fd, 1 << 16)
        except OSError:  # EIO: nobody has the terminal any more
            return b""

    def _take_in(self) -> None:
        """Show what has come, and answer each question in it when it is reached."""
        for question in QUESTION.finditer(self.raw, self._heard):
            self._heard = question.end()
            self._show(self._heard)
            if self.answers:
                self._tell(question[1] or question[2])
        self._show(len(self.raw))
        self._heard = max(self._heard, len(self.raw) - LONGEST_QUESTION)

    def _show(self, end: int) -> None:
        """Show all output up to a place in it."""
        if end > self._fed:
            self._stream.feed(self.raw[self._fed : end])
            self._fed = end

    def _tell(self, what: bytes) -> None:
        cursor = self.screen.cursor
        position = f"\x1b[{cursor.y + 1};{cursor.x + 1}R"
        self._send({b"5": "\x1b[0n", b"6": position, b"11": f"\x1b]11;rgb:{self.background}\x1b\\"}[what])

    def _send(self, text: str) -> None:
        """Send what is typed or told; nobody may be there to hear it any more."""
        with suppress(OSError):
            self.child.send(text)

    def until(self, condition: Callable[[], object], what: str = "") -> None:
        """Take output until a condition holds, between two frames; fails after a deadline."""
        deadline = time.monotonic() + DEADLINE
        open_still = True
        while self.is_in_frame or not condition():
            open_still = open_still and self.pump(0.05)
            if not self.is_in_frame and condition():
                return
            if not open_still or time.monotonic() > deadline:
                raise AssertionError(f"never came: {what or condition}\n{self.text}\n{self.raw[-2000:]!r}")

    def shows(self, *words: str) -> None:
        """Wait until all these are on the screen at once."""
        self.until(lambda: all(word in self.text for word in words), f"{words} on the screen")

    def shows_the_end(self, *words: str) -> None:
        """Wait for the picture of a source that has ended: its chip says how much of what is kept it shows."""
        self.until(lambda: self._has_ended and all(word in self.text for word in words), "the end")

    @property
    def _has_ended(self) -> bool:
        title = self.line(0)
        return FINISHED.search(title) is not None and not any(word in title for word in UNFINISHED)

    def prints(self, word: str) -> None:
        """Wait for a text in all that came, on the screen or not."""
        self.until(lambda: word.encode() in self.raw, f"{word!r} in the output")

    def press(self, keys: str) -> None:
        """Type characters, or one key by its name."""
        if keys in SIGNALLING:
            self.until(self.has_heard_all, "somebody who reads what the terminal tells")
        self._send(KEYS.get(keys, keys))

    def has_heard_all(self) -> bool:
        """Whether the program has read all that was typed and told, or has ended (Linux tells)."""
        try:
            terminal = os.open(f"/proc/{self.child.pid}/fd/2", os.O_RDWR | os.O_NOCTTY)
        except OSError:
            return True
        try:
            return fcntl.ioctl(terminal, termios.FIONREAD, bytes(4)) == bytes(4)
        finally:
            os.close(terminal)

    def paste(self, text: str) -> None:
        """Paste, as terminals do: marked where the program has asked for that."""
        self._send(f"\x1b[200~{text}\x1b[201~" if 2004 in self.private_modes else text)

    def click(self, column: int, line: int) -> None:
        """Press and release the left button; the program hears of it only while it has the mouse."""
        if 1006 in self.private_modes:
            self._send(f"\x1b[<0;{column + 1};{line + 1}M\x1b[<0;{column + 1};{line + 1}m")

    def drag(self, begin: tuple[int, int], end: tuple[int, int]) -> None:
        """Press the left button at a column and line, move the mouse to another place, and release it there."""
        if {1002, 1006} <= self.private_modes:
            (column, line), (column_2, line_2) = begin, end
            self._send(f"\x1b[<0;{column + 1};{line + 1}M")
            self._send(f"\x1b[<32;{column_2 + 1};{line_2 + 1}M\x1b[<0;{column_2 + 1};{line_2 + 1}m")

    def wheel(self, column: int, line: int, steps: int) -> None:
        """Turn the wheel: up where ``steps`` is positive."""
        if 1006 in self.private_modes:
            self._send(f"\x1b[<{64 if steps > 0 else 65};{column + 1};{line + 1}M" * abs(steps))

    def resize(self, columns: int, lines: int) -> None:
        """Another size, which the program is told by SIGWINCH."""
        self.screen.resize(lines, columns)
        self.child.setwinsize(lines, columns)

    def ends(self) -> int:
        """Wait for the end; the exit status, or minus the number of the signal."""
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
        assert self.private_modes == {SHOWN_CURSOR}
        assert self.screen.cursor.attrs == pyte.screens.Char(" ")
        assert self.modes == self.modes_before
        assert b"^[" not in self.raw, "the terminal echoed an answer that nobody read"

    def hang_up(self) -> int:
        """Take the terminal away, as closing its window does; the wait status of the program."""
        self._gone = True
        os.close(self.child.child_fd)
        killer = threading.Timer(DEADLINE, os.kill, (self.child.pid, signal.SIGKILL))
        killer.start()
        try:
            return os.waitpid(self.child.pid, 0)[1]
        finally:
            killer.cancel()

    def close(self) -> None:
        if not self._gone:
            with suppress(pexpect.ExceptionPexpect):  # busy machines take longer to end it than it waits
                self.child.close(force=True)
                return
            os.waitpid(self.child.pid, 0)  # it has been killed


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What runs on a terminal may hang as programs do; it must not take all the time that there is for all tests."""
    for item in items:
        if "terminal" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.timeout(LONGEST))


@pytest.fixture(autouse=True, scope="session")
def _guarded() -> Iterator[None]:
    """With DRAW_TWICE=1 in the environment every picture is drawn twice, see tests/drawn_twice.py."""
    end = guard() if WANTED else None
    yield
    if end is not None:
        end()


@pytest.fixture
def terminal(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Terminal]]:
    """Makes terminals; all of them are closed at the end of the test. Names in capitals are environment variables.

    ``injected`` is Python that runs before the program does.
    """
    made: list[Terminal] = []

    def make(
        command: str, size: tuple[int, int] = (100, 30), *, hurried: bool = False, injected: str = "", **named: Any
    ) -> Terminal:
        folder = tmp_path_factory.mktemp("site")
        (folder / "sitecustomize.py").write_text(("" if hurried else PATIENCE) + (GUARD if WANTED else "") + injected)
        env = {name: value for name, value in named.items() if name.isupper()}
        options = {name: value for name, value in named.items() if not name.isupper()}
        env = {"PYTHONPATH": f"{folder}:{ROOT}", **env}
        made.append(Terminal(command, size, env, tmp_path, **options))
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


@pytest.fixture(scope="session")
def three_days(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """See ``tasks.three_days``; nobody writes to this file."""
    path = tmp_path_factory.mktemp("days") / "three.lmap"
    path.write_text(text_of_three_days())
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
