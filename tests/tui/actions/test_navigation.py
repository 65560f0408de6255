"""Keys that move in time: the columns drawn, and what is said of data that came meanwhile."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pylatencymap.interval import Interval
from pylatencymap.session.replay import ReplayPlayer
from pylatencymap.units import Unit

SECOND = 1_000_000
START = 1_700_000_000 * SECOND


def second(number: int) -> Interval:
    end = START + number * SECOND
    return Interval(
        "sda", Unit.US, end - SECOND, end, 1.0, ((128, 256, 90), (8192, 16384, 10)), 0.14016, True, label="biolatency"
    )


def test_a_pause_holds_the_picture_and_counts_what_comes(view: Callable[..., Any]) -> None:
    driver = view(200)
    driver.press(" ")
    assert "PAUSED" in driver.lines[0]
    before = driver.text
    driver.add(*(second(number) for number in range(201, 238)))
    assert driver.right_edge == 200
    assert "37 new" in driver.lines[0]
    assert driver.lines[1:-1] == before.split("\n")[1:-1]
    driver.press(" ")
    assert driver.right_edge == 237
    assert "LIVE" in driver.lines[0]
    assert "new" not in driver.lines[0]


@pytest.mark.parametrize("key", [" ", "KEY_END"])
def test_one_key_leads_back_to_live(view: Callable[..., Any], key: str) -> None:
    driver = view(500)
    driver.press("KEY_PGUP", "KEY_PGUP")
    assert driver.right_edge < 500
    driver.press(key)
    assert driver.right_edge == 500
    driver.add(second(501))
    assert driver.right_edge == 501


def test_pages_follow_each_other_without_a_hole(view: Callable[..., Any]) -> None:
    driver = view(300)
    columns = driver.drawn.geometry.ends.size
    driver.press("KEY_PGUP")
    assert driver.right_edge == 300 - columns
    driver.press("KEY_PGDOWN")
    assert driver.right_edge == 300


def test_the_oldest_columns_fill_the_screen(view: Callable[..., Any]) -> None:
    driver = view(300)
    columns = driver.drawn.geometry.ends.size
    driver.press("KEY_HOME")
    assert driver.right_edge == columns
    assert int(driver.drawn.geometry.ends[0]) == START + SECOND
    driver.press("KEY_PGUP")
    assert driver.right_edge == columns


def test_home_shows_a_column_in_which_the_history_begins(view: Callable[..., Any]) -> None:
    driver = view(2000)
    driver.viewer.source_ended = True
    driver.press("a", "[", "KEY_HOME")
    width, first = driver.viewer.column_micros, int(driver.drawn.geometry.ends[0])
    assert width == 15 * SECOND
    assert START % width, "or it begins with a whole column"
    assert first - width < START < first


def test_columns_merge_over_real_time(view: Callable[..., Any]) -> None:
    driver = view(300)
    rates = []
    for step in (1, 2, 5, 10, 15, 30):
        ends = driver.drawn.geometry.ends
        assert np.unique(np.diff(ends)[:-1]).tolist() == [step * SECOND], "the newest is drawn as far as it has come"
        rates.append(driver.line("100 /s|100 +/s"))
        driver.press("]")
    for _ in range(10):
        driver.press("[")
    assert driver.drawn.geometry.ends.size == min(300, driver.viewer.picture.columns_at((120, 40)))
    assert len(rates) == 6, "the rate per second stays what it is, however long a column"


def test_gaps_and_resets_are_told_as_they_were_however_time_is_merged(view: Callable[..., Any]) -> None:
    """Silent from second 107 to 133, and counters that restarted in second 151, in columns of up to 10 minutes."""
    silence = Interval("sda", Unit.US, START + 107 * SECOND, START + 133 * SECOND, 26.0, gap=True)
    restart = replace(second(151), reset=True)
    driver = view(
        [*map(second, range(1, 108)), silence, *map(second, range(134, 151)), restart, *map(second, range(152, 200))]
    )
    for _ in range(5):
        assert "gap: no data for 26 s" in driver.line("^ G 22:15:07")
        assert "counted from zero over 1 s" in driver.line("^ R 22:15:50")
        driver.press("]")


def test_a_tick_beside_a_gap_stands_where_its_moment_is(view: Callable[..., Any]) -> None:
    """In columns of 10 s that in which the silence begins ends where the next one begins, not with its data."""
    silence = Interval("sda", Unit.US, START + 107 * SECOND, START + 133 * SECOND, 26.0, gap=True)
    driver = view([*map(second, range(1, 108)), silence, *map(second, range(134, 401))])
    driver.press("]", "]", "]")
    assert driver.viewer.viewpoint.width == 10
    ends = driver.drawn.geometry.ends.tolist()
    assert {end % (10 * SECOND) for end in ends} == {0}
    assert set(np.diff(ends).tolist()) == {10 * SECOND}


def test_a_moment_by_name(view: Callable[..., Any]) -> None:
    driver = view(900)
    driver.press("t")
    driver.type("22:20:00")  # 400 s after the start
    ends = driver.drawn.geometry.ends
    assert ends[0] < START + 400 * SECOND < ends[-1]
    driver.press("t")
    driver.type("yesterday")
    assert "is no time" in driver.text
    assert driver.lines[-1].startswith(" go to: yesterday")


@pytest.mark.parametrize(("text", "notice"), [("22:13:20", False), ("22:13:19", True), ("22:28:21", True)])
def test_where_all_begins_is_no_moment_before_it(view: Callable[..., Any], text: str, notice: bool) -> None:
    driver = view(900)  # from 22:13:20 to 22:28:20
    driver.press("t")
    driver.type(text)
    assert (": this is its " in driver.text) is notice


class Time:
    now = 10.0

    def __call__(self) -> float:
        return self.now


def test_a_replay_pauses_steps_and_goes_on(view: Callable[..., Any]) -> None:
    time = Time()
    driver = view(300, player=ReplayPlayer(1.0, monotonic=time))
    driver.play()
    assert driver.right_edge == 1
    for _ in range(9):
        time.now += 1
        driver.play()
    here = driver.right_edge
    assert here == 10
    driver.press(" ")
    time.now += 50
    driver.play()
    assert (driver.right_edge, "PAUSED" in driver.lines[0]) == (here, True)
    driver.press(".", ".")
    driver.play()
    assert driver.right_edge == here + 2
    driver.press(" ")
    time.now += 1
    driver.play()
    assert driver.right_edge == here + 3
    assert "REPLAY" in driver.lines[0]


def test_a_replay_is_sped_up_and_seeks(view: Callable[..., Any]) -> None:
    time = Time()
    driver = view(900, player=ReplayPlayer(1.0, monotonic=time))
    driver.play()
    driver.press(">", ">", ">")
    assert "REPLAY 10x" in driver.lines[0]
    for _ in range(10):
        time.now += 0.1001
        driver.play()
    assert driver.right_edge == 11
    driver.press("t")
    driver.type("22:20:00")
    driver.play()
    assert driver.right_edge == 400
    driver.press("<")
    assert "REPLAY 5x" in driver.lines[0]
    driver.press("KEY_PGDOWN")
    driver.play()
    assert driver.right_edge == 400 + driver.viewer.picture.columns_at((120, 40))


def test_a_replay_says_where_it_stands_and_reads_to_its_end(view: Callable[..., Any]) -> None:
    driver = view(900, player=ReplayPlayer(1.0, monotonic=Time(), last=START + 900 * SECOND))
    driver.play()
    assert "1 s of 15 min" in driver.lines[0]
    driver.press("KEY_END")
    assert "READING" in driver.lines[0]
    driver.play()
    assert driver.right_edge == 900


def test_all_that_has_been_played_fits_the_screen(view: Callable[..., Any]) -> None:
    time = Time()
    driver = view(900, player=ReplayPlayer(1.0, monotonic=time))
    driver.play()
    driver.press("t")
    driver.type("22:20:00")
    driver.play()
    driver.press("a")
    driver.viewer.fit()
    driver.draw()
    ends = driver.drawn.geometry.ends
    assert driver.right_edge == 400
    assert int(ends[0]) - driver.viewer.column_micros <= START
    time.now += 1
    driver.play()
    driver.viewer.fit()
    driver.draw()
    assert "REPLAY" in driver.lines[0]
    assert driver.right_edge >= 401


@pytest.mark.parametrize(
    ("width", "date"), [(120, "2023-11-14 UTC 22:16:40"), (80, "11-14 22:16:40"), (60, "11-14 22")]
)
def test_a_picture_that_stands_still_has_a_date(view: Callable[..., Any], width: int, date: str) -> None:
    driver = view(200, size=(width, 24))
    assert "11-14" not in driver.lines[0]
    driver.press(" ")
    assert date in driver.lines[0]


@pytest.mark.parametrize("key", ["KEY_PGUP", "KEY_HOME"])
@pytest.mark.parametrize("ended", [False, True])
def test_where_all_is_shown_no_key_turns_a_page(view: Callable[..., Any], key: str, *, ended: bool) -> None:
    driver = view(300)
    driver.viewer.source_ended = ended
    driver.press("]", "]", "]")
    before, chip = driver.drawn.geometry, "ALL 5 min" if ended else "LIVE"
    assert before.ends.size == (60 if ended else 30), "what has ended is not made smaller than it need be"
    driver.press(key)
    assert "all that is kept is on the screen" in driver.text
    assert chip in driver.lines[0]
    assert driver.drawn.geometry.ends.tolist() == before.ends.tolist()
    assert driver.drawn.geometry.cell_width == before.cell_width


def test_a_page_on_brings_back_what_a_page_back_left(view: Callable[..., Any]) -> None:
    driver = view(300)
    driver.viewer.source_ended = True
    driver.draw()
    before = driver.lines
    driver.press("KEY_PGUP")
    assert " of 5 min" in driver.lines[0]
    assert driver.lines != before
    driver.press("KEY_PGDOWN")
    assert driver.lines == before


def test_columns_of_one_interval_are_the_shortest(view: Callable[..., Any]) -> None:
    driver = view(300)
    driver.press("[")
    assert "a column is one interval" in driver.text
    driver.press("]", "[")
    assert "a column is one interval" not in driver.text
