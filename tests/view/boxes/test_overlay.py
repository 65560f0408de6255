"""A box over the picture, and a question on its last line."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pylatencymap.export.styled_runs import styled_runs_of
from pylatencymap.view.boxes.overlay import box_room, dimmed, prompt_line, with_box, with_last_line
from pylatencymap.view.paint.canvas import Canvas
from pylatencymap.view.style.colour_depth import ColourDepth
from pylatencymap.view.style.options import ViewOptions
from pylatencymap.view.style.styled_text import width_of
from pylatencymap.view.style.styles import FADED_BIT, TEXT, Ink, background_bits, style_parts
from pylatencymap.view.style.theme import GROUNDS, KEPT_SHARE, faded_theme, grey_of, rgb_of, theme_of
from pylatencymap.view.terminal.ansi import final_picture

BOX = (("hello ", TEXT), ("zero", background_bits(Ink.SCREEN)))


def test_the_picture_is_dimmed_and_the_box_is_in_the_middle(make_matrix, picture) -> None:
    below = picture(make_matrix())
    cells = with_box(below, [BOX] * 5, ViewOptions(), title="Title", corner="corner")
    lines = cells.text()
    top = next(number for number, line in enumerate(lines) if " Title " in line)
    left = lines[top].index("Title")
    assert [line[left : left + 10] for line in lines[top + 2 : top + 7]] == ["hello zero"] * 5
    inside = [style_parts(int(cells.styles[top + 2, left + at])) for at in (0, 6)]
    assert [style.background for style in inside] == [Ink.BOX, Ink.SCREEN]
    assert not any(style.faded for style in inside)
    seen = below.chars[:5] != ord(" ")
    assert (cells.chars[:5] == below.chars[:5]).all()
    assert (cells.styles[:5][seen] == below.styles[:5][seen] | FADED_BIT).all()


def test_coloured_blanks_fade_and_empty_ones_stay(make_matrix, picture) -> None:
    below = picture(make_matrix())
    faded = dimmed(below).styles & FADED_BIT > 0
    empty = (below.chars == ord(" ")) & (below.styles == 0)
    assert (faded == ~empty).all()
    shown = with_box(below, [BOX], ViewOptions(), title="x")
    ramp = (below.styles >> 6 & 63 >= Ink.FREQUENCY_RAMP) & (shown.styles >> 6 & 63 != Ink.BOX)
    assert ramp.sum() > 100
    assert (shown.styles[ramp] & FADED_BIT > 0).all()


@pytest.mark.parametrize("background", ["dark", "light"])
def test_faded_colours_are_nearer_to_the_background(background) -> None:
    options = ViewOptions(background=background)
    paper = np.array(GROUNDS[background][1])
    for ink, colour in theme_of(options).items():
        full, faded = np.array(rgb_of(colour)), np.array(faded_theme(options)[ink])
        assert np.allclose(faded - paper, KEPT_SHARE * (full - paper), atol=0.51)


def test_greys_where_the_colours_are_few() -> None:
    of_256 = faded_theme(ViewOptions(depth=ColourDepth.COLOURS_256))
    assert all(232 <= colour <= 255 for colour in of_256.values())
    ramp = [of_256[Ink.FREQUENCY_RAMP + level] for level in range(1, 8)]
    assert ramp == sorted(ramp)
    assert len(set(ramp)) >= 4
    assert faded_theme(ViewOptions(depth=ColourDepth.COLOURS_16))[Ink.INTENSITY] == 8
    assert faded_theme(ViewOptions(depth=ColourDepth.MONO)) == {}
    assert [grey_of((level, level, level)) for level in (0, 8, 128, 238, 255)] == [232, 232, 244, 255, 255]


@pytest.mark.parametrize("depth", ColourDepth)
def test_devices_know_faded_styles(make_matrix, picture, depth) -> None:
    options = ViewOptions(depth=depth)
    below = picture(make_matrix(), options=options)
    text = final_picture(dimmed(below), options)
    if depth is ColourDepth.ASCII:
        assert "\x1b" not in text
    elif depth is ColourDepth.MONO:
        assert "\x1b[0;2mbiolatency" in text
        assert "[1m" not in text
    elif depth is ColourDepth.TRUECOLOR:
        red, green, blue = faded_theme(options)[Ink.FREQUENCY]
        assert f"38;2;{red};{green};{blue}" in text
        assert faded_theme(options)[Ink.FREQUENCY] in {run.colour for run in styled_runs_of(dimmed(below), options)}


@pytest.mark.parametrize("depth", ColourDepth)
def test_boxes_fit_every_size(make_matrix, picture, depth) -> None:
    options = ViewOptions(depth=depth)
    for size in [(1, 1), (2, 3), (7, 2), (39, 10), (40, 9), (60, 20), (80, 24), (120, 40), (500, 200)]:
        below = picture(make_matrix(), size, options)
        for box in ([], [BOX], [((f"{'wide ' * 200}", TEXT),)] * 300):
            cells = with_box(below, box, options, title="A title", corner="a corner")
            assert cells.chars.shape == size[::-1]
            if depth is ColourDepth.ASCII:
                assert cells.chars.max() < 128


def test_room_is_what_is_seen(make_matrix, picture) -> None:
    for size in [(60, 20), (80, 24), (120, 40), (200, 60)]:
        columns, lines = box_room(size)
        box = [(("#" * columns, TEXT),)] * lines
        cells = with_box(picture(make_matrix(), size), box, ViewOptions())
        assert (cells.chars == ord("#")).sum() == columns * lines
        assert columns >= 50
        assert lines >= 16


def test_another_last_line(make_matrix, picture) -> None:
    below = picture(make_matrix())
    cells = with_last_line(below, (("SLO: ", 0), ("▸", 0)))
    assert cells.text()[-1].rstrip() == "SLO: ▸"
    assert (cells.chars[:-1] == below.chars[:-1]).all()
    plain = picture(make_matrix(), options=ViewOptions(depth=ColourDepth.ASCII))
    assert with_last_line(plain, (("▸", 0),)).text()[-1].rstrip() == ">"


CARET_STANDS_ON = st.text(
    st.characters().filter(lambda one: width_of(((one, 0),)) > 0 or not one.isprintable()), max_size=80
)
"""Characters with cells of their own; marks that combine with them are in test_view_prompt.py."""


@given(CARET_STANDS_ON, st.integers(-3, 90), st.integers(1, 120), st.text(max_size=30))
def test_a_prompt_shows_its_caret_and_fits(text, caret, width, hint) -> None:
    line = prompt_line("mark", text, caret, hint, width)
    carets = [chars for chars, style in line if style_parts(style).reverse]
    assert [len(chars) for chars in carets] == [1]
    caret = min(max(caret, 0), len(text))
    under = text[caret : caret + 1] or " "
    under = under if under.isprintable() else "?"
    assert carets[0] == (under if width_of(((under, 0),)) <= width else " ")
    assert width_of(line) == width


def test_a_prompt() -> None:
    said = "".join(chars for chars, _ in prompt_line("SLO", "10ms", 4, "Enter, Esc", 40))
    assert said == " SLO: 10ms" + " " * 18 + " Enter, Esc "


def test_no_pieces_of_words_stand_beside_a_box() -> None:
    canvas = Canvas(80, 24)
    for line in range(24):
        canvas.put(line, 0, "16.4 ms ")
        canvas.put(line, 8, "█" * 60)
        canvas.put(line, 69, "1,234  50 %")
    lines = with_box(canvas.cells(), [(("x" * 100, 0),)] * 10, ViewOptions()).text()
    inside = [line for line in lines if "xxx" in line]
    assert len(inside) == 10
    assert all(not line[0].strip() and not line[-1].strip() for line in inside), inside[0]
    assert lines[0].startswith("16.4 ms")
    assert lines[0].endswith("50 %")
