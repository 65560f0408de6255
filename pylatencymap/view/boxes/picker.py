"""The lists from which the user chooses: series, with a filter to type, and moments."""

from collections.abc import Sequence
from typing import NamedTuple

from ...number_text import average_text, count_text, share_text, waited_unit
from ...text import cut, fit, text_width
from ...text.clean import printable
from ...window import Quantity
from ..style.glyphs import glyphs_of
from ..style.options import ViewOptions
from ..style.styled_text import StyledSpan, StyledText, padded, slice_text, wrap
from ..style.styles import DIM, REVERSE_BIT, STRONG, TEXT, Ink, style
from .overlay import box_room

_CARET = style(reverse=True)
_NUMBER = 3
"""Columns for the number key before a name."""
_LEAST_NAME, _MOST_NAME = 12, 60
_AROUND = 2
"""Lines of the box that are not rows of the list: filter and heading."""
_COLUMNS = (("events/s", 10), ("waited", 12), ("of wait", 9), ("average", 11))


class SeriesRow(NamedTuple):
    """One series in the list. ``number`` is the key that shows it, if any. ``average`` is None without events.
    ``ticked``: the user wants it in a stack.
    """

    name: str
    events_per_second: float
    waited_per_second: float
    share_of_wait: float
    average: Quantity | None
    number: int | None = None
    ticked: bool = False


def matching_series(names: Sequence[str], filter: str) -> list[int]:  # noqa: A002
    """The positions of the names that contain every word of the filter, which has blanks or commas between words. Case
    does not matter.
    """
    words = filter.lower().replace(",", " ").split()
    return [place for place, name in enumerate(names) if all(word in name.lower() for word in words)]


