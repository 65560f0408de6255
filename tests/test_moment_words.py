"""Moments and spans of time in sentences."""

from pylatencymap.moment_text import TimeWords
from pylatencymap.text import zone_named
from tests.findings.data import BEGIN, UTC

DAY = 86_400_000_000
MINUTE = 60_000_000
BERLIN = zone_named("Europe/Berlin")
BACK = 1_792_890_000_000_000
"""Here 03:00 CEST becomes 02:00 CET."""


def test_moments_have_a_date_where_there_is_more_than_one() -> None:
    day, days = TimeWords(BEGIN, BEGIN + DAY, UTC), TimeWords(BEGIN, BEGIN + 3 * DAY, UTC)
    at = BEGIN + 192 * MINUTE
    assert (day.moment(at), days.moment(at)) == ("03:12:00", "03-02 03:12:00")
    assert days.span(at, at + 20 * MINUTE) == "03-02 03:12-03:32"
    assert days.span(at + DAY - 200 * MINUTE, at + DAY) == "03-02 23:52 to 03-03 03:12"


def test_seconds_are_told_where_they_are_known_and_matter() -> None:
    times = TimeWords(BEGIN, BEGIN + DAY, UTC)
    assert times.span(BEGIN + 7_000_000, BEGIN + 12_000_000) == "00:00:07-00:00:12"
    assert times.span(BEGIN + 7_000_000, BEGIN + 30 * MINUTE) == "00:00-00:30"
    assert TimeWords(BEGIN, BEGIN + DAY, UTC, width=60.0).moment(BEGIN + 7_000_000) == "00:00"


def test_times_are_those_of_the_zone() -> None:
    times = TimeWords(BEGIN, BEGIN + MINUTE, zone_named("Asia/Tokyo"))
    assert times.whole() == "2026-03-02 09:00:00 to 09:01:00 JST"
    assert times.iso(BEGIN) == "2026-03-02T09:00:00+09:00"
    assert TimeWords(BEGIN, BEGIN + MINUTE, UTC, clock=False).whole() == ""


def test_both_zones_are_named_where_clocks_were_changed_meanwhile() -> None:
    """Else 02:00 to 04:00 CET would be two hours, and is three."""
    berlin, hour = zone_named("Europe/Berlin"), 60 * MINUTE
    autumn, spring = 1_792_886_400_000_000, 1_774_738_800_000_000
    assert TimeWords(autumn, autumn + 3 * hour, berlin).whole() == "2026-10-25 02:00:00 CEST to 04:00:00 CET"
    assert TimeWords(spring, spring + 2 * hour, berlin).whole() == "2026-03-29 00:00:00 CET to 03:00:00 CEST"
    assert TimeWords(autumn + hour, autumn + 2 * hour, berlin).whole() == "2026-10-25 02:00:00 to 03:00:00 CET"


def test_lengths_are_kept_where_both_ends_are_between_two_seconds() -> None:
    for begin in range(1, 60):
        times = TimeWords(BEGIN, BEGIN + DAY, UTC)
        first, last = (BEGIN + second * 1_000_000 + 500_000 for second in (begin, begin + 3))
        words = times.span(first, last)
        begun, ended = (
            sum(int(part) * unit for part, unit in zip(word.split(":"), (3600, 60, 1), strict=True))
            for word in words.split("-")
        )
        assert ended - begun == 3


def test_the_zone_is_named_in_the_hour_that_comes_twice_and_in_no_other() -> None:
    times = TimeWords(BACK - 90 * MINUTE, BACK + 90 * MINUTE, BERLIN)
    ends = (-80, -70), (-70, -50), (-50, -40), (-40, 20), (20, 30), (50, 70), (70, 80)
    assert [times.span(BACK + begin * MINUTE, BACK + end * MINUTE) for begin, end in ends] == [
        "01:40-01:50",
        "01:50-02:10 CEST",
        "02:10-02:20 CEST",
        "02:20 CEST-02:20 CET",
        "02:20-02:30 CET",
        "02:50 CET-03:10",
        "03:10-03:20",
    ]
    moments = [times.moment(BACK + minutes * MINUTE) for minutes in (-61, -60, -1, 0, 59, 60)]
    assert moments == ["01:59:00", "02:00:00 CEST", "02:59:00 CEST", "02:00:00 CET", "02:59:00 CET", "03:00:00"]
    spring = TimeWords(1_774_738_800_000_000, 1_774_746_000_000_000, BERLIN)
    assert spring.span(spring.begin + 59 * MINUTE, spring.begin + 61 * MINUTE) == "00:59-01:01"
