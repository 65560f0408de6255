"""Where an incident begins and ends: to the column, where the share of its events turns."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pylatencymap.analysis import find_changes, likeliest_turn

EDGES = np.array([0.0, 1e-4, 2e-4, 0.1, 0.2, 0.4])


@given(st.integers(2, 60), st.integers(2, 60), st.floats(0.0, 0.05), st.floats(0.3, 0.9))
def test_two_shares_turn_where_they_do(before: int, after: int, low: float, high: float) -> None:
    totals = np.full(before + after, 1000.0)
    events = np.concatenate([np.full(before, 1000 * low), np.full(after, 1000 * high)])
    assert likeliest_turn(events, totals, 0, before + after, 0) == before
    assert likeliest_turn(events[::-1], totals, 0, before + after, 0) == after


def test_one_share_turns_nowhere() -> None:
    totals = np.full(20, 100.0)
    assert likeliest_turn(totals / 4, totals, 0, 20, 7) == 7
    assert likeliest_turn(totals * 0, totals, 0, 20, 7) == 7
    assert likeliest_turn(totals, totals, 0, 1, 0) == 0


@pytest.mark.parametrize("first", [300, 301, 307, 333])
@pytest.mark.parametrize("length", [12, 20, 61])
def test_an_incident_has_its_ends_to_the_column(first: int, length: int) -> None:
    rng = np.random.default_rng(first * 100 + length)
    counts = rng.poisson(np.array([5.0, 500.0, 40.0, 0.0, 0.0])[:, None], (5, 900)).astype(float)
    counts[3, first : first + length] = rng.poisson(60, length)
    found = [one for one in find_changes(counts, EDGES, np.full(900, 1.0)).episodes if one.high is not None]
    assert (found[0].first, found[0].last) == (first, first + length)
