"""How many cells a text takes, and how it is cut."""

import sys
import unicodedata

import pytest
from hypothesis import example, given, strategies as st
from wcwidth import wcwidth

from pylatencymap.text import width as module
from pylatencymap.text.width import TAIL, cut, fit, spread, text_width

SKIN_TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
MIXED = st.text(alphabet="a é日本ｱＡ한\u0301\ufe0f\u1160\u0e34❤👍🏽🇯🇵\u200d│", max_size=12)


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("disk", "disk"),
        ("日本", f"日{TAIL}本{TAIL}"),
        ("ディスク読込", "".join(char + TAIL for char in "ディスク読込")),
        ("e\u0301x", "\xe9x"),  # composed
        ("\u30c6\u3099", f"\u30c7{TAIL}"),
        ("q\u0301x", "qx"),  # there is no letter for it
        ("\u1112\u1161\u11ab", f"\ud55c{TAIL}"),
        ("❤\ufe0f", "❤"),
        ("👍🏽", f"👍{TAIL}"),
        ("🏽", f"🏽{TAIL}"),
        ("🇯🇵", "JP"),
        ("👩\u200d💻", f"👩{TAIL}?💻{TAIL}"),
        ("\u202eabc", "?abc"),
        ("\x1b[2J\x9b", "?[2J?"),
        (TAIL, "?"),
        ("\ud800", "?"),
        ("±·─▀…Ж", "±·─▀…Ж"),  # ambiguous: narrow
    ],
)
def test_what_is_drawn(text: str, drawn: str) -> None:
    if not text.isascii():
        assert spread(text) == drawn
    assert text_width(text) == len(drawn)


def test_what_is_taken_for_narrow_is() -> None:
    sure = [char for char in map(chr, range(sys.maxunicode + 1)) if module._SURELY_NARROW.fullmatch(char)]
    assert len(sure) > 800
    assert all(wcwidth(char) == 1 and char.isprintable() for char in sure)
    assert all(unicodedata.normalize("NFC", char) == char for char in sure)


@given(st.text(max_size=20) | MIXED)
@example("🏻")
def test_each_cell_has_a_character_that_prints(text: str) -> None:
    cells = spread(text)
    assert text_width(text) == len(cells) or text.isascii()
    assert all(char.isprintable() and width_alone(char) in (1, 2) for char in cells.replace(TAIL, ""))
    for place, char in enumerate(cells):
        assert char == TAIL or (width_alone(char) == 2) == (cells[place + 1 : place + 2] == TAIL)


def width_alone(char: str) -> int:
    """Early releases of wcwidth take a skin tone for a combining mark; a terminal draws one that follows nothing."""
    return 2 if char in SKIN_TONES else wcwidth(char)


@given(MIXED, st.integers(0, 30), st.integers(0, 30))
def test_a_part_is_as_wide_as_it_is_said_to_be(text: str, start: int, stop: int) -> None:
    assert text_width(cut(text, start, stop)) == len(range(text_width(text))[start:stop])
    middle = min(start, text_width(text))
    assert text_width(cut(text, 0, middle)) + text_width(cut(text, middle, text_width(text))) == text_width(text)


@given(MIXED, st.integers(1, 30))
def test_what_fits_is_left_alone_and_the_rest_is_cut(text: str, columns: int) -> None:
    fitting = fit(text, columns)
    assert fitting == text if text_width(text) <= columns else text_width(fitting) == columns
    assert text_width(text) <= columns or fitting.endswith("…")


def test_half_a_character_is_a_blank() -> None:
    assert cut("日本語", 1, 5) == " 本 "
    assert fit("日本語", 4) == "日 …"
    assert fit("日本語", 5) == "日本…"
