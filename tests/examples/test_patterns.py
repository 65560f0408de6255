"""The simulated patterns: their recordings hold what was simulated, and obey the laws of what they are named after."""

import importlib.util
import re
import sys
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest

import pylatencymap as lm

ROOT = Path(__file__).parent.parent.parent
RECORDINGS = sorted((ROOT / "examples/patterns").glob("*.lmap.gz"))
NAMES = [path.name.removesuffix(".lmap.gz") for path in RECORDINGS]


@cache
def simulations() -> ModuleType:
    spec = importlib.util.spec_from_file_location("simulations", ROOT / "docs/pictures/simulations.py")
    assert spec is not None
    assert spec.loader is not None
    sys.modules[spec.name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def events_by_latency(name: str) -> Counter[tuple[int, int]]:
    """Events of a recording by range, microseconds."""
    found: Counter[tuple[int, int]] = Counter()
    for interval in lm.read(ROOT / f"examples/patterns/{name}.lmap.gz", tz="UTC").intervals(name):
        for lower, upper, count in interval.ranges:
            assert upper is not None
            found[round(lower), round(upper)] += round(count)
    return found


def test_each_has_a_recording_a_picture_and_a_chapter() -> None:
    assert {*NAMES} == {*simulations().PATTERNS}
    page = (ROOT / "docs/patterns.md").read_text(encoding="utf-8")
    shown = re.findall(r"pictures/pattern-([\w-]+)\.svg", page)
    assert {*NAMES} < {*shown}
    assert page.count("*Simulated: ") == len(NAMES)
    assert page.count("*Recorded: ") == len(shown) - len(NAMES)


@pytest.mark.parametrize("name", ["dying-disk", "noisy-neighbour"])
def test_a_recording_holds_the_requests_that_were_simulated(name: str) -> None:
    requests = simulations().simulated(name)
    recorded = events_by_latency(name)
    assert sum(recorded.values()) == len(requests)
    latencies = [done - asked for asked, done in requests]
    for (lower, upper), count in recorded.items():
        assert sum(lower <= latency < upper for latency in latencies) == count


def test_a_throttle_lets_no_more_through_than_its_limit_and_its_reserve() -> None:
    bucket = simulations().TokenBucket(500, 1000)
    admitted = [bucket.admit(at) for at in range(0, 10_000_000, 1_000)]  # 1,000/s, for 10 s
    assert sum(moment < 10_000_000 for moment in admitted) == pytest.approx(500 * 10 + 1000, abs=2)
    late = [moment for moment in admitted if moment > 5_000_000]
    assert {after - before for before, after in pairwise(late)} == {2_000}


def test_a_queue_serves_one_after_the_other() -> None:
    station = simulations().Station(2)
    assert [station.serve(at, 10) for at in (0, 1, 2, 3, 40)] == [10, 11, 20, 21, 50]


def test_nothing_lies_between_an_answer_and_the_timer() -> None:
    recorded = events_by_latency("timeout-line")
    assert sum(count for (lower, upper), count in recorded.items() if lower >= 16_000 and upper <= 196_608) == 0
    assert sum(count for (lower, _), count in recorded.items() if lower >= 196_608) > 300


def test_four_workers_of_four_milliseconds_do_less_than_a_thousand_per_second() -> None:
    run = lm.read(ROOT / "examples/patterns/saturation.lmap.gz", tz="UTC")
    counts = run.matrix("saturation").counts.sum(axis=0)
    assert counts[-31:-1].mean() == pytest.approx(1000 / (4 * 1.0317) * 4, rel=0.02)  # the mean of a lognormal time
