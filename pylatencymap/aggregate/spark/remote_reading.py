"""Reads files that only Spark reaches: its own readers hand over their bytes, which go into the same scans.

A large file is handed over in records of a certain size, so that Java need not look at the bytes. The file of a kind
that has a scan is divided so, wherever a line begins or ends. Any other file is put together again on a disk of the
executor, and read there as a whole.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from ...scan import SplitChunks
from ..file_reading import PART, WHOLE, ReadTask, StandIn
from .hadoop_files import RECORD, HadoopFile, by_name, escaped, key_of
from .rows import FOUND, batches_of_rows, rows_of
from .tasks import NumberedTask, PreparedTask, ReadingPlace, done, in_the_zone

AT_ONCE = 16 << 20
"""A file up to this size travels as one row."""
WHOLE_BEGIN = -2
"""Where a file begins that was read as a whole after its splits: before them, and their last step."""
_LINES_AT_ONCE, _RECORDS_AT_ONCE = 16384, (1 << 20) // RECORD
_CODECS = "io.compression.codecs"
_PASS_ON = "org.apache.hadoop.io.compress.PassthroughCodec"
_EXTENSIONS = ("io.compress.passthrough.extension", "org.apache.hadoop.shaded.io.compress.passthrough.extension")
"""Which files that codec passes on; in the shaded jar of Hadoop, which pyspark brings, the name is another one."""
_MARK = b"\xef\xbb\xbf"
_LENIENT = ("spark.files.ignoreCorruptFiles", "spark.files.ignoreMissingFiles")
_SPLIT_SIZES = ("mapreduce.input.fileinputformat.split.minsize", "mapreduce.input.fileinputformat.split.maxsize")


class RemotePlace(NamedTuple):
    """How remote files are read. ``files``: a broadcast HadoopFile by number of the input. ``step``: what is done with
    those that are read as a whole. ``attempts``: how often Spark tries a task.
    """

    place: ReadingPlace
    files: Any
    attempts: int = 1
    step: str = WHOLE


# Settings with which Spark reads.


def of_records() -> dict[str, str | None]:
    """The settings for ``records``."""
    return _batches(_RECORDS_AT_ONCE)


def of_lines(files: Iterable[HadoopFile]) -> dict[str, str | None]:
    """The settings for ``lines``: none of the files is divided."""
    size = str(max((one.size for one in files), default=1))
    return _batches(_LINES_AT_ONCE) | {
        "spark.sql.files.maxPartitionBytes": size,
        "spark.sql.files.openCostInBytes": size,
        "spark.sql.files.minPartitionNum": None,
        "spark.sql.files.maxPartitionNum": None,
    }


def of_small_files() -> dict[str, str | None]:
    """The settings for ``small_files``: one of them at a time is in memory."""
    return _batches(1)


def _batches(rows: int) -> dict[str, str | None]:
    return {
        "spark.sql.execution.arrow.maxRecordsPerBatch": str(rows),
        "spark.sql.execution.arrow.useLargeVarTypes": "false",
    }


# Tables of what Spark reads.


def records(spark: Any, files: Iterable[HadoopFile], size: int) -> Iterator[Any]:
    """The records of files, of which a task has those of ``size`` bytes of one: a table for all of them. Files with odd
    names have one of their own, because Hadoop divides a list of names at commas that are not in braces. Raises
    FileNotFoundError.
    """
    usual = list[str]()
    for path in escaped(one.path for one in files):
        if set(path) & set(",{}"):
            yield _records(spark, path.replace(",", "{\\,}"), size)
        else:
            usual.append(path)
    if usual:
        yield _records(spark, ",".join(usual), size)


def _records(spark: Any, paths: str, size: int) -> Any:
    from pyspark.sql import DataFrame

    java, session = spark.sparkContext._jsc.sc(), spark._jsparkSession
    configuration = session.sessionState().newHadoopConf()
    for name in _SPLIT_SIZES:
        configuration.set(name, str(size))
    with _lenient(java.conf()):
        found = java.binaryRecords(paths, RECORD, configuration)
    if not found.getNumPartitions():  # Hadoop lists them now, and none if one is gone
        raise FileNotFoundError("Spark does not find all of them")
    rows = session.createDataset(found, spark._jvm.org.apache.spark.sql.Encoders.BINARY())
    return _placed(DataFrame(rows.toDF(), spark), "value")


@contextmanager
def _lenient(settings: Any) -> Iterator[None]:
    """Let a table end where a file ends within a record, as nearly each does, or is gone: it is counted what comes."""
    before = {name: settings.get(name, "false") for name in _LENIENT}
    try:
        for name in _LENIENT:
            settings.set(name, "true")
        yield
    finally:
        for name, value in before.items():
            settings.set(name, value)


def lines(spark: Any, files: Iterable[HadoopFile]) -> Iterator[Any]:
    """The lines of files that Hadoop would decompress, as they are; a table for each, so that none shares a task."""
    from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

    for one in files:
        options = {_CODECS: _PASS_ON, **dict.fromkeys(_EXTENSIONS, os.path.splitext(one.path)[1])}
        table = spark.read.format("text").options(lineSep="\n", **_READ, **options)
        read = table.load(escaped([one.path]))
        yield _placed(read, F.concat(F.col("value").cast("binary"), F.lit(b"\n")))


_READ = {"recursiveFileLookup": "true", "ignoreMissingFiles": "true"}


def small_files(spark: Any, files: Iterable[HadoopFile]) -> Iterator[Any]:
    """A row for each file: its name and its bytes; one table."""
    table = spark.read.format("binaryFile").options(**_READ)
    yield table.load(escaped(one.path for one in files)).select("path", "content")


def _placed(table: Any, value: Any) -> Any:
    """A column, and in the first row of a task which bytes of which file come: its name, their place and number."""
    from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

    first = F.monotonically_increasing_id().bitwiseAND((1 << 33) - 1) == 0
    places = (F.input_file_name(), F.expr("input_file_block_start()"), F.expr("input_file_block_length()"))
    return table.select(value, *(F.when(first, one) for one in places))


# What executors do with them.


class _Begun(NamedTuple):
    """The text of a split of a file, or of all of it, as it comes."""

    number: int
    begin: int
    end: int
    pieces: Iterator[bytes | memoryview]


def read_splits(where: RemotePlace, batches: Iterable[Any]) -> Iterator[Any]:
    """Count the split whose records come: for ``mapInArrow``."""
    for split in _begun(where, batches):
        one: HadoopFile = where.files.value[split.number]
        chunks = SplitChunks(split.pieces, is_first=not split.begin)

        def prepared(folder: Path, task: ReadTask, chunks: SplitChunks = chunks, one: HadoopFile = one) -> PreparedTask:
            return PreparedTask(task, StandIn(one.stand_in(folder / "stand-in"), is_whole=False, split=chunks))

        task = ReadTask(PART, one.path, one.size, one.modified, f"portion-{split.begin}", split.begin, split.end)
        with in_the_zone(where.place):
            yield from batches_of_rows(done(where.place, NumberedTask(split.number, task), prepared), FOUND)
        for _ in split.pieces:  # Spark wants to hand over all of them
            pass


def read_large(where: RemotePlace, batches: Iterable[Any]) -> Iterator[Any]:
    """Read the file whose records or lines come as a whole: for ``mapInArrow``."""
    for whole in _begun(where, batches):
        with in_the_zone(where.place):
            yield from batches_of_rows(read_whole(where, whole.number, whole.pieces), FOUND)


def read_small(where: RemotePlace, batches: Iterable[Any]) -> Iterator[Any]:
    """Read the files that come as a row each: for ``mapInArrow``."""
    numbers = by_name(where.files.value)
    with in_the_zone(where.place):
        rows = (
            row
            for name, content in rows_of(batches)
            for row in read_whole(where, numbers[key_of(name)], iter((content,)))
        )
        yield from batches_of_rows(rows, FOUND)


def read_whole(where: RemotePlace, number: int, pieces: Iterator[bytes | memoryview]) -> Iterator[Any]:
    """Put a file together, and read it. Of one that is not as it was listed, this is the result."""
    one: HadoopFile = where.files.value[number]

    def prepared(folder: Path, task: ReadTask) -> PreparedTask:
        path = folder / "whole"
        with path.open("wb") as file:
            file.writelines(pieces)
        if one.is_decompressed:
            _restore(path, one.size)
        os.utime(path, ns=(one.modified, one.modified))
        return PreparedTask(task, StandIn(path, is_whole=True))

    task = ReadTask(where.step, one.path, one.size, one.modified, "portion", WHOLE_BEGIN)
    return done(where.place, NumberedTask(number, task), prepared)


def _restore(path: Path, size: int) -> None:
    """Undo what Spark's reader of lines does: it leaves out a byte order mark, and each line got a line feed."""
    there = path.stat().st_size
    if there in (size - len(_MARK), size + 1 - len(_MARK)):
        marked = path.with_name("marked")
        with path.open("rb") as source, marked.open("wb") as target:
            target.write(_MARK)
            shutil.copyfileobj(source, target)
        marked.replace(path)
        there += len(_MARK)
    if there == size + 1:
        os.truncate(path, size)


