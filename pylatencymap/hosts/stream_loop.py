"""One loop for the streams of all hosts, which waits for all of them at once and lets one of them go on at a time.

The stages of a stream pull their input. So each stream waits in the middle of a read, on a stack of its own: a thread.
But a thread that has to wait hands over to the loop, and that hands over to one whose input has come, or whose time is
over, when the one before has to wait again. So nobody competes for the interpreter, the loop waits by one epoll for
all, and what threads share needs no lock.
"""

from __future__ import annotations

import os
import select
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from heapq import heappop, heappush
from itertools import count
from typing import Generic, TypeVar

from ..session.input import StopRequest

STACK_BYTES = 512 * 1024
LONGEST_WAIT = 1.0
"""Seconds after which the loop looks around, whatever comes."""
MOST_REST, REST_EACH = 0.04, 0.0002
"""Seconds between two looks, at most, and for each task: what comes meanwhile is read at one go, because that is faster
when the code is in the caches of the CPU. It is less than BURST_SECONDS, so that nothing seems to have been held up.
"""
MOST_EVENTS = 4096
"""Descriptors that one look can find readable."""
Awaited = TypeVar("Awaited")


class StreamTask:
    """A function that runs in the loop. ``number`` counts its waits, ``is_ready`` says how the last one ended, and
    ``late`` for how many seconds its input can have been there before it went on, in all waits. ``take`` takes the
    input meanwhile, if it sleeps; see ``wait_while``.
    """

    def __init__(self, run: Callable[[], object], name: str) -> None:
        self.turn = threading.Lock()
        self.turn.acquire()
        self.number = 0
        self.is_ready = self.is_waiting = self.is_over = False
        self.late = 0.0
        self.take: Callable[[], bool] | None = None
        self.error: BaseException | None = None
        self.run = run
        self.name = name


class StreamLoop:
    """Runs tasks in turns until all of them have ended. After ``stop`` no wait lasts."""

    def __init__(self, stop: StopRequest, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.stop = stop
        self._monotonic = monotonic
        self._epoll = select.epoll()
        self._epoll.register(stop.read_end, select.EPOLLIN)
        self._turn = threading.Lock()
        self._turn.acquire()
        self._current: StreamTask | None = None
        self._tasks: set[StreamTask] = set()
        self._going_on: deque[StreamTask] = deque()
        self._by_descriptor: dict[int, StreamTask] = {}
        self._known: set[int] = set()
        self._timers: list[tuple[float, int, StreamTask, int]] = []
        self._order = count()
        self._looked = monotonic()
        self._since = self._looked
        self._schedule: int | None = None

    # For the tasks.

    def begin(self, run: Callable[[], object], name: str) -> StreamTask:
        """Add a task, whose turn comes in the next round."""
        task = StreamTask(run, name)
        self._tasks.add(task)
        self._going_on.append(task)
        before = threading.stack_size(STACK_BYTES)
        try:
            threading.Thread(target=self._run, args=(task,), name=name, daemon=True).start()
        finally:
            threading.stack_size(before)
        return task

    def wait_for(self, descriptor: int | None, seconds: float | None) -> bool:
        """Let others go on until a descriptor is readable, time is over, or somebody wakes this task. Returns whether
        the descriptor is readable.
        """
        if seconds is not None and seconds <= 0 and descriptor is not None:
            return _is_readable(descriptor) and not self.stop.is_set
        task = self.current
        task.number += 1
        task.is_ready, task.is_waiting = False, True
        if self.stop.is_set:
            self.wake(task)
        if descriptor is not None:
            self._expect(descriptor, task)
        if seconds is not None:
            heappush(self._timers, (self._monotonic() + seconds, next(self._order), task, task.number))
        self._turn.release()
        task.turn.acquire()
        if descriptor is not None:
            self._by_descriptor.pop(descriptor, None)
        if task.is_ready:
            task.late += self._monotonic() - self._since
        return task.is_ready and not self.stop.is_set

    def wait_while(self, descriptor: int, take: Callable[[], bool]) -> bool:
        """Sleep while the loop calls ``take`` whenever the descriptor is readable, as long as that returns True; or
        until somebody wakes this task. Returns whether ``take`` has returned False.
        """
        task = self.current
        task.take = take
        try:
            return self.wait_for(descriptor, None)
        finally:
            task.take = None

    def wake_in(self, task: StreamTask, seconds: float) -> None:
        """Wake a task that sleeps now, unless it goes on before."""
        heappush(self._timers, (self._monotonic() + seconds, next(self._order), task, task.number))

    def now(self) -> float:
        """Monotonic seconds."""
        return self._monotonic()

    def waited(self) -> float:
        """For how many seconds what is read now can have been there."""
        return self._monotonic() - self._since

    def wake(self, task: StreamTask) -> None:
        """Let a task that waits go on in the next round."""
        if task.is_waiting:
            task.is_waiting = False
            self._going_on.append(task)

    def forget(self, descriptor: int) -> None:
        """A descriptor is about to be closed."""
        if descriptor in self._known:
            self._known.discard(descriptor)
            with suppress(OSError):
                self._epoll.unregister(descriptor)

    @property
    def current(self) -> StreamTask:
        """The task whose turn it is."""
        assert self._current is not None
        return self._current

    def late(self) -> float:
        """For how many seconds input of this task can have been there before it went on, in all waits."""
        return self.current.late

    def _run(self, task: StreamTask) -> None:
        task.turn.acquire()
        try:
            task.run()
        except BaseException as error:  # noqa: BLE001 - raised again by the loop
            task.error = error
        task.is_over = True
        self._turn.release()

    def _expect(self, descriptor: int, task: StreamTask) -> None:
        """Look for a descriptor once. The system forgets those that were closed, whose numbers come again."""
        self._by_descriptor[descriptor] = task
        wanted = select.EPOLLIN | select.EPOLLONESHOT
        if descriptor in self._known:
            with suppress(FileNotFoundError):
                self._epoll.modify(descriptor, wanted)
                return
        self._known.add(descriptor)
        self._epoll.register(descriptor, wanted)

    # The loop.

    def rounds(self) -> Iterator[None]:
        """Let the tasks go on, and yield after each turn, until all have ended. If this is closed, they end first.
        Raises what a task has raised.
        """
        self._schedule = _open_schedule()
        try:
            while self._tasks:
                self._look()
                for _ in range(len(self._going_on)):
                    self._give_turn(self._going_on.popleft())
                    yield
                yield
        finally:
            self.stop.set()
            while self._tasks:
                self._look()
                while self._going_on:
                    self._give_turn(self._going_on.popleft(), raises=False)
            self._epoll.close()
            if self._schedule is not None:
                os.close(self._schedule)

    def _give_turn(self, task: StreamTask, *, raises: bool = True) -> None:
        self._current = task
        task.is_waiting = False
        task.turn.release()
        self._turn.acquire()
        self._current = None
        if task.is_over:
            self._tasks.discard(task)
            if task.error is not None and raises:
                raise task.error

    def _look(self) -> None:
        """Find out which tasks can go on; wait for one, if there is none."""
        if self.stop.is_set:
            for task in self._tasks:
                self.wake(task)
        if not self._going_on:
            rest = min(MOST_REST, REST_EACH * len(self._tasks))
            self.stop.pause(self._looked + rest - self._monotonic())
        found = self._polled(0.0)
        before, self._looked = self._looked, self._monotonic()
        self._since = before  # what is there at once came after the last look
        if not found and not self._going_on:
            queued = self._queued()
            due = self._timers[0][0] - self._looked if self._timers else LONGEST_WAIT
            found = self._polled(min(max(due, 0.0), LONGEST_WAIT))
            self._looked = self._monotonic()
            self._since = self._looked - (self._queued() - queued)
        for descriptor, _ in found:
            if (reader := self._by_descriptor.get(descriptor)) is None:
                continue
            if reader.is_waiting and reader.take is not None and reader.take():
                self._expect(descriptor, reader)
                continue
            reader.is_ready = True
            self.wake(reader)
        while self._timers and self._timers[0][0] <= self._looked:
            _, _, task, number = heappop(self._timers)
            if task.number == number:
                self.wake(task)

    def _polled(self, seconds: float) -> list[tuple[int, int]]:
        return [] if self.stop.is_set else self._epoll.poll(seconds, MOST_EVENTS)

    def _queued(self) -> float:
        """How long this thread has waited for a CPU, in seconds; always 0 where no system tells."""
        if self._schedule is None:
            return 0.0
        return int(os.pread(self._schedule, 100, 0).split()[1]) / 1e9


def _open_schedule() -> int | None:
    try:
        return os.open("/proc/thread-self/schedstat", os.O_RDONLY)
    except OSError:
        return None


def _is_readable(descriptor: int) -> bool:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(0))


