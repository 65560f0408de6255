"""Writes intervals to a Parquet file: the same bytes for the same intervals, however they arrive."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.util import find_spec
from os import PathLike
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ..units import MICROS_PER_DAY
from .interval_columns import FLAGS, IntervalColumns, joined
from .parquet_schema import DAY, VERSION, arrow, schema_of

GROUP_ROWS = 1 << 16
"""Rows of a row group; it ends with the interval that reaches this number."""
STATISTICS = ("series", "start", "end")
"""Columns whose least and greatest value is noted for each row group, for who asks for a part."""


def check_parquet() -> None:
    """Raise MissingPackage if no Parquet can be written or read here. Loads nothing: the package takes much memory."""
    if find_spec("pyarrow") is None:
        arrow()


def rows_of(columns: IntervalColumns) -> NDArray[np.int64]:
    """How many rows each interval has: one per range, and one without any."""
    return np.maximum(columns.sizes, 1)


class ParquetWriter:
    """Writes one file, given by its path or open. ``about`` says in its metadata how it was made. Raises OSError."""

    def __init__(self, file: str | PathLike[str] | IO[bytes], about: Mapping[str, Any], *, with_day: bool) -> None:
        self._pa = arrow()
        metadata = json.dumps({"v": VERSION, **about}, sort_keys=True).encode()
        self._schema = schema_of(self._pa, with_day, metadata)
        told = {"compression": "zstd", "compression_level": 1, "write_statistics": [*STATISTICS, *[DAY] * with_day]}
        self._file = self._pa.parquet.ParquetWriter(file, self._schema, **told)
        self._waiting: list[IntervalColumns] = []
        self._rows = 0

    def write(self, columns: IntervalColumns) -> None:
        """Add intervals to the file."""
        self._waiting.append(columns)
        self._rows += int(rows_of(columns).sum())
        if self._rows >= 2 * GROUP_ROWS:
            self._write_groups()

    def close(self) -> None:
        """Write what waits, and finish the file."""
        if self._waiting:
            self._write_groups()
            self._write_group(self._waiting[0])
        self._file.close()

    def _write_groups(self) -> None:
        """Write the whole groups of what waits."""
        rest = joined(self._waiting)
        begin, rows = 0, np.cumsum(rows_of(rest))
        written, total = 0, int(rows[-1]) if rows.size else 0
        while total - written >= GROUP_ROWS:
            end = int(rows.searchsorted(written + GROUP_ROWS)) + 1
            self._write_group(rest.between(begin, end))
            begin, written = end, int(rows[end - 1])
        self._waiting = [rest.between(begin, rest.owners.size)]
        self._rows = total - written

    def _write_group(self, columns: IntervalColumns) -> None:
        if columns.owners.size:
            table = self._pa.Table.from_arrays(self._arrays(columns), schema=self._schema)
            self._file.write_table(table, row_group_size=table.num_rows)

    def _arrays(self, columns: IntervalColumns) -> list[Any]:
        rows = rows_of(columns)
        bucket = np.arange(int(rows.sum())) - np.repeat(np.cumsum(rows) - rows, rows)
        waited = _repeated(columns.waited, rows)
        found = {
            DAY: _repeated(days_of(columns.ends), rows),
            "start": _repeated(columns.starts, rows),
            "end": _repeated(columns.ends, rows),
            "seconds": _repeated(columns.seconds, rows),
            "bucket": bucket,
            **{name: _repeated((columns.flags & bit) > 0, rows) for name, bit in FLAGS.items()},
            **_ranges_of(columns, rows),
            "waited": np.ma.array(waited, mask=(bucket > 0) | np.isnan(waited)),
        }
        texts = {name: self._names(columns, name, rows) for name in ("series", "label", "source", "unit")}
        texts["note"] = self._notes(columns.notes, rows)
        return [
            texts[one.name] if one.name in texts else self._column(one.type, found[one.name]) for one in self._schema
        ]

    # pyarrow.array() would import pandas where that is installed, which takes a second and 60 MB.

    def _column(self, kind: Any, values: Any) -> Any:
        """Numbers, some of which can be masked, as a column of this type."""
        pa, mask = self._pa, np.ma.getmask(values)
        plain = np.ma.getdata(values)
        if pa.types.is_boolean(kind):
            data = np.packbits(plain, bitorder="little")
        else:
            # Numbers have numpy's names. to_pandas_dtype() needs pandas in some releases.
            data = np.ascontiguousarray(plain, np.dtype(str(kind)) if not pa.types.is_temporal(kind) else None)
            data = data.astype(np.int32) if pa.types.is_date32(kind) else data
        valid = None if not np.any(mask) else pa.py_buffer(np.packbits(~mask, bitorder="little"))
        return pa.Array.from_buffers(kind, plain.size, [valid, pa.py_buffer(data)])

    def _names(self, columns: IntervalColumns, field: str, rows: NDArray[np.int64]) -> Any:
        """A text of the series of each row, as places in a sorted dictionary."""
        texts = [_text_of(getattr(one, "name" if field == "series" else field)) for one in columns.series]
        used = np.unique(columns.owners).tolist()
        known = sorted({texts[owner] for owner in used})
        places = np.zeros(len(texts), np.int32)
        for owner in used:
            places[owner] = known.index(texts[owner])
        indices = self._column(self._pa.int32(), _repeated(places[columns.owners], rows))
        return self._pa.DictionaryArray.from_arrays(indices, self._texts(known, np.zeros(len(known), np.bool_)))

    def _notes(self, notes: Mapping[int, str], rows: NDArray[np.int64]) -> Any:
        if not notes:
            return self._pa.nulls(int(rows.sum()), self._pa.string())
        found = [notes.get(one, "") for one in np.repeat(np.arange(rows.size), rows).tolist()]
        return self._texts(found, np.array([not one for one in found], np.bool_))

    def _texts(self, texts: list[str], missing: NDArray[np.bool_]) -> Any:
        pa, data = self._pa, [one.encode() for one in texts]
        offsets = np.zeros(len(data) + 1, np.int32)
        np.cumsum([len(one) for one in data], out=offsets[1:])
        valid = pa.py_buffer(np.packbits(~missing, bitorder="little"))
        buffers = [valid, pa.py_buffer(offsets), pa.py_buffer(b"".join(data))]
        return pa.Array.from_buffers(pa.string(), len(data), buffers)


def _repeated(values: NDArray[Any], rows: NDArray[np.int64]) -> NDArray[Any]:
    """The value of each interval, in all of its rows; most of these columns have one value."""
    if values.size and (values == values[0]).all():
        return np.full(int(rows.sum()), values[0], values.dtype)
    return np.repeat(values, rows)


def _ranges_of(columns: IntervalColumns, rows: NDArray[np.int64]) -> dict[str, Any]:
    """The ranges of each row; masked where an interval has none, or where one is open."""
    empty = np.repeat(columns.sizes == 0, rows)
    found = {"lower": columns.lowers, "upper": columns.uppers, "count": columns.counts}
    if empty.any():
        for name, values in found.items():
            found[name] = np.zeros(empty.size)
            found[name][~empty] = values
    is_open = np.isinf(found["upper"])
    return {
        "lower": np.ma.array(found["lower"], mask=empty),
        "upper": np.ma.array(np.where(is_open, 0.0, found["upper"]), mask=empty | is_open),
        "count": found["count"],
    }


def days_of(ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """The days since 1970, in UTC, in which intervals with these ends lie: one that ends at midnight is of the day
    before.
    """
    days: NDArray[np.int64] = (ends - 1) // MICROS_PER_DAY
    return days


def _text_of(value: Any) -> str:
    return value if isinstance(value, str) else str(value.value)
