"""Percentiles over time, and what large screens have room for."""

import numpy as np
import pytest

from pylatencymap.analysis import ColumnPercentiles, percentiles_of
from pylatencymap.view.drawing import draw_picture
from pylatencymap.view.layout.colour_scale import ScaleMemory
from pylatencymap.view.layout.layout import ROOMY, LayoutDemand, arrange_layout
from pylatencymap.view.layout.scene import MomentFigure, Pointer, Scene, SeriesFigure, TableFigures
from pylatencymap.view.layout.status import Status
from pylatencymap.view.style.colour_depth import ColourDepth
from pylatencymap.view.style.glyphs import glyphs_of
from pylatencymap.view.style.options import AUTO_CURVES, NO_CURVES, ON_MAP, STRIP, ViewOptions
from pylatencymap.view.style.styles import Ink, style_parts
from pylatencymap.view.wording.percentiles import Octaves, percentile_strip, strip_demand
from pylatencymap.window.statistics import Quantity
from tests.view.conftest import SUMMARY, read

SIZES = [(60, 20), (80, 24), (120, 40), (200, 60), (300, 80)]
CURVE = (*[0.2] * 9, 1.0, 0.2, float("nan"), *[0.2] * 6)
TABLES = TableFigures(
    (
        MomentFigure("", "03-03 03:12-03:32", "a band appears at 131-524 ms: 14 % of reads", "1.7 h of waiting"),
        MomentFigure("G", "03-04 08:00-09:00", "gap: no data for 1 h (no data is not zero)", ""),
        MomentFigure("R", "03-03 15:30", "reset: the counters began anew", ""),
    ),
    (
        SeriesFigure("sda", 530.0, 70.0, Quantity(0.0176), CURVE),
        SeriesFigure("sdb", 203.0, 30.0, Quantity(0.0183), tuple(0.5 * one for one in CURVE)),
        SeriesFigure("not known yet"),
    ),
    "sda",
    100.0,
)


def curves_of(matrix) -> np.ndarray:
    """p50 and p99 of each column, by the estimator for one."""
    found = [percentiles_of(column, matrix.bounds, (0.5, 0.99)) for column in matrix.counts.T]
    return np.array([[one.value for one in each] if each else [np.nan] * 2 for each in found]).T


@pytest.fixture
def scene(make_matrix):
    def make(columns: int = 71, tables: TableFigures | None = TABLES, **status) -> Scene:
        matrix = make_matrix(columns, gap=range(30, 34), reset=[50])
        keys = (("space", "pause"), ("q", "quit"))
        said = Status(**{"label": "biolatency", "series": "loop0", "noun": "I/Os", "keys": keys, **status})
        return Scene(matrix, said, SUMMARY, SUMMARY, reading=read(matrix), percentiles=curves_of(matrix), tables=tables)

    return make


def drawn(scene, size, **options):
    return draw_picture(scene, ViewOptions(**options), size, ScaleMemory())


def test_a_column_has_the_percentiles_that_it_has_alone(make_matrix) -> None:
    """Whatever is known already: of a part, one column further, with another newest column, of other edges."""
    matrix, known = make_matrix(60), ColumnPercentiles()
    counts = matrix.counts.T.copy()

    def of(some, bounds=matrix.bounds):
        sums = np.full(len(some), np.nan)
        return known.of(some, sums, (0.5, 0.99), bounds.tobytes(), lambda rows: (bounds, rows.T))

    for part in (counts[:40], counts[1:41], counts[1:41], counts[5:45], counts[20:], counts[:0]):
        expected = curves_of(matrix._replace(counts=part.T)) if len(part) else np.zeros((2, 0))
        assert np.array_equal(of(part), expected, equal_nan=True)
    changed = counts[20:].copy()
    changed[-1] = 0
    changed[3] *= 2
    assert np.array_equal(of(changed), curves_of(matrix._replace(counts=changed.T)), equal_nan=True)
    other = matrix._replace(counts=changed.T, bounds=matrix.bounds * 2)
    assert np.array_equal(of(changed, other.bounds), curves_of(other), equal_nan=True)


