"""Files on the file systems of Hadoop, such as HDFS, S3 and ABFS, as the driver sees them through Java: which there
are, and how they begin and end.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import SourceError
from ...text import is_plain
from ..archive import ArchivedInput
from ..file_reading import InputReader

HEAD = 1 << 18
"""Bytes from which a text is recognised, and its scan is found."""
_TAIL = 1 << 16
_GLOB = re.compile(r"([\\{}\[\]*?])")
_DECOMPRESSED = (".gz", ".bz2", ".deflate", ".snappy", ".lz4", ".zst")
"""What Hadoop decompresses by itself; no such file is divided."""
_LEAST_SHARE, _MOST_SHARE = 1 / 64, 1 / 8
_LONGEST_WITHOUT = 500
"""Lines of the head that may follow each other without a separator."""
LINE_FEED = "\n"
LIBRARY = (
    "; add the library of this file system, as by --spark-conf spark.jars.packages=org.apache.hadoop:hadoop-aws:3.5.0"
)
_PARTS = re.compile(r"pylatencymap-\d{8}T.*\.lmap\.gz$|day=|eventlog_v2_|events_\d+_")
"""Names in folders that are one input: of a recording, of days of a table, of a rolled log."""


class HadoopFile(NamedTuple):
    """A file, with the name that Spark gives it. Of one that can be divided also its first bytes, what stands behind
    its last line feed, the ``separator`` at which Spark divides it, and where it begins its last record.
    """

    path: str
    url: str
    size: int
    modified: int
    head: bytes = b""
    rest: bytes = b""
    separator: str = ""
    last_record: int = 0

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

    def ends_in(self, begin: int, split: int) -> bool:
        """Whether the last record of the file begins in a split, and has no separator behind it."""
        first = begin < self.last_record or begin == self.last_record == 0
        return first and self.last_record <= begin + split and self.last_record < self.size


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

    def divisible(self, one: HadoopFile, reader: InputReader, folder: Path) -> HadoopFile | None:
        """The file with all that its splits need; None if one task has to read it."""
        if one.path.endswith(_DECOMPRESSED) or one.size < reader.least_split:
            return None
        head = self._bytes(one, 0, HEAD)
        if not is_plain(head[:4]):
            return None
        ending = self._bytes(one, max(one.size - _TAIL, 0), _TAIL)
        separator = separator_of(head) if separator_of(head).encode() in ending else LINE_FEED
        if separator.encode() not in ending:  # a last line that is as long as no scan takes it, or nearly so
            return None
        behind = len(ending) - ending.rfind(separator.encode()) - len(separator)
        whole = one._replace(head=head, rest=ending[ending.rfind(b"\n") + 1 :], separator=separator)
        whole = whole._replace(last_record=one.size - behind)
        splits = reader.splits(str(whole.stand_in(folder / "stand-in")), one.size)
        return whole if splits else None

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
            yield ArchivedInput(name, status.getLen(), status.getModificationTime() * 1_000_000, named)
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


def separator_of(head: bytes) -> str:
    """Where Spark divides a text: at the ends of those lines that end in one certain character. A record has several
    lines then, and costs less than each of them would.
    """
    lines = head.split(b"\n")[:-1]
    for length in (1, 2):
        places: dict[bytes, list[int]] = {}
        for number, line in enumerate(lines):
            places.setdefault(line[-length:], [-1]).append(number)
        good = [ending for ending, at in places.items() if _is_regular(ending, [*at, len(lines)])]
        if good:
            return min(good).decode() + LINE_FEED
    return LINE_FEED


def _is_regular(ending: bytes, places: list[int]) -> bool:
    """Whether lines with an ending come now and then, and never after a long time."""
    lines, share = places[-1], (len(places) - 2) / max(places[-1], 1)
    usual = ending.isascii() and ending.decode().isprintable() and lines > _LONGEST_WITHOUT
    longest = max(after - before for before, after in pairwise(places))
    return usual and _LEAST_SHARE <= share <= _MOST_SHARE and longest <= _LONGEST_WITHOUT


def escaped(paths: Iterable[str]) -> list[str]:
    """Paths that Spark takes as they are, and not as patterns."""
    return [_GLOB.sub(r"\\\1", path) for path in paths]


def by_name(files: Mapping[int, HadoopFile]) -> dict[str, int]:
    """The number of each file, by both names that Spark gives it."""
    named = {key_of(one.path): number for number, one in files.items()}
    return named | {key_of(one.url): number for number, one in files.items()}