def _begun(where: RemotePlace, batches: Iterable[Any]) -> Iterator[_Begun]:
    """What a task of Spark hands over, if anything comes."""
    every = (batch for batch in batches if batch.num_rows)
    first = next(every, None)
    if first is None:
        _try_again(where, "Spark handed over nothing of a file")
        return
    files: Mapping[int, HadoopFile] = where.files.value
    name, begin, length = (first.column(place)[0].as_py() for place in (1, 2, 3))
    number, end = by_name(files)[key_of(name)], begin + length
    pieces: Iterator[bytes | memoryview] = map(_bytes_of, chain((first,), every))
    if end == files[number].size:
        pieces = chain(pieces, (files[number].end,))
    if not files[number].is_decompressed:
        pieces = _whole(where, pieces, name, length)
    yield _Begun(number, begin, end, pieces)


def _whole(
    where: RemotePlace, pieces: Iterator[bytes | memoryview], name: str, length: int
) -> Iterator[bytes | memoryview]:
    """The pieces. A table of records ends as well where the file could not be read: then the task is tried again."""
    size = 0
    for piece in pieces:
        size += len(piece)
        yield piece
    if size < length:
        _try_again(where, f"Spark handed over {size:,} of {length:,} bytes of {name}")


def _try_again(where: RemotePlace, why: str) -> None:
    """Let Spark do the task again, if it would; else the file is not as it was listed, and this is its result."""
    from pyspark import TaskContext

    context = TaskContext.get()
    if context is not None and context.attemptNumber() + 1 < where.attempts:
        raise OSError(why)


def _bytes_of(batch: Any) -> memoryview:
    """The bytes of all rows, one behind the other, as they are in memory already."""
    column = batch.column(0)
    _, offsets, data = column.buffers()
    places = memoryview(offsets).cast("B").cast("i")
    return memoryview(data or b"")[places[column.offset] : places[column.offset + len(column)]]
