"""A disk that fills, and what a session makes of a recording."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pylatencymap.files import GrowingFile
from pylatencymap.interval import Interval
from pylatencymap.record import Mark
from pylatencymap.report import Report
from pylatencymap.session.input import ReadPlan, StopRequest, open_source
from pylatencymap.session.input.pipeline import intervals_from


class Disk:
    """A disk with ``left`` bytes, on which the recorder writes; None is no limit."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left: int | None = None
        self._write = os.write
        monkeypatch.setattr(os, "write", self.write)
        monkeypatch.setattr(GrowingFile, "room", lambda _: self.room)
        monkeypatch.setattr(os, "statvfs", self._statvfs)

    @property
    def room(self) -> int:
        return 1 << 40 if self.left is None else self.left

    def write(self, descriptor: int, data: bytes) -> int:
        if self.left is None:
            return self._write(descriptor, data)
        if not self.left:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = self._write(descriptor, data[: self.left])
        self.left -= written
        return written

    def _statvfs(self, _: object) -> os.statvfs_result:
        return os.statvfs_result((1, 1, 0, 0, self.room, 0, 0, 0, 0, 255))


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


Replay = Callable[[Path], tuple[list[Interval], list[Mark], int]]


@pytest.fixture
def replay() -> Replay:
    """The intervals and marks of a recording, and how many records could not be read."""

    def read(path: Path) -> tuple[list[Interval], list[Mark], int]:
        report, marks = Report("r"), list[Mark]()
        source = open_source(str(path), StopRequest())
        return list(intervals_from(source, ReadPlan(), report, marks.append)), marks, report.bad_count

    return read
