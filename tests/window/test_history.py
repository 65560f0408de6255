"""What is kept of one series: all of it, in little memory."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from pylatencymap.buckets import bounds_of
from pylatencymap.interval import Interval
from pylatencymap.units import Unit
from pylatencymap.window.history import MAX_ROWS, History
from pylatencymap.window.store import BLOCK_COLUMNS, COLUMN, ESTIMATED_BIT, GAP_BIT, RESET_BIT, UNCLOCKED_BIT
from tests.window.columns import tail


def history_of(intervals: list[Interval]) -> History:
    history = History(intervals[0])
    for interval in intervals:
        history.add(interval)
    return history


def totals(history: History) -> dict[str, Any]:
    columns, counts = tail(history, len(history))
    return {
        "counts": dict(zip(history.ranges, counts.sum(axis=0, dtype=np.float64).tolist(), strict=True)),
        "seconds": columns["seconds"].sum(),
        "waited": pytest.approx(columns["waited"].sum()),
    }


def test_columns_are_what_was_added(interval: Any) -> None:
    added = [
        interval(1, {4: 3, 64: 1}),
        interval(2, reset=True, estimated=False, clock=False),
        interval(9, seconds=7.0, gap=True),
        interval(10, {64: 2, 8: 5}, seconds=1.5),
    ]
    history = history_of(added)
    columns, counts = tail(history, 10)
    assert len(history) == 4
    assert history.ranges == [(4, 8), (64, 128), (8, 16)]
    assert counts.tolist() == [[3, 1, 0], [0, 0, 0], [0, 0, 0], [0, 2, 5]]
    assert columns["start"].tolist() == [one.start for one in added]
    assert columns["end"].tolist() == [one.end for one in added]
    assert columns["seconds"].tolist() == [1.0, 1.0, 0.0, 1.5]
    assert columns["flags"].tolist() == [
        ESTIMATED_BIT,
        RESET_BIT | UNCLOCKED_BIT,
        GAP_BIT | ESTIMATED_BIT,
        ESTIMATED_BIT,
    ]
    assert columns["waited"].tolist() == pytest.approx([one.waited or 0.0 for one in added])
    assert history.events == 11
    assert history.waited == pytest.approx(sum(one.waited or 0 for one in added))
    assert history.end == 10_000_000


def test_an_interval_with_the_end_of_the_last_one_adds_counts_and_no_time(interval: Any) -> None:
    history = history_of([interval(1, {4: 3}), interval(1, {4: 2, 8: 1}, reset=True), interval(2)])
    columns, counts = tail(history, 5)
    assert counts.tolist() == [[5, 1], [0, 0]]
    assert columns["seconds"].tolist() == [1.0, 1.0]
    assert columns["waited"][0] == pytest.approx((5 * 6 + 12) * 1e-6)
    assert columns["flags"][0] & RESET_BIT


def test_names_are_those_of_the_newest_interval(interval: Any) -> None:
    history = history_of([interval(1, label="old"), interval(2, label="new", source="bpf")])
    assert (history.name, history.unit, history.label, history.source) == ("a", Unit.US, "new", "bpf")


def test_units_never_mix(interval: Any) -> None:
    with pytest.raises(ValueError, match="in us, not in ms"):
        history_of([interval(1, {4: 3}), replace(interval(2, {4: 3}), unit=Unit.MS)])


@pytest.mark.parametrize("length", [1, 63, 64, 65, BLOCK_COLUMNS, BLOCK_COLUMNS + 1, 3 * BLOCK_COLUMNS + 7])
def test_the_tail_reaches_as_far_back_as_asked_for(interval: Any, length: int) -> None:
    history = history_of([interval(n, {1 << n % 12: n}) for n in range(1, length + 1)])
    for count in (1, 64, length, length + 10):
        columns, counts = tail(history, count)
        expected = np.arange(max(length - count, 0) + 1, length + 1)
        assert_array_equal(columns["end"], expected * 1_000_000)
        assert_array_equal(counts.sum(axis=1), expected)
    assert len(history) == length
    assert history.end == length * 1_000_000


@pytest.mark.parametrize("length", [1, 64, BLOCK_COLUMNS, 2 * BLOCK_COLUMNS + 5])
def test_columns_are_counted_by_their_end(interval: Any, length: int) -> None:
    history = history_of([interval(n) for n in range(1, length + 1)])
    for second in (0, 1, length // 2, length - 1, length):
        assert history.count_until(second * 1_000_000) == second


@pytest.mark.parametrize("count", [2**32 - 1, 2**32, 0.5, 2**52])
def test_counts_are_exact_whatever_their_size(interval: Any, count: float) -> None:
    history = history_of([interval(1, {4: 1}), interval(2, {4: count}), interval(2, {4: 1})])
    assert tail(history, 2)[1].tolist() == [[1], [count + 1]]


def test_one_large_count_does_not_make_all_blocks_large(interval: Any) -> None:
    few = [interval(n, {4: 1}) for n in range(1, 2 * BLOCK_COLUMNS)]
    plain, mixed = history_of(few), history_of([replace(few[0], ranges=((4, 8, 2**40),)), *few[1:]])
    assert mixed.nbytes - plain.nbytes == BLOCK_COLUMNS * 7


def test_a_series_seen_once_is_small(interval: Any) -> None:
    assert history_of([interval(1, {4: 1})]).nbytes < 5_000


def test_a_day_of_seconds_at_resolution_8_fits_into_100_mb(interval: Any) -> None:
    rng = np.random.default_rng(1)
    day, rows = 86_400, 160
    history = History(interval(1))
    keys = [bounds_of(bucket, 8) for bucket in range(rows)]
    counts = rng.integers(1, 100_000, size=rows).tolist()
    entries = tuple((*key, count) for key, count in zip(keys, counts, strict=True))
    template = interval(1, native=entries)
    # What is kept does not depend on which rows of a column are used, so that most columns use one.
    for second in range(1, day + 1):
        ranges = entries if second % 1000 == 1 else (entries[second % rows],)
        history.add(replace(template, start=second - 1, end=second, ranges=ranges))
    assert len(history) == day
    assert tail(history, 1)[1].shape == (1, rows)
    assert history.nbytes < 100_000_000


def test_ranges_without_end_are_counted_in_octaves(interval: Any) -> None:
    count = MAX_ROWS + 500
    history = history_of([interval(n, native=((n, n + 0.5, 1),)) for n in range(1, count + 1)])
    assert len(history.ranges) < MAX_ROWS + 64
    assert history.events == count
    assert totals(history)["counts"][4096, 8192] > 400


def test_the_total_is_that_of_all_columns_whatever_the_gaps(interval: Any) -> None:
    count = BLOCK_COLUMNS + 100
    history = history_of([interval(n, {4: 1000}) for n in range(1, count + 1)])
    history.add(interval(count + 150_000, seconds=150_000.0, gap=True))
    history.add(interval(count + 150_001, {4: 1, 8: 2}))
    while history.merge_oldest():
        pass
    total = history.total()
    assert (total.events, total.span, total.estimated) == (1000 * count + 3, count + 1, True)
    assert total.waited == pytest.approx((6 * (1000 * count + 1) + 12 * 2) * 1e-6)
    assert total.maximum is not None
    assert total.maximum.seconds == pytest.approx(16e-6)


class TestMerging:
    def test_nothing_is_lost(self, interval: Any) -> None:
        added = [
            interval(n, {1 << n % 5: n, 1 << n % 7: 1}, reset=n % 70 == 0) if n % 50 else interval(n, gap=True)
            for n in range(1, 3000)
        ]
        history = history_of(added)
        before, size = totals(history), history.nbytes
        lengths = [len(history)]
        while history.merge_oldest():
            assert totals(history) == before
            assert (np.diff(tail(history, len(history))[0]["end"]) > 0).all()
            lengths.append(len(history))
        assert lengths == sorted(lengths, reverse=True)
        assert lengths[-1] <= 2 * 64
        assert history.nbytes < size / 10

    def test_the_oldest_columns_lose_their_resolution_first(self, interval: Any) -> None:
        history = history_of([interval(n, {4: 1}) for n in range(1, 4 * BLOCK_COLUMNS + 1)])
        assert history.merge_oldest()
        columns, _ = tail(history, len(history))
        assert columns["seconds"].tolist() == [2.0] * BLOCK_COLUMNS + [1.0] * 2 * BLOCK_COLUMNS

    def test_counts_are_still_added_to_the_last_column(self, interval: Any) -> None:
        history = history_of([interval(n, {4: 1}) for n in range(1, 101)])
        while history.merge_oldest():
            pass
        history.add(interval(100, {4: 5}))
        columns, counts = tail(history, 1)
        assert (columns["seconds"].tolist(), counts.tolist()) == ([1.0], [[6]])

    def test_a_short_history_is_left_alone(self, interval: Any) -> None:
        assert not history_of([interval(n) for n in range(1, 65)]).merge_oldest()


def test_a_column_is_33_bytes_besides_its_counts() -> None:
    assert COLUMN.itemsize == 33


@pytest.mark.parametrize("every", range(66, 200, 7))
def test_the_usual_interval_is_known_however_columns_were_merged(interval: Any, every: int) -> None:
    """With some of the newest columns merged and others not, none seems shorter than a minute."""
    added = [interval(60 * number, {4: 3}, seconds=60.0) for number in range(1, 800)]
    history = History(added[0])
    for number, one in enumerate(added, 1):
        history.add(one)
        if number % every == 0:
            history.merge_oldest()
        assert history.finest_seconds() == 60.0
