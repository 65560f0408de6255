"""What became of each mode: those planted on both sides are found in pairs, and what is new or gone is called so."""

import numpy as np

from pylatencymap.analysis import Estimate, ModeChange, find_modes, mode_changes
from tests.analysis.shapes import counted, drawn, grid

EDGES = grid(1)
MS = 1e-3


def changes(*sides: tuple[tuple[float, float, int], ...]) -> tuple[ModeChange, ...]:
    before, after = (counted(drawn(seed, *parts), EDGES) for seed, parts in enumerate(sides))
    first, second = (find_modes(one, EDGES, 60.0).modes for one in (before, after))
    return mode_changes(first, second, (before, after), (EDGES, EDGES))


def test_each_mode_has_its_partner_though_shares_and_places_differ() -> None:
    fast, slow = changes(((0.1 * MS, 0.4, 9000), (10 * MS, 0.3, 1000)), ((0.15 * MS, 0.4, 7000), (10 * MS, 0.3, 3000)))
    assert (fast.typical_before, fast.typical_after) != (None, None)
    assert fast.typical_after is not None
    assert fast.typical_before is not None
    assert 1.2 < fast.typical_after / fast.typical_before < 1.9
    assert abs(slow.after - slow.before - 0.2) < 0.02
    assert not any(one.is_new or one.is_gone for one in (fast, slow))


def test_a_mode_that_one_side_does_not_have_is_new_or_gone() -> None:
    one, two = ((0.1 * MS, 0.4, 9000),), ((0.1 * MS, 0.4, 9000), (100 * MS, 0.3, 900))
    _, added = changes(one, two)
    assert (added.is_new, added.is_gone, added.before) == (True, False, 0)
    assert added.typical_before is None
    _, lost = changes(two, one)
    assert (lost.is_new, lost.is_gone, lost.after) == (False, True, 0)


def test_a_mode_whose_events_were_there_before_is_not_new() -> None:
    """They were scattered, and no mode of their own; a tenth is few."""
    scattered = ModeChange(1 * MS, 2 * MS, 0.02, 0.1, None, Estimate(1.4 * MS, 1 * MS, 2 * MS))
    assert not scattered.is_new
    assert ModeChange(1 * MS, 2 * MS, 0.01, 0.1, None, Estimate(1.4 * MS, 1 * MS, 2 * MS)).is_new


def test_rows_without_end_count_where_they_begin() -> None:
    edges = np.array([0.0, 1e-3, 2e-3, np.inf])
    modes = find_modes(np.array([0.0, 500.0, 0.0]), edges, 60.0).modes
    (only,) = mode_changes(modes, (), (np.array([0.0, 500.0, 0.0]), np.array([0.0, 100.0, 300.0])), (edges, edges))
    assert only.after == 0.25
