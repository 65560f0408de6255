"""A large file that is counted as a whole comes to the intervals, and the window, that its records come to."""

import os
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from random import Random
from typing import NamedTuple
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from pylatencymap.interval import Interval
from pylatencymap.intervals.batch import Batch, TakeBatch
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.record import Event
from pylatencymap.report import Report
from pylatencymap.scan import counts
from pylatencymap.session.input import large_files
from pylatencymap.session.input.pipeline import ReadPlan, Tee, intervals_from
from pylatencymap.session.input.source import StopRequest, source_of
from pylatencymap.units import Unit
from pylatencymap.window.store import BLOCK_COLUMNS
from pylatencymap.window.window import Window
from tests.amounts import examples, few_or_many

FIRST = 1_769_850_000_000_000
NAMES = ("db file sequential read", "log file sync", "direct path read", "gc cr grant 2-way")
GAPS = (0, 1, 300, 70_000, 1_000_000, 3_000_000, 10_000_000, 11_000_000, 12_000_000, 5_000_000_000)
"""Microseconds between two waits: within a second, over a few of them, and more than are told of one by one."""


class Wait(NamedTuple):
    """One line of a trace. ``odd``: in a form that the scan leaves to the decoder."""

    gap: int
    name: str
    ela: int
    odd: bool = False


WAITS = st.lists(
    st.builds(Wait, st.sampled_from(GAPS), st.sampled_from(NAMES), st.integers(0, 10**7), st.booleans()),
    min_size=1,
    max_size=60,
)


def trace(waits: list[Wait]) -> bytes:
    tim, lines = FIRST, []
    for wait in waits:
        tim += wait.gap
        blank = "  " if wait.odd else " "
        lines.append(f"WAIT #140: nam='{wait.name}' ela={blank}{wait.ela} file#=7 block#=1 blocks=1 obj#=8 tim={tim}\n")
    return "".join(lines).encode()


STOP = StopRequest()
DECODED, RECORDS, WHOLE, AT_ONCE = "decoded", "records", "whole", "at once"
"""By the line decoder; scanned: as records, as intervals, as batches."""
NEVER = 1 << 40


def scanned(
    path: Path, plan: ReadPlan, tee: Tee | None = None, take: TakeBatch | None = None, least: int = 1
) -> Iterator[Interval]:
    with pytest.MonkeyPatch.context() as patch, path.open("rb") as file:
        patch.setattr(large_files, "LEAST_BYTES", least)
        yield from intervals_from(source_of("t", file.fileno(), STOP), plan, Report("t"), lambda _: None, tee, take)


def batches_of(path: Path) -> list[Batch]:
    found: list[Batch] = []
    assert not list(scanned(path, ReadPlan(), take=found.append))
    return found


def read(path: Path, plan: ReadPlan, way: str) -> tuple[Window, list[Interval], int]:
    """What a window holds of a trace, the intervals that came one by one, and how many batches."""
    window, found = Window(), list[Batch]()
    tee, take = (lambda _: None) if way == RECORDS else None, found.append if way == AT_ONCE else None
    intervals = list(scanned(path, plan, tee, take, NEVER if way == DECODED else 1))
    for batch in found:
        window.extend(batch)
    for interval in intervals:
        window.add(interval)
    return window, intervals, len(found)


def assert_alike(path: Path, waits: list[Wait], plan: ReadPlan = ReadPlan()) -> None:  # noqa: B008 - it never changes
    """A trace of these waits is the same in all ways."""
    path.write_bytes(trace(waits))
    assert assert_all_ways(path, plan) >= len({wait.name for wait in waits})
    assert read(path, plan, AT_ONCE)[0].total_of_all().events == len(waits)


def assert_all_ways(path: Path, plan: ReadPlan) -> int:
    """What the decoder finds is what a scan finds, in all ways; how many batches there are."""
    expected, intervals, _ = read(path, plan, DECODED)
    assert intervals
    for way in (RECORDS, WHOLE):
        assert read(path, plan, way)[1] == intervals
    window, one_by_one, count = read(path, plan, AT_ONCE)
    assert not one_by_one
    assert count
    assert_same(window, expected)
    assert recorded(path, plan, 1) == recorded(path, plan, NEVER)
    return count


def recorded(path: Path, plan: ReadPlan, least: int) -> list[Event]:
    """The record stream of a file."""
    found: list[Event] = []
    list(scanned(path, plan, found.append, least=least))
    return found


def assert_same(one: Window, other: Window) -> None:
    assert list(one.names()) == list(other.names())
    assert one.by_time_waited() == other.by_time_waited()
    assert one.total_of_all() == other.total_of_all()
    for name in one.names():
        first, second = one[name], other[name]
        assert (first.unit, first.label, first.source) == (second.unit, second.label, second.source)
        assert (first.events, first.waited, first.total()) == (second.events, second.waited, second.total())
        columns, counts = first.part(0, len(first))
        others, more = second.part(0, len(second))
        assert columns.tolist() == others.tolist()
        places = [first.ranges.index(key) for key in second.ranges]
        assert len(places) == len(first.ranges)
        assert np.array_equal(counts[:, places], more)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=examples(60))
