"""Makes a frame from a scene: chooses what fits a size of the terminal, and writes all that it says."""

from typing import NamedTuple

from ...text import fit
from ...text.clean import printable
from ..last_picture import LastPicture
from ..layout.colour_scale import ScaleMemory
from ..layout.geometry import Geometry, OverviewPlace, Region, column_of, row_of
from ..layout.latency_rows import (
    LatencyRows,
    cut_context,
    drawn_range,
    merged_share,
    squeeze_rows,
)
from ..layout.layout import MAP_COLUMN, Layout, arrange_layout
from ..layout.scene import Scene
from ..layout.status import Status
from ..style.colour_depth import ColourDepth
from ..style.glyphs import Glyphs, glyphs_of
from ..style.options import ViewOptions
from ..style.styled_text import StyledText, width_of
from ..style.styles import TEXT
from ..two_selections import (
    columns_beside,
    find_braces,
    lines_of_table,
)
from ..wording.captions import (
    AFTER_HINT,
    AFTER_TITLE,
    fixed_range_text,
    heading_text,
    key_hints_text,
    title_right_text,
    title_room,
    title_text,
)
from ..wording.crosshair import Crosshair, find_crosshair
from ..wording.footer import footer_lines, slo_text, unsaid_text, with_clipped
from ..wording.overview import OverviewLine, overview_line, sums_text
from ..wording.readout import ONE_LINE_WIDTH, find_readout, readout_lines
from ..wording.remarks import Remarks
from ..wording.selection import find_selected, selection_lines
from ..wording.time_axis import AxisTick, axis_ticks, column_span
from .content import Content, content_of, demand_of
from .curves import curves_legend, strip_of, with_marks
from .frame import Frame, MapPanel, clipped_columns, has_merged, make_labels, make_map_panel, make_slots
from .scale_ends import clip_note, scale_maximum

LEAST_AROUND = 5
"""Lines below the maps from which on a selection says what is before and after it."""


class Composition(NamedTuple):
    """Everything that the picture says, and where: the input of the painter."""

    frame: Frame
    layout: Layout
    look: Glyphs
    geometry: Geometry


class _Captions(NamedTuple):
    """The lines of text of a frame; see there."""

    title: StyledText
    title_right: StyledText
    headings: tuple[StyledText, ...]
    below: tuple[StyledText, ...]
    keys: StyledText


def compose_frame(
    scene: Scene, options: ViewOptions, size: tuple[int, int], memory: ScaleMemory, last: LastPicture | None = None
) -> Composition:
    """Choose what is shown at a size (columns, lines), and where."""
    last = last or LastPicture()
    look, content = glyphs_of(options), content_of(scene, options, size, memory, last)
    matrix, status = content.matrix, content.status
    layout = _arranged(content, options, size, look, last)
    rows = drawn_rows(content.rows, layout)
    maxima = {kind: scale_maximum(kind, rows, options, memory) for kind in options.maps}
    if clipped := last.held(
        "clip note", scene.moment, (), lambda: clip_note(rows, maxima, options, hint=bool(status.keys))
    ):
        content = content._replace(below=with_clipped(content.below, clipped, size))
        layout = _arranged(content, options, size, look, last)
        rows = drawn_rows(content.rows, layout)
    if status.finished:
        layout = layout.fitted_to(matrix.columns)
    geometry = _geometry(content, rows, layout, maxima, options, last)
    return Composition(_frame(content, rows, geometry, options, layout, look, last), layout, look, geometry)


def _arranged(content: Content, options: ViewOptions, size: tuple[int, int], look: Glyphs, last: LastPicture) -> Layout:
    """Where everything is; while the scene stays, where it was in the last picture."""
    demand = demand_of(content, options, size)
    return last.again(
        "layout",
        (size, options.maps, look.half, options.percentiles),
        lambda: arrange_layout(size, demand, half=look.half),
        stays=content.scene.stays,
    )


