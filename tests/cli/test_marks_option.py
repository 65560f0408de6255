"""``--marks FILE`` on the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pylatencymap.record import Mark, Stamp
from pylatencymap.stream.extension import write_mark

Command = Callable[..., Any]
TEXT = "# deploys\n2026-11-21 11:13:20,deploy of 2.4\n11:13:30  reorg | end\n2026-11-22 00:00,too late\nsoon,x\n"


@pytest.fixture
def marks(tmp_path: Path) -> Path:
    path = tmp_path / "m.txt"
    path.write_text(TEXT)
    return path


@pytest.fixture
def steady(root: Path) -> Path:
    return root / "examples/steady.lmap.gz"


def test_marks_are_on_the_axis_of_a_picture(quick: Command, steady: Path, marks: Path) -> None:
    ran = quick(steady, "--once", "--marks", marks, "--tz", "UTC")
    axis = next(line for line in ran.out.splitlines() if line.lstrip().startswith("└"))
    assert axis.count("M") == 2
    assert 'M 11:13:20  "deploy of 2.4"' in ran.out
    assert ran.err.splitlines() == [
        f"pylatencymap: {marks}:5: 'soon' is no time; write a time, a comma and a text: "
        "2026-03-03 03:12:05,deploy of 2.4",
        f"pylatencymap: {marks}: 1 of 3 marks is outside of the data, which begin 2026-11-21 11:13:03 and end "
        "2026-11-21 11:14:04",
    ]


def test_marks_are_in_an_exported_picture(quick: Command, steady: Path, marks: Path, tmp_path: Path) -> None:
    assert quick("export", steady, "--marks", marks, "-o", tmp_path / "p.svg").status == 0
    assert '>"deploy</text>' in (tmp_path / "p.svg").read_text()


def test_marks_are_in_reports(quick: Command, steady: Path, marks: Path) -> None:
    page = quick("report", steady, "--marks", marks, "--full").out
    assert "\nMarks\n  11:13:20  deploy of 2.4\n  11:13:30  reorg | end\n\n" in page
    ticket = quick("report", steady, "--marks", marks, "--markdown").out
    assert "### Marks\n\n| when | what |\n| --- | --- |\n| 11:13:20 | deploy of 2.4 |\n" in ticket
    assert "| 11:13:30 | reorg \\| end |" in ticket
    said = json.loads(quick("report", steady, "--marks", marks, "--json").out)
    assert said["version"] == 1
    assert [one["text"] for one in said["marks"]] == ["deploy of 2.4", "reorg | end"]
    assert said["marks"][0]["at"] == "2026-11-21T11:13:20+00:00"
    assert said["marks"][0]["at_seconds"] == pytest.approx(16.0, abs=0.01)


def test_a_part_of_the_time_leaves_out_the_other_marks(quick: Command, steady: Path, marks: Path) -> None:
    ran = quick("report", f"{steady}@11:13:25..", "--marks", marks, "--full")
    assert "deploy" not in ran.out
    assert "reorg" in ran.out
    assert "2 of 3 marks are outside of the data" in ran.err


def test_a_report_of_a_recording_has_its_own_marks(quick: Command, make_stream: Any, tmp_path: Path) -> None:
    mark = write_mark(Mark(Stamp(1_700_000_005_000_000), "by hand"))
    recorded = tmp_path / "r.lmap"
    recorded.write_text(make_stream("sda", *[{64: 9 * number} for number in range(30)]) + mark)
    assert "Marks\n  22:13:25  by hand\n" in quick("report", recorded, "--full").out


@pytest.mark.parametrize(("path", "status", "said"), [("-", 2, "name a file"), ("none.txt", 3, "no such file")])
def test_a_file_that_cannot_be_read(
    quick: Command, steady: Path, tmp_path: Path, path: str, status: int, said: str
) -> None:
    ran = quick("report", steady, "--marks", path if path == "-" else tmp_path / path)
    assert ran.status == status
    assert said in ran.err
