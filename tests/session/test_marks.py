"""Marks on the time axis, and the file of ``--marks``."""

from datetime import datetime, timezone
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from pylatencymap.errors import SourceError
from pylatencymap.interval import Interval
from pylatencymap.record import Mark, Stamp
from pylatencymap.session.marks import MOST, MarkFile, MarkList, read_mark_file
from pylatencymap.units import Unit

UTC = timezone.utc
BERLIN = ZoneInfo("Europe/Berlin")
NIGHT = "2026-03-03T03:12:05"


def micros(text: str, tz: ZoneInfo | timezone = UTC) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=tz).timestamp() * 1e6)


def marks_of(text: str, end: int, tz: ZoneInfo | timezone = UTC) -> tuple[list[tuple[int, str]], list[str]]:
    """The marks of a file's text in data that end at a moment, and what was said."""
    said: list[str] = []
    file, marks = MarkFile("m.txt", tz, said.append), MarkList()
    file.read(enumerate(text.split("\n"), 1))
    file.hand_to(marks)
    marks.placed_until(end)
    return [(mark.stamp.micros, mark.note) for mark in marks], said


@pytest.mark.parametrize(
    "line",
    [
        "2026-03-03T03:12:05,deploy",
        "2026-03-03 03:12:05 , deploy",
        "2026-03-03 03:12:05\tdeploy",
        "2026-03-03T04:12:05+01:00,deploy",
        "2026-03-03T03:12:05Z,deploy",
        "2026-03-03T03:12:05,000000+00:00 deploy",
        "03:12:05,deploy",
        f"{micros(NIGHT) // 1_000_000},deploy",
        f"{micros(NIGHT) // 1_000_000}.0 deploy",
        '"2026-03-03 03:12:05","deploy"',
    ],
)
def test_forms_of_a_time(line: str) -> None:
    assert marks_of(line, micros("2026-03-03T12:00")) == ([(micros(NIGHT), "deploy")], [])


def test_a_comma_before_digits_begins_the_text() -> None:
    assert marks_of("2026-03-03 03:12:05,500 users", micros("2026-03-04"))[0] == [(micros(NIGHT), "500 users")]


def test_times_without_a_zone_are_in_that_of_the_option() -> None:
    found, _ = marks_of("2026-03-03 03:12,a\n03:12,b", micros("2026-03-03T12:00", BERLIN), BERLIN)
    assert found == [(micros("2026-03-03T03:12", BERLIN), note) for note in "ab"]


def test_a_time_of_day_is_the_last_one_in_the_data_and_moves_on_with_them() -> None:
    marks = MarkList()
    marks.add_daily([((3, 12, 0), "cron")], UTC)
    for end, day in (("2026-03-03T03:11:59", 2), ("2026-03-03T03:12", 3), ("2026-03-04T03:11", 3), ("2026-03-05", 4)):
        marks.placed_until(micros(end))
        assert [mark.stamp.micros for mark in marks] == [micros(f"2026-03-0{day}T03:12")]


def test_a_day_with_25_hours() -> None:
    """03:30 of summer time is 25 hours before 03:30 of the day on which it ended."""
    marks = MarkList()
    marks.add_daily([((3, 30, 0), "cron")], BERLIN)
    for end, at in (("2026-10-25T03:29", "2026-10-24T03:30"), ("2026-10-25T03:31", "2026-10-25T03:30")):
        marks.placed_until(micros(end, BERLIN))
        assert [mark.stamp.micros for mark in marks] == [micros(at, BERLIN)]


def test_what_is_no_mark_costs_its_line() -> None:
    found, said = marks_of("# a comment\n\n  \nsoon,x\n2026-02-30 10:00,x\n25:61,x\n03:12,kept", micros("2026-03-04"))
    assert [note for _, note in found] == ["kept"]
    assert [message.split(" is no time; write a time, a comma and a text")[0] for message in said] == [
        "m.txt:4: 'soon'",
        "m.txt:5: '2026-02-30 10:00'",
        "m.txt:6: '25:61'",
    ]


def test_text_from_outside_is_escaped() -> None:
    ((_, note),), _ = marks_of("03:12,a \x1b]0;x\x07 \u202e b" + "c" * 500, micros("2026-03-04"))
    assert note.isprintable()
    assert note.startswith("a \\x1b]0;x\\x07 \\u202e b")
    assert len(note) <= 200


def test_a_mark_without_a_text() -> None:
    assert marks_of("2026-03-03 03:12:05", micros("2026-03-04"))[0] == [(micros(NIGHT), "mark")]


def test_too_many_marks() -> None:
    found, said = marks_of("\n".join(["03:12,x"] * (MOST + 5)), micros("2026-03-04"))
    assert len(found) == MOST
    assert said == [f"m.txt:{MOST + 1}: no more than 10,000 marks are kept: the rest is left out from here on"]


def interval(begin: int, end: int, *, clock: bool = True) -> Interval:
    return Interval("sda", Unit.US, begin, end, (end - begin) / 1e6, ((1, 2, 1),), 1e-6, clock=clock)


def test_marks_outside_of_the_data_are_counted_once() -> None:
    said: list[str] = []
    file = MarkFile("m.txt", UTC, said.append)
    file.read(enumerate(["2026-03-03 03:12,in", "2026-03-03 04:00,late", "2026-03-03 02:59,early", "03:01,in"], 1))
    hour = [micros(f"2026-03-03T03:{minute:02}") for minute in range(31)]
    between = [interval(begin, end) for begin, end in pairwise(hour)]
    assert list(file.watched(between)) == between
    assert said == [
        "m.txt: 2 of 4 marks are outside of the data, which begin 2026-03-03 03:00:00 and end 2026-03-03 03:30:00"
    ]


def test_data_without_a_clock_have_no_place_for_a_mark() -> None:
    said: list[str] = []
    file = MarkFile("m.txt", UTC, said.append)
    file.read([(1, "03:12,x")])
    list(file.watched([interval(0, 1_000_000, clock=False)]))
    assert said == ["m.txt: the data have no clock, so that no mark has a place in them"]


def test_marks_of_both_kinds_are_in_the_order_of_time() -> None:
    marks = MarkList()
    marks.add(Mark(Stamp(micros("2026-03-03T05:00")), "later"))
    marks.add_daily([((3, 12, 0), "daily")], UTC)
    marks.placed_until(micros("2026-03-03T06:00"))
    assert [text for _, _, text in marks.until(micros("2026-03-03T05:00"))] == ["daily", "later"]
    assert [text for _, _, text in marks.until(micros("2026-03-03T04:00"))] == ["daily"]
    assert len(marks) == 2


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"^--marks .*none\.txt: no such file"):
        read_mark_file(str(tmp_path / "none.txt"), UTC, print)
