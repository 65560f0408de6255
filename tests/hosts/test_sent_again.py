"""What a host sends once more after its command was started again: it is passed over, and nothing else is."""

from __future__ import annotations

import os
import random
import shlex
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import pylatencymap as lm
from pylatencymap.hosts import HostCommand, ManyHosts, RecordingInOrder, host_stream
from pylatencymap.hosts.host_pipe import HostPipe
from pylatencymap.hosts.sent_again import MOST_HELD, SentAgain
from pylatencymap.interval import Interval
from pylatencymap.record import KEPT, Clock, Event, Mark, Record, Semantics, Stamp, Tick
from pylatencymap.session.input import ReadPlan, StopRequest
from pylatencymap.stream import StreamWriter
from pylatencymap.units import Unit

NOW = 1_700_000_000
MICROS = 10**6
CHANCE = random.Random(1)
COUNTS = [CHANCE.randrange(1, 1000) for _ in range(700)]
"""Of each second."""


def interval(end: float, count: int = 100, series: str = "sda", *, clock: bool = True) -> Interval:
    ranges = ((128, 256, count),) if count else ()
    return Interval(series, Unit.US, round((end - 1) * MICROS), round(end * MICROS), 1.0, ranges, clock=clock)


# What real commands print.


@cache
def seconds_of(series: tuple[str, ...]) -> list[str]:
    """The text of each second, as ``collect`` prints it."""
    texts, now = [""], list[str]()
    writer = StreamWriter(now.append)
    for second in range(1, 700):
        end = Stamp((NOW + second) * MICROS, Clock.EPOCH)
        events: list[Event] = [Tick(end, start=end.micros - MICROS, kept=True)]
        events += [
            Record(name, Unit.US, ((128, 256, COUNTS[second]),), Semantics.INTERVAL, end, start=end.micros - MICROS,
                   source="bpf", flags=frozenset({KEPT}))
            for name in series
        ]  # fmt: skip
        for event in events:
            writer.event(event)
        texts.append("".join(now))
        now.clear()
    return texts


def records(first: int, number: int, series: tuple[str, ...] = ("sda", "sdb")) -> str:
    return "".join(seconds_of(series)[first : first + number])


def calls(first: int, number: int) -> str:
    """Two calls for each half of a second, as strace prints them."""
    return "".join(
        f"{NOW + half / 2:.6f} read(3, \"x\", 10) = 10 <0.00020{at}>\n"
        for half in range(2 * first, 2 * (first + number))
        for at in range(2)
    )  # fmt: skip


class GrowingLog:
    """A file that ``tail -n +1 -f`` prints, and the process that does so."""

    def __init__(self, folder: Path, text: str = "") -> None:
        self.path = folder / "log"
        self.path.write_text(text)
        self._process = folder / "process"
        self.command = f"echo $$ > {shlex.quote(str(self._process))}; exec tail -n +1 -f {shlex.quote(str(self.path))}"

    def append(self, text: str) -> None:
        with self.path.open("a") as file:
            file.write(text)

    def kill(self) -> None:
        os.kill(int(self._process.read_text()), signal.SIGKILL)


def first_and_then(folder: Path, first: str, then: str) -> str:
    """A command that prints something and ends; when it is started again it prints something else, and stays."""
    paths = [folder / name for name in ("first", "then", "has begun")]
    for path, text in zip(paths, (first, then), strict=False):
        path.write_text(text)
    one, two, begun = (shlex.quote(str(path)) for path in paths)
    return f"if [ -e {begun} ]; then cat {two}; exec sleep 100000; fi; : > {begun}; exec cat {one}"


@pytest.fixture(autouse=True)
def restarted_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_stream, "PAUSES", (0.0,))


class Reading:
    """Reads the host ``db1``; ``found`` are its intervals up to now."""

    def __init__(self, command: str) -> None:
        self.said: list[str] = []
        self.found: list[Interval] = []
        self.marks: list[str] = []
        plan = ReadPlan()
        self._many = ManyHosts([HostCommand("db1", command)], plan, StopRequest(), self.said.append, now=lambda: NOW)
        self.coming = self._many.intervals(lambda mark: self.marks.append(mark.note))

    def until(self, happened: Callable[[], bool]) -> None:
        while not happened():
            self.found.append(next(self.coming))

    def counted(self, series: str = "sda") -> float:
        return sum(one.events for one in self.found if one.series == f"db1,{series}")

    @property
    def passed_over(self) -> list[str]:
        return [one for one in self.said if "passed over" in one]

    def close(self) -> None:
        self._many.close()


@pytest.fixture
def read() -> Iterator[Callable[[str], Reading]]:
    opened: list[Reading] = []

    def begin(command: str) -> Reading:
        opened.append(Reading(command))
        return opened[-1]

    yield begin
    for one in opened:
        one.close()


