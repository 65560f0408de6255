"""What a line about a task says: who ran it, and where its time went, by the formulas of Spark's own web interface; and
what one about a micro-batch of Structured Streaming says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple, TypeAlias

from ...record import EventKey
from ...text.clean import printable
from ...units import Unit

Json: TypeAlias = Mapping[str, Any]
RUN, DELAY, NO_METRICS = "run time", "scheduler delay", "task without metrics"
GETTING = "getting result"
GC, FETCH, WRITE = "GC", "shuffle fetch wait", "shuffle write"
WITHIN_RUN = (GC, FETCH, WRITE)
"""Parts of the run time: whoever adds up all series counts them twice."""
MOST_MILLIS = 1 << 46
"""No moment and no duration is larger, in milliseconds: it would be damage."""
SUCCESS, RESUBMITTED = "Success", "Resubmitted"
_KILLED = ("TaskKilled", "TaskCommitDenied")
"""Reasons that Spark counts as killed; all others but success are failures."""

PROGRESS = "QueryProgressEvent"
WHOLE_BATCH = "batch"
_TOTAL, _WORK = "triggerExecution", "addBatch"
_PART = re.compile(r"\w{1,40}")
_MOST_PARTS = 20


class Part(NamedTuple):
    """A part of the time of a task, as a whole number of units."""

    name: str
    taken: int
    unit: Unit = Unit.MS


class Task(NamedTuple):
    """A task, as its start or its end tells it. Moments are epoch milliseconds of the driver's clock.

    ``place``: which one of its stage it is, the same for all its attempts and copies. ``reason``: why it ended.
    """

    number: int
    stage: int
    stage_attempt: int
    place: int
    attempt: int
    launched: int
    finished: int
    fetching: int
    executor: str
    host: str
    locality: str
    speculative: bool
    reason: str

    @property
    def stage_name(self) -> str:
        """The stage as Spark's messages name it: with the number of its attempt."""
        return f"{self.stage}.{self.stage_attempt}"

    @property
    def status(self) -> str:
        """How it ended."""
        if self.reason == SUCCESS:
            return "success"
        return f"{'killed' if self.reason in _KILLED else 'failed'}: {self.reason}"


def whole(members: Json, name: str, default: int | None = None) -> int:
    """A member that is a whole number of zero or more. Raises ValueError."""
    value = members.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{name} is no whole number")  # noqa: TRY004 - a member of a text, not an argument
    if not 0 <= value < MOST_MILLIS * 10**6:
        raise ValueError(f"{name} is {value}"[:80])
    return value


def members_of(event: Json, name: str) -> Json:
    """A member that is an object; empty if there is none. Raises ValueError."""
    found = event.get(name)
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise ValueError(f"{name} is no object")  # noqa: TRY004 - the same
    return found


def moment(members: Json, name: str, default: int | None = None) -> int:
    """A member in epoch milliseconds. Raises ValueError."""
    value = whole(members, name, default)
    if value >= MOST_MILLIS:
        raise ValueError(f"{name} is {value}")
    return value


def task_of(event: Json) -> Task:
    """The task of a TaskStart or a TaskEnd. Raises ValueError."""
    info = members_of(event, "Task Info")
    return Task(
        number=whole(info, "Task ID"),
        stage=whole(event, "Stage ID"),
        stage_attempt=whole(event, "Stage Attempt ID", 0),
        place=whole(info, "Index", 0),
        attempt=whole(info, "Attempt", 0),
        launched=moment(info, "Launch Time"),
        finished=moment(info, "Finish Time", 0),
        fetching=moment(info, "Getting Result Time", 0),
        executor=str(info.get("Executor ID", "")),
        host=str(info.get("Host", "")),
        locality=str(info.get("Locality", "")),
        speculative=info.get("Speculative") is True,
        reason=str(members_of(event, "Task End Reason").get("Reason", "")),
    )


def parts_of(task: Task, event: Json) -> Iterator[Part]:
    """Where the time of a task that ended went, as the status store of Spark counts it; but a task without metrics is
    told apart, which the store counts as scheduler delay. Raises ValueError.
    """
    duration = task.finished - task.launched
    fetched = task.finished - task.fetching if task.fetching else 0
    if duration < 0 or fetched < 0:
        raise ValueError("the task ends before it begins")
    metrics = members_of(event, "Task Metrics")
    if not metrics:
        yield Part(NO_METRICS, duration - fetched)
    else:
        run = whole(metrics, "Executor Run Time")
        begun = whole(metrics, "Executor Deserialize Time", 0)
        sent = whole(metrics, "Result Serialization Time", 0)
        yield Part(RUN, run)
        yield Part(DELAY, max(0, duration - run - begun - sent - fetched))
        yield Part("deserialization", begun)
        yield Part("result serialization", sent)
        yield Part(GC, whole(metrics, "JVM GC Time", 0))
        yield Part(FETCH, whole(members_of(metrics, "Shuffle Read Metrics"), "Fetch Wait Time", 0))
        yield Part(WRITE, whole(members_of(metrics, "Shuffle Write Metrics"), "Shuffle Write Time", 0), Unit.NS)
    yield Part(GETTING, fetched)


class MicroBatch(NamedTuple):
    """A batch that ended, at an epoch millisecond of the driver's clock; the first part is the whole of it."""

    query: str
    number: int
    finished: int
    parts: tuple[Part, ...]

    @property
    def keys(self) -> tuple[EventKey, ...]:
        """The keys of its events."""
        return EventKey("query", self.query), EventKey("batch", str(self.number))


def batch_of(event: Json) -> MicroBatch | None:
    """The batch that a progress is about; None if there was nothing to do, of which Spark tells as well. Raises
    ValueError.
    """
    progress = members_of(event, "progress")
    durations = members_of(progress, "durationMs")
    if _WORK not in durations:
        return None
    begun = datetime.fromisoformat(str(progress.get("timestamp", "")).replace("Z", "+00:00"))
    if begun.tzinfo is None:
        raise ValueError("timestamp has no zone")
    total = whole(durations, _TOTAL)
    names = sorted(name for name in durations if name != _TOTAL and _PART.fullmatch(name))[:_MOST_PARTS]
    parts = (Part(WHOLE_BATCH, total), *(Part(name, whole(durations, name)) for name in names))
    query = printable(str(progress.get("name") or progress.get("id") or "?"))
    return MicroBatch(query, whole(progress, "batchId"), round(begun.timestamp() * 1000) + total, parts)
