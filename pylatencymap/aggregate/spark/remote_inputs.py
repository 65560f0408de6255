"""The inputs that only Spark reaches: how each of them is read, decided by the driver."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from ...errors import Exit, SourceError
from ..archive import ArchivedInput
from ..file_reading import WHOLE, InputReader
from .hadoop_files import RECORD, HadoopFile, HadoopFiles
from .remote_reading import (
    AT_ONCE,
    WHOLE_BEGIN,
    RemotePlace,
    lines,
    of_lines,
    of_records,
    of_small_files,
    read_large,
    read_small,
    read_splits,
    read_whole,
    records,
    small_files,
)
from .rows import RESULT, FoundRow
from .session import attempts_of, reason_of
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
        self._attempts = attempts_of(spark)
        self._divided: set[int] = set()
        self._lost: dict[int, str] = {}

    def number(self, every: Sequence[ArchivedInput]) -> None:
        """Look at the files, by their numbers among all inputs."""
        mine, system = set(self.inputs), self._system
        if system is None:
            return
        self.files = {number: system.file(one) for number, one in enumerate(every) if one in mine}
        with TemporaryDirectory(prefix="pylatencymap-") as folder:
            for number, one in self.files.items():
                try:
                    self.files[number] = self._looked_at(system, number, one, Path(folder))
                except SourceError as error:
                    self._lost[number] = str(error)
        self.shared = self._spark.sparkContext.broadcast(self.files)

    def _looked_at(self, system: HadoopFiles, number: int, one: HadoopFile, folder: Path) -> HadoopFile:
        divisible = system.divisible(one, self._reader, folder)
        if divisible is not None:
            self._divided.add(number)
            return divisible
        return system.with_end(one) if one.size > AT_ONCE and not one.is_decompressed else one

    def lost(self) -> Iterator[FoundRow]:
        """The results of files that are gone or have changed since they were listed: nothing of them counts."""
        self._look_again()
        for number, why in self._lost.items():
            result = {"failed": why, "status": int(Exit.SOURCE)}
            yield FoundRow(number, WHOLE_BEGIN, RESULT, 0, json.dumps([result, None]).encode())

    def _look_again(self) -> bool:
        """Whether files are gone or have changed that were not before."""
        before = len(self._lost)
        if self._system is not None:
            self._lost |= self._system.lost(self._those(self.files))
        return len(self._lost) > before

    def _listed(self, numbers: Collection[int], made: Callable[[Collection[HadoopFile]], Iterable[Any]]) -> list[Any]:
        """The tables ``made`` of files, which Spark lists by itself: without those that are gone by then. Raises
        SourceError if all are as they were, and Spark cannot list them.
        """
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException

        while files := self._those(numbers):
            try:
                return [*made(files.values())]
            except (PySparkException, Py4JError, FileNotFoundError) as error:
                if not self._look_again():
                    raise SourceError(f"Spark could not list the files: {reason_of(error)}") from error
        return []

    def splits(self, place: ReadingPlace) -> RemoteTables:
        """The splits of the large files."""
        rows = self._listed(self._divided, lambda files: records(self._spark, files, self._split))
        divided = self._those(self._divided)
        return RemoteTables(rows, of_records(), partial(read_splits, self._where(place)), divided)

    def wholes(self, place: ReadingPlace, again: Collection[int], step: str = WHOLE) -> Iterator[RemoteTables]:
        """The others, and those that have to be read ``again`` as a whole."""
        where = self._where(place, step)
        wholes = {n: one for n, one in self._those(self.files.keys() - self._divided | set(again)).items() if one.size}
        small = {number for number, one in wholes.items() if one.size <= AT_ONCE}
        if rows := self._listed(small, lambda files: small_files(self._spark, files)):
            yield RemoteTables(rows, of_small_files(), partial(read_small, where))
        packed = {number: one for number, one in wholes.items() if number not in small and one.is_decompressed}
        if rows := self._listed(packed, lambda files: lines(self._spark, files)):
            yield RemoteTables(rows, of_lines(packed.values()), partial(read_large, where))
        plain = wholes.keys() - small - packed.keys()
        size = -(-max((wholes[number].size for number in plain), default=0) // RECORD) * RECORD
        if rows := self._listed(plain, lambda files: records(self._spark, files, size)):
            yield RemoteTables(rows, of_records(), partial(read_large, where))

    def _where(self, place: ReadingPlace, step: str = WHOLE) -> RemotePlace:
        return RemotePlace(place, self.shared, self._attempts, step)

    def _those(self, numbers: Collection[int]) -> dict[int, HadoopFile]:
        """The files of these numbers that are not lost."""
        return {number: self.files[number] for number in sorted(numbers) if number not in self._lost}

    def empty_ones(self, place: ReadingPlace, step: str = WHOLE) -> Iterator[FoundRow]:
        """What there is to say of files without any bytes, of which Spark has no row."""
        where = self._where(place, step)
        for number, one in self.files.items():
            if not one.size and number not in self._lost:
                yield from read_whole(where, number, iter(()))
