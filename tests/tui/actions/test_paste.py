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
def driver(view: Callable[..., Any]) -> Any:
    return view(two_series())


@pytest.mark.parametrize("way", [(), ("g",), ("?",), ("g", "?"), ("KEY_LEFT",)])
def test_a_paste_changes_nothing(driver: Any, way: tuple[str, ...]) -> None:
    driver.press(*way)
    viewer, before = driver.viewer, (driver.text, driver.viewer.viewpoint, len(driver.viewer.layers))
    assert "q" in KEYS
    driver.press(*map(Pasted, KEYS))
    assert (driver.text, viewer.viewpoint, len(viewer.layers)) == before
    assert not viewer.quit
    assert not viewer.paused


@pytest.mark.parametrize(("way", "begin"), [("m", " mark: "), ("t", " go to: "), ("o", " SLO: ")])
def test_at_a_question_it_is_the_answer(driver: Any, way: str, begin: str) -> None:
    driver.press(way, *map(Pasted, "q g?"))
    assert driver.lines[-1].startswith(f"{begin}q g?")
    assert not driver.viewer.quit


def test_in_the_list_of_series_it_narrows(driver: Any) -> None:
    driver.press("/", *map(Pasted, "sdb"), "KEY_ENTER")
    assert driver.viewer.viewpoint.series == "sdb"
