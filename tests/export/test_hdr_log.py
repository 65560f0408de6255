"""Logs of HdrHistogram: what the library of that name reads of them."""

from base64 import b64decode, b64encode
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pylatencymap.collectors.hdr.encoding import decoded
from pylatencymap.export import DataOptions, data_writer_for
from pylatencymap.export.data.hdr_log import counts_of, encoded
from pylatencymap.interval import Interval
from pylatencymap.units import Unit

VALUES = st.dictionaries(st.integers(0, 1 << 50), st.integers(1, 1 << 40), max_size=30)


@pytest.fixture(scope="module")
def hdrh() -> Any:
    return pytest.importorskip("hdrh.histogram")


@given(counts=VALUES)
def test_every_count_is_in_the_range_of_its_value(counts: dict[int, int]) -> None:
    ranges = decoded(b64encode(encoded(dict(sorted(counts.items())))).decode())
    assert sum(count for _, _, count in ranges) == sum(counts.values())
    for lower, upper, count in ranges:
        assert upper is not None
        assert count == sum(number for value, number in counts.items() if lower <= value < upper)
        assert upper - lower <= max(1, lower / 1000)


@given(counts=VALUES)
def test_the_library_reads_the_same(counts: dict[int, int]) -> None:
    hdrh = pytest.importorskip("hdrh.histogram")
    counts = {value: number for value, number in sorted(counts.items()) if value < 1 << 42}
    found = hdrh.HdrHistogram.decode(b64encode(encoded(counts)))
    assert found.get_total_count() == sum(counts.values())
    if counts:
        assert found.get_max_value() == pytest.approx(max(counts), rel=1e-3, abs=1)


def test_a_log_is_read_by_the_library_with_its_times_and_tags(hdrh: Any, tmp_path: Any) -> None:
    log = pytest.importorskip("hdrh.log")
    second = 1_700_000_000_000_000
    read = Interval("sda,read 4k", Unit.US, second, second + 1_000_000, 1.0, ((64, 128, 3), (8192, 16384, 2)))
    gap = Interval("sda,read 4k", Unit.US, second + 1_000_000, second + 3_000_000, 2.0, gap=True)
    other = Interval("sda;read_4k", Unit.MS, second, second + 1_000_000, 1.0, ((2, None, 7),))
    path = tmp_path / "x.hlog"
    path.write_bytes(b"".join(data_writer_for(".hlog")([read, gap, other], DataOptions())))
    reader = log.HistogramLogReader(str(path), hdrh.HdrHistogram(1, 3_600_000_000_000, 3))
    first, second_one = reader.get_next_interval_histogram(), reader.get_next_interval_histogram()
    assert reader.get_next_interval_histogram() is None
    assert (first.get_tag(), second_one.get_tag()) == ("sda;read_4k", "sda;read_4k~2")
    assert (first.get_total_count(), second_one.get_total_count()) == (5, 7)
    assert first.get_start_time_stamp() == second / 1000
    assert first.get_end_time_stamp() - first.get_start_time_stamp() == 1000
    assert first.get_max_value() == pytest.approx(12_288_000, rel=1e-3)
    assert second_one.get_min_value() == pytest.approx(2_000_000, rel=1e-3)


@pytest.mark.parametrize("first", [1_700_000_000_999_736, 1_700_000_000_000_001, 1_700_000_000_123_499])
def test_the_library_skips_no_interval_whenever_it_begins(hdrh: Any, tmp_path: Any, first: int) -> None:
    log = pytest.importorskip("hdrh.log")
    second = 1_000_000
    short = [
        Interval("fast", Unit.US, begin, begin + second, 1.0, ((64, 128, 3),))
        for begin in range(first, first + 3 * second, second)
    ]
    longer = Interval("slow", Unit.US, first - 2 * second, first + 3 * second, 5.0, ((64, 128, 5),))
    path = tmp_path / "x.hlog"
    path.write_bytes(b"".join(data_writer_for(".hlog")([*short, longer, short[0]], DataOptions())))
    reader = log.HistogramLogReader(str(path), hdrh.HdrHistogram(1, 3_600_000_000_000, 3))
    read = list(iter(reader.get_next_interval_histogram, None))
    assert [one.get_total_count() for one in read] == [3, 3, 3, 5, 3]
    assert [round(one.get_start_time_stamp() * 1000) for one in read[:4]] == [
        first,
        first + second,
        first + 2 * second,
        first - 2 * second,
    ]


def test_counts_that_are_no_whole_numbers_are_rounded_to_the_same_sum() -> None:
    ranges = tuple((2**place, 2 ** (place + 1), 0.4) for place in range(10))
    assert sum(counts_of(ranges, 1000).values()) == 4


def test_an_empty_histogram_is_one() -> None:
    assert decoded(b64encode(encoded({})).decode()) == ()
    assert b64decode(b64encode(encoded({})))[:4] == bytes.fromhex("1c849314")