def picker_lines(
    rows: Sequence[SeriesRow],
    filter: str,  # noqa: A002
    chosen: int,
    options: ViewOptions,
    size: tuple[int, int],
) -> tuple[StyledText, ...]:
    """The text of the box for a terminal of a size (columns, lines). Its size does not depend on the filter.

    ``chosen`` is a position among the matching rows, see ``matching_series``. Of a long list, the rows around it are
    shown.
    """
    found = matching_series([row.name for row in rows], filter)
    columns, lines = box_room(size)
    height = min(max(1, lines - _AROUND), max(1, len(rows)))
    chosen = min(max(chosen, 0), len(found) - 1)
    first = max(0, min(chosen - height // 2, len(found) - height))
    table = _Table(rows, columns)
    shown = [_row(table, rows[place], filter) for place in found[first : first + height]]
    if shown:
        shown[chosen - first] = _chosen(shown[chosen - first], glyphs_of(options).ascii_only)
    if not shown:
        shown = [(("no series matches" if rows else "no series yet", DIM),)]
    blank = [padded((), 1)] * (height - len(shown))
    count = _count(len(found), len(rows), chosen)
    return (_filter_line(filter, count, table.width), table.heading(), *shown, *blank)


class _Table:
    """The columns that fit, and the width of the names."""

    def __init__(self, rows: Sequence[SeriesRow], columns: int) -> None:
        longest = max((text_width(printable(row.name)) for row in rows), default=0)
        wanted = min(max(longest, _LEAST_NAME), _MOST_NAME)
        self.shown = len(_COLUMNS)
        while self.shown and _NUMBER + min(wanted, 2 * _LEAST_NAME) + self._figures() > columns:
            self.shown -= 1
        self.name = max(1, min(wanted, columns - _NUMBER - self._figures()))
        self.width = _NUMBER + self.name + self._figures()
        # One unit for the whole column, so that longer numbers are larger ones.
        self.factor, self.unit = waited_unit(max((row.waited_per_second for row in rows), default=0.0))

    def _figures(self) -> int:
        return sum(width for _, width in _COLUMNS[: self.shown])

    def heading(self) -> StyledText:
        """The line with the names of the columns."""
        names = [f"wait {self.unit}" if name == "waited" else name for name, _ in _COLUMNS]
        return (("series".rjust(_NUMBER + 6).ljust(_NUMBER + self.name), DIM), *self.spans(names, DIM))

    def figures(self, row: SeriesRow) -> list[str]:
        """The texts of a row after its name."""
        return [
            count_text(row.events_per_second),
            count_text(row.waited_per_second * self.factor),
            share_text(row.share_of_wait),
            average_text(row.average) if row.average else "",
        ]

    def spans(self, texts: list[str], ink: int) -> list[StyledSpan]:
        """Texts right-aligned in their columns."""
        return [(text.rjust(width), ink) for text, (_, width) in zip(texts[: self.shown], _COLUMNS, strict=False)]


def _row(table: _Table, row: SeriesRow, filter: str) -> StyledText:  # noqa: A002
    number = f"{row.number}" if row.number is not None and row.number < 10 else ""
    name = padded(_marked(fit(printable(row.name), table.name), filter), table.name)
    tick = ("*", STRONG) if row.ticked else (" ", DIM)
    return ((f"{number:>{_NUMBER - 1}}", DIM), tick, *name, *table.spans(table.figures(row), TEXT))


def _chosen(line: StyledText, ascii_only: bool) -> StyledText:
    """The line of the chosen series: in reverse, without grey, which would be hard to read; in ASCII with an arrow."""
    (number, _), *rest = line
    if ascii_only:
        return ((">" + number[1:], TEXT), *rest)
    return tuple((text, (TEXT if ink == DIM else ink) | REVERSE_BIT) for text, ink in line)


def _marked(name: str, filter: str) -> StyledText:  # noqa: A002
    """A name in which the parts that match the filter are bold."""
    lowered = name.lower()
    if len(lowered) != len(name):
        return ((name, TEXT),)  # some letters change their length in lower case, so positions in the two texts differ
    bold = set[int]()
    for word in filter.lower().replace(",", " ").split():
        start = lowered.find(word)
        if start >= 0:
            bold.update(range(start, start + len(word)))
    edges = [place for place in range(1, len(name)) if (place in bold) != (place - 1 in bold)]
    places = zip([0, *edges], [*edges, len(name)], strict=True)
    return tuple((name[start:stop], STRONG if start in bold else TEXT) for start, stop in places)


def _filter_line(filter: str, count: str, columns: int) -> StyledText:  # noqa: A002
    """What the user has typed (its end, if it is long), and how many series match."""
    space = max(1, columns - len(count) - len("filter: ") - 3)
    typed = printable(filter)
    end = text_width(typed)
    shown = cut(typed, max(0, end - space), end)
    line = padded((("filter: ", DIM), (shown, STRONG), (" ", _CARET)), columns - len(count))
    return slice_text((*line, (count, DIM)), 0, columns)


def _count(found: int, rows: int, chosen: int) -> str:
    place = f"{chosen + 1} of {found}" if found else "0"
    return place if found == rows else f"{place}, {rows} in all"


# Moments.


_SIGN = style(Ink.MARK, bold=True)
_LEAST_WHAT = 20


class MomentRow(NamedTuple):
    """A moment in words: its sign on the axis if it has one, when it was, what it was, and what it cost, also as a
    clause of its sentence.
    """

    sign: str
    when: str
    what: str
    cost: str
    cost_words: str


def moment_lines(
    rows: Sequence[MomentRow], chosen: int, options: ViewOptions, size: tuple[int, int]
) -> tuple[StyledText, ...]:
    """The text of the box for a terminal of a size (columns, lines). Of a long list, the rows around ``chosen``, whose
    sentence stands in full below them if it is cut.
    """
    columns, lines = box_room(size)
    below = _in_full(rows, chosen, columns)
    height = max(1, min(lines - len(below), len(rows)))
    first = max(0, min(chosen - height // 2, len(rows) - height))
    when = max(text_width(row.when) for row in rows)
    cost = max(text_width(row.cost) for row in rows)
    if columns - when - cost - 8 < _LEAST_WHAT:
        cost = 0
    what = max(
        1, min(max(text_width(printable(row.what)) for row in rows), columns - when - 5 - (cost + 2) * bool(cost))
    )
    ascii_only = glyphs_of(options).ascii_only
    shown = tuple(
        _moment_line(row, when, what, cost, is_chosen=place == chosen, ascii_only=ascii_only)
        for place, row in enumerate(rows[first : first + height], first)
    )
    return shown if all(text_width(printable(row.what)) <= what for row in rows) else (*shown, *below)


def _in_full(rows: Sequence[MomentRow], chosen: int, columns: int) -> list[StyledText]:
    """A blank line and the sentence of the chosen row, with what it cost; about as many lines for each row."""
    texts = [f"{printable(row.what)}; {row.cost_words}" if row.cost else printable(row.what) for row in rows]
    told, longest = (wrap(((text, TEXT),), columns) for text in (texts[chosen], max(texts, key=len)))
    return [(), *told, *[()] * (len(longest) - len(told))]


def _moment_line(row: MomentRow, when: int, what: int, cost: int, *, is_chosen: bool, ascii_only: bool) -> StyledText:
    sign = ">" if is_chosen and ascii_only else " "
    line: StyledText = (
        (f"{sign}{row.sign or ' '} ", _SIGN),
        *padded(((row.when, STRONG),), when + 2),
        *padded(((fit(printable(row.what), what), TEXT),), what),
    )
    if cost:
        line = (*line, (f"  {row.cost:>{cost}}", DIM))
    if is_chosen and not ascii_only:
        return tuple((text, (TEXT if ink == DIM else ink) | REVERSE_BIT) for text, ink in line)
    return line
