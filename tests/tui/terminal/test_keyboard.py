"""Keys, mouse and answers of a real line discipline, without a program behind it."""

import os
import select
import termios
from collections.abc import Iterator
from typing import Any

import pytest

from pylatencymap.tui.terminal.input_events import BackgroundColour, CursorPlace, Mouse, Pasted, TerminalEvent
from pylatencymap.tui.terminal.keyboard import ESC_SECONDS, LAST_ANSWER_SECONDS, Keyboard

TERMS = ("xterm-256color", "tmux-256color", "screen", "linux", "rxvt-unicode-256color", "no-such-terminal")


class Listener:
    """A screen that has asked the terminal so many things."""

    def __init__(self, open_questions: int = 0) -> None:
        self.calls: list[str] = []
        self.open_questions = open_questions

    @property
    def expects_answer(self) -> bool:
        return self.open_questions > 0

    def listen(self) -> None:
        self.calls.append("listen")

    def mute(self) -> None:
        self.calls.append("mute")

    def answered(self) -> None:
        self.open_questions -= 1
        self.calls.append("answered")

    def found_cursor(self, place: CursorPlace) -> None:
        self.calls.append(f"cursor at {place.line};{place.column}")


class Typist:
    """Hands on a keyboard."""

    def __init__(self) -> None:
        self.master, self.slave = os.openpty()
        self.listener = Listener()
        self.now = 1000.0
        self.keyboard = Keyboard(self.listener, self.slave, lambda: self.now)
        self.before = termios.tcgetattr(self.slave)

    def types(self, data: bytes) -> list[TerminalEvent]:
        os.write(self.master, data)
        return self.keyboard.pressed()

    def close(self) -> None:
        os.close(self.master)
        os.close(self.slave)


@pytest.fixture
def typist(monkeypatch: pytest.MonkeyPatch) -> Iterator[Typist]:
    monkeypatch.setenv("TERM", "xterm-256color")
    made = Typist()
    made.keyboard.take()
    yield made
    made.close()


@pytest.mark.parametrize("term", TERMS)
@pytest.mark.parametrize("no_color", ["", "1"])
@pytest.mark.parametrize(
    ("sent", "name"),
    [
        (b"\x1b[A", "KEY_UP"),
        (b"\x1b[B", "KEY_DOWN"),
        (b"\x1b[C", "KEY_RIGHT"),
        (b"\x1b[D", "KEY_LEFT"),
        (b"\x1b[1;2A", "KEY_SUP"),
        (b"\x1b[1;2B", "KEY_SDOWN"),
        (b"\x1b[1;2C", "KEY_SRIGHT"),
        (b"\x1b[1;2D", "KEY_SLEFT"),
        (b"\x1b[1;5C", "KEY_CTRL_RIGHT"),
        (b"\x1bOA", "KEY_UP"),
        (b"\x1bOD", "KEY_LEFT"),
        (b"\x1bOH", "KEY_HOME"),
        (b"\x1b[H", "KEY_HOME"),
        (b"\x1b[1~", "KEY_HOME"),
        (b"\x1b[7~", "KEY_HOME"),
        (b"\x1b[F", "KEY_END"),
        (b"\x1b[4~", "KEY_END"),
        (b"\x1b[5~", "KEY_PGUP"),
        (b"\x1b[6~", "KEY_PGDOWN"),
        (b"\x1b[2~", "KEY_INSERT"),
        (b"\x1b[3~", "KEY_DELETE"),
        (b"\x1b[Z", "KEY_BTAB"),
        (b"\x1bOP", "KEY_F1"),
        (b"\t", "KEY_TAB"),
        (b"\r", "KEY_ENTER"),
        (b"\n", "KEY_ENTER"),
        (b"\x7f", "KEY_BACKSPACE"),
        (b"\x08", "KEY_BACKSPACE"),
        (b"\x1b", "KEY_ESCAPE"),
        (b"\x15", "\x15"),
        (b"q", "q"),
        ("é".encode(), "é"),
    ],
)
def test_names_of_keys(monkeypatch: pytest.MonkeyPatch, term: str, no_color: str, sent: bytes, name: str) -> None:
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setenv("FORCE_COLOR", "1")
    typist = Typist()
    try:
        typist.keyboard.take()
        assert typist.types(sent) == [name]
    finally:
        typist.close()