class TaskReader(Generic[Awaited]):
    """Reads event after event, at once or in a task of its own while the one that wants them does something else: an
    ``EventReader`` of ``with_pulses``. ``on_wait`` is called before that one waits.
    """

    def __init__(
        self, loop: StreamLoop, source: Iterator[Awaited], on_wait: Callable[[], object] = lambda: None
    ) -> None:
        self._loop = loop
        self._on_wait = on_wait
        self._source = source
        self._task: StreamTask | None = None
        self._asker: StreamTask | None = None
        self._is_wanted = self._is_done = self._is_stopped = False
        self._event: Awaited | None = None
        self._error: BaseException | None = None

    def read(self) -> Awaited | None:
        """The next event."""
        return next(self._source, None)

    def begin(self) -> None:
        """Let the task read the next event."""
        self._is_wanted, self._is_done = True, False
        if self._task is None:
            self._task = self._loop.begin(self._run, f"{self._loop.current.name}, held record")
        else:
            self._loop.wake(self._task)

    def is_done(self, seconds: float | None) -> bool:
        """Wait for the task, at most so many seconds; returns whether it has read the event."""
        if not self._is_done:
            self._on_wait()
            self._asker = self._loop.current
            self._loop.wait_for(None, seconds)
            self._asker = None
        return self._is_done

    def result(self) -> Awaited | None:
        """The event that the task has read. Raises what ended the source instead."""
        if self._error is not None:
            raise self._error
        return self._event

    def stop(self) -> None:
        """Let the task end, after the event that it reads."""
        self._is_stopped = True
        if self._task is not None and not self._is_wanted:
            self._loop.wake(self._task)

    def _run(self) -> None:
        while not self._is_stopped:
            try:
                self._event = next(self._source, None)
            except BaseException as error:  # noqa: BLE001 - raised again by the reader
                self._error = error
            self._is_wanted, self._is_done = False, True
            if self._asker is not None:
                self._loop.wake(self._asker)
            while not self._is_wanted and not self._is_stopped:
                self._loop.wait_for(None, None)