def _frame(
    content: Content,
    rows: LatencyRows,
    geometry: Geometry,
    options: ViewOptions,
    layout: Layout,
    look: Glyphs,
    last: LastPicture,
) -> Frame:
    matrix, status, plan = content.matrix, content.status, layout.plan
    cursor = find_crosshair(geometry, matrix, status, open_top=rows.open_top)
    levels, shown = look.levels, column_in_numbers(cursor, status)
    maps, fades = options.maps[-plan.maps :], options.depth is ColourDepth.TRUECOLOR
    panels = tuple(make_map_panel(kind, rows, matrix, options, geometry.maxima[kind], levels, shown) for kind in maps)
    panels = with_marks(panels, content.scene.percentiles, rows.bounds, geometry.slots, options)
    limit = None if options.slo is None else geometry.row_of(options.slo)
    labels = _labels(rows, geometry, content, layout, last)
    captions = last.held(
        "captions",
        content.scene.moment,
        (layout, rows.bounds.tobytes()),
        lambda: _captions(content, rows, geometry, cursor, options, layout, look, merged=has_merged(labels)),
    )
    return Frame(
        slots=geometry.slots,
        labels=labels,
        panels=panels,
        gap=matrix.gap,
        no_data=(matrix.seconds <= 0) & ~matrix.gap,
        dashed=content.remarks.dashed,
        ticks=_ticks(content, layout),
        letters=_letters(panels, content.remarks, half=plan.half),
        **captions._asdict(),
        cursor=cursor,
        limit=None if limit is None else geometry.line_of(limit),
        moment=content.scene.moment,
        finished=status.finished,
        braces=find_braces(status.sides, matrix, status),
        beside=() if cursor is not None or layout.narrow else columns_beside(status.sides, maps, rows.bounds),
        overview=last.held(
            "overview line", content.scene.moment, (layout,), lambda: _overview_line(content, layout, panels)
        ),
        selected=find_selected(content.scene.selected, geometry, matrix, status, fades=fades),
        strip=strip_of(content.scene, content.rows, layout, look, last),
    )


def _letters(panels: tuple[MapPanel, ...], remarks: Remarks, *, half: bool) -> dict[int, str]:
    """The letters on the axis; where a cell has no room for one, also under columns that are off a scale."""
    return clipped_columns(panels, remarks) if half else remarks.letters()


def _overview_line(content: Content, layout: Layout, panels: tuple[MapPanel, ...]) -> OverviewLine | None:
    overview = content.scene.overview
    if overview is None or not layout.plan.overview:
        return None
    # The sums of what is in numbers stand here where there is no line of totals.
    sums = {panel.kind: panel.total for panel in panels if panel.latest is not None}
    beside = "" if layout.plan.totals else sums_text(sums, layout.columns - layout.right - 2)
    return overview_line(overview, content.matrix, content.status, layout.map_width, beside)


def column_in_numbers(cursor: Crosshair | None, status: Status) -> int | None:
    """The column whose figures stand right of the maps: the cursor's, else the newest; None: the average of all."""
    if cursor is not None:
        return cursor.column
    return None if status.finished else -1


def _ticks(content: Content, layout: Layout) -> tuple[AxisTick, ...]:
    matrix, status = content.matrix, content.status
    span = column_span(matrix.ends, status.interval)
    return axis_ticks(matrix.ends, span, layout.cell_width, status.tz, real=matrix.clock)


def _labels(
    rows: LatencyRows, geometry: Geometry, content: Content, layout: Layout, last: LastPicture
) -> tuple[str, ...]:
    matrix, resolution = content.matrix, content.status.resolution
    if not matrix.columns:
        return ("",) * layout.height
    keys = rows.bounds.tobytes(), geometry.slots.tobytes(), matrix.bounds.tobytes()
    return last.kept(
        "labels",
        (*keys, rows.open_top, resolution),
        lambda: make_labels(rows, geometry.slots, resolution, matrix.bounds),
    )


def _captions(
    content: Content,
    rows: LatencyRows,
    geometry: Geometry,
    cursor: Crosshair | None,
    options: ViewOptions,
    layout: Layout,
    look: Glyphs,
    *,
    merged: bool,
) -> _Captions:
    """All texts around the maps."""
    matrix, status, plan = content.matrix, content.status, layout.plan
    fixed = fixed_range_text(*drawn_range(content.rows, options))
    title = title_text(status, matrix, layout, look, title_room(status, layout, fixed))
    below = _below(content, rows, geometry, cursor, options, layout, look)
    return _Captions(
        title,
        title_right=title_right_text(
            status, layout, layout.columns - width_of(title) - AFTER_TITLE, fixed, merged=merged
        ),
        headings=tuple(
            (*heading_text(kind, status, matrix, layout), *(() if place else curves_legend(options, layout, look)))
            for place, kind in enumerate(options.maps[-plan.maps :])
        ),
        below=below,
        keys=_last_line(content, below, layout) if plan.keys else (),
    )


def _last_line(content: Content, below: tuple[StyledText, ...], layout: Layout) -> StyledText:
    """The key hints, and right of them the letters of remarks that have no line ``below``."""
    page, width = content.status.sides, layout.columns - 2
    unsaid = () if page is not None and page.has_table else unsaid_text(content.below, below, layout)
    room = width - width_of(unsaid) - AFTER_HINT if unsaid else width
    hints = key_hints_text(content.status, layout, room)
    blanks = width - width_of(hints) - width_of(unsaid)
    return (*hints, (" " * blanks, TEXT), *unsaid) if unsaid and blanks > 0 else hints


