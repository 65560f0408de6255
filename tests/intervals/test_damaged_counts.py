"""Totals: by how much each range has grown, and which records are damaged."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pylatencymap.intervals.difference import NextPulse, Pulse, to_intervals
from pylatencymap.intervals.totals.running_totals import RunningTotals, SplitRanges
from pylatencymap.record import Bound, Event, Range
from pylatencymap.report import Report
from pylatencymap.units import Unit

COUNTS = st.dictionaries(st.integers(0, 4), st.integers(0, 9), max_size=5)


def ranges(counts: dict[int, int]) -> tuple[Range, ...]:
    return tuple((1 << k, None if k == 4 else 2 << k, count) for k, count in sorted(counts.items()))


@given(COUNTS, st.lists(COUNTS, max_size=6))
def test_a_range_grows_from_its_last_total_however_long_ago_that_was(
    first: dict[int, int], later: list[dict[int, int]]
) -> None:
    totals, last = RunningTotals(SplitRanges.of(ranges(first))), dict(first)
    for counts in later:
        now = SplitRanges.of(ranges(counts))
        wanted: list[Bound] = [counts[k] - last.get(k, 0) for k in sorted(counts)]
        assert totals.growth(now) == wanted
        assert now.ranges(wanted) == ranges(
            {k: counts[k] - last.get(k, 0) for k in counts if counts[k] != last.get(k, 0)}
        )
        totals = totals.then(now)
        last.update(counts)


# Times waited that fall.


def with_sums(make: Any, *prints: tuple[int, int, float]) -> list[Event]:
    """A record each second: counts of [1, 2) and [2, 4) us, and microseconds waited."""
    return [
        make.counter(make.at(n), 0, one, two, waited=micros / 1e6, line=n + 1)
        for n, (one, two, micros) in enumerate(prints)
    ]


def test_a_time_waited_that_falls_shows_a_restart_that_the_counts_do_not_show(make: Any, engine: Any) -> None:
    events = with_sums(make, (10, 20, 75), (12, 24, 90), (13, 25, 70), (14, 26, 75))
    for live in (False, True):
        found = engine(events, live=live)
        assert [(one.events, one.reset, one.estimated) for one in found.intervals] == [
            (6, False, False),
            (38, True, False),
            (2, False, False),
        ]
        assert [round(one.waited * 1e6) for one in found.intervals] == [15, 70, 5]


@pytest.mark.parametrize("damaged", [9, 900])
def test_a_damaged_time_waited_shows_no_restart(damaged: float, make: Any, engine: Any) -> None:
    events = with_sums(make, (10, 20, 75), (12, 24, 90), (14, 28, damaged), (16, 32, 120), (18, 36, 135))
    found = engine(events)
    assert [(one.events, one.reset, one.estimated) for one in found.intervals] == [
        (6, False, False),
        (6, False, True),
        (6, False, True),
        (6, False, False),
    ]
    (said,) = found.said
    assert "such times are replaced by estimates" in said


# Damage.


def totals(make: Any, *prints: tuple[int, ...], **more: Any) -> list[Event]:
    """A record of totals each second."""
    return [make.counter(make.at(n), *counts, line=n + 1, **more) for n, counts in enumerate(prints)]


def told(found: Any) -> list[tuple[float, float, bool, bool]]:
    """End, events, reset and doubt of each interval."""
    return [(end, one.events, one.reset, one.doubtful) for end, one in zip(found.ends, found.intervals, strict=True)]


GROWING = [(100_000 + 10 * n, 200_000 + 20 * n) for n in range(9)]


def lost_digit(number: int) -> int:
    return int(str(number)[:3] + str(number)[4:])


def added_digit(number: int) -> int:
    return int(str(number)[:3] + "7" + str(number)[3:])


@pytest.mark.parametrize("damage", [lost_digit, added_digit, lambda n: n + 7, lambda n: n - 7, lambda n: n % 7])
@pytest.mark.parametrize("place", range(1, 8))
def test_a_damaged_record_is_dropped_and_the_next_interval_covers_its_time(
    damage: Any, place: int, make: Any, engine: Any
) -> None:
    prints = list(GROWING)
    prints[place] = (damage(prints[place][0]) or 1, prints[place][1])
    found = engine(totals(make, *prints))
    if abs(prints[place][0] - GROWING[place][0]) == 7:  # nothing fell: no one can know
        assert sum(one.events for one in found.intervals) == 30 * 8
        return
    whole = [(float(n), 30, False, False) for n in range(1, 9) if n not in (place, place + 1)]
    unconfirmed = place == len(prints) - 2 and damage is added_digit
    wanted = [*whole, (float(place + 1), 60, False, unconfirmed)]
    assert told(found) == sorted(wanted)
    assert [one.seconds for one in found.intervals if one.events == 60] == [2.0]
    assert [said.split(":")[1] for said in found.said] == [str(place + 1)]


def test_a_record_that_the_next_one_contradicts_as_well_is_the_damaged_one(make: Any, engine: Any) -> None:
    prints = [(76, 114), (115, 126), (129, 160), (163, 200), (145, 226), (172, 207), (184, 222), (216, 262)]
    found = engine(totals(make, *prints))
    assert [one.events for one in found.intervals] == [51, 48, 74, 16, 27, 72]
    assert not any(one.reset for one in found.intervals)
    assert [said.split(":")[1] for said in found.said] == ["5"]


def test_two_damaged_records_in_a_row_cost_two(make: Any, engine: Any) -> None:
    prints = list(GROWING)
    prints[4], prints[5] = (50, prints[4][1]), (40, prints[5][1])
    found = engine(totals(make, *prints))
    assert [one.events for one in found.intervals] == [30, 30, 30, 90, 30, 30]
    assert len(found.said) == 2


def test_two_that_are_damaged_alike_are_no_restart(make: Any, engine: Any) -> None:
    prints = list(GROWING)
    prints[4], prints[5] = (10_003, prints[4][1]), (10_004, prints[5][1])
    found = engine(totals(make, *prints))
    assert [(one.events, one.reset) for one in found.intervals] == [
        (30, False),
        (30, False),
        (30, False),
        (90, False),
        (30, False),
        (30, False),
    ]


@pytest.mark.parametrize("series", [0, 1])
def test_a_first_record_that_is_too_high_is_no_baseline(series: int, make: Any, engine: Any) -> None:
    prints = [(1_000_000, GROWING[0][1]), *GROWING[1:]]
    found = engine(totals(make, *([counts[:1] for counts in prints] if series else prints)))
    assert [(one.events, one.reset) for one in found.intervals] == [(10 if series else 30, False)] * 7
    assert [said.split(":")[1] for said in found.said] == ["1"]


def test_a_first_record_that_is_too_low_makes_the_next_one_doubtful(make: Any, engine: Any) -> None:
    found = engine(totals(make, (10_000, GROWING[0][1]), *GROWING[1:]))
    assert [one.doubtful for one in found.intervals] == [True, *[False] * 7]


@pytest.mark.parametrize("live", [False, True])
def test_a_restart_is_one_if_the_next_record_agrees_with_it(live: bool, make: Any, engine: Any) -> None:
    found = engine(totals(make, (1000, 500), (1010, 520), (1020, 540), (10, 20), (20, 40)), live=live)
    assert told(found) == [(1, 30, False, False), (2, 30, False, False), (3, 30, True, False), (4, 30, False, False)]
    assert found.said == []


@pytest.mark.parametrize("live", [False, True])
def test_at_the_end_a_fall_is_a_doubtful_restart(live: bool, make: Any, engine: Any) -> None:
    found = engine(totals(make, (1000,), (1010,), (1020,), (12,)), live=live)
    assert told(found)[-1] == (3, 12, True, True)


def test_a_start_up_time_decides_without_waiting(make: Any) -> None:
    prints = [(1000,), (1010,), (12,)]
    starts = [make.at(-100).micros] * 2 + [make.at(1.5).micros]
    records = [make.counter(make.at(n), *count, start=starts[n]) for n, count in enumerate(prints)]
    found = to_intervals(iter_then_fail(records), ahead=False)
    first, gap, second = (next(found) for _ in range(3))
    assert [(one.events, one.reset) for one in (first, second)] == [(10, False), (12, True)]
    assert (gap.gap, gap.start, gap.end) == (True, first.end, second.start)


def iter_then_fail(events: list[Event]) -> Iterator[Event]:
    yield from events
    raise AssertionError("the interval must not wait for more")


def test_live_only_a_suspicious_record_waits(make: Any) -> None:
    records = totals(make, (1000,), (1010,), (1020,), (5,))
    found = to_intervals(iter_then_fail(records[:3]), ahead=False)
    assert [next(found).events, next(found).events] == [10, 10]
    with pytest.raises(AssertionError):
        list(to_intervals(iter_then_fail(records[2:]), ahead=False))


def test_live_it_counts_after_two_and_a_half_intervals_of_silence(make: Any) -> None:
    records = [replace(one, arrival=float(n)) for n, one in enumerate(totals(make, (1000,), (1010,), (1020,), (5,)))]
    pulse = NextPulse()
    dues: list[float | None] = []

    def source() -> Iterator[Event | Pulse]:
        for record in records:
            yield record
            dues.append(pulse.due)
        yield Pulse(5.4)
        dues.append(pulse.due)
        yield Pulse(5.5)
        dues.append(pulse.due)

    found = list(to_intervals(source(), Report("test"), ahead=False, pulse=pulse))
    assert [(one.events, one.reset, one.doubtful) for one in found[-1:]] == [(5, True, True)]
    assert dues == [None, None, None, 5.5, 5.5, None]


def test_live_it_waits_a_day_at_most_whatever_the_stamps_say(make: Any) -> None:
    first, last = totals(make, (1000,), (5,))
    pulse = NextPulse()
    dues: list[float | None] = []

    def source() -> Iterator[Event]:
        yield replace(first, arrival=0.0)
        yield replace(last, arrival=1.0, stamp=replace(last.stamp, micros=last.stamp.micros + 10**15))
        dues.append(pulse.due)

    list(to_intervals(source(), Report("test"), ahead=False, pulse=pulse))
    assert dues == [86_401.0]


def test_live_a_total_that_was_too_high_costs_the_record_that_showed_it(make: Any, engine: Any) -> None:
    prints = list(GROWING)
    prints[4] = (prints[4][0] + 45, prints[4][1])
    found = engine(totals(make, *prints), live=True)
    assert [one.events for one in found.intervals] == [30, 30, 30, 75, 20, 30, 30, 30]
    assert [one.doubtful for one in found.intervals] == [False, False, False, False, True, False, False, False]


def test_other_series_do_not_wait(make: Any) -> None:
    events = [
        make.counter(make.at(n), count, series=series)
        for n, counts in enumerate([(100, 100), (110, 110), (5, 120), (6, 130)])
        for series, count in zip("ab", counts, strict=True)
    ]
    found = to_intervals(iter_then_fail(events[:6]), ahead=False)
    assert [(one.series, one.events) for one in (next(found), next(found), next(found))] == [
        ("a", 10),
        ("b", 10),
        ("b", 10),
    ]


@given(
    steps=st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=5, max_size=12),
    start=st.tuples(st.integers(10_000, 99_999), st.integers(10_000, 99_999)),
    place=st.integers(1, 10),
    bucket=st.integers(0, 1),
    damaged=st.integers(1, 2_000_000),
)
def test_damage_in_one_total_changes_only_the_intervals_beside_it(
    steps: list[tuple[int, int]],
    start: tuple[int, int],
    place: int,
    bucket: int,
    damaged: int,
    make: Any,
    engine: Any,
) -> None:
    place = min(place, len(steps) - 2)
    prints, now = [start], start
    for one, other in steps:
        now = now[0] + one, now[1] + other
        prints.append(now)
    good = {end: one.events for end, one in zip(*ends_of(engine(totals(make, *prints))), strict=True)}
    broken = list(prints[place])
    broken[bucket] = damaged
    prints[place] = (broken[0], broken[1])
    bad = {end: one.events for end, one in zip(*ends_of(engine(totals(make, *prints))), strict=True)}
    far = good.keys() - {float(place), float(place + 1), float(place + 2)}
    assert {end: bad.get(end) for end in far} == {end: good[end] for end in far}


def ends_of(found: Any) -> tuple[list[float], list[Any]]:
    return found.ends, [one for one in found.intervals if not one.gap]


# Rows that are lost.


@pytest.mark.parametrize("live", [False, True])
@pytest.mark.parametrize("place", range(1, 5))
def test_a_row_that_is_lost_once_makes_two_intervals_doubtful(place: int, live: bool, make: Any, engine: Any) -> None:
    events = totals(make, *GROWING[:7])
    record = events[place]
    events[place] = replace(record, ranges=record.ranges[1:])
    found = engine(events, live=live)
    assert [one.events for one in found.intervals] == [{place: 20, place + 1: 40}.get(n, 30) for n in range(1, 7)]
    assert [one.doubtful for one in found.intervals] == [n in (place, place + 1) for n in range(1, 7)]


@pytest.mark.parametrize("live", [False, True])
def test_a_source_that_prints_only_what_has_grown_is_not_doubted(live: bool, make: Any, engine: Any) -> None:
    events = totals(make, *GROWING)
    for place in range(1, 9):
        events[place] = replace(events[place], ranges=events[place].ranges[place % 2 : place % 2 + 1])
    found = engine(events, live=live)
    assert not any(one.doubtful or one.reset for one in found.intervals[1:])
    assert not found.said


def test_a_row_that_did_not_grow_meanwhile_leaves_no_doubt(make: Any, engine: Any) -> None:
    events = totals(make, (7, 10), (7, 11), (7, 12), (8, 13))
    events[1] = replace(events[1], ranges=events[1].ranges[1:])
    assert not any(one.doubtful for one in engine(events).intervals)


@pytest.mark.parametrize("place", [1, 3, 6])
@pytest.mark.parametrize("live", [False, True])
def test_a_record_of_totals_in_another_unit_is_told(place: int, live: bool, make: Any, engine: Any) -> None:
    events = totals(make, *GROWING[:7])
    events[place] = replace(events[place], unit=Unit.MS)
    found = engine(events, live=live)
    assert sum(one.events for one in found.intervals) == 30 * (6 if place < 6 else 5)
    (told,) = found.said
    assert told.startswith(f"test:{place + 1}: 'a' is in ms only here, and in another unit elsewhere")


def test_a_series_that_goes_on_in_another_unit_is_not_told(make: Any, engine: Any) -> None:
    events = totals(make, *GROWING[:7])
    events[3:] = [replace(one, unit=Unit.MS) for one in events[3:]]
    assert not engine(events).said


# A first record that lacks a row.


def rows_at(make: Any, lacking: int | None) -> list[Event]:
    """Records of five ranges that grow by 10, 20, 30, 40 and 50 each second; the first one can lack a range."""
    found: list[Event] = []
    for n in range(6):
        rows = {k: 100 * (k + 1) + 10 * (k + 1) * n for k in range(5)}
        if n == 0 and lacking is not None:
            del rows[lacking]
        found.append(replace(make.counter(make.at(n), 0, line=n + 1), ranges=ranges(rows)))
    return found


@pytest.mark.parametrize("lacking", [1, 2, 3])
def test_what_rests_on_a_first_record_that_lacks_a_row_is_doubtful(lacking: int, make: Any, engine: Any) -> None:
    found = engine(rows_at(make, lacking))
    assert [one.doubtful for one in found.intervals] == [True, False, False, False, False]
    assert [one.events for one in found.intervals][1:] == [150] * 4


def test_a_whole_first_record_leaves_no_doubt(make: Any, engine: Any) -> None:
    assert not any(one.doubtful for one in engine(rows_at(make, None)).intervals)


def test_a_burst_of_all_ranges_after_the_first_record_is_no_missing_row(make: Any, engine: Any) -> None:
    counts = [{0: 1000, 4: 1000}, {0: 1200, 2: 100, 4: 1200}, {0: 1230, 2: 110, 4: 1230}, {0: 1260, 2: 120, 4: 1260}]
    events = [replace(make.counter(make.at(n), 0, line=n), ranges=ranges(one)) for n, one in enumerate(counts)]
    assert [(one.events, one.doubtful) for one in engine(events).intervals] == [(500, False), (70, False), (70, False)]
