"""A full disk costs what comes while it is full, and nothing else; the user is told from when."""

from collections.abc import Callable
from datetime import timezone
from pathlib import Path
from typing import Any

import pytest

from pylatencymap.interval import Interval
from pylatencymap.record import GAP, KEPT, Clock, Mark, Record, Semantics, Stamp, Tick
from pylatencymap.recorder import Recording
from pylatencymap.recorder.recorder import RETRY_SECONDS, ROOM
from pylatencymap.units import Unit

SECOND = 1_000_000
START = 1_700_000_000 * SECOND
SEMANTICS = pytest.mark.parametrize("semantics", [Semantics.CUMULATIVE, Semantics.INTERVAL])
NAMES = pytest.mark.parametrize("name", ["r.lmap", "r.lmap.gz"])
Replay = Callable[[Path], tuple[list[Interval], list[Mark], int]]


def records(number: int, semantics: Semantics, flags: frozenset[str] = frozenset()) -> list[Record]:
    """The snapshot that ends so many seconds after the beginning: 5 events of sda and 7 of sdb in each."""
    stamp, begin = Stamp(START + number * SECOND, Clock.EPOCH), START + (number - 1) * SECOND
    total = semantics is Semantics.CUMULATIVE
    return [
        Record(
            name,
            Unit.US,
            ((64, 128, rate * number if total else rate),),
            semantics,
            stamp,
            start=None if total else begin,
            source="bpf",
            flags=flags,
        )
        for name, rate in (("sda", 5), ("sdb", 7))
    ]


class Session:
    """A recording that is written once a second, and what its user reads."""

    def __init__(self, path: Path) -> None:
        self.told: list[str] = []
        self.now = 0.0
        self.recording = Recording(str(path), self.told.append, timezone.utc, lambda: self.now, lambda *_: Never())

    def second(self, number: int, semantics: Semantics, flags: frozenset[str] = frozenset()) -> None:
        self.now = float(number)
        end = START + number * SECOND
        self.recording.event(Tick(Stamp(end), start=end - SECOND, kept=KEPT in flags))
        for record in records(number, semantics, flags):
            self.recording.event(record)
            self.now += 0.25


class Never:
    """An alarm that does not go off: every flush is made by a record."""

    def start(self) -> None:
        return

    def cancel(self) -> None:
        return


