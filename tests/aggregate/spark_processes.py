"""Processes of Spark for the tests, such as masters and workers, each with all that it starts."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

from tests.waiting import PATIENCE

STARTED = 3 * PATIENCE
"""Five JVMs start."""


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
