"""Recordings that grow while they are read. Waiting is what moves things: each pause does the next thing."""

import gzip
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from pylatencymap.errors import SourceError, UsageError
from pylatencymap.files import GrowingFile
from pylatencymap.interval import Interval
from pylatencymap.intervals import NextPulse, Pulse, TimeOptions
from pylatencymap.record import Event
from pylatencymap.recorder.segments import first_line, segment_name
from pylatencymap.report import Report
from pylatencymap.session.input.followed import FollowedFile, FollowedFolder, open_followed
from pylatencymap.session.input.pipeline import ReadPlan, intervals_from
from pylatencymap.session.input.source import StopRequest

BEGIN = 1_700_000_000
SECOND = 1_000_000


class ScriptedStop(StopRequest):
    """Instead of waiting, the next action is taken; after the last one it is time to stop."""

    def __init__(self, *actions: Callable[[], object]) -> None:
        super().__init__()
        self.left = list(actions)

    def pause(self, seconds: float) -> None:  # noqa: ARG002
        if self.left:
            self.left.pop(0)()
        else:
            self.set()


def record(number: int, *, flags: str = "") -> str:
    """Totals of one series at a second."""
    extension = f'#lmap {{"v": 1, "series": "a", "counts": "cumulative"{flags}}}\n'
    stamp = (BEGIN + number) * SECOND
    return (
        f"{extension}<begin record>\ntimestamp,microsec,{stamp},x\nlabel,a\nlatencyunit,microsec\ndatasource,bpf\n"
        f"128,{100 * number}\n<end record>\n"
    )


def appended(path: Path, text: str) -> Callable[[], object]:
    def act() -> None:
        with path.open("a") as file:
            file.write(text)

    return act


def nothing() -> None:
    """A moment in which nothing comes."""


def followed(path: Path, stop: StopRequest) -> tuple[FollowedFile, list[str]]:
    said: list[str] = []
    source = open_followed(str(path), stop, said.append)
    assert isinstance(source, FollowedFile)
    return source, said


def texts(source: FollowedFile) -> list[str | None]:
    return [None if line is None else line.text for line in source.lines()]


def at_once(events: Iterable[Event], pulse: NextPulse) -> Iterator[Event | Pulse]:
    """Time passes after each event: what is held is not held longer."""
    for event in events:
        yield event
        if pulse.due is not None:
            yield Pulse(pulse.due)