def counted(found: list[Interval], name: str) -> list[tuple[int, int, Any]]:
    """Start, end and events of the intervals of a series, in seconds since the beginning; gaps have None."""
    return [
        ((one.start - START) // SECOND, (one.end - START) // SECOND, None if one.gap else one.events)
        for one in found
        if one.series == name
    ]


@SEMANTICS
@NAMES
def test_what_was_recorded_before_the_disk_was_full_can_be_read(
    tmp_path: Path, disk: Any, replay: Replay, name: str, semantics: Semantics
) -> None:
    path = tmp_path / name
    session = Session(path)
    for number in range(1, 21):
        if number == 11:
            disk.left = 100
        session.second(number, semantics)
        assert number not in (10, 15) or session.recording.flag == ("REC FULL" if number == 15 else "")
    session.recording.close()
    found, _, bad = replay(path)
    assert bad <= 1  # the end of a compressed file
    ends = [end for _, end, _ in counted(found, "sda")]
    assert 9 <= ends[-1] <= 13
    assert {events for _, _, events in counted(found, "sda")} == {5}
    first, last = session.told
    assert first.startswith(f"--record {path}: No space left on device: nothing after 2023-11-14 22:13:")
    assert first.endswith(" is recorded; it goes on when that is over")
    assert last == first.replace("No space left on device: ", "").replace(
        " is recorded; it goes on when that is over", " was recorded: No space left on device"
    )


@SEMANTICS
@NAMES
@pytest.mark.parametrize("flags", [frozenset(), frozenset({KEPT})])
def test_recording_goes_on_behind_a_gap_and_every_count_is_right(
    tmp_path: Path, disk: Any, replay: Replay, name: str, semantics: Semantics, flags: frozenset[str]
) -> None:
    path = tmp_path / name
    session = Session(path)
    for number in range(1, 61):
        if number == 20:
            disk.left = 50
        if number == 40:
            disk.left = None
        session.second(number, semantics, flags if semantics is Semantics.INTERVAL else frozenset())
    session.recording.close()
    assert session.recording.flag == ""
    assert [("nothing after" in one, "recorded again from" in one) for one in session.told] == [
        (True, False), (False, True)
    ]  # fmt: skip
    found, _, bad = replay(path)
    assert bad == 0
    for series, rate in (("sda", 5), ("sdb", 7)):
        columns = counted(found, series)
        (gap,) = [one for one in columns if one[2] is None]
        assert 18 <= gap[0] <= 20
        assert 39 <= gap[1] <= 40 + RETRY_SECONDS
        behind = [one for one in columns if one[2] is not None and one[1] > 25]
        if semantics is Semantics.CUMULATIVE:  # the source counted on: nothing is lost
            assert sum(events for _, _, events in columns if events) == rate * 59
            assert behind[0][0] in (gap[0], gap[0] - 1)  # sdb may lack the last snapshot before
        else:
            assert behind[0][0] == gap[1]
            assert all(end - start == 1 and events == rate for start, end, events in columns if events is not None)
        assert [(start, end, events) for start, end, events in behind[1:] if (end - start, events) != (1, rate)] == []
        assert columns[-1][1] == 60
        assert not any(one.reset for one in found)


@NAMES
def test_marks_made_meanwhile_are_kept(tmp_path: Path, disk: Any, replay: Replay, name: str) -> None:
    path = tmp_path / name
    session = Session(path)
    for number in range(1, 41):
        disk.left = 0 if 10 <= number < 20 else None
        session.second(number, Semantics.INTERVAL)
        if number == 15:
            session.recording.event(Mark(Stamp(START + number * SECOND), "disk full"))
    session.recording.close()
    _, marks, _ = replay(path)
    assert [mark.note for mark in marks] == ["disk full"]


def test_it_is_tried_again_only_when_there_is_room(tmp_path: Path, disk: Any) -> None:
    session = Session(tmp_path / "r.lmap")
    disk.left = 0
    for number in range(1, 30):
        session.second(number, Semantics.INTERVAL)
        disk.left = ROOM - 1
        assert session.recording.flag == "REC FULL"
    disk.left = ROOM
    session.second(31, Semantics.INTERVAL)
    session.second(36, Semantics.INTERVAL)
    assert session.recording.flag == ""


def test_a_disk_that_fills_again_and_again_says_little(tmp_path: Path, disk: Any) -> None:
    session = Session(tmp_path / "r.lmap")
    for number in range(1, 400):
        disk.left = 0 if number % 20 < 5 else None
        session.second(number, Semantics.INTERVAL)
    disk.left = None
    session.recording.close()
    assert len(session.told) == 7
    assert (
        session.told[-1] == f"--record {tmp_path}/r.lmap: recording stopped 20 times, and went on; the gaps show when"
    )


def test_a_gap_is_only_for_series_that_were_recorded(tmp_path: Path, disk: Any, replay: Replay) -> None:
    """And a record that began before the end of the gap begins at its end."""
    path = tmp_path / "r.lmap"
    session = Session(path)
    for number in range(1, 6):
        session.second(number, Semantics.INTERVAL)
    disk.left = 0
    for number in range(6, 12):
        session.second(number, Semantics.INTERVAL)
    disk.left = None
    session.now = 20.0
    stamp = Stamp(START + 21 * SECOND)
    for name, start in (("new", 20), ("sda", 20), ("sdb", 4)):
        record = Record(name, Unit.US, ((64, 128, 3),), Semantics.INTERVAL, stamp, start=START + start * SECOND)
        session.recording.event(record)
    session.recording.close()
    assert GAP in path.read_text()
    found, _, bad = replay(path)
    assert bad == 0
    assert counted(found, "new") == [(20, 21, 3)]
    assert counted(found, "sda")[-2:] == [(5, 20, None), (20, 21, 3)]
    assert counted(found, "sdb")[-2:] == [(5, 20, None), (20, 21, 3)]
