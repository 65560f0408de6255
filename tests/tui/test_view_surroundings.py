"""What a terminal says of itself, and what is pasted into it, at the real program."""

import os
import termios
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Make = Callable[..., Any]
HELP = "Compare the two"
WHITE, BLACK = "ffff/ffff/ffff", "0000/0000/0000"


def colours(view: Any) -> list[Any]:
    """What is seen of every cell of the screen: of a blank only what lies behind it."""
    columns, lines = view.screen.columns, view.screen.lines
    cells = [view.cell(column, line) for line in range(lines) for column in range(columns)]
    return [cell.bg if cell.char == " " and not cell.reverse else cell for cell in cells]


@pytest.fixture
def painted(terminal: Make, recording: Path) -> Callable[..., Any]:
    """The picture at the end of a recording, on a terminal that says so of its background."""

    def make(words: str = "", **named: Any) -> Any:
        view = terminal(f"L {recording.name} --speed max {words}", COLORTERM="truecolor", **named)
        view.shows_the_end("100 % of events")
        return view

    return make


def test_the_colours_suit_the_background_that_the_terminal_tells(painted: Callable[..., Any]) -> None:
    light, dark = (colours(painted(f"--background {name}", answers=False)) for name in ("light", "dark"))
    assert light != dark
    for background, expected in ((WHITE, light), (BLACK, dark)):
        told = painted(background=background)
        told.until(lambda told=told, expected=expected: colours(told) == expected, f"colours for {background}")


def test_an_environment_variable_tells_it_where_the_terminal_does_not(painted: Callable[..., Any]) -> None:
    light = colours(painted("--background light", answers=False))
    named = painted(answers=False, COLORFGBG="0;15")
    assert colours(named) == light
    answering = painted(background=BLACK, COLORFGBG="0;15")
    answering.until(lambda: colours(answering) != light, "what the terminal says goes before the variable")


def test_what_was_asked_for_goes_before_what_the_terminal_tells(painted: Callable[..., Any]) -> None:
    dark = colours(painted("--background dark", answers=False))
    asked = painted("--background dark", background=WHITE, COLORFGBG="0;15")
    asked.until(lambda: b"\x1b]11;?" in asked.raw and asked.has_heard_all(), "the question and its answer")
    asked.press("d")
    asked.shows("colours for a light background")
    asked.press("d")
    asked.shows("colours for a dark background")
    asked.press("KEY_ESCAPE")
    asked.until(lambda: colours(asked) == dark, "dark")


def test_a_paste_of_keys_does_not_act(terminal: Make, make_stream: Any, tmp_path: Path) -> None:
    text = "".join(make_stream(name, [{128: 100 * n} for n in range(7)], 1_700_000_000) for name in ("sda", "sdb"))
    (tmp_path / "r.lmap").write_text(text)
    view = terminal("L r.lmap --speed max", size=(120, 40))
    view.shows_the_end("sda")
    view.until(lambda: 2004 in view.private_modes)
    view.paste("qf]0g?")
    view.press("c")
    view.shows("colour scale: linear")
    assert "FREQUENCY" in view.text, "none of the pasted keys has acted before c did"
    assert "INTENSITY" in view.text
    assert "every 1 s" in view.text
    view.press("g")
    view.shows("1 sda", "2 sdb")
    view.paste("2gfq")
    view.press("c")
    view.shows("colour scale: log", "1 sda", "2 sdb", "INTENSITY")
    view.press("?")
    view.shows(HELP)
    view.paste("q?")
    view.press("KEY_ESCAPE")
    view.until(lambda: HELP not in view.text and "2 sdb" in view.text, "the grid, behind the help")
    view.press("q")
    assert view.ends() == 0
    view.is_as_before()


def write_over(view: Any, text: bytes) -> None:
    """Another program writes on the terminal."""
    terminal = os.open(f"/proc/{view.child.pid}/fd/2", os.O_WRONLY | os.O_NOCTTY)
    os.write(terminal, text)
    os.close(terminal)
    view.until(lambda: text in view.raw, "what the other program writes")


def test_what_others_write_over_the_picture_goes_away(painted: Callable[..., Any]) -> None:
    view = painted()
    view.until(view.has_heard_all)
    before = view.text
    write_over(view, b"\x1b[5;10HBroadcast message")
    view.until(lambda: view.text == before, "the picture again")


@pytest.mark.parametrize("keys", ["", "?", "t", "/"])
def test_ctrl_l_paints_the_whole_screen_again(painted: Callable[..., Any], keys: str) -> None:
    """Also where the cursor tells nothing: who writes has put it back."""
    view = painted()
    before = view.text
    if keys:
        view.press(keys)
        view.until(lambda: view.text != before, "another layer")
    view.until(view.has_heard_all)
    before = view.text
    write_over(view, b"\x1b7\x1b[5;10HBroadcast message\x1b8")
    view.shows("Broadcast message")
    view.press("\x0c")
    view.until(lambda: view.text == before, "the picture again")


def test_messages_of_the_source_do_not_stay_in_the_picture(terminal: Make, make_stream: Any, tmp_path: Path) -> None:
    (tmp_path / "r.lmap").write_text(make_stream("sda", [{128: 100 * n} for n in range(7)], 1_700_000_000))
    source = "cat r.lmap; until [ -e now ]; do sleep 0.1; done; echo 'Possibly lost 23 samples' >&2; exec sleep 600"
    view = terminal(f"(trap '' INT; {source}) | L")
    view.shows("100 % of events")
    (tmp_path / "now").touch()
    view.prints("Possibly lost 23 samples")
    view.until(lambda: "Possibly" not in view.text and "100 % of events" in view.text, "the picture without it")
    view.press("q")


def test_ctrl_c_drops_no_output_while_the_view_has_the_terminal(painted: Callable[..., Any]) -> None:
    view = painted()
    view.until(lambda: view.modes[3] & termios.NOFLSH, "output is kept")
    view.press("q")
    assert view.ends() == 0
    view.is_as_before()
    assert not view.modes[3] & termios.NOFLSH
