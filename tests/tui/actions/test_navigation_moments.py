"""Times as users type them."""

from datetime import datetime, timezone
from zoneinfo import ZoneInfo

import pytest

from pylatencymap.errors import UsageError
from pylatencymap.tui.actions.navigation import moment_named

UTC = timezone.utc


def micros(*parts: int, tz: object = UTC) -> int:
    return round(datetime(*parts, tzinfo=tz).timestamp() * 1e6)  # type: ignore[misc,arg-type]


NEAR = micros(2026, 3, 14, 15, 9, 26)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("15:00", micros(2026, 3, 14, 15, 0, 0)),
        (" 15:08:59 ", micros(2026, 3, 14, 15, 8, 59)),
        ("4:00", micros(2026, 3, 14, 4, 0, 0)),
        ("02:00", micros(2026, 3, 15, 2, 0, 0)),
        ("2026-03-13 23:59:58", micros(2026, 3, 13, 23, 59, 58)),
        ("2026-03-13T23:59:58Z", micros(2026, 3, 13, 23, 59, 58)),
        ("-10m", NEAR - 600_000_000),
        ("+1.5h", NEAR + 5_400_000_000),
        ("- 30 s", NEAR - 30_000_000),
        ("-1d", NEAR - 86_400_000_000),
    ],
)
def test_a_moment(text: str, moment: int) -> None:
    assert moment_named(text, NEAR, UTC) == moment


def test_times_are_those_of_the_clock_on_the_screen() -> None:
    there = ZoneInfo("Asia/Tokyo")
    assert moment_named("15:00", NEAR, there) == micros(2026, 3, 14, 15, 0, 0, tz=there)
    assert moment_named("2026-03-14 01:02:03", NEAR, there) == micros(2026, 3, 14, 1, 2, 3, tz=there)


@pytest.mark.parametrize("text", ["", "x", "25:00", "12:60", "12:00:61", "10m", "-10", "--1m", "12", "+x s"])
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(UsageError):
        moment_named(text, NEAR, UTC)
