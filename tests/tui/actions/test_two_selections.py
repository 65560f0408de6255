"""A and B: two times are named, and what they differ in is told beside the maps."""

import shlex
from collections.abc import Callable
from datetime import datetime, timezone

import pytest

from pylatencymap.record import Clock, NamedTime, Stamp
from pylatencymap.tui.actions.copy_view import comparing_command
from pylatencymap.view.layout import NamedSides, Selected
from tests.tui.actions.conftest import SECOND, START, KeyDriver, second

View = Callable[..., KeyDriver]


def at(first: int, last: int) -> tuple[int, int]:
    """Seconds after the beginning, as epoch microseconds."""
    return START + first * SECOND, START + last * SECOND


def select(driver: KeyDriver, first: int, last: int) -> None:
    driver.viewer.viewpoint = driver.viewer.viewpoint._replace(selected=Selected(*at(first, last)))
    driver.draw()


def whole(driver: KeyDriver) -> str:
    """What the screen says when all is known."""
    driver.draw()
    driver.viewer.sides.work.wait()
    driver.viewer.sides.map_work.wait()
    driver.draw()
    return driver.text


def slower(count: int = 200, since: int = 100, until: int = 160) -> list[object]:
    """Seconds of one disk, ten times as many slow I/Os in some of them."""
    return [second(number, slow=100 if since < number <= until else 10) for number in range(1, count + 1)]


def sides(driver: KeyDriver) -> NamedSides | None:
    return driver.viewer.viewpoint.sides


def test_b_is_the_time_just_before_a(view: View) -> None:
    driver = view(slower())
    select(driver, 100, 160)
    driver.press("A")
    assert sides(driver) == NamedSides(at(100, 160))
    assert "select B and press B" in driver.text
    driver.press("B")
    assert sides(driver) == NamedSides(at(100, 160), at(40, 100))
    text = whole(driver)
    assert " A and B " in driver.lines[0]
    assert "A is slower, sure: 52.6 % of I/Os take more than 8.19 ms, 10.0 % in B" in text
    assert "A is after B" in text
    assert driver.line("^ rate").split()[1:4] == ["100/s", "190/s", "x"]


def test_b_is_the_next_selection_and_the_earlier_side_comes_first(view: View) -> None:
    driver = view(slower())
    select(driver, 10, 90)
    driver.press("A")
    select(driver, 100, 160)
    driver.press("B")
    assert sides(driver) == NamedSides(at(10, 90), at(100, 160))
    assert driver.viewer.viewpoint.selected is None
    text = whole(driver)
    assert "B is slower, sure: 52.6 % of I/Os take more than 8.19 ms, 10.0 % in A" in text
    assert "A is after B" not in text
    assert driver.line("change A to B")


def test_enter_alone_is_no_answer_and_zooms_to_both(view: View) -> None:
    driver = view(slower(3600, 2000, 2060))
    select(driver, 2000, 2060)
    for key in ("A", "B"):
        driver.press(key)
    assert len(driver.viewer.layers) == 2, "B asks for another time"
    driver.press("KEY_ENTER")
    assert len(driver.viewer.layers) == 1
    begin, end = driver.viewer.screen_times() or (0, 0)
    assert begin <= at(1940, 0)[0] <= at(2060, 0)[0] <= end, "A and B are on the screen"
    assert end - begin < 1000 * SECOND
    assert sides(driver) == NamedSides(at(2000, 2060), at(1940, 2000))
    for key in ("B", "9", "KEY_BACKSPACE", "KEY_ENTER"):
        driver.press(key)
    assert len(driver.viewer.layers) == 1, "nor is it when what was typed is taken back"


def test_without_a_selection_a_is_the_screen(view: View) -> None:
    driver = view(slower(600))
    driver.press("A")
    assert sides(driver) == NamedSides(driver.viewer.screen_times())
    a = sides(driver)
    assert a is not None
    assert a.a is not None
    assert a.a[1] == START + 600 * SECOND
    assert (a.a[1] - a.a[0]) // SECOND == driver.viewer.picture.columns_at(driver.viewer.size)


