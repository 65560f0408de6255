"""``pylatencymap compare`` of several parts of one file: it is read once, and each part is what it is by itself."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pylatencymap.cli.inputs

Command = Callable[..., Any]
RANGES = ("@..11:13:34", "@11:13:34..", "", "@11:13:10..11:13:50")


@pytest.fixture
def copies(root: Path, tmp_path: Path) -> list[Path]:
    """The same recording in four files."""
    files = [tmp_path / str(number) / "steady.lmap.gz" for number in range(4)]
    for file in files:
        file.parent.mkdir()
        shutil.copy(root / "examples/steady.lmap.gz", file)
    return files


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths that are opened from now on."""
    found: list[str] = []
    whole = pylatencymap.cli.inputs.open_path

    def noted(path: str, *rest: Any) -> Any:
        found.append(path)
        return whole(path, *rest)

    monkeypatch.setattr(pylatencymap.cli.inputs, "open_path", noted)
    return found


def compared(quick: Command, before: list[str], after: list[str], *more: str) -> Any:
    ran = quick("compare", "--before", *before, "--after", *after, "--json", "--tz", "UTC", *more)
    assert ran.status == 0
    said = json.loads(ran.out)
    del said["files"]
    return said


def test_a_file_is_read_once_for_all_its_parts(copies: list[Path], opened: list[str], quick: Command) -> None:
    words = [f"{copies[0]}{part}" for part in RANGES]
    together = compared(quick, words[:2], words[2:])
    assert opened == [str(copies[0])]
    words = [f"{file}{part}" for file, part in zip(copies, RANGES, strict=True)]
    assert together == compared(quick, words[:2], words[2:])
    assert len(opened) == 5


def test_a_limit_is_that_of_each_part(copies: list[Path], opened: list[str], quick: Command) -> None:
    words = [f"{copies[0]}{part}" for part in RANGES[:2]]
    said = compared(quick, words[:1], words[1:], "--count", "10")
    assert [said["series"][0][side]["columns"] for side in ("before", "after")] == [10, 10]
    assert len(opened) == 2


def test_bad_records_of_a_file_count_once(tmp_path: Path, quick: Command) -> None:
    file = tmp_path / "damaged.txt"
    records = [
        f"<begin record>\ntimestamp,microsec,{1_772_409_601 + second}000000,x\nlabel,sda\nlatencyunit,microsec\n"
        f"datasource,bpf\n64,{8 * second}\n8192,{second}\n<end record>\n"
        for second in range(1, 121)
    ]
    records[50] = records[50].replace("8192,", "81z92,")
    file.write_text("".join(records))
    said = compared(quick, [f"{file}@..00:01"], [f"{file}@00:01.."])
    assert said["bad_records"] == 1


def test_a_part_in_which_nothing_was_recorded_is_named(command: Command, copies: list[Path]) -> None:
    ran = command("compare", f"{copies[0]}@..11:13:34", f"{copies[0]}@2027-01-01..", "--tz", "UTC")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == (
        f"pylatencymap: {copies[0]}@2027-01-01..: nothing was recorded after 2027-01-01 00:00:00; what there is begins "
        "2026-11-21 11:13:03 and ends 2026-11-21 11:14:04\n"
    )
    ran = command("compare", f"{copies[0]}@..2026-01-01", f"{copies[0]}@..2026-02-01", "--tz", "UTC")
    assert ran.status == 1
    assert ran.err.endswith("; what there is begins 2026-11-21 11:13:03\n")
