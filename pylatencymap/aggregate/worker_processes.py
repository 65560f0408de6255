"""Processes that do tasks, each one task after another, and say how far they are.

A process ends when its parent closes the pipe to it, or is gone. Where processes cannot be forked, or one is wanted,
the tasks are done in this process.
"""

from __future__ import annotations

import json
import mmap
import os
import select
import signal
import socket
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NoReturn

from ..errors import BadInput, SourceError
from ..memory import keep_freed_arrays
from ..scan import FORKS
from .file_reading import InputReader, ReadTask, task_of

TOLD_SECONDS = 0.25
"""How often the progress is looked at."""
_PLACE = 8


class WorkerProcesses:
    """``jobs`` processes; ``make_reader`` makes what does the tasks, given what to call with the progress of one."""

    def __init__(self, make_reader: Callable[[Callable[[int], object]], InputReader], jobs: int) -> None:
        self._jobs = jobs if FORKS else 1
        self._make_reader = make_reader
        self._progress = mmap.mmap(-1, _PLACE * self._jobs)
        self._doing: dict[int, ReadTask] = {}
        self._workers: list[_WorkerProcess] = []

    def results(
        self, tasks: deque[ReadTask], on_progress: Callable[[], object]
    ) -> Iterator[tuple[ReadTask, dict[str, Any]]]:
        """Do the tasks and yield the result of each; more can be added to them meanwhile. ``on_progress`` is called now
        and then. Raises BadInput, and SourceError if a process ends without a result.
        """
        keep_freed_arrays()
        try:
            if self._jobs == 1:
                yield from self._alone(tasks, on_progress)
                return
            for number in range(min(self._jobs, len(tasks))):
                self._workers.append(_WorkerProcess(self._make_reader, self._note(number), self._workers))
            yield from self._together(tasks, on_progress)
        finally:
            self._end()

    def under_way(self) -> list[tuple[ReadTask, int]]:
        """The tasks that are being done, with the bytes that were read."""
        return [(task, self._bytes_of(number)) for number, task in sorted(self._doing.items())]

    def _alone(
        self, tasks: deque[ReadTask], on_progress: Callable[[], object]
    ) -> Iterator[tuple[ReadTask, dict[str, Any]]]:
        def note(done: int) -> None:
            self._note(0)(done)
            on_progress()

        reader = self._make_reader(note)
        while tasks:
            task = tasks.popleft()
            self._doing[0] = task
            self._note(0)(0)
            yield task, reader.done(task)
            self._doing.clear()

    def _together(
        self, tasks: deque[ReadTask], on_progress: Callable[[], object]
    ) -> Iterator[tuple[ReadTask, dict[str, Any]]]:
        while tasks or self._doing:
            for number, worker in enumerate(self._workers):
                if tasks and number not in self._doing:
                    self._doing[number] = task = tasks.popleft()
                    self._note(number)(0)
                    worker.begin(task)
            busy = {self._workers[number].pipe: number for number in self._doing}
            ready, _, _ = select.select(list(busy), [], [], TOLD_SECONDS)
            on_progress()
            for pipe in ready:
                number = busy[pipe]
                task = self._doing[number]
                result = self._workers[number].result(task)
                del self._doing[number]
                yield task, result

    def _note(self, number: int) -> Callable[[int], None]:
        def note(done: int) -> None:
            self._progress[number * _PLACE : (number + 1) * _PLACE] = done.to_bytes(_PLACE, "little")

        return note

    def _bytes_of(self, number: int) -> int:
        return int.from_bytes(self._progress[number * _PLACE : (number + 1) * _PLACE], "little")

    def _end(self) -> None:
        for worker in self._workers:
            worker.close()
        for worker in self._workers:
            worker.wait()
        self._workers.clear()
        self._doing.clear()


class _WorkerProcess:
    """One process, with a pipe for tasks and results: each is a line of JSON."""

    def __init__(
        self,
        make_reader: Callable[[Callable[[int], object]], InputReader],
        note: Callable[[int], None],
        earlier: list[_WorkerProcess],
    ) -> None:
        self.pipe, its_end = socket.socketpair()
        parent = os.getpid()
        self._pid = os.fork()
        if not self._pid:
            self.pipe.close()
            for other in earlier:
                other.pipe.close()
            _work(make_reader, note, its_end, parent)
        its_end.close()
        self._lines = self.pipe.makefile("rb")

    def begin(self, task: ReadTask) -> None:
        """Hand over a task. A process that has ended is noticed when its result is read."""
        with suppress(OSError):
            self.pipe.sendall(json.dumps(task).encode() + b"\n")

    def result(self, task: ReadTask) -> dict[str, Any]:
        """The result of the task. Raises BadInput, and SourceError if there is none."""
        try:
            line = self._lines.readline()
        except OSError:
            line = b""
        if not line.endswith(b"\n"):
            raise SourceError(
                f"{task.path}: the process that read it ended without a result; run the same command again to go on"
            )
        found: dict[str, Any] = json.loads(line)
        if "bad_input" in found:
            raise BadInput(found["bad_input"])
        return found

    def close(self) -> None:
        """Let the process end, at once even within a task: what it has not finished is not there."""
        with suppress(OSError):
            os.kill(self._pid, signal.SIGKILL)
        self._lines.close()
        self.pipe.close()

    def wait(self) -> None:
        with suppress(ChildProcessError):
            os.waitpid(self._pid, 0)


def _work(
    make_reader: Callable[[Callable[[int], object]], InputReader],
    note: Callable[[int], None],
    pipe: socket.socket,
    parent: int,
) -> NoReturn:
    """The main function of a process. Only the parent handles Ctrl-C."""

    def noted(done: int) -> None:
        if os.getppid() != parent:  # nobody waits for the result
            os._exit(0)
        note(done)

    status = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        reader = make_reader(noted)
        for line in pipe.makefile("rb"):
            pipe.sendall(json.dumps(_tried(reader, task_of(json.loads(line)))).encode() + b"\n")
        status = 0
    finally:
        os._exit(status)


def _tried(reader: InputReader, task: ReadTask) -> dict[str, Any]:
    try:
        return reader.done(task)
    except BadInput as error:
        return {"bad_input": str(error)}
