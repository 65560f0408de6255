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
    viewer = view(200)
    viewer.press(" ")
    assert "PAUSED" in viewer.lines[0]
    before = viewer.text
    viewer.add(*(second(number) for number in range(201, 238)))
    assert viewer.right_edge == 200
    assert "37 new" in viewer.lines[0]
    assert viewer.lines[1:-1] == before.split("\n")[1:-1]
    viewer.press(" ")
    assert viewer.right_edge == 237
    assert "LIVE" in viewer.lines[0]
    assert "new" not in viewer.lines[0]


@pytest.mark.parametrize("key", [" ", "KEY_END"])
def test_one_key_leads_back_to_live(view: Callable[..., Any], key: str) -> None:
    viewer = view(500)
    viewer.press("KEY_PGUP", "KEY_PGUP")
    assert viewer.right_edge < 500
    viewer.press(key)
    assert viewer.right_edge == 500
    viewer.add(second(501))
    assert viewer.right_edge == 501


def test_pages_follow_each_other_without_a_hole(view: Callable[..., Any]) -> None:
    viewer = view(300)
    columns = viewer.drawn.geometry.ends.size
    viewer.press("KEY_PGUP")
    assert viewer.right_edge == 300 - columns
    viewer.press("KEY_PGDOWN")
    assert viewer.right_edge == 300


def test_the_oldest_columns_fill_the_screen(view: Callable[..., Any]) -> None:
    viewer = view(300)
    columns = viewer.drawn.geometry.ends.size
    viewer.press("KEY_HOME")
    assert viewer.right_edge == columns
    assert int(viewer.drawn.geometry.ends[0]) == START + SECOND
    viewer.press("KEY_PGUP")
    assert viewer.right_edge == columns


def test_columns_merge_over_real_time(view: Callable[..., Any]) -> None:
    viewer = view(300)
    rates = []
    for step in (1, 2, 5, 10, 30, 60):
        ends = viewer.drawn.geometry.ends
        assert np.unique(np.diff(ends)[:-1]).tolist() == [step * SECOND], "the newest is drawn as far as it has come"
        rates.append(viewer.line("100 /s|100 +/s"))
        viewer.press("]")
    for _ in range(10):
        viewer.press("[")
    assert viewer.drawn.geometry.ends.size == min(300, viewer.stage.picture.columns_at((120, 40)))
    assert len(rates) == 6, "the rate per second stays what it is, however long a column"


def test_gaps_and_resets_are_told_as_they_were_however_time_is_merged(view: Callable[..., Any]) -> None:
    """Silent from second 107 to 133, and counters that restarted in second 151, in columns of up to 10 minutes."""
    silence = Interval("sda", Unit.US, START + 107 * SECOND, START + 133 * SECOND, 26.0, gap=True)
    restart = replace(second(151), reset=True)
    viewer = view(
        [*map(second, range(1, 108)), silence, *map(second, range(134, 151)), restart, *map(second, range(152, 200))]
    )
    for _ in range(5):
        assert "gap: the source was silent for 26 s" in viewer.line("^ G 22:15:07")
        assert "counted from zero over 1 s" in viewer.line("^ R 22:15:51")
        viewer.press("]")


def test_a_tick_beside_a_gap_stands_where_its_moment_is(view: Callable[..., Any]) -> None:
    """In columns of 10 s that in which the silence begins ends where the next one begins, not with its data."""
    silence = Interval("sda", Unit.US, START + 107 * SECOND, START + 133 * SECOND, 26.0, gap=True)
    viewer = view([*map(second, range(1, 108)), silence, *map(second, range(134, 401))])
    viewer.press("]", "]", "]")
    assert viewer.stage.at.width == 10
    ends = viewer.drawn.geometry.ends.tolist()
    assert {end % (10 * SECOND) for end in ends} == {0}
    assert set(np.diff(ends).tolist()) == {10 * SECOND}


