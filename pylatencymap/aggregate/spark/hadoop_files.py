"""Files on the file systems of Hadoop, such as HDFS, S3 and ABFS, as the driver sees them through Java: which there
are, and how they begin and end.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import SourceError
from ...text import is_plain
from ..archive import ArchivedInput
from ..file_reading import InputReader, changed

HEAD = 1 << 18
"""Bytes from which a text is recognised, and its scan is found."""
RECORD = 1 << 16
"""Bytes of the records in which Spark hands over large files. What is behind the last whole one, the driver reads."""
_GLOB = re.compile(r"([\\{}\[\]*?])")
_DECOMPRESSED = (".gz", ".bz2", ".deflate", ".snappy", ".lz4", ".zst")
"""What Hadoop decompresses by itself, so that only its reader of lines passes on the bytes as they are."""
LIBRARY = (
    "; add the library of this file system, as by --spark-conf spark.jars.packages=org.apache.hadoop:hadoop-aws:3.5.0"
)
_PARTS = re.compile(r"pylatencymap-\d{8}T.*\.lmap\.gz$|day=|eventlog_v2_|events_\d+_")
"""Names in folders that are one input: of a recording, of days of a table, of a rolled log."""


class HadoopFile(NamedTuple):
    """A file, with the name that Spark gives it. Of a large one also its ``end``, what is behind its last whole RECORD;
    of one that is divided its first bytes, too, and the ``rest``, what is behind its last line feed.
    """

    path: str
    url: str
    size: int
    modified: int
    head: bytes = b""
    rest: bytes = b""
    end: bytes = b""

    def stand_in(self, path: Path) -> Path:
        """A file with the first and the last bytes; what is between them takes no room."""
        with path.open("wb") as file:
            file.write(self.head[: self.size])
            file.truncate(self.size)
            if len(self.rest) < self.size:
                file.seek(self.size - len(self.rest) - 1)
                file.write(b"\n" + self.rest)
        os.utime(path, ns=(self.modified, self.modified))
        return path

    @property
    def is_decompressed(self) -> bool:
        """Whether Hadoop decompresses it by itself, by its name."""
        return self.path.endswith(_DECOMPRESSED)


def key_of(name: str) -> str:
    """The same for ``file:/x`` and ``file:///x``, which Spark says by turns."""
    return re.sub(r"^([a-z][a-z0-9+.-]*):///", r"\1:/", name)


