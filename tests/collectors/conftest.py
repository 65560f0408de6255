"""What tests of single events share: their classes as truth.json counts them."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from pylatencymap.record import Sample

Classes = dict[str, list[int]]
BOUNDS = (1.0, 8.0, 16.384)


@pytest.fixture
def classes() -> Callable[[list[Sample]], Classes]:
    """Samples by series in four classes of milliseconds: below 1, 8 and 16.384, and more."""

    def counted(samples: list[Sample]) -> Classes:
        counts = Counter(
            (one.series, sum(one.latency * one.unit.seconds * 1000 >= bound for bound in BOUNDS)) for one in samples
        )
        return {series: [counts[series, place] for place in range(len(BOUNDS) + 1)] for series, _ in counts}

    return counted


@pytest.fixture
def events_in(shared: Path) -> Callable[[str], Classes]:
    """What truth.json says of the events of a capture, by its file name."""

    def told(name: str) -> Classes:
        found: Classes = json.loads((shared / "data" / "truth.json").read_text())["files"][name]["events"]
        return found

    return told
