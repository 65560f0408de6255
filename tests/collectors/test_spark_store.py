"""Sums of an event log against Spark's own status store: a real application, and a real history server on its log."""

import json
import subprocess
import sys
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import pylatencymap as lm
from tests.aggregate.spark_processes import STARTED, environment, running
from tests.aggregate.spark_session import skip_without_spark
from tests.waiting import free_port, wait_until

skip_without_spark()
pytestmark = [pytest.mark.heavy, pytest.mark.timeout(500)]
HISTORY_SERVER = "org.apache.spark.deploy.history.HistoryServer"
APPLICATION = """
import sys, time
from pyspark.sql import SparkSession
logs, rolled, compressed = sys.argv[1:]
builder = SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false")
builder = builder.config("spark.eventLog.enabled", "true").config("spark.eventLog.dir", logs)
builder = builder.config("spark.eventLog.rolling.enabled", rolled).config("spark.eventLog.compress", compressed)
spark = builder.getOrCreate()
sc = spark.sparkContext
def fails_once(number, rows):
    from pyspark import TaskContext
    if number == 3 and not TaskContext.get().attemptNumber():
        raise ValueError("planted")
    time.sleep(0.8 if number == 5 else 0.01)
    yield number
sc.parallelize(range(8), 8).mapPartitionsWithIndex(fails_once).collect()
sc.parallelize(range(20_000), 4).map(lambda n: (n % 7, str(n))).groupByKey(4).mapValues(len).collect()
sc.parallelize(range(2), 2).map(lambda _: bytes(1_500_000)).collect()
spark.range(100_000, numPartitions=3).selectExpr("id % 50 k").groupBy("k").count().collect()
print(sc.applicationId)
"""
METRICS = {
    "executorRunTime": "run time",
    "executorDeserializeTime": "deserialization",
    "resultSerializationTime": "result serialization",
    "jvmGcTime": "GC",
}
DETAILS = {"schedulerDelay": "scheduler delay", "gettingResultTime": "getting result"}
"""Sums that only the tasks have, of which the store lists each."""


@pytest.fixture(scope="module", params=[("true", "true"), ("false", "false")], ids=["rolled, zstd", "plain"])
def log(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """The name and the log of an application that has run."""
    if request.param[1] == "true" and sys.version_info < (3, 14):
        pytest.importorskip("zstandard")
    folder, script = tmp_path_factory.mktemp("log"), tmp_path_factory.mktemp("script") / "job.py"
    script.write_text(APPLICATION)
    words = [sys.executable, str(script), folder.as_uri(), *request.param]
    run = subprocess.run(words, env=environment(), capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    (found,) = [one for one in folder.iterdir() if not one.name.startswith(".")]
    return run.stdout.split()[-1], found


def stages(ask: Callable[[str], Any], application: str) -> Iterator[tuple[str, Counter[str]]]:
    """The sums of each stage that ran, with its name."""
    for stage in ask(f"/{application}/stages"):
        if stage["status"] == "SKIPPED":
            continue
        number, attempt = stage["stageId"], stage["attemptId"]
        found = Counter({name: stage[name] for name in METRICS})
        for task in ask(f"/{application}/stages/{number}/{attempt}/taskList?length=100000"):
            found.update({name: task.get(name) or 0 for name in DETAILS})
            found["tasks"] += 1
        yield f"stage {number}.{attempt}", found


def test_sums_are_those_of_the_history_server(log: tuple[str, Path], tmp_path: Path) -> None:
    application, path = log
    port = free_port()
    base = f"http://127.0.0.1:{port}/api/v1/applications"

    def ask(what: str) -> Any:
        with urllib.request.urlopen(base + what) as answer:
            return json.load(answer)

    def lists_it() -> bool:
        try:
            return bool(ask(""))
        except OSError:  # it has not begun to listen
            return False
        except json.JSONDecodeError:  # it listens, and answers with a page until all of it has begun
            return False

    options = f"-Dspark.history.fs.logDirectory={path.parent.as_uri()} -Dspark.history.ui.port={port}"
    with running([HISTORY_SERVER], tmp_path / "server.log", SPARK_HISTORY_OPTS=options):
        wait_until(lists_it, STARTED)
        store = dict(stages(ask, application))
    assert len(store) >= 5
    run = lm.read(path)
    waited, events = Counter[str](), Counter[str]()
    for series in run.series:
        summary = run.summary(series)
        waited[series], events[series] = round(summary.waited * 1000), round(summary.events)
    for stage, sums in store.items():
        assert events[f"{stage} run time"] == sums["tasks"], stage
        for name, part in {**METRICS, **DETAILS}.items():
            assert waited[f"{stage} {part}"] == sums[name], (stage, part)
    assert {series.partition(" run")[0] for series in run.series if series.endswith(" run time")} == set(store)
    assert sum(one["tasks"] for one in store.values()) > 20
