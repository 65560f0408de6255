"""The frame: everything that a picture says, as data, before it is painted."""

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ...number_text import open_label, scale_text
from ...units import format_latency
from ...window import BoolArray, FloatArray, Matrix
from ..layout.colour_scale import LevelArray, clipped_above, levels_of
from ..layout.geometry import SlotArray as SlotArray
from ..layout.latency_rows import LatencyRows, are_several, powers_of_two
from ..style.options import FREQUENCY, SHARE, SQRT, ViewOptions
from ..style.styled_text import StyledText
from ..two_selections import SideBrace, SideColumns
from ..wording.crosshair import Crosshair
from ..wording.overview import OverviewLine
from ..wording.percentiles import CurveMarks, PercentileStrip
from ..wording.remarks import Remarks
from ..wording.selection import SelectedCells
from ..wording.time_axis import AxisTick


class ColumnSigns(NamedTuple):
    """What is drawn over whole columns of a map whose series is not that of the frame: as in Frame. ``before``: so many
    columns end before the series begins.
    """

    gap: BoolArray
    no_data: BoolArray
    dashed: BoolArray
    before: int = 0


class MapPanel(NamedTuple):
    """One map.

    kind      "frequency" (events per second) or "intensity" (seconds waited per second)
    maximum   end of the colour scale, in that unit; 0 while there are no events
    levels    int8 [rows, columns]: 0 zero, 1 to K, K + 1 clipped
    totals    float64 [columns], the sum of all rows, including those not shown
    total     the sum of ``latest`` with rows that are not shown
    latest    float64 [rows], what is shown in numbers: the cursor's column, else the newest, or in a finished picture
              the average of all columns; None without data
    clipped   bool [columns], whether a value of the column is off the scale
    scale     how a value becomes a level: sqrt, linear, log or share
    pinned    whether the user fixed the maximum
    largest   the largest value, in the unit of the maximum
    signs     those of its own series; None: those of the frame
    marks     where p50 and p99 of each column are; None: they are not drawn in the map
    peak      the largest total of all maps that the totals are drawn to the scale of; 0: of this map
    """

    kind: str
    maximum: float
    levels: LevelArray
    totals: FloatArray
    latest: FloatArray | None
    clipped: BoolArray
    scale: str = SQRT
    pinned: bool = False
    largest: float = 0.0
    total: float = 0.0
    signs: ColumnSigns | None = None
    peak: float = 0.0
    marks: CurveMarks | None = None

    @property
    def is_frequency(self) -> bool:
        return self.kind == FREQUENCY

    def scale_end(self) -> str:
        """The end of the colour scale, as written in the legend."""
        if self.scale == SHARE:
            return "100 %"
        return scale_text(self.maximum, not self.is_frequency)


class Frame(NamedTuple):
    """Rows with their labels, the maps, the time axis, and every line of text.

    slots     int [lines, 2], the latency rows in the upper and the lower half of each line, -1 for none; both are the
              same if the line shows one row
    labels    one text per line
    panels    the maps, top to bottom
    gap       bool [columns], whether the source was silent
    no_data   bool [columns], whether nothing is known and it is not a gap
    dashed    bool [columns], whether a reset or a mark is in the column
    letters   the letter on the axis under a column, by column
    below     the lines of text below the maps
    cursor    the crosshair, if there is one
    selected  the cells of the user's selection
    limit     the line of the maps that contains the SLO
    moment    see Scene
    finished  whether no more data will come
    overview  all that is kept, as one line; None if there is no such line
    strip     percentiles over time below the maps; None if there is no such strip
    braces    where A and B are on the time axis
    beside    what A and B have in the rows of each map, in place of the numbers of one column; empty if nothing is
              compared
    """

    slots: SlotArray
    labels: tuple[str, ...]
    panels: tuple[MapPanel, ...]
    gap: BoolArray
    no_data: BoolArray
    dashed: BoolArray
    ticks: tuple[AxisTick, ...]
    letters: dict[int, str]
    title: StyledText
    title_right: StyledText
    headings: tuple[StyledText, ...]
    below: tuple[StyledText, ...]
    keys: StyledText
    cursor: Crosshair | None = None
    selected: SelectedCells | None = None
    limit: int | None = None
    moment: object = None
    finished: bool = False
    overview: OverviewLine | None = None
    strip: PercentileStrip | None = None
    braces: tuple[SideBrace, ...] = ()
    beside: tuple[SideColumns, ...] = ()

    @property
    def columns(self) -> int:
        return int(self.gap.size)


