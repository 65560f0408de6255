"""Files on file systems that only Spark reaches make the bytes that the same files make on this machine."""

import gzip
import os
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pylatencymap.aggregate import AggregateQuestion, AggregateSummary, output_at
from pylatencymap.aggregate.spark import SparkAggregation, SparkOptions, remote_inputs
from pylatencymap.aggregate.spark.remote_inputs import RemoteInputs
from pylatencymap.errors import SourceError
from pylatencymap.session.input import ReadPlan
from tests.aggregate.asking import EVERY_SECOND, aggregated, damaged, waits
from tests.aggregate.spark_session import archive as archive, skip_without_spark, spark as spark
from tests.aggregate.test_by_key import by as by_key, three_kinds, with_objects
from tests.aggregate.webhdfs_server import serving

skip_without_spark()
pytestmark = [pytest.mark.heavy, pytest.mark.usefixtures("spark"), pytest.mark.timeout(500)]
MB = 1 << 20


def from_there(
    words: list[str],
    output: Path,
    plan: ReadPlan = EVERY_SECOND,
    *,
    split: int = 64 * MB,
    by: tuple[str, ...] = (),
    said: list[str] | None = None,
) -> AggregateSummary:
    """What came of an aggregation of what only Spark reaches."""
    question = AggregateQuestion((), output_at(str(output), None), plan.afresh(), 8, by, 2)
    say = (lambda _: None) if said is None else said.append
    return SparkAggregation(question, SparkOptions(split=split, remote=tuple(words)), say, lambda _: None).run()


@pytest.fixture
def mounted(archive: Path, spark: Any) -> str:
    """The archive on another file system of Hadoop, which is on this disk."""
    spark.conf.set("fs.viewfs.mounttable.there.link./a", archive.as_uri())
    return "viewfs://there/a"


def test_the_same_bytes_and_words(archive: Path, mounted: str, tmp_path: Path) -> None:
    words: tuple[list[str], list[str]] = [], []
    here = aggregated([archive], tmp_path / "here.parquet", said=words[0])
    there = from_there([mounted], tmp_path / "there.parquet", split=2 * MB, said=words[1])
    assert (tmp_path / "here.parquet").read_bytes() == (tmp_path / "there.parquet").read_bytes()
    assert sum(here.bad.values()) > 50

    def local(name: str) -> str:
        return name.replace(mounted, str(archive))

    assert {local(name): bad for name, bad in there.bad.items()} == here.bad
    assert {local(name): local(why) for name, why in there.failed.items()} == here.failed
    assert {name for word in words[1] if "divided" not in (name := local(word))} == set(words[0])


def test_webhdfs(archive: Path, tmp_path: Path) -> None:
    """A file system that is not this machine's, over HTTP."""
    names = ["damaged.trc", "unended.trc", "dense.trc.gz", "apps", "db?"]
    aggregated([archive / name for name in (*names[:-1], "db1", "db2")], tmp_path / "here.parquet", by=("file", "host"))
    with serving(archive) as address:
        words = [f"webhdfs://{address}/{name}" for name in names]
        summary = from_there(words, tmp_path / "there.parquet", split=MB, by=("file", "host"))
        assert not summary.failed
        assert (tmp_path / "here.parquet").read_bytes() == (tmp_path / "there.parquet").read_bytes()
        with pytest.raises(SourceError, match="no such file"):
            from_there([f"webhdfs://{address}/none*"], tmp_path / "none.parquet")


def test_names_that_are_patterns(archive: Path, spark: Any, tmp_path: Path) -> None:
    folder = tmp_path / "a b%20 [1]{x}*"
    folder.mkdir()
    for name in ("dense.trc", "dense.trc.gz", "db1/a.trc"):
        (folder / f"{{day}},?[2] {Path(name).name}").write_bytes((archive / name).read_bytes())
    spark.conf.set("fs.viewfs.mounttable.odd.link./a", tmp_path.as_uri())
    aggregated([folder], tmp_path / "here.parquet")
    from_there([f"viewfs://odd/a/{folder.name}"], tmp_path / "there.parquet", split=4 * MB)
    assert (tmp_path / "here.parquet").read_bytes() == (tmp_path / "there.parquet").read_bytes()


