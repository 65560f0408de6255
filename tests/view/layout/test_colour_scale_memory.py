"""Scales and ranges grow at once and shrink late."""

import numpy as np

from pylatencymap.view.layout.colour_scale import HOLD_COLUMNS, ScaleMemory, SteadyMaximum
from pylatencymap.view.layout.latency_rows import select_rows
from pylatencymap.view.style.options import ViewOptions


def test_held_grows_at_once_and_shrinks_after_ten_columns() -> None:
    held = SteadyMaximum()
    assert held.update(100, 50) == 100
    assert held.update(500, 1) == 500
    assert [held.update(100 + column, 1) for column in range(HOLD_COLUMNS - 1)] == [500] * (HOLD_COLUMNS - 1)
    assert held.update(50, 1) == 100 + HOLD_COLUMNS - 2, "the largest that was wanted in these columns"


def test_a_growth_in_between_starts_the_wait_again() -> None:
    held = SteadyMaximum()
    held.update(500, 1)
    for _ in range(HOLD_COLUMNS - 1):
        held.update(100, 1)
    assert held.update(500, 1) == 500
    assert [held.update(100, 1) for _ in range(HOLD_COLUMNS)] == [500] * (HOLD_COLUMNS - 1) + [100]


def test_repainting_the_same_columns_does_not_count(make_matrix) -> None:
    memory, matrix = ScaleMemory(), make_matrix(20)
    memory.begin(("a",), matrix)
    memory.maximum("frequency", 500)
    for _ in range(50):
        memory.begin(("a",), matrix)
        assert memory.maximum("frequency", 100) == 500
    memory.begin(("another series",), matrix)
    assert memory.maximum("frequency", 100) == 100


def test_rows_stay_while_lately_used(make_matrix) -> None:
    memory, options = ScaleMemory(), ViewOptions()
    full, matrix = make_matrix(60), make_matrix(40)
    memory.begin(("a",), matrix)
    rows, _ = select_rows(matrix, memory, options)
    assert memory.cover == (2.0**5 * 1e-6, 2.0**14 * 1e-6)
    assert (rows.core, rows.below, rows.above) == (9, 1, 1)
    counts = np.zeros((12, 60))
    counts[2] = 5
    for columns, core in ((41, 9), (49, 9), (50, 1)):
        now = make_matrix(counts=counts[:, :columns])
        memory.begin(("a",), now)
        assert select_rows(now, memory, options)[0].core == core
    memory.begin(("a",), full)
    assert select_rows(full, memory, options)[0].core == 9
