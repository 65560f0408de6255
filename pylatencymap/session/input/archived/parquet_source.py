"""Parquet files as a source: one, or a folder of them. Their intervals are final, and pass no stage of the engine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress

from ....interval import Interval
from ....intervals import merge_intervals
from ....text.clean import printable
from ..plan import ReadPlan
from ..source import Source, StopRequest


def parquet_source(path: str, stop: StopRequest) -> ParquetSource | None:
    """The source for a path; None if neither a Parquet file nor a folder of them is there. Raises OSError."""
    from ....tables import files_within, is_parquet

    if os.path.isdir(path):
        files = files_within(path)
    else:
        files = [path] if os.path.isfile(path) and is_parquet(_head(path)) else []
    return ParquetSource(path, os.open(path, os.O_RDONLY), files, stop) if files else None


class ParquetSource(Source):
    """Parquet files that are read one after the other."""

    def __init__(self, path: str, descriptor: int, files: list[str], stop: StopRequest) -> None:
        modified = os.fstat(descriptor).st_mtime
        super().__init__(printable(path), descriptor, live=False, modified=modified, stop=stop)
        self._files = files
        self.own()

    def again(self, stop: StopRequest) -> Source:
        """The same files once more."""
        return ParquetSource(self.name, os.dup(self.descriptor), self._files, stop)

    @property
    def size(self) -> int | None:
        """The bytes of all files."""
        return sum(map(_size, self._files))

    def intervals(self, plan: ReadPlan) -> Iterator[Interval]:
        """The intervals of the series that are wanted. Raises SourceError."""
        return merge_intervals(self._wanted(plan), plan.time.interval)

    def _wanted(self, plan: ReadPlan) -> Iterator[Interval]:
        from ....tables import read_parquet

        done = 0
        for path in self._files:
            for columns in read_parquet(path, printable(path)):
                if self.stop.is_set:
                    return
                yield from (one for one in columns.intervals() if plan.wants(one.series))
            done += _size(path)
            self.report_progress(done)


def _head(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read(4)


def _size(path: str) -> int:
    with suppress(OSError):
        return os.stat(path).st_size
    return 0
