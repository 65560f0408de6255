"""Draws a comparison: title, verdict, maps with their numbers, table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...number_text import waited_unit
from ...text import text_width
from ...window import FloatArray
from ..layout.colour_scale import levels_of, wanted_maximum
from ..paint.canvas import Canvas, Cells
from ..paint.maps import CellBlock, level_cells, row_pairs
from ..style.glyphs import glyphs_of
from ..style.options import FREQUENCY, ViewOptions
from ..style.styled_text import StyledText, fitted, width_of
from ..style.styles import DIM, STRONG, TEXT, Ink, style
from ..two_selections import average_text, signed_text
from .maps import (
    difference_cells,
    difference_legend,
    difference_look,
    difference_scale,
    map_legend,
    row_labels,
    signed_levels,
)
from .plan import (
    GAP,
    LABELS,
    LEFT,
    NUMBERS,
    TITLE,
    ComparedMap,
    ComparisonPlan,
    ComparisonTexts,
    notes_start,
    title_lines,
)

_FRAME, _HATCH = style(Ink.FRAME), style(Ink.GAP)
LABEL_END = 7
AXIS = 8
SIDES = ("BEFORE", "AFTER")
DIFFERENCES = ("AFTER less BEFORE", "difference", "change")


def draw_comparison(
    plan: ComparisonPlan,
    texts: ComparisonTexts,
    maps: Sequence[ComparedMap],
    options: ViewOptions,
    *,
    plain: bool = False,
) -> Cells:
    """The page, as many lines high as it needs. ``maps``: one for each kind of the plan. ``plain``: see
    ``difference_look``.
    """
    return _Page(plan, texts, options, plain=plain).drawn(maps)


class _Page:
    """A page being drawn, from the top down."""

    def __init__(self, plan: ComparisonPlan, texts: ComparisonTexts, options: ViewOptions, *, plain: bool) -> None:
        self._plan = plan
        self._texts = texts
        self._scale = options.scale
        self._look = glyphs_of(options)
        self._differing = difference_look(options, plain=plain)
        self._canvas = Canvas(*plan.size, ascii_only=self._look.ascii_only)
        self._line = 0

    def drawn(self, maps: Sequence[ComparedMap]) -> Cells:
        self._title()
        for bold, plain in self._texts.verdict:
            self._put(((bold, STRONG), (plain, TEXT)))
        self._line += 1
        for one in maps:
            self._map(one)
        if maps:
            self._axis()
            self._line += 1
        self._table()
        lines = min(self._line, self._canvas.lines)
        cells = self._canvas.cells()
        return Cells(cells.chars[:lines], cells.styles[:lines])

    def _put(self, text: StyledText) -> None:
        self._canvas.put_text(self._line, LEFT, fitted(text, self._canvas.columns - LEFT))
        self._line += 1

    def _title(self) -> None:
        before, after, series = self._texts.title
        words = (TITLE, STRONG), (before, self._word(-1, bold=True)), ("->", DIM), (after, self._word(1, bold=True))
        looks = iter([look for word, look in (*words, (series, STRONG)) for sign in word if sign != " "])
        for line in title_lines(self._texts, self._canvas.columns):
            self._put(tuple((sign, next(looks, STRONG) if sign != " " else TEXT) for sign in line))

    def _word(self, sign: int, *, bold: bool = False) -> int:
        return self._differing.word_style(sign) | (STRONG if bold else TEXT)

    def _starts(self) -> list[int]:
        """The first columns of the maps."""
        return [LABELS + place * (self._plan.width + GAP) for place in range(self._plan.panels)]

    def _map(self, one: ComparedMap) -> None:
        """One quantity: BEFORE, AFTER, the differences, and averages as numbers."""
        half = self._look.coloured and len(one.values.before) > self._plan.rows
        maximum = wanted_maximum(np.concatenate((one.values.before, one.values.after), axis=1))
        differing = difference_scale(one.values.differences)
        self._heading(one, maximum, differing)
        starts = self._starts()
        for place, values in enumerate((one.values.before, one.values.after)):
            levels = levels_of(values, maximum, self._look.levels, self._scale)
            cells = level_cells(levels, self._look, is_frequency=one.kind == FREQUENCY, half=half)
            self._block(starts[place], cells, one.values.silent[place])
        for place, side in enumerate((0, 1) if self._plan.own else (1,), 2):
            levels = signed_levels(one.values.differences[side], differing, self._differing)
            silent = one.values.silent[side]
            if one.values.silent[0].all():
                silent = np.ones_like(silent)  # less than no data is no difference
            self._block(starts[place], difference_cells(levels, self._differing, half=half), silent)
        self._labels(one.bounds, half=half)
        self._numbers(one, half=half)
        used = -(-len(one.values.before) // 2) if half else len(one.values.before)
        self._line += used + (used < self._plan.rows and one.kind != self._plan.kinds[-1])

    def _block(self, start: int, cells: CellBlock, silent: FloatArray) -> None:
        """The cells of a map, each as wide as there is room; silent columns are hatched."""
        chars, styles = cells
        chars[:, silent > 0], styles[:, silent > 0] = ord(self._look.hatch), _HATCH
        wide = max(self._plan.width // max(chars.shape[1], 1), 1)
        chars, styles = np.repeat(chars, wide, axis=1), np.repeat(styles, wide, axis=1)
        self._canvas.put_block(
            self._line, start, chars[:, : self._plan.width], styles[:, : self._plan.width], wide=False
        )

    def _heading(self, one: ComparedMap, maximum: float, differing: float) -> None:
        is_frequency = one.kind == FREQUENCY
        name = "FREQUENCY" if is_frequency else "INTENSITY"
        what = self._texts.noun if is_frequency else f"{map_unit(one)[1].partition('/')[0]} waited"
        ink = style(Ink.FREQUENCY if is_frequency else Ink.INTENSITY, bold=True)
        starts, width = self._starts(), self._plan.width
        end = starts[1] + width
        legend = map_legend(one.kind, maximum, self._look, end - LEFT - len(name) - 2)
        room = end - width_of(legend) - 2 - LEFT - len(name)
        about = next((text for text in (f"  {what} per second", f"  {what}/s", "") if text_width(text) <= room), "")
        if about and not is_frequency and self._texts.estimated:
            about += next((text for text in (" (estimated)", " (est.)") if text_width(about + text) <= room), "")
        column = self._canvas.put(self._line, LEFT, name, ink)
        self._canvas.put(self._line, column, about, DIM)
        self._canvas.put_text(self._line, end - width_of(legend), legend)
        other = difference_legend(one.kind, differing, self._differing, width)
        self._canvas.put_text(self._line, starts[-1] + width - width_of(other), other)
        for place, (text, look) in enumerate(self._number_heads()):
            self._right(place, text, look)
        self._line += 1

    def _number_heads(self) -> list[tuple[str, int]]:
        heads = [("before", self._word(-1)), ("after", self._word(1)), ("change", DIM)]
        return heads[-self._plan.numbers :]

    def _right(self, place: int, text: str, look: int, below: int = 0) -> None:
        """A text that ends where a column of numbers does."""
        end = self._starts()[-1] + self._plan.width + (place + 1) * NUMBERS
        self._canvas.put(self._line + below, end - text_width(text), text, look)

    def _labels(self, bounds: FloatArray, *, half: bool) -> None:
        """Those of the rows, and the frame beside them."""
        labels = row_labels(bounds, half=half)
        for offset, label in enumerate(labels):
            self._canvas.put(self._line + offset, LABEL_END - len(label), label, DIM)
        for start in self._starts():
            self._canvas.put_down(self._line, start - 1, self._look.vertical, _FRAME, len(labels))

    def _numbers(self, one: ComparedMap, *, half: bool) -> None:
        """The averages of both sides and their difference, for each line."""
        factor = 1.0 if one.kind == FREQUENCY else map_unit(one)[0]
        before, after = (sums_per_line(part * factor, half=half) for part in one.values.averages)
        for line, (was, now) in enumerate(zip(before, after, strict=True)):
            cells = [(average_text(value, self._look), TEXT if value > 0 else DIM) for value in (was, now)]
            change = now - was
            text = signed_text(change, self._look)
            cells += [(text, self._word(1 if change > 0 else -1) if abs(change) >= 0.5 else DIM)]
            for place, (number, look) in enumerate(cells[-self._plan.numbers :]):
                self._right(place, number, look, line)

    def _axis(self) -> None:
        """The lower frame of the maps, and below it which is which and when it was."""
        width = self._plan.width
        less = next(text for text in DIFFERENCES if len(text) <= width)
        names = [
            ((SIDES[0], self._word(-1, bold=True)), (self._texts.spans[0], DIM)),
            ((SIDES[1], self._word(1, bold=True)), (self._texts.spans[1], DIM)),
            *([(("BEFORE less its average", TEXT), ("", TEXT))] if self._plan.own else []),
            ((less, TEXT), ("", TEXT)),
        ]
        for start, (name, span) in zip(self._starts(), names, strict=True):
            self._canvas.put(self._line, start - 1, self._look.corner + self._look.horizontal * width, _FRAME)
            said = (name, (f" {span[0]}", span[1])) if len(name[0]) + len(span[0]) < width else (name,)
            self._canvas.put_text(self._line + 1, start, fitted(said, width))
        heads = "blank: noise"
        if self._plan.numbers == 3:
            self._canvas.put(self._line + 1, self._starts()[-1] + width + NUMBERS * 3 - len(heads), heads, DIM)
        self._line += 2

    def _table(self) -> None:
        """The table, and the notes beside it or below."""
        texts = self._texts
        top = self._line
        for number, row in enumerate(texts.table):
            self._put(((row, DIM if number == 0 else TEXT),))
        start = notes_start(texts.table) if self._plan.beside else LEFT
        line = top if self._plan.beside else self._line + bool(self._plan.notes)
        for note in texts.notes:
            if line + len(note) > self._canvas.lines:
                break  # no half sentences
            for text in note:
                self._canvas.put(line, start, text, DIM)
                line += 1
        self._line = max(self._line, line)


def map_unit(one: ComparedMap) -> tuple[float, str]:
    """Factor and unit of the numbers beside a map of the time waited."""
    return waited_unit(float(max(np.nansum(part) for part in one.values.averages)))


def sums_per_line(values: FloatArray, *, half: bool) -> list[float]:
    """The sums of the rows of each line, from the top."""
    upper, lower = row_pairs(values[:, None], half=half)
    both: FloatArray = upper if not half else upper + lower
    return [float(value) for value in both[:, 0]]
