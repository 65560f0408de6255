"""Writes recordings: the record stream in a file that stays readable wherever it is cut off."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import tzinfo
from itertools import count
from pathlib import Path

from ..files import GrowingFile
from ..record import Mark, Record
from .recorder import Alarm, Recorder, Say, cannot_be_written, say_nothing


class Recording(Recorder):
    """Writes events to a file and flushes after every record (``.gz``: once a second). An older file of that name is
    renamed to NAME~, and ``replaced`` is its new path. Raises SourceError if the file cannot be opened; a disk that
    fails later costs what comes then, and not what was recorded.
    """

    def __init__(
        self,
        path: str,
        say: Say = say_nothing,
        tz: tzinfo | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        alarm: Callable[[float, Callable[[], None]], Alarm] = threading.Timer,
    ) -> None:
        super().__init__(path, say, tz, monotonic, alarm)
        self._gzip = path.endswith(".gz")
        try:
            self.replaced = _kept_back(Path(path))
            try:
                self._file = GrowingFile(path, compressed=self._gzip)
            except OSError:
                if self.replaced is not None:
                    self.replaced.replace(path)
                raise
        except OSError as error:
            raise cannot_be_written(path, error) from error

    @property
    def _compressed(self) -> bool:
        return self._gzip

    def _next_file(self, _: Record | Mark) -> GrowingFile | None:
        return None

    def _begin(self, _: Record | Mark) -> None:
        raise AssertionError("a recording has one file")

    def _room(self) -> int:
        return self._file.room() if self._file is not None else 0


def _kept_back(path: Path) -> Path | None:
    """Rename an existing recording without overwriting an earlier renamed one. Its new path; None if there is none."""
    if not path.is_file() or path.stat().st_size == 0:
        return None
    names = (path.with_name(f"{path.name}~{number or ''}") for number in count())
    return path.replace(next(name for name in names if not name.exists()))
