"""Blocks of columns: merging loses nothing but time resolution."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from pylatencymap.window.store import (
    COLUMN,
    ESTIMATED_BIT,
    GAP_BIT,
    RESET_BIT,
    ColumnBlock,
    ColumnStore,
    compact,
    halve_columns,
    merge_blocks,
    widened,
)

flags = st.sampled_from([0, GAP_BIT, RESET_BIT, ESTIMATED_BIT, RESET_BIT | ESTIMATED_BIT])


@st.composite
def blocks(draw: st.DrawFn, begin: int = 0) -> ColumnBlock:
    length, rows = draw(st.integers(1, 9)), draw(st.integers(0, 4))
    columns = np.zeros(length, COLUMN)
    columns["start"] = begin + np.arange(length)
    columns["end"] = columns["start"] + 1
    columns["flags"] = [draw(flags) for _ in range(length)]
    data = columns["flags"] & GAP_BIT == 0
    columns["seconds"], columns["waited"] = np.where(data, 1.0, 0.0), np.where(data, draw(st.floats(0, 10)), 0.0)
    counts = np.array([draw(st.integers(0, 2**32 - 1)) for _ in range(length * rows)], dtype=np.uint32)
    return ColumnBlock(columns, counts.reshape(length, rows) * data[:, None].astype(np.uint32))


@given(blocks(), blocks(100))
def test_fusing_conserves_counts_seconds_and_time(first: ColumnBlock, second: ColumnBlock) -> None:
    found = merge_blocks(first, second)
    rows = max(first.counts.shape[1], second.counts.shape[1])
    total = sum(widened(block.counts, rows).astype(np.float64).sum(axis=0) for block in (first, second))
    assert_array_equal(found.counts.sum(axis=0, dtype=np.float64), total)
    for name in ("seconds", "waited"):
        expected = first.columns[name].sum() + second.columns[name].sum()
        assert_allclose(found.columns[name].sum(), expected)
    assert len(found.columns) == -(-(len(first.columns) + len(second.columns)) // 2)
    assert found.level == 1
    assert found.columns["start"][0] == first.columns["start"][0]
    assert found.columns["end"][-1] == second.columns["end"][-1]


@given(blocks())
def test_a_merged_column_is_a_gap_only_if_all_of_it_is_and_keeps_all_other_marks(block: ColumnBlock) -> None:
    found = halve_columns(block)
    for n, merged in enumerate(found.columns["flags"]):
        parts = block.columns["flags"][2 * n : 2 * n + 2]
        assert bool(merged & GAP_BIT) == all(part & GAP_BIT for part in parts)
        assert merged & ~np.uint8(GAP_BIT) == np.bitwise_or.reduce(parts) & ~np.uint8(GAP_BIT)


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([1.0, 255.0], np.uint8),
        ([1.0, 256.0], np.uint16),
        ([1.0, 65_536.0], np.uint32),
        ([1.0, 2**32 - 1.0], np.uint32),
        ([0.5], np.float64),
        ([2.0**32], np.float64),
        ([], np.uint8),
    ],
)
def test_counts_are_small_integers_where_nothing_is_lost(values: list[float], dtype: Callable[..., object]) -> None:
    found = compact(np.array(values, dtype=np.float64))
    assert found.dtype == dtype
    assert found.tolist() == values


def test_sums_that_need_more_than_32_bits_get_them() -> None:
    most = ColumnBlock(np.zeros(2, COLUMN), np.full((2, 1), 2**32 - 1, dtype=np.uint32))
    assert halve_columns(most).counts.tolist() == [[2.0**33 - 2]]


@given(st.lists(st.integers(1, 700), min_size=1, max_size=8))
def test_many_columns_at_once_take_as_much_room_as_one_by_one(lengths: list[int]) -> None:
    together, one_by_one = ColumnStore(), ColumnStore()
    together.rows = one_by_one.rows = 2
    begin = 0
    for length in lengths:
        columns = np.zeros(length, COLUMN)
        columns["start"] = begin + np.arange(length)
        columns["end"] = columns["start"] + 1
        together.extend(columns, np.ones(length, np.int64), np.arange(length) % 2, columns["end"])
        for start in range(begin, begin + length):
            one_by_one.append(start, start + 1, 0.0, 0.0, 0)
            one_by_one.count({(start - begin) % 2: start + 1})
        begin += length
        assert together.nbytes == one_by_one.nbytes
    for ours, theirs in zip(together.part(0, begin), one_by_one.part(0, begin), strict=True):
        assert_array_equal(ours, theirs)
