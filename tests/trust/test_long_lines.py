"""No long line takes more than linear time: the short form of ``long_lines.py``."""

import signal
import time
from collections.abc import Iterator

import pytest

from pylatencymap import registry
from pylatencymap.hints import hint_of
from pylatencymap.recognise import LINE_LOOKED_AT
from tests.trust.long_lines import PATTERNS, SAMPLES, TASTED, cpu_seconds, long_inputs, stop_hanging

SIZE = 24_000
LONG_LINES = 40
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


@pytest.mark.parametrize("collector", registry.collector_names())
@pytest.mark.parametrize("piece", [" ", "\t", " 1", "[", "/", "-", '\\"'])
def test_recognition_takes_linear_time_on_long_lines(collector: str, piece: str) -> None:
    """A sample is in front, so that no first look ends recognition, and many long lines are behind it."""
    head, detect = "fio 12 [000] 1.525629: x 7,0\n", registry.load_collector(collector).detect

    def seconds(length: int) -> float:
        text = head + (piece * length + "x\n") * LONG_LINES + (piece * length + "\n") * LONG_LINES
        begun = time.process_time()
        detect(text)
        return time.process_time() - begun

    taken = seconds(LINE_LOOKED_AT // len(piece))
    short = seconds(LINE_LOOKED_AT // len(piece) // 4)
    assert taken < TASTED or taken < FASTER * max(short, TASTED / FASTER)


@pytest.mark.parametrize("piece", [" ", "\t", " ,", "1 ", "/"])
def test_hints_take_linear_time_on_long_lines(piece: str) -> None:
    def seconds(length: int) -> float:
        text = "\n".join([f"{number}{piece * length}8,0{piece * length}x" for number in range(LONG_LINES)])
        begun = time.process_time()
        hint_of(text)
        return time.process_time() - begun

    taken = seconds(LINE_LOOKED_AT // 2 // len(piece))
    short = seconds(LINE_LOOKED_AT // 8 // len(piece))
    assert taken < TASTED or taken < FASTER * max(short, TASTED / FASTER)
