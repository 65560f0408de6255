"""The screen on a pty: what is written, what waits, what is asked, and what is left."""

import fcntl
import os
import select
import struct
import termios
import threading
from collections.abc import Iterator

import numpy as np
import pytest

from pylatencymap.errors import SourceError
from pylatencymap.tui.terminal.keyboard import Keyboard
from pylatencymap.tui.terminal.outlet import LOOK_SECONDS, LOST_SECONDS, REPAIR_SECONDS, FlowControl
from pylatencymap.tui.terminal.screen import Screen, answers_status, tells_background
from pylatencymap.view.drawing import DrawnPicture
from pylatencymap.view.layout.geometry import Geometry
from pylatencymap.view.paint.canvas import Cells
from pylatencymap.view.style.colour_depth import ColourDepth
from pylatencymap.view.style.options import ViewOptions
from tests.waiting import PATIENCE

pyte = pytest.importorskip("pyte")

ENTER, LEAVE, ASK = b"\x1b[?1049h", b"\x1b[?1049l", b"\x1b[5n"
ASK_CURSOR = b"\x1b[6n"
ASK_BACKGROUND = b"\x1b]11;?\x1b\\"
COLUMNS, LINES = 100, 40


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Pty:
    """A terminal that reads when it is told to, and answers when it is told to."""

    def __init__(self, term: str = "xterm-256color", columns: int = COLUMNS, lines: int = LINES) -> None:
        self.master, self.slave = os.openpty()
        os.set_blocking(self.master, False)
        self.resize(columns, lines)
        self.clock = Clock()
        self.screen = Screen(self.slave, ViewOptions(depth=ColourDepth.MONO), term, self.clock)
        self.keyboard = Keyboard(self.screen, self.slave, self.clock)
        self.emulator = pyte.Screen(COLUMNS, LINES)
        self._stream = pyte.ByteStream(self.emulator)

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def read(self, most: int = 1 << 20) -> bytes:
        """What the terminal takes now."""
        data = b""
        while len(data) < most:
            try:
                piece = os.read(self.master, min(most - len(data), 4096))
            except BlockingIOError:
                break
            data += piece
        self._stream.feed(data)
        return data

    def answer(self, text: bytes = b"\x1b[0n") -> None:
        os.write(self.master, text)
        self.keyboard.pressed()

    def take(self) -> bytes:
        self.keyboard.take()
        self.screen.take()
        return self.read()

    def show(self, drawn: DrawnPicture, seconds: float = 0.03) -> bytes:
        self.clock.now += seconds
        self.screen.show(drawn)
        return self.read()

    def close(self) -> None:
        for descriptor in (self.master, self.slave):
            os.close(descriptor)


@pytest.fixture
def pty() -> Iterator[Pty]:
    made = Pty()
    yield made
    made.close()


def picture(seed: int, columns: int = COLUMNS, lines: int = LINES) -> DrawnPicture:
    """Letters everywhere, others in each picture."""
    letters = np.random.default_rng(seed).integers(ord("a"), ord("z"), (lines, columns), dtype=np.uint32)
    # The last line says which it is.
    letters[-1] = np.frombuffer(f"picture {seed}".ljust(columns).encode("utf-32-le"), np.uint32)
    cells = Cells(letters, np.zeros((lines, columns), np.uint16))
    nothing = np.zeros(0)
    where = Geometry((), 0, 0, 1, 0, nothing.astype(np.int64), nothing, np.zeros((0, 2), np.intp))
    return DrawnPicture(cells, where)


def shown(pty: Pty) -> int:
    """Number of the picture on the terminal."""
    return int(pty.emulator.display[-1].split()[1])


def test_taken_and_given_back(pty: Pty) -> None:
    assert pty.take().startswith(ENTER)
    pty.keyboard.give_back()
    pty.screen.give_back()
    end = pty.read()
    for sequence in (b"\x1b[?1002l", b"\x1b[?1006l", b"\x1b[?2004l", b"\x1b[?2026l", b"\x1b[0m", b"\x1b[?25h", LEAVE):
        assert sequence in end
    assert end.endswith(LEAVE)
    pty.screen.give_back()
    assert pty.read() == b""


