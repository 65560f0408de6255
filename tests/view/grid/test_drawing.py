"""The grid: one scale, one latency axis and one clock for all panels, at every size."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pylatencymap.view.grid.common_axes import put_on_common_axes
from pylatencymap.view.grid.drawing import draw_grid
from pylatencymap.view.grid.panel import GridPanel
from pylatencymap.view.grid.panel_layout import grid_columns, grid_layout, grid_shape
from pylatencymap.view.layout.colour_scale import HOLD_COLUMNS, ScaleMemory
from pylatencymap.view.layout.status import Status
from pylatencymap.view.style.colour_depth import ColourDepth
from pylatencymap.view.style.glyphs import glyphs_of
from pylatencymap.view.style.options import FREQUENCY, INTENSITY, ViewOptions
from pylatencymap.view.style.styles import Ink, style_parts

SIZES = [(60, 20), (79, 23), (80, 24), (99, 31), (120, 40), (200, 60), (400, 100)]
KEYS = (("1-9", "open one"), ("arrows", "choose"), ("?", "help"), ("g", "back to one"), ("q", "quit"))
STATUS = Status("biolatency", noun="I/Os", keys=KEYS)
FACTORS = (1.0, 0.5, 0.2, 0.05, 0.01, 0.001)


@pytest.fixture
def panels(make_matrix):
    """Six series, each with fewer events than the one before."""

    def make(columns: int = 30, factors=FACTORS, **details) -> list[GridPanel]:
        base = make_matrix(columns, **details)
        return [
            GridPanel(
                f"series {number}",
                base._replace(counts=base.counts * factor, waited=base.waited * factor),
                360 * factor,
                1.15 * factor,
                factor / sum(factors),
            )
            for number, factor in enumerate(factors)
        ]

    return make


def drawn(panels, size=(120, 40), options=None, memory=None, status=STATUS, **more):
    given = {"chosen": 0, "first": 0, "total": 13, "hidden_share": 0.002, **more}
    return draw_grid(panels, status, options or ViewOptions(), size, memory or ScaleMemory(), **given)


def test_what_the_cells_hold_is_the_data(panels) -> None:
    """Both halves of every cell of every panel against the formula, on the one scale of all panels."""
    shown = panels()
    grid = drawn(shown)
    # The hottest row has 10 + 29 x 8 events a second, the hottest wait is 90 x 12.3 ms; see the colour scale's rule.
    maxima = {FREQUENCY: 200.0, INTENSITY: 1.0}
    # Nine rows are in use: five lines of two halves each, below the two lines of the head, then an axis.
    tops = {FREQUENCY: 2, INTENSITY: 8}
    for place, panel in enumerate(shown):
        left, top = grid.layout.corner(place)
        for kind, values in ((FREQUENCY, panel.matrix.frequency()), (INTENSITY, panel.matrix.intensity())):
            base = Ink.FREQUENCY_RAMP if kind == FREQUENCY else Ink.INTENSITY_RAMP
            level = np.ceil(np.sqrt(values / maxima[kind]) * 12 - 1e-9).clip(1, 12) + base
            level[values <= 0] = 0
            level[values > maxima[kind] * 1.25] = Ink.CLIP
            first = top + tops[kind]
            shown_inks = halves(grid.cells, slice(first, first + 5), slice(left + 9, left + 39))
            assert (shown_inks == np.vstack((level[1:10], np.zeros(30)))).all(), (place, kind)


def halves(cells, lines, columns) -> np.ndarray:
    """Inks of the half cells of a block, lowest first."""
    rows = []
    for chars, styles in zip(cells.chars[lines, columns][::-1], cells.styles[lines, columns][::-1], strict=True):
        looks = [(chr(char), style_parts(int(style))) for char, style in zip(chars, styles, strict=True)]
        rows.append([look.foreground if char == "▄" else look.background for char, look in looks])
        rows.append([look.foreground if char == "▀" else look.background for char, look in looks])
    return np.array(rows)


def test_the_scale_is_that_of_all_panels_together(panels) -> None:
    """A tenth of all columns is hot: more than 5 %, so the scale holds them; alone the quiet ones have their own."""
    shown = panels(factors=(1.0, 0.01, 0.01, 0.01, 0.01, 0.01))
    text = "\n".join(drawn(shown).cells.text())
    assert " 200 " in text
    quiet = "\n".join(drawn(shown[1:]).cells.text())
    assert " 2 " in quiet.splitlines()[2]
    pinned = "\n".join(drawn(shown, options=ViewOptions(frequency_max=5000.0)).cells.text())
    assert " 5k " in pinned


def test_the_scale_shrinks_late(panels) -> None:
    memory = ScaleMemory()
    loud, quiet = panels(30), panels(30, factors=tuple(factor / 100 for factor in FACTORS))

    def at(column: int, series) -> str:
        later = [
            panel._replace(matrix=panel.matrix._replace(ends=panel.matrix.ends + column * 1_000_000))
            for panel in series
        ]
        return drawn(later, memory=memory).cells.text()[2].split()[2]

    assert at(0, loud) == "200"
    assert [at(column, quiet) for column in (1, HOLD_COLUMNS - 1)] == ["200", "200"]
    assert at(HOLD_COLUMNS, quiet) == "2"


def test_shares_and_figures(panels) -> None:
    lines = drawn(panels(), total=13, hidden_share=0.002).cells.text()
    assert "6 of 13 series, most waited first, of all that is kept   ? help" in lines[0]
    paused = drawn(panels(), status=STATUS._replace(state="PAUSED", flags=("37 new",))).cells.text()
    assert "37 new   6 of 13 series" in paused[0]
    assert lines[4][:40].strip() == "1 series 0"
    assert "360 /s  1.15 s/s  57 % of all wait" in lines[5]
    assert "0.36 /s  1.15 ms/s  <1 % of all wait" in lines[22]
    assert lines[-2].startswith(" not shown: 7 series, 0.2 % of the wait in this time")
    assert lines[-2].rstrip().endswith("2 rows per line   22:13:20 - 22:13:50")
    assert "2 rows per line" not in drawn(panels()[:1], total=1).cells.text()[-2]
    for share, text in ((0.0, " 0 %"), (0.0004, "<0.1 %"), (0.093, "9.3 %"), (0.5, " 50 %")):
        assert f"{text} of the wait" in drawn(panels(), hidden_share=share).cells.text()[-2]
    assert drawn(panels(), total=6).cells.text()[-2].startswith(" all 6 series are shown")
    said = drawn(panels(), status=STATUS._replace(message="no data for 5 s")).cells.text()
    assert said[-2].startswith(" no data for 5 s")


def test_the_chosen_panel_and_what_is_under_a_cell(panels) -> None:
    grid = drawn(panels(), first=6, chosen=8)
    left, top = grid.layout.corner(2)
    line = grid.cells.text()[top]
    assert line[left : left + 14].strip() == "9 series 2"
    reverse = [style_parts(int(style)).reverse for style in grid.cells.styles[top]]
    assert all(reverse[left + 1 : left + 13])
    assert sum(reverse) == 12
    assert "10 series" not in "".join(grid.cells.text())
    assert grid.panel_at(left + 3, top + 2) == 8
    assert grid.panel_at(0, top) == 6
    assert grid.panel_at(5, 0) is None
    assert grid.panel_at(5, 39) is None
    assert drawn(panels()[:4]).panel_at(119, 38) is None
    assert drawn(panels()[:1], size=(120, 40), total=13).panel_at(60, 10) is None
    assert (grid.per_page, grid.columns) == (6, 3)


def test_shapes() -> None:
    assert grid_shape((120, 40), 13) == (3, 2)
    assert grid_shape((80, 24), 13) == (2, 2)
    assert grid_shape((60, 20), 13) == (2, 2)
    assert grid_shape((200, 60), 13) == (5, 3)
    assert [grid_shape((120, 40), count) for count in (0, 1, 2, 3, 4, 5)] == [
        (1, 1), (1, 1), (1, 2), (2, 2), (2, 2), (3, 2)
    ]  # fmt: skip
    assert grid_columns((120, 40), 13) == 30
    for size in SIZES:
        layout = grid_layout(size, 500)
        assert layout.width >= 26
        assert layout.height >= 8
        assert layout.top + layout.rows * layout.height <= size[1] - 2


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("depth", ColourDepth)
def test_every_size_and_depth(panels, size, depth) -> None:
    count = grid_columns(size, 13)
    for chosen in (
        {},
        {"map": "intensity"},
        {"scale": "linear", "rows": 4},
        {"min_latency": 1e-4, "max_latency": 4e-3},
    ):
        options = ViewOptions(depth=depth, **chosen)
        for shown in (panels(count), panels(3), panels(0), panels(count, gap=range(1, 3), reset=[0]), []):
            cells = drawn(shown, size, options).cells
            assert cells.chars.shape == size[::-1]
            if depth is ColourDepth.ASCII:
                assert cells.chars.max() < 128


@given(
    st.integers(1, 500),
    st.integers(1, 200),
    st.integers(0, 60),
    st.sampled_from([ColourDepth.TRUECOLOR, ColourDepth.MONO]),
)
def test_no_size_crashes(columns, lines, total, depth) -> None:
    size = (columns, lines)
    grid = draw_grid(
        [], STATUS, ViewOptions(depth=depth), size, ScaleMemory(), chosen=0, first=0, total=total, hidden_share=0.0
    )
    assert grid.cells.chars.shape == (lines, columns)
    assert grid.per_page >= 1
    assert grid_columns(size, total) >= 1


@pytest.mark.parametrize("size", [(1, 1), (3, 9), (26, 8), (59, 19), (500, 5), (20, 200), (500, 200)])
def test_panels_at_odd_sizes(panels, size) -> None:
    for depth in (ColourDepth.TRUECOLOR, ColourDepth.ASCII):
        assert drawn(panels(), size, ViewOptions(depth=depth)).cells.chars.shape == size[::-1]


def test_no_half_cells_and_little_room_leave_one_map(panels) -> None:
    text = "\n".join(drawn(panels(), (80, 24), ViewOptions(depth=ColourDepth.ASCII)).cells.text())
    assert "INTENSITY" in text
    assert "FREQUENCY" not in text
    both = "\n".join(drawn(panels(), (80, 24)).cells.text())
    assert "FREQUENCY" in both


def test_rows_of_different_series_compare(make_matrix) -> None:
    """Other rows, another unit and an open row: every event is kept, where its latency belongs."""
    low = make_matrix(10)
    high = make_matrix(10, counts=np.full((3, 10), 7.0), lowest=14)
    near = make_matrix(10)._replace(bounds=low.bounds * 1.024)
    opened = make_matrix(10, overflow=True)
    data = put_on_common_axes([low, high, near], 10, 1.0, 40)
    bounds = data.combined.bounds
    assert bounds.size == 12 + 1 + 1
    for matrix, source in zip(data.matrices, (low, high, near), strict=True):
        assert matrix.counts.sum() == source.counts.sum()
        assert matrix.waited.sum() == pytest.approx(source.waited.sum())
    assert (data.matrices[0].counts[:12] == data.matrices[2].counts[:12]).all()
    assert [row for row in range(13) if data.matrices[1].counts[row].any()] == [10, 11, 12]
    assert data.combined.columns == 30
    mixed = put_on_common_axes([low, opened], 10, 1.0, 40).combined
    assert mixed.overflow
    assert mixed.bounds[-2:].tolist() == [opened.bounds[-2], np.inf]
    assert mixed.counts.sum() == low.counts.sum() + opened.counts.sum()


def test_finer_rows_become_octaves_where_they_do_not_fit(make_matrix) -> None:
    fine = make_matrix(5, counts=np.ones((23, 5)))
    fine = fine._replace(bounds=16e-6 * 2.0 ** (np.arange(24) / 2))
    assert put_on_common_axes([fine], 5, 1.0, 30).combined.rows == 23
    coarse = put_on_common_axes([fine], 5, 1.0, 12).combined
    assert coarse.rows == 12
    assert coarse.counts[:-1].tolist() == [[2.0] * 5] * 11


def test_columns_stand_at_their_times(make_matrix) -> None:
    """A series that began later, and one that ended earlier."""
    full, young = make_matrix(20), make_matrix(20)
    young = young._replace(
        **{
            name: getattr(young, name)[..., -4:]
            for name in ("counts", "waited", "ends", "seconds", "lasted", "gap", "reset", "estimated")
        }
    )
    old = full._replace(ends=full.ends - 3_000_000)
    data = put_on_common_axes([young, old, full], 10, 1.0, 40)
    assert all((matrix.ends == full.ends[-10:]).all() for matrix in data.matrices)
    assert (data.matrices[0].seconds > 0).tolist() == [False] * 6 + [True] * 4
    assert (data.matrices[1].seconds > 0).tolist() == [True] * 7 + [False] * 3
    assert (data.matrices[1].counts[:12, :7] == full.counts[:, -7:]).all()
    longer = put_on_common_axes([young], 10, 1.0, 40).matrices[0]
    assert (np.diff(longer.ends) == 1_000_000).all()


def test_the_slo_is_a_line_in_every_panel(panels) -> None:
    text = drawn(panels(), options=ViewOptions(depth=ColourDepth.MONO, slo=0.003)).cells.text()
    dashed = [number for number, line in enumerate(text) if "╌" in line]
    assert len(dashed) == 4
    assert all(text[number].lstrip().startswith("4.10 ms") for number in dashed)
    nowhere = drawn(panels(), options=ViewOptions(depth=ColourDepth.MONO, slo=9.0)).cells.text()
    assert not any("╌" in line for line in nowhere)


@pytest.mark.parametrize("depth", [ColourDepth.MONO, ColourDepth.ASCII])
def test_the_grid_as_it_looks(panels, golden, depth) -> None:
    shown = panels(gap=range(10, 13), reset=[20])
    cells = drawn(shown, options=ViewOptions(depth=depth), chosen=1).cells
    golden(f"grid-{depth.value}-120x40", cells)


@pytest.mark.parametrize(
    ("length", "share"),
    [
        (14, "57 % of all wait"),
        (17, "57 % of wait"),
        (20, "57 % of wait"),
        (23, "57 % wait"),
        (28, "57 %"),
        (60, "57 %"),
    ],
)
def test_a_long_name_shortens_what_a_share_is_of_and_never_the_share(panels, length: int, share: str) -> None:
    """At 80x24 a panel has 40 columns."""
    shown = [panel._replace(name="n" * length) for panel in panels()[:4]]
    heading = drawn(shown, size=(80, 24)).cells.text()[2][:40].strip()
    assert heading.startswith("1 nnn")
    assert heading.endswith(f" {share}")
    assert length > 30 or f"1 {'n' * length} " in heading, "as long as it fits the name is whole"


def test_the_time_before_a_series_began_is_empty_up_to_a_border(panels) -> None:
    """One panel of three has 30 columns, one begins 10 columns later, and one has a column without data in between."""
    first, second, third = panels(30, factors=(1.0, 0.5, 0.2))
    later = second.matrix._replace(
        **{
            field: getattr(second.matrix, field)[..., 10:]
            for field in (
                *("counts", "waited", "ends", "seconds", "lasted", "gap"),
                *("reset", "estimated", "doubtful"),
            )
        }
    )
    silent = third.matrix._replace(seconds=np.where(np.arange(30) == 12, 0.0, third.matrix.seconds))
    grid = drawn([first, second._replace(matrix=later), third._replace(matrix=silent)], total=3)
    text = grid.cells.text()
    for place, hatched in ((1, 0), (2, grid.layout.map_width // 30)):
        left, top = grid.layout.corner(place)
        line = text[top + 2][left : left + grid.layout.width]
        assert line.count(glyphs_of(ViewOptions()).hatch) == hatched, line
    left, top = grid.layout.corner(1)
    width = grid.layout.map_width // 30
    start = left + 9 + grid.layout.map_width - 30 * width
    assert text[top + 2][start : start + 10 * width] == " " * (10 * width - 1) + "│"
