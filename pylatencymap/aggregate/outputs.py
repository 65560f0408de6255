"""What an aggregation writes: a recording, a Parquet file, or a folder with one of them for each day."""

from __future__ import annotations

import gzip
import io
import os
import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

import numpy as np

from ..errors import SourceError, UsageError
from ..files import sync_file
from ..record import Mark
from ..recorder import first_line, segment_name, segments_in
from ..stream import IntervalWriter
from ..tables import CLOCK, IntervalColumns, ParquetWriter, check_parquet, days_of, files_within
from ..text.clean import printable
from ..units import MICROS_PER_DAY

LMAP, PARQUET = "lmap", "parquet"
FORMATS = (PARQUET, LMAP)
_SUFFIXES = {".lmap": LMAP, ".lmap.gz": LMAP, ".parquet": PARQUET}
_RUN = "aggregate"
"""The name of the run to which the segments of a folder belong: they are one history."""
_LEVEL = 6


class Output(ABC):
    """A file or folder that is written in a work folder, and is at its place when it is complete.

    ``divides``: ranges that lie across buckets are divided among them. A recording keeps such ranges, because a time
    waited that is exact could not be true of the parts.
    """

    divides = True

    def __init__(self, target: Path) -> None:
        self.target = target

    @abstractmethod
    def begin(self, folder: Path, about: Mapping[str, Any], marks: Sequence[Mark]) -> None:
        """Begin to write, in a folder beside the target."""

    @abstractmethod
    def write(self, columns: IntervalColumns) -> None:
        """Add intervals, which come sorted by their end."""

    @abstractmethod
    def complete(self) -> Path:
        """End the writing; returns where the complete file or folder is, in the work folder."""

    @abstractmethod
    def put(self, new: Path) -> None:
        """Put a complete file or folder at its place."""

    def finish(self) -> None:
        """Put what was written at its place."""
        self.put(self.complete())


def output_at(path: str, kind: str | None) -> Output:
    """The output for a path: a file by its name, or a folder, with a slash at the end or there already. Raises
    UsageError, SourceError if what is there is not ours to replace, and MissingPackage.
    """
    target = Path(path)
    name = next((found for suffix, found in _SUFFIXES.items() if target.name.lower().endswith(suffix)), None)
    is_folder = path.endswith("/") or target.is_dir() or name is None
    if name is not None and kind not in (None, name) and not is_folder:
        raise UsageError(f"-o {path} is a name for {name}, and --to says {kind}")
    if name is None and not path.endswith("/") and not target.is_dir():
        raise UsageError(f"-o {path}: write .lmap, .lmap.gz or .parquet, or a folder with a slash at its end: {path}/")
    which = kind or (name if not is_folder else None) or PARQUET
    if which == PARQUET:
        check_parquet()
    if not target.parent.is_dir():
        raise SourceError(f"-o {path}: there is no folder {target.parent}")
    if is_folder:
        _check_replaceable(target)
        return _ParquetFolder(target) if which == PARQUET else _RecordingFolder(target)
    return _ParquetFile(target) if which == PARQUET else _RecordingFile(target)


def _check_replaceable(folder: Path) -> None:
    """Raise SourceError if a folder has anything that an aggregation does not write."""
    if not folder.is_dir():
        return
    with suppress(OSError):
        ours = {os.path.realpath(one.path) for one in segments_in(folder)}
        days = (one for one in files_within(str(folder)) if Path(one).parent != folder)
        ours |= set(map(os.path.realpath, days))
        for base, _, names in os.walk(folder):
            for name in names:
                if os.path.realpath(os.path.join(base, name)) not in ours:
                    found = f"it holds {printable(name)}, which is no part of such an output"
                    raise SourceError(f"-o {folder}: {found}; name another folder")


class _FileOutput(Output):
    """An output that is one file."""

    def begin(self, folder: Path, about: Mapping[str, Any], marks: Sequence[Mark]) -> None:
        self._new = folder / f"output.{self.target.name}"
        self._open(about, marks)

    @abstractmethod
    def _open(self, about: Mapping[str, Any], marks: Sequence[Mark]) -> None: ...

    @abstractmethod
    def _close(self) -> None: ...

    def complete(self) -> Path:
        self._close()
        return self._new

    def put(self, new: Path) -> None:
        sync_file(new)
        new.replace(self.target)


class _ParquetFile(_FileOutput):
    def _open(self, about: Mapping[str, Any], marks: Sequence[Mark]) -> None:  # noqa: ARG002 - Parquet has no marks
        self._writer = ParquetWriter(self._new, about, with_day=True)

    def write(self, columns: IntervalColumns) -> None:
        self._writer.write(columns)

    def _close(self) -> None:
        self._writer.close()


