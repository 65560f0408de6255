"""The list of series: what matches, what is seen of it, and its figures."""

import pytest

from pylatencymap.view.boxes.overlay import box_room, with_box
from pylatencymap.view.boxes.picker import MomentRow, SeriesRow, matching_series, moment_lines, picker_lines
from pylatencymap.view.paint.canvas import Canvas
from pylatencymap.view.style.colour_depth import ColourDepth
from pylatencymap.view.style.options import ViewOptions
from pylatencymap.view.style.styled_text import width_of
from pylatencymap.view.style.styles import style_parts
from pylatencymap.window.statistics import Quantity

NAMES = ["Sync-Read", "ReadAhead-Read", "Idle-Sync-Read", "Idle-Sync-Write", "Write", "vda\x1b[31m"]
ROWS = [
    SeriesRow(name, 852 / place, 1.15 / place**2, 0.61 / place, Quantity(0.00135, place == 2), place)
    for place, name in enumerate(NAMES, 1)
]
OPTIONS = ViewOptions()


def plain(line) -> str:
    return "".join(text for text, _ in line)


def test_every_word_must_match() -> None:
    assert matching_series(NAMES, "") == list(range(len(NAMES)))
    assert matching_series(NAMES, "read") == [0, 1, 2]
    assert matching_series(NAMES, " SYNC rEAD ") == [0, 2]
    assert matching_series(NAMES, "sync nothing") == []


def test_figures_and_the_chosen_row() -> None:
    lines = picker_lines(ROWS, "idle", 1, OPTIONS, (120, 40))
    assert plain(lines[0]).split() == ["filter:", "idle", "2", "of", "2,", "6", "in", "all"]
    assert plain(lines[1]).split() == ["series", "events/s", "wait", "ms/s", "of", "wait", "average"]
    assert plain(lines[2]).split() == ["3", "Idle-Sync-Read", "284", "128", "20", "%", "1.35", "ms"]
    assert all(style_parts(style).reverse for _, style in lines[3])
    assert not any(style_parts(style).reverse for _, style in lines[2])
    bold = [text for text, style in lines[2] if style_parts(style).bold]
    assert bold == ["Idle"]
    assert ">= 1.35 ms" in plain(picker_lines(ROWS, "ahead", 0, OPTIONS, (120, 40))[2])


def test_the_box_does_not_change_while_a_filter_is_typed() -> None:
    shapes = set()
    for typed in ("", "r", "re", "read", "readx"):
        lines = picker_lines(ROWS, typed, 0, OPTIONS, (80, 24))
        shapes.add((len(lines), max(width_of(line) for line in lines)))
    assert len(shapes) == 1
    assert plain(picker_lines(ROWS, "readx", 0, OPTIONS, (80, 24))[2]) == "no series matches"
    assert plain(picker_lines([], "", 0, OPTIONS, (80, 24))[2]) == "no series yet"


def test_five_thousand_series_scroll() -> None:
    rows = [SeriesRow(f"disk{number:04}", 1.0, 0.001, 0.0002, None) for number in range(5000)]
    for chosen in (0, 1, 2500, 4999, 9999):
        lines = picker_lines(rows, "", chosen, OPTIONS, (80, 24))
        assert len(lines) == box_room((80, 24))[1]
        inverse = [plain(line) for line in lines[2:] if any(style_parts(style).reverse for _, style in line)]
        assert [line.split()[0] for line in inverse] == [f"disk{min(chosen, 4999):04}"]
    lines = picker_lines(rows, "disk 99", 3, OPTIONS, (80, 24))
    matching = sum("99" in row.name for row in rows)
    assert plain(lines[0]).endswith(f"4 of {matching}, 5000 in all")


def test_names_are_harmless() -> None:
    shown = "".join(plain(line) for line in picker_lines(ROWS, "\x1b", 0, OPTIONS, (80, 24)))
    assert "\x1b" not in shown
    assert "vda\\x1b[31m" in shown
    assert len(picker_lines([SeriesRow("İİ", 1.0, 1.0, 1.0, None)], "i", 0, OPTIONS, (80, 24))) == 3


@pytest.mark.parametrize("depth", [ColourDepth.TRUECOLOR, ColourDepth.ASCII])
def test_every_size(depth) -> None:
    options = ViewOptions(depth=depth)
    for size in [(1, 1), (3, 30), (20, 4), (45, 12), (60, 20), (500, 200)]:
        lines = picker_lines(ROWS, "read", 1, options, size)
        cells = with_box(Canvas(*size).cells(), lines, options, title="Series", corner="Esc")
        assert cells.chars.shape == size[::-1]


def test_without_escape_sequences_an_arrow_chooses(golden) -> None:
    options = ViewOptions(depth=ColourDepth.ASCII)
    lines = picker_lines(ROWS, "read", 1, options, (120, 40))
    assert [plain(line)[0] for line in lines[2:5]] == [" ", ">", " "]
    golden("picker-ascii-80x24", with_box(Canvas(80, 24).cells(), lines, options, title="Series", corner="Esc: back"))


def test_names_of_wide_characters_keep_the_figures_in_their_columns() -> None:
    names = ["日本", "日木", "ディスク読込" * 6, "e\u0301x", "plain"]
    rows = [SeriesRow(name, 852.0, 1.15, 0.2, None, place) for place, name in enumerate(names, 1)]
    for columns in (40, 80, 120):
        lines = picker_lines(rows, "", 0, OPTIONS, (columns, 24))
        assert len({width_of(line) for line in lines[2:7]}) == 1
        assert len({plain(line) for line in lines[2:7]}) == 5
        assert max(width_of(line) for line in lines) <= box_room((columns, 24))[0]
    typed = picker_lines(rows, "読" * 60, 0, OPTIONS, (80, 24))
    assert width_of(typed[0]) <= box_room((80, 24))[0]
    assert plain(typed[0]).count("読") > 10


MOMENTS = [
    MomentRow(
        "",
        "03-03 03:12-03:32",
        "a band appears at 131-524 ms: " + "11 % of events, 96 % of the wait; " * 3,
        "28 min",
        "cost: 28 min",
    ),
    MomentRow("G", "03-04 08:00-09:00", "gap: no data for 1 h (no data is not zero)", "not known", "cost: not known"),
    MomentRow("R", "03-03 15:30", "reset: the counters began anew", "", ""),
]


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
@pytest.mark.parametrize("chosen", range(3))
def test_the_sentence_of_the_chosen_moment_can_be_read_in_full(size: tuple[int, int], chosen: int) -> None:
    lines = [plain(line) for line in moment_lines(MOMENTS, chosen, OPTIONS, size)]
    assert all(len(line) <= box_room(size)[0] for line in lines)
    assert len(lines) <= box_room(size)[1]
    below = " ".join(" ".join(lines[len(MOMENTS) :]).split())
    assert below.startswith(MOMENTS[chosen].what.strip())
    assert MOMENTS[chosen].cost in below
    assert len(lines) == len(moment_lines(MOMENTS, 0, OPTIONS, size)), "the box keeps its height"


def test_where_no_sentence_is_cut_none_is_written_twice() -> None:
    assert len(moment_lines(MOMENTS[1:], 0, OPTIONS, (120, 40))) == 2


def test_a_long_list_leaves_room_for_the_sentence() -> None:
    lines = moment_lines(MOMENTS * 100, 150, OPTIONS, (80, 24))
    assert len(lines) == box_room((80, 24))[1]
    assert plain(lines[-1]).strip() or plain(lines[-2]).strip()
