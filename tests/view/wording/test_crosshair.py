"""The cursor: where it goes, what it draws, and what it reads out."""

import re

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pylatencymap.view.drawing import DrawnPicture, draw_picture
from pylatencymap.view.layout.colour_scale import ScaleMemory
from pylatencymap.view.layout.scene import Pointer, Scene, Selected, SelectedFigures
from pylatencymap.view.layout.status import Status
from pylatencymap.view.style.colour_depth import ColourDepth
from pylatencymap.view.style.options import ViewOptions
from pylatencymap.view.style.styles import REVERSE_BIT, Ink, style_parts
from pylatencymap.window.matrix import Matrix
from pylatencymap.window.statistics import Quantity, Summary

COLUMN = 50
LATENCY = 12e-3
SUMMARY = Summary(
    1.0, 590.0, 1.1, True, Quantity(1.79e-3), Quantity(103e-6), Quantity(10.5e-3), Quantity(15.8e-3), Quantity(16e-3)
)


def drawn(
    matrix: Matrix,
    pointer: Pointer | None,
    size: tuple[int, int] = (120, 40),
    options: ViewOptions | None = None,
    **status: object,
) -> DrawnPicture:
    said = Status(**{"label": "biolatency", "noun": "I/Os", **status})  # type: ignore[arg-type]
    scene = Scene(matrix, said, SUMMARY, SUMMARY, pointer, SUMMARY if pointer else None)
    return draw_picture(scene, options or ViewOptions(), size, ScaleMemory())


def read_out(picture: DrawnPicture) -> str:
    return picture.cells.text()[picture.geometry.axis + 2].strip()


def at(matrix: Matrix, column: int = COLUMN, latency: float = LATENCY) -> Pointer:
    return Pointer(int(matrix.ends[column]), latency)


def test_the_read_out_says_what_the_cell_holds(make_matrix) -> None:
    matrix = make_matrix()
    total, waited = matrix.counts[:, COLUMN].sum(), matrix.waited[:, COLUMN].sum()
    picture = drawn(matrix, at(matrix))
    assert read_out(picture) == (
        "read-out   22:14:11  8.19-16.4 ms  "
        f"90 I/Os/s, {90 / total:.0%} of this second  "
        f"{90 * 12.288:.0f} ms/s waited, {90 * 0.012288 / waited:.0%} of this second".replace("%", " %")
    )
    second = picture.cells.text()[picture.geometry.axis + 3]
    assert f"whole column: {total:.0f} I/Os/s, {waited * 1e3:.0f} ms/s" in second
    assert "avg 1.79 ms   p50 103 us   p90 10.5 ms   p99 15.8 ms" in second


def test_the_read_out_of_a_longer_column_says_how_long_it_is(make_matrix) -> None:
    matrix = make_matrix()
    matrix = matrix._replace(
        seconds=matrix.seconds * 10, lasted=matrix.lasted * 10, ends=matrix.ends[0] + 10_000_000 * np.arange(71)
    )
    text = read_out(drawn(matrix, at(matrix), interval=10.0))
    assert "9 I/Os/s, 15 % of these 10 s" in text


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40), (300, 80)])
def test_the_read_out_of_a_merged_column_says_from_when_to_when(make_matrix, size) -> None:
    matrix = make_matrix(40)
    end = 1_700_000_400 * 1_000_000  # 22:20:00
    matrix = matrix._replace(
        seconds=matrix.seconds * 60, lasted=matrix.lasted * 60, ends=end + 60_000_000 * np.arange(40)
    )
    said = drawn(matrix, at(matrix, 20), size, interval=60.0, usual=1.0)
    assert re.search(r"\b22:39-22:40  ?8.19-16.4 ms ", read_out(said))
    assert "22:39-22:40" in read_out(drawn(matrix, at(matrix, 20), size, interval=60.0, usual=60.0))
    where = "\n".join(said.cells.text()[: said.geometry.axis + 2])
    assert "22:39:00" in where, "on the axis, or above the numbers: the minute that 22:39 asks for"
    assert "22:40:00" not in where


