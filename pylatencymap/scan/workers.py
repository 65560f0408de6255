"""The same work on many parts, by several processes, its results in order.

Threads would do where numpy works for long. The steps of a scan are short, and two threads wait for each other more
than they work.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Generic, NoReturn, TypeVar

FORKS = sys.platform == "linux"
"""Elsewhere the system's own libraries are not made for a process that forks while it has threads."""
_PIPE_BYTES = 1 << 20
"""So much may wait to be taken, that a process need not stop after each part."""

WorkResult = TypeVar("WorkResult")


class WorkerLost(Exception):
    """A process has ended without a result."""


def map_in_order(work: Callable[[int], WorkResult], parts: range, jobs: int) -> Iterator[WorkResult]:
    """What ``work`` makes of each part, in so many processes; of a single one, or where none can be had, in this one.

    Raises what it raises, and Lost. Results, and what is raised, are pickled.
    """
    count = min(jobs, len(parts))
    workers = _started(work, [parts[number::count] for number in range(count)]) if count > 1 and FORKS else []
    if not workers:
        yield from map(work, parts)
        return
    try:
        for place in range(len(parts)):
            yield workers[place % count].result()
    finally:
        _end(workers)


def _started(work: Callable[[int], WorkResult], shares: list[range]) -> list[_Worker[WorkResult]]:
    """A process for each share of the parts; none where the system has not enough."""
    workers: list[_Worker[WorkResult]] = []
    try:
        for share in shares:
            workers.append(_Worker(work, share, workers))
    except OSError:
        _end(workers)
        return []
    return workers


def _end(workers: list[_Worker[WorkResult]]) -> None:
    """All are told before one is waited for."""
    for worker in workers:
        worker.close()
    for worker in workers:
        worker.wait()


class _Worker(Generic[WorkResult]):
    """A process that works on some parts, one after the other."""

    def __init__(self, work: Callable[[int], WorkResult], parts: range, earlier: list[_Worker[WorkResult]]) -> None:
        read_end, write_end = os.pipe()
        try:
            self._pid = os.fork()
        except OSError:
            os.close(read_end)
            os.close(write_end)
            raise
        if not self._pid:
            os.close(read_end)
            for other in earlier:
                other.close()
            _work(work, parts, write_end)
        os.close(write_end)
        self._results = os.fdopen(read_end, "rb")

    def result(self) -> WorkResult:
        """The next one."""
        try:
            result = pickle.load(self._results)
        except (EOFError, pickle.UnpicklingError):
            raise WorkerLost from None
        if isinstance(result, BaseException):
            raise result
        found: WorkResult = result
        return found

    def close(self) -> None:
        """Nothing more is wanted: what it still writes makes it end."""
        self._results.close()

    def wait(self) -> None:
        with suppress(ChildProcessError):  # where our own parent has asked the system to forget ended processes
            os.waitpid(self._pid, 0)


def _work(work: Callable[[int], WorkResult], parts: range, write_end: int) -> NoReturn:
    """The life of a process: its parent tells it to end by reading no more, and deals with Ctrl-C alone."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        _widen(write_end)
        with os.fdopen(write_end, "wb") as results:
            for part in parts:
                results.write(pickle.dumps(_tried(work, part), pickle.HIGHEST_PROTOCOL))
                results.flush()
    finally:
        os._exit(0)


def _tried(work: Callable[[int], WorkResult], part: int) -> WorkResult | BaseException:
    try:
        return work(part)
    except BaseException as error:  # noqa: BLE001 - it is raised where the result is waited for
        return error


def _widen(pipe: int) -> None:
    """Let a pipe hold more, as far as the system allows that."""
    import fcntl

    try:
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    except OSError:
        return  # then it holds what it holds
