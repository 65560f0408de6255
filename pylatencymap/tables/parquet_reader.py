"""Reads the Parquet files that the writer made, a file or a folder of days."""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import inf
from typing import Any

import numpy as np

from ..errors import SourceError
from .interval_columns import FLAGS, IntervalColumns, TableSeries, joined, series_of
from .parquet_schema import COLUMNS, DAY, METADATA, VERSION, arrow

BATCH_ROWS = 1 << 15


def read_parquet(path: str, name: str) -> Iterator[IntervalColumns]:
    """The intervals of a file, in its order. ``name`` is that of the file, for messages. Raises SourceError."""
    pa = arrow()
    try:
        with pa.parquet.ParquetFile(path) as file:
            _check_schema(file.schema_arrow, name)
            wanted = [column for column, _ in COLUMNS if column != DAY]
            held: IntervalColumns | None = None
            for batch in file.iter_batches(BATCH_ROWS, columns=wanted, use_threads=False):
                part = _columns_of(batch, held)
                if (last := part.owners.size - 1) > 0:
                    yield part.between(0, last)
                held = part.between(last, last + 1)  # its other rows can be in the next batch
            if held is not None:
                yield held
    except (pa.ArrowException, OSError) as error:
        raise SourceError(f"{name}: this Parquet file cannot be read: {error}") from error


def _check_schema(schema: Any, name: str) -> None:
    missing = [column for column, _ in COLUMNS if column != DAY and column not in schema.names]
    if missing:
        raise SourceError(
            f"{name}: this Parquet file is none of pylatencymap aggregate: it lacks the column {missing[0]!r}"
        )
    about = json.loads((schema.metadata or {}).get(METADATA, b"{}"))
    if about.get("v", VERSION) > VERSION:
        raise SourceError(f"{name}: this Parquet file was written by a newer pylatencymap (version {about['v']})")


def _columns_of(batch: Any, held: IntervalColumns | None) -> IntervalColumns:
    """The intervals of some rows, after the one that was held back, to which the first rows can belong."""
    buckets = _numbers(batch, "bucket")
    firsts = np.flatnonzero(buckets == 0)
    lowers, uppers = _numbers(batch, "lower"), _numbers(batch, "upper")
    filled = ~np.isnan(lowers)
    uppers = np.where(np.isnan(uppers), inf, uppers)
    ranges = lowers, uppers, _numbers(batch, "count").astype(np.float64)
    goes_on = int(firsts[0]) if firsts.size else buckets.size
    parts = []
    if held is not None:
        before = [one[:goes_on][filled[:goes_on]] for one in ranges]
        old = held.lowers, held.uppers, held.counts
        lower, upper, count = (np.concatenate(both) for both in zip(old, before, strict=True))
        parts.append(held._replace(sizes=np.array([count.size]), lowers=lower, uppers=upper, counts=count))
    if firsts.size:
        parts.append(_whole(batch, firsts, filled, *(one[goes_on:][filled[goes_on:]] for one in ranges)))
    return joined(parts)


def _whole(batch: Any, firsts: Any, filled: Any, lowers: Any, uppers: Any, counts: Any) -> IntervalColumns:
    """The intervals that begin at the rows ``firsts``."""
    series, owners = _series_of(batch, firsts)
    flags = np.zeros(firsts.size, np.uint8)
    for name, bit in FLAGS.items():
        flags |= np.where(_numbers(batch, name)[firsts], bit, 0).astype(np.uint8)
    notes = batch.column("note")
    noted = {} if notes.null_count == len(notes) else dict(enumerate(notes.take(_places(firsts)).to_pylist()))
    return IntervalColumns(
        series,
        owners,
        _numbers(batch, "start").astype(np.int64)[firsts],
        _numbers(batch, "end").astype(np.int64)[firsts],
        _numbers(batch, "seconds")[firsts],
        _numbers(batch, "waited")[firsts],
        flags,
        np.add.reduceat(filled.astype(np.int64), firsts),
        lowers,
        uppers,
        counts,
        {place: note for place, note in noted.items() if note},
    )


def _places(firsts: Any) -> Any:
    return arrow().array(firsts)


def _series_of(batch: Any, firsts: Any) -> tuple[tuple[TableSeries, ...], Any]:
    """The series of the rows ``firsts``, and the place of each row's among them."""
    columns, dictionaries = [], []
    for name in ("series", "unit", "label", "source"):
        column = batch.column(name)
        column = column if hasattr(column, "dictionary") else column.dictionary_encode()
        columns.append(column.indices.to_numpy(zero_copy_only=False)[firsts].astype(np.int64))
        dictionaries.append(column.dictionary.to_pylist())
    pairs, places = np.unique(np.stack(columns), axis=1, return_inverse=True)
    texts = ([each[place] for each, place in zip(dictionaries, pair, strict=True)] for pair in pairs.T.tolist())
    return tuple(map(series_of, texts)), places.reshape(-1).astype(np.int64)


def _numbers(batch: Any, name: str) -> Any:
    """A column as an array; what is missing is no number."""
    column = batch.column(name)
    if name in ("start", "end"):
        column = column.cast(arrow().int64())
    return column.to_numpy(zero_copy_only=False)
