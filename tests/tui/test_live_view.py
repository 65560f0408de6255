"""The live view as a terminal shows it."""

import os
import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Make = Callable[..., Any]

CONTROL = re.compile(rb"\x1b(?!\[[\d;]*m)")
LIVE = """mkfifo pipe; exec 3<>pipe; exec "$PY" -m pylatencymap <pipe """


def print_record(folder: Path, make_stream: Any, number: int, count: int) -> None:
    """What a program in the pipe prints next; one second after what it printed last."""
    with (folder / "pipe").open("w") as pipe:
        pipe.write(make_stream("sda", [{128: count}], 1_700_000_000 + number))


def test_space_freezes_the_picture_while_data_are_kept(terminal: Make, make_stream: Any, tmp_path: Path) -> None:
    view = terminal(LIVE)
    view.until((tmp_path / "pipe").exists)
    for number in range(3):
        print_record(tmp_path, make_stream, number, 100 * number)
    view.shows("window 2 s", "LIVE")
    view.press(" ")
    view.shows("PAUSED", "go on")
    print_record(tmp_path, make_stream, 3, 300)
    view.shows("1 new")
    assert window(view) == "window 2 s"
    view.press(" ")
    view.shows("window 3 s", "LIVE")
    view.press("q")
    assert view.ends() == 0
    view.is_as_before()


def test_space_stops_a_replay(terminal: Make, make_stream: Any, tmp_path: Path) -> None:
    (tmp_path / "r.lmap").write_text(make_stream("sda", [{128: 100 * n} for n in range(9000)], 1_700_000_000))
    view = terminal("L r.lmap --delay 0.1")
    view.shows("128-256 us")
    view.press(" ")
    view.shows("PAUSED")
    held = window(view)
    for _ in range(6):
        view.pump(0.1)
    assert window(view) == held
    assert "new" not in view.line(0)
    view.press(" ")
    view.until(lambda: "REPLAY" in view.text and window(view) != held, "more of it")
    view.press("q")
    assert view.ends() == 0


def window(view: Any) -> str:
    found = re.search(r"window [\d.]+ (?:ms|s)", view.text)
    return found[0] if found else ""


def test_resizing_gives_the_right_picture(terminal: Make, recording: Path) -> None:
    view = terminal(f"L {recording.name} --speed max")
    view.shows_the_end("INTENSITY")
    for columns, lines in ((160, 50), (80, 24), (60, 20), (30, 8), (120, 40)):
        view.resize(columns, lines)
        expected = terminal(f"L {recording.name} --speed max", size=(columns, lines))
        if columns >= 60:
            expected.shows_the_end()
            view.until(lambda view=view, expected=expected: same(view, expected), f"the picture at {columns}x{lines}")
            expected.press("q")
            assert expected.ends() == 0
    view.press("q")
    assert view.ends() == 0
    view.is_as_before()


def same(view: Any, other: Any) -> bool:
    other.pump(0.05)
    return bool(view.text == other.text)


def test_a_terminal_that_forgot_is_painted_again(terminal: Make, recording: Path) -> None:
    view = terminal(f"exec L {recording.name} --speed max")
    view.shows_the_end("q quit")
    before = view.text
    view.screen.resize(10, 40)
    view.screen.resize(30, 100)
    assert view.text != before
    os.kill(view.child.pid, signal.SIGWINCH)
    view.until(lambda: view.text == before, "the same picture again")
    view.press("q")
    assert view.ends() == 0


@pytest.mark.parametrize(
    ("size", "term", "said"),
    [
        ((100, 30), "dumb", "this terminal (TERM=dumb) cannot move its cursor"),
        ((100, 30), "", "this terminal (TERM=) cannot move its cursor"),
        ((59, 30), "xterm", "59x30 is too small for the live view (60x20)"),
        ((100, 19), "xterm", "100x19 is too small for the live view (60x20)"),
    ],
)
def test_poor_terminals_get_one_picture_and_the_reason(
    terminal: Make, recording: Path, size: tuple[int, int], term: str, said: str
) -> None:
    view = terminal(f"L {recording.name if term else 'demo'}", size=size, TERM=term)
    assert view.ends() == 0
    assert said in view.raw.decode()
    assert b" avg " in view.raw
    assert not CONTROL.search(view.raw)
    assert view.modes == view.modes_before