@pytest.mark.parametrize("seconds", [1, 3, 600])
def test_what_a_command_prints_once_more_is_passed_over(
    tmp_path: Path, read: Callable[[str], Reading], seconds: int
) -> None:
    log = GrowingLog(tmp_path, records(1, seconds))
    reading = read(log.command)
    reading.until(lambda: len(reading.found) == 2 * seconds)
    log.kill()
    log.append(records(seconds + 1, 5))
    reading.until(lambda: reading.counted("sdb") == reading.counted() == sum(COUNTS[1 : seconds + 6]))
    assert len(reading.found) == 2 * (seconds + 5)
    assert reading.passed_over == [f"db1: {2 * seconds:,} intervals of before its restart came again: passed over"]


def test_in_the_short_way_as_well(
    tmp_path: Path, read: Callable[[str], Reading], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each second is written when the last one has come, so that the host is read in the short way before its command
    ends, and afterwards.
    """
    steady: list[int] = []
    usual = HostPipe._read_steady

    def counting(pipe: HostPipe, descriptor: int) -> bool:
        steady.append(len(reading.found))
        return usual(pipe, descriptor)

    monkeypatch.setattr(HostPipe, "_read_steady", counting)
    log = GrowingLog(tmp_path)
    reading = read(log.command)

    def write_until(last: int) -> None:
        for second in range(len(reading.found) // 2 + 1, last + 1):
            log.append(records(second, 1))
            reading.until(lambda second=second: len(reading.found) == 2 * second)  # type: ignore[misc]

    write_until(15)
    assert steady
    steady.clear()
    log.kill()
    write_until(30)
    assert steady
    assert reading.counted() == reading.counted("sdb") == sum(COUNTS[1:31])
    assert len(reading.found) == 60
    assert len(reading.passed_over) == 1


def test_a_second_that_the_end_of_the_command_has_cut_off_is_completed(
    tmp_path: Path, read: Callable[[str], Reading]
) -> None:
    """Two of its four calls were counted when the command was killed; the others count afterwards, and only they."""
    lines = calls(1, 20).splitlines(keepends=True)
    reading = read(first_and_then(tmp_path, "".join(lines[:-2]), calls(1, 24)))
    reading.until(lambda: len({one.end for one in reading.found}) == 22)
    assert [one.events for one in reading.found] == [4] * 19 + [2, 2] + [4, 4]
    assert reading.found[19].end == reading.found[20].end
    assert reading.passed_over == ["db1: 20 intervals of before its restart came again: passed over"]


def test_a_series_that_is_new_after_the_restart_is_whole(tmp_path: Path, read: Callable[[str], Reading]) -> None:
    """Its times are those of before, and nobody has counted it."""
    reading = read(first_and_then(tmp_path, records(1, 30), records(1, 35, ("sda", "sdb", "sdc"))))
    reading.until(lambda: all(reading.counted(name) == sum(COUNTS[1:36]) for name in ("sda", "sdb", "sdc")))
    assert len(reading.found) == 3 * 35
    assert reading.passed_over == ["db1: 60 intervals of before its restart came again: passed over"]


def test_a_recording_has_it_once(tmp_path: Path, read: Callable[[str], Reading]) -> None:
    log = GrowingLog(tmp_path, records(1, 100))
    reading = read(log.command)
    path = tmp_path / "all.lmap"
    with path.open("w") as file:
        writer = StreamWriter(file.write)
        recording = RecordingInOrder(writer.event, reading.said.append)
        reading.coming = recording.taken(reading.coming)
        reading.until(lambda: len(reading.found) == 200)
        log.kill()
        log.append(records(101, 5))
        reading.until(lambda: reading.counted("sdb") == sum(COUNTS[1:106]))
        recording.close()
    found = lm.read(path, tz="UTC")
    assert [sum(one.events for one in found.intervals(f"db1,{name}")) for name in ("sda", "sdb")] == [
        sum(COUNTS[1:106])
    ] * 2
    assert not found.messages


# How the past is distinguished from new intervals, second by second.


class Host:
    """Its stream, with a clock that the test sets: ``heard`` are monotonic seconds."""

    def __init__(self, *ends: float, clock: bool = True) -> None:
        self.again = SentAgain()
        self.taken = self.again.new_of([interval(end, clock=clock) for end in ends], 0.0)

    def new(self, heard: float, *found: Interval) -> list[Interval]:
        return self.again.new_of([*found], heard)

    def restarted(self, at: float) -> None:
        self.again.rest()
        self.again.restarted(at)


def ends(found: list[Interval]) -> list[float]:
    return [one.end / MICROS for one in found]


def test_a_probe_that_is_started_anew_is_unaffected() -> None:
    host = Host(*range(1000, 1010))
    host.restarted(20.0)
    for at in range(1012, 1020):
        assert ends(host.new(at - 990.0, interval(at))) == [at]
    assert host.again.passed_over() == 0


@pytest.mark.parametrize("back", [1, 2, 5, 600])
@pytest.mark.parametrize("connecting", [0.1, 3.0, 60.0])
@pytest.mark.parametrize("held", [0, 1])
def test_nothing_is_lost_of_a_clock_that_was_set_back(back: int, connecting: float, held: int) -> None:
    """The stages can hold the first intervals until the next ones confirm them."""
    host = Host(*range(1000, 1700))
    host.restarted(2000.0)
    sent = [interval(1700 - back + at, 200 + at) for at in range(20)]
    found = host.new(2000.0 + connecting + 1.0 + held, *sent[: 1 + held])
    for at in range(1 + held, 20):
        found += host.new(2000.0 + connecting + 1.0 + at, sent[at])
    assert found == sent
    assert host.again.passed_over() == 0


def test_a_clock_that_was_set_back_delays_by_two_intervals_at_most() -> None:
    host = Host(*range(1000, 1700))
    host.restarted(2000.0)
    waits = [len(host.new(2001.5 + at, interval(1300 + at, 7))) for at in range(6)]
    assert waits == [0, 0, 3, 1, 1, 1]


def test_what_still_waits_at_the_end_is_new() -> None:
    host = Host(*range(1000, 1700))
    host.restarted(2000.0)
    assert host.new(2001.5, interval(1300, 7)) == []
    assert host.again.rest() == [interval(1300, 7)]


def test_without_a_clock_all_is_new() -> None:
    host = Host(*range(1000, 1010), clock=False)
    host.restarted(20.0)
    sent = [interval(at, clock=False) for at in range(1000, 1010)]
    assert host.new(20.1, *sent) == sent


@pytest.mark.parametrize("first", [1000, 1550, 1698, 1699])
@pytest.mark.parametrize("pieces", [1, 7, 100])
def test_the_past_comes_in_pieces_after_a_slow_connection(first: int, pieces: int) -> None:
    """All of it, or its end as from ``tail -n 100 -f``."""
    host = Host(*range(1000, 1700))
    host.restarted(2000.0)
    sent = [interval(at) for at in range(first, 1705)]
    found: list[Interval] = []
    for at in range(0, len(sent), pieces):
        found += host.new(2003.0 + at * 0.01, *sent[at : at + pieces])
    assert ends(found) == [1700, 1701, 1702, 1703, 1704]
    assert host.again.passed_over() == 1700 - first


def test_a_past_whose_end_was_taken_away_is_passed_over_by_its_length_alone() -> None:
    """As when a log was rotated, or its last line was damaged."""
    host = Host(*range(1000, 1700))
    host.restarted(2000.0)
    found = host.new(2003.0, *[interval(at) for at in range(1000, 1650)])
    assert found == []
    assert ends(host.new(2004.0, interval(1702))) == [1702]
    assert host.again.passed_over() == 650


def test_what_follows_the_past_on_a_clock_that_was_set_back_is_new() -> None:
    host = Host(*range(1000, 1700))
    host.restarted(2000.0)
    past = [interval(at) for at in range(1000, 1700)]
    new = [interval(1400 + at, 7) for at in range(5)]
    assert host.new(2000.5, *past, *new) == new
    assert host.again.passed_over() == 700


def test_a_second_restart_is_judged_by_all_that_was_taken() -> None:
    host = Host(*range(1000, 1010))
    for last in (1015, 1020):
        host.restarted(2000.0)
        found = host.new(2000.1, *[interval(at) for at in range(1000, last)])
        assert ends(found) == [*range(last - 5, last)]
        assert host.again.passed_over() == last - 1005


def test_idle_seconds_are_passed_over_as_well() -> None:
    host = Host()
    sent = [interval(at, 0) for at in range(1000, 1010)]
    host.new(1.0, *sent)
    host.restarted(20.0)
    assert host.new(20.1, *sent, interval(1010, 0)) == [interval(1010, 0)]


def test_an_interval_that_was_cut_off_is_completed() -> None:
    host = Host(1000)
    cut = replace(interval(1001, 40), waited=40 * 192e-6)
    whole = replace(interval(1001, 100), ranges=((128, 256, 100), (256, 512, 3)), waited=100 * 192e-6 + 3 * 384e-6)
    host.new(1.0, cut)
    host.restarted(20.0)
    (found,) = host.new(20.1, interval(1000), whole)
    assert found.ranges == ((128, 256, 60), (256, 512, 3))
    assert found.waited == pytest.approx(60 * 192e-6 + 3 * 384e-6)
    assert host.again.passed_over() == 2
    host.restarted(40.0)
    assert ends(host.new(40.1, interval(1000), whole, interval(1002))) == [1002]


def test_what_never_ends_waits_in_bounds() -> None:
    """Intervals of one moment, which say neither that they are measured nor that they are kept."""
    host = Host(*range(1000, 1700))
    host.restarted(2000.0)
    found = host.new(2001.0, *[interval(1300, 7)] * (MOST_HELD + 10))
    assert len(found) == MOST_HELD + 10


def test_marks_count_once() -> None:
    again = SentAgain()
    marks = [Mark(Stamp(at), "deploy") for at in (1, 2, 1)]
    assert [again.is_new_mark(mark) for mark in marks] == [True, True, False]
    assert Counter(again.is_new_mark(Mark(Stamp(at), "x")) for at in range(2 * MOST_HELD)) == {True: 2 * MOST_HELD}
