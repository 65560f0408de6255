"""What stands out, and selections: of the sum of all series, of an SLO that is missed, of what is not all read."""

import re
import shlex
from collections.abc import Callable
from dataclasses import replace

import pytest

from pylatencymap.record import Mark, Stamp
from pylatencymap.session import commentary
from pylatencymap.session.picture import SUM_SERIES, Picture, PictureOptions
from pylatencymap.session.replay import ReplayPlayer
from pylatencymap.session.viewpoint import Viewpoint
from pylatencymap.tui.actions.copy_view import reopening_command
from pylatencymap.tui.main_view import MainView
from pylatencymap.tui.viewer.viewer import Presentation, Viewer
from pylatencymap.view.layout import READING, Selected
from tests.tui.actions.conftest import START, KeyDriver, View, second

SECOND = 1_000_000
SLOW = range(300, 360)
"""The seconds in which ``sdb`` has five times as many slow I/Os."""
AWAY = range(500, 560)
"""The seconds in which neither disk says anything; ``sda`` is silent for ten more."""


def two_disks() -> list:  # type: ignore[type-arg]
    found = []
    for number in range(1, 701):
        if number not in AWAY:
            if number not in range(AWAY.stop, AWAY.stop + 10):
                found.append(second(number))
            found.append(second(number, "sdb", slow=50 if number in SLOW else 10))
    for first, series in ((AWAY.stop + 10, "sda"), (AWAY.stop, "sdb")):
        begin, end = START + (AWAY.start - 1) * SECOND, START + (first - 1) * SECOND
        gap = replace(second(1, series), start=begin, end=end, seconds=(end - begin) / 1e6, ranges=(), waited=0.0)
        found.append(replace(gap, gap=True))
    return sorted(found, key=lambda one: (one.end, one.series))


@pytest.fixture
def summed(view: View) -> KeyDriver:
    driver = view(two_disks())
    driver.viewer.picture.mark(Mark(Stamp(START + 100 * SECOND), "deploy"))
    driver.viewer.source_ended = True
    driver.press("a", "0")
    return driver


def test_the_sum_has_moments(summed: KeyDriver) -> None:
    found = summed.viewer.picture.moments(summed.viewer.viewpoint)
    slow = found[0]
    assert (slow.begin - START, slow.end - START) == (299 * SECOND, 359 * SECOND)
    (gap,) = (one for one in found if one.sign == "G")
    assert (gap.begin - START, gap.end - START) == (499 * SECOND, 559 * SECOND), "both are silent only so long"
    assert [one.what for one in found if one.sign == "M"] == ['mark "deploy"']


def test_the_list_names_the_series_that_it_is_of(summed: KeyDriver) -> None:
    summed.press("l")
    assert "What stands out, most costly first" in summed.text
    summed.press("KEY_ESCAPE", "KEY_TAB", "l")
    name = summed.viewer.picture.series(summed.viewer.viewpoint)
    assert f"What stands out in {name}, most costly first" in summed.text


def test_a_selection_of_the_sum_has_the_figures_of_all_series(summed: KeyDriver) -> None:
    summed.viewer.viewpoint = summed.viewer.viewpoint._replace(
        selected=Selected(START + 299 * SECOND, START + 359 * SECOND, 8192e-6, 16384e-6)
    )
    summed.draw()
    line = summed.line("selected")
    assert "3,600 I/Os, 25 % of this time" in line, "60 s of 10 and 50 slow I/Os among 100 and 140"
    assert "rate 240/s" in summed.line("all of this time")


def test_keys_go_through_what_stands_out_in_the_sum(summed: KeyDriver) -> None:
    summed.press("n")
    assert "selected" in summed.text
    assert "22:18:19-22:19:19" in summed.line("selected")
    summed.press("KEY_ESCAPE", "KEY_LEFT", "(", "KEY_SLEFT", ")")
    assert summed.viewer.viewpoint.selected is not None
    summed.press("KEY_ESCAPE", "KEY_ESCAPE", "l")
    assert "most costly first" in summed.text


def test_the_command_that_opens_the_view_again_names_the_sum(summed: KeyDriver) -> None:
    assert shlex.split(reopening_command(summed.viewer, ["x"]))[-2:] == ["--series", SUM_SERIES]


def test_a_series_of_that_name_is_itself(view: View) -> None:
    driver = view([one for number in range(1, 20) for one in (second(number), second(number, "sum", slow=99))])
    driver.viewer.viewpoint = Viewpoint(series=SUM_SERIES, summed=True)
    driver.draw()
    assert "series 1/2" in driver.lines[0]
    command = shlex.split(reopening_command(driver.viewer, ["x"]))
    assert command[-2:] == ["--series", "[s]um"]