def test_the_last_column_is_as_long_as_its_data(make_matrix) -> None:
    matrix = make_matrix(40)
    ends = 1_700_000_400 * 1_000_000 + 60_000_000 * np.arange(40)
    ends[-1] -= 48_000_000  # 22:58:12, twelve seconds of a minute
    matrix = matrix._replace(seconds=matrix.seconds * 60, lasted=matrix.lasted * 60, ends=ends)
    assert "22:58:00-22:58:12" in read_out(drawn(matrix, at(matrix, 39), (120, 40), interval=60.0, usual=1.0))


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40), (200, 60), (300, 80)])
def test_the_read_out_has_the_p99_of_the_column_at_every_width(make_matrix, size) -> None:
    matrix = make_matrix()
    picture = drawn(matrix, at(matrix), size)
    below = picture.cells.text()[picture.geometry.axis + 2 :]
    assert any("p99 " in line for line in below if "whole column" in line)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30), (120, 40), (200, 60), (300, 80)])
def test_the_p99_of_the_column_stays_beside_a_selection(make_matrix, size) -> None:
    matrix = make_matrix()
    selected = SelectedFigures(Selected(int(matrix.ends[10]), int(matrix.ends[20])), SUMMARY, 900.0, 1.2)
    scene = Scene(
        matrix, Status(label="biolatency", noun="I/Os"), SUMMARY, SUMMARY, at(matrix), SUMMARY, selected=selected
    )
    picture = draw_picture(scene, ViewOptions(), size, ScaleMemory())
    below = picture.cells.text()[picture.geometry.axis + 2 :]
    assert any("p99 15.8 ms" in line for line in below if "whole column" in line)
    assert any(line.strip().startswith("selected") for line in below)


@pytest.mark.parametrize(("size", "lines"), [((60, 20), 2), ((80, 24), 2), ((120, 40), 2), ((200, 60), 1)])
def test_the_read_out_is_there_at_every_size(make_matrix, size, lines) -> None:
    picture = drawn(make_matrix(), at(make_matrix()), size)
    text = picture.cells.text()
    first = text[picture.geometry.axis + 2]
    for part in ("22:14:11", "8.19-16.4 ms", "90", "1106 ms/s", "15 %", "95 %"):
        assert part in first
    assert ("whole column" in text[picture.geometry.axis + 3]) is (lines == 2)
    assert ("whole column" in first) is (size[0] == 200)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30), (120, 40), (200, 60)])
def test_the_maps_stay_where_they_are_when_a_cursor_comes(make_matrix, size) -> None:
    without, with_one = (drawn(make_matrix(), pointer, size).geometry for pointer in (None, at(make_matrix())))
    assert with_one.regions == without.regions


def test_why_a_column_holds_nothing(make_matrix) -> None:
    counts = make_matrix().counts
    counts[:, 60] = 0
    matrix = make_matrix(counts=counts, gap=range(20, 26))
    unknown = matrix._replace(seconds=np.where(np.arange(71) == 5, 0, matrix.seconds))
    assert "gap: no data" in read_out(drawn(matrix, at(matrix, 22)))
    assert "zero" in read_out(drawn(matrix, at(matrix, 60)))
    assert "no data" in read_out(drawn(unknown, at(matrix, 5)))


def test_merged_rows_are_read_out_with_their_real_range(make_matrix) -> None:
    matrix = make_matrix()
    picture = drawn(matrix, at(matrix, latency=100e-6), (80, 24), ViewOptions(depth=ColourDepth.MONO))
    geometry = picture.geometry
    row = geometry.row_of(100e-6)
    assert row == 0
    upper = geometry.bounds[1]
    inside = (matrix.bounds[:-1] >= geometry.bounds[0]) & (matrix.bounds[1:] <= upper * 1.001)
    assert inside.sum() > 1
    assert f"32-{upper * 1e6:.0f} us" in read_out(picture)
    assert f"{matrix.counts[inside, COLUMN].sum():.0f} I/Os/s" in read_out(picture)


