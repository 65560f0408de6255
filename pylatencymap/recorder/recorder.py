"""What recording into a file and into a folder share: whole records, a flush each second, and what a full disk costs.

A disk that is full never ends the session. What can no longer be written is lost, and the message says from when. If
there is space again, recording goes on: counts per interval begin with a new baseline behind a gap, and cumulative
counts need neither, because they are the source's own.
"""

from __future__ import annotations

import errno
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, tzinfo
from typing import NamedTuple, Protocol, TypeAlias

from ..errors import SourceError
from ..files import GrowingFile
from ..record import GAP, KEPT, Clock, Event, Mark, Record, Semantics, Stamp, Tick
from ..stream import StreamWriter
from ..units import Unit

FLUSH_SECONDS = 1.0
"""How much of a compressed recording is lost at most if the machine stops."""
MOST_WAITING = 1 << 16
"""Compressed bytes that wait for the next flush, at most."""
RETRY_SECONDS = 5.0
"""How often recording tries to go on when the disk was full."""
ROOM = 1 << 18
"""Bytes that must be free before it tries."""
MOST_TOLD = 3
"""How many times the user is told at once that recording stopped or goes on; a disk can fill again and again."""
MOST_MARKS = 1000
"""Marks that wait until recording goes on."""

FULL, FAILED = "REC FULL", "REC FAILED"
_NO_SPACE = (errno.ENOSPC, errno.EDQUOT)

Say: TypeAlias = Callable[[str], object]
RecordedKey: TypeAlias = tuple[str, Unit]


def say_nothing(_: str) -> None:
    """For callers that show no messages."""


class Alarm(Protocol):
    """A call that happens later, such as a threading.Timer."""

    def start(self) -> None: ...

    def cancel(self) -> None: ...


class _Stop(NamedTuple):
    """Why nothing is recorded now, and after which moment nothing was; ``after`` is empty if nothing ever was."""

    error: OSError
    after: str


