"""Whatever ends a view, and on whatever terminal: the terminal is as it was."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import TIME_IS_UP_BY_FILE

Make = Callable[..., Any]
End = Callable[[Any], None]

ENTER = b"\x1b[?1049h"
TERMS = ("xterm-256color", "tmux-256color", "screen", "linux")
"""They differ in what they are asked: status and background, the status alone, nothing."""
PIPE = """mkfifo pipe; exec 3<>pipe; cat six.lmap >pipe; exec "$PY" -m pylatencymap <pipe"""
BREAK_DRAWING = """
import pylatencymap.session.picture as picture
frames = []
def drawn(*arguments, **named):
    frames.append(1)
    if len(frames) > 2:
        raise RuntimeError("injected")
    return original(*arguments, **named)
original, picture.Picture.drawn = picture.Picture.drawn, drawn
"""
BREAK_DECODING = """
import pylatencymap.session.input.pipeline as pipeline
def handed_over(*arguments, **named):
    yield next(original(*arguments, **named))
    raise RuntimeError("injected")
original, pipeline.handed_over = pipeline.handed_over, handed_over
"""
BREAK_KEYBOARD = """
import pylatencymap.tui.terminal.keyboard as keyboard
def pressed(_):
    raise RuntimeError("injected")
keyboard.Keyboard.pressed = pressed
"""


def press(keys: str) -> End:
    return lambda view: view.press(keys)


def kill(number: int) -> End:
    return lambda view: os.kill(view.child.pid, number)


def press_twice(view: Any) -> None:
    view.press("\x03")
    view.shows("interrupted: waiting up to")
    view.press("\x03")


WAYS: dict[str, tuple[str, End, int]] = {
    "q": ("exec L six.lmap", press("q"), 0),
    "q at the end": ("exec L six.lmap --speed max", press("q"), 0),
    "q beside a pipe": (PIPE, press("q"), 0),
    "Ctrl-C": ("exec L six.lmap", press("\x03"), 130),
    "Ctrl-C twice": (PIPE, press_twice, 130),
    "Ctrl-backslash": ("exec L six.lmap", press("\x1c"), 0),
    "SIGTERM": ("exec L six.lmap", kill(signal.SIGTERM), 0),
    "SIGHUP": ("exec L six.lmap", kill(signal.SIGHUP), 0),
    "SIGQUIT": ("exec L six.lmap", kill(signal.SIGQUIT), 0),
    "SIGTERM beside a pipe": (PIPE, kill(signal.SIGTERM), 0),
}


@pytest.mark.parametrize(
    ("way", "term"),
    [*((way, TERMS[0]) for way in WAYS), *((way, term) for way in ("q", "Ctrl-C", "SIGTERM") for term in TERMS[1:])],
)
@pytest.mark.usefixtures("recording")
def test_the_terminal_is_as_it_was(terminal: Make, way: str, term: str) -> None:
    command, end, status = WAYS[way]
    view = terminal(command, TERM=term)
    view.shows("128-256 us  100 % of events", "quit")
    view.until(lambda: 1006 in view.private_modes and view.modes != view.modes_before, "the mouse and the keys")
    end(view)
    assert view.ends() == status
    view.is_as_before()


@pytest.mark.usefixtures("recording")
def test_so_it_is_when_its_time_is_up(terminal: Make, tmp_path: Path) -> None:
    view = terminal(PIPE + " --duration 3600", injected=TIME_IS_UP_BY_FILE)
    view.shows("128-256 us  100 % of events", "quit")
    (tmp_path / "over").touch()
    assert view.ends() == 0
    assert view.raw.count(ENTER) == 1
    view.is_as_before()


@pytest.mark.parametrize(
    ("broken", "term"),
    [
        *((broken, TERMS[0]) for broken in (BREAK_DRAWING, BREAK_DECODING, BREAK_KEYBOARD)),
        *((BREAK_KEYBOARD, term) for term in TERMS[1:]),
    ],
)
@pytest.mark.usefixtures("recording")
def test_so_it_is_after_an_exception(terminal: Make, broken: str, term: str) -> None:
    view = terminal("exec L replay six.lmap", TERM=term, injected=broken)
    view.until(lambda: view.has_view)
    view.press("x")
    assert view.ends() == 3
    view.is_as_before()
    assert view.raw.count(b"internal error: RuntimeError('injected')") == 1
    assert "internal error" in view.after


@pytest.mark.parametrize("term", TERMS)
@pytest.mark.usefixtures("recording")
def test_so_it_is_without_a_keyboard(terminal: Make, term: str) -> None:
    view = terminal('cat six.lmap | setsid --wait "$PY" -m pylatencymap; exit $?', TERM=term)
    assert view.ends() == 0
    view.is_as_before()
    assert b"\x1b[?1002h" not in view.raw
    assert b"\x1b[5n" not in view.raw
    assert " all " in view.after


@pytest.mark.parametrize("term", TERMS)
@pytest.mark.usefixtures("recording")
def test_a_terminal_that_never_answers_is_left_all_the_same(terminal: Make, term: str) -> None:
    view = terminal("exec L six.lmap --speed max", TERM=term, answers=False, hurried=True)
    view.shows_the_end()
    view.press("q")
    assert view.ends() == 0
    view.is_as_before()


def state_of(pid: int) -> str:
    """R, S, T (stopped) ..., as Linux tells."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]


