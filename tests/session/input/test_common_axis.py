"""Files with and without a real clock on one axis: where each begins, and what is told of it."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timezone

import pytest

from pylatencymap.interval import Interval
from pylatencymap.record import Clock, Event, Mark, Stamp, Tick
from pylatencymap.session.input.common_axis import PlacedFile, put_on_common_axis, without_day
from pylatencymap.units import Unit

SECOND = 1_000_000
BEGIN = 1_700_000_000
"""2023-11-14 22:13:20 UTC."""
DAYS = 86_400


def file_of(
    name: str, begin: float, *, clock: bool = True, source: str = "", marks: list[Mark] | None = None
) -> PlacedFile:
    """A file with two intervals of a second."""
    starts = (round((begin + number) * SECOND) for number in range(2))
    made = PlacedFile(name, (marks if marks is not None else []).append)
    made.begin(iter([Interval(name, Unit.US, at, at + SECOND, 1.0, clock=clock, source=source) for at in starts]))
    return made


def placed(
    files: list[PlacedFile], guessed: Iterable[str] = (), width: float = 1.0
) -> tuple[dict[str, list[tuple[float, bool]]], list[str]]:
    """Where the intervals begin by file, with their clock, and what was told."""
    told: list[str] = []
    put_on_common_axis(files, set(guessed), width, timezone.utc, lambda _, what, more: told.append(what + more))
    return {file.name: [(one.start / SECOND, one.clock) for one in file.intervals()] for file in files}, told


@pytest.mark.parametrize("first", [0, 1])
def test_a_file_without_a_clock_begins_with_the_earliest_dated_one(first: int) -> None:
    files = [file_of("late", BEGIN + 50), file_of("db", BEGIN)]
    files.insert(first, file_of("fio.log", 3, clock=False, source="fio"))
    found, told = placed(files)
    assert found["fio.log"] == [(BEGIN, True), (BEGIN + 1, True)]
    assert found["db"] == [(BEGIN, True), (BEGIN + 1, True)]
    assert found["late"] == [(BEGIN + 50, True), (BEGIN + 51, True)]
    assert told == [
        "fio.log has no real clock: it is taken to begin where db begins, at 2023-11-14 22:13:20; "
        "--start FILE=TIME says otherwise; fio --log_unix_epoch=1 writes real times"
    ]


@pytest.mark.parametrize("clock", [True, False])
def test_a_file_begins_where_it_was_told_to(clock: bool) -> None:
    told_of, other = file_of("x", 3, clock=clock), file_of("y", 0, clock=False, source="fio")
    told_of.start_at((BEGIN + 7) * SECOND + 5, 1.0)
    found, told = placed([told_of, other])
    assert found == {name: [(BEGIN + 7, True), (BEGIN + 8, True)] for name in "xy"}
    assert len(told) == 1


def test_files_of_one_source_keep_their_distances_and_those_of_others_do_not() -> None:
    found, told = placed(
        [
            file_of("db", BEGIN),
            file_of("boot1", 100_000, clock=False, source="perf"),
            file_of("boot2", 100_060, clock=False, source="perf"),
            file_of("zero", 0, clock=False, source="biosnoop"),
        ]
    )
    assert [found[name][0][0] - BEGIN for name in ("boot1", "boot2", "zero")] == [0, 60, 0]
    assert len(told) == 3


@pytest.mark.parametrize(("width", "begin"), [(1.0, BEGIN), (5.0, BEGIN), (7.0, BEGIN - BEGIN % 7)])
def test_files_are_moved_by_whole_intervals(width: float, begin: int) -> None:
    found, _ = placed([file_of("db", BEGIN + 0.4), file_of("x", 0, clock=False)], width=width)
    assert found["x"][0] == (begin, True)


def test_without_any_date_files_begin_together_and_without_a_clock() -> None:
    found, told = placed([file_of("a", 0, clock=False, source="fio"), file_of("b", 900, clock=False, source="perf")])
    assert found == {name: [(0, False), (1, False)] for name in "ab"}
    assert told == ["a and b have no real clock: they are taken to begin together"]


def test_files_of_one_source_without_a_date_are_left_as_they_are() -> None:
    found, told = placed([file_of("a", 10, clock=False, source="fio"), file_of("b", 20, clock=False, source="fio")])
    assert [found[name][0] for name in "ab"] == [(10, False), (20, False)]
    assert told == ["a and b have no real clock: they are taken to be of one clock"]


@pytest.mark.parametrize(("hours", "day"), [(-11, 0), (1, 0), (11, 0), (13, -1)])
def test_times_of_day_are_of_the_day_next_to_the_dated_file(hours: int, day: int) -> None:
    files = [file_of("db", BEGIN), file_of("times", BEGIN + hours * 3600 + 1000 * DAYS)]
    found, told = placed(files, ["times"])
    assert found["times"][0] == (BEGIN + hours * 3600 + day * DAYS, True)
    assert len(told) == 1
    assert told[0].startswith("times has times of day without a date: they are taken to be of 2023-11-1")
    assert told[0].endswith(", next to the begin of db; --date says otherwise")


def test_a_date_that_was_guessed_well_is_left_without_a_word() -> None:
    found, told = placed([file_of("db", BEGIN), file_of("times", BEGIN + 60)], ["times"])
    assert (found["times"][0], told) == ((BEGIN + 60, True), [])


def test_times_of_day_alone_keep_their_dates_and_place_what_has_none() -> None:
    found, told = placed([file_of("times", BEGIN), file_of("x", 0, clock=False)], ["times"])
    assert (found["times"][0], found["x"][0]) == ((BEGIN, True), (BEGIN, True))
    assert len(told) == 1


def test_marks_move_with_their_file_whenever_they_come() -> None:
    marks: list[Mark] = []
    moved = file_of("x", 0, clock=False, marks=marks)
    early = Mark(Stamp(SECOND, Clock.COUNTED), "early")
    moved.mark(early)
    placed([file_of("db", BEGIN), moved])
    moved.mark(replace(early, note="later"))
    assert [(mark.stamp.micros, mark.note) for mark in marks] == [
        ((BEGIN + 1) * SECOND, "early"),
        ((BEGIN + 1) * SECOND, "later"),
    ]


def test_a_file_without_intervals_has_no_place() -> None:
    empty = PlacedFile("empty", lambda _: None)
    empty.begin(iter(()))
    found, told = placed([empty, file_of("x", 5, clock=False)])
    assert (found["empty"], found["x"][0], told) == ([], (5, False), [])


@pytest.mark.parametrize(
    ("stamp", "guessed"),
    [
        (Stamp(5, Clock.DAY), {"x"}),
        (Stamp(5, Clock.DAY, text="2026-11-22"), set()),
        (Stamp(5, Clock.EPOCH), set()),
        (None, set()),
    ],
)
def test_the_first_stamp_says_whether_the_day_is_known(stamp: Stamp | None, guessed: set[str]) -> None:
    names: set[str] = set()
    events: list[Event] = [Tick(), Tick(stamp), Tick(Stamp(9, Clock.EPOCH)), Tick(Stamp(9, Clock.DAY))]
    assert list(without_day(events, "x", names)) == events
    assert names == guessed