def test_each_picture_is_one_synchronized_frame(pty: Pty) -> None:
    pty.take()
    pty.answer()
    frame = pty.show(picture(1), 1.0)
    assert frame.startswith(b"\x1b[?2026h")
    assert frame.endswith(b"\x1b[?2026l")
    assert pty.emulator.display == picture(1).cells.text()
    assert pty.show(picture(1)) == b""


def test_the_mouse_reports_only_while_somebody_listens(pty: Pty) -> None:
    pty.screen.take()
    assert b"\x1b[?1002h" not in pty.read()
    pty.keyboard.take()
    assert b"\x1b[?1002h\x1b[?1006h" in pty.read()
    assert b"\x1b[?1002" not in pty.read()
    pty.keyboard.give_back()
    assert b"\x1b[?1006l\x1b[?1002l" in pty.read()


@pytest.mark.parametrize(
    ("term", "status", "background"),
    [
        ("xterm-256color", True, True), ("tmux-256color", True, True), ("foot", True, True), ("alacritty", True, True),
        ("xterm-kitty", True, True), ("rxvt-unicode", True, True), ("wezterm", True, True), ("screen", True, False),
        ("screen.xterm-256color", True, False), ("linux", False, False), ("dumb", False, False), ("", False, False),
        ("vt100", True, False),
    ],
)  # fmt: skip
def test_only_terminals_that_answer_are_asked(term: str, status: bool, background: bool) -> None:
    assert (answers_status(term), tells_background(term)) == (status, background)
    pty = Pty(term)
    try:
        assert (ASK_BACKGROUND in pty.take()) is background
        asked = b"".join(pty.show(picture(number)) for number in range(9))
        assert (ASK in asked or background) is status
        assert ASK_BACKGROUND not in asked
    finally:
        pty.close()


def test_nothing_is_asked_without_a_keyboard(pty: Pty) -> None:
    pty.screen.take()
    sent = pty.read() + b"".join(pty.show(picture(number)) for number in range(9))
    assert ASK not in sent
    assert ASK_BACKGROUND not in sent
    assert shown(pty) == 8


def test_the_background_is_asked_for_once(pty: Pty) -> None:
    assert ASK_BACKGROUND + ASK in pty.take()
    pty.answer(b"\x1b]11;rgb:0/0/0\x07\x1b[0n")
    pty.keyboard.give_back()
    pty.screen.give_back()
    assert ASK_BACKGROUND not in pty.take()


def test_a_terminal_that_never_answers_is_never_waited_for(pty: Pty) -> None:
    pty.take()
    for number in range(40):
        pty.show(picture(number))
        assert not pty.screen.busy
        assert shown(pty) == number


def test_fast_frames_wait_for_the_answer_to_the_last_one(pty: Pty) -> None:
    pty.take()
    pty.answer()
    asked = [pty.show(picture(1)).endswith(ASK)]
    assert asked == [True]
    assert pty.screen.busy
    assert not pty.screen.waits_for
    assert pty.show(picture(2)) == b""
    assert pty.show(picture(3)) == b""
    pty.answer()
    assert pty.read().endswith(ASK)
    assert shown(pty) == 3
    pty.answer()
    assert not pty.screen.busy


def test_slow_frames_are_not_asked_about(pty: Pty) -> None:
    pty.take()
    pty.answer()
    assert not any(ASK in pty.show(picture(number), 1.0) for number in range(5))


def test_a_lost_answer_is_given_up(pty: Pty) -> None:
    pty.take()
    pty.answer()
    pty.show(picture(1))
    assert pty.show(picture(2), LOST_SECONDS - 1) == b""
    assert pty.show(picture(3), 1.5)
    assert shown(pty) == 3
    for number in range(4, 30):  # and the terminal is not relied on any more
        assert pty.show(picture(number))


def test_a_question_that_was_open_before_holds_nothing_afterwards(pty: Pty) -> None:
    pty.take()
    pty.answer()
    pty.show(picture(1))
    assert pty.screen.busy
    pty.clock.now += 0.5
    pty.screen.mute()
    pty.screen.give_back()
    pty.read()
    pty.screen.take()
    pty.show(picture(2))
    assert shown(pty) == 2


