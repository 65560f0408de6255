"""The first prints of a live source: their true intervals, and damage in them, which costs one record.

The program, the pipe's silences and all clocks are scripted, so nothing waits.
"""

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest

from pylatencymap.interval import Interval
from pylatencymap.intervals.options import NextPulse, Pulse, TimeOptions
from pylatencymap.report import Report
from pylatencymap.session.input.pipeline import ReadPlan, events_of, intervals_from, intervals_of
from pylatencymap.session.input.pulses import with_pulses
from tests.session.input.test_pipeline_live import WaitingProgram
from tests.waiting import PATIENCE

WALL = 1_795_000_000.0
"""Epoch seconds at which the program's clock is 0; a whole minute."""


def pulsed(events: Iterable[Any], pulse: NextPulse) -> Iterator[Any]:
    """A Pulse at the moment that was asked for, if the next event arrived later."""
    for event in events:
        arrival = getattr(event, "arrival", None)
        while arrival is not None and pulse.due is not None and pulse.due <= arrival:
            due = pulse.due
            yield Pulse(due)
            if pulse.due == due:
                break
        yield event


@dataclass
class Seen:
    """What a live source became: (start, end, counts) of each interval, in seconds of the program's clock."""

    intervals: list[Interval]
    said: list[str]

    @property
    def rows(self) -> list[tuple[float, float, list[float]]]:
        return [
            (round(one.start / 1e6 - WALL, 3), round(one.end / 1e6 - WALL, 3), [count for *_, count in one.ranges])
            for one in self.intervals
            if not one.gap
        ]

    @property
    def doubtful(self) -> list[float]:
        """The ends of the doubtful ones."""
        return [round(one.end / 1e6 - WALL, 3) for one in self.intervals if one.doubtful]


def seen(prints: Sequence[tuple[float, str]], begun: float = 0.0) -> Seen:
    """Read a program that prints these texts at these seconds; we begin to read at ``begun``."""
    program = WaitingProgram(prints)
    program.now = begun
    said: list[str] = []
    report = Report("pipe", say=said.append)
    plan = ReadPlan(time=TimeOptions(now=lambda: WALL + program.now, pulsed=pulsed))
    source = program.source()
    options = plan.time._replace(started=0.0, monotonic=source.monotonic, pauses=source)
    events = events_of(source, plan, report)
    found = list(intervals_of(events, plan, lambda _: None, None, options, report))
    os.close(program.descriptor)
    program.close()
    return Seen(found, said)


def clock(moment: float) -> str:
    return time.strftime("%H:%M:%S", time.localtime(WALL + moment))


def bpftrace(moment: float, *counts: int, stamp: float | None = None) -> tuple[float, str]:
    """A print with a stamp in whole seconds."""
    rows = "".join(f"[{64 << n}, {128 << n})  {count} |@@|\n" for n, count in enumerate(counts))
    return moment, f"{clock(moment if stamp is None else stamp)}\n@usecs:\n{rows}\n"


def record(moment: float, *counts: int, stamp: float | None = None) -> tuple[float, str]:
    """A record of totals with an exact stamp."""
    micros = round((WALL + (moment if stamp is None else stamp)) * 1e6)
    rows = "".join(f"{64 << n},{count}\n" for n, count in enumerate(counts))
    head = f"<begin record>\ntimestamp,microsec,{micros},x\nlabel,sda\nlatencyunit,microsec\ndatasource,bpf\n"
    return moment, f"{head}{rows}<end record>\n"


COUNTS = [(5, 10), (9, 18), (3, 6), (8, 16), (4, 8), (9, 18)]


@pytest.mark.parametrize("begun", [0.0, 1.25, 1.9])
def test_whole_seconds_are_a_second_long_from_the_first_one_on(begun: float) -> None:
    found = seen([bpftrace(n + 1.0, *counts) for n, counts in enumerate(COUNTS)], begun)
    assert found.rows == [(float(n), n + 1.0, list(counts)) for n, counts in enumerate(COUNTS)]


