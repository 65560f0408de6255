"""The command ``replay`` on a real terminal."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

Make = Callable[..., Any]


def test_a_replay_says_how_long_it_is_and_reads_to_its_end(terminal: Make, make_stream: Any, tmp_path: Path) -> None:
    (tmp_path / "r.lmap").write_text(make_stream("sda", [{128: 100 * n} for n in range(3601)], 1_700_000_000))
    view = terminal("L replay r.lmap --speed 0.1x", size=(120, 40))
    view.shows("REPLAY 0.1x", " s of 1 h")
    view.press("KEY_END")
    view.until(lambda: "REPLAY" not in view.line(0) and "READING" not in view.line(0), "the end")
    view.press("a")
    view.until(lambda: "ALL 60 min" in view.line(0) or "ALL 1 h" in view.line(0), "all of it")
    view.press("q")
    assert view.ends() == 0
