"""What the lines below the maps are used for: modes and changes that one line does not hold, tables, statistics."""

import pytest

from pylatencymap.analysis import Modes
from pylatencymap.number_text import range_text
from pylatencymap.view.drawing import draw_picture
from pylatencymap.view.layout.colour_scale import ScaleMemory
from pylatencymap.view.layout.layout import KEPT_TABLES, LONGEST_READ_OUT, LayoutDemand, arrange_layout
from pylatencymap.view.layout.scene import ChangeWords, Reading, Scene, TableFigures
from pylatencymap.view.layout.status import END, LIVE, Status
from pylatencymap.view.style.glyphs import glyphs_of
from pylatencymap.view.style.options import ViewOptions
from pylatencymap.view.wording.tables import table_lines
from tests.view.conftest import SUMMARY
from tests.view.wording.test_reading import FOUR, MODES, plain

CHANGES = (ChangeWords("22:14:00-22:14:09", "a band", sign="1"), ChangeWords("22:14:20", "a gap", sign="G"))
RANGES = [range_text(mode.lower, mode.upper) for mode in MODES]


def words(matrix, size: tuple[int, int], state: str, reading: Reading) -> list[str]:
    """The lines below the clock."""
    status = Status("biolatency", series="loop0", noun="I/Os", keys=(("q", "quit"),), state=state)
    scene = Scene(matrix, status, SUMMARY, SUMMARY, reading=reading)
    lines = draw_picture(scene, ViewOptions(), size, ScaleMemory()).cells.text()
    return lines[next(number for number, line in enumerate(lines) if "└" in line) + 2 :]


def test_statistics_of_a_small_finished_picture_give_way_to_modes(make_matrix) -> None:
    reading, gave_way = FOUR._replace(changes=CHANGES[:1]), 0
    for lines in range(15, 31):
        ended, live = ("\n".join(words(make_matrix(), (80, lines), state, reading)) for state in (END, LIVE))
        names_all = all(one in ended for one in RANGES)
        assert names_all or "p99" not in ended, ended
        if "p99" in live and "+2 more" in live:  # what moves keeps its lines
            gave_way += 1
            assert names_all
            assert "more" not in ended
            assert "a band" in ended, "what changed stays"
    assert gave_way


def test_statistics_stay_where_the_modes_have_room(make_matrix) -> None:
    two = Reading(Modes(1000.0, 1.0, 0.0, (MODES[::3],)), 2, CHANGES[:1])
    assert any("p99" in line for line in words(make_matrix(), (80, 24), END, two))


@pytest.mark.parametrize("state", [END, LIVE])
def test_a_second_change_has_the_line_that_is_free(make_matrix, state: str) -> None:
    two = Reading(Modes(1000.0, 1.0, 0.0, (MODES[::3],)), 2, CHANGES)
    text = "\n".join(words(make_matrix(), (120, 40), state, two))
    assert "1 22:14:00-22:14:09  a band" in text
    assert "G 22:14:20  a gap" in text
    assert "more" not in text
    assert "p99" in text


def test_a_layout_with_tables_has_room_for_a_read_out_beside_three_rows_of_each() -> None:
    """The largest screens; on those with fewer lines there are no tables."""
    found = 0
    for lines in range(40, 90):
        demand = LayoutDemand(2, 13, 1, 1, events=2, keys=True, strip=8, tables=5, roomy=True, finished=True)
        layout = arrange_layout((200, lines), demand, half=True)
        if layout.plan.tables:
            found += 1
            assert layout.room_below >= LONGEST_READ_OUT + min(layout.plan.tables, KEPT_TABLES)
    assert found


def test_a_short_table_has_the_largest_modes_and_counts_the_others() -> None:
    def table(lines: int) -> list[str]:
        look = glyphs_of(ViewOptions())
        return [
            plain(line).split("   ")[0].strip() for line in table_lines(TableFigures(), FOUR, "I/Os", lines, 78, look)
        ]

    assert table(5)[1:] == RANGES
    assert table(4)[1:] == [RANGES[0], RANGES[3], "2 more"]
    assert table(1) == []
