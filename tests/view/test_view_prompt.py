"""A question on the last line: the caret is in the cell of its character."""

from hypothesis import given, strategies as st

from pylatencymap.text.width import text_width
from pylatencymap.view.boxes.overlay import prompt_line
from pylatencymap.view.style.styled_text import width_of
from pylatencymap.view.style.styles import style

CARET = style(reverse=True)


def caret_of(line) -> tuple[int, str]:
    """The column of the caret, and what is under it."""
    place = [number for number, (_, look) in enumerate(line) if look == CARET]
    assert len(place) == 1
    return width_of(line[: place[0]]), line[place[0]][0]


def test_the_caret_is_counted_in_cells() -> None:
    assert caret_of(prompt_line("mark", "日本x", 0, "", 40)) == (7, "日")
    assert caret_of(prompt_line("mark", "日本x", 2, "", 40)) == (11, "x")
    assert caret_of(prompt_line("mark", "日本x", 3, "", 40)) == (12, " ")
    assert caret_of(prompt_line("mark", "e\u0301x", 2, "", 40)) == (8, "x")


@given(st.text(alphabet="ab 日本é\u0301\u200d", max_size=30), st.integers(-1, 32), st.integers(2, 40), st.booleans())
def test_the_line_is_as_wide_as_the_terminal_and_has_a_caret(text: str, caret: int, columns: int, hinted: bool) -> None:
    line = prompt_line("mark", text, caret, "日本" if hinted else "", columns)
    assert width_of(line) == columns
    column, under = caret_of(line)
    assert column + text_width(under) <= columns
