"""What ``y`` copies on a terminal, pasted on a machine in another zone, opens the same view."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_pasted_commands import TWO_TO_THREE, load

Make = Callable[..., Any]
ZONE, ELSEWHERE = "Europe/Zurich", "Asia/Kolkata"


def printed(command: str, zone: str, folder: Path) -> str:
    words = [*shlex.split(command)[1:], "--once", "--depth", "mono"]
    env = {**os.environ, "TZ": zone, "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        [sys.executable, "-m", "pylatencymap", *words], check=True, capture_output=True, text=True, env=env, cwd=folder
    )
    return done.stdout


@pytest.mark.parametrize(("again", "offset"), [(0, "+02:00"), (3600, "+01:00")])
def test_a_view_of_one_of_two_equal_hours(terminal: Make, tmp_path: Path, again: int, offset: str) -> None:
    file = tmp_path / "night.lmap"
    file.write_text(load(TWO_TO_THREE, TWO_TO_THREE + 1800 + again))
    view = terminal(f"cd {tmp_path} && L night.lmap", size=(120, 40), TERM="linux", TZ=ZONE)
    view.shows("ALL 2 h", "02:30-02:35")
    view.press("n")
    view.press("KEY_ENTER")
    view.shows("min of 2 h")
    view.press("y")
    view.until(lambda: list(tmp_path.glob("*.txt")))
    (written,) = tmp_path.glob("*.txt")
    view.press("q")
    assert view.ends() == 0
    (command,) = [line for line in written.read_text().splitlines() if line.startswith("pylatencymap ")]
    assert f"--tz {ZONE}" in command
    assert set(re.findall(r"\d\d:\d\d:\d\d([+-]\d\d:\d\d)", command)) == {offset}
    assert "02:30" in printed(command, ZONE, tmp_path)
    assert printed(command, ZONE, tmp_path) == printed(command, ELSEWHERE, tmp_path)


def test_the_saved_recording_opens_at_the_same_view(terminal: Make, tmp_path: Path) -> None:
    file = tmp_path / "night.lmap"
    file.write_text(load(TWO_TO_THREE, TWO_TO_THREE + 1800))
    view = terminal(f"cd {tmp_path} && L night.lmap", size=(200, 40), TERM="linux", TZ=ZONE)
    view.shows("ALL 2 h")
    view.press("s")
    view.press("KEY_ENTER")
    view.shows("this view again: pylatencymap")
    (line,) = [line for line in view.text.splitlines() if "this view again" in line]
    view.press("q")
    assert view.ends() == 0
    assert f"--tz {ZONE}" in line
    command = line.partition("this view again: ")[2].strip()
    assert printed(command, ZONE, tmp_path) == printed(command, ELSEWHERE, tmp_path)
