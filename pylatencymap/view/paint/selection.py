"""Paints the user's selection: all else is dimmed, and it has corners where there is room for them."""

from collections.abc import Sequence

from ..layout.layout import MAP_COLUMN, Layout
from ..style.glyphs import Glyphs
from ..style.options import ViewOptions
from ..style.styles import FADED_BIT, STRONG
from ..two_selections import LEFT_OF_SCREEN, SideBrace, chip_style, word_style
from ..wording.selection import SelectedCells
from .canvas import BLANK, Area, Board, Canvas, StyleArray


def fade_outside(styles: StyleArray, selected: SelectedCells, cell_width: int, lines: int) -> None:
    """Dim the cells of a map [its ``lines``, and one of totals] that are not selected."""
    left, right = selected.first * cell_width, (selected.last + 1) * cell_width
    styles[:, :left] |= FADED_BIT
    styles[:, right:] |= FADED_BIT
    styles[: selected.top, left:right] |= FADED_BIT
    styles[selected.bottom + 1 : lines, left:right] |= FADED_BIT


def paint_corners(canvas: Canvas, selected: SelectedCells, look: Glyphs, top: int, left: int, cell_width: int) -> None:
    """Put corners beside the selection; where nothing is dimmed, also over cells. Without colours, brackets on all its
    lines.
    """
    before, after = left + selected.first * cell_width - 1, left + (selected.last + 1) * cell_width
    lines = range(top + selected.top, top + selected.bottom + 1)
    if not look.coloured:
        for line in lines:
            _put(canvas, line, before, "[", over=True)
            _put(canvas, line, after, "]", over=True)
        return
    signs = look.corners if len(lines) > 1 else "[][]"
    for line, place in ((lines[0], 0), (lines[-1], 2)):
        _put(canvas, line, before, signs[place], over=not selected.fades)
        _put(canvas, line, after, signs[place + 1], over=not selected.fades)


def _put(canvas: Canvas, line: int, column: int, sign: str, *, over: bool) -> None:
    """Put a sign if it hides nothing, or ``over`` what is there."""
    if not (0 <= column < canvas.columns and 0 <= line < canvas.lines):
        return
    free = canvas.chars[line, column] == BLANK and int(canvas.styles[line, column]) & ~FADED_BIT == 0
    if free or over:
        canvas.put(line, column, sign, STRONG)


# The braces of A and B, between the maps and the time axis.


_ENDS = ("├", "┤")


def paint_braces(
    board: Board, braces: tuple[SideBrace, ...], columns: int, layout: Layout, look: Glyphs, options: ViewOptions
) -> None:
    """The line of the braces, as a block of the board."""
    line = layout.brace_line
    board.block(
        Area(line, 0, line + 1, layout.columns),
        braces,
        lambda canvas: _paint_braces(canvas, braces, columns, layout, look, options),
    )


def _paint_braces(
    canvas: Canvas, braces: Sequence[SideBrace], columns: int, layout: Layout, look: Glyphs, options: ViewOptions
) -> None:
    """Paint a line from end to end of each side, with its name in the middle; the name alone, with an arrow, at the
    edge of the maps where a side is not on the screen.
    """
    line, first = layout.brace_line, layout.right - columns * layout.cell_width
    for one in braces:
        if one.first < 0:
            _paint_away(canvas, line, one, layout, look, options)
            continue
        left = first + one.first * layout.cell_width
        right = first + (one.last + 1) * layout.cell_width - 1
        begin, end = ("|", "|") if look.ascii_only else _ENDS
        text = begin + look.horizontal * (right - left - 1) + end if right > left else ""
        canvas.put(line, left, text, word_style(one.name, options))
    shown = sorted((one for one in braces if one.first >= 0), key=lambda one: (one.first, one.last))
    chips = [_chip_of(one, first, layout, look) for one in shown]
    for one, (text, start) in zip(shown, _side_by_side(chips, layout.right), strict=True):
        canvas.put(line, start, text, chip_style(one.name, options))


def _chip_of(one: SideBrace, first: int, layout: Layout, look: Glyphs) -> tuple[str, int]:
    """The name of a side, and the column at which it would be in the middle of its brace; without its blanks where the
    brace is narrow.
    """
    width = (one.last - one.first + 1) * layout.cell_width
    chip = look.chip.format(one.name)
    text = chip if width >= len(chip) else one.name
    return text, max(first + one.first * layout.cell_width + (width - len(text)) // 2, MAP_COLUMN)


def _side_by_side(chips: list[tuple[str, int]], right: int) -> list[tuple[str, int]]:
    """The names from left to right, moved where they would lie over each other or beyond the maps."""
    placed: list[tuple[str, int]] = []
    end = 0
    for text, start in chips:
        start = max(start, end)
        end = start + len(text)
        placed.append((text, start))
    limit = right
    for place in range(len(placed) - 1, -1, -1):
        text, start = placed[place]
        limit = min(start, limit - len(text))
        placed[place] = text, limit
    return placed


def _paint_away(canvas: Canvas, line: int, one: SideBrace, layout: Layout, look: Glyphs, options: ViewOptions) -> None:
    """The name of a side that lies before or after what is on the screen, beside the maps, with an arrow."""
    chip, place = look.chip.format(one.name), one.name != "A"
    if one.first == LEFT_OF_SCREEN:
        canvas.put(line, 1, "<", STRONG)
        canvas.put(line, 2 + place * len(chip), chip, chip_style(one.name, options))
    else:
        start = layout.right + 1
        canvas.put(line, start + place * len(chip), chip, chip_style(one.name, options))
        canvas.put(line, start + 2 * len(chip), ">", STRONG)