def test_what_a_slow_terminal_has_not_taken_stays_one_frame(pty: Pty) -> None:
    """A terminal that takes 2 kB/s and never answers: the kernel's buffer and one frame wait, not more."""
    pty.take()
    written = read = most = 0
    for number in range(300):
        pty.clock.now += 1 / 30
        pty.screen.show(picture(number))
        piece = pty.read(2000 // 30)
        read += len(piece)
        most = max(most, len(pty.screen._outlet._rest))
    assert pty.screen.busy
    assert pty.screen.waits_for
    assert most < 2 * COLUMNS * LINES
    for _ in range(1000):
        written += len(pty.read())
        pty.screen.flush()
    assert shown(pty) == 299
    assert pty.emulator.display == picture(299).cells.text()
    assert written < 40_000


def test_with_answers_no_more_than_one_frame_is_on_its_way(pty: Pty) -> None:
    """A link that hides everything that was sent: only the answers tell."""
    pty.take()
    pty.answer()
    wire, most, number = b"", 0, 0
    for number in range(300):
        wire += pty.show(picture(number), 1 / 30)
        most = max(most, len(wire))
        before, wire = wire, wire[2000 // 30 :]
        if ASK in before[: 2000 // 30 + len(ASK)] and ASK not in wire:
            pty.answer()
            wire += pty.read()
    assert most < 2 * COLUMNS * LINES
    assert pty.screen.busy
    pty.answer()
    pty.read()
    assert shown(pty) == number


def test_a_cut_frame_is_cancelled_when_the_terminal_is_given_back(pty: Pty, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pylatencymap.tui.terminal.outlet.STUCK_SECONDS", PATIENCE)
    pty.take()
    for number in range(30):
        pty.screen.show(picture(number))
    assert pty.screen.waits_for
    taken: list[bytes] = [b""]

    def read_all() -> None:
        while not taken[-1].endswith(LEAVE) and select.select([pty.master], [], [], PATIENCE)[0]:
            taken.append(pty.read())

    reader = threading.Thread(target=read_all)
    reader.start()
    pty.screen.give_back()
    reader.join()
    assert taken[-1].endswith(LEAVE)
    assert b"\x18\x1b[?2026l" in b"".join(taken)
    assert pty.emulator.cursor.hidden is False


def test_a_terminal_stopped_by_ctrl_s_is_given_back_all_the_same(pty: Pty) -> None:
    pty.take()
    os.write(pty.master, b"\x13")
    pty.keyboard.pressed()
    for number in range(3):
        pty.screen.show(picture(number))
    assert pty.screen.waits_for
    pty.keyboard.give_back()
    pty.screen.give_back()
    assert pty.read().endswith(LEAVE)


def test_o_nonblock_never_reaches_the_descriptor_that_was_given(pty: Pty) -> None:
    pty.take()
    assert not fcntl.fcntl(pty.slave, fcntl.F_GETFL) & os.O_NONBLOCK
    assert pty.screen._outlet.descriptor != pty.slave
    opened = pty.screen._outlet.descriptor
    pty.screen.give_back()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(opened)


def test_where_the_terminal_cannot_be_opened_again_its_descriptor_does(
    pty: Pty, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: int) -> str:
        raise PermissionError("not yours")

    monkeypatch.setattr(os, "ttyname", refuse)
    assert pty.take().startswith(ENTER)
    pty.show(picture(1))
    assert shown(pty) == 1
    pty.screen.give_back()
    os.fstat(pty.slave)


BROADCAST = b"\x1b[5;10HBroadcast message"


def write_over(pty: Pty, text: bytes = BROADCAST) -> bytes:
    """Another program writes over the picture; what the terminal would answer about its cursor."""
    os.write(pty.slave, text)
    pty.read()
    return where(pty)


def where(pty: Pty) -> bytes:
    return b"\x1b[%d;%dR" % (pty.emulator.cursor.y + 1, pty.emulator.cursor.x + 1)


@pytest.mark.parametrize("text", [BROADCAST, b"Possibly lost 23 samples\r\n", b"\r", b"\n", b"x", b"\x1b[31mred\x0e"])
def test_what_others_write_is_painted_over_with_the_next_picture(pty: Pty, text: bytes) -> None:
    pty.take()
    pty.answer()
    pty.show(picture(1), 1.0)
    moved = write_over(pty, text)
    assert pty.emulator.display != picture(1).cells.text() or moved != b"\x1b[2;2R"
    assert pty.show(picture(2), 1.0).startswith(ASK_CURSOR)
    pty.answer(moved)
    pty.read()
    assert pty.emulator.display == picture(2).cells.text()
    assert pty.emulator.cursor.attrs == pyte.screens.Char(" ")
    assert where(pty) == b"\x1b[2;2R"


def test_nothing_is_painted_again_where_the_cursor_has_not_moved(pty: Pty) -> None:
    pty.take()
    pty.answer()
    pty.show(picture(1), 1.0)
    at = where(pty)
    assert pty.show(picture(2), 1.0).startswith(ASK_CURSOR)
    pty.answer(at)
    pty.screen.flush()
    assert pty.read() == b""


def test_a_picture_that_stands_still_is_looked_at_now_and_then(pty: Pty) -> None:
    pty.take()
    pty.answer()
    pty.show(picture(1), 1.0)
    pty.screen.look()
    pty.clock.now += LOOK_SECONDS
    for _ in range(3):
        pty.screen.look()
    assert pty.read() == ASK_CURSOR
    pty.answer(where(pty))
    assert pty.read() == b""
    moved = write_over(pty)
    pty.clock.now += LOOK_SECONDS
    pty.screen.look()
    pty.answer(moved)
    pty.read()
    assert pty.emulator.display == picture(1).cells.text()


def test_who_writes_all_the_time_is_painted_over_once_a_second(pty: Pty) -> None:
    pty.take()
    pty.answer()
    pty.show(picture(0), 1.0)
    whole = 0
    for number in range(1, 41):
        moved = write_over(pty)
        sent = pty.show(picture(0 if number % 2 else 1), REPAIR_SECONDS / 10)
        pty.answer(moved)
        sent += pty.read()
        while sent:
            whole += sent.count(b"\x1b[r")
            if ASK in sent:
                pty.answer()
            sent = pty.read()
    assert 3 <= whole <= 5
    pty.answer()
    pty.clock.now += REPAIR_SECONDS
    pty.screen.flush()
    pty.read()
    assert pty.emulator.display == picture(1).cells.text(), "the last one is not forgotten"


def test_a_terminal_that_tells_nothing_of_its_cursor_is_not_asked_for_ever(pty: Pty) -> None:
    pty.take()
    pty.answer()
    asked = [ASK_CURSOR in pty.show(picture(number), 1.0) for number in range(40)]
    assert 5 < sum(asked) <= LOST_SECONDS + 1
    assert not any(asked[-20:])
    pty.answer(b"\x1b[2;2R")
    assert ASK_CURSOR in pty.show(picture(41), 1.0), "an answer has come after all"


def test_sizes(pty: Pty) -> None:
    assert pty.screen.size == (COLUMNS, LINES)
    pty.resize(0, 0)
    assert pty.screen.size == (80, 24)
    pty.resize(33, 0)
    assert pty.screen.size == (33, 24)
    assert Screen(-1, ViewOptions(), "xterm").size == (80, 24)


def test_a_terminal_that_has_gone_is_an_error_that_says_so_and_giving_it_back_is_none() -> None:
    pty = Pty()
    pty.take()
    os.close(pty.master)
    with pytest.raises(SourceError, match="the terminal cannot be written any more"):
        pty.screen.show(picture(1))
    pty.keyboard.give_back()
    pty.screen.give_back()
    os.close(pty.slave)


def test_other_colours_paint_everything_again(pty: Pty) -> None:
    pty.take()
    pty.show(picture(1), 1.0)
    pty.screen.options = pty.screen.options._replace(rows=5)
    assert pty.show(picture(1), 1.0) == b""
    pty.screen.options = pty.screen.options._replace(background="light")
    assert len(pty.show(picture(1), 1.0)) > COLUMNS * LINES
    pty.screen.forget()
    assert len(pty.show(picture(1), 1.0)) > COLUMNS * LINES


def test_at_most_one_question_is_open() -> None:
    clock = Clock()
    flow = FlowControl(clock)
    flow.ask()
    assert [flow.frame() for _ in range(5)] == [False] * 5
    assert not flow.is_held
    flow.answered()
    assert flow.frame()
    assert flow.is_held
    clock.now += LOST_SECONDS
    assert not flow.is_held
    assert not flow.is_open
