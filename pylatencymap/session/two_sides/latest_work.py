"""Work that takes long, in a thread of its own, one at a time: only what was asked for last is of interest."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator
from threading import Thread
from typing import Generic, TypeVar

Found = TypeVar("Found")
REST = 20
"""The same work is done again for newer data after so many times the time that it took: a twentieth of a core."""


class LatestWork(Generic[Found]):
    """Finds something in steps, each of which may be better than the one before, in a thread that nobody waits for.

    ``wake`` is called, in that thread, when there is something new. What is whole, of older data, stays until all
    is known of the newer ones.
    """

    def __init__(
        self, wake: Callable[[], object] = lambda: None, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._wake = wake
        self._monotonic = monotonic
        self._job: _Job[Found] | None = None
        self._found: tuple[Hashable, Hashable, Found] | None = None
        self._is_early = False
        self._rests_until = float("-inf")

    def wanted(
        self, about: Hashable, state: Hashable, begin: Callable[[], Iterator[Found]], *, rests: bool = True
    ) -> Found | None:
        """What was found ``about`` something, as far as it is known; None while nothing is. If it is not that of the
        present ``state`` of the data, the work is begun: ``begin`` is called here, and what it returns is gone through
        in the thread; with ``rests`` only some time after it was done last. Raises what broke that off.
        """
        self._collect()
        known = self._found if self._found is not None and self._found[0] == about else None
        job = self._job
        if job is not None and job.about != about:
            job.is_wanted = False
        if job is None and (
            known is None or (known[1] != state and (not rests or self._monotonic() >= self._rests_until))
        ):
            self._job = _Job(about, state, begin(), self._wake)
        return None if known is None else known[2]

    def _collect(self) -> None:
        """Take what the thread has found so far."""
        job = self._job
        if job is None:
            return
        over = job.is_over
        is_first = self._found is None or self._found[0] != job.about
        if job.found and job.is_wanted and (is_first or over or self._is_early):
            self._is_early = not over
            self._found = job.about, job.state, job.found[-1]
        if over:
            self._job = None
            self._rests_until = self._monotonic() + REST * job.seconds
            if job.error is not None:
                raise job.error

    @property
    def has_news(self) -> bool:
        """Whether the thread has found something since ``wanted`` was called last."""
        return self._job is not None and self._job.has_news

    def wait(self) -> None:
        """Wait until the present work is done."""
        if self._job is not None:
            self._job.thread.join()


class _Job(Generic[Found]):
    """One piece of work, ``about`` something in a ``state``; it is broken off where it is no longer wanted."""

    def __init__(self, about: Hashable, state: Hashable, steps: Iterator[Found], wake: Callable[[], object]) -> None:
        self.about = about
        self.state = state
        self.found: list[Found] = []
        self.is_wanted = True
        self.is_over = False
        self.error: BaseException | None = None
        self.seconds = 0.0
        self._seen = 0
        self._steps = steps
        self._wake = wake
        self.thread = Thread(target=self._run, name="comparing", daemon=True)
        self.thread.start()

    @property
    def has_news(self) -> bool:
        """Whether something was found, or all is done, since this was asked last."""
        now = len(self.found) + self.is_over
        seen, self._seen = self._seen, now
        return now != seen

    def _run(self) -> None:
        try:
            for found in self._steps:
                if not self.is_wanted:
                    return
                self.found.append(found)
                self._wake()
        except BaseException as error:  # noqa: BLE001 - raised again in the foreground
            self.error = error
        finally:
            self.seconds = time.thread_time()
            self.is_over = True
            self._wake()
