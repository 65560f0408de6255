"""The difference map of two sides in place of their maps: what each cell has more, or less, than the earlier one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...text import fit, text_width
from ...text.clean import printable
from ...window import FloatArray
from ..layout.sides import SideHead, SidesPage
from ..layout.status import Status
from ..paint.canvas import Canvas, Cells
from ..style.glyphs import glyphs_of
from ..style.options import FREQUENCY, ViewOptions
from ..style.styled_text import StyledText, fitted, width_of, wrap
from ..style.styles import DIM, NOTICE, STRONG, TEXT, Ink, style
from ..two_selections import average_text, chip_style, sides_lines, signed_text, word_style
from ..wording.captions import fitting_hints
from .drawing import map_unit, sums_per_line
from .maps import difference_cells, difference_legend, difference_look, difference_scale, row_labels, signed_levels
from .plan import GAP, LABELS, LEFT, NUMBERS, ComparedMap

BOTH_HALVES = 100
"""Columns of the screen from which on the earlier side, too, is drawn: how far it differs from itself."""
BOTH_MAPS = 34
"""Lines of the screen from which on there is a map of each quantity."""
MOST_VERDICT = 3
LEAST_TABLE = 2
"""Lines of a table of figures below the maps: its heading and a row."""
CHIP = "DIFFERENCE"
LEGENDS = (
    ("each cell less the average of {} in its row", "blank: noise, or under 1/200 of the scale"),
    ("each cell less the average of {} in its row", "blank: noise"),
    ("less the average of {}", "blank: noise"),
)
"""How to read it, the fullest wording first."""
_LABEL_END = 7
_FRAME, _HATCH = style(Ink.FRAME), style(Ink.GAP)


class DifferencePlan(NamedTuple):
    """What has room: ``kinds`` of maps, of ``rows`` lines each; ``halves``, 2 or the later side alone, of ``width``
    columns; ``verdict``: its lines.
    """

    size: tuple[int, int]
    kinds: tuple[str, ...]
    rows: int
    width: int
    halves: int
    verdict: int

    @property
    def numbers(self) -> int:
        """Columns of numbers right of the maps: both sides and the change, or the change alone."""
        return 3 if self.halves == 2 else 1


def plan_difference(size: tuple[int, int], options: ViewOptions) -> DifferencePlan:
    """What there is room for at a size (columns, lines)."""
    columns, lines = size
    kinds = options.maps if lines >= BOTH_MAPS else options.maps[-1:]
    halves = 2 if columns >= BOTH_HALVES else 1
    numbers = (3 if halves == 2 else 1) * NUMBERS
    width = max((columns - LABELS - (halves - 1) * GAP - numbers - 1) // halves, 1)
    verdict = min(MOST_VERDICT, max(lines // 8, 1))  # whether it is known or not, so that the maps stay
    # The title, the axis with both names, how to read it, and the keys.
    rows = (lines - 1 - verdict - 2 - 1 - 1) // len(kinds) - 2
    return DifferencePlan(size, kinds, max(rows, 1), width, halves, verdict)


def _verdict(page: SidesPage, columns: int) -> list[StyledText]:
    spans: list[tuple[str, int]] = []
    for bold, plain in page.verdict:
        spans += [(f"{bold} " if bold else "", STRONG), (f"{plain}  ", TEXT)]
    return wrap(tuple(spans), columns)


def draw_difference(
    plan: DifferencePlan,
    page: SidesPage,
    status: Status,
    noun: str,
    maps: Sequence[ComparedMap] | None,
    options: ViewOptions,
) -> Cells:
    """The screen. ``noun``: what the events are called; ``maps``: one for each kind of the plan; none where there is
    nothing to compare; None: not yet.
    """
    return _DifferencePage(plan, page, status, noun, options).drawn(maps)


def _named_sides(page: SidesPage, options: ViewOptions) -> tuple[tuple[str, int], tuple[str, int]]:
    """The name of each side, and its time; of a baseline also which file."""
    first, second = (
        (f"{head.name} {head.when[0] if head.when else ''}".strip(), word_style(head.name, options))
        for head in page.heads[:2]
    )
    return first, second


class _DifferencePage:
    """A page being drawn, from the top down."""

    def __init__(self, plan: DifferencePlan, page: SidesPage, status: Status, noun: str, options: ViewOptions) -> None:
        self._plan = plan
        self._page = page
        self._status = status
        self._noun = noun
        self._estimated = any("estimated" in row[-1] for row in page.rows)
        self._options = options
        self._look = glyphs_of(options)
        self._differing = difference_look(options)
        self._canvas = Canvas(*plan.size, ascii_only=self._look.ascii_only)
        self._line = 0

    def drawn(self, maps: Sequence[ComparedMap] | None) -> Cells:
        canvas, (columns, lines) = self._canvas, self._plan.size
        room = columns - 2 * LEFT
        self._title(room)
        for line in _verdict(self._page, room)[: self._plan.verdict]:
            self._put(line)
        self._line = 1 + self._plan.verdict
        for one in maps or ():
            self._map(one)
        if maps:
            self._axis()
            self._table(room)
        else:
            self._put((("there is nothing to compare" if maps is not None else "comparing ...", DIM),))
        message: StyledText = ((printable(self._status.message), NOTICE),) if self._status.message else ()
        canvas.put_text(lines - 2, LEFT, fitted(message or self._legend_text(), room))
        canvas.put_text(lines - 1, LEFT, fitted(fitting_hints(list(self._status.keys), room), room))
        return canvas.cells()

    def _title(self, room: int) -> None:
        """The series, that it is a difference, and of what."""
        chip = (self._look.chip.format(CHIP), style(bold=True, reverse=True))
        words = _named_sides(self._page, self._options)
        named = (fit(printable(self._page.label), max(room // 4, 8)), STRONG)
        self._put((named, ("  ", TEXT), chip, ("  ", TEXT), words[0], (" -> ", DIM), words[1]))

    def _put(self, text: StyledText) -> None:
        if self._line < self._plan.size[1] - 2:
            self._canvas.put_text(self._line, LEFT, fitted(text, self._plan.size[0] - 2 * LEFT))
        self._line += 1

    def _heads(self) -> tuple[SideHead, SideHead]:
        return self._page.heads[0], self._page.heads[1]

    def _starts(self) -> list[int]:
        """The first columns of the halves."""
        return [LABELS + place * (self._plan.width + GAP) for place in range(self._plan.halves)]

    def _map(self, one: ComparedMap) -> None:
        """The differences of one quantity on one scale, and the averages of both sides as numbers."""
        half = self._differing.coloured and self._look.half and len(one.values.before) > self._plan.rows
        maximum = difference_scale(one.values.differences)
        self._heading(one, maximum)
        for start, side in zip(self._starts(), (0, 1) if self._plan.halves == 2 else (1,), strict=True):
            levels = signed_levels(one.values.differences[side], maximum, self._differing)
            chars, styles = difference_cells(levels, self._differing, half=half)
            silent = one.values.silent[side] > 0
            chars[:, silent], styles[:, silent] = ord(self._look.hatch), _HATCH
            wide = max(self._plan.width // max(chars.shape[1], 1), 1)
            chars, styles = np.repeat(chars, wide, axis=1), np.repeat(styles, wide, axis=1)
            room = slice(self._plan.width)
            self._canvas.put_block(self._line, start, chars[:, room], styles[:, room], wide=False)
        self._labels(one.bounds, half=half)
        self._numbers(one, half=half)
        self._line += -(-len(one.values.before) // 2) if half else len(one.values.before)

    def _heading(self, one: ComparedMap, maximum: float) -> None:
        is_frequency = one.kind == FREQUENCY
        name = "FREQUENCY" if is_frequency else "INTENSITY"
        what = self._noun if is_frequency else f"{map_unit(one)[1].partition('/')[0]} waited"
        about = f"  {what} per second"
        about += " (estimated)" if self._estimated and not is_frequency else ""
        end = self._starts()[-1] + self._plan.width
        legend = difference_legend(one.kind, maximum, self._differing, end - LEFT - len(name) - 2)
        ink = style(Ink.FREQUENCY if is_frequency else Ink.INTENSITY, bold=True)
        column = self._canvas.put(self._line, LEFT, name, ink)
        if column + text_width(about) + width_of(legend) + 1 <= end:
            self._canvas.put(self._line, column, about, DIM)
        self._canvas.put_text(self._line, end - width_of(legend), legend)
        heads = [(head.name, word_style(head.name, self._options)) for head in self._heads()]
        for place, (text, look) in enumerate([*heads, ("change", DIM)][-self._plan.numbers :]):
            self._right(place, text, look, self._line)
        self._line += 1

    def _right(self, place: int, text: str, look: int, line: int) -> None:
        """A text that ends where a column of numbers does."""
        end = self._starts()[-1] + self._plan.width + (place + 1) * NUMBERS
        self._canvas.put(line, end - text_width(text), text, look)

    def _labels(self, bounds: FloatArray, *, half: bool) -> None:
        """Those of the rows, and the frame beside them."""
        labels = row_labels(bounds, half=half)
        for offset, label in enumerate(labels):
            self._canvas.put(self._line + offset, _LABEL_END - len(label), label, DIM)
        for start in self._starts():
            self._canvas.put_down(self._line, start - 1, self._look.vertical, _FRAME, len(labels))

    def _numbers(self, one: ComparedMap, *, half: bool) -> None:
        """The averages of both sides and their difference, for each line, whatever is blank."""
        factor = 1.0 if one.kind == FREQUENCY else map_unit(one)[0]
        before, after = (sums_per_line(part * factor, half=half) for part in one.values.averages)
        for line, (was, now) in enumerate(zip(before, after, strict=True), self._line):
            cells = [(average_text(value, self._look), TEXT if value > 0 else DIM) for value in (was, now)]
            change = now - was
            ink = self._differing.word_style(1 if change > 0 else -1) if abs(change) >= 0.5 else DIM
            cells.append((signed_text(change, self._look), ink))
            for place, (number, look) in enumerate(cells[-self._plan.numbers :]):
                self._right(place, number, look, line)

    def _axis(self) -> None:
        """The lower frame of the halves, and below it which side is which, and when it was."""
        heads, width = self._heads(), self._plan.width
        for start, head in zip(self._starts(), heads[-self._plan.halves :], strict=True):
            self._canvas.put(self._line, start - 1, self._look.corner + self._look.horizontal * width, _FRAME)
            chip = (self._look.chip.format(head.name), chip_style(head.name, self._options))
            when = next((f" {text}" for text in head.when if len(text) + 4 <= width), "")
            self._canvas.put_text(self._line + 1, start, fitted((chip, (when, DIM)), width))
        self._line += 2

    def _table(self, room: int) -> None:
        """The table of figures in the lines that are left, if they are enough for its heading and a row."""
        left = self._plan.size[1] - 2 - self._line - 1
        if left < LEAST_TABLE:
            return
        self._line += 1
        for line in sides_lines(self._page._replace(verdict=()), room, left, self._options, self._look):
            self._put(line)

    def _legend_text(self) -> StyledText:
        """How to read it."""
        fewer, more = (self._differing.word_style(sign) for sign in (-1, 1))
        look = self._differing
        signs = ("", "") if look.coloured else (f" {look.fewer[-1]}", f" {look.more[-1]}")
        name, room = self._heads()[0].name, self._canvas.columns - 2 * LEFT
        words: tuple[StyledText, ...] = tuple(
            (
                (f"{less.format(name)}: ", DIM),
                (f"fewer{signs[0]}", fewer | STRONG),
                ("  ", TEXT),
                (f"more{signs[1]}", more | STRONG),
                (f"   {blank}", DIM),
            )
            for less, blank in LEGENDS
        )
        return next((text for text in words if width_of(text) <= room), words[-1])


# The table of A and B alone, on a screen that is too low for maps beside it.


ALONE_BELOW = 26
"""Lines of the screen below which the table stands alone."""


def is_alone(page: SidesPage | None, size: tuple[int, int]) -> bool:
    """Whether there is a table, and at a size (columns, lines) no room for maps beside it."""
    return page is not None and page.has_table and size[1] < ALONE_BELOW


def draw_table_page(page: SidesPage, status: Status, size: tuple[int, int], options: ViewOptions) -> Cells:
    """Title, verdict, table; the last line but the key hints is for messages."""
    columns, lines = size
    look, room = glyphs_of(options), columns - 2 * LEFT
    canvas = Canvas(columns, lines, ascii_only=look.ascii_only)
    label = fit(printable(page.label), max(room // 2, 8))
    chip = (look.chip.format(page.chip), style(bold=True, reverse=True))
    state: StyledText = () if status.finished else ((f"  {printable(status.state)}", TEXT),)
    first, second = _named_sides(page, options)
    title = ((label, STRONG), ("  ", TEXT), chip, *state, ("  ", TEXT), first, ("   ", DIM), second)
    canvas.put_text(0, LEFT, fitted(title, room))
    said = (printable(status.message), NOTICE) if status.message else None
    below = 1 + bool(status.keys) + (said is not None)
    for number, line in enumerate(sides_lines(page, room, max(lines - below, 1), options, look), 1):
        canvas.put_text(number, LEFT, fitted(line, room))
    if said is not None:
        canvas.put_text(lines - 1 - bool(status.keys), LEFT, fitted((said,), room))
    canvas.put_text(lines - 1, LEFT, fitted(fitting_hints(list(status.keys), room), room))
    return canvas.cells()
