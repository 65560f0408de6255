"""A source that counts in wide ranges, and sums: its percentiles are possible for both, and the same everywhere."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import pylatencymap as lm
from tests.api.conftest import Command

BOUNDS = np.array([50e-6, 100e-6, 250e-6, 500e-6, 1e-3, 2.5e-3, 5e-3, 10e-3, 25e-3, 50e-3])
SECONDS, EVENTS = 61, 800


def scrapes(latencies: np.ndarray, *, sums: bool) -> Iterator[str]:
    """What a program serves that counts itself: once a second its counts and the seconds waited since it started."""
    for number in range(1, SECONDS + 1):
        so_far = latencies[: number * EVENTS]
        yield f"# scraped at {1795249486 + number}.0\n# TYPE read_seconds histogram"
        for bound in [*BOUNDS, np.inf]:
            le = "+Inf" if bound == np.inf else f"{bound:g}"
            yield f'read_seconds_bucket{{device="sda",le="{le}"}} {np.count_nonzero(so_far <= bound)}'
        yield f'read_seconds_count{{device="sda"}} {len(so_far)}'
        if sums:
            yield f'read_seconds_sum{{device="sda"}} {so_far.sum():.9f}'


@pytest.fixture(scope="module")
def latencies() -> np.ndarray:
    """A cache at 0.15 ms, and a disk at 10.8 ms behind it, of which the slowest take 13 ms."""
    rng = np.random.default_rng(11)
    events = SECONDS * EVENTS
    slow = rng.random(events) < 0.1
    return np.where(slow, rng.lognormal(np.log(10.9e-3), 0.05, events), rng.lognormal(np.log(150e-6), 0.25, events))


@pytest.fixture(scope="module")
def paths(latencies: np.ndarray, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("scrapes")
    summed, counted = folder / "summed.txt", folder / "counted.txt"
    summed.write_text("\n".join(scrapes(latencies, sums=True)) + "\n")
    counted.write_text("\n".join(scrapes(latencies, sums=False)) + "\n")
    return summed, counted


def test_all_surfaces_tell_the_same(paths: tuple[Path, Path], command: Command) -> None:
    run = lm.read(paths[0], tz="UTC")
    about, compared = run.summary(), lm.compare(run, run).as_dict()["series"][0]["percentiles"]
    report = run.report().as_dict()["series"][0]["percentiles"]
    picture = command("--once", "--depth", "ascii", "--tz", "UTC", str(paths[0])).decode()
    page = command("report", "--tz", "UTC", str(paths[0])).decode()
    for name, one in {"p50": about.p50, "p90": about.p90, "p99": about.p99}.items():
        assert one is not None
        measured = run.check(f"{name} > 1ms").checks[0].measures[0].value
        told = measured, report[name]["value"], compared[name]["before"]["value"], compared[name]["after"]["value"]
        assert told == (one.seconds,) * 4
        shown = [re.search(rf"{name} ([\d.]+ \w+)", text) for text in (picture, page)]
        assert shown[0] is not None
        assert shown[1] is not None
        assert shown[0][1] == shown[1][1]


def test_no_percentile_is_one_that_the_sum_does_not_allow(paths: tuple[Path, Path], latencies: np.ndarray) -> None:
    summed, counted = (lm.read(path, tz="UTC").summary() for path in paths)
    assert not summed.estimated
    assert counted.estimated
    assert summed.p99 is not None
    assert counted.p99 is not None
    events = latencies[EVENTS:]  # the first totals hold no interval
    assert summed.events == len(events)
    truth = float(np.quantile(events, 0.99))
    least = np.concatenate(([0.0], BOUNDS))[np.searchsorted(BOUNDS, events)].sum()
    assert summed.p99.seconds <= 10e-3 + (events.sum() - least) / (0.01 * len(events))
    assert 10e-3 <= summed.p99.low <= truth <= summed.p99.high < counted.p99.high
    assert abs(summed.p99.seconds - truth) < abs(counted.p99.seconds - truth) / 2


def test_a_share_above_a_latency_agrees_with_the_percentile(paths: tuple[Path, Path]) -> None:
    run = lm.read(paths[0], tz="UTC")
    p99 = run.summary().p99
    assert p99 is not None
    assert run.check(f"events_above({1.001 * p99.seconds * 1e3:.6f}ms) > 1%").holds is False
    assert run.check(f"events_above({0.999 * p99.seconds * 1e3:.6f}ms) > 1%").holds is True


def test_a_capture_with_measured_truth(shared: Path) -> None:
    """None of its reads took 16.4 ms or more; of the counts alone, p99 would be 21.7 ms."""
    run = lm.read(shared / "data/captures/prometheus-scrapes.txt", tz="UTC")
    p99 = run.summary().p99
    assert p99 is not None
    assert 10e-3 <= p99.low < p99.seconds < 16.4e-3
    assert run.report().as_dict()["series"][0]["percentiles"]["p99"]["value"] == p99.seconds
