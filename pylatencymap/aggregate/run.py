"""Aggregates an archive on this machine: every input becomes portions, and all portions one output. By a key of the
events, all inputs are looked through first for the values that get a series of their own.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import BadInput, Exit, LatencyMapError, SourceError
from ..record import Mark, Stamp
from ..session.input import ReadPlan, short_names
from .archive import ArchivedInput
from .file_reading import LAST, PART, SPLIT, VALUES, WHOLE, InputReader, ReadTask
from .merging import AggregateSummary, ToWrite
from .naming import named_series, ranking_of
from .outputs import Output
from .portions import Portion
from .streams import ReadInput, streams_of
from .work_folder import WorkFolder
from .worker_processes import WorkerProcesses

_MEGA = 1_000_000
MOST_MESSAGES = 3
"""Messages about each input that are shown; the summary counts all bad records."""
LEAST_SECONDS = 1.0
"""Before this no rate is shown."""


class AggregateQuestion(NamedTuple):
    """What is aggregated, and how. ``by`` are words of ``naming.BY``; a key of the events is in the plan.
    ``resolution`` None keeps the ranges as they are. ``afresh``: what an earlier run has done does not count; nor does
    that of another ``version`` of this package.
    """

    inputs: Sequence[ArchivedInput]
    output: Output
    plan: ReadPlan
    resolution: int | None = None
    by: tuple[str, ...] = ()
    jobs: int = 2
    strict: bool = False
    afresh: bool = False
    version: str = ""


@dataclass
class _InputState:
    """How far one input is: its tasks that are not done, and what came of the others."""

    about: ArchivedInput
    digest: str
    parts: list[ReadTask]
    waiting: set[ReadTask] = field(default_factory=set)
    results: dict[ReadTask, dict[str, Any]] = field(default_factory=dict)
    end: dict[str, Any] | None = None
    portions: list[str] = field(default_factory=list)

    def task(self, step: str, begin: int = 0, end: int = 0, parts: tuple[str, ...] = ()) -> ReadTask:
        one = self.about
        return ReadTask(step, one.path, one.size, one.modified, f"{self.digest}-{step}-{begin}", begin, end, parts)

    def take(self, task: ReadTask, result: dict[str, Any]) -> ReadTask | None:
        """The result of a task; returns the task that is due then."""
        self.results[task] = result
        self.waiting.discard(task)
        if task.step == PART and "failed" not in result:
            if self.waiting or self.end is not None:
                return None
            return self.task(LAST, parts=tuple(one.name for one in self.parts))
        self.end = result if self.end is None or "failed" in result else self.end
        self.portions = [task.name]
        if task.step == LAST and result.get("parts"):
            self.portions = [*(one.name for one in self.parts), task.name]
        return None


class Aggregation:
    """One run. ``say`` gets messages, and ``show`` the progress; an empty text ends it."""

    def __init__(
        self,
        question: AggregateQuestion,
        say: Callable[[str], object],
        show: Callable[[str], object],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._question, self._say, self._show = question, say, show
        self._plan = question.plan
        self._monotonic = monotonic
        self._states: dict[str, _InputState] = {}
        self._ranked: dict[str, dict[ReadTask, dict[str, Any]]] = {}
        self._ranking = ""
        self.summary = AggregateSummary()

    def run(self) -> AggregateSummary:
        """Read what is not read yet, and write the output. Raises LatencyMapErrors, and OSError if it cannot be
        written; what is done stays in the work folder, but not after a bad record with ``strict``.
        """
        question = self._question
        folder = WorkFolder(question.output.target, self._asked(), afresh=question.afresh, say=self._say)
        try:
            if self._plan.by:
                self._rank(folder)
            self._read(folder, self._states, self._tasks(folder))
            self._write(folder.path)
        except BaseException as error:
            self._show("")
            if isinstance(error, BadInput):
                folder.remove()  # the same command would end in the same way
            else:
                folder.close()
            raise
        folder.remove()
        return self.summary

    def _asked(self) -> dict[str, Any]:
        """All that portions depend on, besides the inputs."""
        plan = self._question.plan
        return {
            "version": self._question.version,
            "split": SPLIT,
            "format": plan.format,
            "text": repr(plan.known),
            "time": repr((plan.time.interval, plan.time.day, str(plan.time.tz), plan.time.semantics)),
            "series": list(plan.series),
            "by": [plan.by, plan.top],
        }

    def _reader(self, folder: Path, progress: Callable[[int], object]) -> InputReader:
        return InputReader(self._plan, folder, self._question.strict, progress)

    # By a key: which values get a series of their own.

    def _rank(self, folder: WorkFolder) -> None:
        """Look through all inputs; from then on the plan says how events are divided. Raises SourceError."""
        jobs = max(self._question.jobs // len(self._question.inputs), 1)  # of a process, for a large file by itself
        self._plan = replace(self._plan, jobs=jobs)
        before = {task: result for task, result in folder.done if (folder.path / task.name).is_file()}
        states = {one.path: _InputState(one, _digest(one), []) for one in self._question.inputs}
        due: list[ReadTask] = []
        for state in states.values():
            task = state.task(VALUES)
            if task in before:
                state.take(task, before[task])
            else:
                due.append(task)
        self._read(folder, states, deque(sorted(due, key=lambda task: (-task.size, task.path))), "ranking: ")
        self._ranked = {path: state.results for path, state in states.items()}
        known = {task: result for of in self._ranked.values() for task, result in of.items() if "failed" not in result}
        try:
            ranking = ranking_of(self._plan.divided_by, known, lambda task: Portion.at(folder.path / task.name).about)
        except SourceError:
            folder.remove()  # the right key is another question
            raise
        self._ranking, self.summary.without_key = ranking.digest, ranking.without_key
        self._plan = replace(self._plan, division=ranking.division)
        for note in ranking.notes():
            self._say(note)

    # Reading.

    def _tasks(self, folder: WorkFolder) -> deque[ReadTask]:
        """The tasks that can begin, the largest first."""
        before = {task: result for task, result in folder.done if (folder.path / task.name).is_file()}
        reader = self._reader(folder.path, lambda _: None)
        due: list[ReadTask] = []
        for one in self._question.inputs:
            state = self._states[one.path] = _InputState(one, _digest(one, self._ranking), [])
            failed = [result for result in self._ranked.get(one.path, {}).values() if "failed" in result]
            if failed:
                state.end = failed[0]
                continue
            state.parts = [state.task(PART, *split) for split in self._splits(reader, one)]
            steps = state.parts or [state.task(WHOLE)]
            state.waiting = {task for task in steps if task not in before}
            due += self._taken_over(state, steps, before)
        self.summary.inputs = len(self._states)
        self.summary.size = sum(one.size for one in self._question.inputs)
        kept = {task.name for state in self._states.values() for task in state.results}
        kept |= {task.name for of_input in self._ranked.values() for task in of_input}
        for path in folder.path.glob("*-*-*"):
            if path.name not in kept:
                path.unlink()
        return deque(sorted(due, key=lambda task: (-_bytes_of(task), task.path, task.begin)))

    def _splits(self, reader: InputReader, one: ArchivedInput) -> list[tuple[int, int]]:
        try:
            return reader.splits(one.path, one.size)
        except (LatencyMapError, OSError):
            return []  # its task will say what is wrong

    def _taken_over(
        self, state: _InputState, steps: list[ReadTask], before: dict[ReadTask, dict[str, Any]]
    ) -> Iterator[ReadTask]:
        """Take over what an earlier run has done; yields what is due of the rest."""
        last: ReadTask | None = None
        for task in steps:
            if task in before:
                last = state.take(task, before[task])
        if last is not None and last in before:
            last = state.take(last, before[last])
        if state.end is not None:
            self.summary.known_before += 1
        yield from state.waiting
        if last is not None:
            yield last

    def _read(
        self, folder: WorkFolder, states: Mapping[str, _InputState], tasks: deque[ReadTask], doing: str = ""
    ) -> None:
        """Do the tasks, and what is due after them."""
        if not tasks:
            return
        workers = WorkerProcesses(partial(self._reader, folder.path), self._question.jobs)
        begun, finished = self._monotonic(), 0
        total = sum(map(_bytes_of, tasks))

        def progress() -> None:
            going_on = workers.under_way()
            done = finished + sum(min(done, _bytes_of(task)) for task, done in going_on)
            told = _progress_text(
                states.values(), done, total, self._monotonic() - begun, [task.path for task, _ in going_on]
            )
            self._show(told and doing + told)

        for task, result in workers.results(tasks, progress):
            finished += _bytes_of(task)
            if "failed" not in result:
                folder.note(task, result)
            for message in result.get("messages", ())[:MOST_MESSAGES]:
                self._say(message)
            due = states[task.path].take(task, result)
            if due is not None:
                tasks.appendleft(due)
        self._show("")

    # Writing.

    def _write(self, folder: Path) -> None:
        question, summary = self._question, self.summary
        read: list[ReadInput] = []
        for state in self._states.values():
            result = state.end or {}
            names = () if "failed" in result else state.portions
            read.append(ReadInput(state.about, result, [Portion.at(folder / name) for name in names]))
        to_write = gathered(read, question._replace(plan=self._plan), summary)
        if not summary.series:
            return
        to_write.write(question.output, folder, summary, self._show)
        question.output.finish()
        self._show("")


def _progress_text(states: Collection[_InputState], done: int, total: int, seconds: float, paths: list[str]) -> str:
    """``3 of 20 files, 34 % of 412 MB, 310 MB/s, 1 s left: trace.trc``"""
    if seconds < LEAST_SECONDS or not done > 0:
        return ""
    files = sum(state.end is not None for state in states)
    rate, left = done / seconds, max(total - done, 0) * seconds / done
    name = f": {os.path.basename(paths[0])}" if paths else ""
    share = f"{100 * done / max(total, 1):.0f} % of {total / _MEGA:.0f} MB"
    return f"{files} of {len(states)} files, {share}, {rate / _MEGA:.3g} MB/s, {left:.0f} s left{name}"


def gathered(inputs: Sequence[ReadInput], question: AggregateQuestion, summary: AggregateSummary) -> ToWrite:
    """What is to be written of these inputs; what is to be said of them goes to the summary."""
    for one in inputs:
        if "failed" in one.result:
            summary.failed[one.about.path] = one.result["failed"]
            if one.about.named and summary.status == Exit.OK:
                status = one.result["status"]
                summary.status = status if status != Exit.NO_INTERVAL else Exit.OK
        if one.result.get("bad"):
            summary.bad[one.about.path] = one.result["bad"]
    good = [one for one in inputs if "failed" not in one.result]
    shorts = short_names([one.about.path for one in inputs])
    streams = streams_of(good, [shorts[one.about.path] for one in good], question.by)
    told = [(stream.qualifier, stream.extents()) for stream in streams]
    names = named_series(told, question.plan.wants_result, always=bool({"file", "host"} & set(question.by)))
    summary.series = len({name for of_stream in names for name in of_stream.values()})
    by = [*question.by, *filter(None, [question.plan.by])]
    about = {"interval": question.plan.time.interval, "resolution": question.resolution, "by": by}
    marks = [Mark(Stamp(micros), note, series) for one in good for micros, note, series in one.result.get("marks", ())]
    return ToWrite(streams, names, about, marks, question.resolution)


def _digest(one: ArchivedInput, ranking: str = "") -> str:
    """A name for what an input holds: a file that has changed since is another input, as it is with another ranking."""
    text = "\0".join((os.path.abspath(one.path), str(one.size), str(one.modified), ranking))
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:24]


def _bytes_of(task: ReadTask) -> int:
    """The bytes of the input that a task reads."""
    if task.step == LAST:
        return 0
    return task.end - task.begin if task.step == PART else task.size
