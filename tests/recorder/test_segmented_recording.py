"""Always-on recording: hourly segments, each readable by itself; together they are one history with its dead times."""

import gzip
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import timezone
from pathlib import Path
from typing import Any

import pytest

from pylatencymap.errors import SourceError
from pylatencymap.interval import Interval
from pylatencymap.record import Clock, Mark, Record, Semantics, Stamp, Tick
from pylatencymap.recorder import Keep, SegmentedRecording, runs_within, segments_in
from pylatencymap.recorder.segmented_recording import LOCK
from pylatencymap.recorder.segments import Segment
from pylatencymap.report import Report
from pylatencymap.session.input import Excerpt, ReadPlan, open_path, parse_moment
from pylatencymap.session.input.sources import Sources
from pylatencymap.units import Unit

SECOND = 1_000_000
HOUR = 3600
START = 1_700_002_800 - 600
"""Ten minutes before an hour of UTC begins: 22:50."""
SEMANTICS = pytest.mark.parametrize("semantics", [Semantics.CUMULATIVE, Semantics.INTERVAL])


class Never:
    def start(self) -> None:
        return

    def cancel(self) -> None:
        return


class Service:
    """A recorder of a folder whose clock is set by hand, and its source: 5 events of sda and 7 of sdb in a step."""

    def __init__(self, folder: Path, keep: Keep | None = None, semantics: Semantics = Semantics.CUMULATIVE) -> None:
        self.folder, self.keep, self.semantics = folder, keep or Keep(), semantics
        self.now = float(START)
        self.told: list[str] = []
        self.totals = [0, 0]
        self.recording = self.started()

    def started(self) -> SegmentedRecording:
        clock: Callable[[], float] = lambda: self.now  # noqa: E731
        return SegmentedRecording(
            f"{self.folder}/", self.keep, self.told.append, timezone.utc, clock, lambda *_: Never(), clock
        )

    def run(self, seconds: int, step: int = 10, silent: int = 0) -> None:
        """``silent``: the source printed nothing for so many seconds before the first step."""
        for number in range(seconds // step):
            last = round(self.now) * SECOND
            self.now += step if number else step + silent
            stamp = Stamp(round(self.now) * SECOND, Clock.EPOCH)
            begin = stamp.micros - step * SECOND
            since = last if silent and not number else None
            self.recording.event(Tick(stamp, start=begin, silent_since=since, silent_until=since and begin))
            for place, (name, rate) in enumerate((("sda", 5), ("sdb", 7))):
                self.totals[place] += rate
                total = self.semantics is Semantics.CUMULATIVE
                end = round(self.now) * SECOND
                self.recording.event(
                    Record(
                        name,
                        Unit.US,
                        ((64, 128, self.totals[place] if total else rate),),
                        self.semantics,
                        Stamp(end, Clock.EPOCH),
                        start=None if total else end - step * SECOND,
                        source="bpf",
                    )
                )
            self.recording._flush_late()  # as the alarm does within a second

    def kill(self) -> None:
        """What a kill -9 leaves: all that was flushed, and an open lock that the system releases."""
        assert self.recording._file is not None
        os.close(self.recording._lock_file)
        os.close(self.recording._file._descriptor)

    def restart(self, dead: int, *, counts_on: bool = False) -> None:
        self.now += dead
        if not counts_on:
            self.totals = [0, 0]
        self.recording = self.started()


class Read:
    """What is read of folders and files: ``columns`` of a series in seconds since the beginning; gaps count None."""

    def __init__(self, *paths: Path, since: str = "", until: str = "", plan: ReadPlan | None = None) -> None:
        self.told: list[str] = []
        plan = plan or ReadPlan()
        words = [parse_moment(one) if one else None for one in (since, until)]
        if any(words):
            plan = ReadPlan(excerpt=Excerpt(words[0], words[1], timezone.utc, float(START + 10 * HOUR)))
        self.plan = plan
        sources = Sources(plan, self.told.append)
        for path in paths:
            sources.add(open_path(str(path), sources.stop))
        self.marks: list[Mark] = []
        self.intervals: list[Interval] = list(sources.read(self.marks.append))
        self.bad = sources.bad_count()
        sources.close_all()

    def columns(self, name: str = "sda") -> list[tuple[int, int, Any]]:
        return [
            (one.start // SECOND - START, one.end // SECOND - START, None if one.gap else one.events)
            for one in self.intervals
            if one.series == name
        ]


def steady(columns: list[tuple[int, int, Any]], first: int, last: int, events: int, step: int = 10) -> bool:
    return columns == [(at, at + step, events) for at in range(first, last, step)]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != LOCK)


@SEMANTICS
def test_segments_are_of_the_hours_and_together_one_recording(tmp_path: Path, semantics: Semantics) -> None:
    service = Service(tmp_path / "d", semantics=semantics)
    service.run(3 * HOUR)
    service.recording.close()
    assert names(tmp_path / "d") == [
        "pylatencymap-20231114T225010.000Z.lmap.gz",
        "pylatencymap-20231114T230000.000Z.lmap.gz",
        "pylatencymap-20231115T000000.000Z.lmap.gz",
        "pylatencymap-20231115T010000.000Z.lmap.gz",
    ]
    whole = Read(tmp_path / "d")
    first = 10 if semantics is Semantics.CUMULATIVE else 0
    assert steady(whole.columns("sda"), first, 3 * HOUR, 5)
    assert steady(whole.columns("sdb"), first, 3 * HOUR, 7)
    assert (whole.bad, whole.told, service.told) == (0, [], [])


@SEMANTICS
def test_each_segment_is_a_recording_of_its_own(tmp_path: Path, semantics: Semantics) -> None:
    """So that the oldest can go: no interval of an hour needs the hour before."""
    service = Service(tmp_path / "d", semantics=semantics)
    service.run(2 * HOUR)
    service.recording.close()
    _, second, third = (tmp_path / "d" / name for name in names(tmp_path / "d"))
    assert steady(Read(second).columns(), 590, 590 + HOUR, 5)
    assert steady(Read(third).columns(), 590 + HOUR, 2 * HOUR, 5)
    text = b"".join(gzip.decompress(path.read_bytes()) for path in (second, third))
    (tmp_path / "both.lmap").write_bytes(text)
    both = Read(tmp_path / "both.lmap")
    assert steady(both.columns(), 590, 2 * HOUR, 5)
    assert both.bad == 0


@SEMANTICS
def test_a_silence_is_a_gap_of_its_own_length_wherever_a_segment_ends(tmp_path: Path, semantics: Semantics) -> None:
    """By the steps alone, the first one would be no gap, and the other one a baseline of the new segment."""
    service = Service(tmp_path / "d", semantics=semantics)
    service.run(500)
    service.run(200, silent=10)
    service.run(200, silent=1200)
    service.recording.close()
    assert len(names(tmp_path / "d")) == 2
    gaps = [(start, end) for start, end, events in Read(tmp_path / "d").columns() if events is None]
    assert gaps == [(500, 510), (710, 1910)]


@SEMANTICS
@pytest.mark.parametrize("counts_on", [False, True])
def test_dead_times_are_gaps_and_nothing_is_counted_twice(
    tmp_path: Path, semantics: Semantics, counts_on: bool
) -> None:
    service = Service(tmp_path / "d", semantics=semantics)
    service.run(300)
    for dead in (13, 100, 4000, 7):
        service.kill()
        service.restart(dead, counts_on=counts_on)
        service.run(300)
    service.recording.close()
    read = Read(tmp_path / "d")
    assert (read.bad, read.told) == (0, [])
    assert not any(one.reset for one in read.intervals)
    lost = 10 if semantics is Semantics.CUMULATIVE else 0  # the first totals of a run are its baseline
    expected: list[tuple[int, int, Any]] = []
    at = 0
    for dead in (0, 13, 100, 4000, 7):
        if dead:
            expected.append((at, at + dead + lost, None))
        at += dead
        expected += [(begin, begin + 10, 5) for begin in range(at + lost, at + 300, 10)]
        at += 300
    assert read.columns("sda") == expected
    assert [(start, end) for start, end, _ in read.columns("sdb")] == [(start, end) for start, end, _ in expected]
    ends = [one.end for one in read.intervals]
    assert ends == sorted(ends)


def test_a_folder_can_be_read_while_it_is_written_and_after_a_cut(tmp_path: Path) -> None:
    service = Service(tmp_path / "d")
    service.run(HOUR)
    while_written = Read(tmp_path / "d")
    assert steady(while_written.columns(), 10, HOUR, 5)
    assert (while_written.bad, while_written.told) == (0, [])
    service.kill()
    last = tmp_path / "d" / names(tmp_path / "d")[-1]
    data = last.read_bytes()
    longest = 0
    for place in range(0, len(data), 97):
        last.write_bytes(data[:place])
        cut = Read(tmp_path / "d")
        columns = cut.columns()
        assert steady(columns, 10, 10 + 10 * len(columns), 5)
        assert len(columns) >= longest
        longest = len(columns)
        assert cut.bad <= 2


def test_damage_in_one_segment_costs_that_segment(tmp_path: Path) -> None:
    service = Service(tmp_path / "d", semantics=Semantics.INTERVAL)
    service.run(3 * HOUR)
    service.recording.close()
    damaged = tmp_path / "d" / names(tmp_path / "d")[1]
    data = bytearray(damaged.read_bytes())
    data[3000:3100] = b"\xff" * 100
    damaged.write_bytes(data)
    read = Read(tmp_path / "d")
    columns = read.columns()
    assert steady(columns[:59], 0, 590, 5)
    assert steady(columns[-500:], 3 * HOUR - 5000, 3 * HOUR, 5)
    assert {events for _, _, events in columns} == {5, None}
    assert read.bad
    assert str(damaged) in read.told[0]


@SEMANTICS
def test_only_the_segments_that_are_needed_are_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, semantics: Semantics
) -> None:
    service = Service(tmp_path / "d", semantics=semantics)
    service.run(5 * HOUR)
    service.recording.close()
    opened: list[str] = []
    real = os.open

    def noted(path: Any, flags: int, *more: Any, **others: Any) -> int:
        opened.append(os.fspath(path)[-len("T010000.000Z.lmap.gz") :])
        return real(path, flags, *more, **others)

    for since, until, hours in (
        ("2023-11-15 01:10", "2023-11-15 01:20", ["T010000"]),
        ("2023-11-15 01:10", "2023-11-15 02:10", ["T010000", "T020000"]),
        ("2023-11-15T01:00:00Z", "+60min", ["T010000", "T020000"]),
        ("01:10", "01:20", ["T010000"]),
    ):
        sources = Sources(ReadPlan(), print)
        folder = open_path(str(tmp_path / "d"), sources.stop)
        monkeypatch.setattr(os, "open", noted)
        opened.clear()
        words = parse_moment(since), parse_moment(until)
        excerpt = Excerpt(*words, timezone.utc, float(START + 10 * HOUR))
        sources = Sources(ReadPlan(excerpt=excerpt), print)
        sources.add(folder)
        found = [one for one in sources.read(lambda _: None) if one.series == "sda"]
        monkeypatch.setattr(os, "open", real)
        first, last = excerpt.bounds()
        assert [one[:7] for one in opened] in (hours, hours[:-1])
        assert (found[0].start, found[-1].end) == (first, last)
        assert [one.events for one in found] == [5] * ((last - first) // SECOND // 10)  # type: ignore[operator]
        sources.close_all()


def test_an_excerpt_of_other_times_says_what_there_is(tmp_path: Path) -> None:
    service = Service(tmp_path / "d")
    service.run(HOUR)
    service.recording.close()
    read = Read(tmp_path / "d", since="2022-01-01", until="2022-01-02")
    assert read.intervals == []
    assert read.plan.why_empty().startswith(
        "nothing was recorded between 2022-01-01 00:00:00 and 2022-01-02 00:00:00; what there is begins "
        "2023-11-14 22:50:10 and ends "
    )


def test_the_oldest_go_by_age(tmp_path: Path) -> None:
    service = Service(tmp_path / "d", Keep(seconds=3 * HOUR))
    service.run(8 * HOUR)
    assert len(names(tmp_path / "d")) == 5
    service.recording.close()
    columns = Read(tmp_path / "d").columns()
    assert columns[0][0] <= 5 * HOUR
    assert steady(columns, columns[0][0], 8 * HOUR, 5)
    service.restart(4 * HOUR)
    assert names(tmp_path / "d") == []


def test_the_oldest_go_by_compressed_bytes(tmp_path: Path) -> None:
    service = Service(tmp_path / "d", Keep(size=20_000))
    for _ in range(100):
        service.run(600)
        assert sum(path.stat().st_size for path in (tmp_path / "d").glob("pylatencymap-*")) <= 20_000
    service.recording.close()
    columns = Read(tmp_path / "d").columns()
    assert steady(columns, columns[0][0], 60_000, 5)
    assert columns[0][0] > 600


def test_what_is_not_ours_is_never_removed(tmp_path: Path) -> None:
    folder = tmp_path / "d"
    service = Service(folder, Keep(seconds=HOUR))
    service.run(2 * HOUR)
    mine = folder / names(folder)[0]
    text = gzip.decompress(mine.read_bytes())
    foreign = {
        "pylatencymap-20200101T000000.000Z.lmap.gz": gzip.compress(b"my own notes\n"),
        "pylatencymap-20200101T000001.000Z.lmap.gz": b"",
        "pylatencymap-20200101T000002.000Z.lmap.gz": b"no gzip",
        "copy-of-a-segment.lmap.gz": gzip.compress(text),
        "monday.lmap.gz": gzip.compress(text),
        "letter.txt": b"dear",
    }
    for name, data in foreign.items():
        (folder / name).write_bytes(data)
    (folder / "pylatencymap-20200101T000003.000Z.lmap.gz").symlink_to(folder / "monday.lmap.gz")
    (folder / "pylatencymap-20200101T000004.000Z.lmap.gz").mkdir()
    service.kill()
    service.restart(100 * HOUR)
    service.run(2 * HOUR)
    service.recording.close()
    left = names(folder)
    assert set(foreign) < set(left)
    assert len(left) == len(foreign) + 2 + 3
    assert not mine.exists()


def test_two_recorders_of_one_folder_are_refused(tmp_path: Path) -> None:
    service = Service(tmp_path / "d")
    with pytest.raises(SourceError, match=f"process {os.getpid()} records into this folder"):
        service.started()
    service.recording.close()
    service.started().close()


def test_a_killed_recorder_holds_nothing(tmp_path: Path) -> None:
    program = (
        "import sys; from pylatencymap.recorder import SegmentedRecording\n"
        f"r = SegmentedRecording({str(tmp_path / 'd')!r}); print('ready', flush=True); sys.stdin.read()"
    )
    child = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.readline() == b"ready\n"
    with pytest.raises(SourceError, match=f"process {child.pid} records into this folder"):
        SegmentedRecording(str(tmp_path / "d"))
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    assert child.stdin is not None
    child.stdin.close()
    SegmentedRecording(str(tmp_path / "d")).close()


@SEMANTICS
@pytest.mark.parametrize("left", [0, 60])
def test_a_full_disk_leaves_a_gap_and_removes_nothing(
    tmp_path: Path, disk: Any, semantics: Semantics, left: int
) -> None:
    folder = tmp_path / "d"
    service = Service(folder, Keep(seconds=100 * HOUR), semantics)
    service.run(HOUR)
    before = names(folder)
    disk.left = left
    service.run(3 * HOUR)
    assert service.recording.flag == "REC FULL"
    assert names(folder) == before
    disk.left = None
    service.run(HOUR)
    service.recording.close()
    assert service.recording.flag == ""
    assert [("No space left on device" in one, "recorded again" in one) for one in service.told] == [
        (True, False), (False, True)
    ]  # fmt: skip
    read = Read(folder)
    columns = read.columns()
    assert read.bad == 0
    first = 10 if semantics is Semantics.CUMULATIVE else 0
    gaps = [one for one in columns if one[2] is None]
    assert len(gaps) == 1
    assert HOUR - 20 <= gaps[0][0] <= HOUR + 20
    assert gaps[0][1] >= 4 * HOUR - 20
    if semantics is Semantics.CUMULATIVE:
        assert sum(events for _, _, events in columns if events) == 5 * (5 * 360 - 1)
    assert steady(columns[:350], first, first + 3500, 5)
    assert steady(columns[-350:], 5 * HOUR - 3500, 5 * HOUR, 5)


def test_a_restart_on_a_full_disk_records_when_there_is_space(tmp_path: Path, disk: Any) -> None:
    service = Service(tmp_path / "d")
    disk.left = 0
    service.run(300)
    assert service.recording.flag == "REC FULL"
    assert "nothing is recorded" in service.told[0]
    assert names(tmp_path / "d") == []
    disk.left = None
    service.run(300)
    service.recording.close()
    assert steady(Read(tmp_path / "d").columns(), 310, 600, 5)


def test_marks_and_limits_work_on_a_folder(tmp_path: Path) -> None:
    service = Service(tmp_path / "d")
    service.run(300)
    service.recording.event(Mark(Stamp((START + 100) * SECOND), "here"))
    service.recording._flush_late()
    service.kill()
    service.restart(600)
    service.run(300)
    service.recording.close()
    assert [mark.note for mark in Read(tmp_path / "d").marks] == ["here"]
    assert Read(tmp_path / "d", since="23:00").marks == []
    assert len(Read(tmp_path / "d", plan=ReadPlan(count=3)).columns()) == 3
    assert Read(tmp_path / "d", plan=ReadPlan(duration=60)).columns()[-1][1] == 70


def test_a_clock_that_went_back_between_runs_moves_the_second_run(tmp_path: Path) -> None:
    service = Service(tmp_path / "d", semantics=Semantics.INTERVAL)
    service.run(300)
    service.recording.close()
    service.restart(-200)
    service.run(300)
    service.recording.close()
    read = Read(tmp_path / "d")
    assert "the clock went back by 200 s" in read.told[0]
    assert steady(read.columns(), 0, 600, 5)


def test_segments_without_a_clock_are_always_read(tmp_path: Path) -> None:
    service = Service(tmp_path / "d")
    for number in range(1, 4):
        stamp = Stamp(number * SECOND, Clock.COUNTED)
        made = Record("a", Unit.US, ((1, 2, 1),), Semantics.INTERVAL, stamp, start=(number - 1) * SECOND)
        service.recording.event(made)
    service.recording.close()
    (segment,) = segments_in(tmp_path / "d")
    assert segment.begin is None
    assert runs_within([segment], 10**15, 10**15 + 1) == [[segment]]


def test_other_folders_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.lmap").write_text("x")
    sources = Sources(ReadPlan(), print)
    with pytest.raises(SourceError, match="is a folder; name the files in it"):
        open_path(str(tmp_path), sources.stop)
    with pytest.raises(SourceError, match="cannot be written: No such file"):
        SegmentedRecording(str(tmp_path / "no" / "d"))
    with pytest.raises(SourceError, match="cannot be written"):
        SegmentedRecording(str(tmp_path / "a.lmap"))
    assert Report("x").bad_count == 0


def test_a_segment_that_somebody_removes_while_the_folder_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = Service(tmp_path / "r", Keep(size=10_000_000))
    service.run(2 * HOUR)
    service.recording.close()
    first, *others = segments_in(service.folder)

    def listed(folder: str) -> list[Segment]:
        found = segments_in(folder)
        first.path.unlink()
        return found

    monkeypatch.setattr("pylatencymap.recorder.segmented_recording.segments_in", listed)
    again = service.started()
    service.recording = again
    service.run(60)
    again.close()
    assert [one.path for one in segments_in(service.folder)][: len(others)] == [one.path for one in others]
    assert len(segments_in(service.folder)) == len(others) + 1
