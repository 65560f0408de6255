"""Recordings, Parquet and folders of days: who reads them finds the same sums."""

import gzip
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

import pylatencymap as lm
from pylatencymap.aggregate import archived_inputs, output_at
from pylatencymap.cli.main import run
from pylatencymap.errors import SourceError, UsageError
from pylatencymap.session.input import ReadPlan
from tests.aggregate.asking import aggregated, converted, five_kinds, told_alike, waits, written

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
NIGHT = 1_774_051_200 - 120
"""Two minutes before a midnight of UTC, epoch seconds."""


@pytest.fixture
def night(tmp_path: Path) -> Path:
    """A trace over midnight, of 3,000 waits in a minute and more on each side."""
    path = tmp_path / "night.trc"
    path.write_text(waits(Random(4), 12_000, NIGHT))
    return path


@pytest.mark.parametrize("name", ["x.parquet", "x.lmap", "x.lmap.gz", "days/", "hours/"])
def test_every_output_is_read_by_all(
    night: Path, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    output = str(tmp_path / name) + ("/" if name.endswith("/") else "")
    aggregated([night], output, to="lmap" if name == "hours/" else None)
    expected = converted(night)[0]
    assert told_alike(written(output, None if "parquet" in name or name == "days/" else 8)) == told_alike(expected)
    assert sum(count for line in expected for *_, count in line["counts"]) == 12_000
    read = lm.read(output)
    assert set(read.series) == {"db file sequential read", "log file sync"}
    assert sum(read.summary(series).events for series in read.series) == 12_000
    for words in (["report", output], ["compare", str(night), output, "--interval", "1"], ["replay", output, "--once"]):
        assert run(words) == 0, words
        assert "log file sync" in capsys.readouterr().out
    assert run(["events", output.rstrip("/")]) == 3


def test_days_are_folders(night: Path, tmp_path: Path) -> None:
    aggregated([night], f"{tmp_path}/days/")
    files = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.parquet"))
    assert files == ["days/day=2026-03-20/part-0.parquet", "days/day=2026-03-21/part-0.parquet"]
    for path in files:
        table = parquet.read_table(tmp_path / path, partitioning=None)
        assert {f"{moment.as_py() - timedelta(microseconds=1):%Y-%m-%d}" for moment in table["end"]} == {path[9:19]}


def test_a_part_of_a_folder_needs_only_its_days(
    night: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    aggregated([night], f"{tmp_path}/days/", to="lmap")
    names = sorted(path.name for path in (tmp_path / "days").iterdir())
    assert names == ["pylatencymap-20260320T000000.000Z.lmap.gz", "pylatencymap-20260321T000000.000Z.lmap.gz"]
    (tmp_path / "days" / names[0]).write_bytes(b"damaged")  # it is not even opened
    assert run(["report", f"{tmp_path}/days", "--from", "2026-03-21T00:00:30", "--tz", "UTC", "--json"]) == 0
    assert "damaged" not in "".join(capsys.readouterr())


def test_the_table_says_what_the_page_says(night: Path, tmp_path: Path) -> None:
    aggregated([night], tmp_path / "x.parquet")
    lines = converted(night)[0]
    table = parquet.read_table(tmp_path / "x.parquet")
    rows = table.to_pylist()
    assert len(rows) == sum(max(len(line["counts"]), 1) for line in lines)
    assert sum(row["count"] for row in rows) == 12_000
    waited = sum(row["waited"] for row in rows if row["waited"] is not None)
    assert waited == pytest.approx(sum(line["time"] for line in lines), abs=1e-9)
    assert sum(row["bucket"] == 0 for row in rows) == len(lines)
    assert all((row["waited"] is None) == (row["bucket"] > 0) for row in rows)
    assert all((row["lower"] is None) == (row["count"] == 0) for row in rows)
    assert [row["end"] for row in rows] == sorted(row["end"] for row in rows)


def test_a_parquet_that_is_damaged_or_not_ours(night: Path, tmp_path: Path) -> None:
    aggregated([night], tmp_path / "x.parquet")
    data = (tmp_path / "x.parquet").read_bytes()
    (tmp_path / "cut.parquet").write_bytes(data[: len(data) // 2])
    with pytest.raises(SourceError, match=r"cut\.parquet: this Parquet file cannot be read"):
        lm.read(tmp_path / "cut.parquet")
    parquet.write_table(pyarrow.table({"a": [1]}), tmp_path / "other.parquet")
    with pytest.raises(SourceError, match=r"other\.parquet: .* lacks the column 'series'"):
        lm.read(tmp_path / "other.parquet")


def test_an_aggregation_of_aggregations(tmp_path: Path) -> None:
    paths = five_kinds(tmp_path / "archive", Random(8))
    aggregated(paths, tmp_path / "one.parquet")
    aggregated([tmp_path / "one.parquet"], tmp_path / "two.parquet", ReadPlan(jobs=1), resolution=None)
    assert written(tmp_path / "one.parquet") == written(tmp_path / "two.parquet")


def test_what_is_there_already(night: Path, tmp_path: Path) -> None:
    aggregated([night], f"{tmp_path}/days/")
    before = {path: path.read_bytes() for path in tmp_path.glob("days/*/*")}
    aggregated([night], f"{tmp_path}/days/")
    assert {path: path.read_bytes() for path in tmp_path.glob("days/*/*")} == before
    (tmp_path / "days/notes.txt").write_text("mine")
    with pytest.raises(SourceError, match=r"it holds notes\.txt, .*name another folder"):
        output_at(f"{tmp_path}/days/", None)
    assert (tmp_path / "days/notes.txt").read_text() == "mine"
    with pytest.raises(UsageError, match=r"write \.lmap, \.lmap\.gz or \.parquet"):
        output_at(f"{tmp_path}/x.csv", None)
    with pytest.raises(SourceError, match="there is no folder"):
        output_at(f"{tmp_path}/nowhere/x.lmap", None)


def test_the_output_is_no_input(night: Path, tmp_path: Path) -> None:
    aggregated([night], tmp_path / "x.lmap")
    found = archived_inputs([str(tmp_path)], [str(tmp_path / "x.lmap")])
    assert [one.path for one in found] == [str(night)]


@pytest.mark.parametrize("beside", ["older.parquet", "days/", "hours/"])
def test_what_lies_beside_an_output_of_before_is_read_as_well(night: Path, tmp_path: Path, beside: str) -> None:
    """A table in a folder, or a recording, is no reason to pass over the other files there."""
    folder = tmp_path / "archive"
    folder.mkdir()
    output = folder / beside if "." in beside else f"{folder}/"
    older = aggregated([night], output, to="lmap" if beside == "hours/" else None)
    assert older.events == 12_000
    night.rename(folder / "night.trc")
    (folder / "sub").mkdir()
    (folder / "sub" / "more.trc").write_text(waits(Random(5), 2_000, NIGHT + 86_400))
    for _ in range(2):  # the second time, its own output is there as well
        assert run(["aggregate", str(folder), "-o", f"{folder}/both.parquet", "--jobs", "1"]) == 0
        both = lm.read(folder / "both.parquet")
        assert sum(both.summary(one).events for one in both.series) == 12_000 + 12_000 + 2_000


@pytest.mark.parametrize("number", [1, 40])
@pytest.mark.parametrize("name", ["x.lmap", "days/"])
def test_files_without_a_real_clock_leave_the_others_theirs(tmp_path: Path, name: str, number: int) -> None:
    """A recording holds both, as a table does: those that count from 1970 come first."""
    trace, log = tmp_path / "night.trc", tmp_path / "fio_lat.1.log"
    trace.write_text(waits(Random(4), 60 * number, NIGHT))
    log.write_text("".join(f"{at}, {90_000 + at % 7919}, 0, 4096, 0\n" for at in range(0, 9000, 3)))
    aggregated([trace, log], f"{tmp_path}/{name}", to="lmap", resolution=None)
    aggregated([trace, log], tmp_path / "x.parquet", resolution=None)
    found, table = (written(tmp_path / one) for one in (name, "x.parquet"))
    assert {line["clock"] for line in table} == {True, False}
    assert told_alike(found) == told_alike(table)
    told = [(line["series"], line["end"], line["clock"], line.get("doubtful")) for line in found]
    assert told == [(line["series"], line["end"], line["clock"], None) for line in table]


def test_a_folder_of_tables_is_not_replaced(night: Path, tmp_path: Path) -> None:
    """They are no days: each is an output by its own name."""
    (tmp_path / "tables").mkdir()
    aggregated([night], tmp_path / "tables" / "march.parquet")
    with pytest.raises(SourceError, match=r"it holds march\.parquet, .*name another folder"):
        output_at(f"{tmp_path}/tables/", None)


def test_a_link_to_a_folder_around_it_leads_nowhere(night: Path, tmp_path: Path) -> None:
    (tmp_path / "around").symlink_to(tmp_path)
    (tmp_path / "itself").symlink_to("itself")
    (tmp_path / "dangling").symlink_to("nothing")
    assert [one.path for one in archived_inputs([str(tmp_path)])] == [str(night)]


@pytest.mark.parametrize("name", ["y.lmap.gz", "hours/"])
def test_marks_stay_in_recordings(tmp_path: Path, name: str) -> None:
    """One among the data, and one days behind them."""
    aggregated([_trace(tmp_path)], tmp_path / "x.lmap")
    marks = [f'#lmap {{"v": 1, "mark": "deploy", "at": 177{day}000001000000}}\n' for day in (4, 5)]
    (tmp_path / "marked.lmap").write_text(marks[0] + (tmp_path / "x.lmap").read_text() + marks[1])
    aggregated([tmp_path / "marked.lmap"], f"{tmp_path}/{name}", ReadPlan(jobs=1), resolution=None, to="lmap")
    files = [*tmp_path.glob("y.lmap.gz"), *tmp_path.glob("hours/*")]
    text = "".join(gzip.decompress(one.read_bytes()).decode() for one in files)
    assert [text.count(mark) for mark in marks] == [1, 1]


def _trace(folder: Path) -> Path:
    path = folder / "x.trc"
    path.write_text(waits(Random(1), 100, 1_774_000_000))
    return path
