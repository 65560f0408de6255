"""The frugal encoder: what it sends, piece by piece."""

import re
from collections.abc import Callable

import numpy as np
import pyte
import pytest
from hypothesis import given, settings, strategies as st

from pylatencymap.view.drawing import DrawnPicture, draw_picture
from pylatencymap.view.layout.colour_scale import ScaleMemory
from pylatencymap.view.layout.geometry import Geometry, Region
from pylatencymap.view.layout.scene import Scene
from pylatencymap.view.layout.status import Status
from pylatencymap.view.paint.canvas import Canvas, Cells
from pylatencymap.view.style.colour_depth import ColourDepth
from pylatencymap.view.style.options import ViewOptions
from pylatencymap.view.style.styles import Ink, style
from pylatencymap.view.terminal.encoder import ScreenEncoder, TerminalCursor, changed_runs, synchronized
from pylatencymap.window.statistics import Summary
from tests.amounts import examples
from tests.view.emulator import drawn_of, held, plain_text, plainly_shown, screen_with

COLUMNS, LINES = 30, 6
SUMMARY = Summary(span=60.0, events=1000.0, waited=1.0, estimated=True)
STYLES = [
    0,
    style(bold=True),
    style(Ink.DIM),
    style(bold=True, reverse=True),
    style(Ink.MARK, bold=True),
    style(Ink.CLIP_TEXT, Ink.CLIP, bold=True),
    style(0, Ink.FREQUENCY_RAMP + 3),
    style(Ink.FREQUENCY_RAMP + 1, Ink.FREQUENCY_RAMP + 3),
    style(Ink.INTENSITY_RAMP + 2),
]


MakeDrawn = Callable[[int, ViewOptions], DrawnPicture]


@pytest.fixture
def make_drawn(make_matrix) -> MakeDrawn:
    """The picture of so many columns, 100x35."""

    def make(columns: int, options: ViewOptions) -> DrawnPicture:
        return draw_picture(
            Scene(make_matrix(columns), Status("biolatency"), SUMMARY, None), options, (100, 35), ScaleMemory()
        )

    return make


def random_cells(seed: int, columns: int = COLUMNS, lines: int = LINES) -> Cells:
    random = np.random.default_rng(seed)
    canvas = Canvas(columns, lines)
    for _ in range(random.integers(1, 12)):
        text = "".join(random.choice(list("ab ▀▄╱·"), size=random.integers(1, 12)))  # noqa: RUF001
        place = int(random.integers(lines)), int(random.integers(-3, columns))
        canvas.put(*place, text, STYLES[random.integers(len(STYLES))])
    return canvas.cells()


def random_geometry(seed: int) -> Geometry:
    """Any claim about where the data are, true or not."""
    random = np.random.default_rng(seed)
    top, lines, left = (int(random.integers(limit)) for limit in (LINES, LINES, COLUMNS))
    first, count = int(random.integers(5)), int(random.integers(1, 12))
    return Geometry(
        regions=(Region("frequency", top, lines),),
        left=left,
        right=left + int(random.integers(COLUMNS)),
        cell_width=int(random.integers(1, 3)),
        axis=top + lines + 1,
        ends=np.arange(first, first + count),
        bounds=np.arange(3.0),
        slots=np.zeros((lines, 2), np.intp),
    )


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(st.integers(0, 2**32 - 1), min_size=2, max_size=5), st.sampled_from(list(ColourDepth)))
def test_whatever_changes_the_terminal_shows_the_last_picture(seeds: list[int], depth: ColourDepth) -> None:
    options = ViewOptions(depth=depth)
    encoder = ScreenEncoder(options)
    frames = [random_cells(seed) for seed in seeds]
    texts = [encoder.encode(drawn_of(cells)) for cells in frames]
    assert held(screen_with(COLUMNS, LINES, *texts)) == plainly_shown(frames[-1], options)


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(st.integers(0, 2**32 - 1), min_size=2, max_size=5), st.integers(0, 2**32 - 1))
def test_a_geometry_that_is_not_true_costs_bytes_only(seeds: list[int], geometry_seed: int) -> None:
    encoder, geometry = ScreenEncoder(ViewOptions()), random_geometry(geometry_seed)
    frames = [random_cells(seed) for seed in seeds]
    # The same place each time and later ends: the encoder is told that everything has moved.
    drawn = [DrawnPicture(cells, geometry._replace(ends=geometry.ends + step)) for step, cells in enumerate(frames)]
    texts = [encoder.encode(one) for one in drawn]
    assert held(screen_with(COLUMNS, LINES, *texts)) == plainly_shown(frames[-1], ViewOptions())


@settings(max_examples=examples(100), deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(1, 20), st.booleans())
def test_what_moved_is_moved(seed: int, by: int, right_margin: int, wide: bool) -> None:
    """The right part stays, the left part moves, new columns come in."""
    left, right = 3, COLUMNS - right_margin % 10
    before, fresh = random_cells(seed), random_cells(seed + 1)
    after = Cells(before.chars.copy(), before.styles.copy())
    shift = by * (1 + wide)
    for array, source, new in ((after.chars, before.chars, fresh.chars), (after.styles, before.styles, fresh.styles)):
        array[1:4, left : right - shift] = source[1:4, left + shift : right]
        array[1:4, right - shift : right] = new[1:4, right - shift : right]
    ends = np.arange(20, dtype=np.int64)
    where = Geometry(
        (Region("frequency", 1, 3),), left, right, 1 + wide, 4, ends, np.arange(3.0), np.zeros((3, 2), int)
    )
    encoder = ScreenEncoder(ViewOptions())
    texts = [
        encoder.encode(DrawnPicture(before, where)),
        encoder.encode(DrawnPicture(after, where._replace(ends=ends + by))),
    ]
    assert held(screen_with(COLUMNS, LINES, *texts)) == plainly_shown(after, ViewOptions())


