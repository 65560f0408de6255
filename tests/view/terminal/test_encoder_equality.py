"""Frames of all that can happen: an emulator holds the same as after an encoder that knows nothing."""

from collections.abc import Iterator
from random import Random

import numpy as np
import pyte
import pytest

from pylatencymap.interval import Interval
from pylatencymap.units import Unit
from pylatencymap.view.drawing import DrawnPicture, draw_picture, map_columns
from pylatencymap.view.layout.colour_scale import ScaleMemory
from pylatencymap.view.layout.scene import Scene
from pylatencymap.view.layout.status import END, Status
from pylatencymap.view.paint.canvas import Cells
from pylatencymap.view.style.colour_depth import ColourDepth
from pylatencymap.view.style.options import ViewOptions
from pylatencymap.view.style.styles import style
from pylatencymap.view.terminal.encoder import ScreenEncoder, synchronized
from pylatencymap.window.window import Window
from tests.amounts import few_or_many
from tests.view.emulator import held, plain_text, plainly_shown, screen_with

SECOND = 1_000_000
SIZES = ((60, 20), (64, 22), (81, 24), (72, 31))
LARGE = (132, 43)


class Session:
    """A source, and a user who plays with everything."""

    def __init__(self, seed: int, options: ViewOptions, count: int) -> None:
        self._count = count
        self._random = Random(seed)
        self._window = Window()
        self._memory = ScaleMemory()
        self._options = options
        self._size = SIZES[0]
        self._resolution, self._width, self._state = 1, None, "LIVE"
        self._marks: list[tuple[int, str, str]] = []
        self._now = 1_700_000_000 * SECOND
        self._level = 1.0

    def frames(self) -> Iterator[tuple[tuple[int, int], DrawnPicture]]:
        """Sizes and pictures."""
        for number in range(self._count):
            for _ in range(self._random.choice((0, 1, 1, 1, 1, 1, 2, 5))):
                self._happen()
            self._play(number)
            drawn = self._picture()
            yield self._size, self._with_box(drawn) if number % 23 > 18 else drawn

    def _happen(self) -> None:
        """An interval, sometimes after a reset, a gap, or at another height."""
        random, start = self._random, self._now
        gap = random.random() < 0.03
        self._now += SECOND * (random.randint(3, 9) if gap else 1)
        self._level = random.choice((0.1, 1.0, 30.0)) if random.random() < 0.03 else self._level
        counts = [int(self._level * random.gammavariate(2.0, 20.0)) * (random.random() < 0.5) for _ in range(11)]
        ranges = tuple((16 << k, 32 << k, count) for k, count in enumerate(counts) if count and not gap)
        reset = random.random() < 0.02
        waited = None if gap else sum(count * lower * 1.5e-6 for lower, _, count in ranges)
        seconds = (self._now - start) / SECOND
        self._window.add(
            Interval("sda", Unit.US, start, self._now, seconds, ranges, waited, reset=reset, gap=gap, source="disk")
        )

    def _play(self, number: int) -> None:
        """What a user does now and then."""
        random = self._random
        if number % 37 == 0:
            self._size = random.choice(SIZES)
        if number == self._count // 2:
            self._size = LARGE
        if random.random() < 0.04:
            self._resolution = random.choice((1, 1, 2, 4))
        if random.random() < 0.04:
            self._width = random.choice((None, None, 2.0, 5.0))
        if random.random() < 0.03:
            self._marks.append((self._now, "M", "what now"))
        if random.random() < 0.03:
            maximum = random.choice((None, 100.0))
            self._options = self._options._replace(scale=random.choice(("sqrt", "linear")), frequency_max=maximum)
        self._state = END if number % 50 > 46 else "LIVE"

    def _picture(self) -> DrawnPicture:
        if not len(self._window):
            self._happen()
        selection = self._window.select("sda", map_columns(self._size), self._width)
        keys = (("space", "pause"), ("q", "quit"))
        status = Status("biolatency", "sda", state=self._state, interval=selection.width, keys=keys)
        status = status._replace(resolution=self._resolution, marks=tuple(self._marks))
        matrix = selection.matrix(self._resolution, self._memory.cover)
        scene = Scene(matrix, status, selection.summary(), selection.latest())
        return draw_picture(scene, self._options, self._size, self._memory)

    def _with_box(self, drawn: DrawnPicture) -> DrawnPicture:
        """Something laid over the picture, of which its geometry says nothing."""
        chars, styles = drawn.cells.chars.copy(), drawn.cells.styles.copy()
        top, left = self._random.randrange(10), self._random.randrange(30)
        chars[top : top + 8, left : left + 25] = ord("?")
        styles[top : top + 8, left : left + 25] = style(bold=True, reverse=True)
        return DrawnPicture(Cells(chars, styles), drawn.geometry)


@pytest.mark.parametrize("count", few_or_many(120, 400))
@pytest.mark.parametrize("depth", list(ColourDepth))
def test_the_terminal_holds_the_same_as_after_the_plain_encoder(depth: ColourDepth, count: int) -> None:
    options = ViewOptions(depth=depth)
    encoder = ScreenEncoder(options)
    screen = pyte.Screen(*SIZES[0])
    stream = pyte.Stream(screen)
    shifted = 0
    for number, (size, drawn) in enumerate(Session(list(ColourDepth).index(depth), options, count).frames()):
        if (screen.columns, screen.lines) != size:
            screen.resize(size[1], size[0])
        text = encoder.encode(drawn)
        shifted += "\x1b[P" in text
        stream.feed(synchronized(text))
        wanted = plainly_shown(drawn.cells, options)
        assert held(screen) == wanted, f"frame {number}"
        if number % 100 == 50:
            assert held(screen_with(*size, plain_text(drawn.cells, options))) == wanted
    assert shifted > count / 4, "what is to be tested happened"
    assert np.array_equal(encoder.shown.chars, drawn.cells.chars)
