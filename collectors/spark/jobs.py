"""What earlier lines say about the stages of later tasks: their names, jobs, SQL executions and descriptions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeVar

from ...record import EventKey
from ...text.clean import printable
from .task import Json, Task, members_of, whole

MOST_KEPT = 10_000
"""Stages and SQL executions that are remembered, the newest ones: an application can run for months."""
_PROPERTIES = (
    ("description", "spark.job.description"),
    ("group", "spark.jobGroup.id"),
    ("sql", "spark.sql.execution.id"),
    ("query", "sql.streaming.queryId"),
    ("batch", "streaming.sql.batchId"),
)
"""Keys of events, and the local properties of a stage that hold them."""
_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class _Stage(NamedTuple):
    """What is known of a stage."""

    name: str
    properties: tuple[tuple[str, str], ...]


class Jobs:
    """Remembers what lines say about jobs and stages, and tells it of a task."""

    def __init__(self) -> None:
        self._stages: dict[int, _Stage] = {}
        self._jobs: dict[int, int] = {}
        self._executions: dict[str, str] = {}

    def job_started(self, event: Json) -> None:
        """Remember which stages a job has; one that several jobs use is that of the last one. Raises ValueError."""
        job, stages = whole(event, "Job ID"), event.get("Stage IDs")
        for stage in stages if isinstance(stages, list) else ():
            if isinstance(stage, int):
                _remember(self._jobs, stage, job)

    def stage_submitted(self, event: Json) -> None:
        """Remember a stage. Raises ValueError."""
        info, properties = members_of(event, "Stage Info"), members_of(event, "Properties")
        said = tuple((key, str(properties[name])) for key, name in _PROPERTIES if properties.get(name) is not None)
        _remember(self._stages, whole(info, "Stage ID"), _Stage(str(info.get("Stage Name", "")), said))

    def execution_started(self, event: Json) -> None:
        """Remember what an SQL execution is called. Raises ValueError."""
        _remember(self._executions, str(whole(event, "executionId")), str(event.get("description", "")))

    def keys_of(self, task: Task) -> tuple[EventKey, ...]:
        """The keys of the events of a task that ended, what says most first."""
        return tuple([EventKey(one.name, printable(one.value), printable(one.note)) for one in self._keys(task)])

    def _keys(self, task: Task) -> Iterator[EventKey]:
        stage = self._stages.get(task.stage)
        yield EventKey("stage", task.stage_name, stage.name if stage else "")
        yield EventKey("executor", task.executor, task.host)
        yield EventKey("host", task.host)
        yield EventKey("task", str(task.place))
        if task.stage in self._jobs:
            yield EventKey("job", str(self._jobs[task.stage]))
        for key, value in stage.properties if stage else ():
            yield EventKey(key, value, self._executions.get(value, "") if key == "sql" else "")
        yield EventKey("status", task.status)
        yield EventKey("attempt", str(task.attempt))
        yield EventKey("speculative", "yes" if task.speculative else "no")
        if task.locality:
            yield EventKey("locality", task.locality)


def _remember(known: dict[_Key, _Value], key: _Key, value: _Value) -> None:
    known.pop(key, None)
    if len(known) >= MOST_KEPT:
        del known[next(iter(known))]
    known[key] = value
