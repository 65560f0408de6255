"""Splits that come as streams, as from a reader of Spark, count what the file as a whole does, wherever they end."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from pylatencymap.aggregate.file_reading import LAST, PART, WHOLE, InputReader, ReadTask, StandIn
from pylatencymap.aggregate.portions import Portion
from pylatencymap.aggregate.spark.hadoop_files import HadoopFile
from pylatencymap.scan import SERIES, SplitChunks, reader
from pylatencymap.session.input import large_files
from tests.aggregate.asking import EVERY_SECOND, damaged, strace, waits

Counts = Counter[tuple[str, int, int]]
STATEMENT = (
    "PARSING IN CURSOR #7 len={length} dep=0 uid=0 oct=3 lid=0 tim={tim} hv=1 ad='1' sqlid='x'\n{text}\nEND OF STMT\n"
)
"""A statement, of which each line is text, whatever it looks like."""


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_files, "LEAST_BYTES", 1000)


def counts_in(portions: list[Path]) -> Counts:
    found: Counts = Counter()
    for path in portions:
        portion = Portion.at(path)
        for block in portion.blocks:
            sums = portion.counts(block).sums
            place = 0
            for owner, size in zip(sums.owners.tolist(), sums.sizes.tolist(), strict=True):
                name = portion.series[owner % SERIES].name
                for bucket, count in zip(
                    sums.buckets[place : place + size], sums.counts[place : place + size], strict=True
                ):
                    found[name, owner // SERIES, int(bucket)] += int(count)
                place += size
    return found


class Read:
    """A file, read as a whole or in streamed splits."""

    def __init__(self, folder: Path, data: bytes) -> None:
        self.folder, self.data, self.path = folder, data, folder / "x.trc"
        self.path.write_bytes(data)
        about = self.path.stat()
        self.file = HadoopFile("x.trc", "x.trc", about.st_size, about.st_mtime_ns)
        self.reader = InputReader(EVERY_SECOND, folder, False, lambda _: None)

    def task(self, step: str, name: str, **more: object) -> ReadTask:
        return ReadTask(step, str(self.path), self.file.size, self.file.modified, name)._replace(**more)

    def as_a_whole(self) -> tuple[Counts, int]:
        result = self.reader.done(self.task(WHOLE, "whole"))
        return counts_in([self.folder / "whole"]), result["bad"]

    def in_splits(self, split: int, piece: int = 997) -> tuple[Counts, int] | None:
        """The counts of streamed splits, and of the last step; None if this needs the whole file."""
        data = self.data
        one = self.file._replace(head=data[: 1 << 16], rest=data[data.rfind(b"\n") + 1 :])
        stand_in, names = one.stand_in(self.folder / "stand-in"), []
        for begin in range(0, len(data), split):
            text = memoryview(data)[begin : begin + split]
            pieces = (text[place : place + piece] for place in range(0, len(text), piece))
            chunks = SplitChunks(pieces, is_first=not begin)
            names.append(f"part-{begin}")
            task = self.task(PART, names[-1], begin=begin, end=begin + split)
            assert "failed" not in self.reader.done(task, StandIn(stand_in, is_whole=False, split=chunks))
        task = self.task(LAST, "last", parts=tuple(names))
        result = self.reader.done(task, StandIn(stand_in, is_whole=False))
        if result.get("again"):
            return None
        return counts_in([self.folder / name for name in (*names, "last")]), result["bad"]


def with_statements(numbers: Random, count: int) -> bytes:
    """A trace with statements that hold lines which look like waits."""
    parts = []
    for begin in range(1_774_000_000, 1_774_000_000 + 40 * count, 40):
        parts.append(waits(numbers, numbers.randrange(20, 60), begin))
        lines = waits(numbers, numbers.randrange(5, 200), begin, ("no wait, but text",)).splitlines()[2:]
        text = "\n".join(["select 1", *lines])
        parts.append(STATEMENT.format(length=len(text), tim=begin * 1_000_000, text=text))
    return "".join(parts).encode()


def with_long_lines(numbers: Random, count: int) -> bytes:
    """A trace with lines of SQL, none of which ends as the waits do, each about as long as a chunk or a split."""
    parts = []
    for begin in range(1_774_000_000, 1_774_000_000 + 40 * count, 40):
        parts.append(waits(numbers, 60, begin))
        text = f"select '{'x' * numbers.randrange(1, 60_000)}'"
        parts.append(STATEMENT.format(length=len(text), tim=begin * 1_000_000, text=text))
    return "".join(parts).encode()


KINDS: dict[str, Callable[[Random], bytes]] = {
    "waits": lambda numbers: waits(numbers, 4500, 1_774_000_000).encode(),
    "unended": lambda numbers: waits(numbers, 4500, 1_774_000_000).encode()[:-7],
    "strace": lambda numbers: strace(numbers, 4500, 1_774_000_100.0).encode(),
    "statements": lambda numbers: with_statements(numbers, 25),
    "long lines": lambda numbers: with_long_lines(numbers, 25),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(2))
def test_the_same_counts(tmp_path: Path, kind: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = Random(seed)
    text = KINDS[kind](numbers)
    monkeypatch.setattr(reader, "PIECE", 150_000)
    read = Read(tmp_path, text if not seed else damaged(text, numbers, 30))
    whole = read.as_a_whole()
    assert sum(whole[0].values()) > 900
    assert not any(name == "no wait, but text" for name, _, _ in whole[0]) or seed
    for split in (17_000, 223_456, 1_000_000):
        found = read.in_splits(split)
        strayed = seed and kind == "strace"  # times that need those around them: the file is read as a whole
        assert found == whole or (found is None and strayed)


def test_wherever_a_split_ends(tmp_path: Path) -> None:
    """Within a line, at its end and behind its line feed, with many splits in a line, and one without any line feed."""
    data = waits(Random(6), 40, 1_774_000_000).encode()
    read = Read(tmp_path, data)
    whole = read.as_a_whole()
    assert sum(whole[0].values()) == 40
    feed = data.index(b"\n", 1000)
    for split in (13, 90, 101, 250, feed, feed + 1, feed + 2, len(data) - 1, len(data)):
        assert read.in_splits(split, 64) == whole, split


def test_long_lines_are_no_reason_to_read_a_file_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines that are longer than a split, and than a chunk."""
    read = Read(tmp_path, with_long_lines(Random(8), 12))
    monkeypatch.setattr(reader, "PIECE", 40_000)
    assert any(len(line) > 40_000 for line in read.data.split(b"\n"))
    for split in (9000, 50_000):
        assert read.in_splits(split, 4000) == read.as_a_whole()


def test_a_line_that_is_longer_than_a_scan_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MAX_LINE", 20_000)
    read = Read(tmp_path, with_long_lines(Random(8), 12))
    for split in (9000, 50_000):
        assert read.in_splits(split) is None


def test_lines_before_a_split_count_however_short_the_splits_are(tmp_path: Path) -> None:
    """A statement that goes on over several splits."""
    read = Read(tmp_path, with_statements(Random(5), 6))
    assert read.in_splits(900) == read.as_a_whole()


def test_what_spark_left_out_is_noticed(tmp_path: Path) -> None:
    read = Read(tmp_path, waits(Random(1), 4500, 1_774_000_000).encode())
    read.data = read.data.replace(b"obj#=5 ", b"", 1)
    assert read.in_splits(20_000) is None