def test_many_keys_at_once_keep_their_order(typist: Typist) -> None:
    sent = b"x\x1b[A\x1b[<0;5;7M \x1b[6~q\x1bOD"
    assert typist.types(sent) == ["x", "KEY_UP", Mouse("press", 4, 6), " ", "KEY_PGDOWN", "q", "KEY_LEFT"]


@pytest.mark.parametrize(
    "sent",
    [
        b"\x1b[z", b"\x1b[99~", b"\x1b[I", b"\x1b[O", b"\x1b[?62;22c", b"\x1b[27;5;9~", b"\x1b[6;5R", b"\x1bPx\x1b\\",
        b"\x1b]10;rgb:0/0/0\x07", b"\x1b[1;2;3;4q", b"\x1b[?2026;2$y", b"\xff", b"\x80\xfe", b"\x1b[113u",
    ],
)  # fmt: skip
def test_unknown_sequences_are_never_typed(typist: Typist, sent: bytes) -> None:
    events = typist.types(sent + b"x")
    assert [event for event in events if len(str(event)) == 1] == ["x"]
    assert "q" not in events
    assert typist.types(b"\x1b[A") == ["KEY_UP"]


@pytest.mark.parametrize(
    ("sent", "event"),
    [
        (b"\x1b[<0;1;1M", Mouse("press", 0, 0)),
        (b"\x1b[<0;1;1m", Mouse("release", 0, 0)),
        (b"\x1b[<0;300;100M", Mouse("press", 299, 99)),
        (b"\x1b[<16;3;4M", Mouse("press", 2, 3)),
        (b"\x1b[<32;3;4M", Mouse("drag", 2, 3)),
        (b"\x1b[<64;3;4M", Mouse("wheel-up", 2, 3)),
        (b"\x1b[<65;3;4M", Mouse("wheel-down", 2, 3)),
        (b"\x1b[<69;3;4M", Mouse("wheel-down", 2, 3)),
        (b"\x1b[M !!", Mouse("press", 0, 0)),
        (b"\x1b[M#&'", Mouse("release", 5, 6)),
        (b"\x1b[M`\xf0!", Mouse("wheel-up", 207, 0)),
        (b"\x1b[<1;3;4M", None),
        (b"\x1b[<2;3;4M", None),
        (b"\x1b[<2;3;4m", None),
        (b"\x1b[<35;3;4M", None),
        (b"\x1b[<66;3;4M", None),
        (b"\x1b[<128;3;4M", None),
        (b"\x1b[<0;3M", None),
    ],
)
def test_mouse(typist: Typist, sent: bytes, event: Mouse | None) -> None:
    assert typist.types(sent) == ([] if event is None else [event])


def test_the_background_is_told(typist: Typist) -> None:
    assert typist.types(b"\x1b]11;rgb:ffff/0000/8080\x1b\\") == [BackgroundColour(255, 0, 0x80)]
    assert typist.types(b"\x1b]11;rgb:1/f/0\x07q") == [BackgroundColour(17, 255, 0), "q"]
    assert typist.types(b"\x1b]11;none\x07q") == ["q"]


def test_answers_are_for_the_screen(typist: Typist) -> None:
    assert typist.types(b"a\x1b[0nb") == ["a", "b"]
    assert typist.listener.calls == ["listen", "answered"]


