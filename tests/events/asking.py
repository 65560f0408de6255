"""Questions about the events of files, and what the cells of a picture say about the same times and latencies."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pylatencymap.events import EventFile, EventQuestion, EventsFound, by_scan
from pylatencymap.interval import Interval
from pylatencymap.scan import reader
from pylatencymap.session.input import ReadPlan, Sources, large_files, open_source

PLAN = ReadPlan(jobs=1)
MICROSECOND = 1e-6


def answer(path: Path, plan: ReadPlan = PLAN, **asked: Any) -> EventsFound:
    """The complete answer to a question."""
    with EventFile(str(path), plan) as file:
        *_, found = file.read(EventQuestion(**asked))
    assert found.is_complete
    return found


def bad_lines(path: Path, plan: ReadPlan = PLAN) -> int:
    with EventFile(str(path), plan) as file:
        for _ in file.read(EventQuestion()):
            pass
        return file.report.bad_count


def cells(path: Path, plan: ReadPlan = PLAN) -> tuple[list[Interval], int]:
    """The intervals that a picture of the file is made of, and the number of bad lines."""
    sources = Sources(plan, lambda _: None)
    sources.add(open_source(str(path), sources.stop))
    found = [interval for interval in sources.read(lambda _: None) if not interval.gap]
    bad = sources.bad_count()
    sources.close_all()
    return found, bad


@contextmanager
def reading_by(way: str, piece: int = 4_000) -> Iterator[list[str]]:
    """Files are read by ``line`` or by ``scan`` here, whatever their size. Collects which scans came to their end."""
    finished: list[str] = []
    steps = by_scan.ScanPass.steps

    def watched(reading: by_scan.ScanPass) -> Iterator[None]:
        yield from steps(reading)
        finished.append("scan")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(large_files, "LEAST_BYTES", 0 if way == "scan" else 1 << 60)
        patch.setattr(reader, "PIECE", piece)
        patch.setattr(by_scan.ScanPass, "steps", watched)
        yield finished


def check_sums(path: Path, plan: ReadPlan = PLAN, seed: int = 1, questions: int = 3) -> None:
    """In any time, and any range of latencies, there are the events of the cells; and over all latencies the time."""
    intervals, bad = cells(path, plan)
    assert intervals
    assert bad_lines(path, plan) == bad
    rng, ends = Random(seed), sorted({one.end for one in intervals})
    bounds = sorted(
        {bound * one.unit.seconds for one in intervals for low, high, _ in one.ranges for bound in (low, high)}
    )
    for number in range(questions):
        first, last = sorted(rng.choices([ends[0] - 10**9, *ends], k=2)) if number else (None, None)
        last = None if first == last else last
        cuts = sorted({0.0, *rng.sample(bounds, min(2, len(bounds)))})
        _check_column(path, plan, intervals, (first, last), [*cuts, None])


def _check_column(
    path: Path,
    plan: ReadPlan,
    intervals: list[Interval],
    span: tuple[int | None, int | None],
    cuts: list[float | None],
) -> None:
    first, last = span
    inside = [one for one in intervals if (first is None or one.end > first) and (last is None or one.end <= last)]
    waited = 0.0
    for low, high in pairwise(cuts):
        assert low is not None
        found = answer(path, plan, first=first, last=last, low=low, high=high)
        events = sum(
            count
            for one in inside
            for lower, _, count in one.ranges
            if lower * one.unit.seconds >= low - 1e-12 and (high is None or lower * one.unit.seconds < high - 1e-12)
        )
        assert found.total.events == events
        waited += found.total.waited
        check_keys(found)
    assert waited == pytest.approx(sum(one.waited or 0.0 for one in inside), abs=MICROSECOND / 2)


def check_keys(found: EventsFound) -> None:
    """The values, the others and what says nothing are all events, for each key; the lines are the longest."""
    for key in (found.series, *found.keys):
        parts = [*(value.amount for value in key.values), key.others, key.without]
        assert sum(part.events for part in parts) == found.total.events
        assert sum(part.waited for part in parts) == pytest.approx(found.total.waited, abs=MICROSECOND / 2)
        assert [value.amount.waited for value in key.values] == sorted(
            (value.amount.waited for value in key.values), reverse=True
        )
    assert len(found.lines) == min(found.total.events, 1000)
    assert [line.waited for line in found.lines] == sorted((line.waited for line in found.lines), reverse=True)
