"""Aggregates an archive on this machine: every input becomes portions, and all portions one output."""

from __future__ import annotations

import hashlib
import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .. import __version__
from ..errors import Exit, LatencyMapError
from ..record import Mark, Stamp
from ..session.input import ReadPlan, short_names
from ..tables import on_grid_of
from .archive import ArchivedInput
from .file_reading import LAST, PART, SPLIT, WHOLE, InputReader, ReadTask
from .merging import MergedStream, merged
from .naming import named_series
from .outputs import Output
from .portions import EVENTS, Portion
from .streams import EventStream, GridKey, IntervalStream
from .work_folder import WorkFolder
from .worker_processes import WorkerProcesses

_MEGA = 1_000_000
MOST_MESSAGES = 3
"""Messages about each input that are shown; the summary counts all bad records."""
LEAST_SECONDS = 1.0
"""Before this no rate is shown."""


class AggregateQuestion(NamedTuple):
    """What is aggregated, and how. ``by`` are words of ``naming.BY``; ``resolution`` None keeps the ranges as they are.
    ``afresh``: what an earlier run has done does not count.
    """

    inputs: Sequence[ArchivedInput]
    output: Output
    plan: ReadPlan
    resolution: int | None = None
    by: tuple[str, ...] = ()
    jobs: int = 2
    strict: bool = False
    afresh: bool = False


