"""A session of Spark for the tests, and an archive; they skip, with the reason, where Spark cannot run."""

import gzip
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pylatencymap.aggregate.spark import SparkOptions, opened_session
from tests.aggregate.asking import aggregated, damaged, five_kinds, strace, waits

OPTIONS = SparkOptions("local[2]", (("spark.driver.memory", "1g"), ("spark.sql.shuffle.partitions", "2")))


def skip_without_spark() -> None:
    """Skip the tests that follow if there is no Spark."""
    for name in ("pyspark", "pandas", "pyarrow"):
        pytest.importorskip(name, reason=f"{name} is not installed: .venv/bin/python -m pip install -e '.[spark]'")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("there is no java", allow_module_level=True)


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """One session on this machine, with two threads, for all tests."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    with opened_session(OPTIONS) as session:
        yield session


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """More than twenty files: of five kinds, short ones and some of 9 MB and more, which are scanned; damaged,
    compressed, without an epoch, and a recording among them.
    """
    folder, numbers = tmp_path_factory.mktemp("spark") / "archive", Random(18)
    five_kinds(folder, numbers)
    dense = waits(numbers, 115_000, 1_774_000_000).encode()
    (folder / "dense.trc").write_bytes(dense)
    (folder / "damaged.trc").write_bytes(damaged(dense, numbers, 200))
    (folder / "unended.trc").write_bytes(dense[:-9])
    (folder / "dense.trc.gz").write_bytes(gzip.compress(dense))
    (folder / "garbage.trc.gz").write_bytes(gzip.compress(dense[:-9]) + b"garbage")
    (folder / "apps/torn.strace.gz").write_bytes(
        gzip.compress(strace(numbers, 300, 1_774_000_200.0)[:-5].encode())[:-2]
    )
    (folder / "boot.trc").write_bytes(b"".join(_since_boot(dense.splitlines(keepends=True))))
    calls = strace(numbers, 130_000, 1_774_000_100.0).encode()
    (folder / "long.strace").write_bytes(damaged(calls, numbers, 100))
    (folder / "empty.trc").write_bytes(b"")
    aggregated([folder / "db1/a.trc", folder / "apps/one.strace"], folder / "month.lmap")
    return folder


def _since_boot(lines: list[bytes]) -> Iterator[bytes]:
    """The lines with times since the host was started, and a date now and then: each depends on the last date."""
    for number, line in enumerate(lines):
        if number % 5000 == 4:
            yield f"*** 2026-03-20T10:{number // 5000:02}:00.000+00:00\n".encode()
        yield line.replace(b" tim=17740", b" tim=5")
