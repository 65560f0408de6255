"""Paints what is above and below the panels of a grid: title, legend, what is not shown, key hints."""

from collections.abc import Sequence

import numpy as np

from ...number_text import lasted_text
from ...text import fit
from ...text.clean import printable
from ...window import Matrix
from ..frame.frame import MapPanel, has_merged
from ..layout.layout import Layout, LayoutPlan, map_width
from ..layout.scene import Selected
from ..layout.status import NOT_RECORDED, Status
from ..paint.canvas import Canvas
from ..paint.legend import legend_texts
from ..style.styled_text import StyledSpan, StyledText, width_of
from ..style.styles import DIM, NOTICE, STRONG, TEXT, Ink, style
from ..wording.captions import AFTER_HINT, MERGED_WORDS, TitleRoom, fitting_hints, title_text
from ..wording.selection import selected_time
from ..wording.time_axis import MICROS_PER_SECOND, column_span, is_dated, moment_text
from .plan import GridPlan

_LEFT = 1
_APART = 8
"""Number of blanks between the legends."""


def paint_title(canvas: Canvas, plan: GridPlan, shown: int, total: int) -> None:
    """Paint source, state and clock, and how many of the series are on this page."""
    columns, lines = plan.layout.size
    layout = Layout(columns, lines, map_width(columns), LayoutPlan(maps=len(plan.kinds), rows=0), 0)
    newest = max(plan.data.matrices, key=lambda matrix: int(matrix.ends[-1]))
    flags: list[StyledSpan] = [
        (f"{fit(printable(flag), 24)}   ", TEXT) for flag in plan.status.flags if flag not in NOT_RECORDED
    ]
    help_: list[StyledSpan] = [(f"   ? {word}", DIM) for key, word in plan.status.keys if key == "?"]
    number = f"{shown} of {total} series"
    beside = width_of((*flags, (number, DIM), *help_)) + 2
    title = title_text(plan.status._replace(series=""), newest, layout, plan.look, TitleRoom(beside, beside))
    end = canvas.put_text(0, _LEFT, title)
    for words in (f"{number}, most waited first, of all that is kept", f"{number}, most waited first", number, ""):
        text = (*flags, (words or f"{shown}/{total}", DIM), *help_)
        if end + 1 + width_of(text) < columns:
            canvas.put_text(0, columns - _LEFT - width_of(text), text)
            break


def paint_legend(canvas: Canvas, plan: GridPlan, drawn: list[tuple[MapPanel, ...]]) -> None:
    """Paint one legend for each map, and the name of the scale."""
    line, columns = plan.layout.legend_line, plan.layout.size[0]
    wide = columns >= 100
    column = _LEFT
    for maps in zip(*drawn, strict=True):
        clipped = np.array([panel.clipped.any() for panel in maps])
        ink = Ink.FREQUENCY if maps[0].is_frequency else Ink.INTENSITY
        heading = ((maps[0].kind.upper(), style(ink, bold=True)), ("   " if wide else " ", TEXT))
        room = columns - column - width_of(heading) - 1
        (legend,) = legend_texts([maps[0]._replace(clipped=clipped)], plan.look, "", [room], narrow=not wide)
        column = canvas.put_text(line, column, (*heading, *legend)) + (_APART if wide else 3)
    for words in (f"one scale for all panels, {plan.options.scale}", f"one scale, {plan.options.scale}"):
        if column + len(words) < columns:
            canvas.put(line, columns - _LEFT - len(words), words, DIM)
            break


def paint_footer(
    canvas: Canvas, plan: GridPlan, hidden: int, hidden_share: float, selected: Selected | None = None
) -> None:
    """Paint the message, or else what is selected or not shown; and the time that the columns cover."""
    line, columns = plan.layout.size[1] - 2, plan.layout.size[0]
    when = _span_text(plan.data.matrices, plan.status)
    left: StyledText
    if plan.status.message:
        left = ((printable(plan.status.message), NOTICE),)
    elif selected is not None:
        left = _selected_text(plan, selected, columns - len(when) - 4)
    elif hidden > 0:
        left = ((f"not shown: {hidden} series, {_small_share(hidden_share)} of the wait in this time", DIM),)
    else:
        left = ((f"all {len(plan.data.matrices)} series are shown", DIM),)
    end = canvas.put_text(line, _LEFT, left)
    rows = "2 rows per line   " * plan.lines.half + f"{MERGED_WORDS}   " * has_merged(plan.lines.labels)
    for words in (f"{rows}{when}", when):
        if end + 2 + len(words) < columns:
            canvas.put(line, columns - _LEFT - len(words), words, DIM)
            break


SELECTED_HINTS = "   in all series: Enter opens the chosen one, Esc drops it", "   Enter opens it, Esc drops it", ""


def _selected_text(plan: GridPlan, selected: Selected, width: int) -> StyledText:
    """The time that is selected in all panels, how long it is, and what can be done with it."""
    matrix = max(plan.data.matrices, key=lambda one: one.columns)
    lasted = lasted_text((selected.end - selected.begin) / MICROS_PER_SECOND)
    when = selected_time(selected, matrix, plan.status)
    text = ((plan.look.chip.format("selected"), style(reverse=True)), (f"  {when}", STRONG), (f"  {lasted}", DIM))
    hint = next(one for one in SELECTED_HINTS if not one or width_of(text) + len(one) <= width)
    return (*text, (hint, DIM))


def _span_text(matrices: Sequence[Matrix], status: Status) -> str:
    """When the first column with data began, and when the last one ended."""
    ends = matrices[0].ends
    known = np.flatnonzero(np.any([(matrix.seconds > 0) | matrix.gap for matrix in matrices], axis=0))
    if not known.size:
        return ""
    real, span = matrices[0].clock, column_span(ends, status.interval)
    start = int(ends[known[0]]) - round(span * MICROS_PER_SECOND)
    dated = is_dated(ends[known[0] :], span)
    return " - ".join(moment_text(micros, status.tz, real=real, dated=dated) for micros in (start, int(ends[-1])))


def _small_share(share: float) -> str:
    """A share in percent, with tenths below 10 %: hidden series can have little of the wait."""
    percent = 100 * share
    return "0 %" if percent <= 0 else "<0.1 %" if percent < 0.1 else f"{percent:.{int(percent < 10)}f} %"


def grid_hints_text(status: Status, width: int) -> StyledText:
    """Key hints without help, which is in the title. The blanks after the last hint need not fit in the width."""
    return fitting_hints([(key, word) for key, word in status.keys if key != "?"], width + AFTER_HINT)
