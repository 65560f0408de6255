"""Comparisons as text without maps, and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from ...text import text_width, wrap
from ..markdown_text import picture_link, plain
from .compared import SeriesComparison
from .side_facts import SideFacts, files_words, short_verdict
from .table import TableRow, table_rows
from .verdict import method_words, verdict_words

HEADS = TableRow("", "BEFORE", "AFTER", "change", "95 % interval")
LEAST_COLUMNS = 24
WIDE = 76
"""Columns from which on a table has the intervals."""
FEWEST_CELLS = 4
"""What a table has of each row at least: its name, the figures of both sides, and the change; a list has them else."""
LIST_HEAD = "BEFORE -> AFTER"
LEAST_FIGURES = 24
"""Columns behind the names of a list."""


def text_page(found: SideFacts, columns: int) -> str:
    """The verdict, the sides and the table of the first series, then the verdicts of the others."""
    columns = max(columns, LEAST_COLUMNS)
    first = found.series[0]
    lines = [f"{bold}{rest}" for bold, rest in verdict_lines(first, columns)]
    lines += ["", *side_lines(found, first, columns), ""]
    lines += table_lines(first, columns)
    for note in notes(found, first):
        lines += ["", *wrap(note, columns)]
    for one in found.series[1:]:
        lines += ["", *wrap(short_verdict(one), columns, 0, 2)]
    return "\n".join(lines) + "\n"


def verdict_lines(one: SeriesComparison, columns: int) -> list[tuple[str, str]]:
    """The verdict in lines of at most so many columns, each as the part that stands out, and the rest."""
    found = []
    for head, rest in verdict_words(one):
        left = len(head.replace(" ", ""))
        for line in wrap(f"{head} {rest}".strip(), columns):
            place = 0
            while left and place < len(line):
                left -= line[place] != " "
                place += 1
            found.append((line[:place], line[place:]))
    return found


def side_lines(found: SideFacts, one: SeriesComparison, columns: int) -> list[str]:
    """A line for each side: what was read, when, how much."""
    named = [f"{name:8}{found.side_words(side, one)}" for side, name in enumerate(("BEFORE", "AFTER"))]
    return [part for line in (f"{'series':8}{one.pair.shown}", *named) for part in _hanging(line, columns)]


def _hanging(line: str, columns: int) -> list[str]:
    """A line with a word in its first eight columns, below which further lines leave room."""
    return [f"{before:8}{part}" for before, part in zip_longest([line[:8]], wrap(line[8:], columns - 8), fillvalue="")]


def notes(found: SideFacts, one: SeriesComparison) -> list[str]:
    """How the verdict came about, and what could not be compared."""
    untimed = "" if one.timed else "There are no rates and no maps, because the length of an interval is not known."
    return [*found.mark_lines(one), *filter(None, (method_words(one), untimed)), *_limits(found)]


def _limits(found: SideFacts) -> list[str]:
    said = [limit.text for limit in found.limits]
    return said + ([f"{found.bad} bad record{'' if found.bad == 1 else 's'} left out."] if found.bad else [])


def table_lines(one: SeriesComparison, columns: int) -> list[str]:
    """The table in aligned columns, the numbers at their right ends; without intervals where there is no room, and as
    a list where there is none for the changes either.
    """
    rows = [HEADS, *table_rows(one)]
    widths = [max(text_width(row[place]) for row in rows) for place in range(len(HEADS) - (columns < WIDE))]
    while len(widths) > FEWEST_CELLS and sum(widths) + 2 * (len(widths) - 1) > columns:
        widths.pop()
    if sum(widths) + 2 * (len(widths) - 1) > columns:
        return [LIST_HEAD, *(line for row in rows[1:] for line in _listed(row, widths[0], columns))]
    return [_line(row, widths) for row in rows]


def _listed(row: TableRow, width: int, columns: int) -> list[str]:
    """``p99  15.3 ms -> 23.0 ms, x 1.51``, the figures below each other where there is room for two of them."""
    rest = ", ".join(filter(None, (f"{row.before} -> {row.after}", row.change)))
    if columns < width + LEAST_FIGURES:
        return wrap(f"{row.label.strip()} {rest}", columns, 0, 2)
    return wrap(f"{row.label:{width}}  {rest}", columns, 0, width + 2)


def _line(row: TableRow, widths: list[int]) -> str:
    cells = [row.label + " " * (widths[0] - text_width(row.label))]
    cells += [" " * (width - text_width(cell)) + cell for cell, width in zip(row[1:], widths[1:], strict=False)]
    return "  ".join(cells).rstrip()


def markdown_page(found: SideFacts, conditions: Sequence[str] = (), picture: str | None = None) -> str:
    """All series, and sentences about ``conditions``; names from outside cannot become markup. ``picture``: the name
    of one, which is shown at the end of the first series.
    """
    lines = [*_markdown(found, picture)]
    if conditions:
        lines += ["", "### Conditions", "", *(f"- {plain(sentence)}" for sentence in conditions)]
    return "\n".join(lines) + "\n"


def _markdown(found: SideFacts, picture: str | None) -> Iterator[str]:
    for place, one in enumerate(found.series):
        yield from ([""] if place else [])
        yield f"## {plain(one.pair.shown)}"
        for head, rest in verdict_words(one):
            yield from ("", (f"**{plain(head)}** {plain(rest)}" if head else plain(rest)).strip())
        yield ""
        for side, name in enumerate(("BEFORE", "AFTER")):
            yield f"- {name}: {plain(found.side_words(side, one))}"
        yield from ("", f"| {' | '.join(HEADS)} |", f"|{' --- |' * len(HEADS)}")
        yield from (f"| {' | '.join(plain(cell.strip()) for cell in row)} |" for row in table_rows(one))
        if method := method_words(one):
            yield from ("", plain(method))
        if picture is not None and not place:
            yield from ("", picture_link(picture, " -> ".join(map(files_words, found.files)) or one.pair.shown))
    for text in (*_limits(found), *found.mark_lines(found.series[0])):
        yield from ("", plain(text))
