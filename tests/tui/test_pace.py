"""When frames are due, on a clock that stands still."""

import pytest

from pylatencymap.tui.pace import FRAME_SECONDS, IDLE_SECONDS, LONGEST_TEXT_SECONDS, TEXT_SECONDS, TEXT_SHARE, Pace


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def drawn_in(clock: Clock, seconds: float) -> Pace:
    """A pace just after a picture that took so long."""
    pace, begun = Pace(clock), clock.now
    clock.now += seconds
    pace.drawn(begun)
    return pace


def test_the_first_frame_is_due_at_once() -> None:
    assert Pace().left == 0.0


def test_data_are_drawn_30_times_a_second_and_nothing_is_looked_at_twice_a_second(clock: Clock) -> None:
    pace = drawn_in(clock, 0.001)
    assert pace.left == pytest.approx(IDLE_SECONDS)
    pace.came(seen=False)
    assert pace.left == pytest.approx(FRAME_SECONDS)
    clock.now += FRAME_SECONDS
    assert pace.left == pytest.approx(0.0)


def test_to_find_nothing_new_puts_the_next_look_off(clock: Clock) -> None:
    pace = drawn_in(clock, 0.001)
    clock.now += IDLE_SECONDS
    assert pace.left == pytest.approx(0.0)
    pace.skip()
    assert pace.left == pytest.approx(IDLE_SECONDS)


@pytest.mark.parametrize(
    ("took", "seconds"), [(0.001, TEXT_SECONDS), (0.03, 0.03 / TEXT_SHARE), (10.0, LONGEST_TEXT_SECONDS)]
)
def test_texts_behind_their_columns_take_a_small_share_of_the_time(clock: Clock, took: float, seconds: float) -> None:
    pace = drawn_in(clock, took)
    pace.came(seen=True)
    assert pace.left == pytest.approx(seconds)
    clock.now += 0.9 * seconds
    assert not pace.text_is_due
    clock.now += 0.2 * seconds
    assert pace.text_is_due
    assert pace.left == 0.0


def test_a_picture_catches_up_with_everything(clock: Clock) -> None:
    pace = drawn_in(clock, 0.001)
    pace.came(seen=True)
    pace.urgent = True
    assert pace.left == 0.0
    pace.drawn(clock.now)
    assert (pace.stale, pace.seen, pace.urgent) == (False, False, False)
    assert pace.left == pytest.approx(IDLE_SECONDS)
