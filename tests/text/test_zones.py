"""Time zones by name, and the machine's own."""

import time
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies as st

from pylatencymap.errors import UsageError
from pylatencymap.text.zones import LocalZone, micros_at, zone_named

PLACES = ("Europe/Zurich", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "UTC")


@pytest.fixture(params=PLACES)
def here(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[ZoneInfo]:
    """The machine's zone, for a while."""
    try:
        zone = ZoneInfo(request.param)
    except KeyError:
        pytest.skip("no time zone data")
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield zone
    monkeypatch.undo()
    time.tzset()


def same(moment: datetime, ours: tzinfo, theirs: tzinfo) -> None:
    found, expected = moment.astimezone(ours), moment.astimezone(theirs)
    assert found.replace(tzinfo=None) == expected.replace(tzinfo=None)
    assert found.utcoffset() == expected.utcoffset()
    assert found.timestamp() == moment.timestamp()


def test_the_local_zone_is_that_of_the_machine_on_every_hour_of_two_years(here: ZoneInfo) -> None:
    begin = datetime(2025, 1, 1, 0, 30, tzinfo=timezone.utc)
    for hours in range(0, 2 * 365 * 24, 7):
        same(begin + timedelta(hours=hours), LocalZone(), here)


def test_hours_that_come_twice_are_told_apart(here: ZoneInfo) -> None:
    begin = datetime(2026, 10, 25, tzinfo=timezone.utc)
    for minutes in range(0, 300, 10):
        moment = begin + timedelta(minutes=minutes)
        same(moment, LocalZone(), here)
        assert moment.astimezone(LocalZone()).astimezone(timezone.utc) == moment


def test_its_name_changes_with_the_season(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    time.tzset()
    zone = LocalZone()
    assert datetime(2026, 1, 1, tzinfo=zone).tzname() == "CET"
    assert datetime(2026, 7, 1, tzinfo=zone).tzname() == "CEST"
    assert zone.dst(None) is None
    assert zone.utcoffset(None) in (timedelta(hours=1), timedelta(hours=2))
    monkeypatch.undo()
    time.tzset()


@given(st.datetimes(datetime(1990, 1, 1), datetime(2037, 1, 1)))
def test_there_and_back_is_the_same_moment(moment: datetime) -> None:
    aware = moment.replace(tzinfo=timezone.utc)
    assert aware.astimezone(LocalZone()).timestamp() == aware.timestamp()


def test_names() -> None:
    assert isinstance(zone_named(None), LocalZone)
    assert zone_named("UTC") is zone_named("utc") is timezone.utc
    assert zone_named("Europe/Zurich") == ZoneInfo("Europe/Zurich")


@pytest.mark.parametrize("name", ["", "Mars/Olympus", "../../etc/passwd", "/etc/passwd", "Europe", "\x00", "x" * 5000])
def test_what_is_no_zone(name: str) -> None:
    with pytest.raises(UsageError, match="no such time zone"):
        zone_named(name)


@pytest.mark.parametrize("here", ["Europe/Zurich"], indirect=True)
@pytest.mark.parametrize("local", [True, False])
def test_a_time_of_day_that_clocks_skip_is_when_they_are_put_forward(here: ZoneInfo, local: bool) -> None:
    zurich = LocalZone() if local else here
    jump = 1_774_746_000_000_000  # 2026-03-29 02:00 is 03:00
    for text in ("02:00", "02:30", "02:59:59", "03:00"):
        assert micros_at(datetime.fromisoformat(f"2026-03-29 {text}").replace(tzinfo=zurich)) == jump
    assert micros_at(datetime(2026, 3, 29, 1, 59, 59, 500_000, tzinfo=zurich)) == jump - 500_000
    assert micros_at(datetime(2026, 3, 29, 3, 0, 1, tzinfo=zurich)) == jump + 1_000_000


def test_a_time_of_day_that_comes_twice_is_the_first_one(here: ZoneInfo) -> None:
    for hours in range(0, 365 * 24, 7):
        moment = datetime(2026, 1, 1, 0, 30, tzinfo=timezone.utc) + timedelta(hours=hours)
        for zone in (LocalZone(), here):
            local = moment.astimezone(zone)
            assert micros_at(local) == round(moment.timestamp()) * 1_000_000
            assert micros_at(local.replace(fold=0)) == round(local.replace(fold=0).timestamp()) * 1_000_000
