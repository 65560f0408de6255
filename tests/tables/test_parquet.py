"""What is written to Parquet is read again, and its bytes do not depend on how it arrives."""

import itertools
from pathlib import Path
from random import Random

import pytest

from pylatencymap.interval import Interval
from pylatencymap.tables import (
    IntervalColumns,
    ParquetWriter,
    columns_of_intervals,
    files_within,
    is_parquet,
    joined,
    parquet_reader,
    parquet_writer,
    read_parquet,
)
from pylatencymap.units import Unit

pytest.importorskip("pyarrow")


def some(numbers: Random, count: int) -> list[Interval]:
    """Intervals of all kinds."""
    found = []
    for second in range(count):
        gap = numbers.random() < 0.1
        bounds = sorted(numbers.sample(range(200), 2 * numbers.randrange(4)))
        ranges = tuple(
            (low, high, numbers.randrange(1, 9)) for low, high in zip(bounds[::2], bounds[1::2], strict=True)
        )
        if ranges and numbers.random() < 0.2:
            ranges = (*ranges, (300, None, 0.5))
        found.append(
            Interval(
                numbers.choice(("sda", "sdb", "a, b ü")),
                numbers.choice((Unit.US, Unit.MS)),
                second * 1_000_000,
                (second + 1) * 1_000_000,
                numbers.choice((1.0, 0.998)),
                () if gap else ranges,
                None if gap else numbers.random(),
                estimated=numbers.random() < 0.5,
                reset=numbers.random() < 0.1,
                gap=gap,
                clock=numbers.random() < 0.9,
                label=numbers.choice(("", "latency")),
                source=numbers.choice(("bpf", "oracle")),
                note=numbers.choice(("", "", "a note")),
                doubtful=numbers.random() < 0.1,
            )
        )
    return found


def written(path: Path, parts: list[list[Interval]]) -> bytes:
    writer = ParquetWriter(path, {"by": []}, with_day=True)
    for part in parts:
        writer.write(columns_of_intervals(part))
    writer.close()
    return path.read_bytes()


@pytest.mark.parametrize("seed", range(10))
def test_all_of_an_interval_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    numbers = Random(seed)
    monkeypatch.setattr(parquet_writer, "GROUP_ROWS", numbers.choice((1, 7, 1000)))
    monkeypatch.setattr(parquet_reader, "BATCH_ROWS", numbers.choice((1, 3, 1000)))
    intervals = some(numbers, 60)
    written(tmp_path / "x.parquet", [intervals])
    found = [one for part in read_parquet(str(tmp_path / "x.parquet"), "x") for one in part.intervals()]
    assert found == intervals


@pytest.mark.parametrize("seed", range(10))
def test_the_same_bytes_in_any_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    numbers = Random(seed)
    monkeypatch.setattr(parquet_writer, "GROUP_ROWS", 20)
    intervals = some(numbers, 80)
    cuts = [0, *sorted(numbers.sample(range(1, 80), numbers.randrange(1, 20))), 80]
    parts = [intervals[begin:end] for begin, end in itertools.pairwise(cuts)]
    assert written(tmp_path / "x", parts) == written(tmp_path / "y", [intervals])


def test_columns_as_bytes_and_joined() -> None:
    intervals = some(Random(3), 50)
    columns = columns_of_intervals(intervals)
    again = IntervalColumns.from_bytes(columns.to_bytes())
    assert list(again.intervals()) == intervals
    assert again.to_bytes() == columns.to_bytes()
    parts = [columns_of_intervals(intervals[begin : begin + 7]) for begin in range(0, 50, 7)]
    assert list(joined(parts).intervals()) == intervals
    assert list(columns.between(5, 20).intervals()) == intervals[5:20]


def test_which_files_are_parquet(tmp_path: Path) -> None:
    (tmp_path / "day=2026-01-02").mkdir()
    names = ["day=2026-01-02/part-0.parquet", "a.parquet"]
    for name in names:
        data = written(tmp_path / name, [some(Random(1), 3)])
        assert is_parquet(data)
    (tmp_path / "notes.txt").write_text("x")
    assert files_within(str(tmp_path)) == [str(tmp_path / name) for name in sorted(names)]
    assert not is_parquet(b"PAX")
