"""Times of day on the wall clock: midnights, and the hours that a zone repeats or skips."""

from datetime import date, datetime, timezone
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies as st

from pylatencymap.intervals.event_bins import bin_events
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.intervals.timing.dating import (
    Calendar,
    days_before,
    earlier_stamp,
    epoch_of,
    nearest_day,
    survey_midnights,
)
from pylatencymap.record import Clock, Event, Mark, Sample, Stamp, Tick
from pylatencymap.report import Report
from pylatencymap.units import MICROS_PER_DAY, Unit

UTC = timezone.utc
ZURICH = ZoneInfo("Europe/Zurich")
SECOND = 1_000_000


def of_day(clock: str) -> int:
    hours, minutes, seconds = (int(part) for part in clock.split(":"))
    return ((hours * 60 + minutes) * 60 + seconds) * SECOND


def micros(text: str) -> int:
    """Of an ISO date with an offset."""
    return round(datetime.fromisoformat(text).timestamp() * 1e6)


def placed(clocks: list[str], options: TimeOptions) -> list[int]:
    calendar = Calendar(options)
    return [calendar.place(of_day(clock)) for clock in clocks]


def ticks(*clocks: str) -> list[Event]:
    return [Tick(Stamp(of_day(clock), Clock.DAY, whole=True)) for clock in clocks]


def test_midnights_are_counted_from_the_date_given() -> None:
    options = TimeOptions(day=date(2026, 2, 27), tz=UTC)
    assert placed(["23:59:59", "00:00:00", "12:00:00", "23:59:59", "00:00:01", "18:00:00", "05:00:00"], options) == [
        micros(text + "+00:00")
        for text in (
            "2026-02-27T23:59:59",
            "2026-02-28T00:00:00",
            "2026-02-28T12:00:00",
            "2026-02-28T23:59:59",
            "2026-03-01T00:00:01",
            "2026-03-01T18:00:00",
            "2026-03-02T05:00:00",
        )
    ]


def test_the_last_stamp_of_a_file_lies_at_its_modification_time() -> None:
    clocks = ["22:00:00", "23:00:00", "00:30:00", "12:00:00", "23:30:00", "00:10:00"]
    modified = datetime(2026, 11, 21, 0, 10, 2, tzinfo=UTC).timestamp()
    options = TimeOptions(tz=UTC, modified=modified, survey=lambda: survey_midnights(ticks(*clocks)))
    found = placed(clocks, options)
    assert found[0] == micros("2026-11-19T22:00:00+00:00")
    assert found[-1] == micros("2026-11-21T00:10:00+00:00")


def test_a_file_changed_just_after_midnight_ends_the_day_before() -> None:
    modified = datetime(2026, 11, 21, 0, 0, 1, tzinfo=UTC).timestamp()
    options = TimeOptions(tz=UTC, modified=modified, survey=lambda: survey_midnights(ticks("23:59:58", "23:59:59")))
    assert placed(["23:59:58"], options) == [micros("2026-11-20T23:59:58+00:00")]


@pytest.mark.parametrize(
    ("last", "modified", "day"),
    [
        ("07:29:59", "2026-11-22T07:30", "2026-11-22"),
        ("07:33:00", "2026-11-22T07:30", "2026-11-22"),  # clocks differ
        ("22:00:00", "2026-11-22T07:30", "2026-11-21"),
        ("10:00:00", "2026-11-22T07:30", "2026-11-21"),  # it cannot be of the same day: that is still to come
        ("00:01:00", "2026-11-21T23:58", "2026-11-22"),
    ],
)
def test_a_file_holds_nothing_that_came_after_its_last_change(last: str, modified: str, day: str) -> None:
    moment = datetime.fromisoformat(modified).replace(tzinfo=UTC).timestamp()
    calendar = Calendar(TimeOptions(tz=UTC, modified=moment))
    assert calendar.place(of_day(last)) == micros(f"{day}T{last}+00:00")


def test_without_date_and_file_it_is_today() -> None:
    now = datetime(2026, 11, 21, 9, 0, tzinfo=UTC).timestamp()
    assert placed(["08:59:59"], TimeOptions(tz=UTC, now=lambda: now)) == [micros("2026-11-21T08:59:59+00:00")]


def test_today_is_the_day_in_the_zone() -> None:
    now = datetime(2026, 11, 21, 23, 30, tzinfo=UTC).timestamp()
    found = placed(["00:30:00"], TimeOptions(tz=ZURICH, now=lambda: now))
    assert found == [micros("2026-11-22T00:30:00+01:00")]


