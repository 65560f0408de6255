"""The picture: what stands where, at every size and depth."""

import os
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from pylatencymap.text.width import text_width
from pylatencymap.view.drawing import map_columns
from pylatencymap.view.frame.composition import compose_frame
from pylatencymap.view.layout.colour_scale import ScaleMemory
from pylatencymap.view.layout.layout import LayoutDemand, arrange_layout
from pylatencymap.view.layout.scene import Scene
from pylatencymap.view.layout.status import Status
from pylatencymap.view.paint.canvas import Canvas
from pylatencymap.view.style.colour_depth import ColourDepth
from pylatencymap.view.style.options import ViewOptions
from pylatencymap.view.style.styles import Ink, style, style_parts
from pylatencymap.window.statistics import Summary

SIZES = [(60, 20), (79, 23), (80, 24), (99, 31), (120, 40), (160, 50), (200, 60), (400, 100)]
GOLDEN = Path(__file__).parent / "golden"
NOTHING = Summary(0.0, 0.0, 0.0, True)


def windows(make_matrix):
    """Ordinary and extreme windows."""
    bimodal = make_matrix().counts
    return {
        "bimodal": make_matrix(),
        "long": make_matrix(500),
        "one column": make_matrix(1),
        "no columns": make_matrix(0),
        "no rows": make_matrix(counts=np.zeros((0, 0))),
        "zero": make_matrix(counts=bimodal * 0),
        "gaps only": make_matrix(gap=range(71)),
        "overflow": make_matrix(overflow=True, resampled=True),
        "overflow in use": make_matrix(counts=np.roll(bimodal, 2, axis=0), overflow=True),
        "gap and reset": make_matrix(gap=range(20, 26), reset=[40]),
        "no clock": make_matrix(clock=False),
        "one row": make_matrix(counts=bimodal[9:10]),
    }


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("depth", ColourDepth)
def test_every_window_fills_every_size_exactly(make_matrix, picture, size, depth) -> None:
    for name, matrix in windows(make_matrix).items():
        for given in ({}, {"map": "intensity", "min_latency": 100e-6, "max_latency": 4e-3}, {"min_latency": 10.0}):
            cells = picture(matrix, size, ViewOptions(depth=depth, **given), message="a message", others=("x", "y"))
            assert cells.chars.shape == cells.styles.shape == (size[1], size[0]), name
            if depth is ColourDepth.ASCII:
                assert cells.chars.max() < 127, name


@pytest.mark.parametrize("size", [(1, 1), (20, 5), (59, 19), (300, 8)])
def test_terminals_too_small_do_not_crash(make_matrix, picture, size) -> None:
    assert picture(make_matrix(), size).chars.shape == size[::-1]


def test_what_the_cells_hold_is_the_data(make_matrix, picture) -> None:
    """Level by level: the map at 120 x 40 against the formula, cell by cell."""
    matrix = make_matrix(71)
    cells = picture(matrix)
    lines = cells.text()
    labels = [line[:7].strip() for line in lines]
    top = labels.index("16.4 ms")
    assert labels[top : top + 10] == [
        "16.4 ms", "8.19 ms", "4.10 ms", "2.05 ms", "1.02 ms", "512 us", "256 us", "128 us", "64 us", "32 us"
    ]  # fmt: skip
    first = 9 + 87 - 71
    for row, line in ((9, top), (3, top + 6), (2, top + 7), (1, top + 8), (5, top + 4)):
        shown = [style_parts(int(number)).background for number in cells.styles[line, first : first + 71]]
        ratio = np.sqrt(matrix.counts[row] / 500)
        level = np.where(matrix.counts[row] > 0, np.clip(np.ceil(ratio * 12 - 1e-9), 1, 12), 0).astype(int)
        assert shown == [Ink.FREQUENCY_RAMP + value if value else 0 for value in level.tolist()], row
    before = [chr(code) for code in cells.chars[top, 9:first].tolist()]
    assert before == [*" " * (first - 10), "│"], "the time before the first column: a border, and nothing"


