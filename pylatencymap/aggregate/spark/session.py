"""The session of Spark: started here, or the one that is there; and what its workers need of this package."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NamedTuple

from ...errors import MissingPackage, SourceError
from .rows import BATCH_ROWS

_PACKAGES = "'pyspark>=4,<5' 'pandas>=2.2,<3' pyarrow"
_SUBMITTED = "PYSPARK_GATEWAY_PORT"
"""Set where spark-submit has started this process; then the session's master is what it says."""
_QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""What costs a short job on this machine least; a long job on a cluster wants the full compiler."""
SETTINGS = {
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.execution.arrow.maxRecordsPerBatch": str(BATCH_ROWS),
}
"""While this engine's jobs run: tasks as planned, and batches that are bounded in memory."""


TOLD_SECONDS = 1.0
"""How often the progress is looked at."""


class SparkOptions(NamedTuple):
    """How Spark is used. ``master``: None is that of spark-submit, else this machine with ``jobs`` threads.
    ``settings`` are of the session, ``split`` the bytes of a split. ``remote``: further inputs, which only Spark
    reaches.
    """

    master: str | None = None
    settings: tuple[tuple[str, str], ...] = ()
    split: int = 64 << 20
    jobs: int = 2
    remote: tuple[str, ...] = ()


@contextmanager
def opened_session(options: SparkOptions, given: Any = None) -> Iterator[Any]:
    """The session: the one that is given, or active, else one that is started here and ends afterwards. Raises
    MissingPackage and SourceError.
    """
    for name in ("pyspark", "pandas", "pyarrow"):
        if find_spec(name) is None:
            raise MissingPackage(f"an aggregation on Spark needs {name}", _PACKAGES)
    from pyspark.sql import SparkSession

    active = SparkSession.getActiveSession() if given is None else given
    if active is not None:
        yield active
        return
    started = _started(options)
    try:
        yield started
    finally:
        started.stop()


def _started(options: SparkOptions) -> Any:
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    master = options.master
    if _SUBMITTED not in os.environ:
        master = master or f"local[{options.jobs}]"
        _check_java()
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder: Any = SparkSession.builder.appName("pylatencymap aggregate")
    builder = builder.config("spark.ui.showConsoleProgress", "false").config("spark.log.level", "ERROR")
    if master is not None:
        builder = builder.master(master)
    if master is not None and master.startswith("local"):
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        builder = builder.config("spark.driver.extraJavaOptions", _QUICK).config("spark.ui.enabled", "false")
    for name, value in options.settings:
        builder = builder.config(name, value)
    try:
        return builder.getOrCreate()
    except (PySparkException, Py4JError) as error:
        raise SourceError(
            f"Spark cannot be started, master {master or 'as spark-submit says'}: {reason_of(error)}"
        ) from error


def _check_java() -> None:
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java") is None and not (home and (Path(home) / "bin/java").exists()):
        raise SourceError(
            "Spark needs Java 17 or later, and there is no java in PATH or JAVA_HOME: install a Java runtime, such as "
            "the package openjdk-17-jre-headless of Debian"
        )


@contextmanager
def set_to(spark: Any, settings: Mapping[str, str | None]) -> Iterator[None]:
    """Settings of the session, until the end."""
    before = {name: spark.conf.get(name, None) for name in settings}
    _set(spark, settings)
    try:
        yield
    finally:
        _set(spark, before)


@contextmanager
def prepared(spark: Any) -> Iterator[None]:
    """Let the session run this engine's jobs: its workers get this package, unless they are processes here, and the
    settings are those of SETTINGS until the end.
    """
    if not spark.sparkContext.master.startswith("local"):
        folder = mkdtemp(prefix="pylatencymap-")  # executors that come later fetch it, too
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        spark.sparkContext.addPyFile(str(packed_package(Path(folder))))
    with set_to(spark, SETTINGS):
        yield


def _set(spark: Any, settings: Mapping[str, str | None]) -> None:
    for name, value in settings.items():
        if value is None:
            spark.conf.unset(name)
        else:
            spark.conf.set(name, value)


@contextmanager
def watched(spark: Any, doing: str, show: Callable[[str], object]) -> Iterator[None]:
    """Until the end, show every second how many tasks of the stages that run are done."""
    over = threading.Event()
    thread = threading.Thread(target=_watch, args=(spark.sparkContext.statusTracker(), doing, show, over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _watch(tracker: Any, doing: str, show: Callable[[str], object], over: threading.Event) -> None:
    while not over.wait(TOLD_SECONDS):
        stages = [tracker.getStageInfo(number) for number in tracker.getActiveStageIds()]
        done = sum(one.numCompletedTasks for one in stages if one is not None)
        total = sum(one.numTasks for one in stages if one is not None)
        if total:
            show(f"{doing}: {done} of {total} tasks of Spark")


def attempts_of(spark: Any) -> int:
    """How often a session tries a task before its job fails."""
    context = spark.sparkContext
    if context.master.startswith("local"):
        return 1
    return int(context.getConf().get("spark.task.maxFailures", "4"))


def packed_package(folder: Path) -> Path:
    """This package as a zip archive in a folder: what ``--py-files`` takes. The links in it are followed, because a
    zip archive cannot be imported through one.
    """
    root = Path(__file__).resolve().parents[2]
    made = folder / f"{root.name}.zip"
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for base, names, files in os.walk(root, followlinks=True):
            names[:] = sorted(name for name in names if name != "__pycache__")
            for name in sorted(files):
                path = Path(base) / name
                archive.write(path, path.relative_to(root.parent))
    return made


def reason_of(error: BaseException) -> str:
    """What went wrong, in a line: of a task, the last line of its traceback, which names the error."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    begin = next((number for number, line in enumerate(lines) if line.startswith("Traceback")), None)
    if begin is not None:
        found = [line for line in lines[begin + 1 :] if line.split(":")[0].replace(".", "_").isidentifier()]
        lines = found or lines
    return lines[0] if lines else type(error).__name__
