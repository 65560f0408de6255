"""Work in the background, its results in the foreground: a source must never keep a key waiting, nor a key a source."""

from __future__ import annotations

import os
import select
import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

Item = TypeVar("Item")

CAPACITY = 4096
"""Items that may wait; then the source has to wait, and nothing is dropped."""

FULL_SECONDS = 0.5
"""How often a source that has to wait looks whether it is still wanted."""


class Feed(Generic[Item]):
    """Runs an iterable in a thread. ``take`` gives what has come; ``fileno`` is readable when there is something.

    ``error`` is what ended the iterable, if it was not its end; ``done`` says that nothing more will come.
    """

    def __init__(self, produce: Callable[[], Iterable[Item]]) -> None:
        self._produce = produce
        # One thread adds and another takes, and both are atomic: a lock per item would cost more than the item.
        self._items: deque[Item] = deque()
        self._taken = threading.Event()
        self._read_end, self._write_end = os.pipe()
        os.set_blocking(self._read_end, False)
        os.set_blocking(self._write_end, False)
        self._woken = False
        self._finished = threading.Event()
        self._abandoned = False
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="source", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def fileno(self) -> int:
        return self._read_end

    @property
    def waiting(self) -> bool:
        """Whether there are items to take."""
        return bool(self._items)

    @property
    def done(self) -> bool:
        return self._finished.is_set() and not self._items

    def wake(self) -> None:
        """Make ``wait`` return at once; safe in a signal handler and in any thread."""
        if self._woken:
            return
        self._woken = True
        try:
            os.write(self._write_end, b"x")
        except BlockingIOError:
            return  # the pipe is full of wake-up calls already

    def wait(self, timeout: float | None, also: tuple[int, ...] = (), room: tuple[int, ...] = ()) -> list[int]:
        """Wait for items, a wake-up call, bytes on other descriptors (``also``), or until others take bytes (``room``);
        returns those of ``also`` and ``room`` that are ready.
        """
        ready, writable, _ = select.select([self._read_end, *also], room, [], timeout)
        if self._read_end in ready:
            # In this order: a call that comes between the two writes nothing, but its reason is there before we return.
            # The other way round its byte would be read while _woken stays set, and no later call would be heard.
            os.read(self._read_end, 65536)
            self._woken = False
        return [descriptor for descriptor in also if descriptor in ready] + writable

    def take(self, most: int = CAPACITY) -> list[Item]:
        """What has come, at most ``most`` items; does not wait."""
        items = [self._items.popleft() for _ in range(min(most, len(self._items)))]
        if not self._taken.is_set():
            self._taken.set()
        return items

    def abandon(self) -> None:
        """Nobody will take anything more: let the thread run out."""
        self._abandoned = True
        self.take()

    def _run(self) -> None:
        try:
            for item in self._produce():
                self._put(item)
                if self._abandoned:
                    break
        except BaseException as error:  # noqa: BLE001 - it is raised again in the foreground
            self.error = error
        finally:
            self._finished.set()
            self.wake()

    def _put(self, item: Item) -> None:
        while len(self._items) >= CAPACITY and not self._abandoned:
            # In this order: what is taken between the two is seen by the next look.
            self._taken.clear()
            if len(self._items) >= CAPACITY:
                self._taken.wait(FULL_SECONDS)
        if not self._abandoned:
            self._items.append(item)
            self.wake()
