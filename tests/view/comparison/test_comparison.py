"""The page of a comparison: both maps on one scale, their differences, and what gives way where room is short."""

import numpy as np
import pytest

from pylatencymap.analysis import SideBySide
from pylatencymap.text.width import text_width
from pylatencymap.view.comparison import (
    ComparedMap,
    ComparisonPlan,
    ComparisonTexts,
    draw_comparison,
    notes_room,
    plan_comparison,
)
from pylatencymap.view.comparison.maps import difference_cells, difference_look, signed_levels
from pylatencymap.view.paint.canvas import Cells
from pylatencymap.view.style.colour_depth import ColourDepth
from pylatencymap.view.style.options import FREQUENCY, INTENSITY, ViewOptions
from pylatencymap.view.style.styles import Ink, style_parts
from pylatencymap.view.style.theme import theme_of

ROWS = 8
BOUNDS = 64e-6 * 2.0 ** np.arange(ROWS + 1)
BOTH = (FREQUENCY, INTENSITY)
TABLE = (
    "              BEFORE   AFTER    change   95 % interval",
    "rate           500/s   450/s    x 0.90    0.85 to 0.95",
    "p99          10.3 ms 14.8 ms    x 1.44    1.31 to 1.58",
)
TEXTS = ComparisonTexts(
    title=("before.lmap", "after.lmap", "sda"),
    verdict=(("AFTER is slower, sure:", " 20 % of I/Os take more than 1.02 ms,"), ("", "10 % before.")),
    table=TABLE,
    notes=(("BEFORE: 60 intervals of 1 s.",), ("Ten blocks a side, shuffled: p = 0.001.",)),
    spans=("10:00:00-10:01:00", "11:00:00-11:01:00"),
    noun="I/Os",
    estimated=True,
)


def values(kind: str, columns: int = 20) -> ComparedMap:
    """A fast band of which AFTER has less, and a slow one of which it has more; in one column nothing is known."""
    before, after = np.zeros((ROWS, columns)), np.zeros((ROWS, columns))
    before[1], after[1] = 400, 300
    before[5], after[5] = 50, 100
    after[7, ::5] = 2
    scale = 1.0 if kind == FREQUENCY else 1e-3
    before, after = before * scale, after * scale
    silent = np.zeros(columns)
    silent[3] = 1
    averages = before.mean(axis=1), after.mean(axis=1)
    differing = before - averages[0][:, None], after - averages[0][:, None]
    side = SideBySide(before, after, (np.zeros(columns), silent), differing, averages)
    return ComparedMap(kind, side, BOUNDS)


def page(size: tuple[int, int] = (120, 40), depth: ColourDepth = ColourDepth.TRUECOLOR, plain: bool = False) -> Cells:
    plan = plan_comparison(size, TEXTS, BOTH)
    maps = [values(kind, min(plan.width, 20)) for kind in plan.kinds]
    return draw_comparison(plan, TEXTS, maps, ViewOptions(depth=depth), plain=plain)


def plan(columns: int, lines: int) -> ComparisonPlan:
    return plan_comparison((columns, lines), TEXTS, BOTH)


@pytest.mark.parametrize("depth", [ColourDepth.MONO, ColourDepth.ASCII])
def test_the_page_as_it_looks(golden, depth) -> None:
    golden(f"compare-{depth.value}-120x40", page(depth=depth))
    golden(f"compare-{depth.value}-80x32", page((80, 32), depth))


@pytest.mark.parametrize("depth", list(ColourDepth))
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (80, 30), (99, 34), (120, 40), (200, 60), (400, 100)])
def test_it_fits_at_every_size(size, depth) -> None:
    cells = page(size, depth)
    assert cells.columns == size[0]
    assert cells.lines <= size[1]
    assert "AFTER is slower, sure:" in cells.text()[1]
    assert any("p99" in line for line in cells.text())


def test_what_gives_way_where_there_is_little_room() -> None:
    assert plan(120, 40).kinds == BOTH
    assert plan(120, 33).kinds == (INTENSITY,)
    assert plan(120, 25).kinds == ()
    assert (plan(120, 40).numbers, plan(99, 40).numbers) == (3, 1)
    assert (plan(149, 40).own, plan(150, 40).own) == (False, True)
    assert plan_comparison((120, 40), TEXTS, (FREQUENCY,)).kinds == (FREQUENCY,)
    assert plan_comparison((80, 30), TEXTS._replace(table=TABLE * 7), BOTH).kinds == ()


