"""The loop: one task at a time, none held up by others, and all of them ended by a stop."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from pylatencymap.hosts.stream_loop import StreamLoop, TaskReader
from pylatencymap.intervals import NextPulse, Pulse
from pylatencymap.session.input import StopRequest, with_pulses


class Pipes:
    """Pipes that are closed after the test."""

    def __init__(self) -> None:
        self.open: list[int] = []

    def new(self) -> tuple[int, int]:
        ends = os.pipe()
        self.open += ends
        return ends


@pytest.fixture
def pipes() -> Iterator[Pipes]:
    made = Pipes()
    yield made
    for one in made.open:
        os.close(one)


@pytest.fixture
def loop() -> StreamLoop:
    return StreamLoop(StopRequest())


def test_one_task_runs_at_a_time_and_each_gets_what_is_its_own(loop: StreamLoop, pipes: Pipes) -> None:
    """Each of 50 tasks gives its byte to the next one, 20 times around."""
    ends = [pipes.new() for _ in range(50)]
    running: list[int] = []
    most: list[int] = []
    got = [0] * len(ends)

    def hands_on(number: int) -> None:
        for _ in range(20):
            while not loop.wait_for(ends[number][0], None):
                pass
            running.append(number)
            most.append(len(running))
            got[number] += os.read(ends[number][0], 1) == b"x"
            os.write(ends[(number + 1) % len(ends)][1], b"x")
            running.remove(number)

    for number in range(len(ends)):
        loop.begin(lambda number=number: hands_on(number), str(number))
    os.write(ends[0][1], b"x")
    for _ in loop.rounds():
        pass
    assert got == [20] * len(ends)
    assert set(most) == {1}


def test_a_task_whose_time_is_over_goes_on_without_input(loop: StreamLoop, pipes: Pipes) -> None:
    silent, _ = pipes.new()
    found: list[object] = []
    loop.begin(lambda: found.append(loop.wait_for(silent, 0.001)), "silent")
    loop.begin(lambda: found.append(loop.wait_for(None, 0.001)), "pause")
    assert [*loop.rounds()]
    assert found == [False, False]


def test_a_stop_ends_every_wait(loop: StreamLoop, pipes: Pipes) -> None:
    ended: list[int] = []

    def waits(number: int) -> None:
        while not loop.stop.is_set:
            loop.wait_for(pipes.new()[0], None)
        ended.append(number)

    for number in range(5):
        loop.begin(lambda number=number: waits(number), str(number))
    loop.begin(loop.stop.set, "stops")
    for _ in loop.rounds():
        pass
    assert sorted(ended) == [0, 1, 2, 3, 4]


def test_who_takes_no_more_ends_all_tasks(loop: StreamLoop, pipes: Pipes) -> None:
    ended: list[bool] = []
    loop.begin(lambda: ended.append(loop.wait_for(pipes.new()[0], None)), "waits")
    rounds = loop.rounds()
    next(rounds)
    assert not ended
    rounds.close()  # type: ignore[attr-defined]
    assert ended == [False]


def test_an_error_of_a_task_is_raised(loop: StreamLoop) -> None:
    def fails() -> None:
        raise ZeroDivisionError("of a task")

    loop.begin(fails, "fails")
    loop.begin(lambda: loop.wait_for(None, None), "waits")
    with pytest.raises(ZeroDivisionError, match="of a task"):
        list(loop.rounds())


def test_a_descriptor_that_was_closed_can_come_again(loop: StreamLoop) -> None:
    """The system gives its number to the next pipe."""
    found: list[bytes] = []

    def reads_twice() -> None:
        for text in (b"one", b"two"):
            here, there = os.pipe()
            os.write(there, text)
            assert loop.wait_for(here, None)
            found.append(os.read(here, 10))
            loop.forget(here)
            os.close(here)
            os.close(there)

    loop.begin(reads_twice, "twice")
    for _ in loop.rounds():
        pass
    assert found == [b"one", b"two"]


def test_a_pulse_comes_while_a_stream_is_silent(loop: StreamLoop, pipes: Pipes) -> None:
    """The stage that holds an event is due at once; the next event comes when its pulse has been seen."""
    here, there = pipes.new()
    pulse = NextPulse()
    due: list[float | None] = [None]
    pulse.add(lambda: due[0])
    seen: list[object] = []

    def events() -> Iterator[str]:
        yield "first"
        while not loop.wait_for(here, None):
            pass
        yield "second"

    def reads() -> None:
        for one in with_pulses(events(), pulse, lambda: 1.0, Silent(), lambda source: TaskReader(loop, source)):
            seen.append("pulse" if isinstance(one, Pulse) else one)
            if one == "first":
                due[0] = 0.0
            elif isinstance(one, Pulse):
                due[0] = None
                os.write(there, b"x")

    loop.begin(reads, "reads")
    for _ in loop.rounds():
        pass
    assert seen == ["first", "pulse", "second"]


class Silent:
    """A source that pauses, with nothing at hand."""

    pausing, resumed, at_hand = True, 0.0, 0

    def has_waited(self, _: float) -> bool:
        return False

    def longest_wait(self, _: float) -> float:
        return 0.0
