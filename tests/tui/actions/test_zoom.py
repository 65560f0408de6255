"""Zooming: what is looked at stays on the screen, all that is kept fits on it, and each step can be taken back."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from pylatencymap.session.picture import Picture, PictureOptions
from pylatencymap.session.replay import ReplayPlayer
from pylatencymap.session.viewpoint import Viewpoint
from pylatencymap.tui.terminal.input_events import Mouse
from tests.tui.actions.conftest import START, KeyDriver, second

SECOND = 1_000_000
LIVE, ENDED, PAUSED_REPLAY = "live", "ended", "paused replay"
STATES = (LIVE, ENDED, PAUSED_REPLAY)
MOVES = (
    "[",
    "]",
    "a",
    "KEY_ENTER",
    "KEY_LEFT",
    "KEY_SLEFT",
    "KEY_RIGHT",
    "KEY_SRIGHT",
    "KEY_UP",
    "wheel in",
    "wheel out",
)


def driver_in(view: Callable[..., KeyDriver], state: str, seconds: int = 700) -> KeyDriver:
    """A view of so many seconds in a state."""
    if state != PAUSED_REPLAY:
        driver = view(seconds)
        driver.viewer.source_ended = state == ENDED
    else:
        driver = view([second(number) for number in range(1, seconds + 1)], player=ReplayPlayer(None))
        driver.play()
        driver.press(" ")
    driver.draw()
    return driver


def wheel(driver: KeyDriver, place: float, up: bool) -> int:
    """Turn the wheel over a place of the map, 0 (oldest) to 1; returns the moment under it."""
    geometry = driver.drawn.geometry
    columns = geometry.ends.size * geometry.cell_width
    column = geometry.right - columns + min(int(place * columns), columns - 1)
    moment = geometry.moment_at(column)
    assert moment is not None
    driver.press(Mouse("wheel-up" if up else "wheel-down", column, geometry.regions[0].top + 1))
    return int(moment)


@pytest.mark.parametrize("state", STATES)
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moves=st.lists(st.sampled_from(MOVES), max_size=12), place=st.floats(0, 1))
def test_the_column_of_the_cursor_stays_on_the_screen(
    view: Callable[..., KeyDriver], state: str, moves: list[str], place: float
) -> None:
    driver = driver_in(view, state)
    driver.press("]", "]", "KEY_LEFT")
    for move in moves:
        if move.startswith("wheel"):
            wheel(driver, place, move == "wheel in")
            if (
                driver.viewer.viewpoint.pointer is None
            ):  # the wheel is about the pointer, and may leave the cursor behind
                driver.press("KEY_LEFT")
            continue
        before = driver.viewer.viewpoint.pointer
        driver.press(move)
        pointer = driver.viewer.viewpoint.pointer
        assert pointer is not None, (move, driver.text)
        assert driver.drawn.geometry.column_of(pointer.micros) is not None
        if move in ("[", "]", "a", "KEY_ENTER"):
            assert pointer == before, "zooming does not move the cursor"


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("place", [0.0, 0.2, 0.5, 0.8])
@pytest.mark.parametrize("up", [True, False])
def test_the_column_under_the_pointer_stays_on_the_screen(
    view: Callable[..., KeyDriver], state: str, place: float, up: bool
) -> None:
    driver = driver_in(view, state)
    driver.press("]", "]", "]")
    moment = wheel(driver, place, up)
    ends = driver.drawn.geometry.ends
    width = driver.viewer.column_micros
    assert int(ends[0]) - width < moment <= int(ends[-1]) + width


@pytest.mark.parametrize("state", STATES)
def test_all_that_is_kept_is_fitted_in_every_state(view: Callable[..., KeyDriver], state: str) -> None:
    driver = driver_in(view, state)
    driver.press("a")
    geometry = driver.drawn.geometry
    assert int(geometry.ends[-1]) == START + 700 * SECOND
    assert int(geometry.ends[0]) - driver.viewer.column_micros <= START
    chip = {LIVE: " LIVE ", ENDED: " ALL 12 min ", PAUSED_REPLAY: " PAUSED "}[state]
    assert chip in driver.lines[0]
    if state == LIVE:
        driver.add(*(second(number) for number in range(701, 1500)))
        assert int(driver.drawn.geometry.ends[0]) - driver.viewer.column_micros <= START, "merged a step further"
        assert driver.right_edge == 1499


@given(
    seconds=st.integers(1, 900),
    every=st.sampled_from([1, 7, 60]),
    size=st.sampled_from([(60, 20), (80, 24), (120, 40), (300, 80)]),
)
@settings(max_examples=25, deadline=None)
def test_a_fitted_picture_holds_all_events_in_the_columns_there_are(
    seconds: int, every: int, size: tuple[int, int]
) -> None:
    picture = Picture(PictureOptions())
    picture.extend(second(number * every) for number in range(1, seconds + 1))
    at = picture.fitted(Viewpoint(fitted=True), size)
    matrix = picture.selection(at, picture.columns_at(size)).matrix()
    assert matrix.counts.sum() == pytest.approx(100 * seconds)
    assert matrix.columns <= picture.columns_at(size)


def test_steps_are_taken_back_one_by_one(view: Callable[..., KeyDriver]) -> None:
    driver = driver_in(view, ENDED)
    driver.press("a", "KEY_LEFT")
    places = [driver.viewer.place]
    for key in ("KEY_ENTER", "[", "KEY_PGUP", "]", "a"):
        driver.press(key)
        if not places[-1].is_as(driver.viewer.place):
            places.append(driver.viewer.place)
    assert len(places) > 3
    for place in places[-2::-1]:
        driver.press("KEY_BACKSPACE")
        assert place.is_as(driver.viewer.place)
    driver.press("KEY_BACKSPACE", "KEY_BACKSPACE", "KEY_BACKSPACE")
    assert "there is no step to take back" in driver.text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("22:15", ""),
        ("2215", ""),
        ("11-14 22:15", ""),
        ("-60s", ""),
        ("23:30", "after the end"),
        ("2023-11-13", "before"),
    ],
)
def test_t_goes_there_or_says_that_it_cannot(view: Callable[..., KeyDriver], text: str, says: str) -> None:
    driver = driver_in(view, ENDED)
    driver.press("a", "t")
    driver.type(text)
    pointer = driver.viewer.viewpoint.pointer
    assert pointer is not None
    assert driver.drawn.geometry.column_of(pointer.micros) is not None
    assert says in driver.text
    if text in ("22:15", "2215", "11-14 22:15"):
        assert pointer.micros - (START + 100 * SECOND) in (0, 1), "22:13:20 and 100 s"


HOURS, BURST = 6, (2 * 3600 + 12 * 60, 2 * 3600 + 14 * 60)
"""Seconds after START: two minutes in which ten times as many I/Os are slow."""


def with_burst(view: Callable[..., KeyDriver]) -> KeyDriver:
    """Hours that have ended, fitted to the screen, with a burst in the middle of a column."""
    every = 10
    seconds = [
        second(number, fast=90, slow=100 if BURST[0] < number <= BURST[1] else 10)
        for number in range(every, HOURS * 3600 + 1, every)
    ]
    driver = view([replace(one, start=one.end - every * SECOND, seconds=every) for one in seconds], size=(80, 24))
    driver.viewer.source_ended = True
    driver.press("a")
    assert driver.viewer.column_micros >= 300 * SECOND, "the columns are much longer than the burst"
    return driver


def cell_of(driver: KeyDriver, moment: int) -> tuple[int, int] | None:
    """The screen column and a line at which a moment is drawn; None if it is not on the screen."""
    geometry = driver.drawn.geometry
    column = geometry.column_of(moment)
    return None if column is None else (geometry.first + column * geometry.cell_width, geometry.regions[0].top + 1)


MIDDLE = START + sum(BURST) // 2 * SECOND


@pytest.mark.parametrize("way", ["click", "wheel", "arrows"])
def test_zooming_shows_what_stands_out_in_the_column(view: Callable[..., KeyDriver], way: str) -> None:
    driver = with_burst(view)
    cell = cell_of(driver, MIDDLE)
    assert cell is not None
    if way == "click":
        driver.press(Mouse("press", *cell), Mouse("release", *cell))
    elif way == "arrows":
        driver.press("KEY_LEFT")
        while cell_of(driver, driver.viewer.viewpoint.pointer.micros)[0] > cell[0]:  # type: ignore[union-attr, index]
            driver.press("KEY_LEFT")
    for _ in range(6):
        driver.press(Mouse("wheel-up", *cell) if way == "wheel" else "[")
        found = cell_of(driver, MIDDLE)
        assert found is not None, driver.text
        assert abs(found[0] - cell[0]) <= 6, driver.text
    assert driver.viewer.column_micros == 10 * SECOND
    if way != "wheel":
        pointer = driver.viewer.viewpoint.pointer
        assert pointer is not None
        assert START + BURST[0] * SECOND < pointer.micros <= START + BURST[1] * SECOND


@pytest.mark.parametrize("way", ["keys", "wheel"])
def test_zooming_to_and_fro_does_not_drift(view: Callable[..., KeyDriver], way: str) -> None:
    driver = with_burst(view)
    geometry = driver.drawn.geometry
    cell = geometry.first + 13, geometry.regions[0].top + 1
    narrower, wider = ("[", "]") if way == "keys" else (Mouse("wheel-up", *cell), Mouse("wheel-down", *cell))
    if way == "keys":
        driver.press(Mouse("press", *cell), Mouse("release", *cell))
    about = driver.viewer.viewpoint.pointer
    driver.press(narrower, narrower)
    first = driver.drawn.geometry.ends.copy()
    for _ in range(10):
        driver.press(narrower, narrower, narrower, wider, wider, wider)
    assert driver.viewer.viewpoint.pointer == about
    assert driver.drawn.geometry.ends.tolist() == first.tolist()


def test_the_overview_stays_where_it_is_while_one_clicks_in_it(view: Callable[..., KeyDriver]) -> None:
    """The minutes in the middle have slow I/Os; without them the maps have fewer rows."""
    slow = range(600, 700)
    seconds = [second(number, slow=10 if number in slow else 0) for number in range(1, 1401)]
    driver = view(seconds, size=(120, 40))
    driver.viewer.source_ended = True
    driver.press("a", "[", "[", "[", "KEY_HOME")
    place = driver.drawn.geometry.overview
    assert place is not None
    left = driver.drawn.geometry.left
    for share in (0.45, 0.05, 0.95, 0.45, 0.1):
        column = left + round(share * (driver.drawn.geometry.right - left))
        driver.press(Mouse("press", column, place.line), Mouse("release", column, place.line))
        now = driver.drawn.geometry.overview
        assert now is not None
        assert now.line == place.line
        assert driver.drawn.geometry.column_of(START + round(share * 1400) * SECOND) is not None
    assert driver.viewer.viewpoint.pointer is None
    driver.press("KEY_LEFT")
    assert not driver.viewer.viewpoint.stays, "a key arranges the picture anew"
