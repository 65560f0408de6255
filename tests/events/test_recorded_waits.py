"""Waits of sampled sessions in recordings: they come back as they were, and disturb no reader of records."""

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from pylatencymap.collectors.records import decode
from pylatencymap.errors import Refused, SourceError
from pylatencymap.events import CellQuestion, EventsFound
from pylatencymap.events.sampled import RecordedWaits, SeenWait, is_recording, recorded_waits, wait_line
from pylatencymap.events.sampled.wait_lines import MOST_A_LINE, read_wait_line, wait_lines
from pylatencymap.record import EventKey
from pylatencymap.recorder import Keep, Recording, SegmentedRecording
from pylatencymap.report import Report
from pylatencymap.session.input import StopRequest
from pylatencymap.text.lines import split_lines
from tests.recorder.test_recording import START, record

SECOND = 1_000_000
SERIES = "sd0"
TEXT = st.text(max_size=20)
KEYS = st.lists(st.builds(EventKey, TEXT, TEXT, TEXT), max_size=4).map(tuple)
WHOLE = st.integers(0, 1 << 53)
WAITS = st.builds(SeenWait, TEXT, WHOLE, WHOLE, st.booleans(), st.just(0), KEYS, KEYS, st.just(0))


def wait(number: int, second: float = 0, micros: int = 200) -> SeenWait:
    end = START + round(second * SECOND)
    return SeenWait(SERIES, micros, end, True, end, (EventKey("sql_id", f"q{number % 2}", "select 1"),), ())


@given(st.lists(WAITS, min_size=1, max_size=20))
@settings(max_examples=50)
def test_a_line_says_what_was_seen(waits: list[SeenWait]) -> None:
    line = wait_line(waits, "GV$SESSION")
    assert line.isascii()
    assert line.count("\n") == 1
    read = read_wait_line(line.encode())
    assert [one._replace(seen=0) for one in read.waits] == waits
    assert (read.view, read.of) == ("GV$SESSION", len(waits))


@given(st.lists(st.integers(1, 60), max_size=8), st.integers(0, 200))
@settings(max_examples=50)
def test_lines_are_found_however_the_text_is_cut(cuts: list[int], at: int) -> None:
    line = wait_line([wait(1)], "v").encode()
    text = line + b"<begin record>\n" + line + line + b" " + line + line[:-1]
    pieces, place = [text[:at]], at
    for cut in cuts:
        pieces.append(text[place : place + cut])
        place += cut
    pieces.append(text[place:])
    assert list(wait_lines(pieces)) == [line[:-1]] * 3


