"""A program that prints while we are still starting: its first prints wait in the pipe, and keep clock and trust.

The program, the work that keeps us from reading, and all clocks are scripted, so nothing waits.
"""

import os
from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest

from pylatencymap.session.input.source import Source, StopRequest
from tests.session.input.scripted_reads import LateReader, read_to_end
from tests.session.input.test_live_beginnings import Seen, record


class BusyReader(LateReader):
    """A program, and a reader that works for some seconds before each of its first looks into the pipe."""

    def __init__(self, prints: Sequence[tuple[float, str]], work: Sequence[float]) -> None:
        super().__init__(prints)
        self._work = list(work)

    def wait_for(self, descriptor: int, timeout: float | None) -> bool:
        if timeout == 0.0:
            self.pass_until(self.now + (self._work.pop(0) if self._work else 0.0))
        return super().wait_for(descriptor, timeout)


def seen(prints: Sequence[tuple[float, str]], work: Sequence[float]) -> Seen:
    return read_to_end(BusyReader(prints, work))


def bpftrace(number: int) -> str:
    head = "" if number else "Attaching 3 probes...\n"
    return f"{head}@usecs:\n[64, 128)  {100 + 10 * number} |@@|\n[128, 256)  {300 + 30 * number} |@|\n\n"


def prometheus(number: int) -> str:
    low, high = 100 + 10 * number, 300 + 30 * number
    total = low * 0.0005 + (high - low) * 0.005
    return (
        f'# TYPE lat_seconds histogram\nlat_seconds_bucket{{le="0.001"}} {low}\n'
        f'lat_seconds_bucket{{le="0.01"}} {high}\n'
        f'lat_seconds_bucket{{le="+Inf"}} {high}\nlat_seconds_sum {total:.4f}\nlat_seconds_count {high}\n'
    )


WORK = [
    [],
    [0.3],
    [0.3, 0.8],
    [1.2],
    [2.1],
    [2.9],
    [3.1],
    [0.1, 2.5],
    [2.1, 1.5],
    [2.1, 0.0, 1.5],
    [0.9, 0.9, 0.9, 0.9],
]
"""Seconds of work before each look into the pipe."""


@pytest.mark.parametrize("step", [1.0, 2.0])
@pytest.mark.parametrize("work", WORK, ids=str)
@pytest.mark.parametrize("text", [bpftrace, prometheus])
def test_prints_without_stamps_keep_their_clock_and_no_interval_is_doubted(
    text: Callable[[int], str], work: list[float], step: float
) -> None:
    found = seen([(step * n, text(n)) for n in range(25)], work)
    assert found.doubtful == []
    assert not any("no time stamps" in one or "damaged" in one for one in found.said)
    assert all(one.clock and not one.gap and not one.reset for one in found.intervals)
    assert [before.end for before, _ in pairwise(found.intervals)] == [
        later.start for _, later in pairwise(found.intervals)
    ]
    ends = [end for _, end, _ in found.rows]
    assert ends == pytest.approx([step * n for n in range(25 - len(ends), 25)], abs=0.001)
    assert len(ends) == 24


@pytest.mark.parametrize("work", [[], [1.2], [2.1], [2.1, 1.5]], ids=str)
@pytest.mark.parametrize("text", [bpftrace, prometheus])
def test_two_prints_that_arrive_together_at_the_beginning_are_an_interval_apart(
    text: Callable[[int], str], work: list[float]
) -> None:
    found = seen([(max(n - 1.0, 0.0), text(n)) for n in range(12)], work)
    assert found.doubtful == []
    assert [end for _, end, _ in found.rows] == pytest.approx([n - 1.0 for n in range(1, 12)], abs=0.001)
    assert all(one.clock for one in found.intervals)


@pytest.mark.parametrize("work", WORK, ids=str)
@pytest.mark.parametrize("text", [bpftrace, prometheus])
def test_a_file_through_a_pipe_that_is_read_slowly_is_still_a_file(
    text: Callable[[int], str], work: list[float]
) -> None:
    found = seen([(0.0, "".join(text(n) for n in range(200)))], work)
    assert not any(one.clock for one in found.intervals)
    assert {one.seconds for one in found.intervals} == {1.0}


@pytest.mark.parametrize("work", [[0.9], [1.02], [1.2], [0.95, 0.02], [0.5, 0.52]], ids=str)
def test_a_second_record_with_a_lost_digit_waits_for_the_third_however_late_we_read(work: list[float]) -> None:
    counts = [(1000 + 10 * n, 2000 + 20 * n) for n in range(10)]
    counts[1] = (101, 2020)
    found = seen([record(float(n), *one) for n, one in enumerate(counts)], work)
    assert found.rows == [(0.0, 2.0, [20, 40]), *((n - 1.0, float(n), [10, 20]) for n in range(3, 10))]
    assert found.doubtful == []
    assert not any(one.reset for one in found.intervals)


@pytest.mark.parametrize("wrong", [5.0, -5.0, 7200.0, -7200.0, 86400.0])
@pytest.mark.parametrize("at", [0, 1, 2, 3])
@pytest.mark.parametrize("work", [[], [0.9], [2.1], [2.9], [3.1], [2.1, 1.5]], ids=str)
def test_a_wrong_stamp_among_the_first_ones_that_are_read_late_moves_no_other(
    work: list[float], at: int, wrong: float
) -> None:
    stamps = [n + (wrong if n == at else 0.0) for n in range(12)]
    found = seen(
        [(float(n), record(0, 1000 + 10 * n, 2000 + 20 * n, stamp=stamp)[1]) for n, stamp in enumerate(stamps)], work
    )
    right = [(n - 1.0, float(n), [10, 20]) for n in range(1, 12)]
    assert [row for row in found.rows if row[1] > at + 1] == [row for row in right if row[1] > at + 1]
    # A first stamp that is too early cannot be told from a silence after it.
    assert all(end - start <= 2 for start, end, _ in found.rows[at == 0 and wrong < 0 :])


def test_what_was_waited_for_has_not_waited_though_it_came_in_pieces() -> None:
    program = BusyReader([(0.0, "a\n"), (0.0, "b\n"), (3.0, "c\n"), (3.0, "d\n")], [0.0, 0.01, 0.0, 0.01, 0.02])
    source: Source = program.source()
    stop: StopRequest = program
    arrivals = {line.text: line.arrival for line in source.lines() if line is not None}
    assert not stop.is_set
    assert [source.has_waited(arrivals[text] or 0.0) for text in "cd"] == [False, False]
    os.close(program.descriptor)
    program.close()
