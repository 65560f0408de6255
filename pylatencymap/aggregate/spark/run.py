"""The driver of an aggregation on Spark, twin of ``../run.py``: plans, and gets accounts and names, but no counts."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from pathlib import Path
from typing import Any

from ...errors import BadInput, Exit, LatencyMapError, SourceError
from ..archive import ArchivedInput
from ..file_reading import LAST, PART, VALUES, WHOLE, InputReader, ReadTask
from ..merging import AggregateSummary, ToWrite
from ..naming import ranking_of
from ..portions import Portion
from ..run import MOST_MESSAGES, AggregateQuestion, gathered
from ..streams import EventStream, ReadInput
from ..work_folder import WorkFolder
from .adding import StreamPlace, add_blocks, place_blocks
from .remote_inputs import RemoteInputs, RemoteTables
from .rows import ACCOUNT, BLOCKS, COUNTS, FOUND, INTERVALS, PIECES, RESULT, FoundRow
from .session import SparkOptions, opened_session, prepared, reason_of, set_to, watched
from .tasks import NumberedTask, ReadingPlace, local_zone, read_inputs, read_last_steps
from .writing import received, write_output

PER_PARTITION = 64 << 20
"""Bytes of the input for each part of the output that the driver takes at once."""
_MEGA = 1_000_000


@dataclass
class InputState:
    """What came of an input: by where a split begins its result and its portion; -1 is the last step."""

    about: ArchivedInput
    splits: list[tuple[int, int]]
    results: dict[int, dict[str, Any]] = field(default_factory=dict)
    portions: dict[int, Portion] = field(default_factory=dict)

    @property
    def failed(self) -> dict[str, Any] | None:
        return next((one for _, one in sorted(self.results.items()) if "failed" in one), None)

    @property
    def result_or_none(self) -> dict[str, Any]:
        """The same, empty before anything is known."""
        return self.result if self.results else {}

    @property
    def result(self) -> dict[str, Any]:
        """The result of the last step, or of a step that failed."""
        return self.failed or self.results[min(self.results)]

    @property
    def counting(self) -> list[int]:
        """The splits whose portions count: not those of a file that was read anew as a whole."""
        if self.failed is not None:
            return []
        return sorted(self.portions) if self.result.get("parts") else [min(self.portions)]

    @property
    def undivided(self) -> bool:
        """Whether one task read all of it."""
        return self.failed is None and not self.result.get("parts")


class SparkAggregation:
    """One run. ``say`` gets messages, and ``show`` the progress; an empty text ends it. ``session``: see
    ``opened_session``.
    """

    def __init__(
        self,
        question: AggregateQuestion,
        options: SparkOptions,
        say: Callable[[str], object],
        show: Callable[[str], object],
        session: Any = None,
    ) -> None:
        self._session = session
        self._question, self._options = question, options
        self._say, self._show = say, show
        self._reads: list[InputState] = []
        self._kept: list[Any] = []
        self.summary = AggregateSummary()

    def run(self) -> AggregateSummary:
        """Read everything, and write the output. Raises LatencyMapErrors, and OSError if it cannot be written."""
        question = self._question
        asked = {"engine": "spark"}
        folder = WorkFolder(question.output.target, asked, afresh=question.afresh, say=self._say)
        try:
            with opened_session(self._options, self._session) as spark, prepared(spark), _plainly():
                self._run(spark, folder.path)
        finally:
            self._show("")
            folder.remove()
        return self.summary

    def _run(self, spark: Any, folder: Path) -> None:
        found = self._read(spark)
        try:
            read = [ReadInput(one.about, one.result, [one.portions[at] for at in one.counting]) for one in self._reads]
            to_write = gathered(read, self._question, self.summary)
            self._tell()
            if self.summary.series:
                self._write(spark, found, to_write, folder)
        finally:
            for one in self._kept:
                one.unpersist()

    # Reading.

    def _read(self, spark: Any) -> list[Any]:
        """Read all inputs; returns what was found as tables of FoundRows, which stay with the executors."""
        remote = self._remote_inputs(spark)
        self._reads = [InputState(one, self._splits(one)) for one in self._question.inputs]
        self._reads += [InputState(one, []) for one in remote.inputs]
        self._reads.sort(key=lambda one: one.about)
        self.summary.inputs = len(self._reads)
        self.summary.size = sum(one.about.size for one in self._reads)
        remote.number([one.about for one in self._reads])
        if self._question.plan.by:
            self._rank(spark, remote)
        self._take(remote.lost())
        place = self._place()
        found = [*self._read_here(spark, place, remote), *self._read_there(remote.splits(place), "reading")]
        found += self._read_last_steps(spark, place, found, remote)
        again = {number for number, read in enumerate(self._reads) if read.result_or_none.get("again")}
        self._take(remote.lost())
        for tables in remote.wholes(place, again):
            found += self._read_there(tables, "reading as a whole")
        self._take([*remote.empty_ones(place), *remote.lost()])
        self._fail_unread()
        return found

    def _place(self) -> ReadingPlace:
        return ReadingPlace(self._question.plan, self._question.strict, os.getcwd(), local_zone())

    def _rank(self, spark: Any, remote: RemoteInputs) -> None:
        """By a key: look through all inputs; from then on the plan says how events are divided. Raises SourceError."""
        question = self._question = self._question._replace(plan=replace(self._question.plan, jobs=1))
        self._take(remote.lost())
        known: dict[ReadTask, dict[str, Any]] = {}
        about: dict[ReadTask, dict[str, Any]] = {}
        for row in sorted(self._looked_through(spark, remote), key=lambda row: row.input):
            result, index = self._result_and_index(row.data)
            read = self._reads[row.input]
            if index is None:
                read.results[0] = result
            else:
                task = _task(read, VALUES)
                known[task], about[task] = result, index["about"]
        ranking = ranking_of(question.plan.divided_by, known, about.__getitem__)
        self.summary.without_key = ranking.without_key
        self._question = question._replace(plan=replace(question.plan, division=ranking.division))
        for note in ranking.notes():
            self._say(note)

    def _looked_through(self, spark: Any, remote: RemoteInputs) -> Iterator[FoundRow]:
        """What the values of the key have waited in each input, as results."""
        place = self._place()
        tasks = [NumberedTask(one, _task(read, VALUES)) for one, read in enumerate(self._reads)]
        here = [one for one in tasks if one.input not in remote.files]
        if here:
            yield from self._results(self._tasks_of(spark, _packed(here, self._options.split), place), "ranking")
        for tables in remote.wholes(place, (), VALUES):
            with set_to(spark, tables.settings):
                for rows in tables.rows:
                    yield from self._results(rows.mapInArrow(tables.read, FOUND), "ranking")
        yield from (row for row in remote.empty_ones(place, VALUES) if row.kind == RESULT)

    def _results(self, table: Any, doing: str) -> Iterator[FoundRow]:
        """The results among FoundRows, which are made for them."""
        with watched(table.sparkSession, doing, self._show):
            found = table.filter(table.kind == RESULT).select("input", "begin", "data").collect()
        yield from (FoundRow(number, begin, RESULT, 0, bytes(data)) for number, begin, data in sorted(found))

    def _remote_inputs(self, spark: Any) -> RemoteInputs:
        reader = InputReader(self._question.plan, Path(), False, lambda _: None, self._options.split)
        return RemoteInputs(spark, self._options.remote, reader, self._options.split)

    def _read_here(self, spark: Any, place: ReadingPlace, remote: RemoteInputs) -> Iterator[Any]:
        """Read what is on file systems of the executors."""
        tasks = _packed([one for one in self._tasks() if one.input not in remote.files], self._options.split)
        if tasks:
            yield self._found(self._tasks_of(spark, tasks, place), "reading")

    def _tasks_of(self, spark: Any, tasks: Sequence[Sequence[NumberedTask]], place: ReadingPlace) -> Any:
        """What the tasks find, as a table of FoundRows: some of them are a task of Spark."""
        rows = spark.range(0, len(tasks), 1, max(len(tasks), 1))
        return rows.mapInArrow(partial(read_inputs, place, tasks), FOUND)

    def _read_there(self, tables: RemoteTables, doing: str) -> Iterator[Any]:
        """Read what Spark's readers hand over."""
        for number, one in tables.divided.items():
            self._reads[number].splits = [(0, one.size)]
        if tables.rows:
            with set_to(tables.rows[0].sparkSession, tables.settings):
                made = [rows.mapInArrow(tables.read, FOUND) for rows in tables.rows]
                yield self._found(reduce(lambda one, other: one.union(other), made), doing)

    def _read_last_steps(
        self, spark: Any, place: ReadingPlace, found: Sequence[Any], remote: RemoteInputs
    ) -> Iterator[Any]:
        last = [NumberedTask(number, _task(read, LAST)) for number, read in enumerate(self._reads) if _is_due(read)]
        if not last:
            return
        every = reduce(lambda one, other: one.union(other), found)
        accounts = every.filter(every.kind == ACCOUNT).filter(every.input.isin([one.input for one in last]))
        accounts = accounts.repartition(min(len(last), _most_tasks(spark)), "input")
        accounts = accounts.sortWithinPartitions("input", "begin")
        read = partial(read_last_steps, place, last, remote.shared)
        yield self._found(accounts.mapInArrow(read, FOUND), "judging")

    def _fail_unread(self) -> None:
        for read in self._reads:
            if not read.results:
                why = f"{read.about.path}: Spark's reader handed over nothing of it, as of a file that is gone"
                read.results[0] = {"failed": why, "status": int(Exit.SOURCE)}

    def _splits(self, one: ArchivedInput) -> list[tuple[int, int]]:
        reader = InputReader(self._question.plan, Path(), False, lambda _: None, self._options.split)
        try:
            return reader.splits(one.path, one.size)
        except (LatencyMapError, OSError):
            return []  # its task will say what is wrong

    def _tasks(self) -> Iterator[NumberedTask]:
        for number, read in enumerate(self._reads):
            if read.failed is not None:  # when it was looked through
                continue
            if not read.splits:
                yield NumberedTask(number, _task(read, WHOLE))
            for split in read.splits:
                yield NumberedTask(number, _task(read, PART, *split))

    def _found(self, table: Any, doing: str) -> Any:
        """Run the reading; its results come here, its blocks stay on the disks of the executors."""
        from pyspark import StorageLevel

        kept = table.persist(StorageLevel.DISK_ONLY)
        self._kept.append(kept)
        self._take(self._results(kept, doing))
        return kept

    def _take(self, results: Iterable[FoundRow]) -> None:
        """Take in results; raises BadInput for the first bad record, with ``strict``."""
        for number, begin, _, _, data in results:
            result, index = self._result_and_index(data)
            read = self._reads[number]
            read.results[begin] = result
            if index is not None:
                read.portions[begin] = Portion(index)

    def _result_and_index(self, data: bytes) -> tuple[dict[str, Any], dict[str, Any] | None]:
        """A result and the index of its portion; its first messages are said. Raises BadInput."""
        result, index = json.loads(data)
        if "bad_input" in result:
            raise BadInput(result["bad_input"])
        for message in result.get("messages", ())[:MOST_MESSAGES]:
            self._say(message)
        return result, index

    def _tell(self) -> None:
        """Say which large files were read by one task each: what no number of executors makes faster."""
        whole = [one.about for one in self._reads if one.undivided and one.about.size > self._options.split]
        if whole:
            largest = max(whole, key=lambda one: one.size)
            total = sum(one.size for one in whole)
            each = "1 file" if len(whole) == 1 else f"{len(whole)} files"
            self._say(
                f"{each} of more than a split ({total / _MEGA:,.0f} MB) could not be divided, and one task read each: "
                f"the largest is {largest.path} ({largest.size / _MEGA:,.0f} MB)"
            )

    # Writing.

    def _write(self, spark: Any, found: Sequence[Any], to_write: ToWrite, folder: Path) -> None:
        output = self._question.output
        places, intervals = self._places(to_write)
        every = reduce(lambda one, other: one.union(other), found)
        blocks = every.filter(every.kind.isin(COUNTS, INTERVALS)).mapInArrow(partial(place_blocks, places), BLOCKS)
        by_time = blocks.repartition(_most_tasks(spark), "stream", "number").sortWithinPartitions("stream", "number")
        added = by_time.mapInArrow(partial(add_blocks, intervals), BLOCKS)
        pieces = added.repartition(1).mapInArrow(partial(write_output, to_write, output), PIECES)
        parts = max(self.summary.size // PER_PARTITION, 1)
        with watched(spark, f"writing {output.target}", self._show):
            made = received(pieces.repartition(parts, "piece").toLocalIterator(), folder, self.summary)
        output.put(made)

    def _places(self, to_write: ToWrite) -> tuple[dict[tuple[int, int], StreamPlace], frozenset[int]]:
        """Where the blocks of each portion go; and which streams are of intervals."""
        keys = {id(read.portions[at]): (number, at) for number, read in enumerate(self._reads) for at in read.counting}
        found: dict[tuple[int, int], StreamPlace] = {}
        intervals: set[int] = set()
        for stream, (one, named) in enumerate(zip(to_write.streams, to_write.names, strict=True)):
            if not named:
                continue
            if not isinstance(one, EventStream):
                found[keys[id(one.portion)]] = StreamPlace(stream)
                intervals.add(stream)
                continue
            places = {series: place for place, series in enumerate(sorted(named, key=lambda series: series.words))}
            for counted in one.portions:
                mine = tuple(places.get(series, -1) for series in counted.portion.series)
                found[keys[id(counted.portion)]] = StreamPlace(stream, counted.moved, mine)
        return found, frozenset(intervals)


def _most_tasks(spark: Any) -> int:
    """How many tasks add blocks: some for each core that there is."""
    return int(spark.sparkContext.defaultParallelism) * 2


def _is_due(read: InputState) -> bool:
    return bool(read.splits) and read.failed is None


def _task(read: InputState, step: str, begin: int = 0, end: int = 0) -> ReadTask:
    one = read.about
    return ReadTask(step, one.path, one.size, one.modified, f"portion-{begin}", begin, end)


def _packed(tasks: Sequence[NumberedTask], split: int) -> list[list[NumberedTask]]:
    """The tasks, the largest first, and small ones together up to the size of a split: what a task of Spark does."""
    found: list[list[NumberedTask]] = []
    room = 0
    for one in sorted(tasks, key=lambda one: (-_size(one), one.input, one.task.begin)):
        if not found or _size(one) > room:
            found.append([])
            room = split
        found[-1].append(one)
        room -= _size(one)
    return found


def _size(one: NumberedTask) -> int:
    task = one.task
    return max(task.end - task.begin if task.step == PART else task.size, 1 << 16)


@contextmanager
def _plainly() -> Iterator[None]:
    """Errors of Spark as one line."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as error:
        raise SourceError(f"Spark could not do it: {reason_of(error)}") from error
