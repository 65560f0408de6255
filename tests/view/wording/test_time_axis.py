"""Ticks of the time axis."""

from datetime import datetime, timedelta, timezone
from itertools import pairwise
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from pylatencymap.stream.stamps import MOST_EPOCH, read_stamp
from pylatencymap.view.wording.time_axis import (
    HOUR_ROOM,
    ROOM,
    axis_ticks,
    clock_text,
    column_span,
    column_text,
    label_starts,
    moment_text,
)

UTC = timezone.utc
START = 1_700_000_000


def ends(count: int, every: float = 1.0, start: float = START) -> np.ndarray:
    return ((start + every * np.arange(1, count + 1)) * 1e6).astype(np.int64)


def test_a_tick_stands_under_the_interval_that_ends_there() -> None:
    shown = axis_ticks(ends(71), 1.0, 1, UTC, real=True)
    assert [tick.text for tick in shown] == ["22:13:30", "22:13:45", "22:14:00", "22:14:15", "22:14:30"]
    for tick in shown:
        assert clock_text(int(ends(71)[tick.column]), UTC, real=True) == tick.text


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "Pacific/Kiritimati"])
def test_the_last_moment_that_is_read_has_a_wall_clock_in_every_zone(zone: str) -> None:
    last = np.array([MOST_EPOCH - 2_000_000, MOST_EPOCH - 1])
    assert clock_text(int(last[-1]), ZoneInfo(zone), real=True)
    assert axis_ticks(last, 1.0, 1, ZoneInfo(zone), real=True)
    with pytest.raises(ValueError, match="calendars"):
        read_stamp(f"microsec,{MOST_EPOCH},")


def test_uneven_stamps_tick_where_the_moment_lies() -> None:
    uneven = ends(42) + np.array([3000, -2000] * 21)
    shown = axis_ticks(uneven, 1.0, 1, UTC, real=True)
    assert [tick.text for tick in shown] == ["22:13:30", "22:13:45", "22:14:00"]
    for moment, tick in zip((START + 10, START + 25, START + 40), shown, strict=True):
        assert uneven[tick.column - 1] < moment * 1_000_000 <= uneven[tick.column]


@pytest.mark.parametrize(
    ("every", "width", "texts"),
    [
        (1, 2, ["22:13:30", "22:13:40"]),
        (0.1, 1, ["22:13:22", "22:13:24"]),
        (10, 1, ["22:15", "22:20"]),
        (3600, 1, ["Wed 11-15", "12:00"]),
        (1800, 1, ["Wed 11-15", "06:00"]),
        (86400, 1, ["2023-11-23", "2023-12-07"]),
    ],
)
def test_the_step_leaves_room(every: float, width: int, texts: list[str]) -> None:
    shown = axis_ticks(ends(60, every), every, width, UTC, real=True)
    assert [tick.text for tick in shown[:2]] == texts
    room = HOUR_ROOM if shown[0].text.startswith("Wed") else ROOM
    assert all((b.column - a.column) * width >= room - width for a, b in pairwise(shown))