def test_numbers_of_the_newest_column(make_matrix, picture) -> None:
    lines = picture(make_matrix()).text()
    frequency = next(line for line in lines if line.startswith(" 128 us"))
    assert frequency[96:119].split()[:3] == ["570", "71", "%"]
    total = next(line for line in lines if line.startswith("  total"))
    assert total[96:].split() == ["800", "/s"]
    intensity = [line for line in lines if line.startswith("16.4 ms")][1]
    assert intensity[96:119].split()[:3] == ["1.11k", "93", "%"]


def test_title_reading_and_statistics(make_matrix, picture) -> None:
    text = "\n".join(picture(make_matrix(), series_number=2, series_count=3, bad_count=1).text())
    assert " biolatency  loop0   LIVE   every 1 s   UTC 22:14:31" in text
    assert "series 2/3   1 bad record" in text
    modes = "64-256 us 80 % I/Os 4 % wait", "512 us-1.02 ms <1 % I/Os <1 % wait", "8.19-16.4 ms 20 % I/Os 96 % wait"
    assert "   ".join(modes) in text
    assert "window 71 s   avg 1.79 ms   p50 103 us    p90 10.5 ms   p99 15.8 ms   max < 16.4 ms" in text
    assert "time waited per second (estimated)" in text
    assert "space pause   q quit" in text.splitlines()[-1]


def test_half_blocks_where_lines_are_few(make_matrix, picture) -> None:
    small = picture(make_matrix(), (80, 24))
    assert "▀" in "".join(small.text())
    assert "▀" not in "".join(picture(make_matrix(), (80, 24), ViewOptions(depth=ColourDepth.MONO)).text())
    assert "▀" not in "".join(picture(make_matrix()).text())


def test_gap_reset_mark_and_clipping(make_matrix, picture) -> None:
    counts = make_matrix().counts
    counts[3, 50] = 9000
    matrix = make_matrix(counts=counts, gap=range(20, 26), reset=[40])
    mark = (int(matrix.ends[60]), "M", 'dropped\x1b[2J "here"')
    lines = picture(matrix, marks=(mark,)).text()
    text = "\n".join(lines)
    first = 9 + 87 - 71
    axis = next(line for line in lines if "└" in line)
    assert (axis[first + 20], axis[first + 40], axis[first + 60]) == ("G", "R", "M")
    assert "G 22:13:40  gap: no data for 6 s (no data is not zero)" in text
    assert "R 22:14:00  reset: the counters began anew; counted from zero over 1 s" in text
    assert 'M 22:14:21  "dropped\\x1b[2J "here""' in text
    assert "1 column is off the frequency scale of 500/s" in text
    row = next(line for line in lines if line.startswith(" 256 us"))
    assert row[first + 50] == "+"
    assert set(row[first + 20 : first + 26]) == {"╱"}  # noqa: RUF001
    empty = next(line for line in lines if line.startswith("8.19 ms"))
    assert (empty[first + 40], empty[first + 60], empty[first + 41]) == ("┊", "┊", " ")


def test_zero_no_data_gap_and_reset_differ_at_every_depth(make_matrix, picture) -> None:
    matrix = make_matrix(gap=range(20, 26), reset=[40])
    first = 9 + 87 - 71
    for depth in ColourDepth:
        cells = picture(matrix, (120, 50), ViewOptions(depth=depth))
        line = next(i for i, text in enumerate(cells.text()) if text.startswith("8.19 ms"))
        zero, before, gap, reset = (
            (int(cells.chars[line, column]), style_parts(int(cells.styles[line, column])).foreground)
            for column in (first + 1, first - 1, first + 20, first + 40)
        )
        assert len({zero, before, gap, reset}) == 4, depth
        axis = cells.text()[next(i for i, text in enumerate(cells.text()) if "22:13" in text and i > 5) - 1]
        assert axis[first + 20] == "G"


def test_hidden_rows_are_said(make_matrix, picture) -> None:
    text = "\n".join(picture(make_matrix(), options=ViewOptions(min_latency=1.024e-3)).text())
    rate = make_matrix().counts[:6].sum() / 71
    assert f"below 1.02 ms, not shown: {rate:.0f} I/Os/s" in text
    assert "128 us" not in text.split("64-256 us")[0]