def test_the_repeated_hour_of_autumn_goes_on() -> None:
    clocks = ["02:00:00", "02:30:00", "02:59:59", "02:00:00", "02:30:00", "03:00:00"]
    found = placed(clocks, TimeOptions(day=date(2026, 10, 25), tz=ZURICH))
    assert [(b - a) / SECOND for a, b in pairwise(found)] == [1800, 1799, 1, 1800, 1800]


def test_the_skipped_hour_of_spring_is_no_step() -> None:
    found = placed(["01:59:59", "03:00:00"], TimeOptions(day=date(2026, 3, 29), tz=ZURICH))
    assert found[1] - found[0] == SECOND


def test_a_small_step_back_is_no_midnight() -> None:
    found = placed(["12:00:10", "12:00:08"], TimeOptions(day=date(2026, 6, 1), tz=UTC))
    assert found[1] - found[0] == -2 * SECOND


def test_a_leap_second_is_the_midnight_that_follows() -> None:
    found = placed(["23:59:59", "23:59:60", "00:00:00", "00:00:01"], TimeOptions(day=date(2016, 12, 31), tz=UTC))
    assert [b - a for a, b in pairwise(found)] == [SECOND, 0, SECOND]


class TestPrintedDates:
    def test_a_date_may_be_in_another_zone_than_the_time_of_day(self) -> None:
        """As in the sample of the earlier tool: microseconds since midnight UTC beside a date at +02:00."""
        calendar = Calendar(TimeOptions())
        printed = datetime.fromisoformat("2013-08-26T16:26:51.653754+02:00")
        assert calendar.place(52_011_653_754, printed) == 1_377_527_211_653_754

    def test_midnight_comes_at_the_time_of_day_and_not_at_the_date(self) -> None:
        calendar = Calendar(TimeOptions())
        moments = ["2013-08-27T01:59:58+02:00", "2013-08-27T02:00:01+02:00"]
        found = [calendar.place(micros(text) % MICROS_PER_DAY, datetime.fromisoformat(text)) for text in moments]
        assert found == [micros(text) for text in moments]

    def test_a_date_in_whole_seconds_does_not_round_the_time_of_day(self) -> None:
        calendar = Calendar(TimeOptions())
        exact = [1_700_000_000_900_000, 1_700_000_002_100_000, 1_700_000_003_999_999]
        found = [
            calendar.place(moment % MICROS_PER_DAY, datetime.fromtimestamp(moment // SECOND, UTC)) for moment in exact
        ]
        assert [b - a for a, b in pairwise(found)] == [b - a for a, b in pairwise(exact)]

    def test_a_change_of_the_offset_is_no_step(self) -> None:
        calendar = Calendar(TimeOptions())
        clocks = [("02:59:59", "+02:00"), ("02:00:00", "+01:00"), ("02:00:01", "+01:00")]
        found = [
            calendar.place(of_day(clock), datetime.fromisoformat(f"2026-10-25T{clock}{offset}"))
            for clock, offset in clocks
        ]
        assert [b - a for a, b in pairwise(found)] == [SECOND, SECOND]

    def test_a_date_without_an_offset_passes_the_repeated_hour(self) -> None:
        calendar = Calendar(TimeOptions(tz=ZURICH))
        found = [
            calendar.place(of_day(clock), datetime.fromisoformat(f"2026-10-25T{clock}").replace(tzinfo=ZURICH))
            for clock in ("02:59:59", "02:00:00", "02:59:59", "03:00:00")
        ]
        assert [b - a for a, b in pairwise(found)] == [SECOND, 3599 * SECOND, SECOND]

    def test_a_date_without_a_time_gives_the_day(self) -> None:
        calendar = Calendar(TimeOptions(tz=UTC))
        assert calendar.place(of_day("16:00:00"), datetime(2013, 8, 27)) == micros("2013-08-27T16:00:00+00:00")

    def test_what_has_no_date_goes_on_from_what_has_one(self) -> None:
        calendar = Calendar(TimeOptions(tz=UTC))
        first = calendar.place(of_day("23:59:59"), datetime(2026, 1, 1, 23, 59, 59, tzinfo=UTC))
        assert calendar.place(of_day("00:00:01")) - first == 2 * SECOND
        assert calendar.place(of_day("12:00:00")) == micros("2026-01-02T12:00:00+00:00")


@given(st.dates(date(1971, 1, 2), date(2100, 1, 1)), st.integers(0, MICROS_PER_DAY - 1), st.integers(-43_000, 43_000))
def test_the_nearest_day_is_within_half_a_day(day: date, time_of_day: int, off: int) -> None:
    moment = epoch_of(day, time_of_day, UTC)
    assert nearest_day(time_of_day, moment / 1e6 + off, UTC) == day


def surveyed(clocks: list[int]) -> tuple[int, int]:
    return survey_midnights([Tick(Stamp(clock, Clock.DAY)) for clock in clocks])


def steady_clocks(start: int, step: int, number: int) -> list[int]:
    return [(start + place * step) % MICROS_PER_DAY for place in range(number)]


OF_DAY = st.integers(0, MICROS_PER_DAY - 1)


@given(OF_DAY, st.integers(1, MICROS_PER_DAY // 2 - 1), st.integers(1, 30))
def test_a_survey_counts_the_midnights_that_the_calendar_passes(start: int, step: int, number: int) -> None:
    clocks = steady_clocks(start, step, number)
    found = Calendar(TimeOptions(day=date(2026, 6, 1), tz=UTC))
    last = [found.place(clock) for clock in clocks][-1]
    midnights, last_of_day = surveyed(clocks)
    assert (last - last_of_day - epoch_of(date(2026, 6, 1), 0, UTC)) == midnights * MICROS_PER_DAY


@given(OF_DAY, st.integers(1, 600 * SECOND), st.integers(5, 30), st.integers(3, 27), OF_DAY)
def test_one_damaged_time_adds_no_midnight_to_a_survey(start: int, step: int, number: int, at: int, bad: int) -> None:
    clocks = steady_clocks(start, step, number)
    at = min(at, number - 2)
    since = [
        days * MICROS_PER_DAY + last for days, last in map(surveyed, ([*clocks[:at], bad, *clocks[at + 1 :]], clocks))
    ]
    assert abs(since[0] - since[1]) < MICROS_PER_DAY // 2


def test_the_last_time_of_a_survey_needs_no_trust_if_it_jumps() -> None:
    clocks = steady_clocks(of_day("23:59:57"), SECOND, 5)
    assert surveyed([*clocks, of_day("18:00:01")]) == surveyed(clocks) == (1, of_day("00:00:01"))
    assert surveyed([*clocks, of_day("18:00:01"), of_day("18:00:02")]) == (1, of_day("18:00:02"))
    assert surveyed([*clocks, of_day("18:00:01"), of_day("01:00:01"), of_day("01:00:02")]) == (2, of_day("01:00:02"))


@pytest.mark.parametrize(
    "other", [Tick(), Tick(Stamp(5)), Mark(Stamp(0, Clock.DAY), "note")], ids=["unstamped", "full stamp", "mark"]
)
def test_a_survey_passes_over_all_else(other: Event) -> None:
    assert survey_midnights([*ticks("23:00:00"), other, *ticks("23:00:01")]) == (0, of_day("23:00:01"))


@pytest.mark.parametrize(
    ("micros", "text"), [(SECOND, "9999-12-31 08:36:20"), (-MICROS_PER_DAY, "")], ids=["earlier", "no such day"]
)
def test_a_stamp_moves_with_its_date_as_far_as_calendars_go(micros: int, text: str) -> None:
    moved = earlier_stamp(Stamp(0, Clock.EPOCH, text="9999-12-31 08:36:21"), micros)
    assert (moved.micros, moved.text) == (-micros, text)


def test_one_damaged_event_of_a_trace_moves_no_day() -> None:
    samples = [Sample("read", Unit.US, 5, of_day("10:00:00") + SECOND * number, Clock.DAY) for number in range(8)]
    samples[4] = samples[4]._replace(micros=of_day("20:00:04"))
    bins = list(bin_events(samples, TimeOptions(), Report("test")))
    assert survey_midnights(bins) == (0, of_day("10:00:08"))


@pytest.mark.parametrize(
    ("first", "last", "known"),
    [("10:00:00", "11:59:00", True), ("10:00:00", "20:00:00", False), ("15:00:00", "16:00:00", True)],
)
def test_a_file_that_was_written_between_its_events_has_no_common_shift(first: str, last: str, known: bool) -> None:
    modified = micros("2026-02-27T12:00:00+00:00") / 1e6
    shift = days_before(of_day(first), of_day(last), TimeOptions(tz=UTC, modified=modified))
    assert (shift is not None) is known


@pytest.mark.parametrize("place", [1, 2, 5])
@pytest.mark.parametrize("wrong", ["20:00:01", "00:00:01", "10:30:00", "21:59:59"])
def test_a_damaged_early_time_is_not_the_last_one(place: int, wrong: str) -> None:
    clocks = steady_clocks(of_day("10:00:00"), SECOND, 8)
    clocks[place] = of_day(wrong)
    assert surveyed(clocks) == (0, of_day("10:00:07"))