@pytest.mark.parametrize(
    "depth", [ColourDepth.TRUECOLOR, ColourDepth.COLOURS_256, ColourDepth.COLOURS_16, ColourDepth.MONO]
)
def test_what_the_plain_encoder_leaves_is_what_is_expected_of_it(depth: ColourDepth) -> None:
    for seed in range(20):
        cells, options = random_cells(seed), ViewOptions(depth=depth)
        assert held(screen_with(COLUMNS, LINES, plain_text(cells, options))) == plainly_shown(cells, options)


def test_true_colours_are_those_of_the_ramp() -> None:
    canvas = Canvas(2, 1)
    canvas.put(0, 0, "▀", style(Ink.FREQUENCY_RAMP + 1, Ink.INTENSITY_RAMP + 12))
    shown = held(screen_with(2, 1, ScreenEncoder(ViewOptions()).encode(drawn_of(canvas.cells()))))
    assert shown[0][0][:3] == ("▀", "282f76", "fbea62")


def test_nothing_changed_sends_nothing() -> None:
    encoder = ScreenEncoder(ViewOptions())
    encoder.encode(drawn_of(random_cells(3)))
    assert encoder.encode(drawn_of(random_cells(3))) == ""
    assert synchronized("") == ""


def test_one_cell_changed_sends_one_cell() -> None:
    encoder, cells = ScreenEncoder(ViewOptions()), Canvas(COLUMNS, LINES).cells()
    encoder.encode(drawn_of(cells))
    cells.chars[2, 4] = ord("x")
    assert encoder.encode(drawn_of(cells)) == "\x1b[3;5Hx"


def test_the_caller_may_paint_on_in_the_cells_that_were_shown() -> None:
    encoder, cells = ScreenEncoder(ViewOptions()), random_cells(5)
    encoder.encode(drawn_of(cells))
    cells.chars[:] = ord("y")
    assert encoder.encode(drawn_of(cells)).count("y") == COLUMNS * LINES


def test_a_change_of_size_repaints_without_clearing() -> None:
    encoder = ScreenEncoder(ViewOptions())
    encoder.encode(drawn_of(random_cells(1)))
    cells = random_cells(2, 20, 4)
    text = encoder.encode(drawn_of(cells))
    assert "\x1b[2J" not in text
    assert held(screen_with(20, 4, "x" * 80, text)) == plainly_shown(cells, ViewOptions())


def test_what_the_terminal_shows_can_be_forgotten() -> None:
    encoder, cells = ScreenEncoder(ViewOptions()), random_cells(1)
    encoder.encode(drawn_of(cells))
    assert np.array_equal(encoder.shown.chars, cells.chars)
    encoder.forget()
    assert encoder.shown is None
    dirt = "\x1b[44mz" * (COLUMNS * LINES) + "\x1b[0m"
    shown = held(screen_with(COLUMNS, LINES, dirt, encoder.encode(drawn_of(cells))))
    assert shown == plainly_shown(cells, ViewOptions())


def test_other_colours_repaint_and_other_choices_do_not() -> None:
    encoder, drawn = ScreenEncoder(ViewOptions()), drawn_of(random_cells(1))
    encoder.encode(drawn)
    encoder.options = ViewOptions(scale="linear")
    assert encoder.encode(drawn) == ""
    encoder.options = ViewOptions(palette="classic")
    assert held(screen_with(COLUMNS, LINES, encoder.encode(drawn))) == plainly_shown(drawn.cells, encoder.options)


@pytest.mark.parametrize("depth", list(ColourDepth))
def test_only_sequences_that_every_terminal_knows(make_drawn, depth: ColourDepth) -> None:
    encoder, sent = ScreenEncoder(ViewOptions(depth=depth)), ""
    for columns in range(40, 52):
        sent += encoder.encode(make_drawn(columns, ViewOptions(depth=depth)))
    finals = set(re.findall(r"\x1b\[[0-9;]*([^0-9;])", sent))
    assert finals <= set("HGCDBPK@") | (set() if depth is ColourDepth.ASCII else {"m"})
    assert {"P", "@"} <= finals
    assert not re.search(r"\x1b[^[]", sent)


def test_a_new_column_costs_little(make_drawn) -> None:
    encoder = ScreenEncoder(ViewOptions(depth=ColourDepth.COLOURS_256))
    encoder.encode(make_drawn(60, encoder.options))
    assert len(encoder.encode(make_drawn(61, encoder.options)).encode()) < 1500


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(st.lists(st.booleans(), min_size=9, max_size=9), min_size=1, max_size=4))
def test_runs_cover_each_change_once_and_stay_in_their_lines(rows: list[list[bool]]) -> None:
    changed = np.array(rows)
    covered = np.zeros(changed.shape, int)
    for line, start, stop in changed_runs(changed):
        assert changed[line, start]
        assert changed[line, stop - 1]
        covered[line, start:stop] += 1
    assert (covered[changed] == 1).all()
    assert covered.max() <= 1


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 29), st.integers(0, 30)), min_size=1, max_size=12))
def test_the_cursor_lands_where_it_should(moves: list[tuple[int, int, int]]) -> None:
    cursor, screen = TerminalCursor(COLUMNS), screen_with(COLUMNS, LINES)
    stream = pyte.Stream(screen)
    for line, column, letters in moves:
        text = "x" * min(letters, COLUMNS - column)
        stream.feed(cursor.over(line, column, len(text)) if text else cursor.to(line, column))
        assert (screen.cursor.y, screen.cursor.x) == (line, column)
        stream.feed(text)
