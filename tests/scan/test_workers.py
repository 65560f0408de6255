"""Processes that work on parts of a file."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import PATIENCE

LOADED_LATER = """
import os, sys
import pylatencymap.scan.workers as workers
from pylatencymap.cli.main import run
before, make = set(), workers._tried
os.register_at_fork(before=lambda: before.update(sys.modules))
def tried(work, part):
    found = make(work, part)
    with open("loaded", "a") as file:
        print(*sorted(set(sys.modules) - before), "-", file=file)
    return found
workers._tried = tried
sys.exit(run(["--once", "big_lat.1.log"]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="no processes are forked")
def test_they_load_no_module(tmp_path: Path) -> None:
    """If another thread was just loading the same one when they were forked, they would wait for it for ever."""
    lines = "".join(f"{n // 100}, {1000 * (n % 997)}, 0, 4096, 0\n" for n in range(600_000))
    (tmp_path / "big_lat.1.log").write_text(lines)
    words = [sys.executable, "-c", LOADED_LATER]
    subprocess.run(words, cwd=tmp_path, timeout=PATIENCE, check=True, stdout=subprocess.DEVNULL)
    loaded = (tmp_path / "loaded").read_text().splitlines()
    assert len(loaded) > 1
    assert set(loaded) == {"-"}
