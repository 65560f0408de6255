"""The SLO line, pinned scales, a fixed range of latencies, and sizes of every kind."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from pylatencymap.buckets import bounds_of, bucket_of
from pylatencymap.view.drawing import draw_picture
from pylatencymap.view.layout.colour_scale import ScaleMemory
from pylatencymap.view.layout.latency_rows import select_rows, wanted_cover
from pylatencymap.view.layout.scene import ChangeWords, Pointer, Scene
from pylatencymap.view.layout.status import Status
from pylatencymap.view.style.colour_depth import ColourDepth
from pylatencymap.view.style.options import PALETTES, SCALES, ViewOptions
from pylatencymap.view.style.styles import Ink, style
from pylatencymap.window.matrix import Matrix
from pylatencymap.window.statistics import SlowShare, Summary
from tests.view.conftest import read

WINDOW = Summary(71.0, 26000.0, 80.5, True, slow=SlowShare(2e-3, 0.09, 0.63))
LATEST = Summary(1.0, 800.0, 1.1, True, slow=SlowShare(2e-3, 0.0404, 0.5, unsure=True))
ENDS = (1_700_000_000 + np.arange(71)) * 1_000_000


def pictured(matrix, slo=None, size=(120, 40), window=WINDOW, latest=LATEST, pointer=None, memory=None, **options):
    status = Status("biolatency", noun="I/Os", keys=(("space", "pause"), ("q", "quit")))
    about = read(matrix, ChangeWords("22:14", "a change"))
    scene = Scene(matrix, status, window, latest, pointer, latest if pointer else None, reading=about)
    return draw_picture(scene, ViewOptions(slo=slo, **options), size, memory or ScaleMemory())


def test_the_slo_is_a_line_through_the_empty_cells_of_its_row(make_matrix) -> None:
    matrix = make_matrix(reset=[40])
    picture, without = pictured(matrix, 2e-3), pictured(matrix)
    geometry = picture.geometry
    row = geometry.row_of(2e-3)
    line = geometry.line_of(row)
    for region in geometry.regions:
        text = picture.cells.text()[region.top + line]
        assert text[:9] == "2.05 ms ▸"
        cells = text[geometry.first : geometry.right]
        assert cells[40] == "┊"
        assert set(cells[:40] + cells[41:]) == {"╌"}, "the row is empty but for the reset"
        assert picture.cells.styles[region.top + line, geometry.first] == style(Ink.MARK)
    for slo in (10e-3, 100e-6):
        picture = pictured(matrix, slo)
        line = picture.geometry.line_of(picture.geometry.row_of(slo))
        for now, then in zip(picture.geometry.regions, without.geometry.regions, strict=True):
            rows = [
                p.cells.styles[r.top + line, p.geometry.first : p.geometry.right]
                for p, r in ((picture, now), (without, then))
            ]
            filled = rows[1] != 0
            assert (rows[0][filled] == rows[1][filled]).all(), "it hides no count"


def test_what_the_slo_line_says(make_matrix) -> None:
    text = "\n".join(pictured(make_matrix(), 2e-3).cells.text())
    assert "▸ SLO 2 ms   9.0 % of I/Os are slower, with 63 % of the wait" in text
    assert "latest: at least 4.0 %, 50 %" in text
    small = "\n".join(pictured(make_matrix(), 2e-3, (80, 24)).cells.text())
    assert "▸ SLO 2 ms   9.0 % slower, 63 % wait   latest: at least 4.0 %, 50 %" in small
    narrow = "\n".join(pictured(make_matrix(), 2e-3, (60, 20)).cells.text())
    assert "▸ SLO 2 ms   9.0 % slower, 63 % wait" in narrow
    within = WINDOW._replace(slow=WINDOW.slow._replace(exact=False))
    about = "\n".join(pictured(make_matrix(), 2e-3, window=within).cells.text())
    assert "▸ SLO 2 ms   about 9.0 % of I/Os are slower, with 63 % of the wait" in about
    assert "> SLO 2 ms" in "\n".join(pictured(make_matrix(), 2e-3, depth=ColourDepth.ASCII).cells.text())
    nothing = Summary(0.0, 0.0, 0.0, True)
    assert "SLO 2 ms   no I/Os yet" in "\n".join(pictured(make_matrix(0), 2e-3, window=nothing).cells.text())


@pytest.mark.parametrize(("slo", "words"), [(50e-3, "above"), (1e-6, "below")])
def test_an_slo_outside_of_the_rows_is_said(make_matrix, slo, words) -> None:
    picture = pictured(make_matrix(), slo)
    assert f"({words} the rows shown)" in "\n".join(picture.cells.text())
    assert "╌" not in "".join(picture.cells.text())


@pytest.mark.parametrize("scale", SCALES)
def test_legends_tell_scale_and_pin(make_matrix, scale) -> None:
    text = "\n".join(pictured(make_matrix(), scale=scale, frequency_max=100.0).cells.text())
    if scale == "share":
        assert text.count(" 100 %  share") == 2
        assert "pinned" not in text
        assert "off the" not in text
    else:
        assert f" 100 pinned  + to 570  {scale}" in text
        assert f" 1 s  {scale}" in text
        assert "off the pinned frequency scale of 100/s" in text
        assert "c changes the scale" in "\n".join(pictured(hot(make_matrix), scale=scale).cells.text())


def hot(make_matrix) -> Matrix:
    counts = make_matrix().counts
    counts[3, 50] = 9000
    return make_matrix(counts=counts)


def fixed(resolution: int, columns: int = 5) -> Matrix:
    """One event a second in each row from 16 us to 8.19 ms."""
    buckets = range(bucket_of(16, resolution), bucket_of(8192, resolution) + 1)
    bounds = np.array([bounds_of(bucket, resolution)[0] for bucket in buckets]) * 1e-6
    counts = np.ones((bounds.size - 1, columns))
    ends, ones, none = ENDS[:columns], np.ones(columns), np.zeros(columns, np.bool_)
    return Matrix(bounds, counts, counts * bounds[1:, None], ends, ones, ones, none, none, none, none)


@pytest.mark.parametrize("resolution", [1, 2, 4, 8, 16])
def test_a_fixed_range_is_shown_exactly(resolution: int) -> None:
    matrix = fixed(resolution)
    options = ViewOptions(min_latency=128e-6, max_latency=1.024e-3)
    rows, hidden = select_rows(matrix, ScaleMemory(), options)
    assert rows.size == 3 * resolution + 1
    assert rows.bounds[0] == pytest.approx(128e-6)
    assert rows.bounds[-2] == pytest.approx(1.024e-3)
    assert rows.bounds[-1] == np.inf
    below, above = (matrix.bounds[1:] <= 128.001e-6).sum(), (matrix.bounds[:-1] >= 1.0239e-3).sum()
    assert hidden is not None
    assert hidden.counts.tolist() == [below] * 5
    assert rows.frequency[-1].tolist() == [above] * 5


def test_rows_of_a_fixed_range_stay_without_events() -> None:
    matrix = fixed(1)
    matrix = matrix._replace(counts=matrix.counts * (np.arange(9) == 4)[:, None], waited=matrix.waited * 0)
    options = ViewOptions(min_latency=64e-6, max_latency=2.048e-3)
    rows, _ = select_rows(matrix, ScaleMemory(), options)
    assert rows.bounds.tolist() == pytest.approx([64e-6 * 2**k for k in range(6)])
    assert wanted_cover(options, ScaleMemory()) == (64e-6, 2.048e-3)
    assert wanted_cover(ViewOptions(min_latency=64e-6), ScaleMemory()) is None


@pytest.mark.parametrize("map", ["frequency", "intensity"])
def test_shares_and_totals_beside_a_fixed_range_are_of_the_whole_column(make_matrix, map) -> None:  # noqa: A002
    """The newest column has 800 events, 1.2 s of wait; 90 of them, 1.106 s, are in the row of 16.4 ms, few above."""
    matrix = make_matrix()
    values = (matrix.counts if map == "frequency" else matrix.waited * 1e3)[:, -1]
    texts = []
    for limits in ({}, {"min_latency": 1.024e-3, "max_latency": 16.384e-3}):
        lines = pictured(matrix, map=map, **limits).cells.text()
        row = next(line for line in lines if line.startswith("16.4 ms"))
        total = next(line for line in lines if line.startswith("  total"))
        texts.append((row[96:].split()[:3], total[9 + 87 - 71 :].split()))
    assert texts[0] == texts[1]
    assert texts[1][0][1] == f"{100 * values[9] / values.sum():.0f}"
    assert "only 1.02-16.4 ms" in lines[0]


@pytest.mark.parametrize(("low", "high", "words"), [(1e-3, None, "only from 512 us"), (None, 1e-3, "only to 1.02 ms")])
def test_half_a_range_is_said_too(make_matrix, low, high, words) -> None:
    assert words in pictured(make_matrix(), min_latency=low, max_latency=high).cells.text()[0]
    assert "only" not in pictured(make_matrix()).cells.text()[0]


@pytest.mark.parametrize("width", range(60, 130))
def test_both_legends_look_alike(make_matrix, width) -> None:
    lines = pictured(hot(make_matrix), size=(width, 40)).cells.text()
    frequency, intensity = (next(line for line in lines if kind in line) for kind in (" FREQUENCY", " INTENSITY"))
    assert ("sqrt" in frequency) == ("sqrt" in intensity)


def test_another_time_scale_forgets_the_maximum(make_matrix) -> None:
    memory = ScaleMemory()
    for interval, factor, maximum in ((1.0, 1, 500.0), (1.0, 0.1, 500.0), (10.0, 0.1, 50.0)):
        matrix = make_matrix(counts=make_matrix().counts * factor)
        scene = Scene(matrix, Status("x", interval=interval), WINDOW, LATEST)
        assert draw_picture(scene, ViewOptions(), (120, 40), memory).geometry.maxima["frequency"] == maximum


@settings(max_examples=150, deadline=None)
@given(
    size=st.tuples(st.integers(1, 500), st.integers(1, 200)) | st.tuples(st.integers(1, 90), st.integers(1, 30)),
    columns=st.sampled_from([0, 1, 7, 71, 600]),
    resolution=st.sampled_from([1, 8]),
    depth=st.sampled_from(ColourDepth),
    scale=st.sampled_from(SCALES),
    palette=st.sampled_from(PALETTES),
    place=st.none() | st.tuples(st.integers(-5, 620), st.floats(1e-6, 1.0)),
    slo=st.none() | st.floats(1e-7, 10.0),
    limits=st.sampled_from([(None, None), (1e-4, None), (None, 1e-3), (1e-4, 1e-3), (5.0, 6.0), (1e-9, 2e-9)]),
    state=st.sampled_from(["LIVE", "END"]),
)
def test_no_size_fails(size, columns, resolution, depth, scale, palette, place, slo, limits, state) -> None:
    base = fixed(resolution, max(columns, 1))
    if not columns:
        base = base._replace(**{name: getattr(base, name)[..., :0] for name in base._fields[1:9]})
    gap = np.arange(columns) % 9 == 3
    matrix = base._replace(
        ends=(1_700_000_000 + np.arange(columns)) * 1_000_000,
        gap=gap,
        counts=base.counts * ~gap * np.arange(columns),
        seconds=np.where(gap, 0.0, 1.0),
    )
    pointer = place and Pointer((1_700_000_000 + place[0]) * 1_000_000, place[1])
    status = Status("x", series="y", keys=(("q", "quit"),), resolution=resolution, state=state, flags=("37 new",))
    scene = Scene(matrix, status, WINDOW, LATEST, pointer, LATEST)
    options = ViewOptions(
        scale=scale, palette=palette, depth=depth, slo=slo, min_latency=limits[0], max_latency=limits[1]
    )
    picture = draw_picture(scene, options, size, ScaleMemory())
    assert picture.cells.chars.shape == picture.cells.styles.shape == size[::-1]
    if depth is ColourDepth.ASCII:
        assert picture.cells.chars.max() < 127