@pytest.fixture
def short_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that are not divided come in records, as those of more than 16 MB do."""
    monkeypatch.setattr(remote_inputs, "AT_ONCE", MB // 10)


@pytest.mark.usefixtures("short_at_once")
def test_series_by_a_key(archive: Path, spark: Any, tmp_path: Path) -> None:
    """Ranked over all files: a large one, a damaged, a compressed, one without the key, a table, a recording."""
    folder = tmp_path / "keys"
    numbers = Random(3)
    three_kinds(folder, numbers)
    for name in ("month.lmap", "empty.trc"):
        (folder / name).write_bytes((archive / name).read_bytes())
    large = with_objects(numbers, waits(numbers, 12_000, 1_774_000_000)).encode()
    (folder / "large.trc").write_bytes(damaged(large, numbers, 20))
    (folder / "large.trc.gz").write_bytes(gzip.compress(large))
    assert (folder / "large.trc.gz").stat().st_size > remote_inputs.AT_ONCE
    spark.conf.set("fs.viewfs.mounttable.keys.link./a", folder.as_uri())
    words: tuple[list[str], list[str]] = [], []
    here = aggregated([folder], tmp_path / "here.parquet", by_key("obj#"), said=words[0])
    there = from_there(["viewfs://keys/a"], tmp_path / "there.parquet", by_key("obj#"), split=MB, said=words[1])
    assert (tmp_path / "here.parquet").read_bytes() == (tmp_path / "there.parquet").read_bytes()

    def local(name: str) -> str:
        return name.replace("viewfs://keys/a", str(folder))

    assert {local(path): local(why) for path, why in there.without_key.items()} == here.without_key
    assert {local(path): local(why) for path, why in there.failed.items()} == here.failed
    assert {local(path): bad for path, bad in there.bad.items()} == here.bad
    assert sorted(word for one in words[1] if "divided" not in (word := local(one))) == sorted(words[0])
    assert here.without_key
    assert here.failed
    assert here.bad


def test_a_file_that_is_gone_or_has_changed_costs_itself(
    archive: Path, spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Large and small ones, when their turn comes; and one that changes after its splits were read."""
    folder = tmp_path / "archive"
    folder.mkdir()
    (folder / "kept.trc").write_bytes((archive / "db1/a.trc").read_bytes())
    aggregated([folder], tmp_path / "here.parquet")
    for name in ("gone.trc", "late.trc", "longer.trc"):
        (folder / name).write_bytes((archive / "dense.trc").read_bytes()[: 4 * MB])
    for name in ("small-gone.trc", "small-touched.trc"):
        (folder / name).write_bytes((archive / "db1/b.trc").read_bytes())
    spark.conf.set("fs.viewfs.mounttable.moving.link./a", folder.as_uri())
    looked, wholes = RemoteInputs.number, RemoteInputs.wholes

    def number(self: RemoteInputs, every: Any) -> None:
        looked(self, every)
        (folder / "gone.trc").unlink()
        (folder / "small-gone.trc").unlink()
        os.utime(folder / "small-touched.trc", (1, 1))
        with (folder / "longer.trc").open("ab") as file:
            file.write(b"\n")

    def later(self: RemoteInputs, *words: Any) -> Any:
        os.truncate(folder / "late.trc", 10)
        return wholes(self, *words)

    monkeypatch.setattr(RemoteInputs, "number", number)
    monkeypatch.setattr(RemoteInputs, "wholes", later)
    summary = from_there(["viewfs://moving/a"], tmp_path / "there.parquet", split=MB)
    gone, changed = "no such file", "has changed since this run began: run the same command again to count it"
    assert {path.rpartition("/")[2]: why.removeprefix(path) for path, why in summary.failed.items()} == {
        **dict.fromkeys(("gone.trc", "small-gone.trc"), f": {gone}"),
        **dict.fromkeys(("late.trc", "longer.trc", "small-touched.trc"), f" {changed}"),
    }
    assert (tmp_path / "here.parquet").read_bytes() == (tmp_path / "there.parquet").read_bytes()