@given(WAITS, st.sampled_from((None, 1.0, 10.0, 0.05)))
def test_a_batch_is_what_its_intervals_are(tmp_path: Path, waits: list[Wait], interval: float | None) -> None:
    assert_alike(tmp_path / "x.trc", waits, ReadPlan(time=TimeOptions(interval=interval)))


@pytest.mark.parametrize("seconds", [1, 63, 64, 65, BLOCK_COLUMNS - 1, BLOCK_COLUMNS, BLOCK_COLUMNS + 1, 2500])
def test_columns_are_added_behind_a_batch_of_any_length(tmp_path: Path, seconds: int) -> None:
    path = tmp_path / "x.trc"
    waits = [Wait(1_000_000, NAMES[number % 7 == 3], 100 + number * 37 % 9000) for number in range(seconds)]
    path.write_bytes(trace(waits))
    window, other = (read(path, ReadPlan(), way)[0] for way in (AT_ONCE, RECORDS))
    last = window[NAMES[0]].end
    for more in range(1, 1500):
        end = last + more * 1_000_000
        interval = Interval(NAMES[0], window[NAMES[0]].unit, end - 1_000_000, end, 1.0, ((8, 9, more % 5 + 1),), 0.01)
        window.add(interval)
        other.add(interval)
    assert_same(window, other)
    while window[NAMES[0]].merge_oldest():
        assert other[NAMES[0]].merge_oldest()
    assert_same(window, other)


def test_many_events_of_one_kind_in_a_second_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "x.trc"
    path.write_bytes(trace([Wait(10, NAMES[0], 500)] * 70_000))
    window, other = (read(path, ReadPlan(), way)[0] for way in (AT_ONCE, RECORDS))
    assert window[NAMES[0]].events == 70_000
    assert window[NAMES[0]].waited == 35.0
    assert_same(window, other)


def test_series_are_chosen(tmp_path: Path) -> None:
    path, plan = tmp_path / "x.trc", ReadPlan(series=("log*",))
    path.write_bytes(trace([Wait(400_000, NAMES[number % 4], 500) for number in range(40)]))
    window = read(path, plan, AT_ONCE)[0]
    assert list(window.names()) == ["log file sync"]
    assert window["log file sync"].events == 10
    assert plan.skipped_series == set(NAMES) - {"log file sync"}


@pytest.mark.parametrize("plan", [ReadPlan(count=3), ReadPlan(duration=5.0)])
def test_what_is_limited_comes_record_by_record(tmp_path: Path, plan: ReadPlan) -> None:
    path = tmp_path / "x.trc"
    path.write_bytes(trace([Wait(400_000, NAMES[0], 500)] * 40))
    window, intervals, count = read(path, plan, AT_ONCE)
    assert (len(intervals), count) == (len(window[NAMES[0]]), 0)
    assert len(intervals) in (3, 5)


@pytest.mark.parametrize("most", few_or_many(120, 600))
@pytest.mark.parametrize("seed", range(12))
def test_many_series_of_which_most_are_idle(tmp_path: Path, seed: int, most: int) -> None:
    path, numbers = tmp_path / "x.trc", Random(seed)
    names = [f"event {number}" for number in range(numbers.choice([32, 33, 40, 150]))]
    busy = numbers.sample(names, 3)
    waits = [
        Wait(
            numbers.choice(GAPS[2:8]),
            numbers.choice(names if numbers.random() < 0.4 else busy),
            numbers.randrange(9000),
        )
        for _ in range(numbers.choice([60, most]))
    ]
    assert_alike(path, waits)


@pytest.mark.parametrize(("limit", "most"), [("INTERVALS", 1), ("INTERVALS", 7), ("INTERVALS", 100), ("COUNTS", 15)])
@pytest.mark.parametrize("series", [3, 40])
def test_parts_of_the_time_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int, series: int
) -> None:
    monkeypatch.setattr(counts, f"MOST_{limit}", most)
    numbers = Random(most)
    waits = [
        Wait(numbers.choice(GAPS[2:8]), f"event {numbers.randrange(series) ** 2 % series}", numbers.randrange(9000))
        for _ in range(500)
    ]
    path = tmp_path / "x.trc"
    path.write_bytes(trace(waits))
    window, intervals, count = read(path, ReadPlan(), AT_ONCE)
    assert not intervals
    assert count > 10
    assert_same(window, read(path, ReadPlan(), RECORDS)[0])


