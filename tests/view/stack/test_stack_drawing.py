"""The stack: one clock, one latency axis and one colour scale for two or three series, and what is said of them."""

import numpy as np
import pytest

from pylatencymap.view.last_picture import LastPicture
from pylatencymap.view.layout.colour_scale import ScaleMemory
from pylatencymap.view.layout.scene import Pointer
from pylatencymap.view.layout.status import Status
from pylatencymap.view.stack.drawing import compose_stack, draw_stack
from pylatencymap.view.stack.scene import StackedSeries, StackScene, ToldTogether
from pylatencymap.view.style.colour_depth import ColourDepth
from pylatencymap.view.style.options import BOTH_MAPS, FREQUENCY, INTENSITY, ON_MAP, ViewOptions
from pylatencymap.view.style.styles import Ink, style_parts
from pylatencymap.window.statistics import Quantity, Summary

STATUS = Status("bpf", noun="I/Os", keys=(("v", "one series"), ("?", "help"), ("q", "quit")), stacked=2)
SIZES = [(60, 30), (80, 30), (99, 31), (120, 40), (200, 60), (300, 80)]
TOLD = (
    ToldTogether("sda alone", "03:12-03:32", ("433 -> 5426 ms/s waited; sdb went on as before: 190 -> 205 ms/s",)),
    ToldTogether("together", "", ("all but 03:12-03:32: the rates rise and fall as one, r 1.00", "r 1.00")),
)


def summary(factor: float) -> Summary:
    return Summary(
        71.0,
        26000.0 * factor,
        80.5 * factor,
        True,
        Quantity(0.00179),
        Quantity(0.0001),
        Quantity(0.01),
        Quantity(0.016),
    )


@pytest.fixture
def scene(make_matrix):
    """Two series, the second with a tenth of the events, or as many as there are factors."""

    def make(factors=(1.0, 0.1), late: int = 0, pointer: Pointer | None = None, told=TOLD, state: str = "LIVE", **more):
        base = make_matrix(71, **more)
        series = []
        for number, factor in enumerate(factors):
            matrix = base._replace(counts=base.counts * factor, waited=base.waited * factor)
            if number and late:
                matrix = matrix._replace(
                    **{name: getattr(matrix, name)[..., late:] for name in (
                        "counts", "waited", "ends", "seconds", "lasted", "gap", "reset", "estimated", "doubtful"
                    )}
                )  # fmt: skip
            own = STATUS._replace(series=f"sd{'abc'[number]}", state=state)
            column = summary(factor) if pointer is not None else None
            series.append(StackedSeries(own.series, matrix, own, summary(factor), column, chosen=number == 0))
        return StackScene(tuple(series), STATUS._replace(stacked=len(series), state=state), pointer, None, told)

    return make


def drawn(scene, size=(120, 40), options=None):
    return draw_stack(scene, options or ViewOptions(), size, ScaleMemory(), LastPicture())


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("depth", ColourDepth)
def test_every_size_and_depth_is_filled_exactly(scene, size, depth) -> None:
    for factors in ((1.0, 0.1), (1.0, 0.1, 0.0)):
        for state in ("LIVE", "END"):
            pictured = drawn(scene(factors, state=state), size, ViewOptions(depth=depth))
            assert pictured.cells.chars.shape == size[::-1]
            if depth is ColourDepth.ASCII:
                assert pictured.cells.chars.max() < 127


def test_what_the_cells_hold_is_the_data_on_one_scale(scene) -> None:
    """Both maps, cell by cell, against the formula with the maximum of both together."""
    told = scene()
    found = drawn(told)
    top = 1.0  # the hottest row has 90 x 12.3 ms/s
    assert found.geometry.maxima == {INTENSITY: top}
    for series, region in zip(told.series, found.geometry.regions, strict=True):
        values = series.matrix.intensity()
        for line in range(region.lines):
            row = int(found.geometry.slots[line, 0])
            if row < 0:
                continue
            inks = [style_parts(int(one)).background for one in found.cells.styles[region.top + line, 96 - 71 : 96]]
            bound = int(np.argmin(abs(series.matrix.bounds - found.geometry.bounds[row])))
            level = np.ceil(np.sqrt(values[bound] / top) * 12 - 1e-9).clip(1, 12).astype(int) + Ink.INTENSITY_RAMP
            level[values[bound] <= 0] = 0
            level[values[bound] > 1.25 * top] = Ink.CLIP
            assert inks == level.tolist(), (series.name, row)


