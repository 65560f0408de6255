"""Times as users type them."""

from datetime import datetime, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies as st

from pylatencymap.errors import UsageError
from pylatencymap.tui.actions.go_to_time import Reach, moment_named

UTC = timezone.utc


def micros(*parts: int, tz: object = UTC) -> int:
    return round(datetime(*parts, tzinfo=tz).timestamp() * 1e6)  # type: ignore[misc,arg-type]


NEAR = micros(2026, 3, 14, 15, 9, 26)
BEGIN, END = micros(2026, 3, 12, 0, 0, 0), micros(2026, 3, 14, 20, 0, 0)
KEPT = Reach(BEGIN, END, NEAR, UTC)
UNDATED = Reach(1_000_000, 4000_000_000, 65_000_000, None)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("15:00", micros(2026, 3, 14, 15, 0, 0)),
        ("1500", micros(2026, 3, 14, 15, 0, 0)),
        ("0312", micros(2026, 3, 14, 3, 12, 0)),
        ("3:12", micros(2026, 3, 14, 3, 12, 0)),
        (" 15:08:59 ", micros(2026, 3, 14, 15, 8, 59)),
        ("15:08:59 UTC", micros(2026, 3, 14, 15, 8, 59)),
        ("23:00", micros(2026, 3, 13, 23, 0, 0)),
        ("03-13 04:00", micros(2026, 3, 13, 4, 0, 0)),
        ("03-13 04:00:07", micros(2026, 3, 13, 4, 0, 7)),
        ("Fri 03-13", micros(2026, 3, 13, 0, 0, 0)),
        ("03-13", micros(2026, 3, 13, 0, 0, 0)),
        ("2026-03-13", micros(2026, 3, 13, 0, 0, 0)),
        ("2026-03-13 23:59", micros(2026, 3, 13, 23, 59, 0)),
        ("2026-03-13 23:59:58", micros(2026, 3, 13, 23, 59, 58)),
        ("2026-03-13T23:59:58Z", micros(2026, 3, 13, 23, 59, 58)),
        ("03:12-03:32", micros(2026, 3, 14, 3, 12, 0)),
        ("03:12:05-03:32:00", micros(2026, 3, 14, 3, 12, 5)),
        ("03-13 03:12-03:32", micros(2026, 3, 13, 3, 12, 0)),
        ("03-13 23:12-03-14 03:32", micros(2026, 3, 13, 23, 12, 0)),
        ("2026-03-13 03:00 to 03:43 UTC", micros(2026, 3, 13, 3, 0, 0)),
        ("2026-03-13 03:00:00 to 2026-03-14 03:43:00 UTC", micros(2026, 3, 13, 3, 0, 0)),
        ("2026-03-13T03:12:00-01:00", micros(2026, 3, 13, 4, 12, 0)),
        ("-10m", NEAR - 600_000_000),
        ("-10min", NEAR - 600_000_000),
        ("+1.5h", NEAR + 5_400_000_000),
        ("- 30 s", NEAR - 30_000_000),
        ("-2d", NEAR - 2 * 86_400_000_000),
    ],
)
def test_a_moment(text: str, moment: int) -> None:
    assert moment_named(text, KEPT) == moment


@pytest.mark.parametrize(
    ("text", "seconds"), [("+1:05", 65), ("1:05", 65), ("+1:02:03", 3723), ("-10s", 55), ("+1m", 125)]
)
def test_a_moment_without_a_clock(text: str, seconds: int) -> None:
    assert moment_named(text, UNDATED) == seconds * 1_000_000


@given(st.integers(0, 23), st.integers(0, 59), st.integers(0, 20 * 3600), st.integers(86_401, 10 * 86_400))
def test_a_time_of_day_is_the_last_one_there_is(hour: int, minute: int, end: int, length: int) -> None:
    """Of any history of more than a day there is one, and it is never in the future of the newest column."""
    last = micros(2026, 3, 14, 0, 0, 0) + end * 1_000_000
    found = moment_named(f"{hour}:{minute:02}", Reach(last - length * 1_000_000, last, NEAR, UTC))
    assert last - 86_400_000_000 < found <= last
    assert datetime.fromtimestamp(found / 1e6, UTC).strftime("%H:%M") == f"{hour:02}:{minute:02}"


def test_what_the_history_does_not_have_is_after_it_or_before_it() -> None:
    """The caller says so; nothing is guessed."""
    short = Reach(micros(2026, 3, 14, 14, 0, 0), micros(2026, 3, 14, 16, 0, 0), NEAR, UTC)
    assert moment_named("17:00", short) > short.end
    assert moment_named("2026-03-13", short) < short.begin


@pytest.mark.parametrize("later", [0, 400_000])
@pytest.mark.parametrize("text", ["14:00:00", "14:00", "03-14 14:00:00"])
def test_the_moment_at_which_the_history_begins_is_there(text: str, later: int) -> None:
    """As the screen writes it: of the second of which something is kept."""
    begin = micros(2026, 3, 14, 14, 0, 0)
    assert moment_named(text, Reach(begin + later, begin + 7_200_000_000, NEAR, UTC)) == begin


def test_times_are_those_of_the_clock_on_the_screen() -> None:
    there = ZoneInfo("Asia/Tokyo")
    kept = KEPT._replace(tz=there)
    assert moment_named("15:00", kept) == micros(2026, 3, 14, 15, 0, 0, tz=there)
    assert moment_named("2026-03-14 01:02:03", kept) == micros(2026, 3, 14, 1, 2, 3, tz=there)
    assert moment_named("03-14 01:02", kept) == micros(2026, 3, 14, 1, 2, 0, tz=there)


@pytest.mark.parametrize("text", ["", "x", "25:00", "12:60", "12:00:61", "10m", "-10", "--1m", "12", "+x s", "13-45"])
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(UsageError):
        moment_named(text, KEPT)


@pytest.mark.parametrize("text", ["2026-03-13", "x", "12", "03-13 04:00"])
def test_what_is_no_time_without_a_clock(text: str) -> None:
    with pytest.raises(UsageError, match="there is no clock"):
        moment_named(text, UNDATED)


def test_which_of_two_equal_hours() -> None:
    """Clocks go back from 3:00 CEST to 2:00 CET; the name of the zone stands where the screen writes it."""
    berlin = ZoneInfo("Europe/Berlin")
    back = 1_792_890_000_000_000
    kept = Reach(back - 7_200_000_000, back + 7_200_000_000, back, berlin)
    half_an_hour = 1_800_000_000
    for text in ("2:30 CEST", "02:30:00 cest", "10-25 02:30 CEST", "2026-10-25 02:30 CEST"):
        assert moment_named(text, kept) == back - half_an_hour
    for text in ("2:30 CET", "02:30:00 CET", "10-25 02:30 CET", "2026-10-25 02:30:00 CET"):
        assert moment_named(text, kept) == back + half_an_hour
    assert moment_named("03:30 CET", kept) == back + 3 * half_an_hour
    for text in ("02:30-02:50 CEST", "02:30 CEST-02:30 CET", "02:30 CEST-03:10", "10-25 02:30 CEST to 10-26 03:10"):
        assert moment_named(text, kept) == back - half_an_hour
    assert moment_named("02:30 CET-03:10", kept) == back + half_an_hour
    for text in ("2:30 EST", "CET"):
        with pytest.raises(UsageError, match="is no time"):
            moment_named(text, kept)
