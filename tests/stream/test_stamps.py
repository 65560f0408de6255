"""The timestamp line."""

import pytest

from pylatencymap.record import Clock, Stamp
from pylatencymap.stream.stamps import clock_flags, flagged, read_stamp, stamp_text


@pytest.mark.parametrize(
    ("text", "micros", "clock"),
    [
        ("microsec, 1426358407973575, Sat Mar 14 19:40:07 2015 CET", 1426358407973575, Clock.EPOCH),
        ("microsec,52011653754,26-AUG-13 04.26.51.653754 PM +02:00", 52011653754, Clock.DAY),
        ("microsec,1006592395604,2013 Aug 27 10:54:53", 1006592395604, Clock.FREE),
        ("microsec,52011653754.999,x", 52011653754, Clock.DAY),
        ("microsec,.5,x", 0, Clock.DAY),
        ("MICROSEC,0", 0, Clock.DAY),
        ("sec,1700000000.123456,x", 1700000000123456, Clock.EPOCH),
        ("sec,1700000000", 1700000000000000, Clock.EPOCH),
        ("millisec,1700000000123.4567,x", 1700000000123456, Clock.EPOCH),
        ("nanosec,1700000000123456789,x", 1700000000123456, Clock.EPOCH),
        ("microsec,86399999999,", 86399999999, Clock.DAY),
        ("microsec,86400000000,", 86400000000, Clock.FREE),
    ],
)
def test_numbers_tell_their_clock(text: str, micros: int, clock: Clock) -> None:
    assert read_stamp(text) == Stamp(micros, clock)


def test_free_text_may_hold_commas_and_is_cleaned() -> None:
    assert read_stamp("microsec, 0, 26-AUG-13 04,5\x1b[31m ").text == "26-AUG-13 04,5\\x1b[31m"


def test_only_seconds_without_a_fraction_are_whole() -> None:
    assert read_stamp("sec,1700000000,x").whole
    assert not read_stamp("sec,1700000000.5,x").whole
    assert not read_stamp("microsec,1700000000000000,x").whole


@pytest.mark.parametrize(
    "text",
    ["microsec,-5,x", "fortnight,5,x", "microsec,,x", "microsec,1e15,x", "microsec", "microsec,999999999999999999"],
)
def test_no_stamp(text: str) -> None:
    with pytest.raises(ValueError, match="time stamp"):
        read_stamp(text)


@pytest.mark.parametrize(
    ("stamp", "flags"),
    [
        (Stamp(1426358407973575), frozenset()),
        (Stamp(5_000_000), {"epoch"}),
        (Stamp(5_000_000, Clock.COUNTED), {"no-clock"}),
    ],
)
def test_flags_say_what_the_size_does_not(stamp: Stamp, flags: set[str]) -> None:
    assert clock_flags(stamp) == flags
    assert flagged(read_stamp(stamp_text(stamp)), clock_flags(stamp)) == stamp


def test_a_date_is_written_without_commas() -> None:
    assert stamp_text(Stamp(1426358407973575)) == "microsec,1426358407973575,2015-03-14 18:40:07.973575 +00:00"
    assert stamp_text(Stamp(1426358407973575, text="14 Mar, 19:40")) == "microsec,1426358407973575,14 Mar. 19:40"
    assert stamp_text(Stamp(0, Clock.COUNTED)) == "microsec,0,no clock"
