"""Recordings: readable wherever they are cut off."""

import gzip
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from pylatencymap.errors import SourceError
from pylatencymap.record import Clock, Event, Record, Semantics, Stamp
from pylatencymap.recorder.recorder import FLUSH_SECONDS
from pylatencymap.recorder.recording import Recording
from pylatencymap.report import Report
from pylatencymap.stream.reader import read_stream
from pylatencymap.text import decompress, file_chunks
from pylatencymap.text.lines import split_lines
from pylatencymap.units import Unit

SECOND = 1_000_000
START = 1_700_000_000 * SECOND


def record(number: int) -> Record:
    """Cumulative counters after so many seconds."""
    stamp = Stamp(START + number * SECOND, Clock.EPOCH)
    return Record(f"sd{number % 2}", Unit.US, ((128, 256, 10 + number),), Semantics.CUMULATIVE, stamp, source="bpf")


class Alarms:
    """Calls that are due later, made by hand."""

    def __init__(self) -> None:
        self.made: list[tuple[float, Callable[[], None]]] = []
        self.cancelled = 0

    def __call__(self, seconds: float, call: Callable[[], None]) -> "Alarms":
        self.made.append((seconds, call))
        return self

    def start(self) -> None:
        return

    def cancel(self) -> None:
        self.cancelled += 1


def events_in(path: Path) -> tuple[list[Event], int]:
    """The records that can be read, and how many could not."""
    report = Report("r")
    with path.open("rb") as file:
        found = list(read_stream(split_lines(decompress(file_chunks(file))), report))
    return [event for event in found if isinstance(event, Record)], report.bad_count


@pytest.mark.parametrize("name", ["r.lmap", "r.lmap.gz"])
def test_what_is_recorded_reads_back(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    recording = Recording(str(path))
    for number in range(20):
        recording.event(record(number))
    recording.close()
    assert events_in(path) == ([record(number) for number in range(20)], 0)


def test_each_record_is_in_the_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "r.lmap"
    recording = Recording(str(path))
    for number in range(5):
        recording.event(record(number))
        assert events_in(path) == ([record(earlier) for earlier in range(number + 1)], 0)
    recording.close()


def test_a_file_cut_anywhere_loses_one_record_at_most(tmp_path: Path) -> None:
    whole, cut = tmp_path / "r.lmap", tmp_path / "cut.lmap"
    recording = Recording(str(whole))
    for number in range(6):
        recording.event(record(number))
    recording.close()
    data = whole.read_bytes()
    for place in range(len(data)):
        cut.write_bytes(data[:place])
        found, bad = events_in(cut)
        complete = data[:place].count(b"<end record>")
        assert found == [record(number) for number in range(complete)]
        assert bad <= 2  # the line that was cut, and the record that it was of


def test_a_compressed_file_cut_anywhere_keeps_its_beginning(tmp_path: Path) -> None:
    whole, cut = tmp_path / "r.lmap.gz", tmp_path / "cut.lmap.gz"
    recording = Recording(str(whole), monotonic=iter(range(10**6)).__next__)
    for number in range(20):
        recording.event(record(number))
    recording.close()
    data = whole.read_bytes()
    longest = 0
    for place in range(0, len(data), 7):
        cut.write_bytes(data[:place])
        found, bad = events_in(cut)
        assert found == [record(number) for number in range(len(found))]
        assert len(found) >= longest
        assert bad <= 2  # the line that was cut, and the record that it was of
        longest = len(found)
    assert longest >= 18


def readable(path: Path) -> int:
    """Records in what has been written of a compressed file so far."""
    text = zlib.decompressobj(wbits=31).decompress(path.read_bytes()) if path.stat().st_size else b""
    return text.count(b"<end record>")


def test_a_compressed_file_is_flushed_once_a_second(tmp_path: Path) -> None:
    path, alarms, now = tmp_path / "r.lmap.gz", Alarms(), [100.0]
    recording = Recording(str(path), monotonic=lambda: now[0], alarm=alarms)
    recording.event(record(0))
    recording.event(record(1))
    assert readable(path) == 0
    ((seconds, late),) = alarms.made
    assert seconds == FLUSH_SECONDS
    now[0] = 101.0
    recording.event(record(2))
    assert readable(path) == 3
    now[0] = 101.4
    recording.event(record(3))
    assert readable(path) == 3
    late()
    assert readable(path) == 4
    recording.event(record(4))
    assert len(alarms.made) == 2
    recording.close()
    assert alarms.cancelled == 1
    alarms.made[1][1]()
    assert gzip.decompress(path.read_bytes()).count(b"<end record>") == 5


def test_an_older_file_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "r.lmap"
    assert Recording(str(path)).replaced is None
    assert Recording(str(path)).replaced is None
    path.write_text("older")
    assert Recording(str(path)).replaced == tmp_path / "r.lmap~"
    assert (tmp_path / "r.lmap~").read_text() == "older"


def test_what_comes_after_the_end_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "r.lmap"
    recording = Recording(str(path))
    recording.event(record(0))
    recording.close()
    recording.event(record(1))
    recording.close()
    assert events_in(path) == ([record(0)], 0)


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    for path, reason in ((tmp_path / "no" / "r.lmap", "No such file"), (tmp_path, "Is a directory")):
        with pytest.raises(SourceError, match=f"--record {path}: cannot be written: {reason}"):
            Recording(str(path))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_device_that_fails_is_named_once_and_ends_nothing() -> None:
    told: list[str] = []
    recording = Recording("/dev/full", told.append)
    for number in range(5):
        recording.event(record(number))
        assert recording.flag == "REC FULL"
    recording.close()
    assert told == [
        "--record /dev/full: No space left on device: nothing is recorded",
        "--record /dev/full: nothing was recorded: No space left on device",
    ]
