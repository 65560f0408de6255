"""Writes intervals as one Parquet file, with the columns of ``pylatencymap aggregate`` (docs/aggregate.md)."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from ...interval import Interval
from ...tables import ParquetWriter, check_parquet, columns_of_intervals
from . import DataOptions
from .rows import in_buckets

AT_ONCE = 10_000
"""Intervals that are turned into columns together."""


class _Pieces(io.BytesIO):
    """A file that hands over what was written to it."""

    def __init__(self) -> None:
        super().__init__()
        self._pieces: list[bytes] = []
        self._place = 0

    def tell(self) -> int:
        return self._place

    def write(self, data: Any) -> int:
        self._pieces.append(bytes(data))
        self._place += len(self._pieces[-1])
        return len(self._pieces[-1])

    def taken(self) -> Iterator[bytes]:
        """What was written since the last call."""
        pieces, self._pieces = self._pieces, []
        yield from pieces


def written(intervals: Iterable[Interval], options: DataOptions) -> Iterator[bytes]:
    """The file. Raises MissingPackage."""
    check_parquet()
    file = _Pieces()
    writer = ParquetWriter(file, {"resolution": options.resolution}, with_day=True)
    waiting = in_buckets(intervals, options.resolution)
    while some := [*islice(waiting, AT_ONCE)]:
        writer.write(columns_of_intervals(some))
        yield from file.taken()
    writer.close()
    yield from file.taken()