def test_memory_is_bounded_and_the_newest_columns_stay_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counts, "MOST_INTERVALS", 2000)
    numbers, path = Random(1), tmp_path / "x.trc"
    path.write_bytes(trace([Wait(400_000, NAMES[n % 4], numbers.randrange(10**6)) for n in range(60_000)]))
    bounded, free = Window(6), Window()
    most = 0
    for batch in list(batches_of(path)):
        free.extend(batch)
        bounded.extend(batch)
        most = max(most, bounded.nbytes)
    assert most < 7_000_000 < 14_000_000 < free.nbytes
    for name in NAMES:
        assert bounded[name].events == free[name].events == 15_000
        newest, columns = (history.part(len(history) - 90, len(history))[0] for history in (bounded[name], free[name]))
        assert newest.tolist() == columns.tolist()


EPOCH = FIRST // 10**6
OTHERS = {
    "fio, milliseconds since its start": [f"{n * 170}, {60_000 + n}, {n % 3}, 4096" for n in range(300)],
    "fio, of the epoch": [f"{EPOCH * 1000 + n * 170}, {60_000 + n}, {n % 3}, 4096" for n in range(300)],
    "strace -ttt": [f"{EPOCH + n * n}.000001 read(3) = 1 <0.{n:06d}>" for n in range(100)],
    "strace -tt": [f"10:{n // 60:02d}:{n % 60:02d}.000001 read(3) = 1 <0.{n:06d}>" for n in range(0, 1200, 7)],
    "strace -t, up to midnight": [f"23:59:{n:02d} read(3) = 1 <0.{n:06d}>" for n in range(60)],
    "strace, of other units": [
        f"{EPOCH + n}.000001 {'read' if n % 3 else 'write'}(3) = 1 <{'0.000012' if n % 7 else '0.012' if n % 2 else n}>"
        for n in range(1, 200)
    ],
    "biosnoop": [
        "TIME(s)     COMM           PID     DISK      T SECTOR     BYTES   LAT(ms)",
        *(f"{n / 3:<11.6f} fio            4711    vda       R {n * 8:<10} 4096    {n / 100:7.2f}" for n in range(300)),
    ],
}


EVENING = 1_769_900_400
"""2026-01-31 23:00 UTC."""


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/St_Johns"])
@pytest.mark.parametrize("day", [None, date(2026, 1, 31)])
@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("intervals", few_or_many((None, 7 * 3600), (10.0, 0.05)))
def test_other_formats_and_clocks(
    tmp_path: Path, other: str, day: date | None, zone: str, intervals: tuple[float | None, ...]
) -> None:
    path = tmp_path / "x"
    path.write_text("\n".join(OTHERS[other]) + "\n")
    os.utime(path, (EVENING, EVENING))  # undated times count back from there
    guessed: list[set[str]] = []
    for interval in intervals:
        plan = ReadPlan(time=TimeOptions(interval=interval, day=day, tz=ZoneInfo(zone)))
        assert_all_ways(path, plan)
    for least in (1, NEVER):
        plan = ReadPlan(time=TimeOptions(day=day, tz=ZoneInfo(zone)))
        list(scanned(path, plan, least=least))
        guessed.append(plan.days_guessed)
    assert guessed[0] == guessed[1]


@pytest.mark.parametrize("day", [date(2026, 3, 29), date(2026, 10, 25), date(2026, 6, 1)])
@pytest.mark.parametrize("hours", [(0, 1), (1, 4), (2, 3), (2, 2), (3, 9)])
def test_a_day_on_which_the_clocks_are_changed(tmp_path: Path, day: date, hours: tuple[int, int]) -> None:
    path = tmp_path / "x"
    times = [f"{hour:02d}:{minute:02d}:00" for hour in range(hours[0], hours[1] + 1) for minute in range(0, 60, 3)]
    path.write_text("".join(f"{time} read(3) = 1 <0.000012>\n" for time in times))
    plan = ReadPlan(time=TimeOptions(day=day, tz=ZoneInfo("Europe/Berlin")))
    expected, intervals, _ = read(path, plan, DECODED)
    assert read(path, plan, WHOLE)[1] == read(path, plan, RECORDS)[1] == intervals
    assert_same(read(path, plan, AT_ONCE)[0], expected)
    assert expected.total_of_all().events == len(times)


def test_sums_beyond_what_arrays_hold_come_record_by_record(tmp_path: Path) -> None:
    path, ela = tmp_path / "x.trc", 10**18 - 1
    path.write_bytes(trace([Wait(10, NAMES[0], ela)] * 12))
    window, intervals, count = read(path, ReadPlan(), AT_ONCE)
    assert (len(intervals), count) == (1, 0)
    assert window[NAMES[0]].waited == 12 * ela * 1e-6
    assert intervals == read(path, ReadPlan(), DECODED)[1]


def test_a_batch_of_another_unit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.trc"
    path.write_bytes(trace([Wait(100_000, NAMES[0], 500)] * 9))
    (batch,) = batches_of(path)
    window = Window()
    window.extend(batch)
    with pytest.raises(ValueError, match="is in us, not in ms"):
        window.extend(batch._replace(unit=Unit.MS))
