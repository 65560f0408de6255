"""On a cluster of Spark: a master and two workers, one of which is killed while its executor reads."""

import json
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from tests.aggregate.asking import aggregated, damaged, waits
from tests.aggregate.spark_processes import STARTED, environment, kill, running
from tests.aggregate.spark_session import skip_without_spark
from tests.waiting import free_port, wait_until

skip_without_spark()
pytestmark = [pytest.mark.heavy, pytest.mark.timeout(500)]
MASTER, WORKER = "org.apache.spark.deploy.master.Master", "org.apache.spark.deploy.worker.Worker"


def alive(port: int) -> int:
    """How many workers the master knows."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/") as answer:
            return int(json.load(answer)["aliveworkers"])
    except (OSError, ValueError):  # it begins with a page that says so
        return 0


def reads_in(folder: Path) -> Callable[[], bool]:
    """Whether an executor of the worker with this folder for temporary files does a task just now."""
    return lambda: any(folder.glob("pylatencymap-*/portion-*"))


# Its executor does a dozen tasks, each of which takes longer than a TICK: one of them is seen.


def test_a_worker_that_is_killed_while_it_reads_changes_nothing(tmp_path: Path) -> None:
    numbers, archive = Random(5), tmp_path / "archive"
    archive.mkdir()
    for number in range(3):
        text = waits(numbers, 120_000, 1_774_000_000 + number * 100).encode()
        (archive / f"{number}.trc").write_bytes(damaged(text, numbers, 100))
    aggregated([archive], tmp_path / "here.parquet")
    port, shown = free_port(), free_port()
    with ExitStack() as stack:
        words = [MASTER, "--host", "127.0.0.1", "--port", str(port), "--webui-port", str(shown)]
        stack.enter_context(running(words, tmp_path / "master.log"))
        workers = []
        for number in range(2):
            folder = tmp_path / f"worker-{number}"
            (folder / "tmp").mkdir(parents=True)
            words = [WORKER, "--host", "127.0.0.1", "--cores", "1", "--memory", "1g", "--webui-port", str(free_port())]
            more = {"SPARK_WORKER_DIR": str(folder), "TMPDIR": str(folder / "tmp")}
            words.append(f"spark://127.0.0.1:{port}")
            workers.append(stack.enter_context(running(words, tmp_path / f"worker-{number}.log", **more)))
        wait_until(lambda: alive(shown) == 2, STARTED)
        command = [sys.executable, "-m", "pylatencymap", "aggregate", str(archive), "-o", str(tmp_path / "x.parquet")]
        command += ["--interval", "1", "--resolution", "8", "--engine", "spark", "--split-mb", "1"]
        command += ["--master", f"spark://127.0.0.1:{port}", "--spark-conf", "spark.executor.memory=512m"]
        run = subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE, text=True)
        stack.callback(run.kill)
        wait_until(lambda: reads_in(tmp_path / "worker-0/tmp")() or run.poll() is not None, STARTED)
        assert run.poll() is None, run.communicate()[1]
        kill(workers[0])
        said = run.communicate()[1]
        assert run.returncode == 0, said
    assert (tmp_path / "x.parquet").read_bytes() == (tmp_path / "here.parquet").read_bytes()
