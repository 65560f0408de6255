"""The loop that takes samples and survives restarts, killed sessions, and lost or hanging connections."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Protocol

from ..errors import SourceError
from ..record import Event, Mark, Record, Stamp
from .connection.driver import Connection, Trouble
from .connection.troubles import in_short, is_final
from .connection_status import ConnectionStatus

PAUSES = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Seconds before each of the first tries to reconnect. The first is 0 because a killed session can log in at once."""
LONGEST_PAUSE = 30.0
"""Seconds before every later try."""
SLOW_SECONDS = 2.0
"""A sample that takes less is not slow, however short the interval."""


class Pauser(Protocol):
    """A sleep that another thread can cancel (session.source.Stop)."""

    is_set: bool

    def pause(self, seconds: float) -> None: ...


@dataclass
class SamplingLoop:
    """Takes a sample every ``interval`` seconds.

    connect   logs in, or raises Trouble
    take      takes one sample over a connection, or raises Trouble
    explain   describes a final trouble in full
    count     how many intervals to sample; None: until stopped
    look      looks at something else after each sample, whose records are out then; False if the connection is lost
    """

    connect: Callable[[], Connection]
    take: Callable[[Connection], list[Record]]
    explain: Callable[[Trouble], str]
    interval: float
    stop: Pauser
    watch: ConnectionStatus
    count: int | None = None
    look: Callable[[Connection], bool] = lambda _: True
    monotonic: Callable[[], float] = time.monotonic
    ended: threading.Event = field(default_factory=threading.Event, init=False)
    _last: int | None = field(default=None, init=False)

    def events(self, connection: Connection | None) -> Iterator[Event]:
        """The records of each sample, with a mark for each outage. Raises SourceError for an outage that will not pass
        by itself. At its end, it closes the connection and sets ``ended``.
        """
        samples, due = 0, self.monotonic()
        try:
            while self.count is None or samples <= self.count:
                self.stop.pause(due - self.monotonic())
                if self.stop.is_set:
                    return
                self.watch.asks()
                try:
                    connection = connection or self.connect()
                    records = self.take(connection)
                except Trouble as trouble:
                    _close(connection)
                    connection, records = self._recovered(trouble)
                    if connection is None:
                        return
                    due = self.monotonic()
                yield from self._with_mark(records)
                samples += 1
                if not self.look(connection):
                    _close(connection)
                    connection = None
                due = self._next(due)
        finally:
            _close(connection)
            self.ended.set()

    def _recovered(self, trouble: Trouble) -> tuple[Connection | None, list[Record]]:
        """A new connection that answers, and its first sample; None if the loop was stopped meanwhile.

        The old connection is never used again: if a call took too long, its answer can still arrive, as the answer to
        the next statement.
        """
        for pause in chain(PAUSES, repeat(LONGEST_PAUSE)):
            if is_final(trouble):
                raise SourceError(self.explain(trouble))
            self.watch.lost(in_short(trouble), pause)
            self.stop.pause(pause)
            if self.stop.is_set:
                break
            connection: Connection | None = None
            try:
                connection = self.connect()
                return connection, self.take(connection)
            except Trouble as again:
                _close(connection)
                trouble = again
        return None, []

    def _with_mark(self, records: list[Record]) -> Iterator[Event]:
        over = self.watch.answered()
        if over and self._last is not None:
            yield Mark(Stamp(self._last), over)
        yield from records
        stamps = [record.stamp.micros for record in records if record.stamp is not None]
        self._last = max(stamps, default=self._last)

    def _next(self, due: float) -> float:
        """The time of the next sample on the grid; missed samples are not made up for."""
        missed = max(self.monotonic() - due, 0.0) // self.interval
        return due + (missed + 1) * self.interval


def _close(connection: Connection | None) -> None:
    if connection is not None:
        connection.close()
