"""Time waited in files of data is the estimate of summaries, however many intervals there are."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import pylatencymap as lm
from pylatencymap.errors import SourceError
from pylatencymap.export import with_best_estimates
from pylatencymap.export.data import estimates
from pylatencymap.interval import Interval
from pylatencymap.units import Unit


def interval(number: int, waited: float | None = None) -> Interval:
    ranges = ((64, 128, 10 + number), (128, 256, 3), (256, 512, 1))
    start = number * 1_000_000
    estimated = waited is None
    return Interval("a", Unit.US, start, start + 1_000_000, 1.0, ranges, 0.002 if estimated else waited, estimated)


@pytest.mark.parametrize("at_once", [1, 3, 4, 1000])
def test_the_sum_is_that_of_a_summary_whatever_is_kept_together(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimates, "AT_ONCE", at_once)
    monkeypatch.setattr(estimates, "IN_MEMORY", 100)
    run = lm.read(Path(__file__).parents[2] / "examples" / "cold-start.lmap.gz")
    given = [*run.intervals("loop0")][:72]
    found = [*with_best_estimates(given)]
    assert [one.ranges for one in found] == [one.ranges for one in given]
    summary = lm.read(Path(__file__).parents[2] / "examples" / "cold-start.lmap.gz").summary("loop0", end=given[-1].end)
    assert sum(one.waited or 0.0 for one in found) == pytest.approx(summary.waited, rel=1e-12)
    assert sum(one.waited or 0.0 for one in found) < 0.95 * sum(one.waited or 0.0 for one in given)


def test_what_the_source_sums_goes_through_at_once_and_as_it_is() -> None:
    asked: list[int] = []

    def source() -> Iterator[Interval]:
        for number in range(6):
            asked.append(number)
            yield interval(number, waited=0.5 if number != 4 else None)

    found = with_best_estimates(source())
    assert [next(found), next(found)] == [interval(0, 0.5), interval(1, 0.5)]
    assert asked == [0, 1]
    rest = [*found]
    assert [one.waited for one in rest if not one.estimated] == [0.5, 0.5, 0.5]
    assert [one.end for one in rest] == [interval(number).end for number in range(2, 6)]


def test_a_gap_and_an_idle_interval_stay_as_they_are() -> None:
    gap = Interval("a", Unit.US, 0, 9_000_000, 9.0, gap=True)
    idle = Interval("a", Unit.US, 0, 1_000_000, 1.0, (), 0.0)
    assert [*with_best_estimates([interval(0), gap, idle])][1:] == [gap, idle]


def test_a_full_folder_for_temporary_files_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(estimates.pickle, "dump", full)
    with pytest.raises(SourceError, match=r"intervals cannot be kept there: No space left on device"):
        [*with_best_estimates([interval(0)])]
