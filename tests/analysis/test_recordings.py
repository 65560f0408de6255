"""Modes of real recordings and captures, against what fio measured beside them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import pylatencymap as lm
from pylatencymap.analysis import Modes
from tests.examples.test_example_recordings import measured, recording

US = 1e-6


@pytest.mark.parametrize("name", ["steady", "cold-start"])
def test_the_cache_and_the_disk_of_the_examples(root: Path, name: str) -> None:
    found = lm.read(root / f"examples/{name}.lmap.gz").modes("loop0")
    assert (found.sure, found.possible, found.tail) == (2, 2, None)
    cache, disk = found.modes
    assert (round(cache.lower / US), round(cache.upper / US)) in ((32, 256), (64, 256))
    assert (round(disk.lower / US), round(disk.upper / US)) == (8192, 16384)
    for row in measured(name, recording(name)):
        fast, slow = row[0] / sum(row), (row[2] + row[3]) / sum(row)
        assert cache.share.value == pytest.approx(fast, abs=0.02)
        assert disk.share.value == pytest.approx(slow, abs=0.02)


@pytest.mark.parametrize("name", ["steady", "cold-start", "spindle"])
def test_time_waited_of_the_examples(root: Path, name: str) -> None:
    """fio sums what each read took, which is 20 to 60 us more than the device."""
    found = lm.read(root / f"examples/{name}.lmap.gz").modes("loop0")
    rows = [line.split(",") for line in (root / f"examples/{name}.truth.csv").read_text().splitlines()[1:]]
    reads, true = sum(sum(map(int, row[1:5])) for row in rows), sum(int(row[5]) for row in rows) * US
    mean = true / reads
    low, high = (sum(getattr(mode.waited, end) for mode in found.modes) / found.events for end in ("low", "high"))
    assert low < mean - 20 * US
    assert mean - 60 * US < high


def every_series(path: Path) -> Iterator[Modes]:
    run = lm.read(path)
    yield from map(run.modes, run.series)


@pytest.mark.parametrize("name", ["bpftrace-runqlat.bt.txt", "bcc-runqlat.txt", "libbpf-runqlat.txt"])
def test_no_mode_of_a_few_events(shared: Path, name: str) -> None:
    for found in every_series(shared / "data/captures" / name):
        assert found.sure == 1
        assert all(mode.events >= 20 for mode in found.modes)
        assert found.tail is not None


def test_a_source_with_sums_has_closed_bands(shared: Path) -> None:
    """OTLP gives the sum of all: what the reads of the cache cannot have waited, those of the disk have."""
    (found,) = every_series(shared / "data/captures/otlp-explicit.jsonl")
    cache, disk = found.modes
    assert disk.upper - disk.lower == pytest.approx(0.015)
    assert cache.waited.value + disk.waited.value == pytest.approx(27.503, abs=0.001)
    assert disk.wait.low < 0.874 < disk.wait.high


@pytest.mark.parametrize("name", ["hdr-disk-read.hlog", "otlp-exphist.jsonl", "fio-lat-log_lat.1.log"])
def test_fine_rows_are_used(shared: Path, name: str) -> None:
    (found,) = every_series(shared / "data/captures" / name)
    assert 10.1e-3 < found.modes[-1].typical < 10.5e-3
    assert found.modes[-1].lower > 9.9e-3
    assert found.modes[-1].upper < 11e-3


def test_the_waits_of_the_earlier_tool(shared: Path) -> None:
    (found,) = every_series(shared / "data/earlier-tools/example_latency_data.txt")
    assert [mode.typical_band for mode in found.modes] == [(0, 1e-3), (8e-3, 16e-3), (0.512, 1.024)]
    assert all(mode.median.low <= mode.typical <= mode.median.high for mode in found.modes)
    assert all(mode.events > 3_000 for mode in found.modes)