def test_pasted_text_is_characters_and_its_line_ends_are_blanks(typist: Typist) -> None:
    events = typist.types(b"\x1b[200~q\r\nx\x1b[A\x02\t\xc3\xa9\x1b[201~q\r")
    assert "".join(map(str, events[:-2])) == "q  x é"
    assert all(isinstance(event, Pasted) for event in events[:-2])
    assert events[-2:] == ["q", "KEY_ENTER"]
    assert not isinstance(events[-2], Pasted)


def test_a_paste_without_an_end_is_over_after_a_silence(typist: Typist) -> None:
    assert typist.types(b"\x1b[200~q") == ["q"]
    typist.now += 2
    (key,) = typist.types(b"q")
    assert not isinstance(key, Pasted)


def test_a_sequence_that_was_cut_off_swallows_no_key_after_a_silence(typist: Typist) -> None:
    assert typist.types(b"\x1b]11;rgb:") == []
    typist.now += 2
    assert typist.types(b"q") == ["q"]


def test_a_sequence_in_two_pieces_is_one(typist: Typist) -> None:
    assert typist.types(b"\x1b[<0;5") == []
    assert typist.types(b";7Mx") == [Mouse("press", 4, 6), "x"]


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long, in seconds, the keyboard would have waited for something to read: it does not really."""
    found: list[float] = []
    really = select.select

    def noted(readable: list[int], writable: list[int], failed: list[int], seconds: float) -> Any:
        found.append(seconds)
        return really(readable, writable, failed, 0)

    monkeypatch.setattr("pylatencymap.tui.terminal.keyboard.select.select", noted)
    return found


def test_a_lone_esc_is_noticed_at_once(typist: Typist, waits: list[float]) -> None:
    assert typist.types(b"\x1b") == ["KEY_ESCAPE"]
    assert waits == [0.0, ESC_SECONDS]
    assert typist.types(b"\x1b\x1b") == ["KEY_ESCAPE", "KEY_ESCAPE"]
    assert typist.types(b"x\x1b[A") == ["x", "KEY_UP"]
    assert waits[-2:] == [0.0, 0.0], "nothing is waited for behind what is complete"


def test_the_line_discipline_is_taken_and_given_back(typist: Typist) -> None:
    flags = termios.tcgetattr(typist.slave)[3]
    assert not flags & (termios.ECHO | termios.ICANON)
    assert flags & termios.ISIG
    assert typist.keyboard.descriptors == (typist.slave,)
    typist.keyboard.give_back()
    assert termios.tcgetattr(typist.slave) == typist.before
    assert typist.keyboard.descriptors == ()
    typist.keyboard.give_back()
    assert typist.listener.calls == ["listen", "mute"]
    typist.keyboard.take()
    assert typist.types(b"x") == ["x"]


def test_an_answer_on_its_way_is_taken_before_the_shell_gets_it(typist: Typist) -> None:
    typist.listener.open_questions = 1
    os.write(typist.master, b"\x1b[0n")
    typist.keyboard.give_back()
    assert typist.listener.calls == ["listen", "mute", "answered"]
    assert termios.tcgetattr(typist.slave) == typist.before


def test_an_answer_that_never_comes_is_waited_for_briefly(typist: Typist, waits: list[float]) -> None:
    typist.listener.open_questions = 1
    typist.keyboard.give_back()
    assert waits == [LAST_ANSWER_SECONDS]
    assert termios.tcgetattr(typist.slave) == typist.before


def test_a_terminal_that_has_gone_has_no_keys() -> None:
    typist = Typist()
    typist.keyboard.take()
    os.close(typist.master)
    assert typist.keyboard.pressed() == []
    assert typist.keyboard.descriptors == ()
    typist.keyboard.give_back()
    os.close(typist.slave)


def test_what_is_no_terminal_is_left_alone() -> None:
    read, write = os.pipe()
    keyboard = Keyboard(None, read)
    keyboard.take()
    keyboard.learn()
    assert keyboard.descriptors == ()
    keyboard.give_back()
    os.close(read)
    os.close(write)
