"""Parts that are read again."""

import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from pylatencymap.errors import SourceError
from pylatencymap.interval import Interval
from pylatencymap.intervals import TakeBatch
from pylatencymap.session.detail import Detail, DetailReader
from pylatencymap.session.picture import Picture, PictureOptions
from pylatencymap.session.viewpoint import Viewpoint
from pylatencymap.units import Unit
from tests.waiting import PATIENCE

SECOND = 1_000_000


class Part:
    """Intervals of a second each; they come when the test lets them."""

    def __init__(self, begin: int, end: int, go: threading.Event, error: Exception | None) -> None:
        self._span = begin, end
        self._go = go
        self._error = error
        self.stopped = self.closed = False

    def intervals(self, take_batch: TakeBatch) -> Iterator[Interval]:
        assert self._go.wait(PATIENCE)
        if self._error is not None:
            raise self._error
        for end in range(self._span[0] + SECOND, self._span[1] + 1, SECOND):
            take_batch(interval(end))
        yield from ()

    def progress(self) -> str:
        return "reading"

    def stop(self) -> None:
        self.stopped = True

    def close(self) -> None:
        self.closed = True


def interval(end: int) -> Interval:
    return Interval("a", Unit.US, end - SECOND, end, 1.0, ((64, 128, 1),), 1e-4)


class Reading:
    """A reader with parts that a test can look at."""

    def __init__(self, *, megabytes: float = 1.0, error: Exception | None = None) -> None:
        self.parts: list[tuple[tuple[int, int], Part]] = []
        self.go = threading.Event()
        self.woken = threading.Event()
        self.error = error
        self.reader = DetailReader(self._opened, megabytes, self.woken.set)

    def _opened(self, begin: int, end: int) -> Part:
        self.parts.append(((begin, end), Part(begin, end, self.go, self.error)))
        return self.parts[-1][1]

    def want(self, begin: int, end: int) -> None:
        self.reader.want((begin * SECOND, end * SECOND), (0, 10_000 * SECOND))

    def finished(self) -> Detail:
        self.go.set()
        assert self.woken.wait(PATIENCE)
        self.woken.clear()
        found = None
        while found is None:
            found = self.reader.collect()
        return found

    @property
    def spans(self) -> list[tuple[int, int]]:
        return [(begin // SECOND, end // SECOND) for (begin, end), _ in self.parts]


def test_a_screen_on_each_side_is_read_too() -> None:
    reading = Reading()
    reading.want(100, 150)
    reading.want(90, 140)
    assert reading.spans == [(50, 200)]
    assert reading.reader.collect() is None
    assert reading.reader.progress() == "reading"
    detail = reading.finished()
    assert (detail.begin, detail.end) == (50 * SECOND, 200 * SECOND)
    assert detail.kept_between(60 * SECOND, 200 * SECOND) is detail.window
    assert detail.kept_between(49 * SECOND, 60 * SECOND) is None
    assert len(detail.window["a"]) == 150
    assert reading.reader.progress() == ""
    assert reading.parts[0][1].closed


def test_only_what_there_is_can_be_read() -> None:
    reading = Reading()
    reading.want(10, 9_990)
    assert reading.spans == [(0, 10_000)]


def test_what_is_not_wanted_any_more_is_given_up() -> None:
    reading = Reading()
    reading.want(100, 150)
    reading.want(500, 550)
    assert reading.spans == [(50, 200), (450, 600)]
    assert reading.parts[0][1].stopped
    assert reading.finished().begin == 450 * SECOND


def test_what_still_had_to_be_merged_is_read_once_more_and_no_more() -> None:
    """Memory for a few columns: with the sides, then without them; then that is all that can be had."""
    reading = Reading(megabytes=0.001)
    for _ in range(4):
        reading.want(100, 150)
        if len(reading.parts) and reading.reader.progress():
            reading.finished()
    assert reading.spans == [(50, 200), (100, 150)]
    reading.want(100, 120)
    assert reading.spans[2:] == [(100, 120)]


def test_what_cannot_be_read_is_said_once() -> None:
    reading = Reading(error=SourceError("gone"))
    reading.want(100, 150)
    reading.go.set()
    assert reading.woken.wait(PATIENCE)
    with pytest.raises(SourceError, match="gone"):
        reading.reader.collect()
    reading.want(300, 350)
    assert reading.spans == [(50, 200)]


@pytest.mark.parametrize("series", [Viewpoint(series="sda"), Viewpoint(summed=True), Viewpoint(stacked=("sda", "sdb"))])
def test_one_can_zoom_to_the_intervals_that_memory_has_merged(series: Viewpoint) -> None:
    shown = Picture(PictureOptions(Viewpoint(), history_mb=0.02))
    shown.keep_room()
    longest = 0.0
    for second in range(1, 1000):
        for name in ("sda", "sdb"):
            shown.window.add(replace(interval(second * SECOND), series=name))
        longest = max(longest, shown.window["sda"].usual_seconds())
        assert shown.usual_seconds(series) == 1.0
    assert longest > 1