class HadoopFiles:
    """The files of a session of Spark. Raises SourceErrors."""

    def __init__(self, spark: Any) -> None:
        self._spark = spark
        self._path = spark.sparkContext._jvm.org.apache.hadoop.fs.Path
        self._configuration = spark._jsparkSession.sessionState().newHadoopConf()
        self._urls: dict[str, str] = {}

    def inputs(self, words: Iterable[str]) -> list[ArchivedInput]:
        """The files that paths mean: files, folders and patterns."""
        found: dict[str, ArchivedInput] = {}
        for word in words:
            with _asking(word):
                for one in self._meant(word):
                    if one.named or one.path not in found:
                        found[one.path] = one
        return sorted(found.values())

    def file(self, one: ArchivedInput) -> HadoopFile:
        """One of the inputs."""
        return HadoopFile(one.path, self._urls[one.path], one.size, one.modified)

    def with_end(self, one: HadoopFile) -> HadoopFile:
        """The file with what is behind its last whole record."""
        length = one.size % RECORD
        return one._replace(end=self._bytes(one, one.size - length, length) if length else b"")

    def divisible(self, one: HadoopFile, reader: InputReader, folder: Path) -> HadoopFile | None:
        """The file with all that its splits need; None if one task has to read it."""
        if one.is_decompressed or not reader.divides or one.size < reader.least_split:
            return None
        head = self._bytes(one, 0, HEAD)
        if not is_plain(head[:4]):
            return None
        last = self._bytes(one, one.size - RECORD, RECORD)
        if b"\n" not in last:  # a last line that is as long as no scan takes it, or nearly so
            return None
        length = one.size % RECORD
        whole = one._replace(head=head, rest=last[last.rfind(b"\n") + 1 :], end=last[len(last) - length :])
        return whole if reader.splits(str(whole.stand_in(folder / "stand-in")), one.size) else None

    def lost(self, files: Mapping[int, HadoopFile]) -> Iterator[tuple[int, str]]:
        """Which of the files, by number, are not as they were listed any more, and what is to be said of each."""
        parents: dict[str, list[int]] = {}
        for number, one in files.items():
            parents.setdefault(one.path.rpartition("/")[0], []).append(number)
        for numbers in parents.values():
            try:
                with _asking(files[numbers[0]].path):
                    now = self._now([files[number].path for number in numbers])
            except SourceError as error:
                yield from ((number, str(error)) for number in numbers)
                continue
            for number in numbers:
                one = files[number]
                if one.path not in now:
                    yield number, f"{one.path}: no such file"
                elif now[one.path] != (one.size, one.modified):
                    yield number, changed(one.path)

    def _now(self, paths: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Sizes and times of files of one folder; of one without those that are gone."""
        path = self._path(paths[0])
        system = path.getFileSystem(self._configuration)
        if not system.exists(path.getParent() if len(paths) > 1 else path):
            return {}
        statuses = system.listStatus(path.getParent()) if len(paths) > 1 else [system.getFileStatus(path)]
        return {str(one.getPath().toString()): _state_of(one) for one in statuses}

    def _bytes(self, one: HadoopFile, begin: int, size: int) -> bytes:
        with _asking(one.path):
            path = self._path(one.path)
            stream = path.getFileSystem(self._configuration).open(path)
            try:
                stream.seek(begin)
                found: bytes = stream.readNBytes(size)
                return found
            finally:
                stream.close()

    def _meant(self, word: str) -> Iterator[ArchivedInput]:
        path = self._path(word)
        system = path.getFileSystem(self._configuration)
        if system.exists(path):
            status = system.getFileStatus(path)
            if not status.isDirectory() and path.getName().startswith(("_", ".")):
                raise SourceError(f"{word}: Spark passes over names that begin with _ or a dot: rename it")
            yield from self._within(system, status, named=not status.isDirectory())
            return
        matching = system.globStatus(path) or []
        if not matching:
            raise SourceError(f"{word}: no such file, or no file matches this pattern")
        for status in matching:
            yield from self._within(system, status, named=False)

    def _within(self, system: Any, status: Any, *, named: bool) -> Iterator[ArchivedInput]:
        """A file, or what is in a folder; names are passed over that Spark passes over."""
        path = status.getPath()
        if not status.isDirectory():
            name = str(path.toString())
            self._urls[name] = str(path.toUri().toString())
            yield ArchivedInput(name, *_state_of(status), named)
            return
        entries = list(system.listStatus(path))
        if any(_PARTS.match(one.getPath().getName()) for one in entries):
            raise SourceError(
                f"{path.toString()} holds a recording, a table or a log that is a folder: mount it, or copy it"
            )
        for entry in sorted(entries, key=lambda one: str(one.getPath().getName())):
            if not entry.getPath().getName().startswith(("_", ".")):
                yield from self._within(system, entry, named=False)


@contextmanager
def _asking(word: str) -> Iterator[None]:
    """What Java does not like of a path, as a SourceError."""
    from py4j.protocol import Py4JJavaError

    try:
        yield
    except Py4JJavaError as error:
        why = str(error.java_exception.toString())
        missing = "ClassNotFoundException" in why or "No FileSystem for scheme" in why
        raise SourceError(f"{word}: Spark cannot read it: {why}{LIBRARY if missing else ''}") from error


def _state_of(status: Any) -> tuple[int, int]:
    """Size, and when it was modified, in nanoseconds."""
    return status.getLen(), status.getModificationTime() * 1_000_000


def escaped(paths: Iterable[str]) -> list[str]:
    """Paths that Spark takes as they are, and not as patterns."""
    return [_GLOB.sub(r"\\\1", path) for path in paths]


def by_name(files: Mapping[int, HadoopFile]) -> dict[str, int]:
    """The number of each file, by both names that Spark gives it."""
    named = {key_of(one.path): number for number, one in files.items()}
    return named | {key_of(one.url): number for number, one in files.items()}
