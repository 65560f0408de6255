"""Free-text dates beside stamps."""

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given, strategies as st

from pylatencymap.text.dates import parse_date


def zone(hours: float) -> timezone:
    return timezone(timedelta(hours=hours))


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("26-AUG-13 04.26.51.653754 PM +02:00", datetime(2013, 8, 26, 16, 26, 51, 653754, zone(2))),
        ("26-AUG-13 04.26.51,653754 PM +02:00", datetime(2013, 8, 26, 16, 26, 51, 653754, zone(2))),
        ("26-AUG-13 12.26.51.000001 AM", datetime(2013, 8, 26, 0, 26, 51, 1)),
        ("26-AUG-99", datetime(1999, 8, 26)),
        ("01-SEP-2025 16.55.27", datetime(2025, 9, 1, 16, 55, 27)),
        ("Sat Mar 14 19:40:07 2015 CET", datetime(2015, 3, 14, 19, 40, 7)),
        ("Sat Mar 14 00:00:0 2015 CET", datetime(2015, 3, 14)),
        ("Sat Mar  4 19:40:07 UTC 2015", datetime(2015, 3, 4, 19, 40, 7, tzinfo=timezone.utc)),
        ("2015-03-14 19:40:07", datetime(2015, 3, 14, 19, 40, 7)),
        ("2015-03-14", datetime(2015, 3, 14)),
        ("2015-03-14T19:40:07.25Z", datetime(2015, 3, 14, 19, 40, 7, 250000, timezone.utc)),
        ("2015-03-14 19:40:07.123456789 -0330", datetime(2015, 3, 14, 19, 40, 7, 123456, zone(-3.5))),
        ("  2013 Aug 27 10:54:53 ", datetime(2013, 8, 27, 10, 54, 53)),
    ],
)
def test_understands_what_earlier_tools_print(text: str, moment: datetime) -> None:
    parsed = parse_date(text)
    assert parsed == moment
    assert parsed is not None
    assert parsed.utcoffset() == moment.utcoffset()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "19:40:07",
        "2015-02-30",
        "2015-03-14 25:00:00",
        "2014-05-13 1999",
        "26-AUG-13 14.00.00 PM",
        "26-XYZ-13",
        "2015-03-14 10:00 +99:00",
        "interval 17",
        "Sat Mar 14 2015",
        "2015-03-14 19:40:07 and more",
        "\u0662\u0660\u0661\u0665-03-14",
    ],
)
def test_anything_else_is_none(text: str) -> None:
    assert parse_date(text) is None


@given(st.datetimes(timezones=st.sampled_from([timezone.utc, zone(2), zone(-5.5)]), min_value=datetime(1000, 1, 1)))
def test_iso_round_trip(moment: datetime) -> None:
    assert parse_date(moment.isoformat(" ")) == moment


@given(st.text(max_size=60))
def test_never_raises(text: str) -> None:
    parse_date(text)
