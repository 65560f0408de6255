"""The run times of the tasks in an event log, one by one and by stage: who ran them, and how much they read."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple

from ...text.lines import Line
from .decoder import EVENT_NAME, MOST_RUNNING, MOST_STAGES
from .task import Json, members_of, task_of, whole

_BYTES = (
    ("Shuffle Read Metrics", "Remote Bytes Read"),
    ("Shuffle Read Metrics", "Local Bytes Read"),
    ("Input Metrics", "Bytes Read"),
)
_RECORDS = (("Shuffle Read Metrics", "Total Records Read"), ("Input Metrics", "Records Read"))


class TaskTime(NamedTuple):
    """A task that ended with metrics: its place in the stage, who ran it, its run time in ms, and the bytes and records
    that it read.
    """

    place: int
    executor: str
    millis: int
    size: int
    records: int


class StageTimes(NamedTuple):
    """A stage with its attempt, its name, and its tasks."""

    stage: str
    name: str
    tasks: list[TaskTime]


def stage_times(lines: Iterable[Line | None]) -> list[StageTimes]:
    """The stages of a log; none if it has too many tasks to keep all. What is damaged is passed over."""
    found: dict[str, StageTimes] = {}
    names: dict[int, str] = {}
    kept = 0
    for line in lines:
        named = EVENT_NAME.match(line.text) if line is not None else None
        if line is None or named is None or named[1] not in ("TaskEnd", "StageSubmitted"):
            continue
        try:
            event = json.loads(line.text)
            if named[1] == "StageSubmitted":
                info = members_of(event, "Stage Info")
                names[whole(info, "Stage ID")] = str(info.get("Stage Name", ""))
                continue
            task, metrics = task_of(event), members_of(event, "Task Metrics")
            if not metrics:
                continue
            read = _sum(metrics, _BYTES), _sum(metrics, _RECORDS)
            time = TaskTime(task.place, task.executor, whole(metrics, "Executor Run Time"), *read)
        except (ValueError, RecursionError):
            continue
        kept += 1
        if kept > MOST_RUNNING or len(found) > MOST_STAGES:
            return []
        stage = found.setdefault(task.stage_name, StageTimes(task.stage_name, names.get(task.stage, ""), []))
        stage.tasks.append(time)
    return [*found.values()]


def _sum(metrics: Json, names: Iterable[tuple[str, str]]) -> int:
    return sum(whole(members_of(metrics, group), name, 0) for group, name in names)
