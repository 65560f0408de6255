"""The distributions of benchmarks/modes.py: what is said to be true of them, and that modes are found in them."""

import runpy
from math import log
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from pylatencymap.analysis import find_modes

US = 1e-6


@pytest.fixture(scope="module")
def mixtures(root: Path) -> SimpleNamespace:
    return SimpleNamespace(**runpy.run_path(str(root / "benchmarks/mixtures.py")))


def two(mixtures: SimpleNamespace, octaves: float, share: float, n: int, resolution: int = 4, tick: float = 0.0):
    """Two lognormals of sigma 0.3, the smaller one ``octaves`` above 128 us."""
    centres = np.array([log(128), log(128) + octaves * log(2)])
    both = mixtures.Lognormals(centres, np.array([0.3, 0.3]), np.array([1 - share, share]))
    return mixtures.Case(mixtures.Distribution("two", both.below, tick), n, resolution)


def test_how_many_modes_are_true(mixtures: SimpleNamespace) -> None:
    assert len(two(mixtures, 4, 0.2, 10_000).modes) == 2
    assert len(two(mixtures, 0.8, 0.5, 10_000).modes) == 1
    assert [len(two(mixtures, 4, 0.01, n).modes) for n in (1_999, 2_001)] == [1, 2]
    assert two(mixtures, 4, 0.01, 2_500).is_borderline
    assert not two(mixtures, 4, 0.01, 4_500).is_borderline


def test_evidence_grows_with_the_events(mixtures: SimpleNamespace) -> None:
    one, ten = two(mixtures, 2.3, 0.2, 1_000), two(mixtures, 2.3, 0.2, 10_000)
    assert ten.evidence == pytest.approx(10 * one.evidence)
    assert two(mixtures, 0.8, 0.5, 1_000).evidence == np.inf
    assert two(mixtures, 5, 0.2, 1_000).is_decidable


@pytest.mark.parametrize("tick", [0.0, 10.0])
def test_shares_means_and_quantiles(mixtures: SimpleNamespace, tick: float) -> None:
    case = two(mixtures, 6, 0.25, 10_000, tick=tick)
    (_, cut), (first, _) = case.modes
    assert cut == first
    assert case.masses[first:].sum() == pytest.approx(0.25, abs=0.001)
    assert case.quantile(0.5, first) == pytest.approx(128 * 64, rel=0.005)
    assert case.times.sum() == pytest.approx((0.75 * 128 + 0.25 * 128 * 64) * np.exp(0.045), rel=0.01)
    counts, waited = case.sample_with_sum(np.random.default_rng(1))
    assert counts.sum() == 10_000
    assert waited / 10_000 == pytest.approx(case.times.sum(), rel=0.05)


def test_bursts_keep_the_mean_and_widen_the_counts(mixtures: SimpleNamespace) -> None:
    columns = two(mixtures, 4, 0.5, 200_000).bursts(np.random.default_rng(1), 400, 5.0).sum(axis=0)
    assert columns.mean() == pytest.approx(500, rel=0.03)
    assert columns.var() / columns.mean() == pytest.approx(9, rel=0.25)


def test_modes_of_the_mix_are_found(mixtures: SimpleNamespace) -> None:
    """A small part of the benchmark; its figures are in docs/accuracy.md."""
    right, inside = [], []
    for seed in range(300):
        case = mixtures.case((7, seed))
        counts = case.sample(np.random.default_rng((7, seed, 1)))
        found = find_modes(counts, case.edges * US, tick=case.distribution.tick * US)
        inside.append(found.sure <= len(case.modes) <= found.possible)
        if case.is_decidable:
            right.append(found.sure == len(case.modes))
    assert np.mean(right) >= 0.985
    assert np.mean(inside) >= 0.96
    assert len(right) > 240
