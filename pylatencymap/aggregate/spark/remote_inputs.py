"""The inputs that only Spark reaches: how each of them is read, decided by the driver."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from ..archive import ArchivedInput
from ..file_reading import InputReader
from .hadoop_files import HadoopFile, HadoopFiles
from .remote_reading import (
    AT_ONCE,
    SMALL_ONES,
    RemotePlace,
    lines,
    of_splits,
    of_wholes,
    read_lines,
    read_small,
    read_splits,
    read_whole,
    records,
    small_files,
)
from .rows import FoundRow
from .tasks import ReadingPlace


class RemoteTables(NamedTuple):
    """What Spark reads, as tables, the settings with which it does, and what is to be done with the rows; and which
    files are ``divided``.
    """

    rows: Sequence[Any] = ()
    settings: Mapping[str, str | None] = {}
    read: Callable[[Iterable[Any]], Iterator[Any]] = iter
    divided: Mapping[int, HadoopFile] = {}


class RemoteInputs:
    """The files that ``words`` mean, and how they are read. ``shared``: all of them by number, as a broadcast, or None.
    Raises SourceErrors.
    """

    def __init__(self, spark: Any, words: Sequence[str], reader: InputReader, split: int) -> None:
        self._spark, self._reader, self._split = spark, reader, split
        self._system = HadoopFiles(spark) if words else None
        self.inputs: list[ArchivedInput] = [] if self._system is None else self._system.inputs(words)
        self.files: dict[int, HadoopFile] = {}
        self.shared: Any = None
        self._divided: dict[int, HadoopFile] = {}

    def number(self, every: Sequence[ArchivedInput]) -> None:
        """Look at the files, by their numbers among all inputs."""
        mine, system = set(self.inputs), self._system
        if system is None:
            return
        self.files = {number: system.file(one) for number, one in enumerate(every) if one in mine}
        with TemporaryDirectory(prefix="pylatencymap-") as folder:
            for number, one in self.files.items():
                divisible = system.divisible(one, self._reader, Path(folder))
                if divisible is not None:
                    self._divided[number] = divisible
        self.files |= self._divided
        self.shared = self._spark.sparkContext.broadcast(self.files)

    def splits(self, place: ReadingPlace) -> RemoteTables:
        """The splits of the large files."""
        where = RemotePlace(place, self.shared, self._split)
        rows = [*records(self._spark, self._divided.values())]
        return RemoteTables(rows, of_splits(self._split), partial(read_splits, where), self._divided)

    def wholes(self, place: ReadingPlace, again: Collection[int]) -> Iterator[RemoteTables]:
        """The others, and those that have to be read ``again`` as a whole."""
        where = RemotePlace(place, self.shared)
        wholes = [one for number, one in self.files.items() if number not in self._divided or number in again]
        small = [one for one in wholes if 0 < one.size <= AT_ONCE]
        large = [one for one in wholes if one.size > AT_ONCE]
        if small:
            yield RemoteTables([small_files(self._spark, small)], SMALL_ONES, partial(read_small, where))
        if large:
            yield RemoteTables([*lines(self._spark, large)], of_wholes(large), partial(read_lines, where))

    def empty_ones(self, place: ReadingPlace) -> Iterator[FoundRow]:
        """What there is to say of files without any bytes, of which Spark has no row."""
        where = RemotePlace(place, self.shared)
        for number, one in self.files.items():
            if not one.size:
                yield from read_whole(where, number, iter(()))
