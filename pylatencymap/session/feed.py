"""Reads a source in a background thread, so that neither the source nor the keyboard waits for the other."""

from __future__ import annotations

import os
import select
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

Item = TypeVar("Item")

CAPACITY = 4096
"""Maximum number of waiting items. When it is reached the source waits; nothing is dropped."""
FEW = 16
"""Maximum number of waiting items if they are large, as batches of intervals are."""

GATHER_SECONDS = 0.005
"""How long a consumer that is in no hurry leaves a busy source to itself: it is woken once for many items."""
FULL_SECONDS = 0.5
"""How often a waiting source checks whether it has been abandoned."""


class Feed(Generic[Item]):
    """Runs an iterable in a thread. ``take`` returns the items that have arrived; ``fileno`` is readable when there are
    any.

    ``error`` is the exception that ended the iterable, if any. ``done``: all items have been taken and no more will
    arrive.
    """

    def __init__(self, produce: Callable[[], Iterable[Item]]) -> None:
        self._produce = produce
        # One thread appends and another pops. Both are atomic, and a lock per item would cost more than the item.
        self._items: deque[Item] = deque()
        self._taken = threading.Event()
        self._read_end, self._write_end = os.pipe()
        for end in (self._read_end, self._write_end):
            os.set_blocking(end, False)
            weakref.finalize(self, os.close, end)
        self._woken = False
        self._wakes = True
        self._finished = threading.Event()
        self._started = self._abandoned = False
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="source", daemon=True)

    def start(self) -> None:
        """Start to read. Does nothing if reading has begun."""
        if not self._started:
            self._started = True
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
            return  # the pipe is already full of wake-up calls

    def wait(
        self, timeout: float | None, also: tuple[int, ...] = (), room: tuple[int, ...] = (), *, for_items: bool = True
    ) -> list[int]:
        """Wait until there are items, if it is ``for_items``, ``wake`` is called, a descriptor of ``also`` is readable
        or one of ``room`` is writable. Returns the descriptors of ``also`` and ``room`` that are ready.
        """
        begins, self._wakes = for_items and not self._wakes, for_items
        if begins and self._items:  # in this order: what is added meanwhile wakes us, or is seen here
            timeout = 0.0
        ready, writable, _ = select.select([self._read_end, *also], room, [], timeout)
        if self._read_end in ready:
            # The order matters. A wake call between the two lines writes no byte, but its cause is visible before we
            # return. In reverse order its byte would be read while _woken stays set: later calls would have no effect.
            os.read(self._read_end, 65536)
            self._woken = False
        return [descriptor for descriptor in also if descriptor in ready] + writable

    def gather(self) -> None:
        """Let items gather for GATHER_SECONDS, or until the source ends."""
        self._wakes = False
        self._finished.wait(GATHER_SECONDS)

    def take(self, most: int = CAPACITY) -> list[Item]:
        """The items that have arrived, at most ``most``; does not wait."""
        items = [self._items.popleft() for _ in range(min(most, len(self._items)))]
        if not self._taken.is_set():
            self._taken.set()
        return items

    def abandon(self) -> None:
        """No more items will be taken: let the thread end."""
        self._abandoned = True
        self.take()

    def _run(self) -> None:
        try:
            for item in self._produce():
                self._put(item, CAPACITY)
                if self._abandoned:
                    break
        except BaseException as error:  # noqa: BLE001 - raised again in the foreground
            self.error = error
        finally:
            self._finished.set()
            self.wake()

    def put(self, item: Item, *, large: bool = False) -> None:
        """Hand over an item between those that the iterable yields; for the iterable itself, in its thread."""
        self._put(item, FEW if large else CAPACITY)

    def _put(self, item: Item, most: int) -> None:
        while len(self._items) >= most and not self._abandoned:
            # The order matters: items taken between the two lines are seen by the second check.
            self._taken.clear()
            if len(self._items) >= most:
                self._taken.wait(FULL_SECONDS)
        if not self._abandoned:
            self._items.append(item)
            if self._wakes:
                self.wake()
