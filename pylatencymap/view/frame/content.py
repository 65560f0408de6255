"""Chooses what a picture could show, before the layout decides what fits and where."""

import math
from typing import NamedTuple

from ...window import Matrix
from ..last_picture import LastPicture
from ..layout.colour_scale import ScaleMemory
from ..layout.latency_rows import LatencyRows, cut_context, rows_per_doubling, select_rows, squeeze_rows
from ..layout.layout import MIN_ROWS, LayoutDemand, has_room, map_width
from ..layout.scene import Scene
from ..layout.status import Status
from ..style.options import STRIP, ViewOptions
from ..two_selections import has_table, maps_beside, table_demand, without_texts
from ..wording.footer import Footer, gather_footer
from ..wording.remarks import Remarks, find_remarks, shown_marks
from .curves import strip_lines
from .frame import newest_columns


class Content(NamedTuple):
    """What there is to show: all rows that could be drawn, the remarks, and the texts of the footer (``below``)."""

    scene: Scene
    rows: LatencyRows
    remarks: Remarks
    below: Footer

    @property
    def matrix(self) -> Matrix:
        return self.scene.matrix

    @property
    def status(self) -> Status:
        return self.scene.status


def content_of(
    scene: Scene, options: ViewOptions, size: tuple[int, int], memory: ScaleMemory, last: LastPicture
) -> Content:
    """Choose the content for a size (columns, lines) of the terminal, and start a new frame of ``memory``."""
    matrix = newest_columns(scene.matrix, map_width(size[0]))
    if scene.percentiles is not None:
        scene = scene._replace(percentiles=scene.percentiles[:, -matrix.columns :] if matrix.columns else None)
    status = scene.status
    # Columns of another length make another window: scales remembered for the old one do not apply.
    length = round(math.log2(status.interval)) if status.interval > 0 else 0
    memory.begin((status.label, status.series, status.resolution, length), matrix)
    rows, hidden = select_rows(matrix, memory, options)
    if options.rows is not None:
        rows = squeeze_rows(cut_context(rows, 0, 0), options.rows)
    status = status._replace(
        resolution=min(status.resolution, rows_per_doubling(matrix.bounds)),
        # A list of marks cannot be longer than the terminal.
        marks=shown_marks(status.marks, matrix, status.interval, size[1]),
    )
    remarks = find_remarks(matrix, status, scene.reading.signs)
    below = last.held(
        "texts",
        scene.moment,
        (),
        lambda: gather_footer(
            matrix, status, scene.window, scene.latest, scene.reading, hidden, remarks, size, scene.tables
        ),
    )
    scene = scene._replace(matrix=matrix, status=status)
    return Content(scene, rows, remarks, below)


def demand_of(content: Content, options: ViewOptions, size: tuple[int, int]) -> LayoutDemand:
    """The rows and lines that all of the content would take."""
    rows, status, page = content.rows, content.status, content.status.sides
    below = without_texts(content.below) if has_table(page) else content.below
    roomy = has_room(size) and not has_table(page)
    strip, tall_strip = (0, 0) if has_table(page) else strip_lines(content.scene, rows, options, roomy=roomy)
    return LayoutDemand(
        maps=len(maps_beside(page, options, size)),
        rows=rows.core or MIN_ROWS,
        below=rows.below,
        above=rows.above,
        paired=status.resolution > 1,
        apart=rows.overflow,
        notices=len(below.notices) + (options.slo is not None and not has_table(page)),
        change=bool(below.changes or below.recurring),
        latest=below.latest is not None,
        events=len(below.events),
        others=len(below.others),
        keys=bool(status.keys),
        overview=content.scene.overview is not None,
        finished=status.finished,
        strip=strip,
        tall_strip=tall_strip,
        asked=options.percentiles == STRIP,
        roomy=roomy,
        tables=below.tables.lines if below.tables is not None and status.series else 0,
        table=table_demand(page, size),
        braces=page is not None,
    )
