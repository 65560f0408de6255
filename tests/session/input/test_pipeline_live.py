"""Prints without stamps through a pipe, from a program that waits between them: times, rates and events.

The program, the pipe's silences and both clocks are scripted, so nothing waits.
"""

import os
import select
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from pylatencymap.errors import SourceError
from pylatencymap.interval import Interval
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.recorder import Recording
from pylatencymap.report import Report
from pylatencymap.session.input.pipeline import ReadPlan, events_of, intervals_of
from pylatencymap.session.input.source import Source, StopRequest

BIOLATENCY = """
disk = vda
     usecs               : count    distribution
         0 -> 1          : 0        |   |
         2 -> 3          : 3        |** |
         4 -> 7          : 12       |***|

"""
BPFTRACE = "@usecs: \n[4, 8)  {0}0 |@@@@|\n[8, 16) {0}5 |@@|\n[16, 32) {0}1 |@@|\n\n\n"
EVENTS = 15
"""In a print of biolatency."""
WALL = 1_795_000_000.0
"""Epoch seconds at which the program begins."""


class WaitingProgram(StopRequest):
    """A program that prints texts at given seconds, and ends after the last. It moves the clock of its reader."""

    def __init__(self, prints: Sequence[tuple[float, str]]) -> None:
        super().__init__()
        self.descriptor, self._output = os.pipe()
        self.now = 0.0
        self._prints = iter(prints)
        self._next = next(self._prints, None)

    def wait_for(self, descriptor: int, timeout: float | None) -> bool:
        """Print what is due now; else pass the time until the next print, or until the reader loses patience."""
        if select.select([descriptor], [], [], 0)[0]:
            return True
        if self._next is None:
            os.close(self._output)
            return True
        due, text = self._next
        if timeout is not None and due - self.now > timeout:
            self.now += timeout
            return False
        self.now = max(self.now, due)
        os.write(self._output, text.encode())
        self._next = next(self._prints, None)
        return True

    def source(self) -> Source:
        return Source("pipe", self.descriptor, True, None, self, monotonic=lambda: self.now, started=0.0)


def drawn(prints: Sequence[tuple[float, str]], recording: Recording | None = None) -> list[Interval]:
    """The intervals of a program that prints these texts at these seconds."""
    program = WaitingProgram(prints)
    plan = ReadPlan(time=TimeOptions(now=lambda: WALL + program.now))
    events = events_of(program.source(), plan, Report("pipe"))
    found = list(intervals_of(events, plan, lambda _: None, recording and recording.event))
    os.close(program.descriptor)
    program.close()
    return found


def biolatency(*moments: float) -> Iterator[tuple[float, str]]:
    yield 0.6, "Tracing block device I/O... Hit Ctrl-C to end.\n"
    yield from ((moment, BIOLATENCY) for moment in moments)


def ends(found: list[Interval]) -> list[float]:
    return [round(one.end / 1e6 - WALL, 1) for one in found]


def seconds(found: list[Interval]) -> list[float]:
    return [round(one.seconds, 1) for one in found]


@pytest.mark.parametrize("together", [1, 2, 3, 5])
def test_prints_that_come_together_at_the_start_cost_neither_the_clock_nor_the_rates(together: int) -> None:
    found = drawn(list(biolatency(*[3.0] * together, 6, 9, 12, 15)))
    assert seconds(found) == [3] * (together + 4)
    assert ends(found) == [3.0 * n for n in range(2 - together, 6)]
    assert all(one.clock and sum(count for *_, count in one.ranges) == EVENTS for one in found)


def test_nor_do_prints_that_a_network_delivers_one_shortly_after_the_other() -> None:
    found = drawn(list(biolatency(3, 3.08, 3.16, 6.1, 9.1, 15.1, 15.2, 18.1, 21.1)))
    assert all(abs(one.seconds - 3) < 0.2 and one.clock and not one.gap for one in found)
    assert ends(found)[-1] == 21.1


