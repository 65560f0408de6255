"""The script draws what the Python tool draws: same rows, the same step in each cell, and the same words, by frame.

Both get the same counters: the script as it draws them, the tool as the record stream of a twin run.
"""

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyte
import pytest
from pyte.graphics import FG_BG_256

from pylatencymap.interval import Interval
from pylatencymap.intervals.difference import to_intervals
from pylatencymap.intervals.options import TimeOptions
from pylatencymap.intervals.stages import resolve_times
from pylatencymap.oracle_script import script
from pylatencymap.report import Report
from pylatencymap.stream.reader import read_stream
from pylatencymap.text.lines import lines_of
from pylatencymap.view.drawing import draw_picture
from pylatencymap.view.layout.colour_scale import ScaleMemory
from pylatencymap.view.layout.scene import Scene
from pylatencymap.view.layout.status import LIVE, Status
from pylatencymap.view.style.colour_depth import ColourDepth
from pylatencymap.view.style.options import ViewOptions
from pylatencymap.view.terminal.ansi import final_picture
from pylatencymap.window.window import Window

EVENT = "db file sequential read"
FRAMES, COLUMNS = 40, 20
FEW_FRAMES = COLUMNS + 2
"""For the stories of every day: the first columns leave the maps."""
LEFT = 9
SIZE = (LEFT + COLUMNS + 50, 90)
RAMPS = {"FREQUENCY": (18, 20, 26, 32, 38, 80, 87), "INTENSITY": (52, 88, 124, 166, 208, 214, 221)}
OVERFLOW = 2**32 - 1

FIGURE = re.compile(r"(avg|p50|p90|p99|max) ((?:>= |[<>] )?[\d.]+ \w+)")

Waits = Callable[[int], dict[int, int]]
"""New waits of a second, by WAIT_TIME_MICRO."""


class Story(NamedTuple):
    """What happens: ``restarts`` are seconds at which the counters begin again, ``slow`` samples take 4 s longer.

    ``silent`` are samples without any row.
    """

    waits: Waits
    rows: int = 12
    restarts: tuple[int, ...] = ()
    hidden: tuple[int, ...] = ()
    slow: tuple[int, ...] = ()
    silent: tuple[int, ...] = ()
    means: Callable[[int], float] | None = None
    """The mean latency of the waits of a second, in parts of their bounds, if the sums are known."""
    told: float = 1.0
    """The part of the waits that the sums count, of an instance that has been up for long."""


