"""On Spark an aggregation writes the bytes that it writes on this machine, however the inputs are divided."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pylatencymap.aggregate import AggregateQuestion, AggregateSummary, archived_inputs, output_at
from pylatencymap.aggregate.spark import SparkAggregation, SparkOptions
from pylatencymap.errors import BadInput, SourceError
from pylatencymap.session.input import ReadPlan
from tests.aggregate.asking import EVERY_SECOND, aggregated
from tests.aggregate.spark_session import archive as archive, skip_without_spark, spark as spark
from tests.aggregate.test_by_key import by as by_key, three_kinds

skip_without_spark()
pytestmark = [pytest.mark.heavy, pytest.mark.usefixtures("spark"), pytest.mark.timeout(500)]
MB = 1 << 20


def on_spark(
    paths: Iterable[Path | str],
    output: Path | str,
    plan: ReadPlan = EVERY_SECOND,
    *,
    split: int = 64 * MB,
    resolution: int | None = 8,
    by: tuple[str, ...] = (),
    strict: bool = False,
    said: list[str] | None = None,
) -> AggregateSummary:
    """What came of an aggregation by the session that there is."""
    where = output_at(str(output), None)
    inputs = archived_inputs(map(str, paths))
    question = AggregateQuestion(inputs, where, plan.afresh(), resolution, by, 2, strict)
    say = (lambda _: None) if said is None else said.append
    return SparkAggregation(question, SparkOptions(split=split), say, lambda _: None).run()


def bytes_of(path: Path) -> dict[str, bytes]:
    """The bytes of a file, or of all files in a folder."""
    files = [path] if path.is_file() else sorted(one for one in path.rglob("*") if one.is_file())
    return {str(one.relative_to(path)): one.read_bytes() for one in files}


@pytest.mark.parametrize(("megabytes", "name"), [(1, "x.parquet"), (5, "days/"), (64, "x.lmap.gz")])
def test_the_same_bytes_and_words(archive: Path, tmp_path: Path, megabytes: int, name: str) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "spark").mkdir()
    words: tuple[list[str], list[str]] = [], []
    here = aggregated([archive], f"{tmp_path}/here/{name}", said=words[0])
    there = on_spark([archive], f"{tmp_path}/spark/{name}", split=megabytes * MB, said=words[1])
    assert bytes_of(tmp_path / "here") == bytes_of(tmp_path / "spark")
    assert here.bad == there.bad
    assert sum(here.bad.values()) > 50
    assert here.failed == there.failed
    assert (here.series, here.intervals, here.events) == (there.series, there.intervals, there.events)
    extra = [word for word in words[1] if "could not be divided" in word]
    assert sorted(words[0]) == sorted(set(words[1]) - set(extra))
    assert len(extra) == (megabytes < 9), "boot.trc has no epoch"
    assert {one.name for one in tmp_path.rglob("*.unfinished")} == set()


def test_what_cannot_be_divided_is_said_with_its_size(archive: Path, tmp_path: Path) -> None:
    said: list[str] = []
    paths = [archive / name for name in ("dense.trc.gz", "dense.trc", "boot.trc")]
    on_spark(paths, tmp_path / "x.parquet", split=MB // 2, said=said)
    largest, other = paths[2].stat().st_size, paths[0].stat().st_size
    assert other > MB // 2
    assert [word for word in said if "divided" in word] == [
        f"2 files of more than a split ({(largest + other) / 1e6:,.0f} MB) could not be divided, and one task read "
        f"each: the largest is {paths[2]} ({largest / 1e6:,.0f} MB)"
    ]


def test_one_large_file_among_small_ones_is_read_in_many_tasks(archive: Path, tmp_path: Path, spark: Any) -> None:
    before = set(spark.sparkContext.statusTracker().getJobIdsForGroup(None))
    on_spark([archive / "dense.trc", archive / "db1"], tmp_path / "x.parquet", split=MB)
    tracker = spark.sparkContext.statusTracker()
    jobs = sorted(set(tracker.getJobIdsForGroup(None)) - before)
    tasks = [tracker.getStageInfo(stage).numTasks for job in jobs for stage in tracker.getJobInfo(job).stageIds]
    assert tasks[0] == -(-(archive / "dense.trc").stat().st_size // MB) + 1, "a task a split, and one for the others"


def test_options_mean_the_same(archive: Path, tmp_path: Path) -> None:
    plan = ReadPlan(jobs=1, time=EVERY_SECOND.time._replace(interval=10.0), series=("*read*",))
    for by in (("file",), ("host",), ("file", "host")):
        paths = [archive / "db1", archive / "damaged.trc", archive / "apps"]
        aggregated(paths, tmp_path / "here.parquet", plan, by=by)
        on_spark(paths, tmp_path / "there.parquet", plan, by=by, split=2 * MB)
        assert (tmp_path / "here.parquet").read_bytes() == (tmp_path / "there.parquet").read_bytes()


@pytest.mark.parametrize("top", [2, None])
def test_series_by_a_key(archive: Path, tmp_path: Path, top: int | None) -> None:
    """Ranked over all files: a damaged one, one without the key, a table, a recording, an empty one."""
    paths = [*three_kinds(tmp_path / "keys", Random(3)), archive / "month.lmap", archive / "empty.trc"]
    words: tuple[list[str], list[str]] = [], []
    here = aggregated(paths, tmp_path / "here.parquet", by_key("obj#", top), said=words[0])
    there = on_spark(paths, tmp_path / "there.parquet", by_key("obj#", top), split=MB, said=words[1])
    assert (tmp_path / "here.parquet").read_bytes() == (tmp_path / "there.parquet").read_bytes()
    assert here == there
    assert len(here.without_key) == 1
    assert len(here.failed) == 2
    assert sorted(words[0]) == sorted(words[1])
    with pytest.raises(SourceError, match="has the key no_such_key"):
        on_spark(paths[:2], tmp_path / "none.parquet", by_key("no_such_key"))
    assert not list(tmp_path.glob("none*"))


def test_relative_paths_mean_those_of_the_driver(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(archive)
    summary = on_spark(["db1/a.trc-damaged", "apps"], tmp_path / "x.parquet", by=("host",))
    apps = {f"apps/{name}" for name in ("one.strace-damaged", "two.strace-damaged", "torn.strace.gz")}
    assert {"apps/torn.strace.gz"} <= set(summary.bad) <= {"db1/a.trc-damaged", *apps}
    assert summary.bad["apps/torn.strace.gz"] == 1
    aggregated(["db1/a.trc-damaged", "apps"], tmp_path / "here.parquet", by=("host",))
    assert (tmp_path / "here.parquet").read_bytes() == (tmp_path / "x.parquet").read_bytes()


def test_the_zone_is_that_of_the_driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Times of day mean other moments in another zone; the workers of Spark were started in the usual one."""
    import time

    samples = Path(__file__).parent.parent / "collectors/samples/bpf"
    paths = sorted(samples.iterdir())
    written: list[bytes] = []
    for zone in ("Asia/Tokyo", "America/New_York"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        try:
            aggregated(paths, tmp_path / "here.parquet")
            on_spark(paths, tmp_path / "there.parquet")
        finally:
            monkeypatch.delenv("TZ")
            time.tzset()
        assert (tmp_path / "here.parquet").read_bytes() == (tmp_path / "there.parquet").read_bytes()
        written.append((tmp_path / "here.parquet").read_bytes())
    assert written[0] != written[1]


def test_strict_ends_at_the_first_bad_record(archive: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"damaged\.trc:\d+: "):
        on_spark([archive / "damaged.trc"], tmp_path / "x.parquet", strict=True, split=MB)
    assert not list(tmp_path.iterdir())


def test_nothing_in_any_input(archive: Path, tmp_path: Path) -> None:
    assert on_spark([archive / "empty.trc"], tmp_path / "x.parquet") == aggregated(
        [archive / "empty.trc"], tmp_path / "x.parquet"
    )
    assert not list(tmp_path.glob("x.*"))


def test_the_driver_gets_accounts_and_no_counts(
    archive: Path, tmp_path: Path, spark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows: list[Any] = []
    frame = type(spark.range(1))
    real = frame.collect

    def collect(self: Any) -> list[Any]:
        found = real(self)
        rows.extend(found)
        return found

    monkeypatch.setattr(frame, "collect", collect)
    size = (archive / "dense.trc").stat().st_size
    on_spark([archive / "dense.trc"], tmp_path / "x.parquet", split=MB)
    results = [json.loads(bytes(row.data)) for row in rows]
    assert len(results) == -(-size // MB) + 1, "one a split, and that of the last step"
    assert all(index["blocks"] == [] for _, index in results)
    assert sum(len(row.data) for row in rows) < size // 100


def test_the_command(archive: Path, tmp_path: Path) -> None:
    """A program of its own, with a session of its own and little memory."""
    words = [sys.executable, "-m", "pylatencymap", "aggregate", "db1", "dense.trc", "-o", str(tmp_path / "x.parquet")]
    words += ["--interval", "1", "--resolution", "8", "--engine", "spark", "--split-mb", "2"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYSPARK_", "SPARK_"))}
    command = [*words, "--spark-conf", "spark.driver.memory=512m"]
    run = subprocess.run(command, cwd=archive, env=environment, capture_output=True, text=True, timeout=400)
    assert run.returncode == 0, run.stderr
    aggregated([archive / "db1", archive / "dense.trc"], tmp_path / "here.parquet")
    assert (tmp_path / "here.parquet").read_bytes() == (tmp_path / "x.parquet").read_bytes()
    assert "from 5 of 5 files" in run.stderr
