"""Files on file systems that only Spark reaches make the bytes that the same files make on this machine."""

from pathlib import Path
from typing import Any

import pytest

from pylatencymap.aggregate import AggregateQuestion, AggregateSummary, output_at
from pylatencymap.aggregate.spark import SparkAggregation, SparkOptions
from pylatencymap.errors import SourceError
from tests.aggregate.asking import EVERY_SECOND, aggregated
from tests.aggregate.spark_session import archive as archive, skip_without_spark, spark as spark
from tests.aggregate.webhdfs_server import serving

skip_without_spark()
pytestmark = [pytest.mark.heavy, pytest.mark.usefixtures("spark"), pytest.mark.timeout(500)]
MB = 1 << 20


def from_there(
    words: list[str], output: Path, *, split: int = 64 * MB, by: tuple[str, ...] = (), said: list[str] | None = None
) -> AggregateSummary:
    """What came of an aggregation of what only Spark reaches."""
    question = AggregateQuestion((), output_at(str(output), None), EVERY_SECOND.afresh(), 8, by, 2)
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
        (folder / f"{{day}}?[2] {Path(name).name}").write_bytes((archive / name).read_bytes())
    spark.conf.set("fs.viewfs.mounttable.odd.link./a", tmp_path.as_uri())
    aggregated([folder], tmp_path / "here.parquet")
    from_there([f"viewfs://odd/a/{folder.name}"], tmp_path / "there.parquet", split=4 * MB)
    assert (tmp_path / "here.parquet").read_bytes() == (tmp_path / "there.parquet").read_bytes()


def test_folders_that_are_one_input_are_refused(tmp_path: Path, spark: Any) -> None:
    (tmp_path / "eventlog_v2_app-1").mkdir()
    spark.conf.set("fs.viewfs.mounttable.logs.link./a", tmp_path.as_uri())
    with pytest.raises(SourceError, match="mount it, or copy it"):
        from_there(["viewfs://logs/a"], tmp_path / "x.parquet")
    with pytest.raises(SourceError, match=r"nofs://x/a: .* add the library of this file system"):
        from_there(["nofs://x/a"], tmp_path / "x.parquet")