def ends(intervals: list[Interval]) -> list[int]:
    """When intervals end, in seconds since BEGIN."""
    return [one.end // SECOND - BEGIN for one in intervals]


def test_what_is_appended_comes_and_a_quiet_moment_is_a_pause(tmp_path: Path) -> None:
    path = tmp_path / "r.lmap"
    path.write_text("#lmap 1\n")
    source, said = followed(path, ScriptedStop(appended(path, "two\nth"), appended(path, "ree\n"), nothing, nothing))
    assert not source.caught_up
    assert texts(source) == ["#lmap 1", "two", "three", None]
    assert source.caught_up
    assert said == []


def test_a_compressed_file_that_is_flushed(tmp_path: Path) -> None:
    path = tmp_path / "r.lmap.gz"
    file = GrowingFile(path, compressed=True)

    def write(text: str) -> Callable[[], object]:
        return lambda: (file.add(text.encode()), file.commit())

    write("#lmap 1\n")()
    source, _ = followed(path, ScriptedStop(write("two\n"), write("three\n"), file.close))
    assert [text for text in texts(source) if text] == ["#lmap 1", "two", "three"]


def test_an_interval_comes_with_its_record(tmp_path: Path) -> None:
    """Not only with the next one; and its times are those of the recording."""
    path = tmp_path / "r.lmap"
    path.write_text("".join(map(record, range(1, 6))))
    known: list[int] = []
    found: list[Interval] = []
    look = lambda: known.append(len(found))  # noqa: E731
    more = [action for number in (6, 7) for action in (look, appended(path, record(number)), nothing, look)]
    source, _ = followed(path, ScriptedStop(*more))
    report = Report("r", strict=True)
    for interval in intervals_from(source, ReadPlan(format="records", time=TimeOptions(pulsed=at_once)), report, print):
        found.append(interval)
    assert known == [4, 5, 5, 6]
    assert ends(found) == [2, 3, 4, 5, 6, 7]
    assert [one.events for one in found] == [100] * 6


def test_a_record_whose_time_is_damaged_goes_between_its_neighbours(tmp_path: Path) -> None:
    """It is not placed at the time at which it is read, which can be years later."""
    path = tmp_path / "r.lmap"
    texts = [record(number) for number in range(1, 31)]
    for number in (10, 25):
        texts[number - 1] = texts[number - 1].replace("timestamp,", "tim?stamp,")
    path.write_text("".join(texts[:20]))
    source, _ = followed(path, ScriptedStop(nothing, appended(path, "".join(texts[20:])), nothing))
    report = Report("r")
    found = list(intervals_from(source, ReadPlan(format="records", time=TimeOptions(pulsed=at_once)), report, print))
    assert ends(found) == list(range(2, 31))
    assert [one.events for one in found] == [100] * 29
    assert report.bad_count == 2


def test_a_truncated_file_is_told_and_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "r.lmap"
    path.write_text("#lmap 1\nold\n")
    source, said = followed(path, ScriptedStop(lambda: path.write_text("#lmap 2\n"), nothing))
    assert [text for text in texts(source) if text] == ["#lmap 1", "old", "#lmap 2"]
    assert said == [f"{path} was truncated: what is written from now on is read"]


def test_of_a_replaced_file_the_rest_is_read_first(tmp_path: Path) -> None:
    path = tmp_path / "r.lmap"
    path.write_text("#lmap 1\n")

    def replace() -> None:
        appended(path, "last words\n")()
        path.rename(tmp_path / "r.lmap~")
        path.write_text("#lmap 2\n")

    source, said = followed(path, ScriptedStop(replace, nothing))
    assert [text for text in texts(source) if text] == ["#lmap 1", "last words", "#lmap 2"]
    assert said == [f"{path} was replaced: the new file is read"]


def test_a_removed_file_is_told_once_and_awaited(tmp_path: Path) -> None:
    path = tmp_path / "r.lmap"
    path.write_text("#lmap 1\n")
    other = tmp_path / "other"
    other.write_text("#lmap 2\n")
    source, said = followed(path, ScriptedStop(path.unlink, nothing, lambda: other.rename(path), nothing))
    assert [text for text in texts(source) if text] == ["#lmap 1", "#lmap 2"]
    assert said == [
        f"{path} was removed: a new file of this name will be read",
        f"{path} was replaced: the new file is read",
    ]


def segment(folder: Path, run: str, part: int, first: int, *numbers: int) -> Callable[[], object]:
    """Write a segment; one that begins with a baseline repeats the last totals."""

    def act() -> None:
        lines = first_line(run, part, (BEGIN + first) * SECOND) + "".join(map(record, numbers))
        (folder / segment_name(BEGIN + first)).write_bytes(gzip.compress(lines.encode()))

    return act


def test_a_folder_is_followed_from_segment_to_segment_and_run_to_run(tmp_path: Path) -> None:
    segment(tmp_path, "run-1", 0, 0, 1, 2, 3)()
    stop = ScriptedStop(
        nothing,
        segment(tmp_path, "run-1", 1, 3, 4, 5),
        nothing,
        nothing,
        segment(tmp_path, "run-2", 0, 20, 21, 22),
        nothing,
        nothing,
    )
    said: list[str] = []
    source = open_followed(str(tmp_path), stop, said.append)
    assert isinstance(source, FollowedFolder)
    report = Report("d", say=said.append)
    found = list(source.intervals(ReadPlan(), report, print, (None, None)))
    assert ends([one for one in found if not one.gap]) == [2, 3, 4, 5, 22]
    assert len([one for one in found if one.gap]) == 1
    assert source.caught_up
    assert said == []


def test_the_newest_segment_grows(tmp_path: Path) -> None:
    file = GrowingFile(tmp_path / segment_name(BEGIN), compressed=True)

    def write(text: str) -> Callable[[], object]:
        return lambda: (file.add(text.encode()), file.commit())

    write(first_line("run-1", 0, BEGIN * SECOND) + record(1) + record(2))()
    source = open_followed(str(tmp_path), ScriptedStop(write(record(3)), write(record(4)), nothing), print)
    assert isinstance(source, FollowedFolder)
    assert ends(list(source.intervals(ReadPlan(), Report("d", strict=True), print, (None, None)))) == [2, 3, 4]


def test_what_cannot_be_followed(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("10:00:01\n 64 -> 127 : 5\n")
    os.mkfifo(tmp_path / "pipe")
    writer = os.open(tmp_path / "pipe", os.O_RDWR)
    stop = StopRequest()
    for path, kind, said in (
        ("text", UsageError, "it is no recording; for other text: tail"),
        ("pipe", UsageError, "leave out --follow"),
        ("none", SourceError, "no such file"),
        (".", SourceError, "a folder without a recording"),
    ):
        with pytest.raises(kind, match=said):
            open_followed(str(tmp_path / path), stop, print)
    with pytest.raises(UsageError, match="leave out --follow"):
        open_followed("-", stop, print)
    os.close(writer)
