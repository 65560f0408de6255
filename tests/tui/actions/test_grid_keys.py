"""The grid of more series than there is room for, and of names that would steer a terminal."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from pylatencymap.interval import Interval
from pylatencymap.units import Unit

SECOND = 1_000_000
START = 1_700_000_000 * SECOND
SECONDS = 50


def series(names: dict[str, float]) -> list[Interval]:
    """Series that wait so long in each second."""
    return [
        Interval(name, Unit.US, START + n * SECOND, START + (n + 1) * SECOND, 1.0, ((128, 256, 50),), waited, True)
        for n in range(SECONDS)
        for name, waited in names.items()
    ]


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_what_there_is_no_room_for_is_counted_with_its_share(view: Callable[..., Any], size: tuple[int, int]) -> None:
    waits = {f"disk{number:02}": 0.001 * (41 - number) for number in range(1, 41)}
    driver = view(series(waits), size=size)
    driver.press("g")
    ranked = sorted(waits.values(), reverse=True)
    for _ in range(3):
        shown = [int(number) for number in re.findall(r"\bdisk(\d\d)\b", "\n".join(driver.lines[1:-2]))]
        assert shown == list(range(shown[0], shown[0] + len(shown)))
        assert len(shown) < len(waits)
        hidden = 1 - sum(ranked[number - 1] for number in shown) / sum(ranked)
        said = driver.line("not shown: ")
        assert f"not shown: {len(waits) - len(shown)} series, {100 * hidden:.0f} % of the wait" in said
        driver.press("KEY_PGDOWN")


def test_names_cannot_steer_the_terminal(view: Callable[..., Any]) -> None:
    driver = view(series({"evil\x1b[2J\x9b1m\x07": 0.002, "b": 0.001}))
    driver.press("g")
    assert "1 evil\\x1b[2J\\x9b1m" in driver.text
    assert all(sign.isprintable() for line in driver.lines for sign in line)
