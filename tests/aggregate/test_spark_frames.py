"""``lm.from_spark``: a DataFrame is as the same table in a file."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

import pylatencymap as lm
from pylatencymap.errors import NoInterval, UsageError
from tests.aggregate.spark_session import skip_without_spark, spark as spark

skip_without_spark()
pytestmark = [pytest.mark.heavy, pytest.mark.timeout(400)]
SCHEMA = "time decimal(20,6), latency_us bigint, op string"
Rows = list[tuple[str, int, str]]


def rows(count: int = 20_000) -> Rows:
    numbers, at, found = Random(7), 1_774_000_000_000_000, Rows()
    for _ in range(count):
        at += numbers.randrange(1, 20_000)
        latency = round(10 ** numbers.uniform(1, 6))
        found.append((f"{at // 1_000_000}.{at % 1_000_000:06}", latency, numbers.choice(("read", "write", "sync"))))
    return found


def csv_of(found: Rows, path: Path) -> Path:
    path.write_text("time,latency_us,op\n" + "".join(f"{time},{latency},{op}\n" for time, latency, op in found))
    return path


def told(run: lm.Run) -> dict[str, list[Any]]:
    """All that is known of each series."""
    return {
        name: [
            (one.start, one.end, one.ranges, one.unit, one.waited, one.gap, one.estimated)
            for one in run.intervals(name)
        ]
        for name in run.series
    }


def test_a_table_is_as_lm_read_reads_it(spark: Any, tmp_path: Path) -> None:
    path = csv_of(rows(), tmp_path / "x.csv")
    expected = lm.read(path, time="time", latency="latency_us", by="op")
    frame = spark.read.csv(str(path), header=True, schema=SCHEMA).repartition(5)
    run = lm.from_spark(frame, time="time", latency="latency_us", series="op")
    assert set(run.series) == {"read", "write", "sync"}
    assert told(run) == told(expected)
    assert run.bad == 0
    frame.write.parquet(str(tmp_path / "x.parquet"))
    frame.selectExpr("timestamp_micros(cast(time * 1000000 as bigint)) time", "latency_us", "op").write.json(
        str(tmp_path / "x.json")
    )
    stored = spark.read.parquet(str(tmp_path / "x.parquet"))
    assert told(lm.from_spark(stored, time="time", latency="latency_us", series="op")) == told(run)
    lines = (
        spark.read.json(str(tmp_path / "x.json"))
        .withColumnRenamed("latency_us", "us")
        .selectExpr("cast(time as timestamp) time", "us", "op")
    )
    assert told(lm.from_spark(lines, time="time", latency="us", series="op")) == told(run)


def test_units_and_what_is_no_event(spark: Any) -> None:
    values = [(1_774_000_000.5, 0.25), (1_774_000_000.75, None), (None, 1.0), (1_774_000_001.5, -1.0), (1e300, 1.0)]
    frame = spark.createDataFrame(values, "at double, seconds double")
    run = lm.from_spark(frame, time="at", latency="seconds", unit="s")
    assert (run.series, run.bad) == (("all",), 4)
    assert run.messages == ("rows without a time or a latency: 4",)
    (only,) = run.intervals()
    assert (only.waited, only.events, only.unit.value, only.end) == (0.25, 1, "ns", 1_774_000_001_000_000)
    for nothing in (frame.filter("at is null"), frame.limit(0)):  # the latter has no partitions
        with pytest.raises(NoInterval):
            lm.from_spark(nothing, time="at", latency="seconds")
    with pytest.raises(UsageError, match="a DataFrame of Spark, and no list"):
        lm.from_spark(values, time="at", latency="seconds")
    for wrong, why in (
        ({"time": "nothing"}, "no column nothing"),
        ({"unit": "h"}, "unit='h'"),
        ({"interval": -1.0}, "interval"),
    ):
        with pytest.raises(UsageError, match=why):
            lm.from_spark(frame, **{"time": "at", "latency": "seconds", **wrong})
    with pytest.raises(UsageError, match="cast it to timestamp"):
        lm.from_spark(frame.selectExpr("cast(at as string) at", "seconds"), time="at", latency="seconds")


def test_only_accounts_come_to_the_driver(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = spark.createDataFrame(
        [(float(time), latency, op) for time, latency, op in rows(5_000)], "t double, l long, s string"
    )
    kind, collected = type(frame), list[Any]()
    real = kind.collect

    def collect(self: Any) -> list[Any]:
        found = real(self)
        collected.extend(found)
        return found

    monkeypatch.setattr(kind, "collect", collect)
    run = lm.from_spark(frame.repartition(3), time="t", latency="l", series="s", interval=10.0)
    assert sum(run.summary(name).events for name in run.series) == 5_000
    assert len(collected) == 3
    assert all(json.loads(bytes(row.data))[1]["blocks"] == [] for row in collected)
