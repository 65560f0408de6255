"""A real terminal in between: what tmux captures after 200 frames by the frugal encoder and by the plain one."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from pylatencymap.view.cells import Cells
from pylatencymap.view.colour import Depth
from pylatencymap.view.draw import draw
from pylatencymap.view.encoder import Encoder, synchronized
from pylatencymap.view.geometry import Drawn
from pylatencymap.view.memory import Memory
from pylatencymap.view.options import ViewOptions
from pylatencymap.view.scene import Scene
from pylatencymap.view.status import Status
from pylatencymap.window.stats import Summary
from tests.view.emulator import Seen, held, plain_text, screen_with

COLUMNS, LINES, FRAMES = 100, 34, 200
OPTIONS = ViewOptions(depth=Depth.COLOURS_256)
SUMMARY = Summary(span=60.0, events=1000.0, waited=1.0, estimated=True)
PATIENCE = 20.0

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


def frames(make_matrix) -> Iterator[Drawn]:
    """A source that runs, is rescaled, resets, and falls silent."""
    random, memory = np.random.default_rng(3), Memory()
    counts = random.poisson(20, (12, FRAMES)) * (random.random((12, 1)) < 0.8)
    counts[:, 120:] *= 9
    whole = make_matrix(counts=counts, gap=(60, 61, 62, 150), reset=(90, 151))
    for end in range(1, FRAMES + 1):
        part = np.s_[max(0, end - 80) : end]
        fields = {
            name: getattr(whole, name)[part] for name in ("ends", "seconds", "lasted", "gap", "reset", "estimated")
        }
        matrix = whole._replace(counts=whole.counts[:, part], waited=whole.waited[:, part], **fields)
        scene = Scene(matrix, Status("biolatency", "sda", bad_count=end), SUMMARY, SUMMARY)
        yield draw(scene, OPTIONS, (COLUMNS, LINES), memory)


def captured(folder: Path, name: str, text: str) -> list[list[Seen]]:
    """What a tmux pane of our size shows after a text, with its colours. Captures leave out the blank ends of lines."""
    (folder / name).write_text(text, newline="")
    done, socket = folder / f"{name}.done", str(folder / "tmux")
    script = f"stty -echo; cat {name}; touch {done.name}; sleep 60"
    environ = {**os.environ, "TERM": "xterm-256color"} | {"TMUX": ""}
    begin = ["tmux", "-S", socket, "-f", "/dev/null", "new-session", "-d", "-s", name]
    subprocess.run(
        [*begin, "-x", str(COLUMNS), "-y", str(LINES), ";", "set", "status", "off", ";", "respawn-pane", "-k", script],
        check=True,
        env=environ,
        cwd=folder,
    )
    try:
        deadline = time.monotonic() + PATIENCE
        while not done.exists():
            assert time.monotonic() < deadline, "tmux took too long"
            time.sleep(0.05)
        return held(screen_with(COLUMNS, LINES, "\r\n".join(_settled(socket, name))))
    finally:
        subprocess.run(["tmux", "-S", socket, "kill-session", "-t", name], check=False)


def _settled(socket: str, name: str) -> list[str]:
    """The pane once two captures in a row are alike and not empty."""
    last: list[str] = []
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        command = ["tmux", "-S", socket, "capture-pane", "-ep", "-t", name]
        now = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
        if now == last and any(now):
            return now
        last = now
        time.sleep(0.1)
    raise AssertionError("the pane of tmux does not come to rest")


def test_tmux_shows_the_same_as_after_the_plain_encoder(make_matrix, tmp_path: Path) -> None:
    encoder = Encoder(OPTIONS)
    pictures = list(frames(make_matrix))
    sent = "".join(synchronized(encoder.encode(drawn)) for drawn in pictures)
    assert sent.count("\x1b[@") > FRAMES
    last: Cells = pictures[-1].cells
    assert captured(tmp_path, "frugal", sent) == captured(tmp_path, "plain", plain_text(last, OPTIONS))
