"""No long line takes more than linear time: the short form of ``long_lines.py``."""

import signal
import time
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from pylatencymap import registry
from pylatencymap.hints import hint_of
from pylatencymap.recognise import LINE_LOOKED_AT
from tests.trust.long_lines import PATTERNS, SAMPLES, TASTED, cpu_seconds, long_inputs, stop_hanging

SIZE = 24_000
LONG_LINES = 40
FASTER = 8.0
"""Four times the size may take less than this many times as long: linear is four, quadratic sixteen."""
TRIES = 5
"""How often a machine that is busy with other work may spoil the comparison; what is quadratic is so each time."""


@pytest.fixture(autouse=True)
def _limited() -> Iterator[None]:
    before = signal.signal(signal.SIGPROF, stop_hanging)
    yield
    signal.signal(signal.SIGPROF, before)


def grows_linearly(cpu_of_long: Callable[[], float], cpu_of_short: Callable[[], float]) -> bool:
    """Whether an input takes no more CPU than its length explains, against one of a quarter of the length."""
    for _ in range(TRIES):
        taken = cpu_of_long()
        if taken < TASTED or taken < FASTER * max(cpu_of_short(), TASTED / FASTER):
            return True
    return False


def cpu_of(work: Callable[[str], object], text: str) -> float:
    begun = time.process_time()
    work(text)
    return time.process_time() - begun


@pytest.mark.parametrize("folder", sorted(path.name for path in SAMPLES.iterdir()))
def test_a_long_line_takes_linear_time(folder: str) -> None:
    for number, pattern in enumerate(PATTERNS):
        places = list(zip(long_inputs(folder, pattern, SIZE), long_inputs(folder, pattern, SIZE // 4), strict=True))
        long, short = places[number % len(places)]
        assert grows_linearly(partial(cpu_seconds, long), partial(cpu_seconds, short)), long.name


@pytest.mark.parametrize("collector", registry.collector_names())
@pytest.mark.parametrize("piece", [" ", "\t", " 1", "[", "/", "-", '\\"'])
def test_recognition_takes_linear_time_on_long_lines(collector: str, piece: str) -> None:
    """A sample is in front, so that no first look ends recognition, and many long lines are behind it."""
    head, detect = "fio 12 [000] 1.525629: x 7,0\n", registry.load_collector(collector).detect

    def seconds(length: int) -> float:
        return cpu_of(detect, head + (piece * length + "x\n") * LONG_LINES + (piece * length + "\n") * LONG_LINES)

    length = LINE_LOOKED_AT // len(piece)
    assert grows_linearly(partial(seconds, length), partial(seconds, length // 4))


@pytest.mark.parametrize("piece", [" ", "\t", " ,", "1 ", "/", "a/", '"a" '])
def test_hints_take_linear_time_on_long_lines(piece: str) -> None:
    """The lines are ten times as long as what is looked at: a quadratic search of shorter ones is too fast to tell."""

    def seconds(length: int) -> float:
        lines = [f"{number}{piece * length}8,0{piece * length}x" for number in range(LONG_LINES)]
        return cpu_of(hint_of, "\n".join(lines))

    length = 5 * LINE_LOOKED_AT // len(piece)
    assert grows_linearly(partial(seconds, length), partial(seconds, length // 4))
