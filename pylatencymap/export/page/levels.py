"""Which levels of zoom a page holds: the finest that its size allows, and a coarse one for the first picture."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from ...errors import UsageError
from ...number_text import lasted_text
from ...window import COLUMN_SECONDS, History
from .coding import CodedLevel, coded_level
from .columns import PageColumns, merged_columns, recorded_columns, steps_above

MOST_BYTES = 1_500_000
"""The size of a page unless the user asks for a finest step."""
FEWEST_COLUMNS = 300
"""No step is longer than it takes for so many columns, whatever the size."""
OVERVIEW_COLUMNS = 1000
"""The first picture has at most so many columns, and is shown before the finer ones are unpacked."""
ELEMENT = 100
"""Characters of the element that holds a level, and a few more."""
MEASURED = 2
SURELY = 0.8
"""A step is not tried if even this part of what it is expected to take does not fit."""


class CodedSeries(NamedTuple):
    """The levels of zoom of one series, the coarsest first."""

    levels: tuple[CodedLevel, ...]
    every: float
    """Seconds: the usual interval of the source."""

    @property
    def size(self) -> int:
        """Characters, with what the script has to know of each level and its element."""
        return sum(len(level.text) + len(json.dumps(level.about)) + ELEMENT for level in self.levels)


def coded_series(histories: Sequence[History], room: int, finest: float | None) -> tuple[int, list[CodedSeries]]:
    """The finest step in microseconds, 0 if columns are as recorded, and the levels of each series. ``room``: the
    characters that there are for all; ``finest``: the finest step in seconds, whatever it takes.
    """
    recorded = [recorded_columns(one) for one in histories]
    usual = [one.usual_seconds() for one in histories]
    extent = max(one.end for one in histories) - min(one.start for one in histories)
    if finest is not None:
        step = checked_step(finest) if finest > min(usual) else 0
        return step, _at(recorded, usual, step, extent)
    return _finest_that_fits(recorded, usual, room, extent)


def _finest_that_fits(
    recorded: Sequence[PageColumns], usual: Sequence[float], room: int, extent: int
) -> tuple[int, list[CodedSeries]]:
    """The shortest step whose levels fit, or the longest that there is; long ones are tried first, for they are soon
    packed, and say how much the next one will take.
    """
    steps = [0, *(step for step in steps_above(min(usual)) if extent / step >= FEWEST_COLUMNS)]
    best, sizes = (steps[-1], _at(recorded, usual, steps[-1], extent)), [0.0]
    sizes.append(sum(one.size for one in best[1]))
    for step in reversed(steps[:-1]):
        growth = sizes[-1] / sizes[-2] if len(sizes) > MEASURED else 1.0
        if sizes[-1] * growth * SURELY > room:
            break
        coded = _at(recorded, usual, step, extent)
        sizes.append(sum(one.size for one in coded))
        if sizes[-1] > room:
            break
        best = step, coded
    return best


def checked_step(seconds: float) -> int:
    """A step that levels of zoom can have, in microseconds. Raises UsageError for another one."""
    if seconds not in COLUMN_SECONDS:
        near = min(COLUMN_SECONDS, key=lambda step: abs(step - seconds))
        raise UsageError(f"--finest {lasted_text(seconds)}: is no step that divides a day; near it is {near:g}s")
    return round(seconds * 1e6)


def _at(recorded: Sequence[PageColumns], usual: Sequence[float], step: int, extent: int) -> list[CodedSeries]:
    return [
        CodedSeries(tuple(map(coded_level, _levels(columns, step, extent, every))), every)
        for columns, every in zip(recorded, usual, strict=True)
    ]


def _levels(columns: PageColumns, step: int, extent: int, every: float) -> list[PageColumns]:
    """The finest level, and before it a coarse one if it has many columns."""
    finest = merged_columns(columns, step) if step else columns
    if finest.size <= 2 * OVERVIEW_COLUMNS:
        return [finest]
    wider = steps_above(max(every, step / 1e6))
    coarse = [one for one in wider if extent / one <= OVERVIEW_COLUMNS and not (step and one % step)]
    return [merged_columns(finest, coarse[0]), finest] if coarse else [finest]


def finest_words(step: int, every: float) -> str:
    """What a page says of its finest step: ``every 1 s``, or ``every 1 s, here in steps of 5 s``."""
    said = f"every {lasted_text(every)}"
    return f"{said}, here in steps of {lasted_text(step / 1e6)}" if step else said
