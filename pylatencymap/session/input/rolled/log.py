"""An event log of Spark that is a folder of files: read as one text, because tasks and stages go on over the files."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from functools import partial

from ....errors import SourceError
from ....text import Broken, FileReader, decompress, file_chunks
from ....text.clean import printable
from ..source import Source, StopRequest

_FOLDER = "eventlog_v2_"
_FILE = re.compile(r"events_([0-9]{1,9})_")
_COMPACT = ".compact"
"""The end of the name of a file that replaces all those before it."""


def rolled_files(folder: str) -> list[str]:
    """The files of a log in their order; empty if the folder is no log of Spark. Raises OSError."""
    if not os.path.basename(os.path.abspath(folder)).startswith(_FOLDER):
        return []
    found = [(int(named[1]), name) for name in os.listdir(folder) if (named := _FILE.match(name))]
    last = max((number for number, name in found if name.endswith(_COMPACT)), default=0)
    kept = [one for one in found if one[0] > last or (one[0] == last and one[1].endswith(_COMPACT))]
    return [os.path.join(folder, name) for _, name in sorted(kept)]


def number_of(path: str) -> int:
    """Which file of its log it is."""
    named = _FILE.match(os.path.basename(path))
    return int(named[1]) if named else 0


def open_rolled(folder: str, stop: StopRequest) -> RolledLog | None:
    """The log in a folder; None if it is none. Raises SourceError."""
    try:
        files = rolled_files(folder) if os.path.isdir(folder) else []
        if not files:
            return None
        descriptor = os.open(files[-1], os.O_RDONLY)
    except OSError as error:
        raise SourceError(f"{printable(folder)}: cannot be opened: {error.strerror}") from error
    log = RolledLog(folder, files, descriptor, stop)
    log.own()
    return log


class RolledLog(Source):
    """The files of a log. ``descriptor`` is that of the last one, which grows while the application runs."""

    def __init__(self, name: str, files: list[str], descriptor: int, stop: StopRequest) -> None:
        modified = os.fstat(descriptor).st_mtime
        super().__init__(printable(name), descriptor, live=False, modified=modified, stop=stop)
        self._files = files

    def again(self, stop: StopRequest) -> Source:
        """See Source."""
        if os.fstat(self.descriptor).st_mtime != self.modified:
            raise SourceError(f"{self.name} has changed since it was read; open it again")
        return RolledLog(self.name, self._files, os.dup(self.descriptor), stop).own()

    @property
    def size(self) -> int | None:
        """The bytes of all files."""
        return sum(map(_size, self._files))

    def _text(self, on_progress: Callable[[int], object], bad: Broken) -> Iterator[bytes | None]:
        """The text of all files, each of which begins a line. Lines are counted over all files. Raises OSError."""
        done, lines, last = 0, 0, b"\n"
        for path in self._files:
            if not last.endswith(b"\n"):
                lines, last = lines + 1, b"\n"
                yield last
            with open(path, "rb") as file:
                reader = FileReader(file.fileno(), partial(_read_behind, done, on_progress))
                for piece in decompress(file_chunks(reader), partial(_broken_behind, lines, bad)):
                    last = piece or last
                    lines += last.count(b"\n") if piece else 0
                    yield piece
            done += reader.offset


def _read_behind(before: int, on_progress: Callable[[int], object], done: int) -> None:
    on_progress(before + done)


def _broken_behind(lines: int, bad: Broken, line: int, why: str) -> None:
    bad(lines + line, why)


def _size(path: str) -> int:
    return os.stat(path).st_size
