"""Which depth is chosen for which terminal."""

import io

import pytest

from pylatencymap.view.style.colour_depth import ColourDepth, detect_depth


@pytest.mark.parametrize(
    ("environ", "encoding", "isatty", "depth"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, "utf-8", True, ColourDepth.TRUECOLOR),
        ({"TERM": "xterm", "COLORTERM": "24bit"}, "UTF-8", True, ColourDepth.TRUECOLOR),
        ({"TERM": "xterm-direct"}, "utf8", True, ColourDepth.TRUECOLOR),
        ({"TERM": "xterm-256color"}, "utf-8", True, ColourDepth.COLOURS_256),
        ({"TERM": "tmux-256color"}, "utf-8", True, ColourDepth.COLOURS_256),
        ({"TERM": "xterm"}, "utf-8", True, ColourDepth.COLOURS_256),
        ({"TERM": "xterm-kitty"}, "utf-8", True, ColourDepth.TRUECOLOR),
        ({"TERM": "alacritty"}, "utf-8", True, ColourDepth.TRUECOLOR),
        ({"TERM": "vt220"}, "utf-8", True, ColourDepth.MONO),
        ({"TERM": "vt220", "COLORTERM": "truecolor"}, "utf-8", True, ColourDepth.TRUECOLOR),
        ({"TERM": "vte-256color"}, "utf-8", True, ColourDepth.COLOURS_256),
        ({"TERM": "linux"}, "utf-8", True, ColourDepth.COLOURS_16),
        ({"TERM": "xterm-16color"}, "utf-8", True, ColourDepth.COLOURS_16),
        ({}, "utf-8", True, ColourDepth.COLOURS_16),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, "utf-8", True, ColourDepth.MONO),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, "utf-8", True, ColourDepth.COLOURS_256),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, "iso8859-1", True, ColourDepth.ASCII),
        ({"TERM": "xterm-256color", "NO_COLOR": "1", "CLICOLOR_FORCE": "1"}, "utf-8", False, ColourDepth.MONO),
        ({"TERM": "xterm-256color"}, "utf-8", False, ColourDepth.MONO),
        ({"TERM": "xterm-256color", "CLICOLOR_FORCE": "1"}, "utf-8", False, ColourDepth.COLOURS_256),
        ({"TERM": "xterm-256color", "CLICOLOR_FORCE": "0"}, "utf-8", False, ColourDepth.MONO),
        ({"TERM": "dumb", "COLORTERM": "truecolor"}, "utf-8", True, ColourDepth.ASCII),
        ({"TERM": "xterm-256color"}, "ANSI_X3.4-1968", True, ColourDepth.ASCII),
        ({"TERM": "xterm-256color"}, None, True, ColourDepth.ASCII),
    ],
)
def test_depth(environ: dict[str, str], encoding: str | None, isatty: bool, depth: ColourDepth) -> None:
    assert detect_depth(environ, encoding, isatty) is depth


@pytest.mark.parametrize(
    "term",
    ["xterm-256color", "tmux-256color", "xterm-kitty", "xterm-ghostty", "alacritty", "foot", "vt100", "vt220", "sun"],
)
def test_the_depth_is_that_of_blessed_where_terminfo_is_not_behind_the_times(
    term: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``xterm``, ``screen`` and ``rxvt`` have 8 colours there: those terminals have had 256 for twenty years."""
    blessed = pytest.importorskip("blessed", minversion="1.40")
    for name in ("COLORTERM", "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    colours = blessed.Terminal(kind=term, stream=io.StringIO(), force_styling=True).number_of_colors
    depths = {0: ColourDepth.MONO, 256: ColourDepth.COLOURS_256, 1 << 24: ColourDepth.TRUECOLOR}
    assert detect_depth({"TERM": term}, "utf-8", True) is depths[colours]
