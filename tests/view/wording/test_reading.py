"""The sentences below the maps: the bands in words, how they changed, the statistics."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pylatencymap.analysis import Estimate, Mode, Modes
from pylatencymap.view.drawing import draw_picture
from pylatencymap.view.layout.colour_scale import ScaleMemory
from pylatencymap.view.layout.scene import ChangeWords, Reading, Scene
from pylatencymap.view.layout.status import Status
from pylatencymap.view.style.options import ViewOptions
from pylatencymap.view.style.styled_text import fitted, width_of
from pylatencymap.view.wording.footer import statistics_lines
from pylatencymap.view.wording.reading import (
    change_text,
    change_texts,
    modes_of,
    reading_text,
    reading_texts,
    recurring_text,
)
from pylatencymap.window.statistics import Quantity, Summary
from tests.view.conftest import read


def mode(lower: float, upper: float, share: float, wait: float) -> Mode:
    of_events, of_time = (Estimate(one, one, one) for one in (share, wait))
    return Mode(lower, upper, lower * 1.4, 1000 * share, of_events, of_time, of_time, lower, upper)


MODES = (
    mode(16e-6, 64e-6, 0.60, 0.05),
    mode(128e-6, 256e-6, 0.20, 0.10),
    mode(512e-6, 1.024e-3, 0.12, 0.15),
    mode(4.096e-3, 16.384e-3, 0.08, 0.70),
)
FOUR = Reading(Modes(1000.0, 1.0, 0.0, (MODES,)), 4)


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
    text = plain(reading_text(FOUR, "I/Os", width, short=True, single=False))
    assert len(text) <= width
    assert [mode for mode in ("16-64 us", "128-256 us", "512 us-1.02 ms", "4.10-16.4 ms") if mode in text] == kept
    assert text.endswith(rest)
    assert ("more" in text) is bool(rest)


def test_a_narrow_terminal_has_the_band_that_users_wait_for() -> None:
    text = plain(reading_text(FOUR, "I/Os", 58, short=True, single=True))
    assert text == "4.10-16.4 ms 8 % I/Os 70 % wait   +3 more"
    assert "more" not in plain(
        reading_text(Reading(Modes(1000.0, 1.0, 0.0, (MODES[:1],)), 1), "I/Os", 58, short=True, single=True)
    )


def sentence(matrix, width: int, *, short: bool = False, single: bool = False) -> str:
    return plain(reading_text(read(matrix), "I/Os", width, short=short, single=single))


def test_the_modes_of_the_analysis_with_their_shares(make_matrix) -> None:
    counts = make_matrix().counts
    counts[5] = 0
    matrix = make_matrix(counts=counts)
    _, slow = modes_of(read(matrix))
    assert slow.events == pytest.approx(90 * 71 / matrix.counts.sum(), abs=0.001)
    text = sentence(matrix, 120)
    assert text == "64-256 us  80 % of I/Os but 4 % of the wait      8.19-16.4 ms  20 % of I/Os but 96 % of the wait"
    assert sentence(matrix, 78, short=True) == "64-256 us 80 % I/Os 4 % wait   8.19-16.4 ms 20 % I/Os 96 % wait"
    assert sentence(matrix, 58, short=True, single=True) == "8.19-16.4 ms 20 % I/Os 96 % wait   +1 more"


def test_a_single_event_is_no_mode_but_a_tail_if_it_waits_much(make_matrix) -> None:
    counts = np.zeros((24, 2))
    counts[2] = 20_000
    assert sentence(make_matrix(counts=counts), 120) == "64-128 us  100 % of I/Os and 100 % of the wait"
    counts[20, 0] = 1
    text = sentence(make_matrix(counts=counts), 120)
    assert text.startswith("64-128 us  ")
    assert "above 16.8 s, 1 event  <1 % of I/Os but " in text
    counts[20, 0], counts[9, 0] = 0, 1
    assert "tail" not in sentence(make_matrix(counts=counts), 120)


@pytest.mark.parametrize(("events", "told"), [(50, True), (49, False)])
def test_below_a_hundred_events_nothing_is_told_of_modes(make_matrix, events: int, told: bool) -> None:
    counts = np.zeros((12, 2))
    counts[2] = events
    text = sentence(make_matrix(counts=counts), 120)
    assert ("64-128 us" in text) is told
    assert text.endswith("too few to tell modes, which takes 100") is not told


def test_nothing_is_said_of_no_events(make_matrix) -> None:
    assert reading_text(Reading(), "I/Os", 80, short=False, single=False) == ()
    assert sentence(make_matrix(counts=np.zeros((12, 3))), 80) == ""


def test_a_mode_that_is_only_possible_is_named_as_that() -> None:
    modes = Modes(1000.0, 1.0, 0.0, (MODES[:1], MODES[:2]))
    assert "possibly 2 modes" in plain(reading_text(Reading(modes, 1), "I/Os", 120, short=False, single=False))
    both = plain(reading_text(Reading(modes, 2), "I/Os", 120, short=False, single=False))
    assert "128-256 us" in both
    assert "possibly" not in both


def test_the_costliest_change_and_how_many_more_there_are() -> None:
    first = ChangeWords("03:12-03:32", "a band at 131-524 ms: 2.0 % of reads; none before", "cost: 12 min of waiting")
    assert change_text((), 80) == ()
    text = "03:12-03:32  a band at 131-524 ms: 2.0 % of reads; none before; cost: 12 min of waiting"
    assert plain(change_text((first,), 100)) == text
    assert plain(change_text((first, first), 100)) == f"{text}   +1 more"
    assert plain(change_text((first,), 80)) == text.removesuffix("; cost: 12 min of waiting")
    assert plain(change_text((first,), 50)) == "03:12-03:32  a band at 131-524 ms: 2.0 % of reads"
    signed = first._replace(what="a band: 2 % of reads, 9 % of the wait; none before", sign="1")
    assert plain(change_text((signed,), 60)) == "1 03:12-03:32  a band: 2 % of reads, 9 % of the wait"
    assert plain(change_text((signed,), 50)) == "1 03:12-03:32  a band: 2 % of reads, 9 % wait"


def test_changes_have_a_line_each_on_as_many_lines_as_there_are() -> None:
    changes = [ChangeWords(f"0{hour}:00", "a gap") for hour in range(6)]
    assert change_texts((), 80) == ()
    for count, lines in enumerate(change_texts(changes[:3], 80), start=1):
        said = [plain(line) for line in lines]
        assert [line[:5] for line in said] == ["00:00", "01:00", "02:00"][:count]
        assert [line.endswith("more") for line in said] == [False] * (count - 1) + [count < 3]
    assert plain(change_texts(changes, 80)[-1][-1]).endswith("+2 more")


def test_what_recurs_is_said_as_far_as_there_is_room_and_no_number_is_cut() -> None:
    said = "every 10 s a burst of about 1 s: the share of I/Os above 250 us rises from 0 % to 28 %"
    wait = f"{said}, and 98 % of the wait is in these"
    assert recurring_text((), 120) == ()
    assert plain(recurring_text((wait,), len(wait))) == wait
    assert plain(recurring_text((wait, said), len(wait) + 10)) == f"{wait}   +1 more"
    assert plain(recurring_text((wait, said), len(wait))) == wait
    assert plain(recurring_text((wait,), len(wait) - 1)) == said
    assert recurring_text((wait,), len(said) - 1) == ()


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


def test_with_more_lines_all_modes_are_named() -> None:
    """In their order, none twice, and with one line what ``reading_text`` says."""
    names = ["16-64 us", "128-256 us", "512 us-1.02 ms", "4.10-16.4 ms"]
    for width, single, lines in ((140, False, [1]), (78, False, [1, 2]), (58, True, [1, 2, 3, 4])):
        texts = reading_texts(FOUR, "I/Os", width, short=True, single=single)
        assert [len(text) for text in texts] == lines
        assert texts[0] == (reading_text(FOUR, "I/Os", width, short=True, single=single),)
        for text in texts:
            said = [plain(line) for line in text]
            assert max(map(len, said)) <= width
            told = [name for line in said for name in names if name in line]
            assert told == [name for name in names if name in told]
            assert said[-1].endswith("more") is (len(told) < len(names))
            assert len(told) == len(names) or f"+{len(names) - len(told)} more" in said[-1]
        assert told == names


def test_no_mode_is_named_on_more_lines_than_there_are() -> None:
    one = Reading(Modes(1000.0, 1.0, 0.0, (MODES[:1],)), 1)
    assert len(reading_texts(one, "I/Os", 20, short=True, single=True)) == 1
    assert reading_texts(Reading(), "I/Os", 80, short=False, single=False) == ()


@pytest.mark.parametrize(
    ("span", "said"), [(71.0, "no events in this window"), (0.0, "no data in this window, which is not zero")]
)
def test_a_window_that_is_all_gap_has_no_data_which_is_not_no_events(make_matrix, span: float, said: str) -> None:
    matrix = make_matrix(counts=np.zeros((4, 71)))
    nothing = Summary(span, 0.0, 0.0, False)
    drawn = draw_picture(Scene(matrix, Status("x"), nothing, nothing), ViewOptions(), (120, 40), ScaleMemory())
    assert [line.strip() for line in drawn.cells.text() if "in this window" in line] == [said]