@pytest.mark.parametrize("begun", [0.0, 1.3])
def test_a_second_that_was_skipped_makes_no_interval_longer(begun: float) -> None:
    moments = [0.99, 2.01, 3.02, 4.03, 5.04, 6.05]
    found = seen([bpftrace(at, *counts) for at, counts in zip(moments, COUNTS, strict=True)], begun)
    assert [end for _, end, _ in found.rows[1:]] == pytest.approx(moments[1:], abs=0.05)
    assert [end - start for start, end, _ in found.rows] == pytest.approx([1.01] * 6, abs=0.03)
    assert all(before[1] <= after[0] + 1e-6 for before, after in zip(found.rows, found.rows[1:], strict=False))


def totals(number: int) -> list[int]:
    return [1100 + 11 * number, 2200 + 22 * number, 5000 + 50 * number]


@pytest.mark.parametrize("step", [1.0, 0.0])
@pytest.mark.parametrize("at", [1, 2, 3, 4, 6])
@pytest.mark.parametrize("factor", [0.1, 10])
def test_a_wrong_digit_in_an_early_print_costs_that_print(factor: float, at: int, step: float) -> None:
    prints = [totals(n) for n in range(9)]
    prints[at][1] = int(prints[at][1] * factor)
    texts = [bpftrace(1.0 + step * n, *counts, stamp=1.0 + n) for n, counts in enumerate(prints)]
    found = seen(texts)
    right = [(float(n), n + 1.0, [11, 22, 50]) for n in range(1, 9)]
    assert [row for row in found.rows if row in right] == [row for row in right if row[1] not in (at + 1, at + 2)]
    near = [row for row in found.rows if row not in right]
    assert near == [(float(at), at + 2.0, [22, 44, 100])] or (factor == 10 and at == 1 and found.doubtful)


def test_a_missing_row_costs_that_count() -> None:
    prints = [totals(n) for n in range(9)]
    texts = [bpftrace(1.0 + n, *(counts[:2] if n == 1 else counts)) for n, counts in enumerate(prints)]
    assert seen(texts).rows[2:] == [(float(n), n + 1.0, [11, 22, 50]) for n in range(3, 9)]


def test_counts_per_interval_that_look_like_totals_at_first_are_set_right_and_told() -> None:
    grown = [(10, 20, 30, 40), (11, 21, 31, 41), (12, 22, 32, 42)]
    prints = [*grown, *[(3, 9, 40, 5), (30, 2, 5, 9), (8, 8, 8, 8), (20, 1, 30, 2)] * 3]
    found = seen([bpftrace(1.0 + n, *counts) for n, counts in enumerate(prints)])
    assert any("fall again and again: from here on they are taken as per interval" in one for one in found.said)
    assert found.rows[-1] == (14.0, 15.0, [20, 1, 30, 2])


def test_totals_that_were_taken_as_per_interval_after_a_restart_are_set_right_and_told() -> None:
    prints = [[500, 600, 700], *[[10 * n, 20 * n, 30 * n] for n in range(1, 20)]]
    found = seen([bpftrace(1.0 + n, *counts) for n, counts in enumerate(prints)])
    assert any("have only grown for many prints: from here on they are taken as totals" in one for one in found.said)
    assert found.rows[-1] == (19.0, 20.0, [10, 20, 30])


LINES = 8
"""Of a record with two counts."""


def sums(number: int) -> tuple[int, int]:
    return 100000 + 10 * number, 200000 + 20 * number