def test_of_very_many_waits_some_are_kept_evenly() -> None:
    read = read_wait_line(wait_line([wait(n, n) for n in range(4 * MOST_A_LINE)], "v").encode())
    assert (read.of, len(read.waits)) == (4 * MOST_A_LINE, MOST_A_LINE)
    assert [(one.end - START) // SECOND for one in read.waits] == list(range(0, 4 * MOST_A_LINE, 4))


@pytest.mark.parametrize(
    "line",
    [
        b"#waits {",
        b"#waits {}",
        b'#waits {"v":2}',
        b'#waits {"v":1,"view":"v","until":1,"of":1,"series":[],"keys":[],"waits":[[0,1,1,1,[],[]]]}',
        b'#waits {"v":1,"view":"v","until":1,"of":1,"series":["a"],"keys":[],"waits":[[0,-1,1,1,[],[]]]}',
        b'#waits {"v":1,"view":"v","until":1,"of":1,"series":["a"],"keys":[],"waits":[[0,1.5,1,1,[],[]]]}',
        b'#waits {"v":1,"view":"v","until":1,"of":1,"series":[7],"keys":[],"waits":[]}',
        b'#waits {"v":1,"view":"v","until":1,"of":1,"series":["a"],"keys":[3],"waits":[]}',
        b"#waits " + b"[" * 100_000,
        b"#waits \xff\xfe",
    ],
)
def test_a_damaged_line_is_refused(line: bytes) -> None:
    with pytest.raises(ValueError, match="no line of waits"):
        read_wait_line(line)


def ask(path: Path, first: float = 0, last: float = 30, low: float = 0.0, **more: Any) -> EventsFound:
    asked = CellQuestion(START + round(first * SECOND), START + round(last * SECOND), low, None, [SERIES], [SERIES])
    (found,) = RecordedWaits([str(path)]).read(asked._replace(**more), StopRequest(), lambda *_: None)
    return found


def recorded(recording: Any) -> None:
    """Two minutes of records, and a line of waits each half of a minute: one wait a second."""
    for number in range(120):
        recording.event(record(number))
        if number % 30 == 29:
            recording.aside(wait_line([wait(n, n) for n in range(number - 29, number + 1)], "GV$SESSION"))
    recording.close()


@pytest.fixture(params=["a.lmap", "a.lmap.gz", "folder"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / request.param
    if request.param != "folder":
        recorded(Recording(str(path)))
        return path
    now = [1_700_000_000.0]

    class Hourly(SegmentedRecording):
        def event(self, event: Any) -> None:
            now[0] += 100  # four segments
            super().event(event)

    recorded(Hourly(str(path), Keep(), now=lambda: now[0]))
    return path


def test_a_recording_answers_who_was_in_a_cell(path: Path) -> None:
    assert is_recording(str(path))
    found = ask(path, 10, 40)
    assert (found.seen, found.total.events) == (30, 30)
    (key,) = found.keys
    assert [(one.value, one.amount.events, one.note) for one in key.values] == [
        ("q1", 15, "select 1"),
        ("q0", 15, "select 1"),
    ]


def test_of_a_cell_with_few_the_time_around_it_is_looked_at(path: Path) -> None:
    found = ask(path, 60, 63)
    assert (found.seen, found.total.events) == (3, 12)
    assert found.note.startswith("shown: 12 as long, from ")
    assert ask(path, 60, 63, low=0.1).total.events == 0


def test_a_segment_that_is_removed_meanwhile_is_passed_over(path: Path) -> None:
    """What has no segments, and is not there any more, is said."""
    read = RecordedWaits([str(path)])
    if path.is_dir():
        (_, older, *_) = sorted(path.glob("*.gz"))
        listed = recorded_waits.runs_within
        with pytest.MonkeyPatch.context() as meanwhile:
            meanwhile.setattr(recorded_waits, "runs_within", lambda *of: (listed(*of), older.unlink())[0])
            assert ask(path).seen == 0
        assert ask(path, 90, 100).seen == 10
        return
    path.unlink()
    asked = CellQuestion(START, START + SECOND, 0.0, None, [SERIES], [SERIES])
    with pytest.raises(SourceError, match=rf"{re.escape(path.name)}: cannot be read again: No such file"):
        list(read.read(asked, StopRequest(), lambda *_: None))


def test_records_are_read_as_if_there_were_no_waits(path: Path) -> None:
    files = sorted(path.glob("*.gz")) if path.is_dir() else [path]
    texts = [gzip.decompress(one.read_bytes()) if one.suffix == ".gz" else one.read_bytes() for one in files]
    report = Report("r")
    assert sum(text.count(b"#waits") for text in texts) == 4
    for text in texts:
        without = b"".join(line for line in text.splitlines(keepends=True) if not line.startswith(b"#waits"))
        found, plain = (
            [event for event in decode(split_lines([data]), report) if hasattr(event, "ranges")]
            for data in (text, without)
        )
        assert [one.ranges for one in found] == [one.ranges for one in plain]
        assert [one.stamp for one in found] == [one.stamp for one in plain]
    assert report.bad_count == 0


def test_a_damaged_line_costs_that_line(tmp_path: Path) -> None:
    path = tmp_path / "a.lmap"
    recorded(Recording(str(path)))
    text = path.read_text().replace('#waits {"v":1', '#waits {"v":"', 1)
    path.write_text(text + text[text.rindex("#waits") :][:40])
    found = ask(path, 0, 120)
    assert found.total.events == 90
    assert found.note == "1 damaged line of waits left out"


def test_it_says_how_many_were_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.lmap"
    recording = Recording(str(path))
    recording.aside(wait_line([wait(n, n / 100) for n in range(MOST_A_LINE * 2)], "v"))
    recording.close()
    assert ask(path).note == "1,000 of 2,000 waits seen are recorded"


def test_without_waits_it_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.lmap"
    recording = Recording(str(path))
    recording.event(record(0))
    recording.close()
    recording.aside(wait_line([wait(1)], "v"))
    with pytest.raises(Refused, match="holds counts per interval and no single events"):
        ask(path)


@pytest.mark.parametrize("text", [b"", b"WAIT #1: nam='x' ela= 12\n", None])
def test_what_is_no_recording(tmp_path: Path, text: bytes | None) -> None:
    path = tmp_path / "a.trc"
    if text is not None:
        path.write_bytes(text)
    assert not is_recording(str(path))
    assert not is_recording(str(tmp_path))
    assert not is_recording("")