@pytest.mark.parametrize("stalled", [2, 5])
def test_prints_that_come_together_after_a_stall_share_its_time(stalled: int) -> None:
    found = drawn(list(biolatency(1, 2, 3, *[3.0 + stalled] * stalled, 4 + stalled, 5 + stalled)))
    assert seconds(found) == [1] * (stalled + 5)
    assert ends(found) == list(range(1, stalled + 6))
    assert not any(one.gap for one in found)


def test_a_program_that_prints_in_blocks() -> None:
    found = drawn(list(biolatency(*(float(3 * block + 1) for block in range(3) for _ in range(3)))))
    assert seconds(found) == [1] * 9
    assert ends(found) == list(range(-1, 8))


@pytest.mark.parametrize(("fails", "prints"), [(6, 2), (9, 3), (12, 4)])
def test_nothing_is_lost_where_the_reading_fails(fails: float, prints: int) -> None:
    program = WaitingProgram(list(biolatency(3, 3, 6, 9, 12)))
    source, plan = program.source(), ReadPlan(time=TimeOptions(now=lambda: WALL + program.now))
    read = source._read

    def breaks(size: int) -> bytes:
        if program.now >= fails:
            raise OSError(5, "Input/output error")
        return read(size)

    source._read = breaks  # type: ignore[method-assign]
    found: list[Interval] = []
    with pytest.raises(SourceError):
        found.extend(intervals_of(events_of(source, plan, Report("pipe")), plan, lambda _: None))
    assert sum(count for one in found for *_, count in one.ranges) == prints * EVENTS
    os.close(program.descriptor)
    program.close()


def test_a_stall_right_after_the_first_print() -> None:
    found = drawn(list(biolatency(1, 5, 5, 5, 5, 6, 7)))
    assert seconds(found) == [1] * 7
    assert ends(found) == [1, 2, 3, 4, 5, 6, 7]


def test_totals_lie_between_the_prints_that_they_are_the_difference_of() -> None:
    moments = [2, 2, 4, 6, 8, 10, 12]
    found = drawn([(float(moment), BPFTRACE.format(number)) for number, moment in enumerate(moments, 1)])
    assert ends(found) == [2, 4, 6, 8, 10, 12]
    assert seconds(found) == [2] * 6
    assert all(one.ranges == ((4, 8, 10), (8, 16, 10), (16, 32, 10)) and one.clock for one in found)


def test_a_print_lies_in_the_time_before_it_however_long_the_next_one_takes() -> None:
    found = drawn(list(biolatency(1, 2, 3, 9)))
    assert [(round(one.start / 1e6 - WALL, 1), end) for one, end in zip(found, ends(found), strict=True)] == [
        (0, 1),
        (1, 2),
        (2, 3),
        (3, 8),
        (3, 9),
    ]
    assert [one.gap for one in found] == [False, False, False, True, False]


def test_a_file_through_a_pipe_has_no_clock() -> None:
    found = drawn([(0.7, "Tracing block device I/O... Hit Ctrl-C to end.\n" + BIOLATENCY * 5)])
    assert [(one.end, one.seconds, one.clock) for one in found] == [(n * 1_000_000, 1.0, False) for n in range(1, 6)]


def test_nor_has_one_that_stalled_on_its_way() -> None:
    found = drawn(list(biolatency(1, 1, 1, 4, 4)))
    assert [(one.end, one.clock) for one in found] == [(n * 1_000_000, False) for n in range(1, 6)]


def test_what_was_recorded_has_the_same_times(tmp_path: Path) -> None:
    path = tmp_path / "burst.lmap"
    recording = Recording(str(path))
    found = drawn(list(biolatency(3, 3, 6, 9, 12)), recording)
    recording.close()
    stop = StopRequest()
    plan = ReadPlan()
    descriptor = os.open(path, os.O_RDONLY)
    again = Source("burst.lmap", descriptor, False, None, stop)
    replayed = list(intervals_of(events_of(again, plan, Report("x")), plan, lambda _: None))
    assert [(one.start, one.end, one.ranges) for one in replayed] == [(one.start, one.end, one.ranges) for one in found]
    os.close(descriptor)
    stop.close()
