"""Dark or light: what terminals say, and what is made of it."""

import pytest
from hypothesis import given, strategies as st

from pylatencymap.view.style.background import background_from_environment, background_from_rgb, parse_osc11


@pytest.mark.parametrize(
    ("value", "background"),
    [("15;0", "dark"), ("0;15", "light"), ("0;default;15", "light"), ("12;8", "dark"), ("0;7", "light"),
     ("15;default", None), ("", None), ("7", "light"), ("1;200", None), ("0;\u0665", None)],
)  # fmt: skip
def test_colorfgbg(value: str, background: str | None) -> None:
    assert background_from_environment({"COLORFGBG": value}) == background


def test_no_colorfgbg() -> None:
    assert background_from_environment({}) is None


@pytest.mark.parametrize(
    ("reply", "colour"),
    [
        ("\x1b]11;rgb:ffff/ffff/ffff\x1b\\", (1, 1, 1)),
        ("\x1b]11;rgb:0000/2b2b/3636\x07", (0, 0x2B / 255, 0x36 / 255)),
        ("\x1b]11;rgb:fd/f6/e3\x07", (0xFD / 255, 0xF6 / 255, 0xE3 / 255)),
        ("\x1b]11;rgba:0000/0000/0000/cccc\x1b\\", (0, 0, 0)),
        ("\x1b]11;rgb:f/0/8\x07", (1, 0, 8 / 15)),
        ("\x1b[?62;22c", None),
        ("", None),
    ],
)
def test_osc_11(reply: str, colour: tuple[float, float, float] | None) -> None:
    found = parse_osc11(reply)
    assert found == (None if colour is None else pytest.approx(colour))


@pytest.mark.parametrize("word", ["000000", "121417", "1e1e1e", "282c34", "002b36", "300a24"])
def test_dark_backgrounds(word: str) -> None:
    assert background_from_rgb(*(int(word[i : i + 2], 16) / 255 for i in (0, 2, 4))) == "dark"


@pytest.mark.parametrize("word", ["ffffff", "fdf6e3", "fafafa", "eeeeee"])
def test_light_backgrounds(word: str) -> None:
    assert background_from_rgb(*(int(word[i : i + 2], 16) / 255 for i in (0, 2, 4))) == "light"


@given(st.text(max_size=40))
def test_any_answer_is_a_colour_or_none(reply: str) -> None:
    found = parse_osc11(reply)
    assert found is None or all(0 <= part <= 1 for part in found)


@given(st.floats(0, 1), st.floats(0, 0.1))
def test_lighter_is_never_darker(grey: float, more: float) -> None:
    if background_from_rgb(grey, grey, grey) == "light":
        assert background_from_rgb(min(grey + more, 1), min(grey + more, 1), min(grey + more, 1)) == "light"
