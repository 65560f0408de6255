"""``--from`` and ``--to``: what moments mean, and what is shown of the time between."""

from dataclasses import replace
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

import pytest

from pylatencymap.errors import UsageError
from pylatencymap.interval import Interval
from pylatencymap.session.input.excerpt import Excerpt, cut, limited, newest, parse_moment
from pylatencymap.units import Unit

SECOND = 1_000_000
HOUR = 3600
MIDNIGHT = 1_795_305_600
"""2026-11-22 00:00 UTC."""


def bounds(
    since: str, until: str, begin: int | None = None, tz: str = "UTC", now: float = 19.0
) -> tuple[float | None, float | None]:
    """Both ends, in hours since midnight."""
    words = [parse_moment(one) if one else None for one in (since, until)]
    zone = timezone.utc if tz == "UTC" else ZoneInfo(tz)
    found = Excerpt(words[0], words[1], zone, MIDNIGHT + now * HOUR).bounds(None if begin is None else begin * SECOND)
    first, last = (None if one is None else (one / SECOND - MIDNIGHT) / HOUR for one in found)
    return first, last


@pytest.mark.parametrize(
    ("since", "until", "expected"),
    [
        ("2026-11-22 14:00", "", (14, None)),
        ("2026-11-22T14:00:00+01:00", "2026-11-22T14:00Z", (13, 14)),
        ("2026-11-22", "2026-11-23", (0, 24)),
        ("14:00", "14:30", (14, 14.5)),
        ("14:00", "13:00", (14, 37)),
        ("20:00", "", (-4, None)),
        ("19:00", "", (19, None)),
        ("", "18:00", (None, 18)),
        ("-2h", "-30min", (17, 18.5)),
        ("now-2h", "now", (17, 19)),
        ("Now - 90m", "now-30min", (17.5, 18.5)),
        ("-1d", "+90m", (-5, -3.5)),
        ("14:00", "2026-11-20 15:00", (-34, -33)),
        ("2026-11-20 14:00", "15:00", (-34, -33)),
        ("20:00", "-1h", (-4, 18)),
        (str(MIDNIGHT), str(MIDNIGHT + HOUR), (0, 1)),
    ],
)
def test_moments_of_a_folder(since: str, until: str, expected: tuple[float | None, float | None]) -> None:
    assert bounds(since, until) == expected


@pytest.mark.parametrize(
    ("since", "until", "begin", "expected"),
    [
        ("14:00", "", -48, (-34, None)),
        ("14:00", "", -33.5, (-34, None)),
        ("00:10", "", -24.25, (-24 + 1 / 6, None)),
        ("14:00", "15:00", -48, (-34, -33)),
        ("", "15:00", -48, (None, -33)),
        ("23:00", "01:00", -48, (-25, -23)),
    ],
)
def test_a_time_of_day_is_of_the_day_on_which_a_file_begins(
    since: str, until: str, begin: float, expected: tuple[float | None, float | None]
) -> None:
    assert bounds(since, until, round(MIDNIGHT + begin * HOUR)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("now", "expected"),
    [(0.2, (-0.5, 0.5)), (0.6, (-0.5, 0.5)), (19, (-0.5, 0.5)), (23.4, (-0.5, 0.5)), (23.6, (23.5, 24.5))],
)
def test_times_of_day_across_midnight_are_those_of_the_last_night(now: float, expected: tuple[float, float]) -> None:
    assert bounds("23:30", "00:30", now=now) == expected


def test_moments_are_in_the_zone_of_the_user() -> None:
    assert bounds("2026-11-22 14:00", "15:00", tz="Europe/Zurich") == (13, 14)
    assert bounds("2026-10-25 02:30", "2026-10-25 03:30", tz="Europe/Zurich") == (-28 * 24 + 0.5, -28 * 24 + 2.5)
    first, last = bounds("2026-03-29 02:30", "2026-03-29 03:30", tz="Europe/Zurich")  # at 02:00 clocks show 03:00
    assert first is not None
    assert last is not None
    assert last - first == 0.5


@pytest.mark.parametrize(
    "text",
    ["", "yesterday", "25:00", "12:61", "-2", "-2y", "0001-01-01", "1e9", "12", "9999-12-31", "nowhere", "now+1h"],
)
def test_what_is_no_moment_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"write 2026-11-22 14:00|there is no|^12|^'12"):
        parse_moment(text)


def test_contradictions_are_refused() -> None:
    with pytest.raises(UsageError, match="--from -1h is not before --to -2h"):
        bounds("-1h", "-2h")
    with pytest.raises(UsageError, match="counts from --from"):
        bounds("", "+2h")


def test_offsets_count_from_the_beginning_of_the_data_or_from_the_other_end() -> None:
    """So a part of data without a clock can be named."""
    begin = 7 * SECOND
    for first, last, wanted in (
        ("+5s", "", (12, None)),
        ("", "+20s", (None, 27)),
        ("+5s", "+20s", (12, 32)),
        ("+0s", "+20s", (7, 27)),
    ):
        words = (parse_moment(text) if text else None for text in (first, last))
        found = Excerpt(*words, timezone.utc, 0.0).bounds(begin)
        assert found == tuple(None if one is None else one * SECOND for one in wanted)


