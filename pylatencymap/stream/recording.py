"""Writes recordings: the record stream in a file that stays readable wherever it is cut off."""

from __future__ import annotations

import gzip
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Protocol

from ..errors import SourceError
from ..record import Event
from .writer import StreamWriter

FLUSH_SECONDS = 1.0
"""How much of a compressed recording is lost at most if the machine stops."""


class Alarm(Protocol):
    """A call that happens later, such as a threading.Timer."""

    def start(self) -> None: ...

    def cancel(self) -> None: ...


class Recording:
    """Writes events to a file and flushes after every record (``.gz``: once a second). An older file of that name is
    renamed to NAME~, and ``replaced`` is its new path. Raises SourceError if the file cannot be written.

    One thread can send events while another calls ``close``; events after ``close`` are ignored.
    """

    def __init__(
        self,
        path: str,
        monotonic: Callable[[], float] = time.monotonic,
        alarm: Callable[[float, Callable[[], None]], Alarm] = threading.Timer,
    ) -> None:
        self.path = path
        self._compressed = path.endswith(".gz")
        self._monotonic = monotonic
        self._alarm = alarm
        self._pending: Alarm | None = None
        self._last_flush = monotonic()
        self._lock = threading.Lock()
        self._closed = False
        with self._explained("cannot be written"):
            self.replaced = _kept_back(Path(path))
            self._raw = Path(path).open("wb")  # noqa: SIM115 - open as long as the session
        self._file = gzip.GzipFile(fileobj=self._raw, mode="wb") if self._compressed else self._raw
        self._writer = StreamWriter(self._write)

    def event(self, event: Event) -> None:
        """Write one event, as the engine receives it."""
        with self._lock, self._explained("cannot be written further"):
            if not self._closed:
                self._writer.event(event)

    def close(self) -> None:
        """Finish the file; anything that can no longer be written is lost."""
        with self._lock, self._explained("cannot be finished"):
            if not self._closed:
                self._closed = True
                if self._pending is not None:
                    self._pending.cancel()
                try:
                    self._file.close()
                finally:
                    self._raw.close()

    def _write(self, text: str) -> None:
        self._file.write(text.encode())
        left = self._last_flush + FLUSH_SECONDS - self._monotonic()
        if not self._compressed or left <= 0:
            self._flush()
        elif self._pending is None:
            self._pending = self._alarm(left, self._flush_late)
            self._pending.start()

    def _flush(self) -> None:
        self._last_flush = self._monotonic()
        self._file.flush()
        self._raw.flush()

    def _flush_late(self) -> None:
        """Flush although the source has been silent since. An error such as a full disk is ignored here, because the
        next record, or ``close``, will report it.
        """
        with self._lock, suppress(OSError):
            self._pending = None
            if not self._closed:
                self._flush()

    @contextmanager
    def _explained(self, what: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise SourceError(f"--record {self.path}: {what}: {error.strerror}") from error


def _kept_back(path: Path) -> Path | None:
    """Rename an existing recording without overwriting an earlier renamed one. Its new path; None if there is none."""
    if not path.is_file() or path.stat().st_size == 0:
        return None
    names = (path.with_name(f"{path.name}~{number or ''}") for number in count())
    return path.replace(next(name for name in names if not name.exists()))