@pytest.mark.parametrize("wrong", [5.0, -5.0, 86400.0, 1.0, -1.0])
@pytest.mark.parametrize("at", [0, 1, 2, 5])
@pytest.mark.parametrize("step", [1.0, 0.0])
def test_a_wrong_stamp_moves_no_other_record(step: float, at: int, wrong: float) -> None:
    stamps = [float(n + 1) for n in range(10)]
    stamps[at] += wrong
    found = seen([record(1.0 + step * n, *sums(n), stamp=stamp) for n, stamp in enumerate(stamps)])
    ends = [end for _, end, _ in found.rows]
    assert [end for end in ends if end > at + 2] == [float(n) for n in range(at + 3, 11)]
    assert all(row == (row[1] - 1, row[1], [10, 20]) for row in found.rows if row[1] > at + 3)


def test_a_first_record_with_a_lost_digit_is_doubtful() -> None:
    prints = [sums(n) for n in range(6)]
    prints[0] = (10000, 200000)
    found = seen([record(1.0 + n, *counts) for n, counts in enumerate(prints)])
    assert found.doubtful == [2.0]
    assert found.rows[1:] == [(float(n), n + 1.0, [10, 20]) for n in range(2, 6)]


ROWS = (9000, 8000, 7000, 6000, 5000)


def rows(number: int, *, lost: int | None = None, factor: float = 1.0) -> list[int]:
    """Totals of five rows; one of them lost, or wrong."""
    found = [count + 10 * number for count in ROWS]
    if lost is not None:
        found[lost] = int(found[lost] * factor)
    return found


@pytest.mark.parametrize("lost", [0, 2, 4])
@pytest.mark.parametrize("records", [1, 2])
@pytest.mark.parametrize("factor", [0.0, 0.1])
def test_a_row_that_the_first_records_lack_or_have_too_low_makes_a_doubtful_interval(
    factor: float, records: int, lost: int
) -> None:
    prints = [rows(n, lost=lost if n < records else None, factor=factor) for n in range(7)]
    texts = [record(1.0 + n, *counts) for n, counts in enumerate(prints)]
    texts = [(at, "".join(line for line in text.splitlines(keepends=True) if ",0\n" not in line)) for at, text in texts]
    found = seen(texts)
    assert found.doubtful == [records + 1.0]
    assert found.rows[records:] == [(float(n), n + 1.0, [10] * 5) for n in range(records + 1, 7)]


@pytest.mark.parametrize(("first", "second"), [(0.1, 10), (10, 0.1), (10, 10)])
def test_first_records_that_are_both_damaged_invent_nothing_without_a_doubt(first: float, second: float) -> None:
    prints = [rows(n, lost=1, factor={0: first, 1: second}.get(n, 1.0)) for n in range(7)]
    found = seen([record(1.0 + n, *counts) for n, counts in enumerate(prints)])
    assert found.rows[-4:] == [(float(n), n + 1.0, [10] * 5) for n in range(3, 7)]
    assert all(sum(counts) <= 140 for _, end, counts in found.rows if end not in found.doubtful)


def test_a_burst_in_a_new_row_is_shown_when_the_next_record_has_come() -> None:
    """A stall right after the start: all events come in a row beyond the others, which stand still meanwhile."""
    prints = [(*ROWS, 0), (*ROWS, 300), *((*(count + 100 * n for count in ROWS), 301) for n in range(1, 4))]
    found = seen([record(1.0 + n, *(count for count in counts if count)) for n, counts in enumerate(prints)])
    assert found.doubtful == []
    assert found.rows[0] == (1.0, 2.0, [300])


def test_what_is_held_comes_after_two_intervals_and_a_half_of_silence() -> None:
    prints = [record(1.0 + n, *sums(n)) for n in range(4)]
    found = seen([*prints, record(5.0, 10004, 200080), (11.0, "\n")])
    assert found.doubtful == [5.0]


@pytest.mark.parametrize("wrong", [7200.0, -7200.0, 86400.0])
@pytest.mark.parametrize("wrong_ones", [[4], [4, 5], [2, 3]])
def test_wrong_stamps_do_not_move_the_axis_if_later_ones_agree_with_the_arrivals(
    wrong_ones: list[int], wrong: float
) -> None:
    stamps = [n + 1 + (wrong if n in wrong_ones else 0) for n in range(10)]
    found = seen([record(1.0 + n, *sums(n), stamp=stamp) for n, stamp in enumerate(stamps)])
    assert found.rows == [(float(n), n + 1.0, [10, 20]) for n in range(1, 10)]
    told = next(one for one in found.said if "the time of arrival is used" in one)
    assert (int(told.split(":")[1]) - 1) // LINES == wrong_ones[0]