@pytest.mark.parametrize("limit", [0.005, 0.009])
def test_an_slo_that_is_missed_is_a_moment(view: View, limit: float) -> None:
    """From second 300 on, 2.4 % of the I/Os take 8.19 to 16.4 ms; otherwise one in 1,000."""
    data = [second(number, fast=980, slow=24 if number in SLOW else 1) for number in range(1, 701)]
    driver = view(data, looks=Viewpoint(view=Viewpoint().view._replace(slo=limit)))
    driver.viewer.source_ended = True
    found = driver.viewer.picture.moments(driver.viewer.viewpoint)
    above = [one for one in found if "above the SLO of" in one.what]
    assert len(above) == 1
    assert abs(above[0].begin - START - 299 * SECOND) <= 2 * SECOND
    assert abs(above[0].end - START - 359 * SECOND) <= 2 * SECOND
    number = float(re.search(r"([\d.]+) % of I/Os are above the SLO", above[0].what)[1])  # type: ignore[index]
    assert number == 2.4 if limit == 0.005 else 0.0 < number < 2.4, "a part of the range is above the SLO"
    driver.press("n")
    assert "selected" in driver.text


def test_the_share_above_an_slo_is_of_the_time_that_is_told(view: View) -> None:
    """In minutes of a day, of which the columns in which changes are looked for are several: 20 of 200 I/Os are slow
    for 21 minutes, which begin and end within such columns.
    """
    slow = range(611, 632)
    minutes = [second(number, fast=180, slow=20 if number in slow else 0) for number in range(1, 2 * 1440)]
    minutes = [replace(one, start=START + (one.end - START - SECOND) * 60, seconds=60.0) for one in minutes]
    data = [replace(one, end=one.start + 60 * SECOND) for one in minutes]
    driver = view(data, looks=Viewpoint(view=Viewpoint().view._replace(slo=0.005)))
    driver.viewer.source_ended = True
    (found,) = (one for one in driver.viewer.picture.moments(driver.viewer.viewpoint) if "SLO" in one.what)
    assert (found.begin - START, found.end - START) == (610 * 60 * SECOND, 631 * 60 * SECOND)
    assert "10 % of I/Os are above the SLO of 5 ms" in found.what


def test_an_slo_that_is_met_all_the_time_is_none(view: View) -> None:
    driver = view([second(number, slow=0) for number in range(1, 301)])
    at = driver.viewer.viewpoint.looking(slo=0.005)
    assert not [one for one in driver.viewer.picture.moments(at) if "SLO" in one.what]


def test_an_slo_that_is_missed_all_the_time_is_one_moment_of_unknown_cost(view: View) -> None:
    """There is no time without it to compare it with; it hides nothing else that stands out."""
    driver = view([second(number, slow=900 if number == 150 else 50) for number in range(1, 301)])
    at = driver.viewer.viewpoint.looking(slo=0.005)
    found = driver.viewer.picture.moments(at)
    (always,) = [one for one in found if "SLO" in one.what]
    assert always.what.endswith("all the time")
    assert always.cost is None
    assert always.end - always.begin >= 299_000_000
    assert always is [one for one in found if one.is_ranked][-1], "what is at some time comes first"
    assert len([one for one in found if one.is_ranked]) > 1


def test_few_slow_events_are_no_missed_slo(view: View) -> None:
    """One in 20 I/Os of one second is slow: that is 5 %, and says nothing."""
    driver = view([second(number, fast=19, slow=number == 150) for number in range(1, 301)])
    at = driver.viewer.viewpoint.looking(slo=0.005)
    assert not [one for one in driver.viewer.picture.moments(at) if "SLO" in one.what]


def test_moments_of_a_part_say_so() -> None:
    picture = Picture(PictureOptions())
    picture.extend(second(number, slow=100 if number in SLOW else 10) for number in range(1, 401))
    viewer = Viewer(picture, Presentation(READING), MainView())
    viewer.size = 160, 40
    driver = KeyDriver(viewer)
    driver.press("n")
    assert "of what is read so far: " in driver.text
    driver.press("l")
    assert "What stands out in what is read so far, most costly first" in driver.text
    driver.press("KEY_ESCAPE")
    viewer.source_ended = True
    driver.press("KEY_ESCAPE", "n", "l")
    assert "so far" not in driver.text


def test_where_nothing_stands_out_in_merged_columns_their_width_is_said(
    view: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commentary, "MOST_COLUMNS", 100)
    for seconds, said in ((90, "in what is kept: no change"), (150, "in what is kept, merged to 2 s: no change")):
        driver = view([second(number) for number in range(1, seconds)])
        driver.press("n")
        assert f"nothing stands out {said}" in driver.text
        assert ("report looks at all of its columns" in driver.text) == (seconds > 100)


def test_moments_of_a_replay_are_of_what_was_played(view: Callable[..., KeyDriver]) -> None:
    driver = view([second(number) for number in range(1, 60)], player=ReplayPlayer(None))
    driver.play()
    driver.press("n")
    assert "nothing stands out in what is played so far" in driver.text


def test_the_sentence_of_what_stands_out_is_not_said_twice(view: Callable[..., KeyDriver]) -> None:
    driver = view([second(number, slow=100 if 100 < number <= 160 else 10) for number in range(1, 300)])
    driver.viewer.picture.commentary.finish(driver.viewer.picture.window["sda"])
    driver.draw()
    sentence = driver.line(r"^ 1 \d\d:")
    driver.press("n")
    said = [line for line in driver.lines if re.match(r" 1 \d\d:", line)]
    assert len(said) == 1
    assert said[0].split(":  ")[0][:20] == sentence[:20]
    driver.press("KEY_ESCAPE")
    assert driver.line(r"^ 1 \d\d:") == sentence, "it comes again when the message goes"
