"""No long line takes more than linear time: the short form of ``long_lines.py``."""

import signal
from collections.abc import Iterator

import pytest

from tests.trust.long_lines import PATTERNS, SAMPLES, TASTED, cpu_seconds, long_inputs, stop_hanging

SIZE = 24_000
FASTER = 8.0
"""Four times the size may take less than this many times as long: linear is four, quadratic sixteen."""


@pytest.fixture(autouse=True)
def _limited() -> Iterator[None]:
    before = signal.signal(signal.SIGPROF, stop_hanging)
    yield
    signal.signal(signal.SIGPROF, before)


@pytest.mark.parametrize("folder", sorted(path.name for path in SAMPLES.iterdir()))
def test_a_long_line_takes_linear_time(folder: str) -> None:
    for number, pattern in enumerate(PATTERNS):
        places = list(zip(long_inputs(folder, pattern, SIZE), long_inputs(folder, pattern, SIZE // 4), strict=True))
        long, short = places[number % len(places)]
        seconds = cpu_seconds(long)
        assert seconds < TASTED or seconds < FASTER * max(cpu_seconds(short), TASTED / FASTER), long.name
