"""The rows that travel between the tasks of Spark: mostly bytes, a MB each at most."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ..event_counts import EventCounts

MOST_BYTES = 1 << 20
"""Bytes of a row, about."""
BATCH_ROWS = 32
"""Rows of a batch between Java and Python, which is in memory as a whole."""
_PER_OWNER, _PER_BUCKET = 33, 10
"""Bytes of an owner and of one of its buckets."""


class FoundRow(NamedTuple):
    """What the reading of an input, or of a split, yielded: a part of it. ``input`` is the number of the input."""

    input: int
    begin: int
    kind: int
    number: int
    data: bytes


RESULT, ACCOUNT, COUNTS, INTERVALS = range(4)
"""Kinds of FoundRows: result and index of the portion, what the last step has to know, and blocks."""
FOUND = "input int, begin bigint, kind int, number bigint, data binary"


class BlockRow(NamedTuple):
    """A block, or a part of one, of a stream that is to be written."""

    stream: int
    number: int
    data: bytes


BLOCKS = "stream int, number bigint, data binary"


class PieceRow(NamedTuple):
    """A piece of a file of the output, whose name is ``path`` below it; of the summary where ``offset`` is negative."""

    piece: int
    path: str
    offset: int
    data: bytes


PIECES = "piece int, path string, offset bigint, data binary"


def rows_of(batches: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    """The rows of Arrow batches."""
    for batch in batches:
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def batches_of_rows(rows: Iterable[tuple[Any, ...]], schema: str) -> Iterator[Any]:
    """Rows as Arrow batches of a MB at least, so that small ones do not travel one by one."""
    import pyarrow as pa

    kinds = {"int": pa.int32(), "bigint": pa.int64(), "binary": pa.binary(), "string": pa.string()}
    made = pa.schema([(name, kinds[kind]) for name, kind in (one.split() for one in schema.split(", "))])
    waiting: list[tuple[Any, ...]] = []
    size = 0
    for row in rows:
        waiting.append(row)
        size += len(row[-1])
        if size >= MOST_BYTES or len(waiting) >= 1 << 12:
            yield _batch(pa, waiting, made)
            waiting, size = [], 0
    if waiting:
        yield _batch(pa, waiting, made)


def _batch(pa: Any, rows: list[tuple[Any, ...]], schema: Any) -> Any:
    columns = [pa.array(one, kind) for one, kind in zip(zip(*rows, strict=True), schema.types, strict=True)]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def small_parts(counts: EventCounts) -> Iterator[EventCounts]:
    """Counts cut between owners, so that each part is of about a MB."""
    sizes = np.cumsum(counts.sums.sizes * _PER_BUCKET + _PER_OWNER)
    begin, total = 0, int(sizes[-1]) if sizes.size else 0
    while begin < sizes.size:
        done = int(sizes[begin - 1]) if begin else 0
        end = int(sizes.searchsorted(done + MOST_BYTES)) + 1 if total - done > MOST_BYTES else sizes.size
        yield counts.between(begin, end)
        begin = end