@pytest.mark.usefixtures("short_at_once")
def test_a_file_that_shrinks_before_spark_reads_it(
    archive: Path, spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind the last look at it: of one that is divided, and of one that is read as a whole, too little comes."""
    folder = tmp_path / "archive"
    folder.mkdir()
    (folder / "kept.trc").write_bytes((archive / "db1/a.trc").read_bytes())
    aggregated([folder], tmp_path / "here.parquet")
    dense = (archive / "dense.trc").read_bytes()
    (folder / "divided.trc").write_bytes(dense[: 3 * MB])
    (folder / "whole.trc").write_bytes(dense[:MB])
    spark.conf.set("fs.viewfs.mounttable.short.link./a", folder.as_uri())
    real = remote_inputs.records

    def records(spark: Any, files: Any, size: int) -> list[Any]:
        files = list(files)
        tables = [*real(spark, files, size)]
        for table in tables:
            table.rdd.getNumPartitions()  # Spark has its list of splits
        for one in files:
            os.truncate(folder / Path(one.path).name, one.size // 2)
        return tables

    monkeypatch.setattr(remote_inputs, "records", records)
    summary = from_there(["viewfs://short/a"], tmp_path / "there.parquet", split=MB)
    assert {path.rpartition("/")[2] for path in summary.failed} == {"divided.trc", "whole.trc"}
    assert all("has changed since this run began" in why for why in summary.failed.values())
    assert (tmp_path / "here.parquet").read_bytes() == (tmp_path / "there.parquet").read_bytes()


@pytest.mark.usefixtures("short_at_once")
@pytest.mark.parametrize("seen", [False, True], ids=["before-spark-looks", "after-spark-looked"])
@pytest.mark.parametrize("gone", ["divided.trc", "whole.trc", "packed.trc.gz", "small.trc"])
def test_a_file_that_is_gone_when_spark_reads_it(
    archive: Path, spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gone: str, seen: bool
) -> None:
    """Behind our last look, just before Spark's own and just behind it: each is beside another of its kind."""
    folder = tmp_path / "archive"
    folder.mkdir()
    dense = (archive / "dense.trc").read_bytes()
    texts = {"divided.trc": dense[: 3 * MB], "whole.trc": dense[: MB // 2], "small.trc": dense[: MB // 16]}
    texts["packed.trc.gz"] = gzip.compress(dense[:MB], 1)
    assert len(texts["packed.trc.gz"]) > remote_inputs.AT_ONCE
    for name, text in texts.items():
        (folder / f"kept-{name}").write_bytes(text)
    aggregated([folder], tmp_path / "here.parquet")
    (folder / gone).write_bytes(texts[gone])
    there = f"gone-{gone.partition('.')[0]}-{seen:d}"
    spark.conf.set(f"fs.viewfs.mounttable.{there}.link./a", folder.as_uri())
    _removed_around(monkeypatch, folder / gone, seen=seen)
    summary = from_there([f"viewfs://{there}/a"], tmp_path / "there.parquet", split=MB)
    assert summary.failed == {f"viewfs://{there}/a/{gone}": f"viewfs://{there}/a/{gone}: no such file"}
    assert summary.inputs == len(texts) + 1
    assert (tmp_path / "here.parquet").read_bytes() == (tmp_path / "there.parquet").read_bytes()


@pytest.mark.parametrize("there", ["gone", "empty"])
def test_no_file_that_anything_comes_of(
    archive: Path, spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: str
) -> None:
    """If the only file has disappeared or is empty when Spark looks, the run says so, as it does without Spark."""
    path = tmp_path / "archive" / "only.trc"
    path.parent.mkdir()
    path.write_bytes((archive / "db1/a.trc").read_bytes() if there == "gone" else b"")
    spark.conf.set(f"fs.viewfs.mounttable.only-{there}.link./a", path.parent.as_uri())
    if there == "gone":
        _removed_around(monkeypatch, path, seen=False)
    summary = from_there([f"viewfs://only-{there}/a"], tmp_path / "there.parquet")
    assert summary.failed.keys() == {f"viewfs://only-{there}/a/only.trc"}
    assert not (tmp_path / "there.parquet").exists()


def _removed_around(monkeypatch: pytest.MonkeyPatch, path: Path, *, seen: bool) -> None:
    """Remove a file when its turn comes: just before Spark lists it, or just behind."""

    def around(real: Any) -> Any:
        def made(spark: Any, files: Any, *words: Any) -> list[Any]:
            files = list(files)
            is_due = any(one.path.endswith(f"/{path.name}") for one in files)
            if is_due and not seen:
                path.unlink(missing_ok=True)
            tables = list(real(spark, files, *words))
            if is_due and seen:
                path.unlink()
            return tables

        return made

    for name in ("records", "lines", "small_files"):
        monkeypatch.setattr(remote_inputs, name, around(getattr(remote_inputs, name)))


def test_folders_that_are_one_input_are_refused(tmp_path: Path, spark: Any) -> None:
    (tmp_path / "eventlog_v2_app-1").mkdir()
    spark.conf.set("fs.viewfs.mounttable.logs.link./a", tmp_path.as_uri())
    with pytest.raises(SourceError, match="mount it, or copy it"):
        from_there(["viewfs://logs/a"], tmp_path / "x.parquet")
    with pytest.raises(SourceError, match=r"nofs://x/a: .* add the library of this file system"):
        from_there(["nofs://x/a"], tmp_path / "x.parquet")
