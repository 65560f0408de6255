"""Intervals as JSON lines."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pylatencymap.buckets import MAX_RESOLUTION, bounds_of, bucket_of
from pylatencymap.export.data.json_lines import json_line
from pylatencymap.interval import Interval
from pylatencymap.intervals import join_continued
from pylatencymap.record import Range, tidy_ranges
from pylatencymap.tables import ranges_on_grid
from pylatencymap.units import Unit

RESOLUTIONS = st.sampled_from([1 << power for power in range(MAX_RESOLUTION.bit_length())])
COUNTS = st.integers(1, 10**6)


def interval(ranges: tuple[Range, ...] = (), **details: Any) -> Interval:
    start = 1_700_000_000_000_001
    return Interval("s", Unit.US, start, start + 999_999, 1.0, ranges, **{"waited": 0.5, **details})


def read(of: Interval, resolution: int | None = None) -> dict[str, Any]:
    text = json_line(of, resolution)
    assert text.endswith("\n")
    assert text.count("\n") == 1
    found: dict[str, Any] = json.loads(text)
    return found


def test_keys_and_values() -> None:
    made = interval(((1, 2, 3), (4, None, 1)), label="l", source="bpf", estimated=False, reset=True, clock=False)
    assert read(made) == {
        "series": "s",
        "label": "l",
        "source": "bpf",
        "unit": "us",
        "start": 1_700_000_000.000001,
        "end": 1_700_000_001.0,
        "seconds": 1.0,
        "counts": [[1, 2, 3], [4, None, 1]],
        "time": 0.5,
        "estimated": False,
        "reset": True,
        "gap": False,
        "resampled": False,
        "clock": False,
    }


def test_a_gap_has_no_counts_and_no_time() -> None:
    gap = read(interval(gap=True, waited=None))
    assert (gap["gap"], gap["counts"], gap["time"]) == (True, [], None)
    assert read(interval(gap=True, waited=None), 8) == gap


def test_an_idle_interval_waited_no_time() -> None:
    assert read(interval(waited=0.0))["time"] == 0.0
    assert read(interval(waited=0.0), 4)["counts"] == []


def test_a_note_is_a_key_of_its_own() -> None:
    assert "note" not in read(interval())
    assert read(interval(note="n"))["note"] == "n"


def test_names_are_ascii() -> None:
    assert json_line(interval(label="µ\x1b")).isascii()


def test_a_foreign_range_is_spread_over_the_grid() -> None:
    ranges: tuple[Range, ...] = ((96, 160, 64),)
    assert read(interval(ranges))["counts"] == [[96, 160, 64]]
    found = read(interval(ranges), 1)
    assert found["counts"] == [[64, 128, 32], [128, 256, 32]]
    assert found["resampled"] is True


def test_a_range_of_whole_buckets_stays_whole() -> None:
    assert ranges_on_grid(((0, 2, 5), (2, 4, 1)), 1) == ((0, 2, 5), (2, 4, 1))
    assert read(interval(((0, 2, 5),)), 8)["resampled"] is False


@given(RESOLUTIONS, st.lists(st.tuples(st.integers(0, 1 << 40), COUNTS), max_size=20))
def test_buckets_of_a_resolution_stay_as_they_are(resolution: int, events: list[tuple[int, int]]) -> None:
    made = [(*bounds_of(bucket_of(value, resolution), resolution), count) for value, count in events]
    ranges = tidy_ranges(list(made))
    assert ranges_on_grid(ranges, resolution) == ranges


@given(RESOLUTIONS, st.lists(st.tuples(st.integers(0, 10**6), st.integers(1, 10**6), COUNTS), min_size=1, max_size=8))
def test_counts_are_conserved(resolution: int, entries: list[tuple[int, int, int]]) -> None:
    ranges = tidy_ranges([(lower, lower + width, count) for lower, width, count in entries])
    found = ranges_on_grid(ranges, resolution)
    assert sum(count for _, _, count in found) == pytest.approx(sum(count for _, _, count in ranges))
    assert all(count > 0 for _, _, count in found)
    lowers = [lower for lower, _, _ in found]
    assert lowers == sorted(set(lowers))


def test_an_idle_time_that_is_told_late_does_not_end_a_print() -> None:
    first, rest = interval(((1, 2, 3),)), interval(((4, 8, 2),))
    late = replace(interval(), series="t", start=first.start - 5_000_000, end=first.start, seconds=5.0, waited=0.0)
    back = replace(interval(((1, 2, 7),)), series="t")
    found = list(join_continued([first, late, back, rest]))
    assert [(one.series, one.seconds, one.events) for one in found] == [("t", 5.0, 0), ("t", 1.0, 7), ("s", 1.0, 5)]


def test_what_continues_an_interval_is_joined_to_it() -> None:
    first, second = interval(((1, 2, 3),)), interval(((1, 2, 1), (4, 8, 2)))
    other = replace(interval(((1, 2, 7),)), series="t")
    later = replace(first, start=first.end, end=first.end + 1_000_000)
    again = replace(later, start=later.end, seconds=0.0)
    found = list(join_continued([first, other, second, later, again]))
    assert [(one.series, one.end, one.seconds) for one in found] == [
        ("t", first.end, 1.0),
        ("s", first.end, 1.0),
        ("s", later.end, 1.0),
    ]
    assert found[1].ranges == ((1, 2, 4), (4, 8, 2))
    assert found[2].ranges == ((1, 2, 6),)
    assert [one.waited for one in found] == [0.5, 1.0, 1.0]


def test_a_gap_is_joined_to_nothing() -> None:
    gap = interval(gap=True, waited=None)
    assert list(join_continued([gap, interval()])) == [gap, interval()]
