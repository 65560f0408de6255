"""Reads a source in a background thread, so that neither the source nor the keyboard waits for the other."""

from __future__ import annotations

import os
import select
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from ..interval import Interval
from ..intervals import Batch, TakeBatch
from .ending import EndingRule

Item = TypeVar("Item")
Collected = TypeVar("Collected")

CAPACITY = 4096
"""Maximum number of waiting items. When it is reached the source waits; nothing is dropped."""
MOST_BYTES = 2_000_000
"""Maximum size of waiting items if they are large, as batches of intervals are."""

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
        self._bytes_put = self._bytes_taken = 0  # each is written by one thread alone
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
        put, count = self._bytes_put, len(self._items)
        items = [self._items.popleft() for _ in range(min(most, count))]
        if count <= most:
            self._bytes_taken = put
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
                self.put(item)
                if self._abandoned:
                    break
        except BaseException as error:  # noqa: BLE001 - raised again in the foreground
            self.error = error
        finally:
            self._finished.set()
            self.wake()

    def put(self, item: Item, nbytes: int = 0) -> None:
        """Hand over an item, of that size if it is large; for the iterable itself too, between those that it yields."""
        while self._is_full and not self._abandoned:
            # The order matters: items taken between the two lines are seen by the second check.
            self._taken.clear()
            if self._is_full:
                self.wake()
                self._taken.wait(FULL_SECONDS)
        if not self._abandoned:
            self._bytes_put += nbytes
            self._items.append(item)
            if self._wakes:
                self.wake()

    @property
    def _is_full(self) -> bool:
        return len(self._items) >= CAPACITY or self._bytes_put - self._bytes_taken >= MOST_BYTES


class CaughtUp:
    """Whether all that a followed recording had at first has been taken from its feed, in the thread that takes;
    ``has_read``: whether the source has read all of that. Once it is so, it stays so.
    """

    def __init__(self, has_read: Callable[[], bool], feed: Feed[Item]) -> None:
        self._has_read = has_read
        self._feed = feed
        self._is_so = False

    def __call__(self) -> bool:
        # The order matters: what was read before the source says so is in the feed by then, or has been taken.
        self._is_so = self._is_so or (self._has_read() and not self._feed.waiting)
        return self._is_so


# Without a screen: a source runs until it speaks, or to its end, and is drained at the end of any session.


CHECK_SECONDS = 0.25
SOON_SECONDS = 0.5
LAST_SECONDS = 1.0
"""How long a stopped source can take to hand over what it has read."""

UseBatch = Callable[[list[Collected]], object]


def taker(feed: Feed[Interval | Batch]) -> TakeBatch:
    """Hands batches, and single intervals between them, over to a feed; for what the feed runs."""
    return lambda one: feed.put(one, 0 if isinstance(one, Interval) else one.nbytes)


def run_until_spoken(
    feed: Feed[Collected], has_spoken: Callable[[], bool], ending: EndingRule, tell: Callable[[], object]
) -> bool:
    """Start the source and leave the terminal to it, because it may ask for a password there, until it has spoken in
    a format that we know. ``tell`` is called now and then until then. Returns whether there is something to view: not
    if the session, or the source without a word, has ended or is about to.
    """
    feed.start()
    while not (ending.is_due or ending.waiting_for_last_words):
        ended = feed.done
        if has_spoken():
            return True
        tell()
        if ended:
            break
        feed.wait(CHECK_SECONDS)
    tell()
    return False


def ends_soon(feed: Feed[Collected], monotonic: Callable[[], float] = time.monotonic) -> bool:
    """Whether a source that was interrupted ends within SOON_SECONDS, as most do: then there is nothing to wait for."""
    deadline = monotonic() + SOON_SECONDS
    while not feed.done and not feed.waiting and (left := deadline - monotonic()) > 0:
        feed.wait(left)
    return feed.done


def run_to_end(feed: Feed[Collected], use: UseBatch[Collected], ending: EndingRule) -> None:
    """Give all items to ``use`` until the source ends or the session is due to end."""
    feed.start()
    while not feed.done and not ending.is_due:
        feed.wait(CHECK_SECONDS)
        use(feed.take())
        feed.gather()
    use(feed.take())


def drain(feed: Feed[Collected], use: UseBatch[Collected], monotonic: Callable[[], float] = time.monotonic) -> None:
    """Give to ``use`` what a source still holds after it was stopped: a decoder keeps a histogram until it knows that
    the histogram is complete.
    """
    deadline = monotonic() + LAST_SECONDS
    while not feed.done and (left := deadline - monotonic()) > 0:
        feed.wait(left)
        use(feed.take())
    use(feed.take())