@dataclass
class AggregateSummary:
    """What came of it. ``bad`` are the damaged records of each file that has any, ``failed`` why inputs were left out,
    ``known_before`` how many inputs an earlier run had read.
    """

    inputs: int = 0
    known_before: int = 0
    size: int = 0
    series: int = 0
    intervals: int = 0
    events: float = 0
    waited: float = 0.0
    bad: dict[str, int] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    status: int = Exit.OK


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
        self._monotonic = monotonic
        self._states: dict[str, _InputState] = {}
        self._read_before = 0
        self.summary = AggregateSummary()

    def run(self) -> AggregateSummary:
        """Read what is not read yet, and write the output. Raises LatencyMapErrors, and OSError if it cannot be
        written; what is done stays in the work folder.
        """
        question = self._question
        folder = WorkFolder(question.output.target, self._asked(), afresh=question.afresh)
        try:
            tasks = self._tasks(folder)
            self._read(folder, tasks)
            self._write(folder.path)
        except BaseException:
            self._show("")
            folder.close()
            raise
        folder.remove()
        return self.summary

    def _asked(self) -> dict[str, Any]:
        """All that portions depend on, besides the inputs."""
        plan = self._question.plan
        return {
            "version": __version__,
            "split": SPLIT,
            "format": plan.format,
            "text": repr(plan.known),
            "time": repr((plan.time.interval, plan.time.day, str(plan.time.tz), plan.time.semantics)),
            "series": list(plan.series),
        }

    def _reader(self, folder: Path, progress: Callable[[int], object]) -> InputReader:
        return InputReader(self._question.plan, folder, self._question.strict, progress)

    # Reading.

    def _tasks(self, folder: WorkFolder) -> deque[ReadTask]:
        """The tasks that can begin, the largest first."""
        before = {task: result for task, result in folder.done if (folder.path / task.name).is_file()}
        reader = self._reader(folder.path, lambda _: None)
        due: list[ReadTask] = []
        for one in self._question.inputs:
            state = self._states[one.path] = _InputState(one, _digest(one), [])
            state.parts = [state.task(PART, *split) for split in self._splits(reader, one)]
            steps = state.parts or [state.task(WHOLE)]
            state.waiting = {task for task in steps if task not in before}
            due += self._taken_over(state, steps, before)
        self.summary.inputs = len(self._states)
        self.summary.size = sum(one.size for one in self._question.inputs)
        kept = {task.name for state in self._states.values() for task in state.results}
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
                self._read_before += _bytes_of(task)
        if last is not None and last in before:
            last = state.take(last, before[last])
        if state.end is not None:
            self.summary.known_before += 1
        yield from state.waiting
        if last is not None:
            yield last

    def _read(self, folder: WorkFolder, tasks: deque[ReadTask]) -> None:
        if not tasks:
            return
        workers = WorkerProcesses(partial(self._reader, folder.path), self._question.jobs)
        begun, finished = self._monotonic(), 0
        total = sum(one.size for one in self._question.inputs) - self._read_before

        def progress() -> None:
            going_on = workers.under_way()
            done = finished + sum(min(done, _bytes_of(task)) for task, done in going_on)
            self._show(self._told(done, total, self._monotonic() - begun, [task.path for task, _ in going_on]))

        for task, result in workers.results(tasks, progress):
            finished += _bytes_of(task)
            if "failed" not in result:
                folder.note(task, result)
            for message in result.get("messages", ())[:MOST_MESSAGES]:
                self._say(message)
            due = self._states[task.path].take(task, result)
            if due is not None:
                tasks.appendleft(due)
        self._show("")

    def _told(self, done: int, total: int, seconds: float, paths: list[str]) -> str:
        """``3 of 20 files, 34 % of 412 MB, 310 MB/s, 1 s left: trace.trc``"""
        if seconds < LEAST_SECONDS or not done > 0:
            return ""
        files = sum(state.end is not None for state in self._states.values())
        rate, left = done / seconds, max(total - done, 0) * seconds / done
        name = f": {os.path.basename(paths[0])}" if paths else ""
        share = f"{100 * done / max(total, 1):.0f} % of {total / _MEGA:.0f} MB"
        return f"{files} of {len(self._states)} files, {share}, {rate / _MEGA:.3g} MB/s, {left:.0f} s left{name}"

    # Writing.

    def _write(self, folder: Path) -> None:
        question, summary = self._question, self.summary
        streams, marks = self._streams(folder)
        extents = [stream.extents() for stream in streams]
        told = [(stream.qualifier, of_stream) for stream, of_stream in zip(streams, extents, strict=True)]
        names = named_series(told, question.plan.wants, always=bool({"file", "host"} & set(question.by)))
        summary.series = len({name for of_stream in names for name in of_stream.values()})
        if not summary.series:
            return
        to_merge = [
            MergedStream(min(span[0] for one, span in extent.items() if one in named), partial(stream.chunks, named))
            for stream, extent, named in zip(streams, extents, names, strict=True)
            if named
        ]
        about = {"interval": question.plan.time.interval, "resolution": question.resolution, "by": list(question.by)}
        question.output.begin(folder, about, marks)
        for columns in merged(to_merge):
            found = on_grid_of(columns, question.resolution, divides=question.output.divides)
            question.output.write(found)
            summary.intervals += int(found.owners.size)
            summary.events += float(found.counts.sum())
            summary.waited += float(np.nansum(found.waited))
            self._show(f"writing {question.output.target}: {summary.intervals:,} intervals")
        question.output.finish()
        self._show("")

    def _streams(self, folder: Path) -> tuple[list[EventStream | IntervalStream], list[Mark]]:
        """What the inputs yielded, as streams, and their marks."""
        added: dict[tuple[GridKey, bool], EventStream] = {}
        found: list[EventStream | IntervalStream] = []
        marks: list[Mark] = []
        shorts = short_names(list(self._states))
        for path, state in self._states.items():
            result = state.end or {}
            if "failed" in result:
                self._fail(state, result)
                continue
            if result.get("bad"):
                self.summary.bad[path] = result["bad"]
            marks += [Mark(Stamp(micros), note, series) for micros, note, series in result.get("marks", ())]
            apart = self._qualifier(shorts[path], result)
            for name in state.portions:
                portion = Portion(folder / name)
                if portion.kind != EVENTS:
                    found.append(IntervalStream(portion, apart or shorts[path]))
                elif portion.series:
                    key = _grid_of(portion, result, apart or ("" if result["clock"] else shorts[path]))
                    stream = added.get((key, result["clock"]))
                    if stream is None:
                        stream = EventStream(key, key.qualifier or key.source, result["clock"])
                        added[key, result["clock"]] = stream
                        found.append(stream)
                    stream.add(portion, result["shift"])
        return found, marks

    def _qualifier(self, short: str, result: dict[str, Any]) -> str:
        """What keeps the series of an input apart from those of others; empty if nothing does."""
        words = {"file": short, "host": result.get("host", "")}
        return ", ".join(words[word] for word in ("file", "host") if word in self._question.by and words[word])

    def _fail(self, state: _InputState, result: dict[str, Any]) -> None:
        self.summary.failed[state.about.path] = result["failed"]
        if state.about.named and self.summary.status == Exit.OK:
            self.summary.status = result["status"] if result["status"] != Exit.NO_INTERVAL else Exit.OK


def _grid_of(portion: Portion, result: dict[str, Any], qualifier: str) -> GridKey:
    width = result["width"]
    return GridKey(portion.series[0].source, width, result["shift"] % width, qualifier)


def _digest(one: ArchivedInput) -> str:
    """A name for what an input holds: a file that has changed since is another input."""
    text = "\0".join((os.path.abspath(one.path), str(one.size), str(one.modified)))
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:24]


def _bytes_of(task: ReadTask) -> int:
    """The bytes of the input that a task reads."""
    if task.step == LAST:
        return 0
    return task.end - task.begin if task.step == PART else task.size
