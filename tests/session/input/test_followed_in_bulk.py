"""What is there when a recording is followed is read many records at a time: with the same result as line by line."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest

from pylatencymap.errors import LatencyMapError
from pylatencymap.interval import Interval
from pylatencymap.intervals import Batch, NextPulse, Pulse, TimeOptions, one_by_one
from pylatencymap.record import Event, Mark
from pylatencymap.recorder.segments import first_line, segment_name
from pylatencymap.report import Report
from pylatencymap.session.input import followed
from pylatencymap.session.input.followed import FollowedFile, FollowedFolder, open_followed
from pylatencymap.session.input.pipeline import ReadPlan, intervals_from
from pylatencymap.session.input.source import Source, StopRequest
from pylatencymap.text import DAMAGED
from pylatencymap.window.window import Window
from tests.session.input.bulk_alike import (
    FIRST,
    MAKERS,
    MODIFIED,
    NEVER,
    Maker,
    assert_same_windows,
    counted,
    prepare,
    totals,
)
from tests.trust.fuzzing.damage import LOCAL


def uneven(random: Random, number: int) -> bytes:
    """Totals of series that are left out now and then, at steps of very different lengths."""
    sums = {name: dict.fromkeys((64, 256, 1024), 0) for name in ("sda", "sdb")}
    found, moment, step = list[str](), FIRST, 1_000_000
    head = '#lmap {"v": 1, "final": true, "counts": "cumulative"}\n' if random.random() < 0.7 else ""
    for _ in range(number):
        if random.random() < 0.15:
            step = random.choice((20_000, 300_000, 1_000_000, 2_000_000, 6_000_000))
        moment += step
        for name, counts in sums.items():
            for low in counts:
                counts[low] += random.choice((1, 5, 40))
            if name == "sda" or random.random() < 0.8:
                rows = "".join(f"{low},{count}\n" for low, count in counts.items())
                found.append(
                    f"{head}<begin record>\ntimestamp,microsec,{moment},x\nlabel,{name}\nlatencyunit,microsec\n"
                    f"datasource,bpf\n{rows}<end record>\n"
                )
                head = ""
    return "".join(found).encode()


every_maker = pytest.mark.parametrize("maker", [*MAKERS, uneven], ids=lambda maker: maker.__name__)
Actions = list[Callable[[], object]]


class Clock(StopRequest):
    """A clock that only waiting moves on. While it does, the next action is taken; after the last one it is time to
    stop.
    """

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.now = 1000.0
        self._left = list(actions)

    def monotonic(self) -> float:
        return self.now

    def pause(self, seconds: float) -> None:
        self.now += seconds
        if self._left:
            self._left.pop(0)()
        else:
            self.set()


class Reading(NamedTuple):
    """All that comes of a recording."""

    found: list[Interval]
    marks: list[Mark]
    said: list[str]
    bad: int
    ended: str


def woken(source: Source) -> Callable[[Iterable[Event], NextPulse], Iterator[Event | Pulse]]:
    """What is held when nothing comes is released before the next event."""

    def pulsed(events: Iterable[Event], pulse: NextPulse) -> Iterator[Event | Pulse]:
        resumed = source.resumed
        for event in events:
            if source.resumed != resumed:
                resumed = source.resumed
                if pulse.due is not None and pulse.due <= resumed:
                    yield Pulse(resumed)
            yield event

    return pulsed


def read(
    path: Path,
    actions: Actions,
    *,
    in_bulk: bool,
    pieces: int = 4000,
    take_batch: Callable[[Batch | Interval], object] | None = None,
    on_progress: Callable[[str, int, int], object] | None = None,
) -> Reading:
    """Follow a file. ``take_batch`` gets batches, and what is between them."""
    marks, said, found, ended = list[Mark](), list[str](), list[Interval](), ""
    report, clock = Report("t", say=said.append), Clock(actions)
    with ExitStack() as stack:
        prepare(stack, 1 if in_bulk else NEVER, pieces)
        stack.enter_context(patch.object(followed, "CHUNK", 3000))
        source = open_followed(str(path), clock, said.append)
        stack.callback(source.close)
        assert isinstance(source, FollowedFile)
        source.monotonic = clock.monotonic
        source.started = source.heard = source.resumed = clock.now
        source.progress = on_progress or source.progress
        plan = ReadPlan("records", time=TimeOptions(now=lambda: MODIFIED + clock.now, pulsed=woken(source)))
        try:
            found.extend(intervals_from(source, plan, report, marks.append, None, take_batch))
        except LatencyMapError as error:
            ended = str(error)
    return Reading(found, marks, said, report.bad_count, ended)


def written(path: Path, data: bytes) -> Callable[[], object]:
    def act() -> None:
        with path.open("ab") as file:
            file.write(data)

    return act


def nothing() -> None:
    """A moment in which nothing comes."""


def portions(random: Random, data: bytes) -> list[bytes]:
    """What is there at first, and what is appended later: cut anywhere, also within a line."""
    cuts = sorted(random.randrange(len(data) // 2, len(data)) for _ in range(random.choice((1, 3, 8))))
    return [data[first:stop] for first, stop in zip([0, *cuts], [*cuts, len(data)], strict=True)]


def assert_alike(path: Path, random: Random, data: bytes) -> int:
    """Both ways come to the same, however the recording grows. Returns how many intervals came in batches."""
    first, *later = portions(random, data)
    actions = [act for part in later for act in (*[nothing] * random.choice((0, 1, 6)), written(path, part))]
    pieces = random.choice((1000, 6000, 1 << 20))

    def reading(in_bulk: bool, **more: Any) -> Reading:
        path.write_bytes(first)
        return read(path, actions, in_bulk=in_bulk, pieces=pieces, **more)

    whole, once = reading(False), reading(True)
    assert once == whole
    taken = list[Batch | Interval]()
    batched = reading(True, take_batch=taken.append)
    assert not batched.found
    assert batched[1:] == whole[1:]
    windows = Window(), Window()
    for one in taken:
        windows[0].add(one) if isinstance(one, Interval) else windows[0].extend(one)
    for interval in whole.found:
        windows[1].add(interval)
    assert_same_windows(*windows)
    return sum(one.ends.size for one in taken if not isinstance(one, Interval))


@every_maker
@pytest.mark.parametrize("seed", range(4))
def test_recordings_that_grow_are_read_alike(maker: Maker, seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    assert_alike(tmp_path / "r.lmap", random, maker(random, 90))


@every_maker
@pytest.mark.parametrize("seed", range(4))
def test_damaged_lines_are_read_alike(maker: Maker, seed: int, tmp_path: Path) -> None:
    random = Random(300 + seed)
    lines = maker(random, 60).split(b"\n")
    for _ in range(random.choice((1, 2, 6))):
        place = random.randrange(len(lines) - 1)
        lines[place : place + 2] = random.choice(LOCAL)(random, lines[place], lines[place + 1])
    assert_alike(tmp_path / "r.lmap", random, b"\n".join(lines))


def test_what_is_there_comes_in_batches_and_what_is_appended_does_not(tmp_path: Path) -> None:
    path, data = tmp_path / "r.lmap", calm()
    half = data.index(b"<begin", len(data) // 2)
    path.write_bytes(data[:half])
    taken = list[Batch | Interval]()
    seen = list[int]()
    actions: Actions = [lambda: seen.append(len(taken)), written(path, data[half:])]
    read(path, actions, in_bulk=True, pieces=1 << 20, take_batch=taken.append)
    here, later = taken[: seen[0]], taken[seen[0] :]
    batched = sum(one.ends.size for one in here if not isinstance(one, Interval))
    assert batched > 0.9 * data[:half].count(b"<begin")
    assert all(isinstance(one, Interval) for one in later)
    assert len(later) > 0.9 * data[half:].count(b"<begin")


def calm() -> bytes:
    """Totals of two series that only grow."""
    names, found = ("sda", "sdb"), list[str]()
    for number in range(1, 600):
        for name in names:
            found.append(
                f"<begin record>\ntimestamp,microsec,{FIRST + number * 1_000_000},x\nlabel,{name}\n"
                f"latencyunit,microsec\ndatasource,bpf\n64,{7 * number}\n128,{3 * number}\n<end record>\n"
            )
    return "".join(found).encode()


def test_the_text_can_be_cut_anywhere_when_all_of_it_has_been_read(tmp_path: Path) -> None:
    path, data = tmp_path / "r.lmap", calm()[:30_000]
    begin = data.index(b"<begin", 20_000)
    expected = None
    for cut in range(begin, data.index(b"<begin", begin + 1) + 1):
        path.write_bytes(data[:cut])
        found = read(path, [nothing, written(path, data[cut:])], in_bulk=True)
        expected = expected or found
        assert found == expected
    path.write_bytes(data[:begin])
    assert read(path, [nothing, written(path, data[begin:])], in_bulk=False) == expected


@pytest.mark.parametrize("maker", [totals, counted, uneven], ids=lambda maker: maker.__name__)
@pytest.mark.parametrize("seed", range(3))
def test_a_file_that_grows_while_it_is_read(maker: Maker, seed: int, tmp_path: Path) -> None:
    random, path = Random(40 + seed), tmp_path / "r.lmap"
    data = maker(random, 120)
    first, *later = portions(random, data)

    def reading(in_bulk: bool) -> Reading:
        path.write_bytes(first)
        left = list(later)

        def grow(_name: str, _done: int, _size: int) -> None:
            if left:
                written(path, left.pop(0))()

        found = read(path, [], in_bulk=in_bulk, on_progress=grow)
        assert not left
        return found

    assert reading(True) == reading(False)


def test_a_file_that_is_replaced_and_truncated(tmp_path: Path) -> None:
    random, path, other = Random(5), tmp_path / "r.lmap", tmp_path / "other"
    first, second, third = (totals(random, 60) for _ in range(3))

    def reading(in_bulk: bool) -> Reading:
        path.write_bytes(first[:-25])
        other.write_bytes(second)
        more: Actions = [lambda: other.rename(path), nothing, lambda: path.write_bytes(third[:4000])]
        return read(path, more, in_bulk=in_bulk)

    whole = reading(False)
    assert reading(True) == whole
    assert [f"{path} was replaced: the new file is read" in whole.said, len(whole.said) > 1] == [True, True]


def test_damaged_compressed_data(tmp_path: Path) -> None:
    """Nothing after the damage is read, even if it is appended later, and the damage is reported once."""
    path, data = tmp_path / "r.lmap.gz", calm()
    cuts = [*(one.start() for one in re.finditer(b"<begin", data)), len(data)][::200]
    parts = [bytearray(gzip.compress(data[first:stop])) for first, stop in pairwise([*cuts, len(data)])]
    parts[1][len(parts[1]) // 2] ^= 0xFF

    def reading(in_bulk: bool) -> Reading:
        path.write_bytes(b"".join(parts[:-1]))
        return read(path, [nothing, written(path, bytes(parts[-1]))], in_bulk=in_bulk)

    whole = reading(False)
    assert reading(True) == whole
    assert [DAMAGED in one for one in whole.said].count(True) == 1
    assert FIRST + 60_000_000 <= whole.found[-1].end < FIRST + 400_000_000


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_texts_with_a_byte_order_mark(encoding: str, tmp_path: Path) -> None:
    path, text = tmp_path / "r.lmap", calm()[:30_000].decode()
    data = text.encode(encoding)
    path.write_bytes(data[:-2000])
    assert read(path, [nothing, written(path, data[-2000:])], in_bulk=True).found == _found(tmp_path, text)


def _found(folder: Path, text: str) -> list[Interval]:
    path = folder / "plain.lmap"
    path.write_text(text)
    return read(path, [], in_bulk=False).found


@pytest.mark.parametrize("seed", range(4))
def test_a_folder_of_segments(seed: int, tmp_path: Path) -> None:
    """Of two runs of the recorder, the last segments of which are still written."""

    def reading(in_bulk: bool) -> Reading:
        random = Random(60 + seed)
        folder = tmp_path / str(in_bulk)
        folder.mkdir()
        actions = _segments(folder, random, random.choice((totals, counted, uneven)))
        return _follow(folder, actions, in_bulk)

    whole, once = reading(False), reading(True)
    assert len(whole.found) > 100
    assert once[:2] == whole[:2]
    assert [one.replace("True", "False") for one in once.said] == whole.said
    assert once[3:] == whole[3:]


def _segments(folder: Path, random: Random, maker: Maker) -> Actions:
    """Write the first segments; returns what writes the others."""
    actions: Actions = []
    for run in range(2):
        data = maker(random, 150).replace(b"1700", b"17%02d" % run)
        ends = [one.end() for one in re.finditer(b"<end record>\n", data)]
        cuts = [0, ends[len(ends) // 3], ends[len(ends) // 2] - random.choice((0, 0, 30)), len(data)]
        for part, (first, stop) in enumerate(pairwise(cuts)):
            begin = FIRST // 1_000_000 + run * 1_000_000 + 20 * part
            text = first_line(f"run-{run}", part, begin * 1_000_000).encode() + data[first:stop]
            path = folder / segment_name(begin)
            if run and part:
                actions += [nothing, written(path, gzip.compress(text))]
            else:
                path.write_bytes(gzip.compress(text))
    return actions


def _follow(folder: Path, actions: Actions, in_bulk: bool) -> Reading:
    marks, said, clock = list[Mark](), list[str](), Clock(actions)
    report = Report("t", say=said.append)
    with ExitStack() as stack:
        prepare(stack, 1 if in_bulk else NEVER, 4000)
        source = open_followed(str(folder), clock, said.append)
        stack.callback(source.close)
        assert isinstance(source, FollowedFolder)
        source.monotonic = clock.monotonic
        plan = ReadPlan("records", time=TimeOptions(now=lambda: MODIFIED + clock.now, pulsed=lambda events, _: events))
        found = list(one_by_one(source.intervals(plan, report, marks.append, (None, None))))
    return Reading(found, marks, said, report.bad_count, "")
