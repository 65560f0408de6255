"""Turns lines of a Spark event log into samples, one for each part of the time of each ended task, and into marks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from ...collector import Known
from ...errors import Refused
from ...record import Clock, Decoded, Mark, Pause, Sample, Stamp
from ...report import Report
from ...text.clean import is_noise, printable
from ...text.lines import Line, Lines
from .jobs import Jobs
from .task import (
    NO_METRICS,
    PROGRESS,
    RESUBMITTED,
    RUN,
    WHOLE_BATCH,
    WITHIN_RUN,
    Json,
    Part,
    batch_of,
    members_of,
    moment,
    parts_of,
    task_of,
    whole,
)

LABEL, SOURCE = "time of tasks", "spark"
MOST_STAGES = 2_000
"""So many stages have series of their own; an application that runs for months has millions."""
LATER = "later stages"
MOST_RUNNING = 1_000_000
"""So many tasks are awaited at the same time."""
EVENT_NAME = re.compile(
    r'\{"Event":"(?:(?:org\.apache\.spark\.[\w.$]+\.)?(?:SparkListener|StreamingQueryListener\$)(\w+)|[\w.$]+)"'
)
"""An event, with its name if it is one of Spark itself: other programs add their own ones."""
_READ = frozenset(
    (
        *("TaskStart", "TaskEnd", "JobStart", "StageSubmitted", "StageCompleted"),
        *("ExecutorRemoved", "ExecutorAdded", "SQLExecutionStart", PROGRESS),
    )
)
"""Events that are read; all others are passed over unparsed."""
_NOTHING = "no task has ended in this event log, so there is no latency in it yet"
_BATCHES = "the time of a batch holds its parts and the time of its tasks: a sum of all series counts them again"
_TWICE = "GC, shuffle fetch wait and shuffle write lie within run time: a sum of all series counts them twice"


class SparkDecoder:
    """Reads one log, of all files of which it consists. Series are those of stages, unless events are divided by a key:
    then that key tells what belongs together.
    """

    def __init__(self, report: Report, known: Known) -> None:
        self._report = report
        self._keys = known.keys
        self._by_stage = not known.by
        self._jobs = Jobs()
        self._running: set[int] = set()
        self._stages: set[str] = set()
        self._speculated: set[str] = set()
        self._hosts: dict[str, str] = {}
        self._ended = self._again = 0
        self._said_twice = self._said_later = self._said_batches = False

    def events(self, lines: Lines) -> Iterator[Decoded]:
        """Yield samples and marks in the order of the lines; raise Refused if no task has ended."""
        last = 0
        for line in lines:
            if line is None:
                yield Pause()
                continue
            last = line.number
            yield from self._of_line(line)
        self._account(last)

    def _of_line(self, line: Line) -> list[Decoded]:
        """What a line says; it is parsed only if its event is one of those that count."""
        named = EVENT_NAME.match(line.text)
        if named is None:
            if line.text.strip() and not is_noise(line.text):
                self._unreadable(line, "this is no event of Spark")
            return []
        if named[1] not in _READ:
            return []
        try:
            event = json.loads(line.text)
        except (ValueError, RecursionError):
            self._unreadable(line, f"{named[1]} that cannot be read as JSON")
            return []
        try:
            return self._said(named[1], event, line)
        except ValueError as error:
            self._report.bad(line.number, f"{named[1]}: {error}")
            return []

    def _unreadable(self, line: Line, what: str) -> None:
        if line.ended:
            self._report.bad(line.number, what)
        else:
            self._report.note(line.number, "the log ends within this line: it is still written, or was cut off")

    def _said(self, name: str, event: dict[str, Any], line: Line) -> list[Decoded]:
        """What an event says. Raises ValueError."""
        if name == "TaskEnd":
            return self._task_ended(event, line)
        if name == "TaskStart":
            return self._task_started(event)
        if name == "ExecutorRemoved":
            return [self._removed(event)]
        if name == "StageCompleted":
            return self._stage_completed(event)
        if name == PROGRESS:
            return self._batch_ended(event, line)
        if name == "JobStart":
            self._jobs.job_started(event)
        elif name == "StageSubmitted":
            self._jobs.stage_submitted(event)
        elif name == "SQLExecutionStart":
            self._jobs.execution_started(event)
        elif name == "ExecutorAdded":
            host = members_of(event, "Executor Info").get("Host", "")
            self._hosts[str(event.get("Executor ID", ""))] = str(host)
        return []

    def _task_started(self, event: Json) -> list[Decoded]:
        task = task_of(event)
        if len(self._running) < MOST_RUNNING:
            self._running.add(task.number)
        if not task.speculative or task.stage_name in self._speculated or len(self._speculated) >= MOST_STAGES:
            return []
        self._speculated.add(task.stage_name)
        what = f"stage {task.stage_name}: speculative copy of task {task.place} on executor {task.executor}"
        return [_mark(task.launched, what)]

    def _task_ended(self, event: Json, line: Line) -> list[Decoded]:
        task = task_of(event)
        if task.reason == RESUBMITTED and task.number not in self._running:
            self._again += 1  # its output was lost with its executor; its time has been counted
            return []
        parts = [part for part in parts_of(task, event) if part.taken or part.name in (RUN, NO_METRICS)]
        self._running.discard(task.number)
        self._ended += 1
        if not self._said_twice and any(part.name in WITHIN_RUN for part in parts):
            self._said_twice = True
            self._report.note(line.number, _TWICE)
        keys = self._jobs.keys_of(task) if self._keys else ()
        names = [self._series(part.name, f"stage {task.stage_name}", line) for part in parts]
        found = zip(names, parts, strict=True)
        return [self._sample(name, part, task.finished, line)._replace(keys=keys) for name, part in found]

    def _batch_ended(self, event: Json, line: Line) -> list[Decoded]:
        batch = batch_of(event)
        if batch is None:
            return []
        self._ended += 1
        if not self._said_batches:
            self._said_batches = True
            self._report.note(line.number, _BATCHES)
        parts = [part for part in batch.parts if part.taken or part.name == WHOLE_BATCH]
        keys = batch.keys if self._keys else ()
        names = [self._series(part.name, f"query {batch.query}", line) for part in parts]
        found = zip(names, parts, strict=True)
        return [self._sample(name, part, batch.finished, line)._replace(keys=keys) for name, part in found]

    def _sample(self, series: str, part: Part, finished: int, line: Line) -> Sample:
        return Sample(
            series,
            part.unit,
            part.taken,
            finished * 1000,
            Clock.EPOCH,
            label=LABEL,
            source=SOURCE,
            line=line.number,
            arrival=line.arrival,
        )

    def _series(self, part: str, of: str, line: Line) -> str:
        """The name of the series of a part ``of`` a stage or a query."""
        if not self._by_stage:
            return part
        if of not in self._stages:
            if len(self._stages) >= MOST_STAGES:
                self._say_later(line)
                return f"{LATER} {part}"
            self._stages.add(of)
        return f"{of} {part}"

    def _say_later(self, line: Line) -> None:
        if not self._said_later:
            self._said_later = True
            what = f"{MOST_STAGES} stages have series of their own; those from here on are counted as {LATER}"
            self._report.note(line.number, what)

    def _removed(self, event: Json) -> Mark:
        """The mark of an executor that is gone."""
        executor = str(event.get("Executor ID", ""))
        host = self._hosts.pop(executor, "")
        where = f" on {host}" if host else ""
        return _mark(
            moment(event, "Timestamp"),
            f"executor {executor}{where} removed: {event.get('Removed Reason', 'no reason')}",
        )

    def _stage_completed(self, event: Json) -> list[Decoded]:
        """The mark of a stage that failed."""
        info = members_of(event, "Stage Info")
        if not info.get("Failure Reason"):
            return []
        name = f"{whole(info, 'Stage ID')}.{whole(info, 'Stage Attempt ID', 0)}"
        return [_mark(moment(info, "Completion Time"), f"stage {name} failed: {info['Failure Reason']}")]

    def _account(self, last: int) -> None:
        """What there is to say at the end. Raises Refused if no task has ended."""
        if self._again:
            what = f"ends of tasks that had ended before ({RESUBMITTED}: their output was lost) are not counted again"
            self._report.note(last, f"{self._again} {what}")
        if self._running:
            self._report.note(last, f"{len(self._running)} tasks have started and not ended here; they are not counted")
        if not self._ended:
            raise Refused(f"{self._report.name}: {_NOTHING}; what would work is the log of an application that has run")


def _mark(millis: int, note: str) -> Mark:
    return Mark(Stamp(millis * 1000), printable(note))
