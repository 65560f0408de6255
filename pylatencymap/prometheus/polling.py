"""The loop that asks a server again and again, and survives outages: what was stored meanwhile is read afterwards."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import chain, repeat
from typing import Protocol

from ..collectors.prometheus_api.histograms import NewRecords
from ..errors import SourceError
from ..record import Event, Mark, Stamp
from .client import ServerTrouble

PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0)
LONGEST_PAUSE = 30.0
"""Seconds between later tries."""
UNKNOWN_SECONDS = 15.0
"""Between two questions, while nothing is known of the scrapes."""
LEAST_SECONDS = 1.0
LEAST_OVERLAP = 2.0
"""Seconds that are asked for once more, at least, or as many as lie between two scrapes: a sample is stored when its
scrape is over, and bears the time of its begin.
"""
SYNC_SECONDS = 60.0
"""The clock of the server is asked so often."""


class SampleReader(Protocol):
    """Reads what is new in a span of time, in parts: the end of each, and its records."""

    seconds: float | None

    def span(self, start: float, end: float) -> Iterator[tuple[float, NewRecords]]: ...


class Patience(Protocol):
    """A sleep that another thread can cancel."""

    is_set: bool

    def pause(self, seconds: float) -> None: ...


class OutageWatch(Protocol):
    """What the view is told of outages (see ``oracle.ConnectionStatus``)."""

    def asks(self) -> None: ...

    def lost(self, reason: str, retry: float) -> None: ...

    def answered(self) -> str: ...


class PollingLoop:
    """Asks every ``interval`` seconds, or as often as the server scrapes. ``server_time`` returns its clock."""

    def __init__(
        self,
        reader: SampleReader,
        server_time: Callable[[], float],
        stop: Patience,
        watch: OutageWatch,
        interval: float | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._reader = reader
        self._server_time = server_time
        self._stop = stop
        self._watch = watch
        self._interval = interval
        self._monotonic = monotonic
        self._offset = 0.0
        self._synced: float | None = None

    def events(self, start: float) -> Iterator[Event]:
        """The records from ``start`` on (epoch seconds of the server), with a mark for each outage. Raises SourceError
        for a trouble that will not pass by itself.
        """
        due = self._monotonic()
        done = start
        pauses = chain(PAUSES, repeat(LONGEST_PAUSE))
        while not self._stop.is_set:
            self._watch.asks()
            try:
                for until, found in self._reader.span(done, self._now()):
                    yield from found.records
                    yield from found.marks
                    done = max(until - max(self._reader.seconds or 0.0, LEAST_OVERLAP), start)
            except ServerTrouble as trouble:
                if trouble.is_final:
                    raise SourceError(str(trouble)) from None
                pause = next(pauses)
                self._watch.lost(str(trouble), pause)
                self._synced = None
                self._stop.pause(pause)
                due = self._monotonic()
                continue
            pauses = chain(PAUSES, repeat(LONGEST_PAUSE))
            if over := self._watch.answered():
                yield Mark(Stamp(round(done * 1e6)), over)
            due = self._paused(due)

    def _paused(self, due: float) -> float:
        """Wait until the next question is due; questions that were missed are not made up for."""
        seconds = self._interval or max(self._reader.seconds or UNKNOWN_SECONDS, LEAST_SECONDS)
        due = max(due + seconds, self._monotonic())
        self._stop.pause(due - self._monotonic())
        return due

    def _now(self) -> float:
        """What the clock of the server shows."""
        now = self._monotonic()
        if self._synced is None or now - self._synced >= SYNC_SECONDS:
            self._offset = self._server_time() - self._monotonic()
            self._synced = now
        return self._monotonic() + self._offset
