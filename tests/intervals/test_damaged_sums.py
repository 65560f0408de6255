"""Totals of times waited: a damaged one is never shown as exact, and changes nothing far from it."""

from dataclasses import replace
from typing import Any

import pytest

from pylatencymap.record import Event

# Fifty events each second, ten of them in a range without an end, and 5 s waited for them: of 3000 events and 500 s.
EVERY = 5.0
FIRST, PRINTS = 500.0, 9


def scrapes(make: Any, *sums: float | None) -> list[Event]:
    """A record each second, with these totals of times waited."""
    found: list[Event] = []
    for n, waited in enumerate(sums):
        counted = make.counter(make.at(n), 1, line=n + 1)
        ranges = ((0, 5_000, 2400 + 40 * n), (5_000, None, 600 + 10 * n))
        found.append(replace(counted, ranges=ranges, waited=waited))
    return found


def true_sums() -> list[float | None]:
    return [FIRST + EVERY * n for n in range(PRINTS)]


def lost_digit(total: float) -> float:
    return float(str(int(total))[1:])


def doubled_digit(total: float) -> float:
    return float(f"{int(total)}"[0] + f"{int(total)}")


DAMAGES = (
    lost_digit,
    doubled_digit,
    lambda n: n + 400,
    lambda n: n // 10,
    lambda _: 520_000.0,
    lambda n: n - 7 if n > FIRST else n - 300,
    lambda _: 0.0,
)


@pytest.mark.parametrize("live", [False, True])
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("place", range(PRINTS))
def test_a_damaged_sum_is_estimated_and_no_other_changes(
    place: int, damage: Any, live: bool, make: Any, engine: Any
) -> None:
    sums = true_sums()
    sums[place] = damage(sums[place])
    found = engine(scrapes(make, *sums), live=live)
    assert [one.events for one in found.intervals] == [50] * (PRINTS - 1)
    assert not any(one.reset or one.gap or one.doubtful for one in found.intervals)
    for n, one in enumerate(found.intervals):
        if not one.estimated:
            assert one.waited == pytest.approx(EVERY)
        elif live:
            assert n in {place - 1, place, place + 1}
        else:
            assert n in {place - 1, place}
    assert any(one.estimated for one in found.intervals)
    (said,) = found.said
    assert "such times are replaced by estimates" in said


@pytest.mark.parametrize("live", [False, True])
def test_long_latencies_are_exact_once_a_later_total_confirms_them(live: bool, make: Any, engine: Any) -> None:
    sums = true_sums()
    for n in range(4, PRINTS):
        sums[n] = (sums[n] or 0) + 600
    found = engine(scrapes(make, *sums), live=live)
    assert [one.waited for one in found.intervals] == [5, 5, 5, 605, 5, 5, 5, 5]
    assert not any(one.estimated for one in found.intervals)
    assert not found.said


@pytest.mark.parametrize("live", [False, True])
def test_a_last_total_that_leaps_is_no_exact_one(live: bool, make: Any, engine: Any) -> None:
    found = engine(scrapes(make, *true_sums()[:-1], 4944.0), live=live)
    assert [one.estimated for one in found.intervals] == [False] * 7 + [True]


@pytest.mark.parametrize("live", [False, True])
def test_a_total_that_is_missing_costs_its_own_times(live: bool, make: Any, engine: Any) -> None:
    sums = true_sums()
    sums[4] = None
    found = engine(scrapes(make, *sums), live=live)
    assert [one.estimated for one in found.intervals] == [False] * 3 + [True] * 2 + [False] * 3
    assert not found.said


@pytest.mark.parametrize("live", [False, True])
def test_a_restart_that_the_counts_show_begins_the_sum_again(live: bool, make: Any, engine: Any) -> None:
    before, after = scrapes(make, *true_sums()[:4]), scrapes(make, *[None] * 7)[4:]
    again = [
        replace(one, ranges=((0, 5_000, 40 * n), (5_000, None, 10 * n)), waited=EVERY * n)
        for n, one in enumerate(after, start=1)
    ]
    found = engine([*before, *again], live=live)
    assert [one.waited for one in found.intervals] == [pytest.approx(5)] * 6
    assert [one.reset for one in found.intervals] == [False] * 3 + [True] + [False] * 2
    assert not any(one.estimated for one in found.intervals)


def test_two_damaged_totals_in_a_row_cost_two(make: Any, engine: Any) -> None:
    sums = true_sums()
    sums[3], sums[4] = 51.0, 52.0
    for live in (False, True):
        found = engine(scrapes(make, *sums), live=live)
        assert not any(one.reset for one in found.intervals)
        exact = [one.waited for one in found.intervals if not one.estimated]
        assert exact == [pytest.approx(5)] * len(exact)
        assert len(exact) >= 5