def test_a_moment_by_name(view: Callable[..., Any]) -> None:
    viewer = view(900)
    viewer.press("t")
    viewer.type("22:20:00")  # 400 s after the start
    ends = viewer.drawn.geometry.ends
    assert ends[0] < START + 400 * SECOND < ends[-1]
    viewer.press("t")
    viewer.type("yesterday")
    assert "is no time" in viewer.text
    assert viewer.lines[-1].startswith(" go to: yesterday")


class Time:
    now = 10.0

    def __call__(self) -> float:
        return self.now


def test_a_replay_pauses_steps_and_goes_on(view: Callable[..., Any]) -> None:
    time = Time()
    viewer = view(300, player=ReplayPlayer(1.0, monotonic=time))
    viewer.play()
    assert viewer.right_edge == 1
    for _ in range(9):
        time.now += 1
        viewer.play()
    here = viewer.right_edge
    assert here == 10
    viewer.press(" ")
    time.now += 50
    viewer.play()
    assert (viewer.right_edge, "PAUSED" in viewer.lines[0]) == (here, True)
    viewer.press(".", ".")
    viewer.play()
    assert viewer.right_edge == here + 2
    viewer.press(" ")
    time.now += 1
    viewer.play()
    assert viewer.right_edge == here + 3
    assert "REPLAY" in viewer.lines[0]


def test_a_replay_is_sped_up_and_seeks(view: Callable[..., Any]) -> None:
    time = Time()
    viewer = view(900, player=ReplayPlayer(1.0, monotonic=time))
    viewer.play()
    viewer.press(">", ">", ">")
    assert "REPLAY 10x" in viewer.lines[0]
    for _ in range(10):
        time.now += 0.1001
        viewer.play()
    assert viewer.right_edge == 11
    viewer.press("t")
    viewer.type("22:20:00")
    viewer.play()
    assert viewer.right_edge == 400
    viewer.press("<")
    assert "REPLAY 5x" in viewer.lines[0]
    viewer.press("KEY_PGDOWN")
    viewer.play()
    assert viewer.right_edge == 400 + viewer.stage.picture.columns_at((120, 40))


@pytest.mark.parametrize(
    ("width", "date"), [(120, "2023-11-14 UTC 22:16:40"), (80, "11-14 22:16:40"), (60, "11-14 22")]
)
def test_a_picture_that_stands_still_has_a_date(view: Callable[..., Any], width: int, date: str) -> None:
    viewer = view(200, size=(width, 24))
    assert "11-14" not in viewer.lines[0]
    viewer.press(" ")
    assert date in viewer.lines[0]


@pytest.mark.parametrize("key", ["KEY_PGUP", "KEY_HOME"])
@pytest.mark.parametrize("ended", [False, True])
def test_where_all_is_shown_no_key_turns_a_page(view: Callable[..., Any], key: str, *, ended: bool) -> None:
    viewer = view(300)
    viewer.stage.source_ended = ended
    viewer.press("]", "]", "]")
    before, chip = viewer.drawn.geometry, "END" if ended else "LIVE"
    assert before.cell_width == (2 if ended else 1), "30 columns; what has ended is drawn as wide as there is room"
    viewer.press(key)
    assert "all that is kept is on the screen" in viewer.text
    assert chip in viewer.lines[0]
    assert viewer.drawn.geometry.ends.tolist() == before.ends.tolist()
    assert viewer.drawn.geometry.cell_width == before.cell_width


def test_a_page_on_brings_back_what_a_page_back_left(view: Callable[..., Any]) -> None:
    viewer = view(300)
    viewer.stage.source_ended = True
    viewer.draw()
    before = viewer.lines
    viewer.press("KEY_PGUP")
    assert "PAUSED" in viewer.lines[0]
    viewer.press("KEY_PGDOWN")
    assert viewer.lines == before


def test_columns_of_one_interval_are_the_shortest(view: Callable[..., Any]) -> None:
    viewer = view(300)
    viewer.press("[")
    assert "a column is one interval" in viewer.text
    viewer.press("]", "[")
    assert "a column is one interval" not in viewer.text
