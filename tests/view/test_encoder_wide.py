"""The frugal encoder with characters of two cells: overwritten by halves, next to what moves, on old terminals."""

from unittest import mock

import numpy as np
import pyte
from hypothesis import given, settings, strategies as st

from pylatencymap.view.drawing import DrawnPicture
from pylatencymap.view.layout.geometry import Geometry, Region
from pylatencymap.view.paint.canvas import TAIL_CODE, Canvas, Cells
from pylatencymap.view.style.colour_depth import ColourDepth
from pylatencymap.view.style.options import ViewOptions
from pylatencymap.view.style.styles import Ink, style
from pylatencymap.view.terminal.ansi import final_picture
from pylatencymap.view.terminal.encoder import ScreenEncoder
from tests.amounts import examples
from tests.view.emulator import StrictScreen, drawn_of, held, plain_text, plainly_shown, screen_with

COLUMNS, LINES = 24, 4
STYLES = (0, style(bold=True), style(Ink.DIM), style(bold=True, reverse=True), style(0, Ink.FREQUENCY_RAMP + 3))
TEXT = st.text(alphabet="ab  日本語ディ한é│▀e\u0301❤\ufe0f👍🏽🇯🇵\u200d\u202e", min_size=1, max_size=12)
PUT = st.tuples(st.integers(0, LINES - 1), st.integers(-3, COLUMNS), TEXT, st.sampled_from(STYLES))
PICTURES = st.lists(st.lists(PUT, max_size=10), min_size=2, max_size=5)
"""What is put on one canvas after the other: a picture keeps what the one before had, so that changes are small."""


def pictures(frames: list[list[tuple[int, int, str, int]]]) -> list[Cells]:
    canvas = Canvas(COLUMNS, LINES)
    found = []
    for puts in frames:
        for line, column, text, number in puts:
            canvas.put(line, column, text, number)
        cells = canvas.cells()
        found.append(Cells(cells.chars.copy(), cells.styles.copy()))
    return found


@settings(max_examples=examples(200), deadline=None)
@given(PICTURES, st.sampled_from([ColourDepth.TRUECOLOR, ColourDepth.COLOURS_16, ColourDepth.MONO]))
def test_whatever_changes_the_terminal_shows_the_last_picture(frames, depth: ColourDepth) -> None:
    options = ViewOptions(depth=depth)
    encoder, shown = ScreenEncoder(options), pictures(frames)
    texts = [encoder.encode(drawn_of(cells)) for cells in shown]
    for kind in (pyte.Screen, StrictScreen):
        assert held(screen_with(COLUMNS, LINES, *texts, kind=kind)) == plainly_shown(shown[-1], options)


@settings(max_examples=examples(200), deadline=None)
@given(PICTURES, st.integers(1, 4), st.integers(0, 8), st.integers(12, COLUMNS))
def test_what_moves_is_never_cut(frames, by: int, left: int, right: int) -> None:
    """The place of the data moves as it does each second, whatever the cells are."""
    encoder, shown = ScreenEncoder(ViewOptions()), pictures(frames)
    place = Geometry(
        (Region("frequency", 0, LINES - 2),),
        left,
        right,
        1,
        LINES - 2,
        np.arange(9),
        np.arange(3.0),
        np.zeros((2, 2), int),
    )
    drawn = [DrawnPicture(cells, place._replace(ends=place.ends + by * step)) for step, cells in enumerate(shown)]
    texts = [encoder.encode(one) for one in drawn]
    assert held(screen_with(COLUMNS, LINES, *texts, kind=StrictScreen)) == plainly_shown(shown[-1], ViewOptions())


def test_a_line_without_wide_characters_still_moves() -> None:
    canvas = Canvas(COLUMNS, LINES)
    canvas.put(0, 2, "abcdefghijklmnopqr")
    canvas.put(1, 2, "abcdefgh日ijklmnop")
    before = canvas.cells()
    before = Cells(before.chars.copy(), before.styles.copy())
    canvas.put(0, 2, "bcdefghijklmnopqrs")
    canvas.put(1, 2, "bcdefgh日ijklmnopq")
    place = Geometry((Region("frequency", 0, 2),), 2, 20, 1, 2, np.arange(9), np.arange(3.0), np.zeros((2, 2), int))
    encoder = ScreenEncoder(ViewOptions())
    texts = [
        encoder.encode(DrawnPicture(before, place)),
        encoder.encode(DrawnPicture(canvas.cells(), place._replace(ends=place.ends + 1))),
    ]
    assert texts[1].count("\x1b[P") == 1
    assert held(screen_with(COLUMNS, LINES, *texts, kind=StrictScreen)) == plainly_shown(canvas.cells(), ViewOptions())


@settings(max_examples=examples(150), deadline=None)
@given(PICTURES)
def test_on_a_terminal_that_takes_them_for_narrow_ones_the_rest_is_in_its_place(frames) -> None:
    encoder, shown = ScreenEncoder(ViewOptions()), pictures(frames)
    texts = [encoder.encode(drawn_of(cells)) for cells in shown]
    with mock.patch("pyte.screens.wcwidth", return_value=1):
        seen = held(screen_with(COLUMNS, LINES, *texts))
    tails = shown[-1].chars == TAIL_CODE
    narrow = ~(tails | np.pad(tails[:, 1:], ((0, 0), (0, 1))))
    expected = plainly_shown(shown[-1], ViewOptions())
    places = list(zip(*(axis.tolist() for axis in np.nonzero(narrow)), strict=True))
    assert [seen[line][column] for line, column in places] == [expected[line][column] for line, column in places]


@settings(max_examples=examples(100), deadline=None)
@given(PICTURES)
def test_the_plain_encoder_and_the_final_picture_show_the_same(frames) -> None:
    cells, options = pictures(frames)[-1], ViewOptions()
    expected = plainly_shown(cells, options)
    assert held(screen_with(COLUMNS, LINES, plain_text(cells, options), kind=StrictScreen)) == expected
    final = final_picture(cells, options).rstrip("\n").replace("\n", "\r\n")
    assert held(screen_with(COLUMNS, LINES, final, kind=StrictScreen)) == expected


def test_a_change_of_one_wide_character_sends_it_whole() -> None:
    canvas = Canvas(COLUMNS, LINES)
    canvas.put(0, 0, "日本語x")
    encoder = ScreenEncoder(ViewOptions())
    encoder.encode(drawn_of(canvas.cells()))
    canvas.put(0, 2, "木")
    assert encoder.encode(drawn_of(canvas.cells())) == "\x1b[1;3H木"
