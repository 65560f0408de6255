"""What executors read: whole inputs, splits, and the last step of the files whose splits were counted.

A task of Spark does tasks of ``InputReader`` in a folder of its own, and yields the portions that these wrote as rows.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from ...errors import BadInput
from ...session.input import ReadPlan
from ..event_counts import EventCounts
from ..file_reading import LAST, PART, InputReader, ReadTask, StandIn
from ..portions import EVENTS, Portion, PortionWriter, index_of
from .hadoop_files import HadoopFile
from .rows import ACCOUNT, COUNTS, FOUND, INTERVALS, MOST_BYTES, RESULT, FoundRow, batches_of_rows, rows_of, small_parts


class ReadingPlace(NamedTuple):
    """How inputs are read, and from where: in the folder and the time zone of the driver, so that names, and times
    without a zone, mean the same.
    """

    plan: ReadPlan
    strict: bool
    folder: str
    zone: str | None


class NumberedTask(NamedTuple):
    """A task, with the number of its input."""

    input: int
    task: ReadTask


@contextmanager
def in_the_zone(place: ReadingPlace) -> Iterator[None]:
    """Work in the zone of the driver."""
    zone = os.environ.get("TZ")
    _set_zone(place.zone or zone)
    try:
        yield
    finally:
        _set_zone(zone)


def _set_zone(zone: str | None) -> None:
    if zone == os.environ.get("TZ"):
        return
    os.environ.pop("TZ", None)
    if zone is not None:
        os.environ["TZ"] = zone
    time.tzset()


def local_zone() -> str | None:
    """The name of the time zone of this machine, if it has one."""
    named = os.environ.get("TZ")
    path = os.path.realpath("/etc/localtime")
    return named or (path.partition("/zoneinfo/")[2] or None)


# Reading.


def read_inputs(place: ReadingPlace, tasks: Sequence[Sequence[NumberedTask]], batches: Iterable[Any]) -> Iterator[Any]:
    """Do the tasks whose places come as rows, and yield what they find: a function for ``mapInArrow``."""
    with in_the_zone(place):
        numbers = (int(number) for (number,) in rows_of(batches))
        rows = (row for number in numbers for one in tasks[number] for row in done(place, one))
        yield from batches_of_rows(rows, FOUND)


def read_last_steps(
    place: ReadingPlace, tasks: Sequence[NumberedTask], elsewhere: Any, batches: Iterable[Any]
) -> Iterator[Any]:
    """The last step of each file whose accounts come as rows, sorted by file and place: for ``mapInArrow``. The files
    that are ``elsewhere``, if there are any, are a broadcast HadoopFile by number.
    """
    by_input = {one.input: one for one in tasks}
    files = {} if elsewhere is None else elsewhere.value
    with in_the_zone(place):
        rows = (FoundRow(*row) for row in rows_of(batches))
        found = (
            row
            for number, of_file in groupby(rows, key=lambda row: row.input)
            for row in done(place, by_input[number], partial(_with_accounts, of_file, files.get(number)))
        )
        yield from batches_of_rows(found, FOUND)


class PreparedTask(NamedTuple):
    """A task, and what stands for a file that is elsewhere."""

    task: ReadTask
    stand_in: StandIn | None = None


def _as_it_is(_: Path, task: ReadTask) -> PreparedTask:
    return PreparedTask(task)


def _with_accounts(
    accounts: Iterable[FoundRow], elsewhere: HadoopFile | None, folder: Path, task: ReadTask
) -> PreparedTask:
    """The last step with its accounts, each as a portion without counts."""
    names: list[str] = []
    for account in accounts:
        names.append(f"account-{account.begin}")
        PortionWriter(folder / names[-1]).finish(json.loads(account.data))
    stand_in = elsewhere and StandIn(elsewhere.stand_in(folder / "stand-in"), is_whole=False)
    return PreparedTask(task._replace(parts=tuple(names)), stand_in)


def done(
    place: ReadingPlace, numbered: NumberedTask, prepare: Callable[[Path, ReadTask], PreparedTask] = _as_it_is
) -> Iterator[FoundRow]:
    """Do one task, and yield what it found; the blocks of its portion are read one after the other."""
    with TemporaryDirectory(prefix="pylatencymap-") as name:
        folder = Path(name)
        task, stand_in = prepare(folder, numbered.task)
        reader = InputReader(place.plan, folder, place.strict, lambda _: None, at=place.folder)
        try:
            result = reader.done(task, stand_in)
        except BadInput as error:
            result = {"bad_input": str(error)}
        begin = -1 if task.step == LAST else task.begin  # the last step comes before all splits
        if "failed" in result or "bad_input" in result:
            yield _row(numbered.input, begin, RESULT, [result, None])
        else:
            yield from rows_of_portion(numbered.input, begin, result, folder / task.name, is_part=task.step == PART)


def rows_of_portion(
    number: int, begin: int, result: dict[str, Any], path: Path, *, is_part: bool = False
) -> Iterator[FoundRow]:
    """A portion that was written, as rows of an input and a split. A part has an account as well."""
    index = index_of(path)
    account = {name: index["about"].pop(name, None) for name in ("account", "seam")}
    yield _row(number, begin, RESULT, [result, {**index, "blocks": []}])
    if is_part:
        yield _row(number, begin, ACCOUNT, account)
    portion = Portion.at(path)
    kind = COUNTS if portion.kind == EVENTS else INTERVALS
    for block in portion.blocks:
        data = portion.read(block)
        if kind == COUNTS and len(data) > MOST_BYTES:
            for part in small_parts(EventCounts.from_bytes(data)):
                yield FoundRow(number, begin, kind, block.number, part.to_bytes())
        else:
            yield FoundRow(number, begin, kind, block.number, data)


def _row(number: int, begin: int, kind: int, value: Any) -> FoundRow:
    return FoundRow(number, begin, kind, 0, json.dumps(value).encode())
