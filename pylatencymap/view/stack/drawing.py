"""Draws a stacked scene: the series on common rows and columns, with the maps that there is room for."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...text import fit
from ...text.clean import printable
from ...window import IntArray, Matrix
from ..drawing import DrawnPicture
from ..frame.composition import Composition, column_in_numbers, drawn_rows, is_apart
from ..frame.curves import curves_legend
from ..frame.frame import ColumnSigns, Frame, MapPanel, clipped_columns, make_labels, make_map_panel, make_slots
from ..frame.scale_ends import scale_maximum
from ..grid.common_axes import CommonMatrices, put_on_common_axes
from ..last_picture import LastPicture
from ..layout.colour_scale import ScaleMemory
from ..layout.geometry import Geometry, OverviewPlace, Region, column_of, row_of
from ..layout.latency_rows import (
    LatencyRows,
    cut_context,
    drawn_range,
    merged_share,
    rows_per_doubling,
    select_rows,
    squeeze_rows,
)
from ..layout.layout import MAP_COLUMN, MIN_ROWS, Layout, LayoutDemand, arrange_layout, has_room, map_width
from ..layout.status import Status
from ..paint.painter import paint_frame
from ..style.colour_depth import ColourDepth
from ..style.glyphs import Glyphs, glyphs_of
from ..style.options import ON_MAP, ViewOptions
from ..style.styled_text import StyledText, width_of
from ..wording.captions import AFTER_TITLE, fixed_range_text, key_hints_text, title_right_text, title_room, title_text
from ..wording.crosshair import find_crosshair
from ..wording.overview import overview_line
from ..wording.percentiles import CurveMarks, curve_marks
from ..wording.remarks import Remarks, find_remarks, remark_lines, shown_marks
from ..wording.selection import find_selected
from ..wording.time_axis import MICROS_PER_SECOND, axis_ticks, column_span
from .scene import StackedSeries, StackScene
from .wording import stack_heading, stack_lines

MOST_ROWS = 512
"""Rows of the common axis, before those that there is no room for are merged."""
MOST_REMARKS = 6
"""The list of remarks has at most one of this many lines of the screen."""


class _Parts(NamedTuple):
    """What the picture is made of, before the layout is known."""

    scene: StackScene
    data: CommonMatrices
    rows: LatencyRows
    hidden: bool
    status: Status
    remarks: tuple[Remarks, ...]
    events: tuple[StyledText, ...]


def draw_stack(
    scene: StackScene, options: ViewOptions, size: tuple[int, int], memory: ScaleMemory, last: LastPicture
) -> DrawnPicture:
    """Draw two or three series at a size (columns, lines). ``memory`` and ``last`` are changed: pass the same ones for
    the next picture, and none that another kind of picture uses.
    """
    composed = compose_stack(scene, options, size, memory, last)
    cells = paint_frame(composed.frame, composed.layout, composed.look, options, last)
    return DrawnPicture(cells, composed.geometry)


def compose_stack(
    scene: StackScene, options: ViewOptions, size: tuple[int, int], memory: ScaleMemory, last: LastPicture
) -> Composition:
    """Choose what is shown of a scene with at least two series at a size (columns, lines), and where."""
    look, parts = glyphs_of(options), _parts_of(scene, options, size, memory)
    kinds, layout = _arranged(parts, options, size, look, last)
    rows = drawn_rows(parts.rows, layout)
    if parts.status.finished:
        layout = layout.fitted_to(int(parts.data.matrices[0].columns))
    maxima = {kind: scale_maximum(kind, rows, options, memory) for kind in kinds}
    geometry = _geometry(parts, rows, kinds, maxima, layout)
    return Composition(_frame(parts, rows, kinds, geometry, options, layout, look), layout, look, geometry)


def _parts_of(scene: StackScene, options: ViewOptions, size: tuple[int, int], memory: ScaleMemory) -> _Parts:
    status, matrices = scene.status, [one.matrix for one in scene.series]
    data = put_on_common_axes(matrices, _columns(matrices, status.interval, size), status.interval, MOST_ROWS)
    subject = ("stack", *(one.name for one in scene.series), status.resolution, round(np.log2(status.interval or 1.0)))
    memory.begin(subject, data.matrices[0])
    rows, hidden = select_rows(data.combined, memory, options)
    if options.rows is not None:
        rows = squeeze_rows(cut_context(rows, 0, 0), options.rows)
    marks = shown_marks(status.marks, data.matrices[0], status.interval, size[1])
    names = tuple(one.name for one in scene.series)
    status = status._replace(
        series=series_words(names, size[0]),
        resolution=min(status.resolution, rows_per_doubling(data.combined.bounds)),
        marks=marks,
    )
    pairs = [
        (one.status._replace(marks=marks), matrix) for one, matrix in zip(scene.series, data.matrices, strict=True)
    ]
    remarks = tuple(find_remarks(matrix, own) for own, matrix in pairs)
    most = max(1, size[1] // MOST_REMARKS)
    lines = [
        line
        for found, (own, matrix) in zip(remarks, pairs, strict=True)
        for line in remark_lines(found, own, matrix, most)
    ]
    return _Parts(scene, data, rows, hidden is not None, status, remarks, tuple(dict.fromkeys(lines))[-most:])


def _columns(matrices: list[Matrix], interval: float, size: tuple[int, int]) -> int:
    """How many columns the time of all series takes, at most as many as fit."""
    known = [matrix.ends for matrix in matrices if matrix.columns]
    if not known:
        return 1
    step = column_span(max(known, key=len), interval) * MICROS_PER_SECOND
    first, last = min(int(ends[0]) for ends in known), max(int(ends[-1]) for ends in known)
    # The last column may end early, so that it is less than a step behind the one before.
    return min(max(round((last - first) / step) + 1, *(len(ends) for ends in known)), map_width(size[0]))


def _arranged(
    parts: _Parts, options: ViewOptions, size: tuple[int, int], look: Glyphs, last: LastPicture
) -> tuple[tuple[str, ...], Layout]:
    """The kinds of the maps of each series, and the layout. Of both maps only the second is drawn, unless there is room
    for all rows of both.
    """
    tries = [options.maps, options.maps[-1:]] if len(options.maps) > 1 else [options.maps]
    for kinds in tries:
        layout = arrange_layout(size, _demand(parts, len(kinds), size), half=look.half)
        plan = layout.plan
        if plan.maps == len(kinds) * len(parts.scene.series) and not plan.half and plan.rows >= parts.rows.core:
            break
    demand = _demand(parts, len(kinds), size)
    layout = last.again(
        "stack layout",
        (size, kinds, look.half, len(parts.scene.series)),
        lambda: arrange_layout(size, demand, half=look.half),
        stays=parts.scene.stays,
    )
    return kinds, layout


def _demand(parts: _Parts, kinds: int, size: tuple[int, int]) -> LayoutDemand:
    """The rows and lines that everything would take. Each series has a line of figures, which is never dropped."""
    rows, scene = parts.rows, parts.scene
    return LayoutDemand(
        maps=kinds * len(scene.series),
        rows=rows.core or MIN_ROWS,
        below=rows.below,
        above=rows.above,
        paired=parts.status.resolution > 1,
        apart=rows.overflow,
        notices=len(scene.series) - 1,
        change=bool(scene.told),
        events=len(parts.events),
        keys=bool(parts.status.keys),
        overview=scene.overview is not None,
        finished=parts.status.finished,
        roomy=has_room(size),
    )


def _geometry(
    parts: _Parts, rows: LatencyRows, kinds: tuple[str, ...], maxima: dict[str, float], layout: Layout
) -> Geometry:
    plan, pointer, ends = layout.plan, parts.scene.pointer, parts.data.matrices[0].ends
    column = None if pointer is None else column_of(ends, pointer.micros)
    row = None if pointer is None else row_of(rows.bounds, pointer.latency)
    overview = parts.scene.overview
    return Geometry(
        regions=tuple(
            Region(kinds[place % len(kinds)], layout.heading_line(place) + 1, layout.height)
            for place in range(plan.maps)
        ),
        left=MAP_COLUMN,
        right=layout.right,
        cell_width=layout.cell_width,
        axis=layout.axis_line,
        ends=ends,
        bounds=rows.bounds,
        slots=make_slots(
            rows,
            layout.height,
            half=plan.half,
            paired=parts.status.resolution > 1,
            apart=is_apart(rows, layout),
            tall=plan.tall,
        ),
        maxima=maxima,
        merged=merged_share(parts.rows, rows),
        heaviest=int(rows.intensity.sum(axis=1).argmax()) if rows.size else 0,
        cursor=None if column is None or row is None else (column, row),
        overview=None
        if overview is None or not plan.overview
        else OverviewPlace(layout.axis_line - 1, overview.begin, overview.end),
    )


def _frame(
    parts: _Parts,
    rows: LatencyRows,
    kinds: tuple[str, ...],
    geometry: Geometry,
    options: ViewOptions,
    layout: Layout,
    look: Glyphs,
) -> Frame:
    scene, status, plan = parts.scene, parts.status, layout.plan
    matrix = parts.data.matrices[0]
    cursor = find_crosshair(geometry, matrix, status, open_top=rows.open_top)
    panels = _panels(parts, rows, kinds, geometry, options, look, column_in_numbers(cursor, status))
    limit = None if options.slo is None else geometry.row_of(options.slo)
    figures = scene.series[0].figures
    fixed = fixed_range_text(*drawn_range(parts.rows, options))
    title = title_text(status, _newest(parts.data), layout, look, title_room(status, layout, fixed))
    overview = scene.overview if plan.overview else None
    span = column_span(matrix.ends, status.interval)
    return Frame(
        slots=geometry.slots,
        labels=make_labels(rows, geometry.slots, status.resolution),
        panels=panels,
        gap=np.zeros(matrix.columns, np.bool_),
        no_data=np.zeros(matrix.columns, np.bool_),
        dashed=np.zeros(matrix.columns, np.bool_),
        ticks=axis_ticks(matrix.ends, span, layout.cell_width, status.tz, real=matrix.clock),
        letters=_letters(panels, parts.remarks, half=plan.half),
        title=title,
        title_right=title_right_text(status, layout, layout.columns - width_of(title) - AFTER_TITLE, fixed),
        headings=_headings(scene, kinds, options, layout, look),
        below=stack_lines(_with_matrices(parts), rows, geometry, cursor, parts.events, layout, look),
        keys=key_hints_text(status, layout, layout.columns - 2) if plan.keys else (),
        cursor=cursor,
        selected=find_selected(figures, geometry, matrix, status, fades=options.depth is ColourDepth.TRUECOLOR),
        limit=None if limit is None else geometry.line_of(limit),
        finished=status.finished,
        overview=None if overview is None else overview_line(overview, _newest(parts.data), status, layout.map_width),
    )


def _headings(
    scene: StackScene, kinds: tuple[str, ...], options: ViewOptions, layout: Layout, look: Glyphs
) -> tuple[StyledText, ...]:
    """A heading for each map. The first one says what marks of percentiles are."""
    first, *others = (stack_heading(one, kind, layout, look) for one in scene.series for kind in kinds)
    if scene.series[0].percentiles is None:
        return first, *others
    return (*first, *curves_legend(options._replace(percentiles=ON_MAP), layout, look)), *others


def _with_matrices(parts: _Parts) -> StackScene:
    """The scene with the matrices as they are drawn."""
    placed = zip(parts.scene.series, parts.data.matrices, strict=True)
    return parts.scene._replace(
        series=tuple(one._replace(matrix=matrix) for one, matrix in placed), status=parts.status
    )


def _newest(data: CommonMatrices) -> Matrix:
    """The matrix of the series whose newest column has data: what is said of the newest data is about it."""
    return max(data.matrices, key=lambda matrix: _last_known(matrix))


def _last_known(matrix: Matrix) -> int:
    known: IntArray = np.flatnonzero(matrix.seconds > 0)
    return int(known[-1]) if known.size else -1


def _panels(
    parts: _Parts,
    rows: LatencyRows,
    kinds: tuple[str, ...],
    geometry: Geometry,
    options: ViewOptions,
    look: Glyphs,
    column: int | None,
) -> tuple[MapPanel, ...]:
    """The maps of each series, on the common rows and scales."""
    panels = []
    for number, (matrix, remarks) in enumerate(zip(parts.data.matrices, parts.remarks, strict=True)):
        part = parts.data.part(number)
        own = rows._replace(frequency=rows.frequency[:, part], intensity=rows.intensity[:, part])
        signs = _signs(matrix, remarks)
        marks = _marks(parts.scene.series[number], matrix, parts.status.interval, geometry)
        for kind in kinds:
            panel = make_map_panel(kind, own, matrix, options, geometry.maxima[kind], look.levels, column)
            panels.append(panel._replace(signs=signs, marks=marks))
    peaks = {kind: max(float(one.totals.max(initial=0.0)) for one in panels if one.kind == kind) for kind in kinds}
    return tuple(one._replace(peak=peaks[one.kind]) for one in panels)


def _marks(one: StackedSeries, placed: Matrix, interval: float, geometry: Geometry) -> CurveMarks | None:
    """Where p50 and p99 of the columns are, which have other places on the common axis."""
    if one.percentiles is None or not one.matrix.columns:
        return None
    step = column_span(placed.ends, interval) * MICROS_PER_SECOND
    near = np.clip(np.searchsorted(one.matrix.ends, placed.ends - step / 2), 0, one.matrix.columns - 1)
    there = np.abs(one.matrix.ends[near] - placed.ends) < step / 2
    values = np.where(there & (placed.seconds > 0), one.percentiles[:, near], np.nan)
    return curve_marks(values, geometry.bounds, geometry.slots)


def _signs(matrix: Matrix, remarks: Remarks) -> ColumnSigns:
    no_data = (matrix.seconds <= 0) & ~matrix.gap
    known = np.flatnonzero(~no_data)
    return ColumnSigns(matrix.gap, no_data, remarks.dashed, int(known[0]) if known.size else 0)


def _letters(panels: tuple[MapPanel, ...], remarks: tuple[Remarks, ...], *, half: bool) -> dict[int, str]:
    """The letters on the axis, of all series."""
    together = Remarks(
        tuple(sorted((item for one in remarks for item in one.items), key=lambda item: item.micros)),
        remarks[0].dashed,
    )
    return clipped_columns(panels, together) if half else together.letters()


def series_words(names: tuple[str, ...], width: int) -> str:
    """The names of the series as a title has them: ``sda above sdb``, of at most about ``width`` columns."""
    room = max(6, width // len(names) - 7)
    return " above ".join(fit(printable(name), room) for name in names)
