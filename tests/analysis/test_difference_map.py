"""The maps of a comparison: rates are exact, noise is blank, a change is not, and nothing is lost in few columns."""

import numpy as np
import pytest

from pylatencymap.analysis import RunColumns, picture_places, side_by_side, with_empty_rows
from tests.analysis.loads import EDGES, OCTAVES, mean_counts, mode, poisson

ALL = list(range(OCTAVES + 1))
SLOWER = 0.9 * mode(6.6) + 0.1 * mode(15.0)


def run(counts: np.ndarray, *, gaps: tuple[int, ...] = (), waited: np.ndarray | None = None) -> RunColumns:
    seconds = np.ones(counts.shape[1])
    seconds[list(gaps)] = 0
    counts = counts.copy()
    counts[:, list(gaps)] = 0
    return RunColumns(counts, EDGES, seconds, waited)


def test_averages_are_events_per_second_of_each_side() -> None:
    before, after = poisson(mean_counts(60), 1), poisson(mean_counts(90, SLOWER), 2)
    events, _ = side_by_side([run(before), run(after, gaps=(3, 4))], 1, EDGES, ALL, 20)
    assert np.allclose(events.averages[0], before.sum(axis=1) / 60)
    kept = np.delete(after, [3, 4], axis=1)
    assert np.allclose(events.averages[1], kept.sum(axis=1) / 88)
    assert events.before.shape[1] <= 20
    assert events.after.shape[1] <= 20


def test_what_changed_is_not_blank_and_what_did_not_mostly_is() -> None:
    same, slower = poisson(mean_counts(100), 1), poisson(mean_counts(100, SLOWER), 2)
    events, _ = side_by_side([run(same), run(slower)], 1, EDGES, ALL, 25)
    assert (events.differences[1][15] > 0).all()
    assert (events.differences[1][13] < 0).all()
    assert np.count_nonzero(events.differences[0]) < 0.15 * np.count_nonzero(events.before)
    assert np.count_nonzero(events.differences[1][6]) < 10


def test_a_drift_of_before_does_not_hide_behind_itself() -> None:
    drifting = poisson(mean_counts(100) * np.linspace(0.5, 1.5, 100), 1)
    events, _ = side_by_side([run(drifting), run(poisson(mean_counts(100), 2))], 1, EDGES, ALL, 50)
    busiest = int(np.argmax(events.averages[0]))
    assert (events.differences[0][busiest, :10] < 0).all()
    assert (events.differences[0][busiest, -10:] > 0).all()


def test_the_time_waited_is_exact_where_the_source_sums() -> None:
    counts = poisson(mean_counts(60), 1)
    waited = np.linspace(1.0, 2.0, 60)
    _, waits = side_by_side([run(counts, waited=waited), run(counts, waited=waited)], 1, EDGES, ALL, 30)
    assert waits.averages[0].sum() == pytest.approx(waited.mean())


def test_runs_of_a_side_stand_apart_and_silence_is_marked() -> None:
    counts = poisson(mean_counts(10), 1)
    events, _ = side_by_side([run(counts), run(counts), run(counts, gaps=(2,))], 2, EDGES, ALL, 40)
    assert events.before.shape[1] == 21
    assert not events.before[:, 10].any()
    assert events.silent[1].tolist() == [0, 0, 1, *[0] * 7]
    assert not events.differences[1][:, 2].any()


def test_a_side_that_is_much_shorter_keeps_its_columns() -> None:
    events, _ = side_by_side([run(mean_counts(1000)), run(mean_counts(10))], 1, EDGES, ALL, 20)
    assert events.before.shape[1] == 20
    assert events.after.shape[1] == 8


def test_finer_rows_of_one_side_add_up_in_the_rows_of_both() -> None:
    fine = 1e-6 * np.array([64, 80, 96, 112, 128, 256.0])
    coarse = np.array([64e-6, 128e-6, 256e-6])
    one = RunColumns(np.repeat([[1.0], [2], [3], [4], [5]], 5, axis=1), fine, np.ones(5), None)
    other = RunColumns(np.repeat([[10.0], [5]], 5, axis=1), coarse, np.ones(5), None)
    events, waits = side_by_side([one, other], 1, coarse, [0, 1, 2], 5)
    assert events.averages[0].tolist() == [10, 5]
    assert not events.differences[1].any()
    assert waits.averages[0][0] == pytest.approx(10 * 100e-6, rel=0.1)


def test_rows_are_doublings_and_cover_all_events() -> None:
    edges = 1e-6 * np.array([16, 20, 24, 28, 32, 40, 48, 56, 64, 128.0])
    counts = np.array([0, 1, 1, 1, 1, 1, 1, 1, 1.0])
    assert edges[picture_places(counts, edges, 10, 10)].tolist() == pytest.approx([20e-6, 32e-6, 64e-6, 128e-6])


def test_doublings_of_nanoseconds_are_rows_as_well() -> None:
    edges = 1e-9 * np.array([40960, 49152, 57344, 65536, 98304, 131072.0])
    assert edges[picture_places(np.ones(5), edges, 10, 10)].tolist() == pytest.approx([40960e-9, 65536e-9, 131072e-9])


def test_with_few_rows_those_with_hardly_any_events_are_put_together() -> None:
    counts = mean_counts(1)[:, 0].round()
    places = picture_places(counts, EDGES, 5, 5)
    assert len(places) == 6
    sums = np.add.reduceat(counts[: places[-1]], places[:-1])
    assert sums.sum() == counts.sum()
    assert sums.max() == counts.max()  # the strongest row stands alone
    assert picture_places(np.zeros(3), np.array([1.0, 2, 4, 8]), 5, 5) == [0, 3]


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        ([256, 512, 1024, 8192, 16_384], [256, 512, 1024, 2048, 4096, 8192, 16_384]),
        ([512, 1000, 1024, 12_288, 24_576], [512, 1000, 1024, 2048, 4096, 8192, 12_288, 24_576]),
        ([1000, 2000, 3000, 16_000, 20_000], [1000, 2000, 3000, 6000, 12_000, 16_000, 20_000]),
    ],
)
def test_rows_without_events_are_as_high_as_others(edges: list[int], expected: list[int]) -> None:
    """Between two modes a source without events has no bounds: a row over all of it would seem to be one doubling."""
    counts, finer = with_empty_rows(np.array([5.0, 3.0, 0.0, 7.0]), np.array(edges) / 1e6)
    assert np.allclose(finer * 1e6, expected)
    assert counts.sum() == 15
    assert [counts[np.searchsorted(finer, edge / 1e6)] for edge in edges[:-1]] == [5, 3, 0, 7]


def test_rows_with_events_are_left_as_they_are() -> None:
    edges, counts = np.array([1.0, 64.0, 128.0]), np.array([2.0, 1.0])
    assert with_empty_rows(counts, edges)[1] is edges
    open_top = np.array([1.0, 2.0, np.inf])
    assert with_empty_rows(np.array([2.0, 0.0]), open_top)[1] is open_top


def test_what_rounding_leaves_of_equal_sides_is_blank() -> None:
    counts = np.repeat(mean_counts(1).round(), 99, axis=1)
    for maps in side_by_side([run(counts), run(counts)], 1, EDGES, ALL, 26):
        assert not any(one.any() for one in maps.differences)
