"""A real terminal in between: what tmux captures after 200 frames by the frugal encoder and by the plain one."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from pylatencymap.view.drawing import DrawnPicture, draw_picture
from pylatencymap.view.layout.colour_scale import ScaleMemory
from pylatencymap.view.layout.scene import Scene
from pylatencymap.view.layout.status import Status
from pylatencymap.view.paint.canvas import Cells
from pylatencymap.view.style.colour_depth import ColourDepth
from pylatencymap.view.style.options import ViewOptions
from pylatencymap.view.terminal.encoder import ScreenEncoder, synchronized
from pylatencymap.window.statistics import Summary
from tests.view.emulator import Seen, held, plain_text, screen_with
from tests.waiting import PATIENCE

COLUMNS, LINES, FRAMES = 100, 34, 200
OPTIONS = ViewOptions(depth=ColourDepth.COLOURS_256)
SUMMARY = Summary(span=60.0, events=1000.0, waited=1.0, estimated=True)
OK = b"\x1b[0n"
"""A terminal's answer to the question for its status."""

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


def frames(make_matrix) -> Iterator[DrawnPicture]:
    """A source that runs, is rescaled, resets, and falls silent."""
    random, memory = np.random.default_rng(3), ScaleMemory()
    counts = random.poisson(20, (12, FRAMES)) * (random.random((12, 1)) < 0.8)
    counts[:, 120:] *= 9
    whole = make_matrix(counts=counts, gap=(60, 61, 62, 150), reset=(90, 151))
    for end in range(1, FRAMES + 1):
        part = np.s_[max(0, end - 80) : end]
        fields = {
            name: getattr(whole, name)[part] for name in ("ends", "seconds", "lasted", "gap", "reset", "estimated")
        }
        matrix = whole._replace(counts=whole.counts[:, part], waited=whole.waited[:, part], **fields)
        name = ("sda", "ディスク読込", "日本", "caf\u0065\u0301")[end // 7 % 4]
        scene = Scene(matrix, Status("biolatency", name, bad_count=end), SUMMARY, SUMMARY)
        yield draw_picture(scene, OPTIONS, (COLUMNS, LINES), memory)


def captured(folder: Path, name: str, text: str) -> list[list[Seen]]:
    """What a tmux pane of our size shows after a text, with its colours. Captures leave out the blank ends of lines.

    The pane asks for the terminal's status behind the text: tmux answers when it has shown all that came before.
    """
    (folder / name).write_text(text + "\x1b[5n", newline="")
    tmux = ["tmux", "-S", str(folder / f"{name}.tmux")]
    answered = f"dd bs=1 count={len(OK)} >{name}.answer 2>&-; {' '.join(tmux)} wait-for -S {name}"
    script = f"stty -echo -icanon; cat {name}; {answered}; sleep 600"
    environ = {**os.environ, "TERM": "xterm-256color"} | {"TMUX": ""}
    begin = [*tmux, "-f", "/dev/null", "new-session", "-d", "-s", name, "-x", str(COLUMNS), "-y", str(LINES)]
    subprocess.run(
        [*begin, ";", "set", "status", "off", ";", "respawn-pane", "-k", script], check=True, env=environ, cwd=folder
    )
    try:
        subprocess.run([*tmux, "wait-for", name], check=True, timeout=PATIENCE)
        assert (folder / f"{name}.answer").read_bytes() == OK
        shown = subprocess.run([*tmux, "capture-pane", "-ep", "-t", name], check=True, capture_output=True, text=True)
        return held(screen_with(COLUMNS, LINES, "\r\n".join(shown.stdout.splitlines())))
    finally:
        subprocess.run([*tmux, "kill-server"], check=False)


def test_tmux_shows_the_same_as_after_the_plain_encoder(make_matrix, tmp_path: Path) -> None:
    encoder = ScreenEncoder(OPTIONS)
    pictures = list(frames(make_matrix))
    sent = "".join(synchronized(encoder.encode(drawn)) for drawn in pictures)
    assert sent.count("\x1b[@") > FRAMES
    last: Cells = pictures[-1].cells
    assert captured(tmp_path, "frugal", sent) == captured(tmp_path, "plain", plain_text(last, OPTIONS))
