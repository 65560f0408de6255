"""The title: what gives way on a narrow screen, and that nothing in it is cut in the middle."""

import re
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

import pytest

from pylatencymap.view.drawing import draw_picture
from pylatencymap.view.layout.colour_scale import ScaleMemory
from pylatencymap.view.layout.scene import Scene
from pylatencymap.view.layout.status import END, Status
from pylatencymap.view.style.options import ViewOptions
from pylatencymap.window.statistics import Quantity, Summary

SUMMARY = Summary(1.0, 590.0, 1.1, True, *[Quantity(1e-3)] * 5)

FILTERS = [(), ("sql_id=9babjv8yq8ru3",), ("obj#=82015", "file#=7"), ("obj#=82015", "p2=128", "module=nightly reports")]


def title(make_matrix, columns: int, **changes: object) -> str:
    matrix = make_matrix()
    begin, end = int(matrix.ends[0]) - 1_000_000, int(matrix.ends[-1])
    said = {
        "label": "Oracle SQL trace",
        "file": "test_10046_tracefile.trc",
        "series": "db file sequential read",
        "series_number": 1,
        "series_count": 3,
        "state": END,
        "kept": (begin, end),
        "keys": (("?", "help"), ("q", "quit")),
        **changes,
    }
    scene = Scene(matrix, Status(**said), SUMMARY, SUMMARY)  # type: ignore[arg-type]
    return draw_picture(scene, ViewOptions(), (columns, 24), ScaleMemory()).cells.text()[0].rstrip()


@pytest.mark.parametrize("columns", [*range(60, 131, 3), 200])
@pytest.mark.parametrize("kept", [0, 7200])
@pytest.mark.parametrize("filters", FILTERS, ids=len)
def test_the_time_is_never_cut(make_matrix, columns: int, kept: int, filters: tuple[str, ...]) -> None:
    end = int(make_matrix().ends[-1])
    line = title(make_matrix, columns, kept=(end - 71_000_000 - kept * 1_000_000, end), filters=filters)
    assert re.search(r"\d\d:\d\d:\d\d to \d\d:\d\d:\d\d( UTC)?($|  )", line), line
    assert "db file" in line
    assert all(one[:3] in line for one in filters[-1:])


@pytest.mark.parametrize("columns", [80, 100])
def test_filters_take_the_room_of_the_source(make_matrix, columns: int) -> None:
    line = title(make_matrix, columns, filters=("obj#=82015", "file#=7"))
    assert "Oracle" not in line
    assert "obj#=82015" in line
    assert "file#=7" in line
    assert "db file sequenti" in line


@pytest.mark.parametrize("filters", FILTERS[:3], ids=len)
def test_help_is_worth_more_than_the_name_of_the_source(make_matrix, filters: tuple[str, ...]) -> None:
    """At every width that has help in the title at all; one of 60 has it among the keys."""
    named = [
        line
        for columns in range(80, 201)
        if "Oracle" in (line := title(make_matrix, columns, file="", filters=filters))
    ]
    assert named
    assert [line for line in named if "? help" not in line] == []
    assert title(make_matrix, 80).endswith("? help")
    assert "Oracle SQL trace" in title(make_matrix, 160)


def test_a_title_without_a_series_keeps_its_source(make_matrix) -> None:
    line = title(make_matrix, 60, series="")
    assert line.startswith(" Oracle SQL tra")
    assert line.endswith("22:14:31")


def test_both_zones_are_named_where_clocks_were_changed_meanwhile(make_matrix) -> None:
    """The picture is of 71 s; clocks of Berlin are put back in the last one of them."""
    change = datetime(2023, 10, 29, 1, tzinfo=timezone.utc).timestamp()
    matrix = make_matrix()
    moved = matrix._replace(ends=matrix.ends - int(matrix.ends[-1]) + int(change * 1e6))
    line = title(lambda: moved, 140, tz=ZoneInfo("Europe/Berlin"))
    assert "2023-10-29 02:58:49 CEST to 02:00:00 CET" in line
    assert "CEST" not in title(lambda: moved, 80, tz=ZoneInfo("Europe/Berlin"))
    assert re.search(r"00:58:49 to 01:00:00 UTC", title(lambda: moved, 140))
