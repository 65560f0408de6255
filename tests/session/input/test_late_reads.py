"""A program that prints evenly, and a reader that gets no CPU for a while: what it read late was not made late.

The program, the spans without a CPU, and all clocks are scripted, so nothing waits.
"""

import random
from collections.abc import Sequence

import pytest

from pylatencymap.session.input.source import queued_seconds
from tests.session.input.scripted_reads import LateReader, read_to_end
from tests.session.input.test_live_beginnings import Seen

Spans = Sequence[tuple[float, float]]


class StarvedReader(LateReader):
    """A program, and a reader that gets no CPU in some spans of time. ``queued``: how long it was ready to run then."""

    def __init__(self, prints: Sequence[tuple[float, str]], spans: Spans, tells: bool) -> None:
        super().__init__(prints)
        self._spans = list(spans)
        self._tells = tells
        self._queued = 0.0

    def queued(self) -> float:
        return self._queued if self._tells else 0.0

    def wait_for(self, descriptor: int, timeout: float | None) -> bool:
        if timeout == 0.0:
            self._starve()
        ready = super().wait_for(descriptor, timeout)
        self._starve()
        return ready

    def _starve(self) -> None:
        end = next((end for begin, end in self._spans if begin <= self.now < end), None)
        if end is None:
            return
        self._queued += end - self.now
        self.pass_until(end)


def seen(moments: Sequence[float], spans: Spans, tells: bool = True) -> Seen:
    """What a program that prints at these moments becomes; ``tells``: the system says how long we had no CPU."""
    texts = [_print(number) for number in range(len(moments))]
    program = StarvedReader(list(zip(moments, texts, strict=True)), spans, tells)
    return read_to_end(program, program.queued)


def _print(number: int) -> str:
    head = "" if number else "Attaching 3 probes...\n"
    counts = {"[64, 128)": 5 + 7 * number % 11, "[128, 256)": 3 + 5 * number % 7, "[256, 512)": 2 + 3 * number % 5}
    rows = "\n".join(f"{bounds}  {count} |@|" for bounds, count in counts.items())
    return f"{head}@usecs:\n{rows}\n\n"


def _steps(found: Seen) -> list[float]:
    return [end - start for start, end, _ in found.rows]


@pytest.mark.parametrize("seed", range(100))
def test_what_is_printed_evenly_is_drawn_evenly_however_late_it_is_read(seed: int) -> None:
    chance = random.Random(seed)
    step, at, spans = chance.choice([0.5, 1.0, 2.0, 5.0]), 0.0, list[tuple[float, float]]()
    for _ in range(chance.randint(0, 4)):  # while we start
        begin = at + chance.uniform(0, 0.6) * step
        at = begin + chance.uniform(0.05, 1.7) * step
        spans.append((begin, at))
    begin = chance.uniform(12, 20) * step
    spans.append((begin, begin + chance.uniform(0.1, 2.8) * step))
    first = chance.uniform(0.05, 1) * step
    moments = [first + step * number for number in range(30)]
    found = seen(moments, spans)
    assert [end for _, end, _ in found.rows] == pytest.approx(moments, abs=step / 10)
    assert _steps(found) == pytest.approx([step] * 30, abs=step / 10)
    assert all(one.clock and not one.doubtful for one in found.intervals)


def test_a_source_that_was_late_itself_is_drawn_late() -> None:
    moments = [n + 1 + (0.7 if n in (8, 15, 16) else 0.0) for n in range(25)]
    assert [end for _, end, _ in seen(moments, []).rows] == pytest.approx(moments)
    starved = seen(moments, [(8.8, 8.95), (9.6, 9.8), (15.9, 16.1)])
    assert [end for _, end, _ in starved.rows] == pytest.approx(moments, abs=0.11)


def test_a_print_is_placed_no_earlier_than_it_can_have_come() -> None:
    moments = [n + 1 + (0.5 if n == 8 else 0.0) for n in range(25)]
    late = seen(moments, [(9.4, 9.7)])
    assert [end for _, end, _ in late.rows] == pytest.approx(moments)


def test_where_no_system_tells_what_was_there_before_we_looked_was_not_late() -> None:
    moments = [n + 1.0 for n in range(25)]
    found = seen(moments, [(10.16, 12.7)], tells=False)
    assert [end for _, end, _ in found.rows] == pytest.approx(moments)


def test_a_live_pipe_is_read_by_a_thread_that_knows_how_long_it_had_no_cpu() -> None:
    before = queued_seconds()
    assert 0 <= before <= queued_seconds()
