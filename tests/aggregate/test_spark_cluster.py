"""On a cluster of Spark: a master and two workers, one of which is killed while its executor reads."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest

from tests.aggregate.asking import aggregated, damaged, waits
from tests.aggregate.spark_session import skip_without_spark
from tests.waiting import PATIENCE, TICK

skip_without_spark()
pytestmark = [pytest.mark.heavy, pytest.mark.timeout(500)]
MASTER, WORKER = "org.apache.spark.deploy.master.Master", "org.apache.spark.deploy.worker.Worker"


def environment(**more: str) -> dict[str, str]:
    """That of a process of the cluster, or of its user."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYSPARK_", "SPARK_"))}
    return {**kept, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable, **more}


@contextmanager
def running(words: list[str], log: Path, **more: str) -> Iterator[subprocess.Popen[bytes]]:
    """A class of Spark that runs until the end, with all that it starts."""
    home = find_spec("pyspark")
    assert home is not None
    assert home.origin is not None
    folder = Path(home.origin).parent
    with log.open("wb") as file:
        process = subprocess.Popen(
            [str(folder / "bin/spark-class"), *words],
            env=environment(SPARK_HOME=str(folder), SPARK_DAEMON_MEMORY="256m", **more),
            stdout=file,
            stderr=file,
            start_new_session=True,
        )
        try:
            yield process
        finally:
            kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all that it has started: those of its session."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def alive(port: int) -> int:
    """How many workers the master knows."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/") as answer:
            return int(json.load(answer)["aliveworkers"])
    except (OSError, ValueError):  # it begins with a page that says so
        return 0


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait for other processes."""
    end = time.monotonic() + 3 * PATIENCE  # five JVMs start
    while not is_so():
        assert time.monotonic() < end
        time.sleep(TICK)


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
        wait_until(lambda: alive(shown) == 2)
        command = [sys.executable, "-m", "pylatencymap", "aggregate", str(archive), "-o", str(tmp_path / "x.parquet")]
        command += ["--interval", "1", "--resolution", "8", "--engine", "spark", "--split-mb", "1"]
        command += ["--master", f"spark://127.0.0.1:{port}", "--spark-conf", "spark.executor.memory=512m"]
        run = subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE, text=True)
        stack.callback(run.kill)
        wait_until(lambda: reads_in(tmp_path / "worker-0/tmp")() or run.poll() is not None)
        assert run.poll() is None, run.communicate()[1]
        kill(workers[0])
        said = run.communicate()[1]
        assert run.returncode == 0, said
    assert (tmp_path / "x.parquet").read_bytes() == (tmp_path / "here.parquet").read_bytes()
