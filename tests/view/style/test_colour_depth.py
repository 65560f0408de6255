"""Which depth is chosen for which terminal."""

import io
import os
import subprocess
import sys
from pathlib import Path

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
        ({"TERM": "vt100-am"}, "utf-8", True, ColourDepth.MONO),
        ({"TERM": "vt100", "LANG": "C"}, "utf-8", True, ColourDepth.ASCII),
        ({"TERM": "xterm-256color", "LANG": "C"}, "utf-8", True, ColourDepth.ASCII),
        ({"TERM": "xterm-256color", "LANG": "POSIX"}, "utf-8", True, ColourDepth.ASCII),
        ({"TERM": "xterm-256color", "LC_ALL": "C", "LANG": "de_DE.UTF-8"}, "utf-8", True, ColourDepth.ASCII),
        ({"TERM": "xterm-256color", "LANG": "C", "LC_CTYPE": "C.UTF-8"}, "utf-8", True, ColourDepth.COLOURS_256),
        ({"TERM": "xterm-256color", "LANG": "C", "PYTHONUTF8": "1"}, "utf-8", True, ColourDepth.COLOURS_256),
        ({"TERM": "xterm-256color", "LANG": "C"}, "utf-8", False, ColourDepth.MONO),
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


CHILD = "from pylatencymap.view.style.colour_depth import environ_as_given; print(environ_as_given().get('LC_CTYPE'))"


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="the system does not keep it")
@pytest.mark.parametrize(
    ("given", "seen"),
    [({"LANG": "C"}, "None"), ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, "C.UTF-8"), ({"LC_ALL": "C"}, "None")],
)
def test_what_python_sets_itself_is_not_what_the_user_asked_for(given: dict[str, str], seen: str) -> None:
    dropped = ("LANG", "LC_ALL", "LC_CTYPE", "PYTHONUTF8", "PYTHONIOENCODING", "PYTHONCOERCECLOCALE")
    environ = {name: value for name, value in os.environ.items() if name not in dropped}
    ran = subprocess.run(
        [sys.executable, "-c", CHILD], env={**environ, **given}, capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == seen
