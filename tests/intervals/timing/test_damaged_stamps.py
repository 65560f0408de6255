"""Stamps that jump: damage, a clock that was set, or a silence."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pylatencymap.record import DOUBTFUL, Event, Record

YEAR = 365 * 86400.0


def totals(make: Any, seconds: list[float], whole: bool = False) -> list[Event]:
    """A record of totals at each moment; each second brings ten events."""
    return [make.counter(make.at(at, whole=whole), 10 * n + 5, line=n + 1) for n, at in enumerate(seconds)]


@pytest.mark.parametrize("wrong", [-YEAR, -4.0, 0.5, 2.0, 86400.0, YEAR])
@pytest.mark.parametrize("place", [1, 3, 6])
def test_totals_with_a_damaged_stamp_are_dropped_and_nothing_moves(
    wrong: float, place: int, make: Any, engine: Any
) -> None:
    moments = [float(n) for n in range(9)]
    moments[place] += wrong
    found = engine(totals(make, moments))
    if 0 < wrong < 1:  # it lies between its neighbours: no one can know
        assert sum(one.events for one in found.intervals) == 80
        return
    ends = [float(n) for n in range(1, 9) if n != place]
    assert found.ends == ends
    assert [one.events for one in found.intervals] == [20 if end == place + 1 else 10 for end in ends]
    assert found.gaps == []
    assert [said.split(":")[1] for said in found.said] == [str(place + 1)]


@pytest.mark.parametrize("wrong", [-4.0, 86400.0])
def test_counts_per_interval_stay_one_interval_later_and_are_doubtful(wrong: float, make: Any, engine: Any) -> None:
    moments = [float(n) for n in range(9)]
    moments[4] += wrong
    found = engine([make.counted(make.at(at), n + 1, line=n + 1) for n, at in enumerate(moments)])
    assert found.ends == [float(n) for n in range(9)]
    assert [one.events for one in found.intervals] == list(range(1, 10))
    assert [one.doubtful for one in found.intervals] == [n == 4 for n in range(9)]


@pytest.mark.parametrize("wrong", ["2046-11-21", "2026-12-21", "1926-11-21"])
def test_a_damaged_date_costs_what_a_damaged_stamp_costs(wrong: str, make: Any, engine: Any) -> None:
    dates = ["2026-11-21"] * 8
    dates[4] = wrong
    stamps = [make.day(f"08:11:{10 + n}", text=f"{day} 08:11:{10 + n}") for n, day in enumerate(dates)]
    found = engine([make.counted(stamp, n + 1, line=n + 1) for n, stamp in enumerate(stamps)])
    assert [later - before for before, later in pairwise(found.ends)] == [1.0] * 7
    assert [one.events for one in found.intervals] == list(range(1, 9))
    assert [one.doubtful for one in found.intervals] == [n == 4 for n in range(8)]


def test_a_damaged_stamp_that_a_later_record_has_moves_nothing_of_that_one(make: Any, engine: Any) -> None:
    ends = [1.0, 2.0, 3.0, 9.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]
    starts = [make.at(max(end - 1, 0)).micros for end in (1, 2, 3, 9, 5, 6, 7, 8, 9, 10)]
    found = engine(
        [
            make.counted(make.at(end), n + 1, line=n + 1, start=start)
            for n, (end, start) in enumerate(zip(ends, starts, strict=True))
        ]
    )
    assert [(one.start, one.end) for one in found.intervals if not one.gap][-1] == (
        make.at(9.0).micros,
        make.at(10.0).micros,
    )


def test_the_first_stamp_can_be_the_damaged_one(make: Any, engine: Any) -> None:
    found = engine(totals(make, [86400.0, 1.0, 2.0, 3.0]))
    assert found.ends == [2.0, 3.0]


def test_two_in_a_row_cost_two(make: Any, engine: Any) -> None:
    found = engine(totals(make, [0, 1, 2, 90000, -500, 5, 6, 7]))
    assert found.ends == [1, 2, 5, 6, 7]
    assert found.gaps == []
    assert [one.events for one in found.intervals] == [10, 10, 30, 10, 10]
    assert found.seconds == [1, 1, 3, 1, 1]


def test_a_record_without_a_stamp_among_others_is_placed_between_them(make: Any, engine: Any) -> None:
    records = [make.counter(make.at(n) if n != 4 else None, 10 * n + 5, line=n) for n in range(8)]
    found = engine(records)
    assert found.ends == [1, 2, 3, 4, 5, 6, 7]
    assert found.seconds == [1] * 7
    assert [one.events for one in found.intervals] == [10] * 7
    assert [one.doubtful for one in found.intervals] == [end == 4 for end in found.ends]


def test_records_without_a_stamp_are_evenly_spaced(make: Any, engine: Any) -> None:
    records = [make.counter(make.at(10 * n) if n not in (3, 4) else None, 10 * n + 5, line=n) for n in range(8)]
    assert engine(records).ends == [10, 20, 30, 40, 50, 60, 70]


@pytest.mark.parametrize("wrong", [86400.0, -3600.0, 251_702_000_000.0])
def test_every_second_stamp_damaged_alike_costs_only_those(wrong: float, make: Any, engine: Any) -> None:
    found = engine(totals(make, [0.0, 1.0, 2.0 + wrong, 3.0, 4.0 + wrong, 5.0]))
    assert found.ends == [1, 3, 5]
    assert [one.events for one in found.intervals] == [10, 20, 20]
    assert [said.split(":")[1] for said in found.said] == ["3", "5"]


def test_two_ahead_in_a_row_cost_two_and_do_not_move_the_axis(make: Any, engine: Any) -> None:
    found = engine(totals(make, [0, 1, 2, 3003, 3004, 5, 6, 7]))
    assert found.ends == [1, 2, 5, 6, 7]


def test_a_silence_is_one_if_the_next_stamp_continues_from_it(make: Any, engine: Any) -> None:
    found = engine(totals(make, [0, 1, 2, 50, 51, 52]))
    assert found.ends == [1, 2, 50, 51, 52]
    assert found.gaps == [(2, 49)]
    assert found.said == []


def test_irregular_stamps_in_order_are_no_damage(make: Any, engine: Any) -> None:
    moments = [0.0, 1.0, 2.0, 10.0, 31.0, 90.0, 91.0, 400.0, 2000.0, 2001.0]
    found = engine(totals(make, moments))
    assert found.ends == moments[1:]
    assert found.said == []


def test_a_clock_that_was_set_back_goes_on_and_is_forgiven(make: Any, engine: Any) -> None:
    found = engine(totals(make, [0, 1, 2, 3, -10, -9, -8, 7, 8, 9]))
    assert found.ends == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert found.gaps == []


def test_at_the_end_a_stamp_that_jumps_is_doubtful(make: Any, engine: Any) -> None:
    found = engine(totals(make, [0, 1, 2, 3, 4000]))
    assert [one.doubtful for one in found.intervals if not one.gap] == [False, False, False, True]


def test_live_the_arrival_is_used_at_once(make: Any, engine: Any) -> None:
    moments = [0.0, 1.0, 2.0, 86403.0, 4.0, 5.0]
    events = make.prints([make.at(at) for at in moments], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    found = engine(events, live=True)
    assert found.ends == [0, 1, 2, 3, 4, 5]
    assert [DOUBTFUL in one.flags for one in found.events if isinstance(one, Record)] == [n == 3 for n in range(6)]


@given(
    steps=st.lists(st.integers(1, 20), min_size=6, max_size=15),
    place=st.integers(0, 14),
    wrong=st.integers(-10_000_000, 10_000_000),
)
def test_one_damaged_stamp_changes_only_what_is_beside_it(
    steps: list[int], place: int, wrong: int, make: Any, engine: Any
) -> None:
    usual = 10.0
    moments = [0.0]
    for step in steps:
        moments.append(moments[-1] + usual + step / 10)
    place = min(place, len(moments) - 3)
    good = {(one.end, one.events) for one in engine(totals(make, moments)).intervals if not one.gap}
    near = {moments[number] for number in range(max(place - 1, 0), min(place + 3, len(moments)))}
    moments[place] += wrong / 10
    bad = {(one.end, one.events) for one in engine(totals(make, moments)).intervals if not one.gap}
    assert {one for one in good - bad if one[0] not in {make.at(at).micros for at in near}} == set()
