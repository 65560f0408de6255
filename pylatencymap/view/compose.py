"""From a matrix to a frame: what is shown at a size, and what it says."""

import numpy as np

from ..window.matrix import Matrix
from ..window.stats import Summary
from .below import Below, gather, lines_below
from .captions import heading_text, keys_text, title_right_text, title_text
from .cells import width_of
from .clock import column_span, ticks
from .frame import Frame, clipped_columns, make_labels, make_panel, make_slots
from .layout import MIN_ROWS, Demand, Layout, arrange, cell_width, map_width
from .look import Look, look_of
from .marks import shown_marks
from .memory import Memory
from .options import FREQUENCY, ViewOptions
from .remarks import Remarks, find_remarks
from .rows import Rows, cut, rows_per_doubling, select, squeezed
from .scale import clipped_above, wanted_maximum
from .status import Status
from .wording import scale_text


def compose(
    matrix: Matrix,
    status: Status,
    window: Summary,
    latest: Summary | None,
    options: ViewOptions,
    size: tuple[int, int],
    memory: Memory,
) -> tuple[Frame, Layout, Look]:
    """Everything that the picture will say, and where: data without cells."""
    matrix = _newest(matrix, map_width(size[0]))
    look = look_of(options)
    memory.begin((status.label, status.series, status.resolution), matrix)
    rows, hidden = select(matrix, memory, options)
    if options.rows is not None:
        rows = squeezed(cut(rows, 0, 0), options.rows)
    status = status._replace(resolution=min(status.resolution, rows_per_doubling(matrix.bounds)))
    # No list is longer than the terminal.
    status = status._replace(marks=shown_marks(status.marks, matrix, status.interval, size[1]))
    remarks = find_remarks(matrix, status)
    below = gather(matrix, status, window, latest, hidden, remarks, "", size)
    layout = arrange(size, _demand(rows, below, status, options), half=look.half)
    drawn = _drawn(rows, layout)
    maxima = {kind: _maximum(kind, drawn, options, memory) for kind in options.maps}
    if clipped := _clip_note(drawn, maxima, options):
        below = gather(matrix, status, window, latest, hidden, remarks, clipped, size)
        layout = arrange(size, _demand(rows, below, status, options), half=look.half)
    layout = layout._replace(cell_width=cell_width(matrix.columns, layout.map_width, finished=status.finished))
    return _frame(matrix, rows, below, remarks, maxima, status, options, layout, look), layout, look


def _demand(rows: Rows, below: Below, status: Status, options: ViewOptions) -> Demand:
    return Demand(
        maps=len(options.maps),
        rows=rows.core or MIN_ROWS,
        below=rows.below,
        above=rows.above,
        paired=status.resolution > 1,
        apart=rows.overflow,
        notices=len(below.notices),
        trend=bool(below.trend),
        latest=below.latest is not None,
        events=len(below.events),
        others=len(below.others),
        keys=bool(status.keys),
    )


def _frame(
    matrix: Matrix,
    rows: Rows,
    below: Below,
    remarks: Remarks,
    maxima: dict[str, float],
    status: Status,
    options: ViewOptions,
    layout: Layout,
    look: Look,
) -> Frame:
    plan = layout.plan
    rows = _drawn(rows, layout)
    maps = options.maps[-plan.maps :]
    panels = tuple(make_panel(kind, rows, matrix, options, maxima[kind], look.levels) for kind in maps)
    slots = make_slots(rows, layout.height, half=plan.half, paired=status.resolution > 1, apart=_apart(rows, layout))
    span = column_span(matrix.ends, status.interval)
    title = title_text(status, matrix, layout, look)
    return Frame(
        slots=slots,
        labels=make_labels(rows, slots, status.resolution),
        panels=panels,
        gap=matrix.gap,
        no_data=(matrix.seconds <= 0) & ~matrix.gap,
        dashed=remarks.dashed,
        ticks=ticks(matrix.ends, span, layout.cell_width, status.tz, real=matrix.clock),
        letters=clipped_columns(panels, remarks) if plan.half else remarks.letters(),
        title=title,
        title_right=title_right_text(status, layout, layout.columns - width_of(title) - 4),
        headings=tuple(heading_text(kind, status, matrix, layout) for kind in maps),
        below=lines_below(below, layout),
        keys=keys_text(status, layout, layout.columns - 2) if plan.keys else (),
    )


def _drawn(rows: Rows, layout: Layout) -> Rows:
    """The rows for which there is room; edge rows have merged."""
    plan = layout.plan
    return squeezed(cut(rows, plan.below, plan.above), plan.rows + plan.below + plan.above)


def _apart(rows: Rows, layout: Layout) -> bool:
    return rows.overflow and (layout.plan.half or layout.plan.apart)


def _maximum(kind: str, rows: Rows, options: ViewOptions, memory: Memory) -> float:
    """End of a colour scale: as pinned, or as the memory holds it; of the rows that are drawn, merged ones included."""
    return options.pinned(kind) or memory.maximum(kind, wanted_maximum(rows.values(kind)))


def _clip_note(rows: Rows, maxima: dict[str, float], options: ViewOptions) -> str:
    """Which columns are off which scale; empty where none is."""
    notes = []
    for kind, maximum in maxima.items():
        above = clipped_above(maximum, exact=bool(options.pinned(kind)))
        count = int((rows.values(kind) > above).any(axis=0).sum()) if maximum > 0 else 0
        if count:
            end = scale_text(maximum, kind != FREQUENCY)
            notes.append(f"{count} column{'s are' if count > 1 else ' is'} off the {kind} scale of {end}/s")
    return "; ".join(notes)


def _newest(matrix: Matrix, columns: int) -> Matrix:
    """At most so many columns, the newest."""
    if matrix.columns <= columns:
        return matrix
    part = np.s_[-columns:]
    return matrix._replace(
        counts=matrix.counts[:, part],
        waited=matrix.waited[:, part],
        ends=matrix.ends[part],
        seconds=matrix.seconds[part],
        lasted=matrix.lasted[part],
        gap=matrix.gap[part],
        reset=matrix.reset[part],
        estimated=matrix.estimated[part],
    )
