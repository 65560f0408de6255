"""``pylatencymap aggregate``: what it prints, and its exit statuses."""

from pathlib import Path
from random import Random

import pytest

from pylatencymap.cli.main import run
from tests.aggregate.asking import damaged, strace, waits, written


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    folder = tmp_path / "archive"
    folder.mkdir()
    (folder / "a.trc").write_text(waits(Random(1), 300, 1_774_000_000))
    (folder / "b.trc").write_bytes(damaged(waits(Random(2), 300, 1_774_000_000).encode(), Random(3), 40))
    return folder


def test_it_says_what_came_of_it(archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (archive / "README").write_text("nothing that has any latency in it\n" * 10)
    assert run(["aggregate", str(archive), "-o", str(tmp_path / "x.lmap")]) == 0
    told = capsys.readouterr().err
    assert f"{archive}/b.trc: " in told
    assert "bad records, left out" in told
    assert f"{archive}/README:1: this is no text that any collector knows" in told
    assert "from 2 of 3 files" in told
    events = sum(count for line in written(tmp_path / "x.lmap") for *_, count in line["counts"])
    assert f"x.lmap: {events} events of " in told


def test_a_file_that_was_named_itself_is_missed(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "README").write_text("nothing that has any latency in it\n" * 10)
    words = ["aggregate", str(tmp_path / "README"), str(archive), "-o", str(tmp_path / "x.lmap")]
    assert run(words) == 3
    assert written(tmp_path / "x.lmap")


@pytest.mark.parametrize("files", [1, 2, 20])
def test_which_formats_there_are_is_said_once(tmp_path: Path, capsys: pytest.CaptureFixture[str], files: int) -> None:
    for number in range(files):
        (tmp_path / f"{number}.xyz").write_text(f"Known formats: {number}\n" * 10)
    assert run(["aggregate", f"{tmp_path}/*.xyz", "-o", f"{tmp_path}/x.lmap"]) != 0
    told = capsys.readouterr().err
    assert told.count("Known formats: biosnoop") == 1
    assert told.count("it begins with 'Known formats: ") == min(files, 10)
    assert told.count("see 'pylatencymap collectors'") == 1


def test_wrong_uses(archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = ["-o", str(tmp_path / "x.lmap")]
    for words, status, message in (
        (["-", *output], 2, "aggregate reads files"),
        ([str(archive), "-o", "x.csv"], 2, "write .lmap, .lmap.gz or .parquet"),
        ([f"{archive}/*.nothing", *output], 3, "no file matches this pattern"),
        ([f"{archive}/c.trc", *output], 3, "no such file; did you mean"),
        ([str(archive), *output, "--by", "objx"], 3, "has the key objx; there are: obj#, file#"),
        ([str(archive), *output, "--strict"], 4, "b.trc:"),
        ([str(archive), *output, "--by", "obj#", "--by", "file#"], 2, "one key at a time divides the events"),
        ([str(archive), *output, "--by", "obj#", "--series-by", "2"], 2, "--series-by is for columns of tables"),
        ([str(archive), *output, "--by", "file", "--top", "3"], 2, "name the key with --by"),
    ):
        assert run(["aggregate", *words]) == status
        assert message in capsys.readouterr().err
        assert not (tmp_path / "x.lmap").exists()


def test_series_by_a_key_of_the_events(archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (archive / "c.strace").write_text(strace(Random(1), 50, 1_774_000_000))
    words = ["aggregate", str(archive), "-o", str(tmp_path / "x.lmap"), "--by", "obj#", "--by", "host", "--top", "2"]
    assert run(words) == 0
    told = capsys.readouterr().err
    assert f"no event of {archive}/c.strace has the key obj#; there are: pid, fd" in told
    assert f"{archive}/b.trc: " in told
    assert {line["series"] for line in written(tmp_path / "x.lmap")} == {
        "db file sequential read obj#=5 (dbhost7)",
        "log file sync obj#=5 (dbhost7)",
        "others (archive)",
        "others (dbhost7)",
    }


def test_nothing_in_any_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.txt").write_text("nothing that has any latency in it\n" * 10)
    (tmp_path / "archive").mkdir()
    (tmp_path / "x.txt").rename(tmp_path / "archive/x.txt")
    assert run(["aggregate", str(tmp_path / "archive"), "-o", str(tmp_path / "x.lmap")]) == 1
    assert "no interval in any input" in capsys.readouterr().err
    assert not (tmp_path / "x.lmap").exists()


def test_series_by_a_column_of_a_table(tmp_path: Path) -> None:
    rows = "".join(f"{1_774_000_000 + number}.5,{number + 1},{'ab'[number % 2]}\n" for number in range(30))
    (tmp_path / "x.csv").write_text("time,latency_us,node\n" + rows)
    words = ["aggregate", str(tmp_path / "x.csv"), "-o", str(tmp_path / "x.lmap"), "--series-by", "node"]
    assert run(words) == 0
    assert {line["series"] for line in written(tmp_path / "x.lmap")} == {"a", "b"}
