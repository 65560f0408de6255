"""Text broken into lines, and lines side by side."""

from hypothesis import given, strategies as st

from pylatencymap.text.width import TAIL, spread
from pylatencymap.view.style.styled_text import fitted, padded, side_by_side, slice_text, width_of, wrap

TEXTS = st.lists(st.tuples(st.text(alphabet="ab ", max_size=12), st.integers(0, 3)), max_size=6).map(tuple)


def plain(text) -> str:
    return "".join(chars for chars, _ in text)


@given(TEXTS, st.integers(1, 30), st.integers(0, 30))
def test_nothing_is_lost_and_no_line_is_too_wide(text, width, hanging) -> None:
    lines = wrap(text, width, hanging)
    assert all(width_of(line) <= width for line in lines)
    assert "".join("".join(map(plain, lines)).split()) == "".join(plain(text).split())


def test_lines_break_at_blanks_and_hang() -> None:
    text = (("key  ", 1), ("some longer words", 2))
    assert [plain(line) for line in wrap(text, 12, 5)] == ["key  some", "     longer", "     words"]
    assert wrap(text, 12, 5)[1] == (("     ", 0), ("longer", 2))


@given(TEXTS, st.integers(0, 80), st.integers(0, 80))
def test_a_part_is_a_slice(text, start, stop) -> None:
    assert plain(slice_text(text, start, stop)) == plain(text)[start:stop]


def test_columns_are_read_downwards() -> None:
    lines = [((word, 0),) for word in ("one", "two", "three", "four", "five")]
    assert [plain(line).rstrip() for line in side_by_side(lines, 2, 1)] == ["one   four", "two   five", "three"]
    assert plain(padded((("x", 1),), 3)) == "x  "
    assert side_by_side([], 3, 1) == []


WIDE = st.lists(st.tuples(st.text(alphabet="a 日本e\u0301", max_size=12), st.integers(0, 3)), max_size=6).map(tuple)


@given(WIDE, st.integers(2, 30), st.integers(0, 30))
def test_wide_characters_are_neither_lost_nor_cut(text, columns, hanging) -> None:
    lines = wrap(text, columns, min(hanging, columns - 2))
    assert all(width_of(line) <= columns for line in lines)
    drawn = "".join(spread(chars).replace(TAIL, "") for chars, _ in text)
    assert "".join("".join(map(plain, lines)).split()) == "".join(drawn.split())


@given(WIDE, st.integers(1, 40))
def test_lines_are_fitted_and_padded_by_cells(text, columns) -> None:
    assert width_of(padded(fitted(text, columns), columns)) == columns
