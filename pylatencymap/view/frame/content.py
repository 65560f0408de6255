"""Chooses what a picture could show, before the layout decides what fits and where."""

import math
from typing import NamedTuple

import numpy as np

from ...window import Matrix
from ..last_picture import LastPicture
from ..layout.latency_rows import LatencyRows, cut_context, rows_per_doubling, select_rows, squeeze_rows
from ..layout.layout import MIN_ROWS, LayoutDemand, map_width
from ..layout.memory import ScaleMemory
from ..layout.scene import Scene
from ..layout.status import Status
from ..style.options import ViewOptions
from ..wording.footer import Footer, gather_footer
from ..wording.remarks import Remarks, find_remarks, shown_marks


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
    matrix = _newest(scene.matrix, map_width(size[0]))
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
    remarks = find_remarks(matrix, status)
    below = last.held(
        "texts",
        scene.moment,
        (),
        lambda: gather_footer(matrix, status, scene.window, scene.latest, hidden, remarks, size),
    )
    scene = scene._replace(matrix=matrix, status=status)
    return Content(scene, rows, remarks, below)


def demand_of(content: Content, options: ViewOptions) -> LayoutDemand:
    """The rows and lines that all of the content would take."""
    rows, below, status = content.rows, content.below, content.status
    return LayoutDemand(
        maps=len(options.maps),
        rows=rows.core or MIN_ROWS,
        below=rows.below,
        above=rows.above,
        paired=status.resolution > 1,
        apart=rows.overflow,
        notices=len(below.notices) + (options.slo is not None),
        trend=bool(below.trend),
        latest=below.latest is not None,
        events=len(below.events),
        others=len(below.others),
        keys=bool(status.keys),
    )


def _newest(matrix: Matrix, columns: int) -> Matrix:
    """The newest ``columns`` columns, or all if there are fewer."""
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
