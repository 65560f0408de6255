"""The output has the same bytes however inputs are divided, and in whatever order, and by how many, they are read."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from pylatencymap.aggregate import event_counts, file_reading, portions, run, worker_processes
from pylatencymap.scan import reader
from pylatencymap.session.input import large_files
from tests.aggregate.asking import aggregated, damaged, five_kinds, waits

pytest.importorskip("pyarrow")


@pytest.fixture
def split_at(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, int], None]:
    """Sets the bytes of a chunk, and of a split."""

    def split(piece: int, size: int) -> None:
        monkeypatch.setattr(large_files, "LEAST_BYTES", 1000)
        monkeypatch.setattr(reader, "PIECE", piece)
        for module in (file_reading, run):
            monkeypatch.setattr(module, "SPLIT", size)
        monkeypatch.setattr(file_reading, "LEAST_SPLIT", size)

    return split


def output_of(folder: Path, name: str, jobs: int = 1, **more: object) -> bytes:
    aggregated([folder / "archive"], folder / f"{name}.parquet", jobs=jobs, **more)
    return (folder / f"{name}.parquet").read_bytes()


@pytest.mark.parametrize("seed", range(8))
def test_splits_of_any_size(tmp_path: Path, seed: int, split_at: Callable[[int, int], None]) -> None:
    numbers = Random(seed)
    five_kinds(tmp_path / "archive", numbers)
    split_at(1 << 20, 1 << 30)
    whole = output_of(tmp_path, "whole")
    for piece, size in ((2000, 2000), (1000, 5000), (3000, 24_000)):
        split_at(piece, size)
        assert output_of(tmp_path, f"split-{piece}-{size}") == whole


@pytest.mark.parametrize("seed", range(12))
def test_a_trace_whose_times_are_damaged_where_splits_meet(
    tmp_path: Path, seed: int, split_at: Callable[[int, int], None]
) -> None:
    numbers, archive = Random(seed), tmp_path / "archive"
    archive.mkdir()
    text = waits(numbers, 1500, 1_774_000_000)
    lines = text.splitlines(keepends=True)
    for _ in range(numbers.randrange(1, 8)):
        place = numbers.randrange(10, len(lines))
        lines[place] = lines[place].replace("tim=1774", f"tim={numbers.choice(('1775', '177', '1173', '99'))}")
    (archive / "x.trc").write_bytes(damaged("".join(lines).encode(), numbers, numbers.randrange(20)))
    split_at(1 << 20, 1 << 30)
    whole = output_of(tmp_path, "whole")
    split_at(4000, 4000)
    assert output_of(tmp_path, "split") == whole


def test_processes_and_small_buffers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, split_at: Callable[[int, int], None]
) -> None:
    five_kinds(tmp_path / "archive", Random(3))
    split_at(4000, 8000)
    alone = output_of(tmp_path, "alone")
    monkeypatch.setattr(worker_processes, "TOLD_SECONDS", 0.001)
    assert output_of(tmp_path, "three", jobs=3) == alone
    monkeypatch.setattr(portions, "MOST_HELD", 10)
    monkeypatch.setattr(portions, "MOST_SINGLES", 3)
    monkeypatch.setattr(event_counts, "BLOCK_BINS", 4)
    assert output_of(tmp_path, "small") == alone


def test_the_order_of_paths_does_not_matter(tmp_path: Path) -> None:
    paths = five_kinds(tmp_path / "archive", Random(4))
    aggregated(paths, tmp_path / "one.parquet")
    aggregated(reversed(paths), tmp_path / "two.parquet")
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()