@pytest.mark.parametrize("width", [1, 2])
@pytest.mark.parametrize("every", [0.25, 1, 1.003, 2, 3, 4, 5, 8, 10, 15, 20, 30, 45, 60, 120, 600, 3600, 21_600])
def test_ticks_are_as_many_columns_apart(every: float, width: int) -> None:
    shown = axis_ticks(ends(400, every, START // 86_400 * 86_400), every, width, UTC, real=True)
    apart = {b.column - a.column for a, b in pairwise(shown)}
    assert len(shown) > 1
    assert len(apart) == 1 or (every == 1.003 and max(apart) - min(apart) == 1)
    assert (min(apart) + (every == 1.003)) * width >= (HOUR_ROOM if every in (600, 3600) else ROOM)
    assert max(apart) * width <= 5 * ROOM


def test_the_zone_and_its_changes() -> None:
    india = timezone(timedelta(hours=5, minutes=30))
    assert axis_ticks(ends(300, 60), 60, 1, india, real=True)[0].text == "03:45"
    berlin = ZoneInfo("Europe/Berlin")
    # 2023-10-29 03:00 CEST becomes 02:00 CET.
    change = ends(300, 60, 1698537600 - 3600)
    for tick in axis_ticks(change, 60, 1, berlin, real=True):
        assert clock_text(int(change[tick.column]), berlin, real=True)[:5] == tick.text


def test_the_hour_that_comes_twice_is_there_twice() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    midnight = 1698537600  # UTC; an hour later 03:00 CEST becomes 02:00 CET
    quarters = axis_ticks(ends(120, 60, midnight), 60, 1, berlin, real=True)
    assert [tick.text for tick in quarters] == ["02:15", "02:30", "02:45", "02:00", "02:15", "02:30", "02:45", "03:00"]
    assert [tick.column for tick in quarters] == [14, 29, 44, 59, 74, 89, 104, 119]
    hours = axis_ticks(ends(72, 300, midnight - 7200), 300, 1, berlin, real=True)
    assert [(tick.column, tick.text) for tick in hours] == [(23, "02:00"), (35, "02:00"), (59, "04:00")]
    howe = ZoneInfo("Australia/Lord_Howe")  # at 15:00 UTC 02:00 becomes 01:30, which is no hour
    hours = axis_ticks(ends(72, 600, 1680361200 - 6 * 3600), 600, 1, howe, real=True)
    assert not [tick for tick in hours if tick.text.startswith("01:")]


@pytest.mark.parametrize("zone", ["Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Caracas"])
def test_ticks_have_the_wall_clock_around_every_change_of_a_zone(zone: str) -> None:
    tz = ZoneInfo(zone)
    offsets = {second: datetime.fromtimestamp(second, tz).utcoffset() for second in range(0, START, 1800)}
    changes = [later for earlier, later in pairwise(offsets) if offsets[earlier] != offsets[later]]
    assert changes
    for change in changes:
        moments = ends(60, 60, change - 1800)
        for tick in axis_ticks(moments, 60, 1, tz, real=True):
            assert clock_text(int(moments[tick.column]), tz, real=True)[:5] == tick.text


def test_no_real_clock_shows_elapsed_time() -> None:
    shown = axis_ticks(ends(90, start=0), 1.0, 1, ZoneInfo("Asia/Tokyo"), real=False)
    assert [tick.text for tick in shown] == ["+0:15", "+0:30", "+0:45", "+1:00", "+1:15", "+1:30"]
    assert [tick.column for tick in shown] == [14, 29, 44, 59, 74, 89]
    assert clock_text(3_723_000_000, UTC, real=False) == "+1:02:03"


def test_a_window_without_any_tick_says_when_it_ended() -> None:
    assert [(tick.column, tick.text) for tick in axis_ticks(ends(1), 1.0, 1, UTC, real=True)] == [(0, "22:13:21")]
    assert axis_ticks(ends(0), 1.0, 1, UTC, real=True) == ()


def test_span_of_a_column() -> None:
    assert column_span(ends(10, 5.0), 1.0) == 5
    assert column_span(ends(1), 7.0) == 7


MIDNIGHT = 1_772_409_600
"""2026-03-02, a Monday."""


@pytest.mark.parametrize(
    ("columns", "every", "texts"),
    [
        (72, 3600, ["12:00", "Tue 03-03", "12:00", "Wed 03-04", "12:00", "Thu 03-05"]),
        (48, 5400, ["Tue 03-03", "Wed 03-04", "Thu 03-05"]),
        (3, 86_400, ["Thu 03-05"]),
        (25, 3600, ["12:00", "Tue 03-03"]),
        (30, 86_400, ["Thu 03-12", "Thu 03-26"]),
        (400, 86_400, ["2026-03-12", "2026-03-26", "2026-04-09"]),
    ],
)
def test_what_is_longer_than_a_day_has_dates(columns: int, every: int, texts: list[str]) -> None:
    """Dates at midnight, hours between them where there is room, else dates alone."""
    shown = axis_ticks(ends(columns, every, MIDNIGHT), every, 1, UTC, real=True)
    assert [tick.text for tick in shown if tick.column][: len(texts)] == texts
    labels = list(label_starts(shown, 0, 1, 0, columns))
    for (start, text), (after, _) in pairwise(labels):
        assert start + len(text) < after, "no labels touch"


def test_a_moment_has_its_date_on_a_window_of_more_than_a_day() -> None:
    at = (MIDNIGHT + 86_400 + 8 * 3600) * 1_000_000
    assert moment_text(at, UTC, real=True, dated=True) == "03-03 08:00"
    assert moment_text(at + 7_000_000, UTC, real=True, dated=True) == "03-03 08:00:07"
    assert moment_text(at, UTC, real=True, dated=False) == "08:00:00"
    assert moment_text(65_000_000, UTC, real=False, dated=True) == "+1:05"


@pytest.mark.parametrize(
    ("span", "dated", "text"),
    [
        (60, False, "07:59-08:00"),
        (10, False, "07:59:50-08:00:00"),
        (3600, True, "03-03 07:00-08:00"),
        (86_400, True, "03-02 to 03-03"),
    ],
)
def test_from_when_to_when_a_column_is(span: int, dated: bool, text: str) -> None:
    at = (MIDNIGHT + 86_400 + 8 * 3600) * 1_000_000
    assert column_text(at, span, UTC, real=True, dated=dated) == text
    assert column_text(70_000_000, 10, UTC, real=False, dated=False) == "+1:00 to +1:10"