def test_which_maps_there_is_room_for(scene) -> None:
    def kinds(size, **options):
        return [region.kind for region in drawn(scene(), size, ViewOptions(**options)).geometry.regions]

    assert kinds((120, 40)) == [INTENSITY, INTENSITY]
    assert kinds((120, 40), map=FREQUENCY) == [FREQUENCY, FREQUENCY]
    assert kinds((120, 80), map=BOTH_MAPS) == [FREQUENCY, INTENSITY] * 2


def test_the_cursor_goes_through_all_and_reads_each(scene) -> None:
    base = scene().series[0].matrix
    found = drawn(scene(pointer=Pointer(int(base.ends[40]), 0.012)))
    lines = found.cells.text()
    column = 96 - 71 + 40
    for region in found.geometry.regions:
        assert all(lines[region.top + line][column] in "│┼" for line in range(region.lines))
    read = [line for line in lines if "8.19-16.4 ms" in line]
    assert ["read-out" in line for line in read] == [True, False]
    assert "sda" in read[0] and "90/s 1106 ms/s" in read[0]  # noqa: PT018
    assert "sdb" in read[1] and " 9/s " in read[1]  # noqa: PT018


def test_a_series_that_began_later_has_nothing_before(scene) -> None:
    lines = drawn(scene(late=30)).cells.text()
    below = [line for line in lines if line.startswith("16.4 ms")][1]
    assert below[25 : 25 + 30] == " " * 29 + "│", below
    assert "\N{BOX DRAWINGS LIGHT DIAGONAL UPPER RIGHT TO LOWER LEFT}" not in below


def test_one_legend_and_one_unit(scene) -> None:
    lines = drawn(scene()).cells.text()
    text = "\n".join(lines)
    assert text.count("same scale") == 1
    totals = [line for line in lines if line.startswith("  total")]
    assert [line[96:].split()[-1] for line in totals] == ["ms/s", "ms/s"]


def test_marks_of_percentiles_are_where_they_are_in_each_series(scene) -> None:
    told = scene()
    curves = np.full((2, 71), np.nan)
    curves[0, 5:], curves[1, 5:] = 0.0001, 0.0125
    series = (told.series[0]._replace(percentiles=curves), told.series[1]._replace(percentiles=curves * 0.5))
    found = drawn(told._replace(series=series), options=ViewOptions(percentiles=ON_MAP))
    lines = found.cells.text()
    for region, label in zip(found.geometry.regions, ("16.4 ms", "8.19 ms"), strict=True):
        line = next(line for line in range(region.top, region.top + region.lines) if lines[line][:7].strip() == label)
        assert lines[line][25:96] == " " * 5 + "━" * 66
    assert "╍ p50  ━ p99" in "\n".join(lines)


def test_finer_rows_that_do_not_fit_are_known(scene) -> None:
    composed = compose_stack(scene(), ViewOptions(rows=3), (120, 40), ScaleMemory(), LastPicture())
    assert composed.geometry.bounds.size == 4
    assert composed.geometry.merged == 0.0, "that was asked for"


@pytest.mark.parametrize("depth", [ColourDepth.MONO, ColourDepth.ASCII])
@pytest.mark.parametrize(
    ("size", "factors"), [((80, 30), (1.0, 0.1)), ((120, 40), (1.0, 0.1)), ((200, 60), (1.0, 0.5, 0.1))]
)
def test_the_stack_as_it_looks(scene, golden, depth, size, factors) -> None:
    matrix = scene().series[0].matrix
    found = drawn(scene(factors, late=10, pointer=Pointer(int(matrix.ends[40]), 0.012)), size, ViewOptions(depth=depth))
    golden(f"stack-{depth.value}-{size[0]}x{size[1]}", found.cells)
