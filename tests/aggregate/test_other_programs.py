"""Other programs find the same totals in the Parquet files, and in the folders of days, that an aggregation writes."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.aggregate.asking import aggregated, converted, waits
from tests.aggregate.spark_session import skip_without_spark, spark as spark

skip_without_spark()
pytestmark = [pytest.mark.heavy, pytest.mark.timeout(500)]
NIGHT = 1_774_051_200 - 120
"""Two minutes before a midnight of UTC, epoch seconds."""
ASKED = "select series, cast(day as string) d, sum(count) n, round(sum(waited), 6) w from {} group by series, day"
Totals = set[tuple[str, str, float, float]]
"""By series and day: events, and seconds waited."""


def by_pyarrow(path: Path, _: Any) -> Totals:
    from pyarrow import parquet

    table = parquet.read_table(path)
    found = table.group_by(["series", "day"]).aggregate([("count", "sum"), ("waited", "sum")]).to_pylist()
    return {(row["series"], str(row["day"]), row["count_sum"], round(row["waited_sum"], 6)) for row in found}


def by_duckdb(path: Path, _: Any) -> Totals:
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed: make heavy installs it")
    files = path if path.is_file() else path / "*/*.parquet"
    return set(duckdb.sql(ASKED.format(f"read_parquet('{files}', hive_partitioning = true)")).fetchall())


def by_spark(path: Path, spark: Any) -> Totals:
    spark.read.parquet(str(path)).createOrReplaceTempView("written")
    return {tuple(row) for row in spark.sql(ASKED.format("written")).collect()}


@pytest.mark.parametrize("program", [by_pyarrow, by_duckdb, by_spark])
@pytest.mark.parametrize("name", ["x.parquet", "days/"])
def test_the_same_totals(tmp_path: Path, spark: Any, name: str, program: Callable[[Path, Any], Totals]) -> None:
    path = tmp_path / "night.trc"
    path.write_text(waits(Random(4), 12_000, NIGHT))
    aggregated([path], f"{tmp_path}/{name}")
    events, waited = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for line in converted(path)[0]:
        key = line["series"], "2026-03-20" if line["end"] <= 1_774_051_200 else "2026-03-21"
        events[key] += sum(count for *_, count in line["counts"])
        waited[key] += line["time"]
    assert len(events) == 4
    assert sum(events.values()) == 12_000
    assert program(tmp_path / name, spark) == {(*key, events[key], round(waited[key], 6)) for key in events}
