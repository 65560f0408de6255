"""Reads files that only Spark reaches: its own readers hand over lines or bytes, which go into the same scans.

A large file of a kind that has a scan is divided by Spark's reader of text; its records, each of some lines, come as
they are in the file. Any other file is put together again on a disk of the executor, and read there as a whole.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from ...scan import SplitChunks
from ..file_reading import PART, WHOLE, ReadTask, StandIn
from .hadoop_files import LINE_FEED, HadoopFile, by_name, escaped, key_of
from .rows import FOUND, batches_of_rows, rows_of
from .tasks import NumberedTask, PreparedTask, ReadingPlace, done, in_the_zone

AT_ONCE = 16 << 20
"""A file up to this size travels as one row."""
WHOLE_BEGIN = -2
"""Where a file begins that was read as a whole after its splits: before them, and their last step."""
_LONGEST_RECORD = 16 << 20
"""What Spark's reader leaves out, so that memory is bounded. The file is then read as a whole."""
_RECORDS_AT_ONCE, _LINES_AT_ONCE = 4096, 16384
_CODECS = "io.compression.codecs"
_PASS_ON = "org.apache.hadoop.io.compress.PassthroughCodec"
_MARK = b"\xef\xbb\xbf"


class RemotePlace(NamedTuple):
    """How remote files are read. ``files``: a broadcast HadoopFile by number of the input."""

    place: ReadingPlace
    files: Any
    split: int = 0


def settings(size: int, at_once: int) -> dict[str, str | None]:
    """Settings by which Spark makes a task of each ``size`` bytes of each file."""
    return {
        "spark.sql.files.maxPartitionBytes": str(size),
        "spark.sql.files.openCostInBytes": str(size),
        "spark.sql.files.minPartitionNum": None,
        "spark.sql.files.maxPartitionNum": None,
        "spark.sql.execution.arrow.maxRecordsPerBatch": str(at_once),
        "spark.sql.execution.arrow.useLargeVarTypes": "false",
    }


def of_splits(size: int) -> dict[str, str | None]:
    """The settings for ``records``."""
    return settings(size, _RECORDS_AT_ONCE)


def of_wholes(files: Iterable[HadoopFile]) -> dict[str, str | None]:
    """The settings for ``lines``: none of the files is divided."""
    return settings(max((one.size for one in files), default=1), _LINES_AT_ONCE)


SMALL_ONES: dict[str, str | None] = {"spark.sql.execution.arrow.maxRecordsPerBatch": "1"}
"""The settings for ``small_files``: one of them at a time is in memory."""


# Tables of what Spark reads.


def records(spark: Any, files: Iterable[HadoopFile]) -> Iterator[Any]:
    """The records of files, with their separators; a table for all files that have the same one."""
    by_separator: dict[str, list[HadoopFile]] = {}
    for one in files:
        by_separator.setdefault(one.separator, []).append(one)
    for separator, some in by_separator.items():
        yield _text(spark, some, separator, {"mapreduce.input.linerecordreader.line.maxlength": str(_LONGEST_RECORD)})


def lines(spark: Any, files: Iterable[HadoopFile]) -> Iterator[Any]:
    """The lines of files, which are passed on as they are, compressed or not; a table for all of the same ending."""
    by_ending: dict[str, list[HadoopFile]] = {}
    for one in files:
        by_ending.setdefault(os.path.splitext(one.path)[1], []).append(one)
    for ending, some in by_ending.items():
        yield _text(spark, some, LINE_FEED, {_CODECS: _PASS_ON, "io.compress.passthrough.extension": ending or ".-"})


def small_files(spark: Any, files: Iterable[HadoopFile]) -> Any:
    """A row for each file: its name and its bytes."""
    table = spark.read.format("binaryFile").option("recursiveFileLookup", "true")
    return table.load(escaped(one.path for one in files)).select("path", "content")


def _text(spark: Any, files: Sequence[HadoopFile], separator: str, options: Mapping[str, str]) -> Any:
    """Each record with its separator; the first one of a task has the name of the file, and where the split begins."""
    from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

    table = spark.read.format("text").options(lineSep=separator, recursiveFileLookup="true", **options)
    first = F.monotonically_increasing_id().bitwiseAND((1 << 33) - 1) == 0
    return table.load(escaped(one.path for one in files)).select(
        F.concat(F.col("value").cast("binary"), F.lit(separator.encode())),
        F.when(first, F.input_file_name()),
        F.when(first, F.expr("input_file_block_start()")),
    )


# What executors do with them.


def read_splits(where: RemotePlace, batches: Iterable[Any]) -> Iterator[Any]:
    """Count the split whose records come: for ``mapInArrow``."""
    files: Mapping[int, HadoopFile] = where.files.value
    for number, begin, pieces in _begun(files, batches):
        one = files[number]
        end = min(begin + where.split, one.size)
        if one.ends_in(begin, where.split):
            pieces = _without_end(pieces, len(one.separator))
        chunks = SplitChunks(pieces, is_first=not begin)

        def prepared(folder: Path, task: ReadTask, chunks: SplitChunks = chunks, one: HadoopFile = one) -> PreparedTask:
            return PreparedTask(task, StandIn(one.stand_in(folder / "stand-in"), is_whole=False, split=chunks))

        task = ReadTask(PART, one.path, one.size, one.modified, f"portion-{begin}", begin, end)
        with in_the_zone(where.place):
            yield from batches_of_rows(done(where.place, NumberedTask(number, task), prepared), FOUND)
        for _ in pieces:  # Spark wants to hand over all of them
            pass


def read_lines(where: RemotePlace, batches: Iterable[Any]) -> Iterator[Any]:
    """Read the file whose lines come as a whole: for ``mapInArrow``."""
    files: Mapping[int, HadoopFile] = where.files.value
    for number, _, pieces in _begun(files, batches):
        with in_the_zone(where.place):
            yield from batches_of_rows(read_whole(where, number, pieces), FOUND)


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


def read_whole(where: RemotePlace, number: int, pieces: Iterator[bytes]) -> Iterator[Any]:
    """Put a file together, and read it."""
    one: HadoopFile = where.files.value[number]

    def prepared(folder: Path, task: ReadTask) -> PreparedTask:
        path = folder / "whole"
        with path.open("wb") as file:
            file.writelines(pieces)
        _restore(path, one.size)
        os.utime(path, ns=(one.modified, one.modified))
        return PreparedTask(task, StandIn(path, is_whole=True))

    task = ReadTask(WHOLE, one.path, one.size, one.modified, "portion", WHOLE_BEGIN)
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


def _begun(files: Mapping[int, HadoopFile], batches: Iterable[Any]) -> Iterator[tuple[int, int, Iterator[bytes]]]:
    """The number of the file, where the split begins, and its text, if any comes."""
    every = (batch for batch in batches if batch.num_rows)
    first = next(every, None)
    if first is not None:
        name, begin = (first.column(place)[0].as_py() for place in (1, 2))
        yield by_name(files)[key_of(name)], begin, map(_bytes_of, chain((first,), every))


def _bytes_of(batch: Any) -> bytes:
    """The bytes of all rows, one behind the other, as they are in memory already."""
    column = batch.column(0)
    _, offsets, data = column.buffers()
    places = memoryview(offsets).cast("B").cast("i")
    return bytes(memoryview(data)[places[column.offset] : places[column.offset + len(column)]]) if data else b""


def _without_end(pieces: Iterator[bytes], length: int) -> Iterator[bytes]:
    """The text without its last bytes."""
    held = b""
    for piece in pieces:
        held += piece
        yield held[:-length]
        held = held[-length:]
