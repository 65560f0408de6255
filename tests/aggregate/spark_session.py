"""A session of Spark for the tests; they skip, with the reason, where Spark cannot run."""

import os
import shutil
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from pylatencymap.aggregate.spark import SparkOptions, opened_session

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
