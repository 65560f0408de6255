"""Lines that hold a moment and nothing else."""

import pytest

from pylatencymap.record import Clock, Stamp
from pylatencymap.text.moment_lines import moment_of

HOUR = 3_600_000_000
TEN = 10 * HOUR


@pytest.mark.parametrize(
    ("line", "stamp", "whole", "text"),
    [
        ("10:00:00", Stamp(TEN, Clock.DAY), True, ""),
        ("=== 10:00:00 ===", Stamp(TEN, Clock.DAY), True, ""),
        ("[10:00:00]:", Stamp(TEN, Clock.DAY), True, ""),
        ("10:00:00 AM", Stamp(TEN, Clock.DAY), True, ""),
        ("=== 10:00:00 PM ===", Stamp(TEN + 12 * HOUR, Clock.DAY), True, ""),
        ("12:00:01 AM", Stamp(1_000_000, Clock.DAY), True, ""),
        ("12:00:00.5 pm", Stamp(12 * HOUR + 500_000, Clock.DAY), False, ""),
        ("2026-11-21 10:00:00 PM", Stamp(TEN + 12 * HOUR, Clock.DAY), True, "2026-11-21 10:00:00 PM"),
        ("Sat 21 Nov 2026 10:00:00 AM", Stamp(TEN, Clock.DAY), True, "Sat 21 Nov 2026 10:00:00 AM"),
        ("Time: 10:00:00.5", Stamp(TEN + 500_000, Clock.DAY), False, ""),
        ("  2026-11-21 10:00:00  ", Stamp(TEN, Clock.DAY), True, "2026-11-21 10:00:00"),
        ("2013 Aug 27 10:00:00", Stamp(TEN, Clock.DAY), True, "2013 Aug 27 10:00:00"),
        ("Sat Mar 14 10:00:00 2015", Stamp(TEN, Clock.DAY), True, "Sat Mar 14 10:00:00 2015"),
        ("2023-11-14 22:13:20 +00:00", Stamp(1_700_000_000_000_000), True, "2023-11-14 22:13:20 +00:00"),
        ("2023-11-14 23:13:20.25 +01:00", Stamp(1_700_000_000_250_000), False, "2023-11-14 23:13:20.25 +01:00"),
        ("1700000000", Stamp(1_700_000_000_000_000), True, ""),
        ("1700000000.25", Stamp(1_700_000_000_250_000), False, ""),
        ("1700000000123", Stamp(1_700_000_000_123_000), False, ""),
        ("1700000000123456", Stamp(1_700_000_000_123_456), False, ""),
        ("1700000000123456789", Stamp(1_700_000_000_123_456), False, ""),
    ],
)
def test_moments(line: str, stamp: Stamp, whole: bool, text: str) -> None:
    found = moment_of(line)
    assert found is not None
    assert (found.micros, found.clock) == (stamp.micros, stamp.clock)
    assert (found.whole, found.text) == (whole, text)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "sda1",
        "12.5.1",
        "timer 3",
        "2026-11-21",
        "10:00",
        "25:00:00",
        "13:00:00 PM",
        "00:00:00 AM",
        "123",
        "9999999999",
        "  1700000000",
        "1" * 5000,
    ],
)
def test_what_is_none(line: str) -> None:
    assert moment_of(line) is None
