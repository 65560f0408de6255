"""Wakes the stages of a live source that hold records while it is silent."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Generic, Protocol, TypeVar

from ...intervals import NextPulse, Pauses, Pulse
from ...text import PAUSE_SECONDS

Awaited = TypeVar("Awaited")
Told = TypeVar("Told", covariant=True)

LONGEST_WAIT = 3600.0
"""Seconds. Then comes a pulse before its time: a damaged record can be held for centuries, which no lock waits."""
LINES_AT_HAND = 100
"""If so many lines are at hand, the next event is not waited for."""


def with_pulses(
    events: Iterable[Awaited],
    pulse: NextPulse,
    monotonic: Callable[[], float] = time.monotonic,
    pauses: Pauses | None = None,
    reader_of: Callable[[Iterator[Awaited]], EventReader[Awaited]] | None = None,
) -> Iterator[Awaited | Pulse]:
    """The events, and a Pulse when ``pulse.due`` passes before the next one comes, or earlier. What has come but is not
    read yet is waited for: ``pauses`` says whether there is nothing.

    Only while a pulse is due, and the next event is not at hand, does a thread wait for it; otherwise events are read
    directly. ``reader_of`` makes what reads them, if not in a thread.
    """
    reader = (reader_of or _ThreadReader)(iter(events))
    try:
        while True:
            if (pauses is not None and pauses.at_hand > LINES_AT_HAND) or pulse.due is None:
                event = reader.read()
            else:
                yield from _pulses_until_read(reader, pulse, monotonic, pauses)
                event = reader.result()
            if event is None:
                return
            yield event
    finally:
        reader.stop()


def _pulses_until_read(
    reader: EventReader[Awaited], pulse: NextPulse, monotonic: Callable[[], float], pauses: Pauses | None
) -> Iterator[Pulse]:
    """Let the reader read the next event; the pulses that are due before it has."""
    reader.begin()
    while not reader.is_done(_seconds_until(pulse.due, monotonic())):
        if pauses is None or pauses.pausing:
            yield Pulse(monotonic())
        elif reader.is_done(PAUSE_SECONDS):
            return


def _seconds_until(due: float | None, now: float) -> float | None:
    return None if due is None else min(max(due - now, 0.0), LONGEST_WAIT)


class EventReader(Protocol[Told]):
    """Reads event after event, at once or while others go on; see ``_ThreadReader``."""

    def read(self) -> Told | None: ...

    def begin(self) -> None: ...

    def is_done(self, seconds: float | None) -> bool: ...

    def result(self) -> Told | None: ...

    def stop(self) -> None: ...


class _ThreadReader(Generic[Awaited]):
    """Reads event after event: with ``read`` at once, or in a thread, which the first ``begin`` starts. None is the end
    of the source.
    """

    def __init__(self, source: Iterator[Awaited]) -> None:
        self._source = source
        self._thread: Thread | None = None
        self._wanted: SimpleQueue[bool] = SimpleQueue()
        self._found: SimpleQueue[None] = SimpleQueue()
        self._event: Awaited | None = None
        self._error: BaseException | None = None

    def read(self) -> Awaited | None:
        """The next event."""
        return next(self._source, None)

    def begin(self) -> None:
        """Let the thread read the next event."""
        if self._thread is None:
            self._thread = Thread(target=self._run, name="held record", daemon=True)
            self._thread.start()
        self._wanted.put(True)

    def is_done(self, seconds: float | None) -> bool:
        """Wait for the thread, at most so many seconds; returns whether it has read the event."""
        try:
            self._found.get(timeout=seconds)
        except Empty:
            return False
        return True

    def result(self) -> Awaited | None:
        """The event that the thread has read. Raises what ended the source instead."""
        if self._error is not None:
            raise self._error
        return self._event

    def stop(self) -> None:
        """Let the thread end, after the event that it reads."""
        self._wanted.put(False)

    def _run(self) -> None:
        while self._wanted.get():
            try:
                self._event = next(self._source, None)
            except BaseException as error:  # noqa: BLE001 - raised again by the reader
                self._error = error
            self._found.put(None)