def test_series_names_do_not_reach_the_terminal_raw(make_matrix, picture) -> None:
    cells = picture(make_matrix(), series="a\x1b]0;x\x07b", label="宽宽", noun="\x9bm")
    assert cells.chars.min() >= 32
    assert not ((cells.chars >= 127) & (cells.chars < 160)).any()
    title = cells.text()[0]
    assert "宽宽  a" in title
    assert all(text_width(line) == cells.columns for line in cells.text()), "nothing is shifted"


def test_series_that_differ_in_wide_characters_only_look_different(make_matrix, picture) -> None:
    for depth in ColourDepth:
        options = ViewOptions(depth=depth)
        titles = [picture(make_matrix(), options=options, series=name).text()[0] for name in ("日本", "日木")]
        assert (titles[0] != titles[1]) == (depth is not ColourDepth.ASCII)
        assert [text_width(title) for title in titles] == [120, 120]


def test_live_columns_do_not_widen_but_finished_ones_do(make_matrix, picture) -> None:
    matrix = make_matrix(60)
    assert map_columns((200, 60)) == 167
    live = picture(matrix, (200, 60))
    top = next(line for line, text in enumerate(live.text()) if text.startswith("16.4 ms"))
    assert live.text()[top][9 : 9 + 167 - 60].split() == ["│"], "the columns are at the right edge"
    for columns in (200, 159):
        cells = picture(matrix, (columns, 60), state="END")
        top = next(line for line, text in enumerate(cells.text()) if text.startswith("16.4 ms"))
        assert all((cells.styles[top, 9:129:2] == cells.styles[top, 10:129:2]).tolist()), "two characters a column"
        text = cells.text()[top]
        assert text[129:].split()[:3] == ["90", "23", "%"], "the average of all columns, right of them"
        assert text.count("│") == 1, "no time is unknown"


