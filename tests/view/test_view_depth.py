"""Which depth is chosen for which terminal."""

import pytest

from pylatencymap.view.colour import Depth, detect_depth


@pytest.mark.parametrize(
    ("environ", "encoding", "isatty", "depth"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, "utf-8", True, Depth.TRUECOLOR),
        ({"TERM": "xterm", "COLORTERM": "24bit"}, "UTF-8", True, Depth.TRUECOLOR),
        ({"TERM": "xterm-direct"}, "utf8", True, Depth.TRUECOLOR),
        ({"TERM": "xterm-256color"}, "utf-8", True, Depth.COLOURS_256),
        ({"TERM": "tmux-256color"}, "utf-8", True, Depth.COLOURS_256),
        ({"TERM": "xterm"}, "utf-8", True, Depth.COLOURS_256),
        ({"TERM": "linux"}, "utf-8", True, Depth.COLOURS_16),
        ({"TERM": "xterm-16color"}, "utf-8", True, Depth.COLOURS_16),
        ({}, "utf-8", True, Depth.COLOURS_16),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, "utf-8", True, Depth.MONO),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, "utf-8", True, Depth.COLOURS_256),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, "iso8859-1", True, Depth.ASCII),
        ({"TERM": "xterm-256color", "NO_COLOR": "1", "CLICOLOR_FORCE": "1"}, "utf-8", False, Depth.MONO),
        ({"TERM": "xterm-256color"}, "utf-8", False, Depth.MONO),
        ({"TERM": "xterm-256color", "CLICOLOR_FORCE": "1"}, "utf-8", False, Depth.COLOURS_256),
        ({"TERM": "xterm-256color", "CLICOLOR_FORCE": "0"}, "utf-8", False, Depth.MONO),
        ({"TERM": "dumb", "COLORTERM": "truecolor"}, "utf-8", True, Depth.ASCII),
        ({"TERM": "xterm-256color"}, "ANSI_X3.4-1968", True, Depth.ASCII),
        ({"TERM": "xterm-256color"}, None, True, Depth.ASCII),
    ],
)
def test_depth(environ: dict[str, str], encoding: str | None, isatty: bool, depth: Depth) -> None:
    assert detect_depth(environ, encoding, isatty) is depth
