"""What an incident is compared with, and by which latencies a band that comes is named."""

import numpy as np
import pytest

from pylatencymap.analysis import Episode, EpisodeKind, find_changes, find_modes
from tests.analysis.loads import EDGES, FAST, SLOW, mode, poisson
from tests.analysis.shapes import FloatArray

FIRST, LAST, COLUMNS, WIDTH = 150, 300, 450, 8.0
SLOWER = 17.1


def load(seed: int) -> FloatArray:
    """An hour of a load that rises with the day; in the middle a third of it waits, with others, for long."""
    seconds = (np.arange(COLUMNS) - FIRST) * WIDTH + 11_520
    usual = 0.6 + 0.4 * np.sin(2 * np.pi * (seconds / 86_400 - 0.25))
    inside = np.zeros(COLUMNS, dtype=bool)
    inside[FIRST:LAST] = True
    fast, slow = (np.where(inside, part, 1.0) * usual * rate for part, rate in ((0.5, 800.0), (0.3, 90.0)))
    means = mode(FAST)[:, None] * fast + mode(SLOW)[:, None] * slow + mode(SLOWER)[:, None] * 25.0 * inside
    return poisson(means * WIDTH, seed)


def incident(counts: FloatArray) -> Episode:
    found = find_changes(counts, EDGES, np.full(COLUMNS, WIDTH)).episodes
    (one,) = [one for one in found if one.kind is EpisodeKind.INCIDENT and one.low is not None]
    return one


@pytest.mark.parametrize("seed", [0, 15, 22, 26])
def test_before_and_after_are_as_long_as_the_incident_whatever_the_load_does(seed: int) -> None:
    counts = load(seed)
    one, events = incident(counts), counts.sum(axis=0)
    assert one.before is not None
    assert one.after is not None
    assert (one.first, one.last) == (FIRST, LAST)
    assert one.before.rate == pytest.approx(events[:FIRST].sum() / (FIRST * WIDTH))
    assert one.after.rate == pytest.approx(events[LAST:].sum() / ((COLUMNS - LAST) * WIDTH))


@pytest.mark.parametrize("seed", range(4))
def test_a_band_that_comes_and_its_mode_are_at_the_same_latencies(seed: int) -> None:
    counts = load(seed)
    one = incident(counts)
    last = find_modes(counts, EDGES, COLUMNS * WIDTH).modes[-1]
    assert (one.low, one.high) == (last.lower, last.upper)
    assert one.inside is not None
    rows = (EDGES[:-1] >= last.lower) & (EDGES[1:] <= last.upper)
    inside = counts[:, FIRST:LAST].sum(axis=1)
    assert one.inside.share == pytest.approx(inside[rows].sum() / inside.sum())