@pytest.mark.parametrize("wrong", [7200.0, -7200.0])
def test_two_wrong_whole_seconds_do_not_move_the_axis(wrong: float) -> None:
    stamps = [n + 1 + (wrong if n in (4, 5) else 0) for n in range(10)]
    found = seen([bpftrace(1.0 + n, *COUNTS[n % 6], stamp=stamp) for n, stamp in enumerate(stamps)])
    assert found.rows == [(float(n), n + 1.0, list(COUNTS[n % 6])) for n in range(10)]


@pytest.mark.parametrize("step", [3600.0, -3600.0])
def test_a_clock_that_was_set_leaves_no_doubt(step: float) -> None:
    stamps = [n + 1 + (step if n >= 4 else 0) for n in range(10)]
    found = seen([record(1.0 + n, *sums(n), stamp=stamp) for n, stamp in enumerate(stamps)])
    assert found.doubtful == []
    assert [one.seconds for one in found.intervals] == pytest.approx([1.0] * 9)
    assert [counts for *_, counts in found.rows] == [[10, 20]] * 9


@pytest.mark.parametrize("text", [record, bpftrace])
def test_what_a_clock_that_was_set_ahead_leaves_out_is_in_no_interval(text: Callable[..., tuple[float, str]]) -> None:
    stamps = [n + 1 + (3600.0 if n >= 4 else 0) for n in range(10)]
    counts = [sums(n) if text is record else COUNTS[n % 6] for n in range(10)]
    found = seen([text(1.0 + n, *counts[n], stamp=stamp) for n, stamp in enumerate(stamps)])
    assert [one.end - one.start for one in found.intervals] == pytest.approx([1e6] * len(found.intervals))
    assert [one.seconds for one in found.intervals] == pytest.approx([1.0] * (9 if text is record else 10))
    left_out = [one.start - before.end for before, one in pairwise(found.intervals)]
    assert [one for one in left_out if one] == [pytest.approx(3_600_000_000, abs=1)]


def test_all_stages_share_one_pulse() -> None:
    """Each source of pulses can need a thread that waits for the next record."""
    program, made = WaitingProgram([record(float(n), *totals(n)) for n in range(6)]), list[NextPulse]()

    def counted(events: Iterable[Any], pulse: NextPulse) -> Iterator[Any]:
        made.append(pulse)
        yield from pulsed(events, pulse)

    plan = ReadPlan(time=TimeOptions(now=lambda: WALL + program.now, pulsed=counted))
    found = list(intervals_from(program.source(), plan, Report("pipe"), lambda _: None))
    os.close(program.descriptor)
    program.close()
    assert len(made) == 1
    assert [one.events for one in found] == [83] * 5


def test_one_thread_waits_for_all_records() -> None:
    readers, pulse = set[int](), NextPulse()
    pulse.add(lambda: time.monotonic() + PATIENCE)

    def events() -> Iterator[int]:
        for number in range(5):
            readers.add(threading.get_ident())
            yield number

    assert list(with_pulses(events(), pulse)) == [0, 1, 2, 3, 4]
    assert len(readers) == 1
    assert threading.get_ident() not in readers


def test_what_ends_the_source_in_the_thread_is_raised() -> None:
    pulse = NextPulse()
    pulse.add(lambda: time.monotonic() + PATIENCE)

    def events() -> Iterator[int]:
        yield 1
        raise OSError("gone")

    found = with_pulses(events(), pulse)
    assert next(found) == 1
    with pytest.raises(OSError, match="gone"):
        next(found)
