"""The canvas: what is put on it never obeys the terminal, and one character takes one cell."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylatencymap.view.cells import Canvas

CONTROLS = [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))]


def written(text: str, *, ascii_only: bool) -> list[str]:
    """The characters of two lines, each with the text: put alone and as a span."""
    canvas = Canvas(len(text) + 2, 2, ascii_only=ascii_only)
    assert canvas.put(0, 1, text) == canvas.put_text(1, 1, [(text, 0)]) == len(text) + 1
    return canvas.cells().text()


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("control", CONTROLS, ids=ascii)
def test_no_control_character_gets_into_a_cell(control: str, ascii_only: bool) -> None:
    for text in (f"a{control}[2Jb", f"µ{control}b"):
        for line in written(text, ascii_only=ascii_only):
            assert line[2] == "?"
            assert len(line) == len(text) + 2


@given(st.text(max_size=30), st.booleans())
def test_whatever_is_put_takes_one_cell_each(text: str, ascii_only: bool) -> None:
    for line in written(text, ascii_only=ascii_only):
        assert len(line) == len(text) + 2
        assert not {unicodedata.category(character) for character in line} & {"Cc", "Cf", "Mn", "Me", "Zl", "Zp"}
        assert line.isascii() or not ascii_only
