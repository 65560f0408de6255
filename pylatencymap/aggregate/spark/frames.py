"""Events in the rows of a DataFrame: they are counted where they are, and only counts leave the executors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import NoInterval, UsageError
from ...scan import SERIES, OwnerSums, buckets_of, sum_events
from ...session.input import ReadPlan
from ...stream import is_on_axis
from ...tables import TableSeries
from ...units import Unit
from ..archive import ArchivedInput
from ..event_counts import EventCounts, added, exact
from ..outputs import output_at
from ..portions import MOST_HELD, PortionWriter
from ..run import AggregateQuestion
from .rows import FOUND, batches_of_rows
from .run import InputState, SparkAggregation
from .session import SparkOptions, set_to
from .tasks import rows_of_portion

NO_EVENT = "there is no event in the DataFrame"
SOURCE = "columns"
ALL = "all"
"""The name of the series if no column names it."""
EVENT_ROWS = {"spark.sql.execution.arrow.maxRecordsPerBatch": "65536"}
"""Rows of events are short, so many travel at once."""
_WHOLE = {"ns": (Unit.NS, 1), "us": (Unit.US, 1), "ms": (Unit.MS, 1), "s": (Unit.US, 1_000_000)}
"""The unit in which whole numbers are kept, and what they are multiplied by."""
_NANOS = {"ns": 1, "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000}
_MOST_LATENCY = 1 << 53


class EventColumns(NamedTuple):
    """Which columns of a DataFrame have the time, the latency and the series, and the unit of latencies."""

    time: str
    latency: str
    series: str | None = None
    unit: str = "us"

    def selected(self, frame: Any) -> tuple[Any, Unit]:
        """Time in epoch microseconds, latency as a whole number, and series; and the unit of the latency. What cannot
        be a number is null. Raises UsageError.
        """
        from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

        if self.unit not in _WHOLE:
            raise UsageError(f"unit={self.unit!r}: must be one of {', '.join(_WHOLE)}")
        kinds = {field.name: field.dataType.typeName() for field in frame.schema.fields}
        for name in (self.time, self.latency, *([self.series] if self.series else [])):
            if name not in kinds:
                raise UsageError(f"the DataFrame has no column {name}; there are: {', '.join(kinds)}")
        if kinds[self.time] in ("timestamp", "timestamp_ntz"):
            time = F.unix_micros(F.col(self.time).cast("timestamp"))
        elif kinds[self.time] in _NUMBERS:
            time = (F.col(self.time).try_cast("decimal(20,6)") * 1_000_000).try_cast("bigint")
        else:
            raise UsageError(f"{self.time} is a {kinds[self.time]}: cast it to timestamp, or to epoch seconds")
        if kinds[self.latency] not in _NUMBERS:
            raise UsageError(f"{self.latency} is a {kinds[self.latency]}: it must be a number")
        kept, factor = _WHOLE[self.unit]
        if kinds[self.latency] in _INTEGERS:
            latency = F.try_multiply(F.col(self.latency).cast("bigint"), F.lit(factor).cast("bigint"))
        else:
            kept = Unit.NS
            latency = F.round(F.col(self.latency).cast("double") * _NANOS[self.unit]).try_cast("bigint")
        series = F.lit(ALL) if self.series is None else F.coalesce(F.col(self.series).cast("string"), F.lit(""))
        return frame.select(time.alias("time"), latency.alias("latency"), series.alias("series")), kept


_INTEGERS = ("byte", "short", "integer", "long", "tinyint", "smallint", "int", "bigint")
_NUMBERS = (*_INTEGERS, "float", "double", "decimal")


class CountedEvents(NamedTuple):
    """How events are counted: bins of ``width`` microseconds, latencies in ``unit``, and the label of the counts."""

    width: int
    unit: Unit
    label: str

    def rows(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Count the events of a part of a DataFrame: for ``mapInArrow``."""
        from pyspark import TaskContext

        context = TaskContext.get()
        number = context.partitionId() if context is not None else 0
        with TemporaryDirectory(prefix="pylatencymap-") as name:
            path = Path(name) / "portion"
            portion = PortionWriter(path)
            bad = self._counted(batches, portion)
            portion.finish({})
            result = {"bad": bad, "width": self.width, "shift": 0, "clock": True, "parts": True}
            yield from batches_of_rows(rows_of_portion(0, number, result, path), FOUND)

    def _counted(self, batches: Iterable[Any], portion: PortionWriter) -> int:
        """Count all events; returns how many rows are none."""
        parts: list[EventCounts] = []
        bad = held = 0
        for batch in batches:
            times, latencies, series, wrong = self._events(batch, portion)
            bad += wrong
            parts.append(exact(summed(times // self.width * SERIES + series, latencies)))
            held += int(parts[-1].sums.buckets.size)
            if held > MOST_HELD:
                portion.add_counts(added(parts))
                parts, held = [], 0
        portion.add_counts(added(parts))
        return bad

    def _events(
        self, batch: Any, portion: PortionWriter
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], int]:
        """Times, latencies and numbers of series of the rows that are events, and how many others there are."""
        times, latencies = (_whole(batch.column(place)) for place in (0, 1))
        names = batch.column(2).dictionary_encode()
        kinds = [TableSeries(name, self.unit, self.label, SOURCE) for name in names.dictionary.to_pylist()]
        numbers = np.array([portion.number_of(one) for one in kinds] or [0], np.int64)
        series = numbers[np.asarray(names.indices.to_numpy(zero_copy_only=False), np.int64)]
        good = (times > 0) & (latencies >= 0) & (latencies < _MOST_LATENCY)
        for moment in (times[good].min(initial=1 << 62), times[good].max(initial=0)):
            if good.any() and not is_on_axis(int(moment)):
                good &= np.array([is_on_axis(one) for one in times.tolist()])
        return times[good], latencies[good], series[good], int(good.size - good.sum())


def summed(owners: NDArray[np.int64], latencies: NDArray[np.int64]) -> OwnerSums:
    """The sums of single events, exact as long as 64 bits hold them."""
    sums = sum_events(owners, buckets_of(latencies), latencies)
    order = owners.argsort(kind="stable")
    firsts = owners[order].searchsorted(sums.owners)
    return sums._replace(waited=np.add.reduceat(latencies[order], firsts)) if owners.size else sums


def _whole(column: Any) -> NDArray[np.int64]:
    """A column of whole numbers; -1 where it has none."""
    values: NDArray[np.int64] = np.asarray(column.fill_null(-1).to_numpy(zero_copy_only=False), np.int64)
    return values


class FrameAggregation(SparkAggregation):
    """The aggregation of the events in a DataFrame."""

    def __init__(self, frame: Any, columns: EventColumns, plan: ReadPlan, path: str, width: int) -> None:
        if not hasattr(frame, "sparkSession"):
            raise UsageError(f"from_spark takes a DataFrame of Spark, and no {type(frame).__name__}")
        about = ArchivedInput("<DataFrame>", 0, 0, True)
        question = AggregateQuestion([about], output_at(path, None), plan)
        super().__init__(question, SparkOptions(), lambda _: None, lambda _: None, frame.sparkSession)
        self._frame, self._columns, self._width = frame, columns, width

    @property
    def bad(self) -> int:
        """How many rows are no events."""
        return sum(self.summary.bad.values())

    def _read(self, spark: Any) -> list[Any]:
        selected, unit = self._columns.selected(self._frame)
        self._reads = [InputState(self._question.inputs[0], [])]
        counted = CountedEvents(self._width, unit, self._columns.latency)
        with set_to(spark, EVENT_ROWS):
            found = self._found(selected.mapInArrow(counted.rows, FOUND), "counting")
        results = self._reads[0].results
        if not results:  # it has no partitions
            raise NoInterval(NO_EVENT)
        first = results[min(results)]
        first["bad"] = sum(one["bad"] for one in results.values())
        return [found]