@pytest.mark.parametrize(
    ("answer", "first"), [("-60s", 60), ("-1m", 60), ("+20s", 140), ("22:13:30", 10), ("-100s", 20)]
)
def test_b_can_be_told_as_a_time(view: View, answer: str, first: int) -> None:
    driver = view(slower())
    select(driver, 120, 160)
    driver.press("A", "B")
    driver.type(answer)
    assert sides(driver) == NamedSides(at(120, 160), at(first, first + 40))
    driver.press("KEY_BACKSPACE")
    assert sides(driver) == NamedSides(at(120, 160), at(80, 120))
    driver.press("KEY_BACKSPACE")
    assert sides(driver) == NamedSides(at(120, 160))
    driver.press("KEY_BACKSPACE")
    assert sides(driver) is None


def test_b_can_begin_where_all_begins(view: View) -> None:
    driver = view(slower())
    select(driver, 120, 160)
    driver.press("A", "B")
    begin = driver.viewer.picture.extent(driver.viewer.viewpoint)[0]
    driver.type(f"{datetime.fromtimestamp(begin / 1e6, timezone.utc):%H:%M:%S}")
    assert sides(driver) == NamedSides(at(120, 160), (begin, begin + 40_000_000))


def test_what_is_no_time_and_what_is_not_kept_is_refused(view: View) -> None:
    driver = view(slower())
    select(driver, 120, 160)
    driver.press("A", "B")
    driver.type("-1d")
    wanted = "nothing is kept of 11-13 22:15:20-22:16:00; what is kept is 11-14 22:13:20-22:16:40"
    assert wanted in driver.lines[-1], "both with their day"
    driver.press(*["KEY_BACKSPACE"] * 3)
    driver.type("+x")
    assert "is no time" in driver.lines[-1]
    driver.press("KEY_ESCAPE")
    assert sides(driver) == NamedSides(at(120, 160), at(80, 120))


def test_any_other_key_ends_the_question_and_does_what_it_does(view: View) -> None:
    driver = view(slower())
    select(driver, 120, 160)
    driver.press("A", "B")
    assert len(driver.viewer.layers) == 2
    driver.press("f")
    assert len(driver.viewer.layers) == 1
    assert driver.viewer.viewpoint.view.map == "frequency"
    driver.press("B", "KEY_ESCAPE")
    assert sides(driver) == NamedSides(at(120, 160), at(80, 120))
    driver.press("KEY_ESCAPE")
    assert sides(driver) is None
    assert "A and B" not in driver.lines[0]


def test_b_needs_a_and_something_before_it(view: View) -> None:
    driver = view(slower())
    driver.press("B")
    assert "name A first" in driver.text
    driver.press("D")
    assert "nothing is compared" in driver.text
    select(driver, 0, 60)
    driver.press("A", "B")
    assert "nothing is kept before A" in driver.text
    driver.type("+60s")
    assert sides(driver) == NamedSides(at(0, 60), at(60, 120))


def test_less_than_that_is_kept_and_said(view: View) -> None:
    driver = view(slower())
    select(driver, 20, 80)
    driver.press("A", "B")
    assert sides(driver) == NamedSides(at(20, 80), at(0, 20))
    assert "B is shorter than A: only 20 s of that time are kept" in driver.text
    assert "Too little to compare" in whole(driver)


def test_sides_that_overlap_say_so(view: View) -> None:
    driver = view(slower())
    select(driver, 0, 100)
    driver.press("A")
    select(driver, 60, 160)
    driver.press("B")
    assert "A and B overlap: 40 s count on both sides" in whole(driver)


def test_a_new_a_begins_anew(view: View) -> None:
    driver = view(slower())
    select(driver, 120, 160)
    driver.press("A", "B")
    select(driver, 0, 40)
    driver.press("A")
    assert sides(driver) == NamedSides(at(0, 40))


def test_gaps_and_resets_are_said_and_no_data_is_not_zero(view: View) -> None:
    from dataclasses import replace

    data = slower()
    for number in range(60, 80):
        data[number] = replace(data[number], gap=True, ranges=(), waited=None)  # type: ignore[type-var]
    data[120] = replace(data[120], reset=True)  # type: ignore[type-var]
    driver = view(data)
    select(driver, 40, 100)
    driver.press("A")
    select(driver, 100, 160)
    driver.press("B")
    text = whole(driver)
    assert "A has no data for 20 s of 60 s: its rates are those of the rest" in text
    assert "B has 1 reset" in text
    assert driver.line("^ rate").split()[1] == "100/s"


