"""``--select``: which time and latencies its words mean in data that begin and end somewhere."""

from datetime import datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from pylatencymap.errors import UsageError
from pylatencymap.session import parse_selection
from pylatencymap.view.layout import Selected

UTC = timezone.utc


def micros(text: str, tz: Any = UTC) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=tz).timestamp()) * 1_000_000


THREE_DAYS = micros("2026-03-02 00:00"), micros("2026-03-05 00:00")


@pytest.mark.parametrize(
    ("text", "begin", "end"),
    [
        ("2026-03-03 03:12..2026-03-03 03:32", "2026-03-03 03:12", "2026-03-03 03:32"),
        ("03:12..03:32", "2026-03-04 03:12", "2026-03-04 03:32"),
        ("23:50..00:10", "2026-03-04 23:50", "2026-03-05 00:10"),
        ("2026-03-03 23:50..00:10", "2026-03-03 23:50", "2026-03-04 00:10"),
        ("03:12..2026-03-03 03:32", "2026-03-03 03:12", "2026-03-03 03:32"),
        ("03:40..2026-03-03 03:32", "2026-03-02 03:40", "2026-03-03 03:32"),
        ("2026-03-03 03:12..+20min", "2026-03-03 03:12", "2026-03-03 03:32"),
        ("+1h..+30min", "2026-03-02 01:00", "2026-03-02 01:30"),
    ],
)
def test_times(text: str, begin: str, end: str) -> None:
    assert parse_selection(text).placed(THREE_DAYS, UTC) == Selected(micros(begin), micros(end))


def test_the_zone_counts() -> None:
    zone = ZoneInfo("Asia/Tokyo")
    found = parse_selection("03:12..03:32").placed(THREE_DAYS, zone)
    assert found == Selected(micros("2026-03-05 03:12", zone), micros("2026-03-05 03:32", zone))


def test_latencies() -> None:
    found = parse_selection("03:12..03:32,65.5ms..524ms").placed(THREE_DAYS, UTC)
    assert found is not None
    assert (found.low, found.high) == (pytest.approx(0.0655), pytest.approx(0.524))
    assert parse_selection("03:12..03:32,8ms..").high is None
    assert parse_selection("03:12..03:32,..8ms").low is None


@pytest.mark.parametrize(
    "text", ["", "03:12", "03:12..", "..03:32", "3..4", "03:12..03:32,8ms", "03:12..03:32,8ms..4ms", "-2h..-1h", "a..b"]
)
def test_what_is_no_selection_says_what_is(text: str) -> None:
    with pytest.raises((ValueError, UsageError), match=r"write|must be|clock"):
        parse_selection(text)


def test_what_cannot_be_seen_is_said() -> None:
    said = parse_selection("2025-03-03..2025-03-04").outside(THREE_DAYS, UTC)
    assert said == "--select 2025-03-03..2025-03-04: that is outside of what is kept"
    assert parse_selection("2026-03-03..2026-03-04").outside(THREE_DAYS, UTC) == ""
    backwards = parse_selection("2026-03-04..2026-03-03")
    assert backwards.placed(THREE_DAYS, UTC) is None
    assert backwards.outside(THREE_DAYS, UTC)


def test_days_without_a_year_are_those_of_the_data() -> None:
    found = parse_selection("03-03 03:12..03-03 03:32")
    begin, end = (datetime(2026, 3, 3, 3, minute, tzinfo=timezone.utc) for minute in (12, 32))
    extent = (round((begin - timedelta(days=1)).timestamp()) * 1_000_000, round(end.timestamp() + 86400) * 1_000_000)
    chosen = found.placed(extent, timezone.utc)
    assert chosen is not None
    assert (chosen.begin, chosen.end) == (round(begin.timestamp()) * 1_000_000, round(end.timestamp()) * 1_000_000)