def test_the_percentiles_of_a_column_follow_its_sum_where_the_source_sums() -> None:
    """Two columns of the same counts: one waited twice as long in its slow row; of a third the sum is not known."""
    known, edges = ColumnPercentiles(), np.array([1e-3, 2e-3, 4e-3, 8e-3])
    counts, sums = np.array([[90.0, 0.0, 10.0]] * 3), np.array([90 * 1.4e-3 + 0.041, 90 * 1.4e-3 + 0.078, np.nan])

    def of(columns):
        return known.of(counts[columns], sums[columns], (0.5, 0.99), b"", lambda rows: (edges, rows.T))

    expected = [
        [one.value for one in percentiles_of(each, edges, (0.5, 0.99), exact=None if np.isnan(total) else total)]
        for each, total in zip(counts, sums, strict=True)
    ]
    assert np.array_equal(of(slice(None)), np.transpose(expected))
    assert expected[0][1] < expected[2][1] < expected[1][1]
    assert np.array_equal(of([1, 0]), np.transpose([expected[1], expected[0]]))  # of equal counts, only sums differ


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("depth", ColourDepth)
@pytest.mark.parametrize("percentiles", [AUTO_CURVES, NO_CURVES, ON_MAP, STRIP])
def test_every_size_is_filled_exactly(scene, size, depth, percentiles) -> None:
    for state in ("LIVE", "END"):
        cells = drawn(scene(state=state), size, depth=depth, percentiles=percentiles).cells
        assert cells.chars.shape == size[::-1]
        if depth is ColourDepth.ASCII:
            assert cells.chars.max() < 127


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40), (199, 60), (200, 59)])
def test_smaller_screens_stay_what_they_are(scene, make_matrix, picture, size) -> None:
    told = scene(tables=None)
    plain = picture(make_matrix(gap=range(30, 34), reset=[50]), size)
    assert drawn(told, size).cells.text() == plain.text()


def test_a_strip_has_each_percentile_in_its_doubling(scene) -> None:
    told = scene()
    cells = drawn(told, (120, 40), percentiles=STRIP).cells
    lines = cells.text()
    heading = next(place for place, line in enumerate(lines) if line.startswith(" PERCENTILES"))
    assert "▀ p50  ▀ p99" in lines[heading]
    bounds = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
    shown: list[tuple[float, float, int]] = []
    for place in range(heading + 1, len(lines)):
        if "└" in lines[place]:
            break
        number, _, unit = lines[place][:7].strip().partition(" ")
        middle = float(number) * bounds[unit]
        for column in range(71):
            look = style_parts(int(cells.styles[place, 25 + column]))
            upper = look.foreground if lines[place][25 + column] == "▀" else 0
            lower = look.foreground if lines[place][25 + column] == "▄" else look.background
            for ink, low, high in ((upper, middle, 2 * middle), (lower, middle / 2, middle)):
                if ink == Ink.CLIP:
                    shown.append((low, high, column))
    assert told.percentiles is not None
    found = {column: (low, high) for low, high, column in shown}
    for column in range(71):
        value = float(told.percentiles[1, column])
        if np.isnan(value):
            assert column not in found
        else:
            low, high = found[column]
            assert low * 0.97 <= value <= high * 1.03


