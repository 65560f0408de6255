"""Finds remarks (gaps, resets, marks, clipping), and writes them as letters on the axis and as a list."""

from bisect import bisect_right
from collections.abc import Iterable
from operator import itemgetter
from typing import NamedTuple, TypeAlias

import numpy as np

from ...number_text import RESET_WORDS, gap_words, lasted_text, length_words
from ...text import text_width
from ...text.clean import printable
from ...window import BoolArray, Incident, Matrix
from ..layout.status import Status
from ..style.styled_text import StyledText
from ..style.styles import TEXT, Ink, style
from .time_axis import MICROS_PER_SECOND, column_span, is_dated, moment_text

GAP_LETTER, RESET_LETTER, DOUBT_LETTER, CLIPPED_LETTER = "G", "R", "?", "+"
LONG = 1.5
"""The first interval of all is in the first column if it is not longer than so many columns."""
_DOUBT_TEXT = "doubtful: this column rests on a record that no other record confirms; it can be damaged"
LETTER = style(Ink.MARK, bold=True)
_SIGN = style(Ink.CLIP_TEXT, Ink.CLIP, bold=True)


class Remark(NamedTuple):
    """A letter under a column, with its moment and text in the list."""

    column: int
    letter: str
    micros: int
    text: str


class Remarks(NamedTuple):
    """All remarks of a window, oldest first. ``dashed`` [columns]: whether a reset or a user's mark is in a column."""

    items: tuple[Remark, ...]
    dashed: BoolArray

    signs: tuple[tuple[int, str], ...] = ()
    """Column and sign of each change that begins in the window, in the order of cost."""

    def letters(self) -> dict[int, str]:
        """The sign of each column: a doubt, else the costliest change, else a reset, a gap or a mark, in this order.
        These three are seen in the maps, too, and are in the list; of a change nothing but its sign is.
        """
        order = {DOUBT_LETTER: -1, RESET_LETTER: len(self.signs), GAP_LETTER: len(self.signs) + 1}
        items = [(order.get(item.letter, len(self.signs) + 2), item.column, item.letter) for item in self.items]
        changes = ((rank, column, sign) for rank, (column, sign) in enumerate(self.signs))
        return {column: letter for _, column, letter in sorted([*items, *changes], reverse=True)}


def find_remarks(matrix: Matrix, status: Status, signs: Iterable[tuple[int, str]] = ()) -> Remarks:
    """All remarks in the columns of a matrix. ``signs``: see Reading, the costliest first."""
    dashed = matrix.reset.copy()
    items = [*_incidents(matrix, status), *_doubts(matrix)]
    for micros, letter, text in status.marks:
        column = _column_of(micros, matrix, status.interval)
        if column is not None:
            dashed[column] = True
            sign = printable(letter)[:1]
            items.append(Remark(column, sign if text_width(sign) == 1 else "M", micros, f'"{printable(text)}"'))
    placed = ((_sign_column(micros, matrix, status), sign) for micros, sign in signs)
    begun = tuple((column, sign) for column, sign in placed if column is not None)
    return Remarks(tuple(sorted(items, key=lambda item: item.micros)), dashed, begun)


def _sign_column(micros: int, matrix: Matrix, status: Status) -> int | None:
    """The column in which a change begins. The first interval of all can be a little longer than its column."""
    first = matrix.columns and int(matrix.ends[0])
    usual = status.interval * MICROS_PER_SECOND
    if status.kept[0] <= micros < first and status.kept[0] > first - LONG * usual:
        return 0
    return _column_of(micros + 1, matrix, status.interval)


def remark_lines(remarks: Remarks, status: Status, matrix: Matrix, most: int) -> tuple[StyledText, ...]:
    """The lines of the list of remarks, in the order of time: the newest ``most``."""
    dated = is_dated(matrix.ends, column_span(matrix.ends, status.interval))

    def line(item: Remark) -> StyledText:
        when = moment_text(item.micros, status.tz, real=matrix.clock, dated=dated)
        return ((item.letter, LETTER), (f" {when}  {item.text}", TEXT))

    return tuple(line(item) for item in remarks.items[-most:])


def clipped_line(clipped: str) -> StyledText:
    """The line of the list that says what is clipped."""
    return ((CLIPPED_LETTER, _SIGN), (f" {clipped}", TEXT))


