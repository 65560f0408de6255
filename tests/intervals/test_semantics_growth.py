"""Counts that only ever grow are suspicious, counts of real intervals are not."""

import pytest

from pylatencymap.intervals.semantics.doubts import SUSPICIOUS_GROWTH, warn_of_growth
from pylatencymap.record import Record, Semantics
from pylatencymap.report import Report
from pylatencymap.units import Unit


def told(totals: list[int], semantics: Semantics = Semantics.INTERVAL) -> list[str]:
    said: list[str] = []
    records = [Record("vfs_read", Unit.US, ((4, 8, n), (8, 16, 3)), semantics, line=n) for n in totals]
    assert list(warn_of_growth(records, Report("text", say=said.append))) == records
    return said


def test_totals_are_told_of_once() -> None:
    said = told([7 * n for n in range(1, 40)])
    assert len(said) == 1
    assert "vfs_read only ever grow" in said[0]
    assert "--semantics cumulative" in said[0]


@pytest.mark.parametrize(
    "totals",
    [list(range(1, SUSPICIOUS_GROWTH + 1)), [5] * 50, [*range(1, 9), 2, *range(3, 12)]],
    ids=["short", "flat", "saw"],
)
def test_intervals_are_not(totals: list[int]) -> None:
    assert told(totals) == []


def test_what_is_known_to_be_cumulative_is_not() -> None:
    assert told(list(range(1, 40)), Semantics.CUMULATIVE) == []