def test_a_strip_of_any_height_has_the_doublings_of_the_rows(scene) -> None:
    """Of half a doubling in half a cell, where there is that much room, to five; never more than the rows have."""
    values = np.array([[1e-4, 1e-3], [1e-3, 0.9]])
    octaves = Octaves(16e-6, 17)
    for lines, each in ((17, 0.5), (9, 1), (8, 2), (5, 2), (3, 3), (2, 5)):
        strip = percentile_strip(values, octaves, lines, glyphs_of(ViewOptions()), 80, ())
        for column in range(2):
            (place,) = np.flatnonzero(strip.upper[:, column] == 2).tolist() or [-1]
            half = 2 * (lines - 1 - place) + 1
            if place < 0:
                (place,) = np.flatnonzero(strip.lower[:, column] == 2).tolist()
                half = 2 * (lines - 1 - place)
            low = octaves.base * 2.0 ** (each * half)
            assert low * 0.999 <= values[1, column] < low * 2.0**each, (lines, column)
        assert strip.labels.count("") == lines - -(-17 // int(2 * each))
    assert strip_demand(Octaves(1e-6, 13)) == 8
    assert strip_demand(Octaves(1e-6, 40)) == 11
    assert scene().percentiles is not None


def test_marks_are_on_the_row_of_their_latency(scene) -> None:
    told = scene()
    for size, marks in (((120, 40), "━"), ((80, 24), "▀▄")):
        cells = drawn(told, size, percentiles=ON_MAP).cells
        lines = cells.text()
        column = 9 + {120: 87, 80: 56}[size[0]] - 10
        rows = [line for line in lines if line[column] in marks and line[:7].strip()]
        assert rows, size
    tall = drawn(told, (300, 80), percentiles=ON_MAP)
    region = tall.geometry.regions[0]
    marked = tall.cells.text()[region.top : region.top + region.lines]
    row = int(tall.geometry.slots[next(line for line, text in enumerate(marked) if text[260] == "━"), 0])
    assert told.percentiles is not None
    assert tall.geometry.bounds[row] <= told.percentiles[1, -1] < tall.geometry.bounds[row + 1]


def test_what_room_is_used_for_and_in_which_order() -> None:
    demand = LayoutDemand(2, 13, 1, 1, events=2, keys=True, strip=8, tables=5, roomy=True, finished=True)

    def plan(lines: int):
        return arrange_layout((200, lines), demand, half=True).plan

    used = [(bool(plan(lines).strip), bool(plan(lines).tables), plan(lines).tall) for lines in range(56, 100)]
    assert used == sorted(used), "strip, then tables, then rows of two lines"
    assert not used[0][2]
    assert used[-1] == (True, True, True)
    assert plan(60).strip == 8
    assert not plan(60).half


def test_a_row_of_two_lines_has_its_label_and_numbers_once(scene) -> None:
    found = drawn(scene(), (300, 80))
    lines = found.cells.text()
    region = found.geometry.regions[0]
    labelled = [line for line in range(region.lines) if lines[region.top + line][:7].strip()]
    assert np.diff(labelled).tolist() == [2] * (len(labelled) - 1)
    for line in range(region.lines):
        numbers = lines[region.top + line][276:290].strip()
        assert bool(numbers) == (line in labelled)
    pointer = found.geometry.pointer_at(260, region.top + labelled[3] + 1)
    assert pointer == found.geometry.pointer_at(260, region.top + labelled[3]), "both lines are the same cell"
    assert pointer is not None
    read = draw_picture(scene()._replace(pointer=Pointer(*pointer)), ViewOptions(), (300, 80), ScaleMemory())
    assert any("read-out" in line for line in read.cells.text())


def test_tables_name_all_that_smaller_screens_have_lines_for(scene) -> None:
    text = "\n".join(drawn(scene(), (300, 80)).cells.text())
    for word in ("MODES", "typical", "MOMENTS", "cost: 1.7 h of waiting", "gap: no data for 1 h", "SERIES", "▸sda"):
        assert word in text, word
    assert "70 %" in text
    assert "17.6 ms" in text
    assert "not known yet" in text
    many = TABLES._replace(
        series=tuple(TABLES.series[0]._replace(name=f"disk{number}") for number in range(40)), chosen="disk39"
    )
    lines = drawn(scene(tables=many), ROOMY).cells.text()
    assert any("▸disk39" in line for line in lines), "the chosen one is always there"
    assert any(" more" in line and "disk" not in line for line in lines)
    single = TABLES._replace(series=(), moments=())
    text = "\n".join(drawn(scene(tables=single), ROOMY).cells.text())
    assert "nothing stands out so far" in text
    text = "\n".join(drawn(scene(tables=single._replace(complete=True)), ROOMY).cells.text())
    assert "nothing stands out" in text
    assert "so far" not in text
    assert "SERIES" not in text


@pytest.mark.parametrize("depth", [ColourDepth.MONO, ColourDepth.ASCII])
@pytest.mark.parametrize(("size", "options"), [
    ((120, 40), {"percentiles": STRIP}),
    ((80, 24), {"percentiles": ON_MAP}),
    ((200, 60), {}),
    ((300, 80), {}),
])  # fmt: skip
def test_room_as_it_looks(scene, golden, depth, size, options) -> None:
    cells = drawn(scene(), size, depth=depth, **options).cells
    golden(f"room-{depth.value}-{size[0]}x{size[1]}", cells)
