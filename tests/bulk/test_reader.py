"""Pieces of a file come in its order, whatever the threads do that scan them."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pylatencymap.bulk import reader
from pylatencymap.bulk.reader import scanned, tail
from pylatencymap.bulk.text import Text

LINES = [b"%d" % number * (number % 7) for number in range(1, 400)]


def lines_of(text: Text) -> list[bytes]:
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
    pieces = list(scanned(*file, lines_of, jobs))
    assert [end for end, _ in pieces] == [*range(reader.PIECE, file[1], reader.PIECE), file[1]]
    assert [*(line for _, lines in pieces for line in lines), tail(*file)] == LINES


def test_what_a_thread_raises_is_raised(file: tuple[int, int]) -> None:
    def scan(text: Text) -> list[bytes]:
        if LINES[200] in lines_of(text):
            raise OSError("broken")
        return lines_of(text)

    threads, found = threading.active_count(), list[bytes]()
    with pytest.raises(OSError, match="broken"):
        found.extend(line for _, lines in scanned(*file, scan, 2) for line in lines)
    assert found == LINES[: len(found)]
    assert len(found) <= 200
    assert threading.active_count() == threads


def test_threads_end_where_reading_does(file: tuple[int, int]) -> None:
    threads = threading.active_count()
    pieces = scanned(*file, lines_of, 3)
    next(pieces)
    assert threading.active_count() == threads + 3
    pieces.close()  # type: ignore[attr-defined]
    assert threading.active_count() == threads
