"""Rounds of prints by series with stamps of their own."""

from pylatencymap.record import Record, Semantics, Stamp
from pylatencymap.text.common_stamps import CommonStamps
from pylatencymap.units import Unit


def placed(*prints: tuple[str, int]) -> list[int]:
    rounds = CommonStamps()
    records = (Record(series, Unit.US, (), Semantics.INTERVAL, Stamp(milli * 1000)) for series, milli in prints)
    stamps = [rounds.placed(record).stamp for record in records]
    return [stamp.micros // 1000 for stamp in stamps if stamp]


def test_series_that_are_printed_together_have_one_moment() -> None:
    assert placed(("a", 1000), ("b", 1003), ("c", 990), ("a", 2000), ("c", 1998)) == [1000, 1000, 1000, 2000, 2000]


def test_a_later_print_and_a_series_that_comes_again_begin_a_round() -> None:
    assert placed(("a", 1000), ("b", 1500), ("b", 1505), ("a", 1000)) == [1000, 1500, 1505, 1505]
    assert placed(("a", 1000), ("a", 900), ("b", 890)) == [1000, 900, 900]