def make_map_panel(
    kind: str,
    rows: LatencyRows,
    matrix: Matrix,
    options: ViewOptions,
    maximum: float,
    levels: int,
    column: int | None = -1,
) -> MapPanel:
    """One map with levels 0 to ``levels`` on a scale that ends at ``maximum``. ``column`` is shown in numbers; None:
    the average of all.
    """
    values, pinned = rows.values(kind), bool(options.pinned(kind))
    everything = values  # where all rows are drawn, each by itself
    if rows.size != matrix.rows:
        everything = matrix.frequency() if kind == FREQUENCY else matrix.intensity()
    totals, largest, exact = everything.sum(axis=0), float(values.max(initial=0.0)), options.is_exact(kind)
    stepped = levels_of(values, maximum, levels, options.scale, exact=exact, sums=totals, largest=largest)
    seconds = matrix.seconds if column is None else matrix.seconds[[column]] if matrix.columns else np.zeros(0)
    known = float(seconds.sum()) > 0
    clipped: BoolArray = np.zeros(matrix.columns, np.bool_)
    if largest > clipped_above(maximum, exact=exact):
        clipped = np.asarray((stepped > levels).any(axis=0))
    return MapPanel(
        kind=kind,
        maximum=maximum,
        levels=stepped,
        totals=totals,
        latest=_average(values, matrix, column) if known else None,
        clipped=clipped,
        scale=options.scale,
        pinned=pinned and options.scale != SHARE,
        largest=largest,
        total=float(_average(totals, matrix, column)) if known else 0.0,
    )


def _average(rates: FloatArray, matrix: Matrix, column: int | None) -> FloatArray:
    """The rates [..., columns] of one column, or on average of all."""
    if column is not None:
        return np.asarray(rates[..., column])
    return np.asarray(rates @ matrix.seconds / matrix.seconds.sum())


def make_slots(
    rows: LatencyRows, height: int, *, half: bool, paired: bool, apart: bool, tall: bool = False
) -> SlotArray:
    """Which rows each line shows, top line first; see ``slots`` of Frame. ``tall``: each row has two lines."""
    if not half:
        order = [row for row in range(rows.size) for _ in range(1 + tall)]
        if apart and order:
            order.insert(-1 - tall, -1)
        filled = [-1] * (height - len(order)) + order[::-1]
        return np.array([(row, row) for row in filled[-height:]], np.intp).reshape(-1, 2)
    halves = [-1] * _padding(rows, paired) + list(range(rows.size))
    if apart and rows.size:
        # The open row is in an upper half, with at least one empty half below it.
        top = halves.pop()
        halves += [-1, -1, top] if len(halves) % 2 else [-1, top]
    halves += [-1] * (2 * height - len(halves))
    pairs = np.array(halves[: 2 * height], np.intp).reshape(-1, 2)
    return pairs[::-1, ::-1]


MERGED_SIGN = "*"
"""Behind a label: the row, or one of both, was merged from several."""


def has_merged(labels: Iterable[str]) -> bool:
    """Whether a row was merged from several."""
    return any(label.endswith(MERGED_SIGN) for label in labels)


def make_labels(
    rows: LatencyRows, slots: SlotArray, resolution: int, unmerged: FloatArray | None = None
) -> tuple[str, ...]:
    """One label per line: the upper bound of its row, or the bound between its rows if it has two; with MERGED_SIGN
    where a row is more than one of those with the bounds ``unmerged``. Of two lines of one row, the upper one has it.

    With several rows per doubling, only powers of two have a label.
    """
    several = [False] * rows.size if unmerged is None else are_several(rows, unmerged).tolist()
    bounds, top = rows.bounds.tolist(), rows.size - 1
    named = powers_of_two(rows.bounds).tolist() if resolution > 1 else [True] * len(bounds)
    texts = []
    for place, (upper, lower) in enumerate(slots.tolist()):
        if place and upper == lower and slots[place - 1].tolist() == [upper, lower]:
            texts.append("")
            continue
        bound = lower + 1 if lower >= 0 else upper
        if bound < 0:
            texts.append("")
        elif top in (upper, lower) and rows.open_top:
            texts.append(open_label(bounds[top]))
        else:
            sign = MERGED_SIGN if any(several[row] for row in (upper, lower) if row >= 0) else ""
            texts.append((_bound_label(bounds[bound]) if named[bound] else "") + sign)
    return tuple(texts)


@lru_cache(maxsize=1024)
def _bound_label(bound: float) -> str:
    return format_latency(bound) if 0 < bound < math.inf else ""


def clipped_columns(panels: tuple[MapPanel, ...], remarks: Remarks) -> dict[int, str]:
    """The letters under the columns, plus ``+`` under clipped columns that have no other letter."""
    letters = remarks.letters()
    for panel in panels:
        for column in np.flatnonzero(panel.clipped).tolist():
            letters.setdefault(column, "+")
    return letters


def _padding(rows: LatencyRows, paired: bool) -> int:
    """How many empty half lines, 0 or 1, are needed at the bottom so that powers of two are in the middle of lines."""
    powers = np.flatnonzero(powers_of_two(rows.bounds)) if paired else np.zeros(0, np.intp)
    return int(powers.size > 0 and powers[-1] % 2 == 0)


def newest_columns(matrix: Matrix, columns: int) -> Matrix:
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
        doubtful=matrix.doubtful[part],
    )
