"""A file that is read again: it must be the same one, and reading can be watched and ended."""

import gzip
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pylatencymap.errors import SourceError
from pylatencymap.events import EventFile, EventQuestion, FileChanged, NoSingleEvents, identity_of
from pylatencymap.events.question import FileIdentity
from pylatencymap.session.input import ReadPlan
from pylatencymap.units import Unit
from tests.events.asking import PLAN, answer, reading_by

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
import lines as made


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    path = tmp_path / "trace.txt"
    path.write_bytes(b"".join(made.text("strace", 900_000, seed=2)))
    return path


def ticking() -> Iterator[float]:
    """A clock on which much time passes between two looks, and none while one is made."""
    now = 0.0
    while True:
        now += 10.0
        yield now
        yield now


@pytest.mark.parametrize("way", ["line", "scan"])
def test_what_is_found_grows_until_it_is_complete(trace: Path, way: str) -> None:
    clock = ticking()
    with reading_by(way, 20_000), EventFile(str(trace), PLAN) as file:
        found = list(file.read(EventQuestion(), lambda: next(clock)))
    events = [one.total.events for one in found]
    assert events == sorted(events)
    assert len(set(events)) > 2
    assert 0 < events[0] < events[-1]
    assert [one.is_complete for one in found] == [False] * (len(found) - 1) + [True]
    assert [one.done for one in found] == sorted(one.done for one in found)
    assert found[-1].done == found[-1].size == trace.stat().st_size


def test_progress_of_a_compressed_file_is_in_its_own_bytes(trace: Path) -> None:
    packed = trace.with_suffix(".gz")
    packed.write_bytes(gzip.compress(trace.read_bytes()))
    seen: list[tuple[int, int]] = []
    with EventFile(str(packed), PLAN, on_progress=lambda _, done, size: seen.append((done, size))) as file:
        list(file.read(EventQuestion()))
    size = packed.stat().st_size
    assert {one[1] for one in seen} == {size}
    assert max(one[0] for one in seen) == size


@pytest.mark.parametrize("way", ["line", "scan"])
def test_a_reading_can_be_ended(trace: Path, way: str) -> None:
    clock = ticking()
    with reading_by(way, 20_000), EventFile(str(trace), PLAN) as file:
        found = []
        for one in file.read(EventQuestion(), lambda: next(clock)):
            found.append(one)
            file.stop.set()
    assert found
    assert not any(one.is_complete for one in found)


@pytest.mark.parametrize("way", ["line", "scan"])
def test_a_reading_can_be_left(trace: Path, way: str) -> None:
    """Closing the iterator ends the processes that scan."""
    with reading_by(way, 20_000), EventFile(str(trace), ReadPlan(jobs=2)) as file:
        reading = file.read(EventQuestion(), lambda: 0.0)
        next(reading)
        reading.close()


def test_one_file_answers_several_questions(trace: Path) -> None:
    with EventFile(str(trace), PLAN) as file:
        *_, everything = file.read(EventQuestion())
        *_, slow = file.read(EventQuestion(low=0.004))
        *_, fast = file.read(EventQuestion(high=0.004))
    assert slow.total.events + fast.total.events == everything.total.events
    assert min(line.waited for line in slow.lines) >= 0.004


def test_only_some_series(trace: Path) -> None:
    found = answer(trace, wants=lambda series, unit: series == "write" and unit is Unit.US)
    assert [value.value for value in found.series.values] == ["write"]


def test_a_shift_moves_the_time_that_is_asked_for(trace: Path) -> None:
    day = 86_400_000_000
    found = answer(trace)
    assert found.span is not None
    first = found.span[0]
    early, moved = answer(trace, last=first + 10**6), answer(trace, last=first + day + 10**6, shift=day)
    assert early.total == moved.total
    assert early.lines[0].end + day == moved.lines[0].end


def changed(path: Path, how: str) -> None:
    about = path.stat()
    if how == "grew":
        with path.open("ab") as file:
            file.write(b"x\n")
    elif how == "shrank":
        os.truncate(path, 1000)
    elif how == "replaced":
        other = path.with_suffix(".new")
        other.write_bytes(path.read_bytes())
        os.replace(other, path)
    else:
        os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns + 1))


@pytest.mark.parametrize("how", ["grew", "shrank", "replaced", "written"])
def test_another_file_than_the_one_that_was_read_is_refused(trace: Path, how: str) -> None:
    before = identity_of(str(trace))
    changed(trace, how)
    with pytest.raises(FileChanged, match=f"has changed since it was read: .*{how}"):
        EventFile(str(trace), PLAN, identity=before)


@pytest.mark.parametrize("how", ["grew", "shrank", "written"])
def test_a_file_that_changes_between_two_questions_is_refused(trace: Path, how: str) -> None:
    with EventFile(str(trace), PLAN) as file:
        list(file.read(EventQuestion()))
        changed(trace, how)
        with pytest.raises(FileChanged, match=how):
            next(file.read(EventQuestion()))


def test_a_file_that_changes_while_it_is_read_is_refused(trace: Path) -> None:
    clock = ticking()
    with EventFile(str(trace), PLAN) as file:
        reading = file.read(EventQuestion(), lambda: next(clock))
        next(reading)
        changed(trace, "grew")
        with pytest.raises(FileChanged, match="grew"):
            list(reading)


def test_the_same_file_is_the_same(trace: Path) -> None:
    identity = identity_of(str(trace))
    assert isinstance(identity, FileIdentity)
    with EventFile(str(trace), PLAN, identity=identity) as file:
        assert file.identity == identity


def test_counts_have_no_single_events(root: Path) -> None:
    with pytest.raises(NoSingleEvents, match="no single events"):
        EventFile(str(root / "examples/steady.lmap.gz"), PLAN)


def test_a_folder_and_a_pipe_are_no_files(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="folder"):
        EventFile(str(tmp_path), PLAN)
    read_end, write_end = os.pipe()
    try:
        with pytest.raises(SourceError, match="is no file"):
            EventFile(f"/dev/fd/{read_end}", PLAN)
    finally:
        os.close(read_end)
        os.close(write_end)


def test_the_text_of_a_line_is_found_however_long_the_decoder_held_it(tmp_path: Path) -> None:
    """biosnoop's rows above the header are held until it comes."""
    text = b"".join(made.text("biosnoop", 600_000, seed=2)).splitlines(keepends=True)
    path = tmp_path / "late.txt"
    path.write_bytes(b"".join([*text[1:], text[0], text[-1]]))
    found = answer(path, ReadPlan(format="biosnoop"))
    assert found.total.events == len(text)
    lines = path.read_text().splitlines()
    assert all(line.text == lines[line.number - 1] for line in found.lines)