def test_a_side_that_is_all_gap_has_no_figures(view: View) -> None:
    from dataclasses import replace

    data = slower()
    for number in range(60):
        data[number] = replace(data[number], gap=True, ranges=(), waited=None)  # type: ignore[type-var]
    driver = view(data)
    select(driver, 0, 60)
    driver.press("A")
    select(driver, 100, 160)
    driver.press("B")
    text = whole(driver)
    assert "A has no data: nothing can be compared" in text
    assert driver.line("^ rate").split()[1:3] == ["no", "data"]
    driver.press("D")
    assert "there is nothing to compare" in whole(driver)


def test_the_share_above_the_slo_is_a_row(view: View) -> None:
    driver = view(slower())
    driver.press("o")
    driver.type("8192us")
    select(driver, 100, 160)
    driver.press("A", "B")
    assert "above SLO 8.19 ms   10.0 %" in whole(driver)


def test_naming_is_recorded(view: View) -> None:
    driver = view(slower())
    select(driver, 100, 160)
    driver.press("A", "B")
    kept = [mark for mark in driver.kept if isinstance(mark, NamedTime)]
    assert [(mark.name, mark.begin, mark.stamp.micros) for mark in kept] == [("A", *at(100, 160)), ("B", *at(40, 100))]
    assert kept[0].note == "A: 22:15-22:16"


def test_what_a_file_has_named_is_shown_though_it_is_read_before_there_is_a_view(view: View) -> None:
    begin, end = at(100, 160)
    marks = [NamedTime(Stamp(end, Clock.EPOCH), "A: 22:15-22:16", "", "A", begin)]
    driver = view(slower(), marks=marks)
    assert sides(driver) == NamedSides((begin, end), None)


def test_the_difference_map_comes_and_goes(view: View) -> None:
    driver = view(slower())
    select(driver, 100, 160)
    driver.press("A", "B", "KEY_ESCAPE", "D")
    text = whole(driver)
    assert " DIFFERENCE " in driver.lines[0]
    assert "less the average of B" in text
    assert driver.line("16.4 ms.*[+]90")
    driver.press("z")
    assert "does nothing in the difference map" in driver.text
    driver.press("D")
    assert "A and B" in driver.lines[0]
    driver.press("D", "KEY_ESCAPE")
    assert "A and B" in driver.lines[0]
    driver.press("D", "KEY_BACKSPACE")
    assert len(driver.viewer.layers) == 1
    assert sides(driver) == NamedSides(at(100, 160))


@pytest.mark.parametrize(
    ("size", "maps"), [((120, 40), 2), ((120, 34), 2), ((120, 33), 1), ((120, 26), 1), ((120, 25), 0), ((60, 20), 0)]
)
def test_maps_give_way_on_low_screens(view: View, size: tuple[int, int], maps: int) -> None:
    driver = view(slower(), size=size)
    select(driver, 100, 160)
    driver.press("A", "B", "KEY_ESCAPE")
    text = whole(driver)
    assert ("FREQUENCY" in text) + ("INTENSITY" in text) == maps
    assert "A is slower, sure" in text
    assert "p99" in text
    assert ("95 % interval" in text) == (size[0] >= 100)
    driver.press("D")
    text = whole(driver)
    assert ("FREQUENCY" in text) + ("INTENSITY" in text) == (2 if size[1] >= 34 else 1)


def numbers_beside(driver: KeyDriver, label: str) -> list[list[str]]:
    """The numbers right of the maps on the lines of a label, each map's after the other."""
    found = [line for line in driver.lines if line[:8].strip() == label]
    return [line[driver.viewer.geometry.right :].split() for line in found]


