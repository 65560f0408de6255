"""What is kept from picture to picture changes nothing in it: random sessions, each picture drawn twice."""

from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest

from pylatencymap.interval import Interval
from pylatencymap.record import Mark, Stamp
from pylatencymap.session.picture import Picture, PictureOptions
from pylatencymap.session.viewpoint import Viewpoint
from pylatencymap.units import Unit
from pylatencymap.view.layout.scene import Pointer
from pylatencymap.view.layout.status import END, LIVE, PAUSED, Status
from pylatencymap.view.style.colour_depth import ColourDepth
from pylatencymap.view.style.options import ViewOptions
from tests.amounts import few_or_many
from tests.drawn_twice import assert_same, guard

SECOND = 1_000_000
START = 1_700_000_000 * SECOND
SIZES = ((120, 40), (120, 40), (123, 44), (80, 24), (60, 20), (100, 12), (20, 6), (233, 112), (200, 60))
KEYS = (("space", "pause"), ("q", "quit"))


@pytest.fixture(autouse=True)
def _guarded() -> Iterator[None]:
    end = guard()
    yield
    end()


class Session:
    """A source with two series that does all that sources do, and a user who presses all keys."""

    def __init__(self, seed: int) -> None:
        self.random = random = Random(seed)
        depth = random.choice(list(ColourDepth))
        self.at = Viewpoint(ViewOptions(depth=depth, scale=random.choice(("sqrt", "linear", "log", "share"))))
        self.picture = Picture(PictureOptions(self.at, history_mb=random.choice((0.02, 256))))
        self.size = random.choice(SIZES)
        self.said = Status(label="pylatencymap", state=LIVE, keys=KEYS)
        self.tick: int | None = None
        self.now, self.height, self.lowest = START, 1.0, 5
        self.exact = random.random() < 0.5

    def happen(self) -> None:
        """An interval of one or both series, sometimes after a gap or a reset, long, short or at another height."""
        random, start = self.random, self.now
        gap, long = random.random() < 0.02, random.random() < 0.01
        self.now += SECOND * (random.randint(2, 9) if gap or long else 1) + random.randint(-20_000, 20_000)
        if random.random() < 0.03:
            self.height, self.lowest = random.choice((0.0, 0.1, 1.0, 1.0, 30.0)), random.randint(3, 9)
        for name in ("sda", "sdb")[: random.choice((1, 2, 2))]:
            counts = [int(self.height * random.gammavariate(2.0, 20.0)) * (random.random() < 0.6) for _ in range(9)]
            ranges = tuple((1 << k, 2 << k, count) for k, count in enumerate(counts, self.lowest) if count and not gap)
            if random.random() < 0.02 and not gap:
                ranges = (*ranges, (1 << 19, None, 3))
            waited = None if gap else sum(count * lower * 1.5e-6 for lower, _, count in ranges)
            reset, seconds = random.random() < 0.01, (self.now - start) / SECOND
            self.picture.extend(
                [
                    Interval(
                        name, Unit.US, start, self.now, seconds, ranges, waited, not self.exact, reset, gap, source="x"
                    )
                ]
            )

    def press(self) -> None:
        """What a user does now and then."""
        random, chance = self.random, self.random.random()
        if chance < 0.03:
            self.size = random.choice(SIZES)
        elif chance < 0.10:
            view = {
                "scale": random.choice(("sqrt", "linear", "log", "share")),
                "frequency_max": random.choice((None, None, 50.0)),
                "rows": random.choice((None, None, 4)),
                "slo": random.choice((None, 0.001)),
                "min_latency": random.choice((None, None, 64e-6)),
                "max_latency": random.choice((None, None, 4e-3)),
                "map": random.choice(("both", "both", "intensity")),
                "depth": random.choice(list(ColourDepth)),
                "percentiles": random.choice(("auto", "off", "map", "strip")),
            }
            name = random.choice(list(view))
            self.at = self.at.looking(**{name: view[name]})
        elif chance < 0.12:
            self.at = self.at._replace(stacked=random.choice(((), ("sda", "sdb"))))
        elif chance < 0.13:
            self.at = self.at._replace(series=random.choice((None, "sda", "sdb")), summed=random.random() < 0.3)
        elif chance < 0.16:
            self.at = self.at._replace(resolution=random.choice((1, 2, 4)), width=random.choice((None, None, 2.0, 5.0)))
        elif chance < 0.19:
            self.at = self.at._replace(pointer=random.choice((None, Pointer(self.now - 5 * SECOND, 0.001))))
        elif chance < 0.22:
            self.at = self.at._replace(end=random.choice((None, None, self.now - 20 * SECOND)))
        elif chance < 0.24:
            self.picture.mark(Mark(Stamp(self.now), "what now"))
        elif chance < 0.27:
            self.said = self.said._replace(
                state=random.choice((LIVE, PAUSED, END)), message=random.choice(("", "news"))
            )
        if random.random() < 0.1:
            self.tick = random.choice((None, 1, 2))

    def think(self) -> None:
        if self.random.random() < 0.2 and self.picture.has_thoughts(self.at):
            self.picture.think(self.at)

    def draw(self):
        return self.picture.drawn(self.at, self.size, self.said, self.tick)


@pytest.mark.parametrize("frames", few_or_many(40, 150))
@pytest.mark.parametrize("seed", range(12))
def test_what_is_kept_changes_nothing(seed: int, frames: int) -> None:
    session = Session(seed)
    for _ in range(frames):
        for _ in range(session.random.choice((0, 1, 1, 1, 1, 2, 40))):
            session.happen()
        session.press()
        session.think()
        session.draw()


def test_texts_of_a_tick_stay_while_columns_come_and_catch_up_after_it() -> None:
    session = Session(3)
    session.at, session.size = Viewpoint(ViewOptions()), (120, 40)
    for _ in range(100):
        session.happen()
    session.tick = 1
    pictures = []
    for _ in range(4):
        session.happen()
        pictures.append(session.draw())
    texts = ["".join(drawn.cells.text()[0]) for drawn in pictures]
    assert len(set(texts)) == 1
    for one, next_one in pairwise(pictures):
        assert one.geometry.ends[-1] < next_one.geometry.ends[-1]
    session.tick = None
    complete, again = session.draw(), session.draw()
    assert complete.cells.text()[0] != texts[0]
    assert_same(complete, again)
    session.tick = 1
    assert session.draw().cells.text() == complete.cells.text(), "never older than what was shown"
