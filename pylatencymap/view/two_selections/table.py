"""The lines below the maps that say what A and B differ in: the verdict, then the table."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from ...text import text_width
from ..layout.layout import Layout
from ..layout.sides import SideHead, SidesPage
from ..style.glyphs import Glyphs
from ..style.options import ViewOptions
from ..style.styled_text import StyledSpan, StyledText, fitted, width_of, wrap
from ..style.styles import DIM, NOTICE, STRONG, TEXT
from ..wording.footer import Footer
from .signs import chip_style

WITH_INTERVALS = 100
"""Columns of the screen from which on the table has the intervals of changes."""
APART = 3
"""Blanks between two columns of the table."""
CHANGE, INTERVAL = "change", "95 % interval"
EARLY_LINES = 3
"""Lines that are kept for the verdict while it is being found, and rows of the table that come with it."""
EARLY_ROWS = 2
WHERE_CHANGED, WHERE_INTERVAL = 3, 4


def sides_lines(
    page: SidesPage, columns: int, lines: int, options: ViewOptions, look: Glyphs
) -> tuple[StyledText, ...]:
    """The verdict and the table, at most ``columns`` wide, and so many ``lines`` of them as there are: what comes last
    gives way, notes that only explain first.
    """
    verdict = _verdict(page, columns)
    table = _table(page, columns, options, look)
    room = lines - len(verdict) - len(table)
    notes = _notes(page, columns)
    blank: list[StyledText] = [((" ", TEXT),)]
    apart = blank if room > len(notes) else []
    return tuple([*verdict, *notes[: max(room, 0)], *apart, *table][: max(lines, 1)])


def least_table_lines(page: SidesPage, columns: int) -> int:
    """How many lines that takes. While there is no verdict yet, room is kept for it, so that the maps stay."""
    verdict, rows = len(_verdict(page, columns)), len(page.rows)
    if not page.is_whole:
        verdict, rows = max(verdict, EARLY_LINES), rows + EARLY_ROWS
    return verdict + 1 + rows + len(_notes(page, columns))


def _verdict(page: SidesPage, columns: int) -> list[StyledText]:
    """The sentences one behind the other, what stands out in bold."""
    spans: list[StyledSpan] = []
    for bold, plain in page.verdict:
        spans += [("  ", TEXT)] if spans else []
        spans += [(f"{bold} " if bold else "", STRONG), (plain, TEXT)]
    return wrap(tuple(spans), columns) if spans else []


def _notes(page: SidesPage, columns: int) -> list[StyledText]:
    """What limits the comparison."""
    return [line for note in page.notes for line in wrap(((note, NOTICE),), columns)]


def _table(page: SidesPage, columns: int, options: ViewOptions, look: Glyphs) -> list[StyledText]:
    """The heading and the rows, in aligned columns."""
    rows = [row[: WHERE_INTERVAL + (columns >= WITH_INTERVALS - 2)] for row in page.rows]
    if not rows:
        return []
    heads = _heads(page, rows, columns, options, look)
    widths = [max(width_of(heads[place]), *(text_width(row[place]) for row in rows)) for place in range(len(rows[0]))]
    lines = [_line(heads, widths)]
    for row in rows:
        cells: list[StyledText] = [((cell, _look_of(place)),) for place, cell in enumerate(row)]
        lines.append(_line(cells, widths))
    return [fitted(line, columns) for line in lines]


def _look_of(place: int) -> int:
    return {0: DIM, WHERE_CHANGED: STRONG, WHERE_INTERVAL: DIM}.get(place, TEXT)


def _heads(
    page: SidesPage, rows: Sequence[Sequence[str]], columns: int, options: ViewOptions, look: Glyphs
) -> list[StyledText]:
    """The heading, with the longest wordings of the times for which there is room."""
    first, second = page.heads
    change = f"{CHANGE} {first.name} to {second.name}"
    rest: list[StyledText] = [((change, DIM),)]
    if len(rows[0]) > WHERE_INTERVAL:
        rest.append(((INTERVAL, DIM),))
    lengths = product(*(range(len(head.when) + 1) for head in page.heads))
    for places in sorted(lengths, key=lambda one: (max(one), sum(one))):
        sides = [_side_head(head, place, options, look) for head, place in zip(page.heads, places, strict=True)]
        heads: list[StyledText] = [((page.label, STRONG),), *sides, *rest]
        wide = [max(width_of(head), *(text_width(row[at]) for row in rows)) for at, head in enumerate(heads)]
        if sum(wide) + APART * (len(wide) - 1) <= columns:
            break
    return heads


def _side_head(head: SideHead, place: int, options: ViewOptions, look: Glyphs) -> StyledText:
    """The chip of a side, and the wording of its time in one place of the list; none behind the last one."""
    chip = (look.chip.format(head.name), chip_style(head.name, options))
    if place >= len(head.when):
        return (chip,)
    return chip, (f" {head.when[place]}", TEXT)


def _line(cells: Sequence[StyledText], widths: Sequence[int]) -> StyledText:
    spans: list[StyledSpan] = []
    for cell, wide in zip(cells, widths, strict=True):
        spans += [*cell, (" " * (wide - width_of(cell) + APART), TEXT)]
    return tuple(spans[:-1])


# What gives way to the table: a map on a low screen, and the other texts below the maps.


BOTH_FROM = 34
"""Lines of the screen from which on both maps are drawn above the table."""


def has_table(page: SidesPage | None) -> bool:
    """Whether there is a table."""
    return page is not None and page.has_table


def maps_beside(page: SidesPage | None, options: ViewOptions, size: tuple[int, int]) -> tuple[str, ...]:
    """The maps that are wanted at a size (columns, lines)."""
    return options.maps[-1:] if has_table(page) and size[1] < BOTH_FROM else options.maps


def table_demand(page: SidesPage | None, size: tuple[int, int]) -> int:
    """How many lines the table takes; 0 if there is none."""
    return 0 if page is None or not page.has_table else least_table_lines(page, size[0] - 2)


def without_texts(below: Footer) -> Footer:
    """The lines below the maps without those that can wait."""
    return below._replace(changes=(), latest=None, others=(), events=(), tables=None)


def lines_of_table(
    page: SidesPage,
    notices: tuple[StyledText, ...],
    said: StyledText,
    options: ViewOptions,
    layout: Layout,
    look: Glyphs,
) -> tuple[StyledText, ...]:
    """The table in the lines below the maps, then what is hidden from them. What is ``said``, a message or the
    read-out, has the last of these lines.
    """
    room, width = layout.room_below, layout.columns - 2
    lines = sides_lines(page, width, max(room - len(notices) - bool(said), 1), options, look)
    lines = (*lines, *(fitted(notice, width) for notice in notices))
    if not said:
        return lines[:room]
    blank: StyledText = ((" ", TEXT),)
    return (*lines[: room - 1], *[blank] * (room - 1 - len(lines)), fitted(said, width))
