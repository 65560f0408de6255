"""Pieces of a file come in its order, whatever the processes do that scan them."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pylatencymap.scan import reader
from pylatencymap.scan.chunk import Chunk
from pylatencymap.scan.reader import NotScannable, scan_chunks, tail
from pylatencymap.scan.workers import WorkerLost, map_in_order
from tests.waiting import PATIENCE, TICK

LINES = [b"%d" % number * (number % 7) for number in range(1, 400)]


def lines_of(text: Chunk) -> list[bytes]:
    return [text.line(number) for number in range(text.count)]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[int, int]]:
    """The descriptor and the size of a file of a hundred pieces."""
    path = tmp_path / "lines"
    path.write_bytes(b"\n".join(LINES))
    monkeypatch.setattr(reader, "PIECE", path.stat().st_size // 100)
    with path.open("rb") as opened:
        yield opened.fileno(), path.stat().st_size


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_all_lines_in_order(file: tuple[int, int], jobs: int) -> None:
    pieces = list(scan_chunks(*file, lines_of, jobs))
    assert [end for end, _ in pieces] == [*range(reader.PIECE, file[1], reader.PIECE), file[1]]
    assert [*(line for _, lines in pieces for line in lines), tail(*file)] == LINES


def test_long_lines_at_the_ends_of_all_pieces_need_one_larger_buffer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lines"
    path.write_bytes((b"x" * 20_000 + b"\n") * 60)
    monkeypatch.setattr(reader, "PIECE", 9_000)
    with path.open("rb") as opened:
        sizes = [
            text for _, text in scan_chunks(opened.fileno(), path.stat().st_size, lambda text: text.buffer.size, 1)
        ]
    assert max(sizes) < 100_000


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_what_a_scan_raises_is_raised(file: tuple[int, int], jobs: int) -> None:
    def scan(text: Chunk) -> list[bytes]:
        if LINES[200] in lines_of(text):
            raise OSError("broken")
        return lines_of(text)

    found = list[bytes]()
    with pytest.raises(OSError, match="broken"):
        found.extend(line for _, lines in scan_chunks(*file, scan, jobs) for line in lines)
    assert found == LINES[: len(found)]
    assert 0 < len(found) <= 200


def test_processes_end_where_reading_does(file: tuple[int, int]) -> None:
    pieces = scan_chunks(*file, lambda _: os.getpid(), 3)
    pids = {next(pieces)[1] for _ in range(3)}
    assert len(pids) == 3
    assert os.getpid() not in pids
    pieces.close()  # type: ignore[attr-defined]
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_process_that_is_killed_leaves_the_file_to_the_ordinary_reader(file: tuple[int, int]) -> None:
    def scan(text: Chunk) -> list[bytes]:
        if LINES[200] in lines_of(text):
            os.kill(os.getpid(), signal.SIGKILL)
        return lines_of(text)

    with pytest.raises(NotScannable):
        list(scan_chunks(*file, scan, 2))


def test_one_process_does_where_the_system_has_no_more(file: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    def fork() -> int:
        raise BlockingIOError("Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", fork)
    descriptors = len(os.listdir("/proc/self/fd"))
    pieces = list(scan_chunks(*file, lines_of, 2))
    assert [*(line for _, lines in pieces for line in lines), tail(*file)] == LINES
    assert len(os.listdir("/proc/self/fd")) == descriptors


def test_results_larger_than_what_a_pipe_holds(file: tuple[int, int]) -> None:
    found = [result for _, result in scan_chunks(*file, lambda text: bytes(3_000_000) + text.line(0), 2)]
    assert [len(one) for one in found[:3]] == [3_000_000 + len(one[3_000_000:]) for one in found[:3]]
    assert len(found) == -(-file[1] // reader.PIECE)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_file_that_becomes_shorter_is_left_to_the_ordinary_reader(
    file: tuple[int, int], tmp_path: Path, jobs: int
) -> None:
    pieces = scan_chunks(*file, lines_of, jobs)
    next(pieces)
    os.truncate(tmp_path / "lines", file[1] // 3 + 1)
    with pytest.raises(NotScannable):
        list(scan_chunks(*file, lines_of, jobs))
    pieces.close()  # type: ignore[attr-defined]


def test_half_a_result_is_none() -> None:
    """Of a process that was killed while it wrote more than a pipe holds."""
    results = map_in_order(lambda part: os.getpid() if part < 2 else bytes(30_000_000), range(4), 2)
    pid = next(results)
    assert isinstance(pid, int)
    next(results)
    deadline = time.monotonic() + PATIENCE
    while Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "S":
        assert time.monotonic() < deadline
        time.sleep(TICK)
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(WorkerLost):
        next(results)


def test_where_ended_processes_are_forgotten(file: tuple[int, int]) -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        pieces = list(scan_chunks(*file, lines_of, 2))
    finally:
        signal.signal(signal.SIGCHLD, before)
    assert [*(line for _, lines in pieces for line in lines), tail(*file)] == LINES