def test_the_crosshair_keeps_the_colours_of_full_cells(make_matrix) -> None:
    matrix = make_matrix()
    plain, crossed = drawn(matrix, None), drawn(matrix, at(matrix))
    geometry = crossed.geometry
    assert geometry.cursor is not None
    column, row = geometry.cursor
    assert (column, geometry.row_of(LATENCY)) == (COLUMN, row)
    screen = geometry.first + COLUMN
    line = geometry.line_of(row)
    assert line is not None
    for region in geometry.regions:
        rows = slice(region.top, region.top + region.lines)
        backgrounds = [
            (picture.cells.styles[rows, geometry.first : geometry.right] >> 6) & 63 for picture in (plain, crossed)
        ]
        assert (backgrounds[0] == backgrounds[1]).all()
        chars = crossed.cells.chars
        assert {chr(c) for c in chars[rows, screen].tolist()} == {"│", "┼"}
        assert {chr(c) for c in chars[region.top + line, geometry.first : geometry.right].tolist()} == {"─", "┼"}
        assert chr(chars[region.top + line, screen]) == "┼"
        assert chr(chars[region.top + line, geometry.right]) == "◂"
        assert crossed.cells.text()[region.top + line][:7] == "16.4 ms"
        assert crossed.cells.styles[region.top + line, 0] == REVERSE_BIT
    heading = crossed.cells.text()[geometry.regions[0].top - 1]
    assert heading[97:105] == "22:14:11"
    assert " 22:14:11 " in crossed.cells.text()[geometry.axis + 1]


def test_the_line_stands_out_from_what_it_lies_on(make_matrix) -> None:
    counts = np.zeros((3, 40))
    counts[1] = np.linspace(1, 400, 40)
    picture = drawn(make_matrix(counts=counts), at(make_matrix(counts=counts), 20, 50e-6))
    geometry = picture.geometry
    line = geometry.regions[0].top + (geometry.line_of(1) or 0)
    fronts = [style_parts(int(s)) for s in picture.cells.styles[line, geometry.first : geometry.right]]
    for style in fronts:
        level = style.background - Ink.FREQUENCY_RAMP
        assert style.foreground == (Ink.CLIP if level <= 6 else Ink.CLIP_TEXT), level


def test_the_panel_shows_the_column_of_the_cursor(make_matrix) -> None:
    matrix = make_matrix()
    picture = drawn(matrix, at(matrix, 10))
    line = next(line for line in picture.cells.text() if line.startswith(" 128 us"))
    assert line[98:119].split()[:2] == [f"{matrix.counts[2, 10]:.0f}", f"{90 / matrix.counts[:, 10].sum():.0%}"[:-1]]


def test_half_cells_keep_both_rows_but_in_the_cell_of_the_cursor(make_matrix) -> None:
    matrix = make_matrix()
    plain, crossed = (drawn(matrix, pointer, (80, 24)) for pointer in (None, at(matrix)))
    # Both must have the same layout to be compared: the read-out takes the place of a line below.
    assert [r.lines for r in plain.geometry.regions] == [r.lines for r in crossed.geometry.regions]
    geometry = crossed.geometry
    for before, after in zip(plain.geometry.regions, geometry.regions, strict=True):
        old = plain.cells.styles[before.top : before.top + before.lines, geometry.first : geometry.right]
        new = crossed.cells.styles[after.top : after.top + after.lines, geometry.first : geometry.right]
        changed = np.argwhere((old != new) & (old != 0))
        line = geometry.line_of(geometry.cursor[1])  # type: ignore[index]
        assert changed.tolist() == [[line, geometry.cursor[0]]]  # type: ignore[index]


