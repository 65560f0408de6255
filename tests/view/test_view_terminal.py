"""What a terminal shows of it: the final picture, and only the changed cells, seen through an emulator."""

import re

import numpy as np
import pyte
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pylatencymap.view.ansi import final_picture
from pylatencymap.view.cells import Canvas, Cells
from pylatencymap.view.colour import Depth
from pylatencymap.view.diff import paint
from pylatencymap.view.ink import Ink, style
from pylatencymap.view.options import ViewOptions

COLUMNS, LINES = 30, 6
STYLES = [
    0,
    style(bold=True),
    style(Ink.DIM),
    style(bold=True, reverse=True),
    style(Ink.MARK, bold=True),
    style(Ink.CLIP_TEXT, Ink.CLIP, bold=True),
    style(0, Ink.FREQUENCY_RAMP + 3),
    style(Ink.FREQUENCY_RAMP + 1, Ink.FREQUENCY_RAMP + 3),
    style(Ink.INTENSITY_RAMP + 2),
]
COLOURED = [Depth.TRUECOLOR, Depth.COLOURS_256, Depth.COLOURS_16]


def random_cells(seed: int, columns: int = COLUMNS, lines: int = LINES) -> Cells:
    random = np.random.default_rng(seed)
    canvas = Canvas(columns, lines)
    for _ in range(random.integers(1, 12)):
        text = "".join(random.choice(list("ab ▀▄╱·"), size=random.integers(1, 12)))  # noqa: RUF001
        place = int(random.integers(lines)), int(random.integers(-3, columns))
        canvas.put(*place, text, STYLES[random.integers(len(STYLES))])
    return canvas.cells()


def screen_of(*pieces: str, columns: int = COLUMNS, lines: int = LINES) -> list[list[tuple[object, ...]]]:
    screen = pyte.Screen(columns, lines)
    stream = pyte.Stream(screen)
    for piece in pieces:
        stream.feed(piece)
    return [
        [(c.data, c.fg, c.bg, c.bold, c.reverse) for c in (screen.buffer[y][x] for x in range(columns))]
        for y in range(lines)
    ]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 2**32 - 1), min_size=2, max_size=5), st.sampled_from([*COLOURED, Depth.MONO]))
def test_changed_cells_leave_the_same_screen_as_a_full_repaint(seeds: list[int], depth: Depth) -> None:
    options = ViewOptions(depth=depth)
    frames = [random_cells(seed) for seed in seeds]
    pieces = [paint(before, now, options) for before, now in zip([None, *frames], frames, strict=False)]
    assert screen_of(*pieces) == screen_of(paint(None, frames[-1], options))


@pytest.mark.parametrize("depth", COLOURED)
def test_a_full_repaint_shows_each_cell(depth: Depth) -> None:
    cells = random_cells(7)
    shown = screen_of(paint(None, cells, ViewOptions(depth=depth)))
    assert ["".join(str(cell[0]) for cell in line) for line in shown] == cells.text()


def test_true_colours_are_those_of_the_ramp() -> None:
    canvas = Canvas(2, 1)
    canvas.put(0, 0, "▀", style(Ink.FREQUENCY_RAMP + 1, Ink.INTENSITY_RAMP + 12))
    shown = screen_of(paint(None, canvas.cells(), ViewOptions()), columns=2, lines=1)
    assert shown[0][0][:3] == ("▀", "282f76", "fbea62")


def test_nothing_changed_sends_nothing() -> None:
    assert paint(random_cells(3), random_cells(3), ViewOptions()) == ""


def test_one_cell_changed_sends_little(make_matrix, picture) -> None:
    before, after = picture(make_matrix()), picture(make_matrix())
    after.chars[5, 50] = ord("x")
    assert len(paint(before, after, ViewOptions())) < 40


def test_a_change_of_size_repaints_without_clearing() -> None:
    text = paint(random_cells(1), random_cells(2, 20, 4), ViewOptions())
    assert "\x1b[2J" not in text
    assert text.count("H") == 4


@pytest.mark.parametrize("depth", [*COLOURED, Depth.MONO])
def test_the_final_picture_shows_the_cells_without_moving_the_cursor(make_matrix, picture, depth: Depth) -> None:
    options = ViewOptions(depth=depth)
    cells = picture(make_matrix(), (80, 30), options)
    text = final_picture(cells, options)
    assert set(re.findall(r"\x1b\[[0-9;]*(.)", text)) == {"m"}
    last = [re.findall(r"\x1b\[([0-9;]*)m", line)[-1:] for line in text.splitlines()]
    assert all(codes in ([], ["0"]) for codes in last), "each line ends in the terminal's own style"
    shown = screen_of(text.replace("\n", "\r\n"), columns=80, lines=31)
    direct = screen_of(paint(None, cells, options), columns=80, lines=30)
    assert shown[:30] == direct


def test_mono_uses_attributes_only(make_matrix, picture) -> None:
    options = ViewOptions(depth=Depth.MONO)
    text = final_picture(picture(make_matrix(), (120, 40), options), options)
    codes = {code for group in re.findall(r"\x1b\[([0-9;]*)m", text) for code in group.split(";")}
    assert codes <= {"0", "1", "2", "7"}


def test_ascii_is_seven_bit_text_without_escapes(make_matrix, picture) -> None:
    options = ViewOptions(depth=Depth.ASCII)
    text = final_picture(picture(make_matrix(), (80, 24), options, series="é·"), options)
    assert text.isascii()
    assert "\x1b" not in text
    assert len(text.splitlines()) == 24


def test_blank_last_lines_are_left_out() -> None:
    canvas = Canvas(10, 5)
    canvas.put(1, 2, "x")
    assert final_picture(canvas.cells(), ViewOptions()) == "\n  x\n"
    assert final_picture(Canvas(10, 5).cells(), ViewOptions()) == ""
