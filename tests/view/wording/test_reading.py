"""The sentences below the maps: the bands in words, how they changed, the statistics."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pylatencymap.view.style.styled_text import fitted, width_of
from pylatencymap.view.wording.footer import statistics_lines
from pylatencymap.view.wording.reading import Peak, read_matrix, reading_text, trend_text
from pylatencymap.window.statistics import Quantity, Summary

MODES = (
    Peak(0, 1, 16e-6, 64e-6, 0.60, 0.05),
    Peak(3, 3, 128e-6, 256e-6, 0.20, 0.10),
    Peak(5, 5, 512e-6, 1.024e-3, 0.12, 0.15),
    Peak(8, 9, 4.096e-3, 16.384e-3, 0.08, 0.70),
)


def plain(text) -> str:
    return "".join(characters for characters, _ in text)


@pytest.mark.parametrize(
    ("width", "kept", "rest"),
    [
        (140, ["16-64 us", "128-256 us", "512 us-1.02 ms", "4.10-16.4 ms"], ""),
        (78, ["16-64 us", "4.10-16.4 ms"], "+2 more"),
    ],
)
def test_the_largest_bands_are_kept_and_the_rest_is_counted(width, kept, rest) -> None:
    """The fastest has the most events, the slowest the most wait: whatever is left out is less than both."""
    text = plain(reading_text(MODES, "I/Os", width, short=True, single=False))
    assert len(text) <= width
    assert [mode for mode in ("16-64 us", "128-256 us", "512 us-1.02 ms", "4.10-16.4 ms") if mode in text] == kept
    assert text.endswith(rest)
    assert ("more" in text) is bool(rest)


def test_a_narrow_terminal_has_the_band_that_users_wait_for() -> None:
    text = plain(reading_text(MODES, "I/Os", 58, short=True, single=True))
    assert text == "4.10-16.4 ms 8 % I/Os 70 % wait   +3 more"
    assert "more" not in plain(reading_text(MODES[:1], "I/Os", 58, short=True, single=True))


@pytest.mark.parametrize(
    ("lengths", "first", "last"),
    [
        ([1.0] * 60, "15 s", "15 s"),
        ([30.0] * 10, "30 s", "30 s"),
        ([10.0] * 5 + [4.0], "20 s", "24 s"),
        ([6.0] * 4, "12 s", "12 s"),
    ],
)
def test_a_trend_says_the_time_that_it_is_over(make_matrix, lengths, first, last) -> None:
    """The slow band falls from 50 % of the events in the first half to 10 %; columns are not cut."""
    seconds = np.array(lengths)
    counts = np.zeros((12, seconds.size))
    early = np.arange(seconds.size) < seconds.size / 2
    counts[2], counts[9] = np.where(early, 50, 90) * seconds, np.where(early, 50, 10) * seconds
    text = plain(trend_text(read_matrix(make_matrix(counts=counts)), seconds, "I/Os"))
    assert text == f"8.19-16.4 ms  fell from 50 % of I/Os (first {first}) to 10 % (last {last})"


def test_ends_that_overlap_have_no_trend(make_matrix) -> None:
    counts = np.zeros((12, 3))
    counts[2], counts[9] = (50, 2000, 90), (50, 1000, 10)
    assert trend_text(read_matrix(make_matrix(counts=counts)), np.array([1.0, 30.0, 1.0]), "I/Os") == ()


@given(st.integers(0, 40))
def test_what_is_cut_ends_in_an_ellipsis(width: int) -> None:
    text = (("gap: the source", 3), (" was silent", 5))
    found = fitted(text, width)
    if width >= 26:
        assert found == text
    else:
        assert width_of(found) == max(width, 1)
        assert plain(found) == plain(text)[: max(width - 1, 0)] + "…"


def test_figures_stand_below_each_other_and_have_three_digits() -> None:
    """Also where one line has longer ones: the average of a source with an open range is only a limit."""

    def summary(span: float, *values: float, beyond: bool = False) -> Summary:
        average, p50, p90, p99 = (Quantity(value) for value in values)
        return Summary(span, 10.0, 1.0, True, average._replace(beyond=beyond), p50, p90, p99, Quantity(0.016384))

    named = [
        ("window", summary(125.0, 0.001, 0.0002, 0.016, 0.02, beyond=True)),
        ("latest", summary(1.02, 100e-6, 0.5, 1.0, 2.0)),
    ]
    first, second = (plain(line) for line in statistics_lines(named, 120, with_maximum=True))
    assert first == "window 2 min 5 s   avg >= 1.00 ms   p50 200 us    p90 16.0 ms   p99 20.0 ms   max < 16.4 ms"
    assert second == "latest 1 s         avg 100 us       p50 500 ms    p90 1.00 s    p99 2.00 s    max < 16.4 ms"
    for width in (80, 70, 62, 50):
        lines = [plain(line) for line in statistics_lines(named, width, with_maximum=False)]
        assert all(len(line) <= width and "max" not in line for line in lines)
        assert lines[0].index("p99") == lines[1].index("p99")
    empty = ("latest", Summary(1.0, 0.0, 0.0, True))
    assert plain(statistics_lines([empty], 80, with_maximum=True)[0]) == "latest 1 s   no events"
