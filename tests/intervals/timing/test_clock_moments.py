"""The moment of a print: a full stamp, else a time of day, else its arrival, else a count."""

from datetime import date, timedelta, timezone
from typing import Any

import pytest

from pylatencymap.intervals.options import TimeOptions
from pylatencymap.intervals.timing.moments import Moment, MomentFinder
from pylatencymap.record import Clock, Stamp, Tick

UTC = timezone.utc
NOON = 12 * 3600 * 1_000_000


def moment(stamp: Stamp, **options: Any) -> Moment:
    return MomentFinder(TimeOptions(**options)).place(Tick(stamp))


def test_a_full_stamp_is_what_it_says_whatever_the_options() -> None:
    stamp = Stamp(1_700_000_000_500_000, whole=False)
    assert moment(stamp, day=date(2000, 1, 1), started=0.0) == Moment(1_700_000_000_500_000)
    assert moment(Stamp(5_000_000, whole=True)).whole


def test_counted_stamps_of_a_recording_are_no_real_clock() -> None:
    assert moment(Stamp(3_000_000, Clock.COUNTED)) == Moment(3_000_000, clock=False)


def test_the_zone_of_a_time_of_day_can_be_given() -> None:
    east = timezone(timedelta(hours=5, minutes=30))
    local = moment(Stamp(NOON, Clock.DAY, whole=True), day=date(2026, 1, 1), tz=east)
    assert local == Moment(
        moment(Stamp(NOON, Clock.DAY), day=date(2026, 1, 1), tz=UTC).end - 19_800_000_000, whole=True
    )


def test_the_date_beside_a_time_of_day_is_used() -> None:
    found = moment(Stamp(NOON, Clock.DAY, text="2026-11-21 12:00:00"), tz=UTC, now=lambda: 0.0)
    assert found.end == 1_795_262_400_000_000


def test_a_date_that_the_user_gives_goes_before_it() -> None:
    found = moment(Stamp(NOON, Clock.DAY, text="2026-11-21 12:00:00"), tz=UTC, day=date(2026, 11, 22))
    assert found.end == 1_795_262_400_000_000 + 86_400_000_000


@pytest.mark.parametrize("text", ["noon", "0001-01-01 00:00:00", "9999-12-31 23:59:59", "1066-10-14 12:00:00"])
def test_a_date_that_makes_no_sense_is_passed_over(text: str) -> None:
    found = moment(Stamp(NOON, Clock.DAY, text=text), tz=UTC, now=lambda: 1_795_262_400.0)
    assert found.end == 1_795_262_400_000_000


def test_a_clock_with_an_unknown_zero_is_set_by_the_first_date_beside_it() -> None:
    moments = MomentFinder(TimeOptions(tz=UTC))
    boot = [
        Stamp(10**12, Clock.FREE, text="2026 Nov 21 12:00:00"),
        Stamp(10**12 + 1_500_000, Clock.FREE, text="nonsense"),
    ]
    assert [moments.place(Tick(stamp)) for stamp in boot] == [
        Moment(1_795_262_400_000_000),
        Moment(1_795_262_401_500_000),
    ]


def test_without_any_date_it_is_no_real_clock() -> None:
    assert moment(Stamp(10**12, Clock.FREE)) == Moment(10**12, clock=False)


def test_arrivals_have_the_wall_clock_however_late_they_are_placed() -> None:
    moments = MomentFinder(TimeOptions(started=100.0, now=lambda: 1_700_000_000.0, monotonic=lambda: 107.0))
    assert moments.place(Tick(arrival=103.0)) == Moment(1_699_999_996_000_000, heard=True)
    assert moments.place(Tick(arrival=105.5)) == Moment(1_699_999_998_500_000, heard=True)


def test_files_count_at_the_interval_given() -> None:
    moments = MomentFinder(TimeOptions(interval=2.5))
    ends = [2_500_000, 5_000_000]
    assert [moments.place(Tick()) for _ in ends] == [Moment(end, clock=False, counted=True) for end in ends]
