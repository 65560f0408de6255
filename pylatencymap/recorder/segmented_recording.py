"""Always-on recording: compressed segments in a folder, of which the oldest go when there is more than is wanted."""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import tzinfo
from pathlib import Path

from ..errors import SourceError
from ..files import GrowingFile
from ..record import Clock, Mark, Record, Semantics, Stamp
from ..stream import REPEATED
from .keep import ALL, Keep
from .recorder import WALL, Alarm, Recorder, Say, cannot_be_written, reason_of, say_nothing
from .segments import Segment, first_line, run_name, segment_at, segment_name, segments_in

LOCK = ".pylatencymap-lock"
SEGMENT_SECONDS = 3600
OLD_MICROS = 60_000_000
"""A series whose last record is older than this at the end of a segment stood still: it is repeated at the end."""


class SegmentedRecording(Recorder):
    """Records into the segments of a folder, one for each hour of UTC, and removes the oldest as ``keep`` says.

    Each segment can be read without the others: it begins with the last totals of each cumulative series, from which
    its first interval is counted. A restart begins a new segment and never touches an older one, except to remove it.
    ``now`` gives epoch seconds. Raises SourceError if the folder cannot be used or another process records into it.
    """

    def __init__(
        self,
        folder: str,
        keep: Keep = ALL,
        say: Say = say_nothing,
        tz: tzinfo | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        alarm: Callable[[float, Callable[[], None]], Alarm] = threading.Timer,
        now: Callable[[], float] = WALL,
    ) -> None:
        super().__init__(folder, say, tz, monotonic, alarm)
        self._folder = Path(folder)
        self._keep = keep
        self._now = now
        self._run = run_name(now(), os.getpid())
        self._part = 0
        self._hour = 0
        self._path: Path | None = None
        self._told_removal = False
        try:
            self._folder.mkdir(exist_ok=True)
            self._lock_file = _locked(self._folder)
            self._older = list(_sized(segments_in(folder)))
        except OSError as error:
            raise cannot_be_written(folder, error) from error
        self._remove_oldest()

    def close(self) -> None:
        """Finish the last segment, and let others record into the folder."""
        super().close()
        with self._lock:
            descriptor, self._lock_file = self._lock_file, -1
            if descriptor >= 0:
                os.close(descriptor)

    @property
    def _compressed(self) -> bool:
        return True

    def _room(self) -> int:
        about = os.statvfs(self._folder)
        return about.f_bavail * about.f_frsize

    def _next_file(self, _: Record | Mark) -> GrowingFile | None:
        now = self._now()
        hour, most = int(now // SEGMENT_SECONDS), self._keep.segment_size
        if self._file is not None and hour == self._hour and (most is None or self._file.size < most):
            return None
        self._settle()
        self._remove_oldest()
        path, file = self._created(now)
        self._hour, self._path = hour, path
        return file

    def _created(self, now: float) -> tuple[Path, GrowingFile]:
        """A new file with a name that no other has. Raises OSError."""
        while True:
            path = self._folder / segment_name(now)
            try:
                return path, GrowingFile(path, compressed=True, new=True)
            except FileExistsError:
                now += 0.001

    def _begin(self, event: Record | Mark) -> None:
        repeated = list(self._repeated())
        first = repeated[0] if repeated else event
        begin = None
        if first.stamp is not None and first.stamp.clock is Clock.EPOCH:
            counts_from = first.start if isinstance(first, Record) and first.semantics is Semantics.INTERVAL else None
            begin = first.stamp.micros if counts_from is None else counts_from
        self._add(first_line(self._run, self._part, begin))
        self._part += 1
        for record in repeated:
            self._writer.event(record)

    def _repeated(self) -> Iterator[Record]:
        """The last record of each cumulative series, as the baseline of the new segment, in the order of time."""
        last = [one for one in self._committed.values() if one.semantics is Semantics.CUMULATIVE and one.stamp]
        newest = max((one.stamp.micros for one in last if one.stamp), default=0)
        for record in sorted(last, key=lambda one: _moved(one, newest)):
            stamp = replace(record.stamp or Stamp(0), micros=_moved(record, newest))
            yield replace(record, stamp=stamp, seconds=None, note="", flags=record.flags | {REPEATED})

    def _settle(self) -> None:
        """Finish the segment, which is one of the older ones from now on."""
        if self._file is None or self._path is None:
            return
        self._finish()
        with suppress(OSError):  # somebody has removed it
            if (segment := segment_at(self._path)) is not None:
                self._older.extend(_sized([segment]))
        self._path = None

    def _discard(self) -> None:
        file, self._file = self._file, None
        if file is not None and self._path is not None:
            with suppress(OSError):
                file.close()
            with suppress(OSError):
                self._path.unlink()
        self._path = None

    def _flushed(self) -> None:
        if self._keep.size is not None:
            self._remove_oldest()

    def _remove_oldest(self) -> None:
        while self._older and self._is_too_much():
            segment, _ = self._older.pop(0)
            try:
                if segment_at(segment.path) is not None:
                    segment.path.unlink()
            except FileNotFoundError:
                continue
            except OSError as error:
                if not self._told_removal:
                    self._told_removal = True
                    self._tell(f"{segment.path.name} cannot be removed: {reason_of(error)}")

    def _is_too_much(self) -> bool:
        """Whether the oldest segment is to go: all of it is too old, or all segments together are too large."""
        keep = self._keep
        if keep.size is not None:
            current = self._file.size if self._file is not None else 0
            return sum(size for _, size in self._older) + current > keep.size
        if keep.seconds is None:
            return False
        end = self._older[1][0].named if len(self._older) > 1 else self._older[0][0].named + SEGMENT_SECONDS
        return end < self._now() - keep.seconds


def _sized(segments: Iterable[Segment]) -> Iterator[tuple[Segment, int]]:
    """Segments with their sizes in bytes; those that somebody removes meanwhile are passed over."""
    for one in segments:
        with suppress(FileNotFoundError):
            yield one, one.path.stat().st_size


def _moved(record: Record, newest: int) -> int:
    """When a repeated record is stamped, in epoch microseconds."""
    micros = record.stamp.micros if record.stamp else newest
    return newest if newest - micros > OLD_MICROS else micros


def _locked(folder: Path) -> int:
    """Lock a folder for this process; the lock ends with it, however that ends. Returns the descriptor that holds it.
    Raises OSError, or SourceError if another process records into the folder.
    """
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        pid = os.read(descriptor, 20).decode("ascii", "replace").strip()
        os.close(descriptor)
        owner = f"process {pid}" if pid.isdecimal() else "another process"
        raise SourceError(f"--record {folder}/: {owner} records into this folder; use another one") from error
    except OSError:
        os.close(descriptor)
        raise
    with suppress(OSError):  # the disk is full: the lock holds, only the name of its owner is missing
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
    return descriptor
