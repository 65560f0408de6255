"""Does the same work on many parts in several processes, and yields the results in order.

Threads would be enough if each numpy call took long. The steps of a scan are short, and two threads would spend more
time waiting for each other than working.
"""

from __future__ import annotations

import fcntl
import gc
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Generic, NoReturn, TypeVar

FORKS = sys.platform == "linux"
"""On other systems, system libraries do not support a process that forks while it has threads."""
_PIPE_BYTES = 1 << 20
"""Bytes of results that can wait in a pipe, so that a process does not have to stop after each part."""

WorkResult = TypeVar("WorkResult")


class WorkerLost(Exception):
    """A process ended without a result."""


def map_in_order(work: Callable[[int], WorkResult], parts: range, jobs: int) -> Iterator[WorkResult]:
    """The result of ``work`` for each part, in order, computed by up to ``jobs`` processes.

    This process does the work itself if there is one part or one job, or if no process can be started. Raises what
    ``work`` raises, and WorkerLost. Results and exceptions are pickled.
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
    """One process per share of the parts; none at all if the system cannot start that many."""
    # np.unique loads it. A process that loads what another thread of ours was just loading waits for that for ever.
    import numpy.ma  # noqa: F401

    workers: list[_Worker[WorkResult]] = []
    try:
        for share in shares:
            workers.append(_Worker(work, share, workers))
    except OSError:
        _end(workers)
        return []
    return workers


def _end(workers: list[_Worker[WorkResult]]) -> None:
    """Close the pipes of all workers before waiting for the first."""
    for worker in workers:
        worker.close()
    for worker in workers:
        worker.wait()


class _Worker(Generic[WorkResult]):
    """A process that works on some parts, one after another."""

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
        """The next result. Raises what the work raised, and WorkerLost."""
        try:
            result = pickle.load(self._results)
        except (EOFError, pickle.UnpicklingError):
            raise WorkerLost from None
        if isinstance(result, BaseException):
            raise result
        found: WorkResult = result
        return found

    def close(self) -> None:
        """Stop reading results: the process ends at its next write."""
        self._results.close()

    def wait(self) -> None:
        with suppress(ChildProcessError):  # our parent made the system discard ended processes
            os.waitpid(self._pid, 0)


def _work(work: Callable[[int], WorkResult], parts: range, write_end: int) -> NoReturn:
    """The main function of a worker. It ends when its parent stops reading; only the parent handles Ctrl-C."""
    try:
        gc.disable()  # it ends soon, and the collector would visit, and so copy, all that the parent has
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
    except BaseException as error:  # noqa: BLE001 - the parent raises it when it asks for the result
        return error


def _widen(pipe: int) -> None:
    """Enlarge a pipe's buffer, if the system allows it."""
    try:
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    except OSError:
        return  # the usual size works as well
