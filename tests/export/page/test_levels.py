"""Levels of zoom hold exactly what was counted, and the finest one is as fine as the size allows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import timezone

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from pylatencymap.errors import UsageError
from pylatencymap.export.page import PageContent, render_page
from pylatencymap.export.page.coding import expected, signed, varints
from pylatencymap.export.page.columns import PageColumns, merged_columns, recorded_columns
from pylatencymap.export.page.levels import coded_series
from pylatencymap.interval import Interval
from pylatencymap.record import Range
from pylatencymap.session import MarkList, Viewpoint, page_content
from pylatencymap.units import Unit
from pylatencymap.window import GAP_BIT, Window, kept_intervals
from tests.export.page.decoding import DecodedLevel, PageParts, decoded, numbers, zag

SECOND = 1_000_000
BEGIN = 1_772_409_600 * SECOND
LOWERS = (1, 2, 4, 8, 64, 128, 1 << 20)


@st.composite
def series(draw: st.DrawFn, *, whole: bool = True) -> list[Interval]:
    """Intervals of a source that jitters, is silent, restarts, and may sum the time waited."""
    exact, found, end = draw(st.booleans()), [], BEGIN + draw(st.integers(0, 3 * SECOND))
    counts = st.integers(1, 300_000_000) if whole else st.floats(0.01, 1e6)
    for _ in range(draw(st.integers(1, 40))):
        start = end + draw(st.sampled_from((0, 0, 0, 1, 700, 40 * SECOND)))
        end = start + draw(st.sampled_from((SECOND, SECOND, SECOND + 137, SECOND - 264, 61 * SECOND)))
        if draw(st.integers(0, 9)) == 0:
            found.append(Interval("a", Unit.US, start, end, 0.0, gap=True))
            continue
        lowers = draw(st.sets(st.sampled_from(LOWERS), max_size=len(LOWERS)))
        ranges: tuple[Range, ...] = tuple((lower, 2 * lower, draw(counts)) for lower in sorted(lowers))
        waited = draw(st.integers(0, 10**9)) / 1e6
        reset = draw(st.integers(0, 9)) == 0
        found.append(
            Interval("a", Unit.US, start, end, (end - start) / 1e6, ranges, waited, estimated=not exact, reset=reset)
        )
    return found


def window_of(intervals: list[Interval]) -> Window:
    window = Window()
    for one in intervals:
        window.add(one)
    return window


def level_of(columns: PageColumns) -> DecodedLevel:
    """A level, written and read again."""
    from pylatencymap.export.page.coding import coded_level

    coded = coded_level(columns)
    return decoded(coded.about, coded.text)


def by_range(level: DecodedLevel) -> Counter[int]:
    return Counter({row: sum(one.get(row, 0) for one in level.counts) for row in set().union(*level.counts)})


@given(series())
def test_a_level_as_recorded_is_the_intervals(intervals: list[Interval]) -> None:
    history = window_of(intervals)["a"]
    level = level_of(recorded_columns(history))
    assert len(level.columns) == len(intervals)
    for one, (_, end, seconds, waited, flags), counts in zip(intervals, level.columns, level.counts, strict=True):
        assert (end, bool(flags & GAP_BIT)) == (one.end, one.gap)
        assert {history.ranges[row][0]: count for row, count in counts.items()} == {
            lower: count for lower, _, count in one.ranges
        }
        if not one.gap:
            assert seconds == pytest.approx(one.seconds, abs=1e-6)
            assert waited is None or waited == pytest.approx(one.waited, abs=1e-6)


@given(series(), st.sampled_from((2, 5, 60, 300)))
def test_each_column_of_a_level_has_the_counts_of_its_intervals(intervals: list[Interval], step: int) -> None:
    history = window_of(intervals)["a"]
    recorded = recorded_columns(history)
    level = level_of(merged_columns(recorded, step * SECOND))
    rest = list(zip(level_of(recorded).columns, intervals, strict=True))
    for (begin, end, seconds, _, flags), counts in zip(level.columns, level.counts, strict=True):
        own = [one for (start, until, *_), one in rest if begin <= start and until <= end]
        rest = rest[len(own) :]
        events = Counter[float]()
        for one in own:
            events.update({lower: count for lower, _, count in one.ranges})
        assert {history.ranges[row][0]: count for row, count in counts.items()} == dict(events)
        assert seconds == pytest.approx(sum(0 if one.gap else one.seconds for one in own), abs=1e-6)
        assert bool(flags & GAP_BIT) == all(one.gap for one in own)
    assert not rest


@given(series(), st.sampled_from(((5, 10), (2, 60), (1, 300), (60, 3600))))
def test_a_level_made_of_a_finer_one_is_the_same(intervals: list[Interval], steps: tuple[int, int]) -> None:
    columns = recorded_columns(window_of(intervals)["a"])
    fine, coarse = (step * SECOND for step in steps)
    direct, over = (
        level_of(merged_columns(columns, coarse)),
        level_of(merged_columns(merged_columns(columns, fine), coarse)),
    )
    assert by_range(direct) == by_range(over) == by_range(level_of(columns))


@given(series(whole=False))
def test_counts_that_are_not_whole_are_kept_to_the_last_bit(intervals: list[Interval]) -> None:
    level = level_of(recorded_columns(window_of(intervals)["a"]))
    assert [sorted(one.values()) for one in level.counts] == [
        sorted(float(count) for _, _, count in one.ranges) for one in intervals
    ]


@given(st.lists(st.integers(-(2**50), 2**50)))
def test_numbers_are_read_as_they_were_written(values: list[int]) -> None:
    assert [zag(one) for one in numbers(varints(signed(np.array(values, np.int64))))] == values


@given(st.lists(st.integers(0, 2**40), max_size=40))
def test_what_is_expected_is_the_average_of_the_eight_before(counts: list[int]) -> None:
    assert expected(np.array(counts, np.int64)).tolist() == [
        sum(counts[max(place - 8, 0) : place]) // 8 for place in range(len(counts))
    ]


def busy(hours: float, every: int = 1) -> Iterator[Interval]:
    """A source that is never idle, with noise."""
    noise = np.random.default_rng(7)
    for number in range(round(hours * 3600 / every)):
        counts = noise.poisson((900, 300, 40, 2)) + 1
        ranges: tuple[Range, ...] = tuple((1 << k, 2 << k, int(count)) for k, count in enumerate(counts, 5))
        start = BEGIN + number * every * SECOND
        yield Interval("a", Unit.US, start, start + every * SECOND, float(every), ranges, 0.1)


@pytest.fixture(scope="module")
def content() -> PageContent:
    window = window_of(list(busy(10)))
    return page_content(window, MarkList(), Viewpoint(), timezone.utc, files=("ten-hours.lmap",))


@pytest.mark.parametrize("most", [130_000, 200_000, 400_000])
def test_a_page_is_as_fine_as_its_size_allows(content: PageContent, most: int) -> None:
    page = render_page(content, most=most)
    assert len(page.encode()) <= most
    parts = PageParts(page)
    step = parts.about["step"]
    finer = {1_000_000: 0, 2_000_000: 0, 5_000_000: 2, 10_000_000: 5, 15_000_000: 10, 30_000_000: 15, 60_000_000: 30}
    assert step == 0 or len(render_page(content, finest=finer[step] or 0.5).encode()) > most
    assert sum(by_range(parts.levels(0)[-1]).values()) == content.series[0].summary.events


def test_the_finest_step_can_be_asked_for_whatever_the_size(content: PageContent) -> None:
    parts = PageParts(render_page(content, finest=1.0, most=1000))
    assert parts.about["step"] == 0
    assert len(parts.levels(0)[-1].columns) == 36_000
    assert "every 1 s<" in render_page(content, finest=1.0).replace("\n", "")
    assert "every 1 s, here in steps of 5 s" in render_page(content, finest=5.0)


def test_a_step_that_does_not_divide_a_day_is_refused(content: PageContent) -> None:
    with pytest.raises(UsageError, match=r"--finest 7 s: .*near it is 5s"):
        render_page(content, finest=7.0)


def test_all_levels_of_a_page_have_the_same_counts(content: PageContent) -> None:
    coarse, fine = PageParts(render_page(content)).levels(0)
    assert len(coarse.columns) <= 1000 < len(fine.columns)
    assert by_range(coarse) == by_range(fine)
    window = window_of(list(busy(10)))
    assert sum(by_range(fine).values()) == sum(one.events for one in kept_intervals(window["a"]))


@settings(max_examples=20)
@given(series())
def test_any_series_makes_a_page(intervals: list[Interval]) -> None:
    window = window_of(intervals)
    step, coded = coded_series([window["a"]], 10**6, None)
    assert step == 0
    assert by_range(decoded(coded[0].levels[-1].about, coded[0].levels[-1].text)).total() == sum(
        one.events for one in intervals
    )
