"""The read-out: the numbers of the cell under the cursor."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...number_text import (
    average_text,
    exact_text,
    lasted_text,
    percent_text,
    quantile_text,
    range_text,
    span_text,
    waited_text,
)
from ...window import Matrix, Summary
from ..layout.geometry import Geometry
from ..layout.latency_rows import LatencyRows
from ..style.styled_text import StyledSpan, StyledText, width_of
from ..style.styles import DIM, STRONG, TEXT, Ink, style

_CHIP = style(reverse=True)
_FREQUENCY, _INTENSITY, _NOTICE = style(Ink.FREQUENCY), style(Ink.INTENSITY), style(Ink.GAP)
_LENGTHS = (("second", 1.0), ("minute", 60.0), ("hour", 3600.0), ("day", 86_400.0))
ONE_LINE_WIDTH = 190
"""On a terminal of at least this many columns, everything is on one line."""
OUTSIDE = "the cursor is outside of what is shown"


class MapCell(NamedTuple):
    """A cell as it is drawn: its range in seconds, its rates, and those of its whole column of ``lasted`` seconds."""

    lower: float
    upper: float
    events: float
    waited: float
    all_events: float
    all_waited: float
    lasted: float


class Readout(NamedTuple):
    """The texts of the read-out.

    head     where the cursor is
    cell     what is in the cell: several wordings, the fullest first
    column   what is in the whole column, in parts
    """

    head: tuple[StyledText, StyledText]
    """The wording for most terminals, and the one for narrow terminals."""
    cell: tuple[StyledText, ...]
    column: tuple[StyledText, ...]


def find_readout(
    geometry: Geometry, rows: LatencyRows, matrix: Matrix, column: Summary | None, noun: str, time: str, chip: str
) -> Readout:
    """All texts about the cell under the cursor."""
    if geometry.cursor is None:
        return Readout((((chip, _CHIP),), ()), (((f"  {OUTSIDE}", _NOTICE),),), ())
    index, row = geometry.cursor
    seconds = float(matrix.seconds[index])
    cell = MapCell(
        lower=float(rows.bounds[row]),
        upper=float(rows.bounds[row + 1]),
        events=float(rows.frequency[row, index]),
        waited=float(rows.intensity[row, index]),
        all_events=float(matrix.counts[:, index].sum()) / seconds if seconds > 0 else 0.0,
        all_waited=float(matrix.waited[:, index].sum()) / seconds if seconds > 0 else 0.0,
        lasted=float(matrix.lasted[index]),
    )
    where = open_range(cell, is_top=row == rows.size - 1 and rows.open_top)
    head = (
        ((chip, _CHIP), ("  ", TEXT), (time, STRONG), ("  ", TEXT), (where, STRONG), ("  ", TEXT)),
        ((time, _CHIP), (" ", TEXT), (where, STRONG), (" ", TEXT)),
    )
    nothing = _why_nothing(cell, gap=bool(matrix.gap[index]), known=seconds > 0)
    if nothing:
        return Readout(head, (((nothing, _NOTICE),),), ())
    return Readout(head, tuple(_wordings(cell, noun)), tuple(_of_column(cell, column, noun)))


def open_range(cell: MapCell, *, is_top: bool) -> str:
    """The range of a cell. A merged or open top row has no upper bound, whatever bound it was drawn with."""
    return range_text(cell.lower, float("inf") if is_top else cell.upper)


def readout_lines(what: Readout, width: int, *, narrow: bool, second: bool) -> tuple[StyledText, ...]:
    """The read-out on one line, or on two if ``second``, with the fullest wording that fits in ``width`` columns.

    If even the shortest wording is wider, it is used all the same.
    """
    head = what.head[narrow and bool(what.head[1])]
    first = next((line for cell in what.cell if width_of(line := head + cell) <= width), head + what.cell[-1])
    if second:
        return first, _as_many(what.column, width)
    rest = _as_many(what.column, width - width_of(first) - 6)
    return ((*first, ("      ", TEXT), *rest) if rest else first,)


def _wordings(cell: MapCell, noun: str) -> Iterator[StyledText]:
    """The cell's events and wait, the fullest wording first."""
    events, waited = exact_text(cell.events), waited_text(cell.waited)
    shares = [
        percent_text(part / total) if part and total else ""
        for part, total in ((cell.events, cell.all_events), (cell.waited, cell.all_waited))
    ]
    lasted = lasted_text(cell.lasted)
    length = next((f"this {name}" for name, one in _LENGTHS if lasted == span_text(one)), f"these {lasted}")
    long = [f", {share} of {length}" if share else "" for share in shares]
    short = [f" ({share})" if share else "" for share in shares]
    for after, word in ((long, " waited"), (short, " waited"), (short, "")):
        yield (f"{events} {noun}/s{after[0]}", _FREQUENCY), ("  ", TEXT), (f"{waited}{word}{after[1]}", _INTENSITY)
    yield (f"{events}/s {shares[0]}", _FREQUENCY), (" ", TEXT), (f"{waited} {shares[1]}", _INTENSITY)


def _of_column(cell: MapCell, summary: Summary | None, noun: str) -> list[StyledText]:
    """The whole column: its rates, then its average and percentiles."""
    parts: list[StyledText] = [
        (("whole column: ", DIM), (f"{exact_text(cell.all_events)} {noun}/s, {waited_text(cell.all_waited)}", TEXT))
    ]
    if summary is not None and summary.average is not None:
        parts.append((("avg ", DIM), (average_text(summary.average), TEXT)))
        wanted = (("p50", summary.p50), ("p90", summary.p90), ("p99", summary.p99))
        parts += [((f"{key} ", DIM), (quantile_text(value), TEXT)) for key, value in wanted if value is not None]
    return parts


_CAN_WAIT = ((), (2,), (2, 3), (1, 2, 3))
"""Parts about a column that give way for its p99, the last: p50, p90, the average."""
_WITH_PERCENTILES = 5


def _as_many(parts: tuple[StyledText, ...], width: int) -> StyledText:
    """The parts that fit, with three blanks between them: those that can wait give way first, then the last ones."""
    for without in _CAN_WAIT if len(parts) == _WITH_PERCENTILES else ():
        line = _joined([part for place, part in enumerate(parts) if place not in without])
        if width_of(line) <= width:
            return line
    return _first_of(parts, width)


def _joined(parts: Sequence[StyledText]) -> StyledText:
    gap: StyledText = (("   ", TEXT),)
    return tuple(span for place, part in enumerate(parts) for span in (*(gap if place else ()), *part))


def _first_of(parts: tuple[StyledText, ...], width: int) -> StyledText:
    """The first parts, as many as fit."""
    line: list[StyledSpan] = []
    for part in parts:
        longer = [*line, *([("   ", TEXT)] if line else []), *part]
        if width_of(longer) > width:
            break
        line = longer
    return tuple(line)


def _why_nothing(cell: MapCell, *, gap: bool, known: bool) -> str:
    """Why a column has no events; empty if it has some."""
    if gap:
        return "gap: no data"
    if not known:
        return "no data"
    return "" if cell.all_events else "zero: nothing happened in this column"
