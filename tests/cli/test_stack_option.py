"""``--stack`` and ``--percentiles``: in the picture of ``--once``, and in files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


@pytest.fixture
def both(root: Path) -> list[Path]:
    return [root / f"examples/{name}.lmap.gz" for name in ("steady", "spindle")]


def test_two_series_in_a_printed_picture_and_in_a_file(quick: Command, both: list[Path], tmp_path: Path) -> None:
    ran = quick(*both, "--once", "--stack", "vda,loop0", "--tz", "UTC")
    lines = ran.out.splitlines()
    assert " vda above loop0 " in lines[0]
    assert "stack of 2" in lines[0]
    assert sum("INTENSITY" in line for line in lines) == 2
    made = tmp_path / "stack.svg"
    assert quick("export", *both, "--stack", "vda", "--stack", "loop0", "-o", made, "--tz", "UTC").status == 0
    assert made.read_text().count(">INTENSITY<") == 2


def test_what_cannot_be_stacked_is_said(quick: Command, both: list[Path]) -> None:
    missing = quick(*both, "--once", "--stack", "vda,nvme9", "--tz", "UTC")
    assert missing.status == 0
    assert "there is no series nvme9" in missing.out
    contradiction = quick(*both, "--once", "--stack", "vda,loop0", "--series", "sum")
    assert contradiction.status == 2
    assert "--stack" in contradiction.err


def test_percentiles_are_drawn_where_they_are_wanted(quick: Command, both: list[Path]) -> None:
    strip = quick(both[0], "--once", "--percentiles", "strip", "--tz", "UTC").out
    assert "PERCENTILES" in strip
    assert "worst p99" in strip
    marked = quick(both[0], "--once", "--percentiles", "map", "--tz", "UTC").out
    assert "p50" in marked.splitlines()[2] + marked.splitlines()[1]
    assert "━" in marked
    assert "PERCENTILES" not in quick(both[0], "--once", "--tz", "UTC").out
