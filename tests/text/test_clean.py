"""Nothing that could move a cursor or hide text is printed as it is."""

import unicodedata

from hypothesis import given, strategies as st

from pylatencymap.text.clean import MAX_NAME, printable


@given(st.text())
def test_what_is_printable_stays_so_and_is_short(text: str) -> None:
    clean = printable(text)
    assert clean.isprintable()
    assert len(clean) <= MAX_NAME
    assert not any(unicodedata.category(char) in ("Cc", "Cf", "Cs") for char in clean)


@given(st.text(st.characters(categories=("L", "N", "P", "S")), max_size=MAX_NAME))
def test_plain_text_stays_as_it_is(text: str) -> None:
    assert printable(text) == text


def test_escapes_and_direction_marks_are_shown_and_not_obeyed() -> None:
    assert printable("\x1b[2Jboom\x07") == "\\x1b[2Jboom\\x07"
    assert printable("sda\u202egpj\u200b") == "sda\\u202egpj\\u200b"
    assert printable("\U000e0041") == "\\U000e0041"
    assert printable("\x9b31m") == "\\x9b31m"
    assert printable("\udc80") == "\\udc80"


def test_blanks_of_all_kinds_keep_to_one_line() -> None:
    assert printable("a\tb\r\nc") == "a b  c"


def test_long_text_is_cut_visibly() -> None:
    assert printable("x" * 300) == "x" * (MAX_NAME - 1) + "…"
    assert printable("abcdef", limit=4) == "abc…"
    assert printable("\x1b" * 300, limit=8) == "\\x1b\\x1…"
