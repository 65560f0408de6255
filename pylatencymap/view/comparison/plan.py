"""Decides what of a comparison a screen has room for, and where it stands.

From top to bottom: the title, the verdict, the maps, the table. BEFORE, AFTER and the differences stand beside each
other. What gives way first are the notes, then the map of the frequency, then all maps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...analysis import SideBySide
from ...text import text_width, wrap
from ...window import FloatArray

LABELS = 9
"""Columns of the labels and of the axis, left of the maps."""
GAP = 2
"""Blank columns between two maps."""
NUMBERS = 9
"""Columns of each column of numbers right of the maps."""
WIDE = 100
"""Columns from which on both averages stand beside the maps, and not only the change."""
ROOMY = 150
"""Columns from which on BEFORE has its own differences."""
LEFT = 1
"""Blank columns at the left edge."""
NOTES_GAP = 4
NOTES_BESIDE = 118
"""Columns from which on notes stand beside the table."""
LEAST_WIDTH = 8
"""Columns of a map; with less room there is none."""
LEAST_ROWS = 4
"""Lines of a map; with less room there is none."""
BOTH_FROM, ONE_FROM = 34, 26
"""Lines of a page from which on both maps, and one map, are drawn."""


class ComparisonTexts(NamedTuple):
    """What is written around the maps.

    title     the files and the series
    verdict   lines, each as what stands out, and the rest
    table     lines; the first is the heading
    notes     in lines as wide as ``notes_room``: what was read, how the verdict came about, what cannot be compared
    spans     when BEFORE and AFTER were, as short as it goes
    noun      what the events are called
    estimated whether the time waited is estimated
    """

    title: tuple[str, str, str]
    verdict: tuple[tuple[str, str], ...]
    table: tuple[str, ...]
    notes: tuple[tuple[str, ...], ...]
    spans: tuple[str, str]
    noun: str
    estimated: bool


class ComparedMap(NamedTuple):
    """One quantity on both sides: its ``kind``, frequency or intensity; its ``values``; ``bounds`` [rows + 1] of rows,
    in seconds.
    """

    kind: str
    values: SideBySide
    bounds: FloatArray


class ComparisonPlan(NamedTuple):
    """``kinds``: which maps are drawn; ``width``: columns of each; ``rows``: lines of each. ``own``: BEFORE has its own
    differences; ``numbers``: how many columns of numbers there are; ``beside``: notes stand beside the table;
    ``notes``: lines for notes below it.
    """

    size: tuple[int, int]
    kinds: tuple[str, ...]
    width: int
    rows: int
    own: bool
    numbers: int
    beside: bool
    notes: int

    @property
    def panels(self) -> int:
        """How many maps stand beside each other."""
        return 4 if self.own else 3


TITLE = "compare"


def title_lines(texts: ComparisonTexts, columns: int) -> list[str]:
    """The title on a page so wide."""
    before, after, series = texts.title
    return wrap(f"{TITLE}  {before} -> {after}  {series}", columns - LEFT)


def notes_room(columns: int, table: Sequence[str]) -> int:
    """How many columns notes have, on a page so wide, beside the table or below it."""
    return columns - notes_start(table) if columns >= NOTES_BESIDE else columns - LEFT


def notes_start(table: Sequence[str]) -> int:
    """The column at which notes beside the table begin."""
    return LEFT + max(map(text_width, table), default=0) + NOTES_GAP


def plan_comparison(size: tuple[int, int], texts: ComparisonTexts, kinds: tuple[str, ...]) -> ComparisonPlan:
    """The plan for a page of ``size`` (columns, lines); ``kinds``: the maps that are wanted. The verdict and the table
    are never cut: the page has more lines if they need them.
    """
    columns, lines = size
    notes = sum(map(len, texts.notes))
    own, numbers = columns >= ROOMY, 3 if columns >= WIDE else 1
    panels = 4 if own else 3
    width = (columns - LABELS - (panels - 1) * GAP - numbers * NUMBERS - 1) // panels
    beside = columns >= NOTES_BESIDE
    shown = kinds if lines >= BOTH_FROM else kinds[-1:] if lines >= ONE_FROM else ()
    if width < LEAST_WIDTH:
        shown = ()
    fixed = len(title_lines(texts, columns)) + len(texts.verdict) + 1 + len(texts.table)
    while shown:
        below = 0 if beside else notes
        for kept in (below, 0):
            rows = (lines - fixed - kept - bool(kept) - 3) // len(shown) - 1
            if rows >= LEAST_ROWS:
                return ComparisonPlan(size, shown, width, rows, own, numbers, beside, kept)
        shown = shown[1:]
    below = 0 if beside else min(notes, max(lines - fixed - 1, 0))
    return ComparisonPlan((columns, max(lines, fixed)), (), width, 0, own, numbers, beside, below)
