"""The event log of an application of Spark that runs: what is there is read, and then what is appended, as it comes."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import partial

from ....errors import SourceError
from ....text import Broken
from ....text.lines import Line
from ..source import Source
from .growth import FollowedSource, OpenedFile
from .log import number_of, rolled_files

IN_PROGRESS = ".inprogress"
"""The end of the name of what belongs to an application that runs: of its file, or of the status in its folder."""
LOG_FORMAT = "spark"
"""The collector that reads these logs."""
_STATUS = re.compile(r"appstatus_.*(?<!\.inprogress)\Z")


class FollowedLog(FollowedSource):
    """A log in one file, or a folder of them, which are one text. It ends with the application. ``opened``: its newest
    file.
    """

    def __init__(self, path: str, opened: Source) -> None:
        name = opened.name if os.path.isfile(path) else os.path.basename(os.path.abspath(path))
        super().__init__(name, opened)
        self._path = path
        self._is_folder = os.path.isdir(path)

    def lines(self, bad: Broken = lambda _line, _what: None) -> Iterator[Line | None]:
        """All lines, and those that will be appended, until the application ends. They are counted over all files.
        Raises SourceError.
        """
        before = last = 0
        try:
            for file in self._each_file():
                for line in self._growth.lines(self, file, partial(_behind, before, bad)):
                    last = last if line is None else line.number
                    yield line and line._replace(number=before + line.number)
                before, last = before + last, 0
        except OSError as error:
            raise SourceError(f"{self.name}: cannot be read further: {error.strerror or error}") from error

    def _each_file(self) -> Iterator[OpenedFile]:
        """Each file, open until the next one is asked for. It is over when another follows, or nothing runs."""
        if not self._is_folder:
            yield OpenedFile(self._opened.descriptor, lambda _: not self._runs(), _not_told)
            return
        read = ""
        while not self.stop.is_set and (path := self._next(read)):
            read = path
            descriptor = os.open(path, os.O_RDONLY)
            try:
                yield OpenedFile(descriptor, partial(self._is_over, path), _not_told)
            finally:
                os.close(descriptor)

    def _is_over(self, path: str, _: int) -> bool:
        return bool(self._next(path)) or not self._runs()

    def _runs(self) -> bool:
        """Whether the application runs, as far as names say."""
        if not self._is_folder:
            return self._path.endswith(IN_PROGRESS) and os.path.exists(self._path)
        return not any(map(_STATUS.match, os.listdir(self._path)))

    def _next(self, read: str) -> str:
        """The first file behind one that has been read; empty if there is none."""
        files: list[str] = []
        with suppress(OSError):
            files = rolled_files(self._path)
        if not read:
            return files[0] if files else ""
        return next((path for path in files if number_of(path) > number_of(read)), "")


def _behind(before: int, bad: Broken, line: int, what: str) -> None:
    bad(before + line, what)


def _not_told(_: int) -> None:
    """The progress callback of a log: nobody asks for its progress."""