def interval(start: int, end: int, *, gap: bool = False) -> Interval:
    return Interval("a", Unit.US, start * SECOND, end * SECOND, float(end - start), gap=gap)


def test_intervals_are_chosen_by_their_ends_and_gaps_are_cut() -> None:
    found = [interval(0, 10), interval(10, 20), interval(20, 50, gap=True), interval(50, 60), interval(60, 70)]
    told: list[tuple[int, int]] = []

    def within(first: int | None, last: int | None) -> list[tuple[int, int, float]]:
        ends = tuple(None if one is None else one * SECOND for one in (first, last))
        cut_out = cut(found, (ends[0], ends[1]), lambda *span: told.append(span))
        return [(one.start // SECOND, one.end // SECOND, one.seconds) for one in cut_out]

    assert within(10, 40) == [(10, 20, 10), (20, 40, 20)]
    assert within(5, 55) == [(0, 10, 10), (10, 20, 10), (20, 50, 30)]
    assert within(30, None) == [(30, 50, 20), (50, 60, 10), (60, 70, 10)]
    assert within(None, 10) == [(0, 10, 10)]
    assert told == []
    assert within(80, 90) == []
    assert told == [(0, 70 * SECOND)]


def test_limits_count_from_the_begin_of_the_excerpt() -> None:
    found = [interval(at, at + 10) for at in range(100, 200, 10)]
    assert len(list(limited(found, 3, None))) == 3
    assert len(list(limited(found, None, 44.0))) == 4
    assert len(list(limited(found, None, None))) == 10


@pytest.mark.parametrize(
    ("since", "until", "begin", "end", "said"),
    [
        (
            "15:00",
            "14:00",
            10,
            16,
            "14:00 is not after 15:00, so it was taken to be of the next day, 2026-11-23 14:00:00",
        ),
        ("11:00", "11:00", 10, 16, "the recording ends 2026-11-22 16:00:00"),
        ("23:30", "00:30", 22, 24, "the recording ends 2026-11-23 00:00:00"),
        ("23:30", "00:30", 22, 24.1, ""),
        ("14:00", "15:00", 10, 16, ""),
        ("14:00", "", 10, 16, ""),
    ],
)
def test_a_range_that_would_go_on_where_the_recording_has_ended_is_told(
    since: str, until: str, begin: float, end: float, said: str
) -> None:
    first, last = (parse_moment(text) if text else None for text in (since, until))
    excerpt = Excerpt(first, last, timezone.utc, MIDNIGHT)
    begun, ended = (round(MIDNIGHT + one * HOUR) * SECOND for one in (begin, end))
    found = excerpt.doubt(excerpt.bounds(begun), ended)
    assert (said in found) if said else (found == "")


def _second(number: int) -> Interval:
    """The second that ends at ``number``."""
    end = number * SECOND
    return Interval("a", Unit.US, end - SECOND, end, 1.0, ((128, 256, 1),), 0.1)


def test_the_newest_seconds() -> None:
    intervals = [_second(number) for number in range(100)]
    found, bounds = newest(intervals, 10)
    kept = list(found)
    assert [one.end // 1_000_000 for one in kept] == list(range(90, 100))
    assert bounds == (89_000_000, 99_000_000)
    nothing, none = newest([], 10)
    assert (list(nothing), none) == ([], (None, None))


def test_a_gap_reaches_into_the_newest_seconds() -> None:
    intervals = [_second(1), replace(_second(50), start=1_000_000, seconds=49.0, gap=True, ranges=()), _second(51)]
    found, _ = newest(intervals, 10)
    assert [(one.start, one.end) for one in found] == [(41_000_000, 50_000_000), (50_000_000, 51_000_000)]


def test_a_day_without_a_year_is_the_one_nearest_to_the_recording() -> None:
    assert bounds("11-22 14:00", "Sun 11-22 15:00:00 UTC", begin=MIDNIGHT) == (14, 15)
    assert bounds("11-21", "11-23", begin=MIDNIGHT) == (-24, 24)
    assert bounds("11-22 14:00", "", begin=MIDNIGHT - 200 * 24 * HOUR) == (14 - 365 * 24, None)
    assert bounds("01-01", "", begin=MIDNIGHT) == (40 * 24, None)
    assert bounds("11-22 14:00", "15:00", begin=MIDNIGHT) == (14, 15)
    assert bounds("13:00", "11-22 14:00", begin=MIDNIGHT) == (13, 14)
    assert bounds("11-22 14:00", "") == (14, None)  # of a folder, nearest to now
    assert parse_moment("02-29").day is not None
    with pytest.raises(ValueError, match="there is no 02-30 in a calendar"):
        parse_moment("02-30")


def test_the_29th_of_february_is_in_a_leap_year() -> None:
    first, _ = bounds("02-29", "", begin=MIDNIGHT)
    assert first == (datetime(2028, 2, 29, tzinfo=timezone.utc).timestamp() - MIDNIGHT) / HOUR
