"""Modes and the reading made of them."""

import numpy as np
import pytest

from pylatencymap.view.wording.reading import find_peaks, read_matrix, reading_text, trend_text

BOUNDS = 2.0 ** np.arange(4, 15) * 1e-6


def find(events: list[float]) -> list[tuple[int, int]]:
    counts = np.array(events, float)
    waited = counts * (BOUNDS[1 : len(events) + 1] + BOUNDS[: len(events)]) / 2
    return [(mode.first, mode.last) for mode in find_peaks(BOUNDS[: len(events) + 1], counts, waited)]


def test_a_cache_and_a_spindle_are_two_modes() -> None:
    assert find([1, 60, 700, 70, 5, 1, 1, 1, 0, 140]) == [(2, 3), (9, 9)]


def test_one_hump_is_one_mode() -> None:
    assert find([0, 0, 10, 60, 100, 60, 2]) == [(3, 5)]


def test_a_shoulder_is_no_mode() -> None:
    assert len(find([100, 80, 90, 10])) == 1


def test_a_peak_worth_nothing_is_no_mode() -> None:
    assert find([0, 1000, 0, 1, 0, 0]) == [(1, 1)]


def test_nothing_has_no_modes() -> None:
    assert find([0, 0, 0]) == []
    assert find_peaks(np.zeros(1), np.zeros(0), np.zeros(0)) == ()


def test_shares_are_of_everything(make_matrix) -> None:
    matrix = make_matrix()
    fast, slow = read_matrix(matrix).peaks
    assert (slow.lower, slow.upper) == (pytest.approx(8.192e-3), pytest.approx(16.384e-3))
    assert slow.events == pytest.approx(90 * 71 / matrix.counts.sum())
    assert slow.waited == pytest.approx(matrix.waited[9].sum() / matrix.waited.sum())
    assert (fast.lower, fast.upper) == (pytest.approx(64e-6), pytest.approx(256e-6))


def test_the_wording(make_matrix) -> None:
    modes = read_matrix(make_matrix()).peaks
    full = "".join(text for text, _ in reading_text(modes, "I/Os", 120, short=False, single=False))
    assert full == ("64-256 us  80 % of I/Os but 4 % of the wait      8.19-16.4 ms  20 % of I/Os but 96 % of the wait")
    short = "".join(text for text, _ in reading_text(modes, "I/Os", 78, short=True, single=False))
    assert short == "64-256 us 80 % I/Os 4 % wait   8.19-16.4 ms 20 % I/Os 96 % wait"
    single = "".join(text for text, _ in reading_text(modes, "I/Os", 58, short=True, single=True))
    assert single == "8.19-16.4 ms 20 % I/Os 96 % wait   +1 more"


def test_the_trend_compares_the_ends_of_the_window(make_matrix) -> None:
    matrix = make_matrix()
    text = "".join(part for part, _ in trend_text(read_matrix(matrix), matrix.seconds, "I/Os"))
    first = 90 * 15 / matrix.counts[:, :15].sum()
    last = 90 * 15 / matrix.counts[:, -15:].sum()
    assert text == (
        f"8.19-16.4 ms  fell from {first:.0%} of I/Os (first 15 s) to {last:.0%} (last 15 s)".replace("%", " %")
    )
    steady = make_matrix(counts=np.repeat(matrix.counts[:, 35:36], 71, axis=1))
    assert trend_text(read_matrix(steady), steady.seconds, "I/Os") == ()


def test_finer_rows_give_the_same_modes(make_matrix) -> None:
    """Modes are looked for per octave: halving the rows changes nothing."""
    octaves = make_matrix()
    bounds = np.sort(np.concatenate((octaves.bounds, (octaves.bounds[1:] + octaves.bounds[:-1]) / 2)))
    finer = type(octaves)(
        **{
            **octaves._asdict(),
            "bounds": bounds,
            "counts": np.repeat(octaves.counts, 2, axis=0) / 2,
            "waited": np.repeat(octaves.waited, 2, axis=0) / 2,
        }
    )
    wanted = [(mode.lower, mode.upper, mode.events) for mode in read_matrix(octaves).peaks]
    assert [(mode.lower, mode.upper, mode.events) for mode in read_matrix(finer).peaks] == [
        pytest.approx(m) for m in wanted
    ]
