"""``--only KEY=VALUE``: pictures and answers of some events alone."""

import csv
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pylatencymap as lm
from pylatencymap.errors import UsageError

Command = Callable[..., Any]
EPOCH = 1_769_850_000
ROWS = 12


def text(first: float = EPOCH) -> list[str]:
    """Two processes and two files; a quarter of the calls is of process 101 and file 4."""
    return [
        f"{100 + n % 2} {first + n / 100:.6f} read({3 + n // 2 % 2}, 8) = 8 <0.00{1 + n % 9}000>" for n in range(1000)
    ]


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    path = tmp_path / "trace.txt"
    path.write_text("\n".join(text()) + "\n")
    return path


def without_title(picture: str) -> list[str]:
    """The picture below its title, which has the filter; folders differ as well."""
    return [line.replace("/all/", "/one/") for line in picture.splitlines()[1:]]


@pytest.mark.parametrize("packed", [False, True])
def test_a_picture_is_that_of_a_file_with_these_events_only(
    quick: Command, trace: Path, tmp_path: Path, packed: bool
) -> None:
    alone = tmp_path / "alone.txt"
    alone.write_text("\n".join(row for row in text() if row.startswith("101 ") and "read(4," in row) + "\n")
    path = trace
    if packed:
        path = tmp_path / "trace.txt.gz"
        path.write_bytes(gzip.compress(trace.read_bytes()))
    filtered = quick("--once", path, "--only", "pid=101", "--only", "fd=4")
    other = quick("--once", alone)
    assert (filtered.status, other.status) == (0, 0)
    assert "{pid=101} {fd=4}" in filtered.out
    assert without_title(filtered.out) == without_title(other.out)


def test_an_excerpt_and_an_end_of_it(quick: Command, trace: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone.txt"
    alone.write_text("\n".join(row for row in text() if row.startswith("101 ")) + "\n")
    for options in (["--from", "09:00:03", "--to", "09:00:06"], ["--last", "2s"], ["--count", 3], ["--interval", 2]):
        filtered = quick("--once", trace, "--only", "pid=101", *options)
        other = quick("--once", alone, *options)
        assert filtered.status == 0
        assert without_title(filtered.out) == without_title(other.out)


def test_several_files_and_a_start(quick: Command, tmp_path: Path) -> None:
    paths, others = [], []
    for number in range(2):
        for name, found in (("all", paths), ("one", others)):
            path = tmp_path / name / f"{number}.log"
            path.parent.mkdir(exist_ok=True)
            rows = [f"{10 * n}, {1_000_000 + n % 7}, 0, {4096 << n % 2}, 0, 0" for n in range(1000)]
            path.write_text("\n".join(row for row in rows if name == "all" or " 8192," in row) + "\n")
            found.append(path)
    start = ["--start", "1.log=2026-01-31 09:00:00"]
    filtered = quick("--once", *paths, "--only", "size=8192", *start)
    other = quick("--once", *others, *start)
    assert filtered.status == 0
    assert without_title(filtered.out) == without_title(other.out)


def test_the_events_command_takes_it(quick: Command, trace: Path) -> None:
    ran = quick("events", trace, "--only", "pid=101", "--only", "fd=4")
    assert "\n250 events, " in ran.out
    none = quick("events", trace, "--only", "pid=7")
    assert (none.status, none.out) == (1, "")
    assert "no event there with pid=7" in none.err


@pytest.mark.parametrize("words", [["report", "--full"], ["report", "--json"], ["convert", "--to", "jsonl"]])
def test_report_and_convert_take_it(quick: Command, trace: Path, tmp_path: Path, words: list[str]) -> None:
    alone = tmp_path / "alone" / trace.name
    alone.parent.mkdir()
    alone.write_text("\n".join(row for row in text() if row.startswith("101 ")) + "\n")
    filtered = quick(words[0], trace, *words[1:], "--only", "pid=101")
    other = quick(words[0], alone, *words[1:])
    assert (filtered.status, other.status) == (0, 0)
    said = filtered.out.replace(" with pid=101", "").replace('"only": [\n    "pid=101"\n  ]', '"only": []')
    assert said != filtered.out or words[0] == "convert"
    assert [*unwrapped(said)] == [*unwrapped(other.out.replace("/alone", ""))]


def unwrapped(page: str) -> list[str]:
    """The words of a page, however its lines are broken."""
    return page.split()


def test_export_takes_it(quick: Command, trace: Path, tmp_path: Path) -> None:
    written = {name: tmp_path / f"out.{name}" for name in ("csv", "svg", "html")}
    for path in written.values():
        assert quick("export", trace, "--only", "pid=101", "--only", "fd=4", "-o", path).status == 0
    with written["csv"].open() as file:
        assert sum(float(row["count"]) for row in csv.DictReader(file) if row["count"]) == 250
    assert "pid=101" in written["svg"].read_text()
    assert "trace.txt with pid=101 and fd=4" in written["html"].read_text()


def test_compare_takes_it(quick: Command, trace: Path) -> None:
    sides = f"{trace}@..09:00:05", f"{trace}@09:00:05.."
    page = quick("compare", *sides, "--only", "pid=101", "--markdown")
    assert page.status == 0
    assert page.out.count("with pid=101") == 2
    found = json.loads(quick("compare", *sides, "--only", "pid=101", "--json").out)
    assert found["only"] == {"before": ["pid=101"], "after": ["pid=101"]}
    (series,) = found["series"]
    assert [series[side]["events"] for side in ("before", "after")] == [250, 250]
    refused = quick("compare", *sides, "--only", "pid=101", "--by", "fd")
    assert (refused.status, refused.out) == (2, "")
    assert "leave out one of them" in refused.err


def test_python_takes_it(trace: Path) -> None:
    run = lm.read(trace, only=["pid=101", "fd=4"])
    assert run.summary().events == 250
    assert run.only == ("pid=101", "fd=4")
    assert "with pid=101 and fd=4, " in str(run.report())
    with pytest.raises(UsageError, match="write a key and its value"):
        lm.read(trace, only="pid")


def test_what_is_refused(quick: Command, trace: Path, tmp_path: Path, root: Path) -> None:
    for words, status, said in (
        ([trace, "--only", "pid"], 2, "--only pid: write a key and its value"),
        ([trace, "--only", "pid=7"], 1, "has no event with pid=7: pylatencymap events "),
        (
            [root / "examples/cold-start.lmap.gz", "--only", "pid=7"],
            3,
            "holds counts per interval and no single events",
        ),
        ([trace, "--only", "pid=101", "--record", tmp_path / "r.lmap"], 2, "--record is for whole sources"),
    ):
        ran = quick("--once", *words)
        assert (ran.status, ran.out) == (status, "")
        assert said in ran.err


def test_a_pipe_is_refused(command: Command, trace: Path) -> None:
    ran = command("--once", "--only", "pid=101", given=trace.read_text())
    assert ran.status == 2
    assert "--only reads files" in ran.err