@pytest.mark.parametrize(("columns", "shown"), [(120, 3), (100, 3), (99, 2), (80, 2)])
def test_both_sides_and_what_they_differ_by_stand_beside_the_maps(view: View, columns: int, shown: int) -> None:
    """Before: 90 fast and 10 slow I/Os a second; then 90 and 100."""
    driver = view(slower(), size=(columns, 40))
    select(driver, 100, 160)
    driver.press("A", "B", "KEY_ESCAPE")
    text = whole(driver)
    assert numbers_beside(driver, "16.4 ms")[0] == ["10", "100", "+90"][:shown]
    assert numbers_beside(driver, "256 us")[0] == ["90", "90", "·"][:shown]
    assert numbers_beside(driver, "total")[0] == ["100", "190", "+90"][:shown]
    head = next(line for line in driver.lines if line.startswith(" FREQUENCY"))
    assert head.rstrip().endswith("/s   B      A   A - B" if shown == 3 else "/s   B      A")
    assert ("A - B" in text) == (shown == 3)
    driver.press("KEY_LEFT")
    assert numbers_beside(driver, "total")[0][-2:] != ["190", "+90"], "the cursor's column has its own"
    driver.press("KEY_ESCAPE", "+", "+")
    assert numbers_beside(driver, "total")[0] == ["100", "190", "+90"][:shown], "in finer rows as well"


def test_the_numbers_beside_the_maps_add_up_to_those_of_the_table(view: View) -> None:
    driver = view([second(number, fast=number % 90, slow=number % 7) for number in range(1, 301)])
    select(driver, 150, 300)
    driver.press("A", "B", "KEY_ESCAPE")
    whole(driver)
    page = driver.viewer.sides_page()
    assert page is not None
    assert page.averages is not None
    for place, (first, last) in enumerate(((0, 150), (150, 300))):
        numbers = range(first + 1, last + 1)
        events = sum(number % 90 + number % 7 for number in numbers) / 150
        assert float(page.averages[place].events.sum()) == pytest.approx(events)
        inside = driver.viewer.picture.window.between("sda", *at(first, last)).summary()
        assert float(page.averages[place].waited.sum()) == pytest.approx(inside.waited / 150)


def test_both_names_are_seen_where_both_are_in_one_column(view: View) -> None:
    driver = view([second(number) for number in range(1, 3601)], size=(80, 40))
    earlier, later = at(1210, 1220), at(1220, 1235)
    for width, a, b, expected in (
        (90.0, earlier, later, "AB"),
        (600.0, earlier, later, "AB"),
        (600.0, later, earlier, "BA"),
    ):
        driver.viewer.viewpoint = driver.viewer.viewpoint._replace(sides=NamedSides(a, b), width=width, fitted=False)
        driver.draw()
        (braces,) = [line.strip() for line in driver.lines if line.strip() and set(line) <= set("AB├─┤ ")]
        assert braces == expected, "the earlier one is at the left"


def test_in_the_grid_times_are_named_as_well(view: View) -> None:
    data = [one for number in range(1, 201) for one in (second(number, "sda"), second(number, "sdb", slow=20))]
    driver = view(data)
    driver.press("g")
    select(driver, 100, 160)
    driver.press("A", "B", "KEY_ESCAPE")
    assert sides(driver) == NamedSides(at(100, 160), at(40, 100))
    driver.press("D")
    assert "of one series" in driver.text
    driver.press("g")
    assert "No difference that these data could show" in whole(driver)
    driver.press("0")
    assert "all 2 series" in whole(driver)


def test_live_data_do_not_move_what_is_named(view: View) -> None:
    driver = view(slower())
    select(driver, 100, 160)
    driver.press("A", "B", "KEY_ESCAPE")
    before = whole(driver)
    table = before[before.index("rate") :]
    driver.add(*[second(number, slow=500) for number in range(201, 260)])
    after = whole(driver)
    assert after[after.index("rate") :].splitlines()[:8] == table.splitlines()[:8]


def test_the_command_that_prints_the_same_can_be_copied(view: View) -> None:
    driver = view(slower())
    assert comparing_command(driver.viewer, ["monday.lmap"]) == ""
    select(driver, 100, 160)
    driver.press("A", "B", "KEY_ESCAPE")
    first, second = "2023-11-14 22:14:00..2023-11-14 22:15:00", "2023-11-14 22:15:00..2023-11-14 22:16:00"
    words = shlex.split(comparing_command(driver.viewer, ["monday.lmap"]))
    assert words[:4] == ["pylatencymap", "compare", f"monday.lmap@{first}", f"monday.lmap@{second}"]
    assert words[4:] == ["--series", "sda", "--tz", "UTC"]
