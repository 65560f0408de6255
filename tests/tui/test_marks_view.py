"""``--marks FILE`` in the viewer, on a real terminal."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

Make = Callable[..., Any]


def test_marks_are_on_the_axis_and_among_the_moments(terminal: Make, make_stream: Any, tmp_path: Path) -> None:
    text = make_stream("sda", [{128: 100 * number} for number in range(40)], 1_700_000_000)
    (tmp_path / "r.lmap").write_text(text)
    (tmp_path / "m.txt").write_text("22:13:30,deploy \x1b]0;owned\x07of 2.4\n2023-11-14 22:13:40,reorg\n22:50,late\n")
    view = terminal("L r.lmap --marks m.txt", size=(100, 40))
    view.shows("q quit", 'M 22:13:40  "reorg"')
    view.shows("m.txt: 1 of 3 marks is outside of the data")
    view.press("n")
    view.shows('mark "deploy')
    view.press("n")
    view.shows('M 22:13:40  mark "reorg"')
    view.press("l")
    view.shows("What stands out")
    assert b"\x1b]0;" not in view.raw
    view.press("l")
    view.press("q")
    assert view.ends() == 0
    assert "1 of 3 marks is outside" in view.after