def child_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])


@pytest.fixture
def shell(terminal: Make, tmp_path: Path) -> Callable[[str], Any]:
    """An interactive shell that has job control, and leaves the terminal's modes alone."""
    (tmp_path / "inputrc").write_text("set enable-bracketed-paste off\n")

    def make(term: str) -> Any:
        names = {"PS1": "ready> ", "HISTFILE": "", "INPUTRC": str(tmp_path / "inputrc"), "TERM": term}
        made = terminal("exec bash --norc --noprofile -i", **names)
        made.shows("ready>")
        made.modes_before = made.modes
        return made

    return make


def run(shell: Any, words: str) -> int:
    """Start the view; its process."""
    shell.press(f'"$PY" -m pylatencymap {words}\r')
    shell.shows_the_end("q quit")
    shell.until(lambda: 1006 in shell.private_modes)
    return child_of(shell.child.pid)


def prompts(shell: Any) -> int:
    return int(shell.raw.count(b"ready> "))


@pytest.mark.parametrize(("term", "background"), [*((term, False) for term in TERMS), (TERMS[0], True)])
def test_ctrl_z_and_fg(shell: Callable[[str], Any], recording: Path, term: str, background: bool) -> None:
    view = shell(term)
    pid = run(view, f"{recording.name} --speed max")
    taken, modes, picture = view.modes, view.private_modes, view.text
    view.press("\x1a")
    view.until(lambda: prompts(view) == 2, "the prompt")
    view.is_as_before()
    if background:
        view.press("bg\r")
        view.until(lambda: prompts(view) == 3 and state_of(pid) == "T", "it stops again")
        view.is_as_before()
    view.press("fg\r")
    view.until(lambda: view.has_view and view.text == picture, "the same picture")
    view.until(lambda: view.modes == taken and view.private_modes == modes)
    assert view.screen.cursor.hidden
    before = prompts(view)
    view.press("q")
    view.until(lambda: prompts(view) == before + 1, "the prompt")
    view.is_as_before()
    view.press("echo status=$?\r")
    view.prints("status=0")


def test_a_view_that_is_stopped_can_be_terminated(shell: Callable[[str], Any], recording: Path) -> None:
    view = shell("xterm-256color")
    pid = run(view, f"{recording.name} --speed max")
    view.press("\x1a")
    view.until(lambda: prompts(view) == 2, "the prompt")
    view.press("kill %1\r")
    view.until(lambda: not Path(f"/proc/{pid}").exists(), "its end")
    view.press("echo all''is shown\r")
    view.prints("allis shown")  # the terminal may still hold what the view wrote last
    view.is_as_before()


def test_a_view_started_in_the_background_waits_for_fg(shell: Callable[[str], Any], recording: Path) -> None:
    view = shell("xterm-256color")
    view.press(f'"$PY" -m pylatencymap {recording.name} --speed max &\r')
    view.until(lambda: prompts(view) == 2)
    pid = child_of(view.child.pid)
    view.until(lambda: state_of(pid) == "T", "it stops")
    view.is_as_before()
    view.press("fg\r")
    view.shows_the_end("q quit")
    view.press("q")
    view.until(lambda: prompts(view) == 3, "the prompt")
    view.is_as_before()