@pytest.mark.parametrize(("depth", "signs"), [(ColourDepth.MONO, "│─┼"), (ColourDepth.ASCII, "|-+")])
def test_signs_without_colours_hide_no_level(make_matrix, depth, signs) -> None:
    matrix = make_matrix()
    options = ViewOptions(depth=depth)
    plain, crossed = drawn(matrix, None, options=options), drawn(matrix, at(matrix), options=options)
    geometry = crossed.geometry
    region, line = geometry.regions[0], geometry.line_of(geometry.cursor[1])  # type: ignore[index]
    area = np.s_[region.top : region.top + region.lines, geometry.first : geometry.right]
    old, new = plain.cells.chars[area], crossed.cells.chars[area]
    changed = np.argwhere((old != new) & (old != ord(" ")))
    assert changed.tolist() == [[line, COLUMN]]
    assert chr(new[line, COLUMN]) == signs[2]
    assert set(signs[:1]) == {chr(c) for c in new[(old == ord(" ")) & (old != new)].tolist()}


@pytest.mark.parametrize(
    "pointer", [Pointer(0, LATENCY), Pointer(1 << 60, LATENCY), Pointer(1_700_000_051_000_000, 9.0)]
)
def test_a_pointer_outside_draws_no_crosshair_and_says_so(make_matrix, pointer) -> None:
    picture = drawn(make_matrix(), pointer)
    assert picture.geometry.cursor is None
    assert "outside of what is shown" in read_out(picture)
    assert not re.search("[┼▾◂]", "".join(picture.cells.text()[: picture.geometry.axis]))


def test_no_cursor_no_read_out(make_matrix) -> None:
    assert "read-out" not in "".join(drawn(make_matrix(), None).cells.text())


@given(
    st.integers(1, 90),
    st.lists(st.tuples(st.integers(-200, 200), st.integers(-30, 30)), max_size=8),
    st.sampled_from([(60, 20), (80, 24), (120, 40)]),
)
def test_moving_is_clamped_and_every_place_is_drawn(columns: int, moves: list[tuple[int, int]], size) -> None:
    counts = np.zeros((6, columns))
    counts[1:5] = np.arange(1, 5)[:, None]
    bounds = 2.0 ** np.arange(4, 11) * 1e-6
    ends = (1_700_000_000 + np.arange(columns)) * 1_000_000
    ones, none = np.ones(columns), np.zeros(columns, np.bool_)
    matrix = Matrix(bounds, counts, counts * bounds[1:, None], ends, ones, ones, none, none, none, none)
    geometry = drawn(matrix, None, size).geometry
    pointer = geometry.moved(None, 0, 0)
    assert pointer is not None
    assert pointer.micros == ends[-1]
    assert geometry.row_of(pointer.latency) == geometry.heaviest
    for right, up in moves:
        column, row = geometry.column_of(pointer.micros), geometry.row_of(pointer.latency)
        pointer = geometry.moved(pointer, right, up)
        assert None not in (pointer, column, row)
        assert geometry.column_of(pointer.micros) == min(max(column + right, 0), geometry.ends.size - 1)
        assert geometry.row_of(pointer.latency) == min(max(row + up, 0), geometry.bounds.size - 2)
        assert geometry.line_of(geometry.row_of(pointer.latency) or 0) is not None


def test_a_cell_and_its_pointer_are_one_to_one(make_matrix) -> None:
    geometry = drawn(make_matrix(), None).geometry
    region = geometry.regions[1]
    pointer = geometry.pointer_at(geometry.first + 7, region.top + 2)
    assert pointer is not None
    assert geometry.column_of(pointer.micros) == 7
    assert geometry.line_of(geometry.row_of(pointer.latency) or 0) == 2
    assert geometry.pointer_at(geometry.right, region.top) is None
    assert drawn(make_matrix(0), None).geometry.moved(None, 1, 1) is None


def test_maxima_are_those_of_the_legends(make_matrix) -> None:
    assert dict(drawn(make_matrix(), None).geometry.maxima) == {"frequency": 500.0, "intensity": 1.0}
    pinned = ViewOptions(frequency_max=123.0)
    assert drawn(make_matrix(), None, options=pinned).geometry.maxima["frequency"] == 123.0