class _RecordingFile(_FileOutput):
    divides = False

    def _open(self, about: Mapping[str, Any], marks: Sequence[Mark]) -> None:  # noqa: ARG002 - a recording says itself
        self._file = _text_file(self._new, compressed=self.target.name.lower().endswith(".gz"))
        self._writer = _interval_writer(self._file, marks)

    def write(self, columns: IntervalColumns) -> None:
        for interval in columns.intervals():
            self._writer.interval(interval)

    def _close(self) -> None:
        self._writer.end()
        self._file.close()


def _interval_writer(file: IO[str], marks: Iterable[Mark]) -> IntervalWriter:
    """What writes a recording with these marks."""
    writer = IntervalWriter(file.write)
    for mark in marks:
        writer.mark(mark)
    return writer


def _text_file(path: Path, *, compressed: bool) -> IO[str]:
    """A text file; a compressed one has no time in its head, so that it has the same bytes whenever it is written."""
    if not compressed:
        return open(path, "w", encoding="utf-8", newline="\n")
    raw = gzip.GzipFile("", "wb", _LEVEL, open(path, "wb"), mtime=0)  # noqa: SIM115
    return io.TextIOWrapper(raw, "utf-8", newline="\n")


class _FolderOutput(Output):
    """An output that is a folder with a file for each day (UTC)."""

    def begin(self, folder: Path, about: Mapping[str, Any], marks: Sequence[Mark]) -> None:
        self._new = folder / "output"
        shutil.rmtree(self._new, ignore_errors=True)
        self._new.mkdir()
        self._about, self._marks = about, marks
        self._day: int | None = None

    @abstractmethod
    def _open(self, day: int) -> None: ...

    @abstractmethod
    def _take(self, columns: IntervalColumns) -> None: ...

    @abstractmethod
    def _close(self) -> None: ...

    def write(self, columns: IntervalColumns) -> None:
        for day, of_day in _by_day(columns):
            if day != self._day:
                if self._day is not None:
                    self._close()
                self._day = day
                self._open(day)
            self._take(of_day)

    def complete(self) -> Path:
        if self._day is not None:
            self._close()
        return self._new

    def put(self, new: Path) -> None:
        old = new.with_name("replaced")
        shutil.rmtree(old, ignore_errors=True)
        if self.target.exists():
            self.target.rename(old)
        new.rename(self.target)


def _by_day(columns: IntervalColumns) -> Iterator[tuple[int, IntervalColumns]]:
    days = days_of(columns.ends)
    cuts = np.flatnonzero(np.diff(days, prepend=days[:1] - 1, append=days[-1:] + 1)).tolist()
    for begin, end in pairwise(cuts):
        yield int(days[begin]), columns.between(begin, end)


class _ParquetFolder(_FolderOutput):
    def begin(self, folder: Path, about: Mapping[str, Any], marks: Sequence[Mark]) -> None:
        super().begin(folder, about, marks)
        self._files: dict[int, int] = {}

    def _open(self, day: int) -> None:
        number = self._files[day] = self._files.get(day, -1) + 1  # intervals that come late make a second file
        folder = self._new / f"day={date(1970, 1, 1) + timedelta(days=day)}"
        folder.mkdir(exist_ok=True)
        self._writer = ParquetWriter(folder / f"part-{number}.parquet", self._about, with_day=False)

    def _take(self, columns: IntervalColumns) -> None:
        self._writer.write(columns)

    def _close(self) -> None:
        self._writer.close()


class _RecordingFolder(_FolderOutput):
    """A folder as ``--record DIR/`` makes it, with a segment for each day."""

    divides = False
    _part = 0

    def _open(self, day: int) -> None:
        named = float(day * MICROS_PER_DAY // 1_000_000)
        while (path := self._new / segment_name(named)).exists():
            named += 0.001
        self._path, self._file = path, _text_file(path, compressed=True)
        self._writer: IntervalWriter | None = None

    def _take(self, columns: IntervalColumns) -> None:
        if self._writer is None:
            first, last = int(columns.starts.min()), int(columns.ends[-1]) - 1
            has_clock = bool(columns.flags[0] & CLOCK)
            self._file.write(first_line(_RUN, self._part, first if has_clock else None))
            self._part += 1
            until = (last // MICROS_PER_DAY + 1) * MICROS_PER_DAY
            mine = [one for one in self._marks if one.stamp.micros <= until]
            self._marks = [one for one in self._marks if one.stamp.micros > until]
            self._writer = _interval_writer(self._file, mine)
        for interval in columns.intervals():
            self._writer.interval(interval)

    def complete(self) -> Path:
        if self._day is not None and self._writer is not None:
            for mark in self._marks:  # behind the last day
                self._writer.mark(mark)
        return super().complete()

    def _close(self) -> None:
        if self._writer is not None:
            self._writer.end()
        self._file.close()