def noisy(seed: int, lowest: int = 5, highest: int = 16) -> Waits:
    """Two modes whose rates wander; what lies between comes and goes."""

    def waits(second: int) -> dict[int, int]:
        chance = random.Random(seed * 100_003 + second // 3)
        found = {2**k: chance.choice((0, 0, 1, 5, 40)) for k in range(lowest, highest + 1)}
        found[512] = chance.randrange(100, 900) + 7 * second
        found[16384] = chance.randrange(20, 90)
        return {bound: count for bound, count in found.items() if count}

    return waits


def hot(second: int) -> dict[int, int]:
    """One sample in twenty is twenty times as hot."""
    return {256: 100 * (20 if second % 60 == 30 else 1), 8192: 5}


def shrinking(second: int) -> dict[int, int]:
    """What begins wide and high ends narrow and low: ranges and scales shrink, but not at once."""
    return {64: 1, 512: 900, 2**20: 3} if second < 15 else {512: 30, 1024: 20}


def stalled(second: int) -> dict[int, int]:
    """Waits beyond the last power of two, for a while."""
    return {512: 100, 2**30: second % 2} | ({OVERFLOW: 2} if 30 <= second < 60 else {})


def idle(second: int) -> dict[int, int]:
    """Nothing in most of the seconds."""
    return {2048: 4} if second % 30 == 0 else {}


STORIES = {
    "steady": Story(lambda _: {64: 2, 128: 20, 256: 300, 512: 600, 16384: 75, 65536: 4}),
    "noisy": Story(noisy(1)),
    "noisy, few rows": Story(noisy(2), rows=5),
    "wide, few rows": Story(noisy(3, lowest=0, highest=24), rows=8),
    "much at both edges, few rows": Story(lambda second: {16: 40 + second, 512: 30, 2**20: 50}, rows=7),
    "an edge that comes to hide much": Story(
        lambda second: {16: second, 32: 40, 512: 900, 16384: 60, 2**17: 1}, rows=11
    ),
    "an edge with much time": Story(lambda second: {16: second, 32: 40, 512: 900, 16384: 60, 2**15: 1}, rows=8),
    "hot": Story(hot),
    "shrinking": Story(shrinking, rows=20),
    "stalled": Story(stalled),
    "stalled, few rows": Story(stalled, rows=3),
    "only beyond": Story(lambda second: {OVERFLOW: 1 + second % 2}),
    "idle": Story(idle),
    "restart": Story(noisy(4), restarts=(29, 70)),
    "restart from high": Story(lambda second: {512: 9000 if second in (40, 41) else 100}, restarts=(39,), silent=(13,)),
    "vanishing": Story(noisy(5), hidden=(10, 11, 25)),
    "slow": Story(noisy(6), slow=(20,)),
}


def between(second: int) -> float:
    """Waits are nearer to one bound or the other, from second to second."""
    return random.Random(second).uniform(0.5, 1.0)


STORIES |= {
    f"{name}, exact": STORIES[name]._replace(means=between)
    for name in ("steady", "noisy", "noisy, few rows", "an edge with much time", "hot", "idle", "restart", "slow")
} | {
    "low, exact": STORIES["noisy"]._replace(means=lambda _: 0.5),
    "noisy, of other waits": STORIES["noisy"]._replace(means=between, told=0.7),
    "high, exact": STORIES["noisy, few rows"]._replace(means=lambda _: 1.0),
}
EVERY_DAY = ("steady", "steady, exact", "restart")
"""Stories that make test runs as well."""


def told(mock: Any, story: Story) -> Any:
    """A mock whose counters follow the story."""
    start = mock.clock.now
    began = {0: {512: 100_000 if story.told == 1.0 else 10**9, 16384: 10_000}}

    def counters(now: Any) -> Iterator[tuple[int, str, int, int, int]]:
        second = int((now - start).total_seconds())
        restarted = max((at for at in story.restarts if at <= second), default=0)
        totals = dict(began.get(restarted, {}))
        for each in range(restarted, second):
            for bound, count in story.waits(each).items():
                totals[bound] = totals.get(bound, 0) + count
        for bound in sorted(totals):
            if not (mock.snapshots in story.hidden and bound == 512):
                yield 1, EVENT, bound, totals[bound], 0

    def shown(_: str, column: str, __: int) -> int:
        assert story.means is not None
        second = int((mock.clock.now - start).total_seconds())
        restarted = max((at for at in story.restarts if at <= second), default=0)
        waits = dict(began.get(restarted, {}))
        micros = sum(0.75 * bound * count for bound, count in waits.items())
        for each in range(restarted, second):
            micros += sum(story.means(each) * bound * count for bound, count in story.waits(each).items())
            for bound, count in story.waits(each).items():
                waits[bound] = waits.get(bound, 0) + count
        since = sum(waits.values()) - sum(began.get(restarted, {}).values())
        return sum(waits.values()) - round((1 - story.told) * since) if column == "TOTAL_WAITS" else round(micros)

    mock.counters = counters
    if story.means is not None:
        mock.shown = shown
    sleep = mock.clock.sleep
    slept = iter(range(FRAMES + 1))
    mock.clock.sleep = lambda seconds: sleep(float(seconds) + 4 * (next(slept) in story.slow))
    return mock


class Map(NamedTuple):
    """Labels and steps of the rows, top first; a step is None where nothing is known."""

    labels: list[str]
    steps: list[list[int | None]]


class Frame(NamedTuple):
    """Both maps, cell by cell, and the figures of both lines of statistics, as in ``("p99", "27.0 ms")``."""

    maps: dict[str, Map]
    figures: list[list[tuple[str, str]]]


def frame_of(text: str, left: int) -> Frame:
    """A picture as it stands on a terminal; its maps begin at a column of it."""
    screen = pyte.Screen(*SIZE)
    pyte.Stream(screen).feed(text.replace("\n", "\r\n"))
    figures = [FIGURE.findall(line) for line in screen.display if line.split()[:1] in (["window"], ["latest"])]
    return Frame(_maps_of(screen, screen.display, left), figures)


def _maps_of(screen: Any, lines: list[str], left: int) -> dict[str, Map]:
    headings = {name: next(y for y, line in enumerate(lines) if name in line) for name in RAMPS}
    return {name: _map_of(screen, lines, name, heading, left) for name, heading in headings.items()}


def _map_of(screen: Any, lines: list[str], name: str, heading: int, left: int) -> Map:
    steps_of = {FG_BG_256[colour]: step for step, colour in enumerate(RAMPS[name], 1)}
    found = Map([], [])
    for line in range(heading + 1, screen.lines):
        label = lines[line][: LEFT - 1].strip()
        if label == "total":
            return found
        if label:
            cells = [screen.buffer[line][x] for x in range(left, left + COLUMNS)]
            found.labels.append(label)
            found.steps.append([_step_of(cell, steps_of) for cell in cells])
    raise AssertionError("no line of totals")


def _step_of(cell: Any, steps_of: dict[str, int]) -> int | None:
    if cell.data in "/╱":  # noqa: RUF001
        return None
    return 8 if cell.data == "+" else steps_of.get(cell.bg, 0)


def frames_of_script(text: str) -> list[Frame]:
    """Each frame but the first, which waits."""
    return [frame_of(frame, LEFT) for frame in text.split("\x1b[?7l")[2:]]


def frames_of_python(text: str, rows: int) -> list[Frame]:
    """The picture after each interval of a record stream."""
    report = Report("stream")
    found = to_intervals(resolve_times(read_stream(lines_of(text), report), TimeOptions(), report))
    window, memory = Window(), ScaleMemory()
    options = ViewOptions(depth=ColourDepth.COLOURS_256, rows=rows)
    return [_drawn(interval, window, memory, options) for interval in found]


def _drawn(interval: Interval, window: Window, memory: ScaleMemory, options: ViewOptions) -> Frame:
    window.add(interval)
    selection = window.select(interval.series, COLUMNS)
    status = Status("oracle", interval.series, state=LIVE, interval=selection.width)
    scene = Scene(selection.matrix(1, memory.cover), status, selection.summary(), selection.latest())
    drawn = draw_picture(scene, options, SIZE, memory)
    found = frame_of(final_picture(drawn.cells, options), drawn.geometry.right - COLUMNS)
    return _hatched(found, COLUMNS - drawn.geometry.ends.size)


def _hatched(frame: Frame, unknown: int) -> Frame:
    """The time before the first column is empty here, and hatched in the script."""
    for one in frame.maps.values():
        one.steps[:] = [[None] * unknown + row[unknown:] for row in one.steps]
    return frame


def compare(story: Story, frames: int, still: Callable[..., Any], run: Callable[..., Any], path: Path) -> None:
    """Run a story twice, and compare all frames."""
    path.write_text(script(frames * 3 / 3600))
    drawn, errors = run("3", EVENT, str(story.rows), str(COLUMNS), mock=told(still(), story), path=path)
    streamed, more = run("stream", "3", EVENT, mock=told(still(), story), path=path)
    assert not errors + more
    ours, theirs = frames_of_script(drawn), frames_of_python(streamed, story.rows)
    for number in story.silent:
        assert ours[number - 1] == ours[number - 2]
        del ours[number - 1]
    assert len(ours) == len(theirs) == frames - len(story.silent)
    for number, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        assert len(one.figures) == 2
        assert one.figures == other.figures, number
        for kind in RAMPS:
            if story.waits(0):
                assert any(step for row in one.maps[kind].steps for step in row), (number, kind, "nothing is drawn")
            assert one.maps[kind].labels == other.maps[kind].labels, (number, kind)
            assert one.maps[kind].steps == other.maps[kind].steps, (number, kind)


@pytest.mark.parametrize(
    ("name", "frames"),
    [
        *((name, FEW_FRAMES) for name in EVERY_DAY),
        *(pytest.param(name, FRAMES, marks=pytest.mark.thorough) for name in STORIES),
    ],
)
def test_every_cell_of_every_frame_has_the_step_of_the_python_tool(
    name: str, frames: int, still: Callable[..., Any], run: Callable[..., Any], tmp_path: Path
) -> None:
    compare(STORIES[name], frames, still, run, tmp_path / "oralatencymap.sql")
