"""Recordings: the record stream in a file, readable wherever it is cut off."""

from __future__ import annotations

import gzip
import threading
import time
from collections.abc import Callable
from pathlib import Path

from ..errors import SourceError
from ..record import Event
from .writer import Writer

FLUSH_SECONDS = 1.0
"""How much of a compressed recording may be lost when the machine stops."""


class Recording:
    """Writes events to a file, flushed per record (``.gz``: once a second). An older file of that name is kept as
    NAME~.

    Events may come from one thread and ``close`` from another; what comes after it is ignored.
    """

    def __init__(self, path: str, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.path = path
        self.replaced = _kept_back(Path(path))
        self._compressed = path.endswith(".gz")
        self._monotonic = monotonic
        self._last_flush = monotonic()
        self._lock = threading.Lock()
        self._closed = False
        try:
            self._raw = Path(path).open("wb")  # noqa: SIM115 - open as long as the session
        except OSError as error:
            raise SourceError(f"--record {path}: cannot be written: {error.strerror}") from error
        self._file = gzip.GzipFile(fileobj=self._raw, mode="wb") if self._compressed else self._raw
        self._writer = Writer(self._write)

    def event(self, event: Event) -> None:
        """Record an event as the engine gets it."""
        with self._lock:
            if not self._closed:
                self._writer.event(event)

    def close(self) -> None:
        """Finish the file."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._file.close()
                self._raw.close()

    def _write(self, text: str) -> None:
        self._file.write(text.encode())
        now = self._monotonic()
        if not self._compressed or now - self._last_flush >= FLUSH_SECONDS:
            self._last_flush = now
            self._file.flush()
            self._raw.flush()


def _kept_back(path: Path) -> Path | None:
    """Move a recording that is in the way aside; where it is now, None if there was none."""
    try:
        if not path.is_file() or path.stat().st_size == 0:
            return None
        return path.replace(path.with_name(path.name + "~"))
    except OSError as error:
        raise SourceError(f"--record {path}: an older file cannot be moved aside: {error.strerror}") from error
