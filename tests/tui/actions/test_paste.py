"""What is pasted is text: where there is nothing to type, no character of it acts."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from pylatencymap.interval import Interval
from pylatencymap.tui.bindings import actions_by_event
from pylatencymap.tui.terminal.input_events import Pasted
from pylatencymap.units import Unit

SECOND = 1_000_000
START = 1_700_000_000 * SECOND
KEYS = "".join(sorted(key for key in actions_by_event() if len(key) == 1))
"""Every key that is a character, q among them."""


def two_series() -> Iterable[Interval]:
    for number in range(1, 101):
        end = START + number * SECOND
        for place, name in enumerate(("sda", "sdb")):
            yield Interval(
                name, Unit.US, end - SECOND, end, 1.0, ((128, 256, 90 - 40 * place),), 0.01 / (place + 1), True
            )


@pytest.fixture
def viewer(view: Callable[..., Any]) -> Any:
    return view(two_series())


@pytest.mark.parametrize("way", [(), ("g",), ("?",), ("g", "?"), ("KEY_LEFT",)])
def test_a_paste_changes_nothing(viewer: Any, way: tuple[str, ...]) -> None:
    viewer.press(*way)
    stage, before = viewer.stage, (viewer.text, viewer.stage.at, len(viewer.stage.modes))
    assert "q" in KEYS
    viewer.press(*map(Pasted, KEYS))
    assert (viewer.text, stage.at, len(stage.modes)) == before
    assert not stage.quit
    assert not stage.paused


@pytest.mark.parametrize(("way", "begin"), [("m", " mark: "), ("t", " go to: "), ("o", " SLO: ")])
def test_at_a_question_it_is_the_answer(viewer: Any, way: str, begin: str) -> None:
    viewer.press(way, *map(Pasted, "q g?"))
    assert viewer.lines[-1].startswith(f"{begin}q g?")
    assert not viewer.stage.quit


def test_in_the_list_of_series_it_narrows(viewer: Any) -> None:
    viewer.press("/", *map(Pasted, "sdb"), "KEY_ENTER")
    assert viewer.stage.at.series == "sdb"
