"""The final picture, seen through an emulator."""

import re

import pytest

from pylatencymap.view.paint.canvas import Canvas
from pylatencymap.view.style.colour_depth import ColourDepth
from pylatencymap.view.style.options import ViewOptions
from pylatencymap.view.style.styles import TEXT, Ink, style
from pylatencymap.view.terminal.ansi import final_picture
from tests.view.emulator import held, plainly_shown, screen_with

COLOURED = [ColourDepth.TRUECOLOR, ColourDepth.COLOURS_256, ColourDepth.COLOURS_16]


@pytest.mark.parametrize("depth", [*COLOURED, ColourDepth.MONO])
def test_the_final_picture_shows_the_cells_without_moving_the_cursor(make_matrix, picture, depth: ColourDepth) -> None:
    options = ViewOptions(depth=depth)
    cells = picture(make_matrix(), (80, 30), options)
    text = final_picture(cells, options)
    assert set(re.findall(r"\x1b\[[0-9;]*(.)", text)) == {"m"}
    last = [re.findall(r"\x1b\[([0-9;]*)m", line)[-1:] for line in text.splitlines()]
    assert all(codes in ([], ["0"]) for codes in last), "each line ends in the terminal's own style"
    shown = held(screen_with(80, 31, text.replace("\n", "\r\n")))
    assert shown[:30] == plainly_shown(cells, options)


def test_mono_uses_attributes_only(make_matrix, picture) -> None:
    options = ViewOptions(depth=ColourDepth.MONO)
    text = final_picture(picture(make_matrix(), (120, 40), options), options)
    codes = {code for group in re.findall(r"\x1b\[([0-9;]*)m", text) for code in group.split(";")}
    assert codes <= {"0", "1", "2", "7"}


def test_ascii_is_seven_bit_text_without_escapes(make_matrix, picture) -> None:
    options = ViewOptions(depth=ColourDepth.ASCII)
    text = final_picture(picture(make_matrix(), (80, 24), options, series="é·"), options)
    assert text.isascii()
    assert "\x1b" not in text
    assert len(text.splitlines()) == 24


def test_blank_last_lines_are_left_out() -> None:
    canvas = Canvas(10, 5)
    canvas.put(1, 2, "x")
    assert final_picture(canvas.cells(), ViewOptions()) == "\n  x\n"
    assert final_picture(Canvas(10, 5).cells(), ViewOptions()) == ""


@pytest.mark.parametrize(
    "depth", [ColourDepth.TRUECOLOR, ColourDepth.COLOURS_256, ColourDepth.COLOURS_16, ColourDepth.MONO]
)
def test_words_are_one_run(depth: ColourDepth) -> None:
    """One sequence where the style begins and one where it ends, whatever blanks are between."""
    canvas = Canvas(40, 1)
    canvas.put_text(0, 2, ((" I/Os per  second ", style(Ink.FREQUENCY, bold=True)), ("x", TEXT)))
    text = final_picture(canvas.cells(), ViewOptions(depth=depth))
    assert text.count("\x1b[") == 2
    canvas.put(0, 25, " a b ", style(Ink.MARK, reverse=True))
    cells = canvas.cells()
    text = final_picture(cells, ViewOptions(depth=depth))
    assert held(screen_with(40, 1, text.rstrip("\n"))) == plainly_shown(cells, ViewOptions(depth=depth))