def test_a_terminal_that_does_not_know_its_size_is_taken_for_a_usual_one(terminal: Make, recording: Path) -> None:
    view = terminal(f"L {recording.name} --speed max", size=(0, 0))
    view.until(lambda: view.has_view)
    view.press("q")
    assert view.ends() == 0


def test_once_asks_for_one_picture_on_any_terminal(terminal: Make, recording: Path) -> None:
    view = terminal(f"L --once {recording.name}")
    assert view.ends() == 0
    assert " all " in view.text
    assert "cannot" not in view.text
    assert not CONTROL.search(view.raw)


def test_silence_is_told_with_what_to_do(terminal: Make) -> None:
    view = terminal(LIVE)
    view.shows("no data for", "asks for a password", "stdbuf -oL")
    assert view.modes == view.modes_before
    assert not CONTROL.search(view.raw), "plain lines, while the terminal is the source's"
    interrupt(view)
    assert view.ends() == 130
    view.is_as_before()


def test_a_silent_sqlplus_is_no_program_that_buffers(terminal: Make, tmp_path: Path) -> None:
    (tmp_path / "sqlplus").symlink_to("/bin/sleep")
    view = terminal(LIVE.replace("; exec", "; ./sqlplus 60 & exec", 1))
    view.shows("no data for", "if sqlplus asks for a password")
    assert "stdbuf" not in view.text
    interrupt(view)
    assert view.ends() == 130


def interrupt(view: Any) -> None:
    """Ctrl-C twice: a pipe that stays open is not waited for."""
    view.press("\x03")
    view.shows("interrupted: waiting up to")
    view.press("\x03")


def test_the_demo_lives_until_q(terminal: Make) -> None:
    view = terminal("L demo", size=(120, 40))
    view.shows("FREQUENCY", "INTENSITY", "DEMO", "% of the wait")
    begin = view.screen.display[0]
    view.until(lambda: view.screen.display[0] != begin, "the clock")
    view.press("q")
    assert view.ends() == 0
    view.is_as_before()


@pytest.mark.parametrize(
    ("env", "has", "has_not"),
    [
        ({"COLORTERM": "truecolor"}, b"48;2;", b"48;5;"),
        ({}, b"48;5;", b"48;2;"),
        ({"TERM": "linux"}, b"\x1b[", b"8;5;"),
        ({"NO_COLOR": "1"}, b"\x1b[0;1m", b"8;5;"),
        ({"PYTHONIOENCODING": "ascii"}, b"total |", "│".encode()),
    ],
)
def test_colours_are_those_of_the_terminal(
    terminal: Make, recording: Path, env: dict[str, str], has: bytes, has_not: bytes
) -> None:
    view = terminal(f"L {recording.name} --speed max", **env)
    view.shows_the_end()
    assert has in view.raw
    assert has_not not in view.raw
    view.press("q")
    assert view.ends() == 0


def test_an_unknown_terminal_type_does_not_disturb_the_picture(terminal: Make, recording: Path) -> None:
    view = terminal(f"L {recording.name} --speed max", TERM="no-such-terminal")
    view.shows_the_end("FREQUENCY")
    assert "arning" not in view.text
    view.press("q")
    assert view.ends() == 0


def test_names_from_outside_cannot_steer_the_terminal(terminal: Make, make_stream: Any, tmp_path: Path) -> None:
    text = make_stream("evil \x1b]0;owned\x07 \x1b[2J\x9b2J", [{128: 1}, {128: 5}], 1_700_000_000)
    (tmp_path / "r.lmap").write_text(text)
    view = terminal("L r.lmap --speed max")
    view.shows_the_end("evil")
    assert b"\x1b]0" not in view.raw
    assert view.raw.count(b"\x1b[2J") == 1
    assert "\x9b".encode() not in view.raw
    view.press("q")
    assert view.ends() == 0


def test_what_was_taken_for_what_is_shown_below_the_maps(terminal: Make, tmp_path: Path) -> None:
    rows = "".join(f"170000000{n}.5,{n + 1},{n + 2}\n" for n in range(9))
    (tmp_path / "t.csv").write_text("time,duration_us,response_time_us\n" + rows)
    view = terminal("L $PWD/t.csv --speed max")
    view.shows_the_end("t.csv:2: time is column 'time': seconds since 1970")
    view.shows("t.csv:2: latency is column 'duration_us', in us")
    view.press("q")
    assert view.ends() == 0
