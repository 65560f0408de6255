"""Reads the streams of many hosts in one loop; what happens to one costs nothing of the others."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from ..interval import Interval
from ..record import Mark
from ..session.input import ReadPlan, StopRequest
from .host_commands import HostCommand, check_hosts
from .host_stream import LAST_SECONDS, HostCallbacks, HostStream, end_all
from .stream_loop import StreamLoop

SILENT_SECONDS = 5.0
SILENT_FACTOR = 2.5
"""A host is silent if nothing came for so long, or for so many of its intervals."""
LOOK_SECONDS = 1.0
STARTED_A_SECOND = 50
"""The first seconds of a host cost most: see ``HostPipe``. The first so many hosts are started at once."""


class ManyHosts:
    """The intervals of all hosts as they come, each series with the name of its host before its own.

    ``say`` receives what happens to a host. ``restarts``: a command that ends is started again. Raises UsageError if
    the system does not allow so many.
    """

    def __init__(
        self,
        hosts: Sequence[HostCommand],
        plan: ReadPlan,
        stop: StopRequest,
        say: Callable[[str], None],
        *,
        restarts: bool = True,
        now: Callable[[], float] = time.time,
    ) -> None:
        check_hosts(hosts)
        self.stop = stop
        self._say = say
        self._on_mark: Callable[[Mark], object] = lambda _: None
        self._found: deque[Interval] = deque()
        self._looked = 0.0
        self._loop = StreamLoop(stop)
        self._is_over = threading.Event()
        self._is_over.set()
        about = HostCallbacks(plan, self._found.append, say, lambda mark: self._on_mark(mark), now, restarts)
        self._hosts = [HostStream(one, self._loop, about) for one in hosts]

    def intervals(self, on_mark: Callable[[Mark], object]) -> Iterator[Interval]:
        """Start all commands, and yield what they print until ``stop``, or until all have ended for good. Marks of
        their streams go to ``on_mark``.
        """
        self._on_mark = on_mark
        self._is_over.clear()
        try:
            for number, one in enumerate(self._hosts):
                self._loop.begin(partial(one.run, number // STARTED_A_SECOND), one.name)
            for _ in self._loop.rounds():
                while self._found:
                    yield self._found.popleft()
                self._look_for_silence()
        finally:
            self._is_over.set()

    def close(self) -> None:
        """End all commands, and what they have started. Call it when nobody takes intervals any more."""
        self.stop.set()
        self._is_over.wait(LAST_SECONDS)  # a command that is being started in its thread is to be ended as well
        end_all([one.process for one in self._hosts if one.process is not None])

    def heard(self) -> float:
        """Monotonic seconds at which anything came last."""
        return max(one.heard for one in self._hosts)

    def _look_for_silence(self) -> None:
        now = time.monotonic()
        if now - self._looked < LOOK_SECONDS:
            return
        self._looked = now
        for one in self._hosts:
            silent, is_read = now - one.heard, one.has_begun and not one.has_ended
            if is_read and not one.is_silent and silent > max(SILENT_SECONDS, SILENT_FACTOR * one.usual):
                one.is_silent = True
                one.say_passed_over()
                self._say(one.silence_words(now))