def _incidents(matrix: Matrix, status: Status) -> list[Remark]:
    """Remarks on gaps and resets: from the incidents if they are still known, for older ones from the columns."""
    found: list[Remark] = []
    if not (status.incidents or np.count_nonzero(matrix.gap) or np.count_nonzero(matrix.reset)):
        return found
    for letter, drawn in ((GAP_LETTER, _gaps(matrix, status.interval)), (RESET_LETTER, _resets(matrix))):
        known = [incident for incident in status.incidents if _letter(incident) == letter]
        oldest = min((incident.start for incident in known), default=None)
        found += [item for item in drawn if oldest is None or int(matrix.ends[item.column]) <= oldest]
        found += filter(None, (_known(incident, matrix, status.interval) for incident in known))
    return found


def _letter(incident: Incident) -> str:
    return RESET_LETTER if incident.reset else GAP_LETTER


def _known(incident: Incident, matrix: Matrix, interval: float) -> Remark | None:
    """The remark on an incident, at the first column that shows it; None if no column does."""
    start, end = incident.start, incident.end
    usual = round(column_span(matrix.ends, interval) * MICROS_PER_SECOND)
    if not matrix.columns or end <= int(matrix.ends[0]) - usual:
        return None
    # The middle of its first piece decides, by the same rule that puts intervals into columns.
    column = int(np.searchsorted(matrix.ends, start + min(end - start, usual) // 2))
    if column == matrix.columns:
        return None
    if incident.reset:
        return Remark(column, RESET_LETTER, start, _reset_text(incident.seconds, nothing=incident.gap))
    return Remark(column, GAP_LETTER, start, gap_words(length_words((end - start) / MICROS_PER_SECOND)))


def _gaps(matrix: Matrix, interval: float) -> list[Remark]:
    """One remark for each run of adjacent gap columns."""
    silent = matrix.gap & ~matrix.reset
    edges = np.diff(np.concatenate(([0], silent.astype(np.int8), [0])))
    usual = column_span(matrix.ends, interval)
    found = []
    for first, stop in zip(np.flatnonzero(edges > 0).tolist(), np.flatnonzero(edges < 0).tolist(), strict=True):
        end = int(matrix.ends[stop - 1])
        start = int(matrix.ends[first - 1]) if first else int(matrix.ends[first]) - round(usual * MICROS_PER_SECOND)
        lasted = f"{'' if first else 'at least '}{length_words((end - start) / MICROS_PER_SECOND)}"
        found.append(Remark(first, GAP_LETTER, start, gap_words(lasted)))
    return found


def _resets(matrix: Matrix) -> list[Remark]:
    return [
        Remark(
            column,
            RESET_LETTER,
            int(matrix.ends[column]) - round(float(matrix.lasted[column]) * MICROS_PER_SECOND),
            _reset_text(float(matrix.lasted[column]), nothing=bool(matrix.gap[column])),
        )
        for column in np.flatnonzero(matrix.reset).tolist()
    ]


def _doubts(matrix: Matrix) -> list[Remark]:
    return [
        Remark(column, DOUBT_LETTER, int(matrix.ends[column]), _DOUBT_TEXT)
        for column in np.flatnonzero(matrix.doubtful).tolist()
    ]


def _reset_text(seconds: float, *, nothing: bool) -> str:
    if nothing:
        return f"{RESET_WORDS}, so high that nothing was counted"
    return f"{RESET_WORDS}; counted from zero over {lasted_text(seconds)}"


def _column_of(micros: int, matrix: Matrix, interval: float) -> int | None:
    """The column whose interval contains a moment; None outside the window."""
    if not matrix.columns or micros <= int(matrix.ends[0]) - interval * MICROS_PER_SECOND:
        return None
    column = int(np.searchsorted(matrix.ends, micros))
    return column if column < matrix.columns else None


# The choice of the user's marks that a picture shows: a long session can have any number of them.


ShownMark: TypeAlias = tuple[int, str, str]
"""A mark: epoch microseconds, letter, text."""

_moment = itemgetter(0)


def shown_marks(marks: tuple[ShownMark, ...], matrix: Matrix, interval: float, most: int) -> tuple[ShownMark, ...]:
    """The newest ``most`` marks within the columns, and of the older ones the last in each column; oldest first.

    ``interval`` is the length of the first column in seconds.
    """
    if not marks or not matrix.columns:
        return ()
    ordered = sorted(marks, key=_moment)
    start, end = int(matrix.ends[0]) - interval * MICROS_PER_SECOND, int(matrix.ends[-1])
    inside = ordered[bisect_right(ordered, start, key=_moment) : bisect_right(ordered, end, key=_moment)]
    if len(inside) <= most:
        return tuple(inside)
    columns = np.searchsorted(matrix.ends, [moment for moment, _, _ in inside])
    kept = np.append(columns[1:] != columns[:-1], True)
    kept[len(inside) - most :] = True
    return tuple(inside[position] for position in np.flatnonzero(kept).tolist())
