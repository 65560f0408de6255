"""When frames are due, on a clock that stands still."""

import pytest

from pylatencymap.tui.app import (
    COMPLETE_SECONDS,
    FRAME_SECONDS,
    IDLE_SECONDS,
    LONGEST_PAUSE,
    PAUSE_OF_READING,
    TEXTS_A_SECOND,
    FramePacer,
)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def pace(clock: Clock) -> FramePacer:
    """Just after a picture."""
    pace = FramePacer(clock)
    clock.now += 0.001
    pace.frame_drawn()
    return pace


def test_the_first_frame_is_due_at_once() -> None:
    assert FramePacer().seconds_left == 0.0


def test_data_are_drawn_30_times_a_second_and_nothing_is_looked_at_twice_a_second(
    clock: Clock, pace: FramePacer
) -> None:
    assert pace.seconds_left == pytest.approx(IDLE_SECONDS)
    pace.stale = True
    assert pace.seconds_left == pytest.approx(FRAME_SECONDS)
    clock.now += FRAME_SECONDS
    assert pace.seconds_left == pytest.approx(0.0)


def test_to_find_nothing_new_puts_the_next_look_off(clock: Clock, pace: FramePacer) -> None:
    clock.now += IDLE_SECONDS
    assert pace.seconds_left == pytest.approx(0.0)
    pace.frame_skipped()
    assert pace.seconds_left == pytest.approx(IDLE_SECONDS)


def test_a_picture_catches_up_with_everything(pace: FramePacer) -> None:
    pace.stale = pace.urgent = True
    assert pace.seconds_left == 0.0
    pace.frame_drawn()
    assert (pace.stale, pace.urgent) == (False, False)
    assert pace.seconds_left == pytest.approx(IDLE_SECONDS)


def test_texts_have_a_clock_of_their_own(clock: Clock, pace: FramePacer) -> None:
    clock.now = 200.01
    first = pace.tick
    clock.now += 0.9 / TEXTS_A_SECOND
    assert pace.tick == first
    clock.now += 0.2 / TEXTS_A_SECOND
    assert pace.tick == first + 1


def test_texts_that_were_held_catch_up_within_a_fifth_of_a_second(pace: FramePacer) -> None:
    pace.frame_drawn(complete=False)
    assert pace.waits_for_texts
    assert pace.seconds_left == pytest.approx(COMPLETE_SECONDS)
    assert COMPLETE_SECONDS < 0.2
    pace.stale = True
    assert pace.seconds_left == pytest.approx(FRAME_SECONDS), "more data are not kept waiting for it"
    pace.frame_drawn()
    assert not pace.waits_for_texts
    assert pace.seconds_left == pytest.approx(IDLE_SECONDS)


def test_pictures_of_a_file_that_is_read_leave_it_most_of_the_time(clock: Clock, pace: FramePacer) -> None:
    begin = pace.now
    clock.now += 0.02
    pace.frame_drawn(since=begin)
    pace.stale = True
    assert pace.seconds_left == pytest.approx(0.02 * PAUSE_OF_READING)
    pace.urgent = True
    assert pace.seconds_left == 0.0, "a key does not wait"


def test_the_picture_of_a_file_that_is_read_follows_however_long_one_takes(clock: Clock, pace: FramePacer) -> None:
    begin = pace.now
    clock.now += 3.0
    pace.frame_drawn(since=begin)
    pace.stale = True
    assert pace.seconds_left == pytest.approx(LONGEST_PAUSE)
    pace.frame_drawn()
    pace.stale = True
    assert pace.seconds_left == pytest.approx(FRAME_SECONDS), "read to its end, it is drawn as any other"


def test_a_quick_picture_of_a_file_that_is_read_is_not_drawn_more_often(pace: FramePacer) -> None:
    begin = pace.now
    pace.frame_drawn(since=begin)
    pace.stale = True
    assert pace.seconds_left == pytest.approx(FRAME_SECONDS)
