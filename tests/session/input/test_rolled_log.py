"""A rolled event log is read as one text, whatever file a line is in."""

import gzip
import os
from pathlib import Path

import pytest

import pylatencymap as lm
from pylatencymap.errors import SourceError
from pylatencymap.events import EventFile, EventQuestion
from pylatencymap.session.input import ReadPlan, StopRequest, open_path
from pylatencymap.session.input.rolled.log import rolled_files

SAMPLES = Path(__file__).parents[2] / "collectors" / "samples" / "spark"
LINES = (SAMPLES / "failures.txt").read_text().splitlines(keepends=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Four files, in the second of which a task ends that begins in the first; 10 comes after 9."""
    log = tmp_path / "eventlog_v2_local-1"
    log.mkdir()
    for number, (begin, end) in {1: (0, 6), 2: (6, 9), 9: (9, 12), 10: (12, None)}.items():
        (log / f"events_{number}_local-1").write_text("".join(LINES[begin:end]))
    (log / "appstatus_local-1.inprogress").touch()
    (log / ".events_1_local-1.crc").write_bytes(b"crc\0")
    return log


def text_of(path: Path) -> list[str]:
    stop = StopRequest()
    source = open_path(str(path), stop)
    try:
        return [line.text + "\n" for line in source.lines() if line is not None]
    finally:
        source.close()
        stop.close()


def test_the_files_follow_one_another(folder: Path) -> None:
    assert text_of(folder) == LINES
    whole, rolled = lm.read(SAMPLES / "failures.txt"), lm.read(folder)
    assert rolled.series == whole.series
    assert [rolled.summary(one).waited for one in rolled.series] == [whole.summary(one).waited for one in whole.series]
    assert [mark.note for mark in rolled.marks] == [mark.note for mark in whole.marks]


def test_each_file_may_be_compressed_and_one_may_be_cut_off(folder: Path) -> None:
    second = folder / "events_2_local-1"
    second.rename(folder / "events_2_local-1.gz")
    packed = gzip.compress("".join(LINES[6:9]).rstrip("\n").encode())
    (folder / "events_2_local-1.gz").write_bytes(packed)
    assert text_of(folder) == LINES
    (folder / "events_2_local-1.gz").write_bytes(packed[:-9])
    stop, said = StopRequest(), list[tuple[int, str]]()
    source = open_path(str(folder), stop)
    found = [line.text + "\n" for line in source.lines(lambda line, what: said.append((line, what))) if line]
    source.close()
    stop.close()
    assert [line for line, _ in said] == [9]
    assert found[:8] == LINES[:8]
    assert found[-len(LINES[9:]) :] == LINES[9:]


def test_a_compacted_file_replaces_those_before_it(folder: Path) -> None:
    (folder / "events_9_local-1.compact").write_text("".join(LINES[:9]))
    names = [Path(one).name for one in rolled_files(str(folder))]
    assert names == ["events_9_local-1.compact", "events_10_local-1"]


def test_events_are_found_in_all_files(folder: Path) -> None:
    with EventFile(str(folder), ReadPlan()) as file:
        *_, found = file.read(EventQuestion())
    assert found.is_complete
    assert {line.number for line in found.lines} == {7, 10, 12, 14}


def test_series_by_executor(folder: Path) -> None:
    run = lm.read(folder, by="executor")
    assert "task without metrics executor=2 10.0.0.2" in run.series
    assert run.summary("run time executor=1 10.0.0.1").waited == pytest.approx(1.23)


def test_another_folder_is_no_log(tmp_path: Path) -> None:
    (tmp_path / "events_1_local-1").write_text("".join(LINES))
    with pytest.raises(SourceError, match="is a folder; name the files in it"):
        text_of(tmp_path)


def test_a_log_that_has_grown_is_not_the_one_that_was_read(folder: Path) -> None:
    stop = StopRequest()
    source = open_path(str(folder), stop)
    again = source.again(stop)
    assert [line.number for line in again.lines() if line] == [*range(1, len(LINES) + 1)]
    again.close()
    last = folder / "events_10_local-1"
    last.write_text(last.read_text() + LINES[-1])
    os.utime(last, (1, 1))
    with pytest.raises(SourceError, match="has changed since it was read"):
        source.again(stop)
    source.close()
    stop.close()