def _below(
    content: Content,
    rows: LatencyRows,
    geometry: Geometry,
    cursor: Crosshair | None,
    options: ViewOptions,
    layout: Layout,
    look: Glyphs,
) -> tuple[StyledText, ...]:
    """The lines below the maps."""
    page, read_out = content.status.sides, _read_out(content, rows, geometry, cursor, layout, look)
    if page is not None and page.has_table:
        said = content.below.message or next(iter(read_out), ())
        return lines_of_table(page, content.below.notices, said, options, layout, look)
    return footer_lines(content.below, layout, read_out, _limits(content, rows, options, layout), look)


def _read_out(
    content: Content, rows: LatencyRows, geometry: Geometry, cursor: Crosshair | None, layout: Layout, look: Glyphs
) -> tuple[StyledText, ...]:
    """The lines of the read-out; empty without a cursor."""
    scene = content.scene
    if scene.pointer is None and scene.selected is not None:
        noun, chip = fit(printable(scene.status.noun), 24), look.chip.format("selected")
        return selection_lines(
            scene.selected,
            scene.matrix,
            scene.status,
            noun,
            layout.columns - 2,
            chip,
            around=layout.room_below >= LEAST_AROUND,
        )
    if scene.pointer is None:
        return ()
    noun, time = fit(printable(scene.status.noun), 24), cursor.span if cursor else ""
    what = find_readout(geometry, rows, scene.matrix, scene.column, noun, time, look.chip.format("read-out"))
    second = bool(what.column) and layout.columns < ONE_LINE_WIDTH
    read = readout_lines(what, layout.columns - 2, narrow=layout.narrow, second=second)
    if scene.selected is None:
        return read
    chip = look.chip.format("selected")
    return *read, selection_lines(scene.selected, scene.matrix, scene.status, noun, layout.columns - 2, chip)[0]


def _limits(content: Content, rows: LatencyRows, options: ViewOptions, layout: Layout) -> tuple[StyledText, ...]:
    """The line about the SLO; empty without an SLO."""
    if options.slo is None:
        return ()
    scene = content.scene
    noun = fit(printable(scene.status.noun), 24)
    return (slo_text(options.slo, scene.window, scene.latest, rows.bounds, noun, layout.columns - 2),)


def _geometry(
    content: Content,
    rows: LatencyRows,
    layout: Layout,
    maxima: dict[str, float],
    options: ViewOptions,
    last: LastPicture,
) -> Geometry:
    plan, matrix, pointer = layout.plan, content.matrix, content.scene.pointer
    kinds = options.maps[-plan.maps :]
    tops = (layout.heading_line(position) + 1 for position in range(len(kinds)))
    paired, apart = content.status.resolution > 1, is_apart(rows, layout)
    column = None if pointer is None else column_of(matrix.ends, pointer.micros)
    row = None if pointer is None else row_of(rows.bounds, pointer.latency)
    return Geometry(
        regions=tuple(Region(kind, top, layout.height) for kind, top in zip(kinds, tops, strict=True)),
        left=MAP_COLUMN,
        right=layout.right,
        cell_width=layout.cell_width,
        axis=layout.axis_line,
        ends=matrix.ends,
        bounds=rows.bounds,
        slots=last.kept(
            "slots",
            (rows.bounds.tobytes(), layout.height, plan.half, plan.tall, paired, apart),
            lambda: make_slots(rows, layout.height, half=plan.half, paired=paired, apart=apart, tall=plan.tall),
        ),
        maxima=maxima,
        merged=merged_share(content.rows, rows),
        heaviest=int(rows.intensity.sum(axis=1).argmax()) if rows.size else 0,
        cursor=None if column is None or row is None else (column, row),
        overview=_overview_place(content, layout),
    )


def _overview_place(content: Content, layout: Layout) -> OverviewPlace | None:
    overview = content.scene.overview
    if overview is None or not layout.plan.overview:
        return None
    return OverviewPlace(layout.axis_line - 1, overview.begin, overview.end)


def drawn_rows(rows: LatencyRows, layout: Layout) -> LatencyRows:
    """The rows that fit the layout: rows at the edges are merged if there are too many."""
    plan = layout.plan
    return squeeze_rows(cut_context(rows, plan.below, plan.above), plan.rows + plan.below + plan.above)


def is_apart(rows: LatencyRows, layout: Layout) -> bool:
    return rows.overflow and (layout.plan.half or layout.plan.apart)