class Recorder(ABC):
    """Writes events, each record as a whole. ``name`` is the option as the user gave it. ``say`` receives messages,
    from any thread; times in them are in the zone ``tz``.

    One thread can send events while another calls ``close``; events after ``close`` are ignored.
    """

    def __init__(
        self,
        name: str,
        say: Say,
        tz: tzinfo | None,
        monotonic: Callable[[], float],
        alarm: Callable[[float, Callable[[], None]], Alarm],
    ) -> None:
        self.name = f"--record {name}"
        self._say = say
        self._tz = tz
        self._monotonic = monotonic
        self._alarm = alarm
        self._pending: Alarm | None = None
        self._lock = threading.Lock()
        self._closed = False
        self._file: GrowingFile | None = None
        self._writer = StreamWriter(self._add)
        self._tick: Tick | None = None
        self._last_flush = monotonic()
        self._committed: dict[RecordedKey, Record] = {}
        self._uncommitted: list[Record] = []
        self._waiting = 0
        self._latest: Stamp | None = None
        self._stopped: _Stop | None = None
        self._stops = 0
        self._retry_at = 0.0
        self._gap_end = 0
        self._behind: set[RecordedKey] = set()
        self._marks: list[Mark] = []

    @abstractmethod
    def _next_file(self, event: Record | Mark) -> GrowingFile | None:
        """A new file that begins with this event; None to go on with the last one. Raises OSError."""

    @abstractmethod
    def _begin(self, event: Record | Mark) -> None:
        """Write the head of the new file, in place of which the last one has been finished."""

    @abstractmethod
    def _room(self) -> int:
        """Bytes that are free. Raises OSError."""

    def _discard(self) -> None:  # noqa: B027 - a file that the user named stays, although it is empty
        """Give up a new file into which nothing could be written."""

    def _flushed(self) -> None:  # noqa: B027 - only what keeps a limit counts bytes
        """Bytes were written."""

    @property
    def flag(self) -> str:
        """What the title of the view says about the recording; empty while all is recorded."""
        stopped = self._stopped
        return "" if stopped is None else FULL if stopped.error.errno in _NO_SPACE else FAILED

    def event(self, event: Event) -> None:
        """Write one event, as the engine receives it. A disk that fails costs the event, not the session."""
        with self._lock:
            if self._closed:
                return
            if self._stopped is not None and isinstance(event, Mark):
                self._marks = [*self._marks[-MOST_MARKS:], event]
                return
            try:
                if isinstance(event, Tick):
                    self._tick_came(event)
                elif self._stopped is None or self._may_go_on():
                    self._take(event)
            except OSError as error:
                self._stop(error)

    def aside(self, line: str) -> None:
        """Write a line that is no record and that readers of records pass over. It is lost where nothing can be written
        now, or where no record has been.
        """
        with self._lock:
            if self._closed or self._stopped is not None or self._file is None:
                return
            try:
                self._add(line)
                if self._is_due():
                    self._commit()
            except OSError as error:
                self._stop(error)

    def close(self) -> None:
        """Finish the file; anything that can no longer be written is lost, and the message says from when."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            if self._pending is not None:
                self._pending.cancel()
            self._finish()
            if self._stopped is not None:
                self._tell(f"{self._nothing_after('was')}: {reason_of(self._stopped.error)}")
            elif self._stops > MOST_TOLD:
                self._tell(f"recording stopped {self._stops} times, and went on; the gaps show when")

    def _tick_came(self, tick: Tick) -> None:
        self._tick = tick
        if self._stopped is None:  # what goes on later has a writer of its own
            self._writer.event(tick)

    def _take(self, event: Record | Mark) -> None:
        new = self._next_file(event)
        if new is not None or self._stopped is not None:
            self._writer = self._new_writer()
        if new is not None:
            self._file = new
            self._begin(event)
        if self._stopped is not None and isinstance(event, Record):
            self._bridge(event)
        self._write(event)
        if new is not None or self._stopped is not None or self._is_due():
            self._commit()
        if self._stopped is not None:
            self._go_on(event)

    def _new_writer(self) -> StreamWriter:
        """A writer for the rest of the snapshot and what follows it. After a time in which nothing was recorded, that
        time counts, and not how long the source was silent in it.
        """
        writer, tick = StreamWriter(self._add), self._tick
        if tick is not None:
            writer.event(tick if self._stopped is None else replace(tick, silent_since=None, silent_until=None))
        return writer

    def _write(self, event: Record | Mark) -> None:
        if isinstance(event, Record):
            key = (event.series, event.unit)
            if key in self._behind:
                self._behind.discard(key)
                event = self._after_gap(event)
            self._uncommitted.append(event)
        self._writer.event(event)

    def _add(self, text: str) -> None:
        assert self._file is not None
        self._waiting = self._file.add(text.encode())

    def _is_due(self) -> bool:
        """Whether to flush now; if not, it is done a little later even if the source is silent from now on."""
        left = self._last_flush + FLUSH_SECONDS - self._monotonic()
        if left <= 0 or self._waiting > MOST_WAITING or not self._compressed:
            return True
        if self._pending is None:
            self._pending = self._alarm(left, self._flush_late)
            self._pending.start()
        return False

    @property
    @abstractmethod
    def _compressed(self) -> bool:
        """Whether bytes wait for a flush; a record that is not compressed is written at once."""

    def _commit(self) -> None:
        """Flush, and note what is recorded now. Raises OSError: then nothing since the last flush is."""
        assert self._file is not None
        self._last_flush = self._monotonic()
        self._file.commit()
        self._note_committed()
        self._flushed()

    def _note_committed(self) -> None:
        for record in self._uncommitted:
            self._committed[record.series, record.unit] = record
            self._latest = record.stamp
        self._uncommitted.clear()

    def _flush_late(self) -> None:
        """Flush although the source has been silent since."""
        with self._lock:
            self._pending = None
            if not self._closed and self._stopped is None:
                try:
                    self._commit()
                except OSError as error:
                    self._stop(error)

    def _finish(self) -> None:
        """Close the file. What was flushed before can be read, whatever happens here."""
        if self._file is None:
            return
        waiting = bool(self._uncommitted)
        try:
            if self._stopped is None:
                self._writer.end()
            self._file.close()
            self._note_committed()
        except OSError as error:
            if waiting:
                self._stop(error)
            elif self._stopped is None:
                self._tell(f"cannot be finished ({reason_of(error)}), but all of it can be read")
        finally:
            self._file = None

    # When the disk is full.

    def _stop(self, error: OSError) -> None:
        self._uncommitted.clear()
        self._behind.clear()
        self._retry_at = self._monotonic() + RETRY_SECONDS
        if self._file is not None and not self._file.size:
            self._discard()
        if self._stopped is None:
            self._stopped = _Stop(error, self._moment(self._latest))
            self._stops += 1
            goes_on = "; it goes on when that is over" if self._can_go_on else ""
            if self._stops <= MOST_TOLD:
                self._tell(f"{reason_of(error)}: {self._nothing_after('is')}{goes_on}")

    @property
    def _can_go_on(self) -> bool:
        return self._file is None or self._file.regular

    def _may_go_on(self) -> bool:
        if not self._can_go_on or self._monotonic() < self._retry_at:
            return False
        self._retry_at = self._monotonic() + RETRY_SECONDS
        return self._room() >= ROOM

    def _bridge(self, event: Record) -> None:
        """Write a gap for each series that is counted per interval, from its last record to the begin of this one."""
        if event.semantics is not Semantics.INTERVAL or event.start is None:
            return
        self._gap_end = event.start
        for key, last in self._committed.items():
            if last.semantics is not Semantics.INTERVAL or last.stamp is None:
                continue
            self._behind.add(key)
            if last.stamp.micros < event.start:
                gap = Stamp(event.start, last.stamp.clock)
                flags = frozenset({KEPT, GAP})
                made = replace(last, ranges=(), stamp=gap, start=last.stamp.micros, flags=flags)
                self._writer.event(replace(made, seconds=None, waited=None, note=""))
        for mark in self._marks:
            self._writer.event(mark)

    def _after_gap(self, record: Record) -> Record:
        """The first record of a series after a gap. One that began before the end of the gap begins at its end."""
        if record.start is None or record.stamp is None or record.semantics is not Semantics.INTERVAL:
            return record
        return replace(record, start=self._gap_end) if record.start < self._gap_end < record.stamp.micros else record

    def _go_on(self, event: Record | Mark) -> None:
        stopped, self._stopped = self._stopped, None
        self._marks.clear()
        if stopped is not None and self._stops <= MOST_TOLD:
            missing = f"; what came after {stopped.after} and before that is lost" if stopped.after else ""
            self._tell(f"recorded again from {self._moment(event.stamp)} on{missing}")

    def _nothing_after(self, is_or_was: str) -> str:
        after = self._stopped.after if self._stopped is not None else ""
        return f"nothing after {after} {is_or_was} recorded" if after else f"nothing {is_or_was} recorded"

    def _moment(self, stamp: Stamp | None) -> str:
        if stamp is None:
            return ""
        if stamp.clock is not Clock.EPOCH:
            return f"{stamp.micros / 1e6:g} s"
        return f"{datetime.fromtimestamp(stamp.micros // 1_000_000, self._tz):%Y-%m-%d %H:%M:%S}"

    def _tell(self, what: str) -> None:
        self._say(f"{self.name}: {what}")


def reason_of(error: OSError) -> str:
    """What the system says about an error."""
    return error.strerror or str(error)


def cannot_be_written(name: str, error: OSError) -> SourceError:
    """The error if a recording cannot be begun. ``name``: what the user gave as ``--record``."""
    return SourceError(f"--record {name}: cannot be written: {reason_of(error)}")


WALL: Callable[[], float] = time.time
