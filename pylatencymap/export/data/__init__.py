"""Writes intervals as data that other programs read, with one module per format, chosen by the extension of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from ...interval import Interval
    from ...record import Mark


class DataOptions(NamedTuple):
    """How intervals are written: in buckets of a ``resolution`` (None: in the ranges of the source), and with
    ``marks``, in formats that have them. More may be added at its end while the intervals are read.
    """

    resolution: int | None = None
    marks: Sequence[Mark] = ()


DataWriter: TypeAlias = "Callable[[Iterable[Interval], DataOptions], Iterator[bytes]]"
"""Makes the bytes of a file, piece by piece. The intervals come joined with those that continue them. It raises
MissingPackage before its first piece.
"""
DATA_FORMATS: dict[str, str] = {
    ".lmap": "recording",
    ".lmap.gz": "recording",
    ".jsonl": "json_lines",
    ".csv": "csv_rows",
    ".parquet": "parquet",
    ".hlog": "hdr_log",
    ".prom": "prometheus_text",
    ".om": "prometheus_text",
}
"""The module for each extension, in lower case. It is imported on first use."""


_BY_ANOTHER = {".lmap.gz": "compressed", ".om": "open_metrics"}
"""The functions of formats that share a module with another one."""
_WITH_TIMES = {".jsonl", ".csv", ".parquet", ".prom", ".om"}
"""Formats whose readers add up time waited. Readers of the others estimate it from the counts."""


def data_writer_for(extension: str) -> DataWriter:
    """The writer for an extension, which is one of DATA_FORMATS."""
    module = import_module(f".{DATA_FORMATS[extension]}", __name__)
    writer: DataWriter = getattr(module, _BY_ANOTHER.get(extension, "written"))
    if extension not in _WITH_TIMES:
        return writer
    from .estimates import with_best_estimates

    return lambda intervals, options: writer(with_best_estimates(intervals), options)
