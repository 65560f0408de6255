"""The canvas: what is put on it never obeys the terminal, and a character takes one cell or two, never a half."""

import unicodedata

import pytest
from hypothesis import given, strategies as st

from pylatencymap.text.width import TAIL, text_width
from pylatencymap.view.paint.canvas import TAIL_CODE, Canvas, text_of_codes

CONTROLS = [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))]


def written(text: str, *, ascii_only: bool) -> list[str]:
    """The characters of two lines, each with the text: put alone and as a span."""
    canvas = Canvas(text_width(text) + 2, 2, ascii_only=ascii_only)
    assert canvas.put(0, 1, text) == canvas.put_text(1, 1, [(text, 0)]) == text_width(text) + 1
    return [text_of_codes(line) for line in canvas.cells().chars]


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("control", CONTROLS, ids=ascii)
def test_no_control_character_gets_into_a_cell(control: str, ascii_only: bool) -> None:
    for text in (f"a{control}[2Jb", f"µ{control}b"):
        for line in written(text, ascii_only=ascii_only):
            assert line[2] == "?"
            assert len(line) == len(text) + 2


@given(st.text(max_size=30), st.booleans())
def test_whatever_is_put_takes_its_cells(text: str, ascii_only: bool) -> None:
    for line in written(text, ascii_only=ascii_only):
        assert len(line) == text_width(text) + 2
        drawn = line.replace(TAIL, "")
        assert not {unicodedata.category(character) for character in drawn} & {"Cc", "Cf", "Mn", "Me", "Zl", "Zp"}
        assert line.isascii() or not ascii_only


def test_without_a_wide_character_there_are_as_many_question_marks() -> None:
    assert written("日本x", ascii_only=True) == [" ????x "] * 2
    assert written("e\u0301", ascii_only=True) == [" ? "] * 2


def whole(canvas: Canvas) -> bool:
    """Whether each second half follows a character that takes two cells, and each such character has one."""
    lines = [text_of_codes(line) for line in canvas.cells().chars]
    return all(
        (after == TAIL) == (text_width(char) == 2)
        for line in lines
        for char, after in zip(line, [*line[1:], " "], strict=True)
        if char != TAIL
    ) and not any(line.startswith(TAIL) for line in lines)


PLACES = st.tuples(st.integers(-4, 14), st.text(alphabet="a日本 ▀", min_size=1, max_size=8))


@given(st.lists(PLACES, max_size=8), st.integers(-1, 12), st.lists(PLACES, max_size=4), st.integers(0, 12))
def test_no_half_of_a_character_is_ever_left(puts, down, inner, place) -> None:
    canvas, block = Canvas(12, 2), Canvas(7, 2)
    for column, text in puts:
        canvas.put(1, column, text)
    for column, text in inner:
        block.put(1, column, text)
    canvas.put_block(0, place, block.chars, block.styles)
    assert whole(canvas)
    for column, text in puts:
        canvas.put_text(1, column - 1, [(text, 1), (text, 2)])
    canvas.put_down(0, down, "│", 0, 2)
    assert whole(canvas)


def test_half_a_character_is_a_blank() -> None:
    canvas = Canvas(4, 1)
    canvas.put(0, 3, "日")
    assert canvas.cells().text() == ["    "]
    canvas.put(0, -1, "日本語")
    assert text_of_codes(canvas.cells().chars[0]) == f" 本{TAIL} "
    canvas.put(0, 2, "x")
    assert text_of_codes(canvas.cells().chars[0]) == "  x "
    assert not (canvas.chars == TAIL_CODE).any()
