"""Inputs: files, pipes, and what is wrong with them."""

import gzip
import os
import threading
from pathlib import Path

import pytest

from pylatencymap.errors import SourceError
from pylatencymap.interval import Interval
from pylatencymap.report import Report
from pylatencymap.session.input.pipeline import ReadPlan, events_of, intervals_of
from pylatencymap.session.input.source import Source, StopRequest, open_source, source_of
from tests.waiting import PATIENCE

DUMP = b"""Tracing block device I/O... Hit Ctrl-C to end.

     usecs               : count     distribution
        64 -> 127        : 7        |****************|
"""


def texts(source: Source) -> list[str]:
    return [line.text for line in source.lines() if line is not None]


def test_a_file_can_be_read_more_than_once(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"one\ntwo\n")
    source = open_source(str(path), StopRequest())
    assert texts(source) == texts(source) == ["one", "two"]
    assert not source.live
    assert source.modified == path.stat().st_mtime
    first = next(iter(source.lines()))
    assert first is not None
    assert first.arrival is None


def test_gzip_is_seen_by_content_in_files_and_pipes(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(gzip.compress(b"one\n"))
    assert texts(open_source(str(path), StopRequest())) == ["one"]
    read_end, write_end = os.pipe()
    os.write(write_end, gzip.compress(b"one\n"))
    os.close(write_end)
    assert texts(source_of("pipe", read_end, StopRequest())) == ["one"]


def test_a_pipe_is_live_and_its_lines_have_arrival_times() -> None:
    read_end, write_end = os.pipe()
    times = iter(range(100, 200))
    source = Source("pipe", read_end, True, None, StopRequest(), monotonic=lambda: next(times), started=99.0)
    assert source.heard == 99.0
    os.write(write_end, b"one\n")
    lines = iter(source.lines())
    first = next(lines)
    assert first is not None
    assert first.arrival == source.heard == 100
    os.close(write_end)


def test_a_stop_ends_the_reading_of_an_open_pipe() -> None:
    read_end, write_end = os.pipe()
    stop = StopRequest()
    source = source_of("pipe", read_end, stop)
    os.write(write_end, b"one\nand a half")
    found: list[str] = []
    reader = threading.Thread(target=lambda: found.extend(texts(source)), daemon=True)
    reader.start()
    while source.heard == source.started:
        pass
    stop.set()
    reader.join(PATIENCE)
    assert found == ["one", "and a half"]
    os.close(write_end)


def test_a_dump_is_one_column_from_our_start_to_its_arrival() -> None:
    read_end, write_end = os.pipe()
    os.write(write_end, DUMP)
    os.close(write_end)
    source = Source("pipe", read_end, True, None, StopRequest(), monotonic=lambda: 142.0, started=100.0)
    plan = ReadPlan()
    found: list[Interval] = list(intervals_of(events_of(source, plan, Report("x")), plan, lambda _: None))
    (column,) = found
    assert column.ranges == ((64, 128, 7),)
    assert column.seconds == pytest.approx(42.0)
    assert (column.end - column.start) / 1e6 == pytest.approx(42.0)
    assert column.clock


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("recordin.lmap", "no such file; did you mean {}/recording.lmap?"),
        ("zzz", "no such file"),
        ("no/folder/x", "no such file"),
    ],
)
def test_a_name_that_is_not_there(tmp_path: Path, wanted: str, said: str) -> None:
    (tmp_path / "recording.lmap").touch()
    with pytest.raises(SourceError) as caught:
        open_source(str(tmp_path / wanted), StopRequest())
    assert str(caught.value) == f"{tmp_path / wanted}: {said.format(tmp_path)}"


def test_a_name_without_a_folder_is_looked_for_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "recording.lmap").touch()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SourceError, match=r"did you mean recording\.lmap\?"):
        open_source("recoding.lmap", StopRequest())


def test_a_folder_is_no_source(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="is a folder"):
        open_source(str(tmp_path), StopRequest())


def test_names_are_printable(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[31m"
    path.touch()
    assert open_source(str(path), StopRequest()).name.endswith("a\\x1b[31m")


def test_an_error_while_reading_names_the_source(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"x")
    source = open_source(str(path), StopRequest())
    source.close()
    with pytest.raises(SourceError, match=r"/x: cannot be read further: Bad file descriptor"):
        texts(source)