def test_notes_stand_beside_the_table_or_below_it() -> None:
    beside = page((120, 40), ColourDepth.MONO).text()
    (line,) = [line for line in beside if "60 intervals" in line]
    assert "95 % interval" in line
    below = page((80, 40), ColourDepth.MONO).text()
    assert below[-1].strip() == "Ten blocks a side, shuffled: p = 0.001."
    assert notes_room(120, TABLE) == 120 - 1 - max(map(text_width, TABLE)) - 4
    assert notes_room(80, TABLE) == 79


def test_a_note_that_does_not_fit_is_left_out_whole() -> None:
    long = TEXTS._replace(notes=(("one", "two", "three", "four"), ("five",)))
    lines = plan_comparison((60, 10), long, BOTH)
    text = "\n".join(draw_comparison(lines, long, [], ViewOptions(depth=ColourDepth.ASCII)).text())
    assert "one" not in text
    assert "five" not in text


def test_fewer_and_more_have_colours_of_their_own_and_silence_none() -> None:
    look = difference_look(ViewOptions())
    found = np.array([[-500.0, -20, 0, 20, 500, 1.0]])
    levels = signed_levels(found, 500, look)
    assert levels.tolist() == [[-6, -2, 0, 2, 6, 0]]
    chars, styles = difference_cells(levels, look, half=False)
    inks = [style_parts(int(one)).background for one in styles[0]]
    assert inks == [Ink.FEWER_RAMP + 6, Ink.FEWER_RAMP + 2, 0, Ink.MORE_RAMP + 2, Ink.MORE_RAMP + 6, 0]
    assert set(chars[0]) == {ord(" ")}


def test_beyond_the_scale_there_is_a_sign() -> None:
    look = difference_look(ViewOptions())
    chars, styles = difference_cells(signed_levels(np.array([[700.0, -700.0]]), 500, look), look, half=False)
    assert "".join(map(chr, chars[0])) == "+-"
    assert {style_parts(int(one)).background for one in styles[0]} == {Ink.CLIP}


@pytest.mark.parametrize(
    ("depth", "plain", "said"),
    [(ColourDepth.MONO, False, "▼- +▲"), (ColourDepth.MONO, True, "fb 26"), (ColourDepth.ASCII, False, "fb 26")],
)
def test_without_colours_there_are_characters(depth, plain, said) -> None:
    look = difference_look(ViewOptions(depth=depth), plain=plain)
    levels = signed_levels(np.array([[-600.0, -20, 0, 20, 600]]), 500, look)
    assert "".join(map(chr, difference_cells(levels, look, half=False)[0][0])) == said


@pytest.mark.parametrize("depth", [ColourDepth.TRUECOLOR, ColourDepth.COLOURS_256, ColourDepth.COLOURS_16])
@pytest.mark.parametrize("background", ["dark", "light"])
def test_every_level_has_a_colour_and_no_two_have_the_same(depth, background) -> None:
    options = ViewOptions(depth=depth, background=background)
    theme, levels = theme_of(options), range(1, difference_look(options).levels + 1)
    colours = [theme[base + level] for base in (Ink.FEWER_RAMP, Ink.MORE_RAMP) for level in levels]
    assert len(set(colours)) == len(colours) == {"truecolor": 12, "256": 8, "16": 4}[depth.value]


def test_half_cells_show_twice_the_rows_and_numbers_add_up() -> None:
    small = plan_comparison((120, 34), TEXTS._replace(table=TABLE * 5), BOTH)
    assert small.rows < ROWS
    cells = draw_comparison(
        small, TEXTS._replace(table=TABLE * 5), [values(kind) for kind in small.kinds], ViewOptions()
    )
    lines = [line.split()[-3:] for line in cells.text() if " ms " in line[:8] or " us " in line[:8]]
    assert ["400", "300", "-100"] in lines
    assert ["50", "100", "+50"] in lines