@pytest.mark.parametrize("size", [(100, 30), (120, 40), (159, 60), (300, 80)])
def test_the_room_that_finished_maps_leave_goes_to_the_bars(make_matrix, picture, size) -> None:
    lines = picture(make_matrix(min(60, map_columns(size))), size, state="END").text()
    bars = [line.count("█") for line in lines if line[:7].strip() in ("128 us", "8.19 ms", "16.4 ms")]
    right = 9 + min(60, map_columns(size)) * max(1, map_columns(size) // 60)
    assert max(bars) == size[0] - right - 16 - 1


def test_a_finished_picture_says_averages_and_how_much_it_shows(make_matrix, picture) -> None:
    matrix = make_matrix(60)
    ends = matrix.ends.tolist()
    everything = ends[0] - 1_000_000, ends[-1]
    text = picture(matrix, state="END", kept=everything, usual=1.0).text()
    assert "  ALL 1 min   every 1 s   2023-11-14 22:13:20 to 22:14:20 UTC" in text[0]
    assert "mean share" in text[2]
    assert "latest share" not in "\n".join(text)
    assert any(line.startswith(" all ") for line in text), text
    part = picture(matrix, state="END", kept=(ends[0] - 61_000_000, ends[-1]), usual=1.0).text()
    assert "  1 min of 2 min   every 1 s" in part[0]
    assert any(line.startswith(" window 71 s   avg ") for line in part)


@pytest.mark.parametrize("exponent", range(-3, 10))
def test_a_total_within_rounding_of_its_scale_is_full(make_matrix, picture, exponent: int) -> None:
    for end in (digit * 10.0**exponent for digit in (1, 2, 5)):
        for total in (np.nextafter(end, 0), end, np.nextafter(end, np.inf)):
            cells = picture(make_matrix(counts=np.array([[total]])), (60, 20))
            line = next(line for line in cells.text() if line[:7].strip() == "total")
            assert line[60 - 8 - 1] == "█", total


def test_rows_all_above_max_latency_are_one_open_row(make_matrix, picture) -> None:
    cells = picture(make_matrix(), options=ViewOptions(max_latency=1e-6))
    assert "> 16 us" in [line[:7].strip() for line in cells.text()]
    assert "8.19 ms" not in [line[:7].strip() for line in cells.text()]


@pytest.mark.parametrize(
    ("character", "drawn"),
    [("\u0e31", ""), ("\ufe0f", ""), ("\u0301", "\xe1"), ("\u20dd", ""), ("\u200d", "?"), ("\u5bbd", "\u5bbd")],
)
def test_a_character_that_takes_no_cell_or_two_shifts_nothing(character: str, drawn: str) -> None:
    canvas = Canvas(5, 1)
    end = canvas.put(0, 0, f"a{character}b")
    expected = drawn + "b" if drawn == "\xe1" else f"a{drawn}b"
    assert canvas.cells().text()[0].rstrip() == expected
    assert end == text_width(expected)
    assert text_width(canvas.cells().text()[0]) == 5


def test_merged_rows_keep_the_scale(make_matrix) -> None:
    """A smaller window of the terminal does not change what a colour means."""
    ends = []
    for size in ((120, 60), (120, 24), (80, 20)):
        scene = Scene(make_matrix(), Status("x"), NOTHING, None)
        frame = compose_frame(scene, ViewOptions(depth=ColourDepth.MONO), size, ScaleMemory()).frame
        ends.append([panel.maximum for panel in frame.panels])
    assert ends[0] == ends[1]


@pytest.mark.parametrize("half", [True, False])
def test_what_gives_way(half: bool) -> None:
    """From 60 lines down to 10, nothing that was given up comes back, and the lines are never exceeded."""
    demand = LayoutDemand(maps=2, rows=11, below=1, above=1, change=True, latest=True, events=5, others=3, keys=True)
    plans = [arrange_layout((120, lines), demand, half=half).plan for lines in range(60, 9, -1)]
    for lines, plan in zip(range(60, 9, -1), plans, strict=True):
        assert plan.lines(demand) <= lines
    assert plans[0].blanks == 7
    assert (plans[0].below, plans[0].above) == (1, 1)
    for earlier, later in ((60 - 40, 60 - 24), (60 - 24, 60 - 20)):
        assert plans[earlier].rows >= plans[later].rows
        assert plans[earlier].events >= plans[later].events
    assert plans[60 - 20].maps == 2
    assert plans[60 - 20].rows >= 6
    assert plans[60 - 24].half is half
    assert plans[60 - 24].keys


def test_mono_chips_are_reversed_and_colours_have_black_text(make_matrix, picture) -> None:
    mono = picture(make_matrix(), options=ViewOptions(depth=ColourDepth.MONO))
    column = mono.text()[0].index(" LIVE ")
    assert mono.styles[0, column] == style(reverse=True)
    assert "[LIVE]" in picture(make_matrix(), options=ViewOptions(depth=ColourDepth.ASCII)).text()[0]


@pytest.mark.parametrize(
    ("name", "size", "depth"),
    [("ascii-80x24", (80, 24), ColourDepth.ASCII), ("mono-120x40", (120, 40), ColourDepth.MONO)],
)
def test_golden(make_matrix, picture, name, size, depth) -> None:
    """The whole picture as text; after a wanted change run this once with UPDATE_GOLDEN=1 and read the difference."""
    matrix = make_matrix(gap=range(30, 34), reset=[50])
    shown = "".join(line.rstrip() + "\n" for line in picture(matrix, size, ViewOptions(depth=depth)).text())
    file = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(shown, encoding="utf-8")
    assert shown == file.read_text(encoding="utf-8")


def test_pinned_scales(make_matrix, picture) -> None:
    options = ViewOptions(frequency_max=100.0, intensity_max=2.0)
    text = "\n".join(picture(make_matrix(), options=options).text())
    assert " 100 pinned  + to 570  sqrt" in text
    assert " 2 s pinned  sqrt" in text


def test_palettes_and_depths_use_only_their_levels(make_matrix, picture) -> None:
    wanted = {
        ("cool-warm", ColourDepth.TRUECOLOR): 12,
        ("cool-warm", ColourDepth.COLOURS_256): 7,
        ("cool-warm", ColourDepth.COLOURS_16): 3,
        ("classic", ColourDepth.COLOURS_256): 8,
    }
    for (palette, depth), levels in wanted.items():
        cells = picture(make_matrix(), options=ViewOptions(palette=palette, depth=depth))
        grounds = {style_parts(int(number)).background for number in np.unique(cells.styles)}
        assert max(ink for ink in grounds if ink < Ink.INTENSITY_RAMP) == Ink.FREQUENCY_RAMP + levels
        assert max(grounds) == Ink.INTENSITY_RAMP + levels


def test_both_backgrounds_give_the_same_cells(make_matrix, picture) -> None:
    dark, light = (picture(make_matrix(), options=ViewOptions(background=ground)) for ground in ("dark", "light"))
    assert (dark.chars == light.chars).all()
    assert (dark.styles == light.styles).all()


def test_one_map(make_matrix, picture) -> None:
    for one, other in product(("frequency", "intensity"), repeat=2):
        text = "\n".join(picture(make_matrix(), options=ViewOptions(map=one)).text())
        assert (other.upper() in text) is (one == other)


def test_what_the_labels_are_is_said_where_there_is_a_line_for_it(make_matrix, picture) -> None:
    assert picture(make_matrix()).text()[1].rstrip() == " latency, up to"
    assert "latency, up to" not in "\n".join(picture(make_matrix(), (80, 24)).text())
    halved = picture(make_matrix(counts=np.ones((10, 71))), (120, 29)).text()
    assert "2 rows per line" in halved[0]
    assert halved[1].rstrip() == " latency at the middle of each line", (
        "the lower row ends there, the upper one does not"
    )
    assert "latency, up to" not in "\n".join(picture(make_matrix(0)).text()), "there are no labels yet"


@pytest.mark.parametrize("size", [(80, 24), (80, 30), (100, 30), (120, 40), (200, 60)])
def test_lines_that_are_free_stand_between_the_axis_and_the_words(make_matrix, picture, size) -> None:
    """A final picture has no key hints, so there is nothing at the bottom to keep apart."""
    for others in range(4):
        lines = picture(make_matrix(), size, state="END", keys=(), others=("x",) * others).text()
        axis = max(number for number, line in enumerate(lines) if "└" in line)
        assert not lines[axis + 2].strip() or lines[-1].strip(), lines[axis:]


def chip_of(picture, matrix, depth: ColourDepth = ColourDepth.TRUECOLOR, **status: object) -> tuple[str, list[int]]:
    """The title, and the background of each of its characters."""
    cells = picture(matrix, options=ViewOptions(depth=depth), **status)
    return cells.text()[0], [style_parts(int(number)).background for number in cells.styles[0]]


def test_the_chip_says_what_is_wrong(make_matrix, picture) -> None:
    matrix = make_matrix()
    title, grounds = chip_of(picture, matrix, state="STALLED 9 s")
    assert "  STALLED 9 s   every 1 s   UTC 22:14:31" in title
    assert grounds[title.index("STALLED")] == Ink.CHIP_WAIT
    title, grounds = chip_of(picture, matrix, flags=("REC FULL", "37 new"))
    assert "  LIVE    REC FULL   every" in title
    assert title.count("REC FULL") == 1
    assert "37 new" in title
    assert grounds[title.index("REC FULL")] == Ink.CHIP_WAIT
    doubtful = matrix.doubtful.copy()
    doubtful[-1] = True
    title, grounds = chip_of(picture, matrix._replace(doubtful=doubtful))
    assert "  LIVE    ?   every" in title
    assert grounds[title.index("?")] == Ink.CHIP_WAIT
    for plain, words in (
        (ColourDepth.ASCII, "[LIVE]  [REC FULL]  every"),
        (ColourDepth.MONO, " LIVE    REC FULL   every"),
    ):
        assert words in chip_of(picture, matrix, plain, flags=("REC FULL",))[0]


def test_a_chip_is_never_cut(make_matrix, picture) -> None:
    matrix = make_matrix(60)
    for back in (1.0, 61.0, 4_020.0, 7_100.0, 86_000.0, 400_000.0, 5e7):
        kept = (int(matrix.ends[0]) - round(back * 1e6), int(matrix.ends[-1]))
        for size in ((60, 20), (80, 24), (120, 40)):
            title = picture(matrix, size, state="END", kept=kept, usual=1.0).text()[0]
            assert "..." not in title.partition("   ")[0]
            assert "…" not in title.partition("   ")[0]
