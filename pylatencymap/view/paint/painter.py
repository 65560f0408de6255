"""Paints a frame as cells, block by block."""

from typing import NamedTuple

import numpy as np

from ..frame.frame import MERGED_SIGN, Frame, MapPanel
from ..last_picture import LastPicture
from ..layout.layout import AXIS_COLUMN, BAR_START, MAP_COLUMN, NUMBER_END, Layout
from ..style.glyphs import Glyphs
from ..style.options import ViewOptions
from ..style.styled_text import StyledText, width_of
from ..style.styles import BLANK_BITS, DIM, STRONG, TEXT, Ink, style
from ..wording.overview import LABEL, STEPS, OverviewLine
from ..wording.selection import SelectedCells
from ..wording.time_axis import label_starts
from .canvas import BLANK, Area, Board, Canvas, Cells
from .legend import legend_texts
from .maps import map_cells, unknown_cells
from .numbers import MapNumbers, all_numbers, paint_numbers, paint_side_heads
from .percentiles import paint_strip
from .selection import paint_braces, paint_corners

_FRAME = style(Ink.FRAME)
_CURSOR = style(reverse=True)
_LIMIT = style(Ink.MARK)
_LETTER = style(Ink.MARK, bold=True)
_CLIP = style(Ink.CLIP_TEXT, Ink.CLIP, bold=True)
_LIMIT_SIGN = "▸"
_LEFT = 1
_REST, _SHOWN, _NARROW, _SILENT = (
    style(Ink.TOTAL, Ink.BOX),
    style(Ink.CLIP, Ink.BOX),
    style(Ink.CHIP_WAIT, Ink.BOX),
    style(Ink.GAP, Ink.BOX),
)
NARROW = 3
"""A shown part of less characters stands out more."""
LEAST_FOR_LEGEND = 48
"""Characters; above narrower maps, legends are short."""
_LABEL_END = 7
LABELS, PAIRED_LABELS = "latency, up to", "latency at the middle of each line"
SAME_SCALE = "same scale"


class _Legends(NamedTuple):
    """The legends of all maps, and the column at which they end."""

    texts: list[StyledText]
    end: int


def paint_frame(frame: Frame, layout: Layout, look: Glyphs, options: ViewOptions, last: LastPicture) -> Cells:
    """All cells of a frame, in the size of the layout. A block is painted only if what it shows has changed."""
    scale = options.scale

    def make() -> Board:
        return Board(layout.columns, layout.lines, ascii_only=look.ascii_only)

    # A board is reused only if no blocks overlap. The cursor is painted over blocks; with too few lines they overlap.
    stays = frame.cursor is None and frame.selected is None and layout.room_below >= 0
    board = last.kept("board", (layout, look), make) if stays else make()
    key = layout, look, frame.labels, options
    numbers = last.held("numbers", frame.moment, key, lambda: all_numbers(frame, layout, look, options))
    board.block(_across(layout, 0, 1), (frame.title, frame.title_right), lambda canvas: _title(canvas, frame, layout))
    if layout.plan.blank("title"):
        board.block(_across(layout, 1, 2), any(frame.labels), lambda canvas: _paint_caption(canvas, frame, layout))
    legends = last.kept(
        "legends", _legend_key(frame, layout, look, scale), lambda: _legends(frame, layout, look, scale)
    )
    for position in range(len(frame.panels)):
        _paint_panel(board, frame, position, layout, look, legends, numbers[position])
    if frame.strip is not None:
        paint_strip(board, frame, frame.strip, layout, look)
    axis = layout.axis_line
    board.block(
        _across(layout, axis, axis + 2),
        (frame.ticks, frame.letters, frame.columns),
        lambda canvas: _paint_axis(canvas, frame, layout, look),
    )
    if (overview := frame.overview) is not None:
        board.block(
            _across(layout, axis - 1, axis),
            (overview.levels.tobytes(), *overview[1:]),
            lambda canvas: _paint_overview(canvas, overview, layout, look, axis - 1),
        )
    if layout.plan.braces:
        paint_braces(board, frame.braces, frame.columns, layout, look, options)
    footer = (frame.below, frame.keys)
    board.block(_across(layout, axis + 2, layout.lines), footer, lambda canvas: _paint_footer(canvas, frame, layout))
    return board.cells()


def _across(layout: Layout, top: int, bottom: int) -> Area:
    return Area(top, 0, bottom, layout.columns)


def _title(canvas: Canvas, frame: Frame, layout: Layout) -> None:
    canvas.put_text(0, _LEFT, frame.title)
    canvas.put_text(0, layout.columns - _LEFT - width_of(frame.title_right), frame.title_right)


def _paint_caption(canvas: Canvas, frame: Frame, layout: Layout) -> None:
    """Say what the labels of the rows are: upper bounds, or the bounds between the two rows of a line."""
    if any(frame.labels):
        canvas.put(1, _LEFT, PAIRED_LABELS if layout.plan.half else LABELS, DIM)


def _paint_footer(canvas: Canvas, frame: Frame, layout: Layout) -> None:
    for offset, text in enumerate(frame.below, layout.axis_line + 2):
        canvas.put_text(offset, _LEFT, text)
    canvas.put_text(layout.lines - 1, _LEFT, frame.keys)


def _paint_panel(
    board: Board, frame: Frame, position: int, layout: Layout, look: Glyphs, legends: _Legends, numbers: MapNumbers
) -> None:
    """Paint one map with everything around it."""
    panel, words, heading = frame.panels[position], frame.headings[position], layout.heading_line(position)
    legend = legends.texts[position]
    top, bottom = heading + 1, heading + 1 + layout.height + layout.plan.totals
    board.block(
        _across(layout, heading, top),
        (words, legend, legends.end, numbers.unit if layout.narrow else "", frame.finished, _heads_of(numbers)),
        lambda canvas: _paint_heading(canvas, frame, layout, heading, words, (legend, legends.end), numbers),
    )
    board.block(
        Area(top, 0, bottom, MAP_COLUMN),
        (frame.labels, frame.limit),
        lambda canvas: _paint_labels(canvas, frame, layout, look, top),
    )
    _paint_map(board.canvas, frame, panel, layout, look, top)
    board.block(
        Area(top, layout.right, bottom, layout.columns),
        numbers,
        lambda canvas: paint_numbers(canvas, panel, layout, top, numbers),
    )
    _paint_pointers(board.canvas, frame, layout, look, heading)


def _heads_of(numbers: MapNumbers) -> object:
    """What stands above the numbers of A and B."""
    return None if numbers.sides is None else (numbers.sides.heads, numbers.sides.unit)


def _legend_key(frame: Frame, layout: Layout, look: Glyphs, scale: str) -> tuple[object, ...]:
    """The key of the legends: everything that they and their places depend on."""
    said = tuple(
        (
            panel.kind,
            panel.maximum,
            panel.pinned,
            bool(np.count_nonzero(panel.clipped)),
            panel.pinned and panel.largest,
            panel.scale,
        )
        for panel in frame.panels
    )
    return said, frame.headings, layout, look, scale, frame.cursor is None


def _legends(frame: Frame, layout: Layout, look: Glyphs, scale: str) -> _Legends:
    """The legends, above the maps; where maps are too narrow for that, right of the headings of the numbers."""
    headings, end = [width_of(heading) for heading in frame.headings], _legend_end(frame, layout)
    narrow = layout.narrow or layout.map_width < LEAST_FOR_LEGEND
    above = [end - _LEFT - heading - 2 for heading in headings]
    if len(frame.panels) > len({panel.kind for panel in frame.panels}):
        return _Legends(_legends_of_kinds(frame, look, scale, above, narrow=narrow), end)
    texts = legend_texts(frame.panels, look, scale, above, narrow=narrow)
    if all(text or panel.maximum <= 0 for text, panel in zip(texts, frame.panels, strict=True)):
        return _Legends(texts, end)
    beside = layout.columns - _LEFT - layout.right - BAR_START - 1
    others = legend_texts(frame.panels, look, scale, [beside] * len(headings), narrow=layout.narrow)
    return _Legends(others, layout.columns - _LEFT) if all(others) else _Legends(texts, end)


def _legends_of_kinds(frame: Frame, look: Glyphs, scale: str, rooms: list[int], *, narrow: bool) -> list[StyledText]:
    """Maps of one kind share a colour scale: the first of them has the legend."""
    legends: list[StyledText] = []
    for place, panel in enumerate(frame.panels):
        alike = [one for one in frame.panels if one.kind == panel.kind]
        if alike[0] is panel:
            whole = panel._replace(clipped=np.any([one.clipped for one in alike], axis=0))
            legends += legend_texts([whole], look, scale, [rooms[place]], narrow=narrow)
        else:
            legends.append(((SAME_SCALE, DIM),) if len(SAME_SCALE) <= rooms[place] else ())
    return legends


def _legend_end(frame: Frame, layout: Layout) -> int:
    """The column at which legends end. On a narrow terminal the cursor's time begins right after the maps."""
    return layout.right - (layout.narrow and frame.cursor is not None)


def _paint_heading(
    canvas: Canvas,
    frame: Frame,
    layout: Layout,
    line: int,
    heading: StyledText,
    legend: tuple[StyledText, int],
    numbers: MapNumbers,
) -> None:
    text, end = legend
    canvas.put_text(line, _LEFT, heading)
    canvas.put_text(line, end - width_of(text), text)
    if frame.cursor is not None:
        canvas.put(line, layout.right + (not layout.narrow), frame.cursor.time, _CURSOR)
    elif numbers.sides is not None:
        paint_side_heads(canvas, layout, line, numbers.sides)
    elif layout.narrow:
        canvas.put(line, layout.right + NUMBER_END - len(numbers.unit), numbers.unit, DIM)
    else:
        what = "mean" if frame.finished else "latest"
        canvas.put(line, layout.right + NUMBER_END - len(what), f"{what} share", DIM)


def _paint_labels(canvas: Canvas, frame: Frame, layout: Layout, look: Glyphs, top: int) -> None:
    labels = [*frame.labels, "total"] if layout.plan.totals else frame.labels
    for line, label in enumerate(labels, top):
        if label:
            canvas.put(line, _LABEL_END - len(label) + label.endswith(MERGED_SIGN), label, DIM)
    canvas.put_down(top, AXIS_COLUMN, look.vertical, _FRAME, len(labels))
    if frame.limit is not None:
        canvas.put(top + frame.limit, AXIS_COLUMN, _LIMIT_SIGN, _LIMIT)
    if frame.cursor is not None:
        line, label = top + frame.cursor.line, frame.cursor.label
        canvas.put(line, 0, " " * _LABEL_END)
        canvas.put(line, _LABEL_END - len(label), label, _CURSOR)


def _paint_map(canvas: Canvas, frame: Frame, panel: MapPanel, layout: Layout, look: Glyphs, top: int) -> None:
    plan = layout.plan
    chars, styles = map_cells(frame, panel, look, half=plan.half, cell_width=layout.cell_width, totals=plan.totals)
    start = layout.map_width - chars.shape[1]
    if start:
        canvas.put_block(top, MAP_COLUMN, *unknown_cells(layout.height + plan.totals, start, look))
    canvas.put_block(top, MAP_COLUMN + start, chars, styles, wide=False)
    if panel.signs is not None and (before := panel.signs.before * layout.cell_width):
        canvas.put_block(top, MAP_COLUMN + start, *unknown_cells(layout.height + plan.totals, before, look))
    if frame.selected is not None:
        paint_corners(canvas, frame.selected, look, top, MAP_COLUMN + start, layout.cell_width)


def _paint_pointers(canvas: Canvas, frame: Frame, layout: Layout, look: Glyphs, heading: int) -> None:
    """Point at the cursor from outside: above its column, unless the heading has text there, and right of its line."""
    if frame.cursor is None:
        return
    column = _middle_of(frame.cursor.column, frame, layout)
    if canvas.is_blank(heading, column):
        canvas.put(heading, column, look.over)
    canvas.put(heading + 1 + frame.cursor.line, layout.right, look.beside)


def _paint_axis(canvas: Canvas, frame: Frame, layout: Layout, look: Glyphs) -> None:
    """Paint the axis with ticks and letters, and the clock below. If two texts would touch, the earlier one is kept."""
    line, cell_width = layout.axis_line, layout.cell_width
    first = layout.right - frame.columns * cell_width
    axis = [look.corner, *look.horizontal * layout.map_width]
    for tick in frame.ticks:
        axis[_middle_of(tick.column, frame, layout) - AXIS_COLUMN] = look.tick
    canvas.put(line, AXIS_COLUMN, "".join(axis), _FRAME)
    taken = _paint_cursor_time(canvas, frame, layout, look)
    if frame.selected is not None and frame.cursor is None:
        taken = _paint_selected_times(canvas, frame, frame.selected, layout, look)
    for start, text in label_starts(frame.ticks, first, cell_width, MAP_COLUMN, layout.right, taken):
        canvas.put(line + 1, start, text, DIM)
    for column, letter in frame.letters.items():
        canvas.put(line, _middle_of(column, frame, layout), letter, letter_style(letter, look))


def letter_style(letter: str, look: Glyphs) -> int:
    """The style of a letter on the axis. ``+`` has the colour of clipped cells if there are colours."""
    return _CLIP if letter == "+" and look.coloured else _LETTER


def _paint_cursor_time(canvas: Canvas, frame: Frame, layout: Layout, look: Glyphs) -> range:
    """Paint the time of the cursor's column below the axis; return the screen columns that it takes."""
    if frame.cursor is None:
        return range(0)
    column, text = _middle_of(frame.cursor.column, frame, layout), f" {frame.cursor.time} "
    canvas.put(layout.axis_line, column, look.tick)
    start = min(max(MAP_COLUMN, column - (len(text) - 1) // 2), layout.right - len(text))
    return range(start, canvas.put(layout.axis_line + 1, start, text, _CURSOR))


def _paint_selected_times(canvas: Canvas, frame: Frame, selected: SelectedCells, layout: Layout, look: Glyphs) -> range:
    """Paint the times of both ends of the selection below the axis; return the screen columns that they take."""
    taken: list[int] = []
    for column, text, is_last in ((selected.first, selected.begins, False), (selected.last, selected.ends, True)):
        if not text:
            continue
        place = _middle_of(column, frame, layout)
        canvas.put(layout.axis_line, place, look.tick, STRONG)
        start = place if is_last else place - len(text) - 1
        start = min(max(MAP_COLUMN, start), max(layout.right - len(text) - 2, MAP_COLUMN))
        if taken and start < taken[-1] + 1:
            continue
        taken += [start, canvas.put(layout.axis_line + 1, start, f" {text} ", _CURSOR)]
    return range(min(taken), max(taken)) if taken else range(0)


def _paint_overview(canvas: Canvas, overview: OverviewLine, layout: Layout, look: Glyphs, line: int) -> None:
    """Paint the line with its label; without colours, brackets are around the part that is shown."""
    levels, first, last = overview.levels, overview.first, overview.last
    canvas.put(line, LABEL - len(overview.label), overview.label, TEXT)
    spark = np.array([ord(look.hatch), BLANK, *map(ord, look.spark)], np.uint32)
    steps = len(look.spark)
    scaled = np.where(levels > 0, np.ceil(levels * steps / STEPS).astype(np.intp), levels)
    chars = spark[scaled + 1]
    styles = np.full(len(chars), _REST if look.coloured else TEXT, np.uint16)
    if look.coloured:
        if (first, last) != (0, len(chars) - 1):
            styles[first : last + 1] = _NARROW if last - first + 1 < NARROW else _SHOWN
        styles[levels < 0] = _SILENT
        styles[chars == BLANK] &= BLANK_BITS
    canvas.put_block(line, MAP_COLUMN, chars[np.newaxis], styles[np.newaxis], wide=False)
    if not look.coloured and (first, last) != (0, len(chars) - 1):
        canvas.put(line, MAP_COLUMN + max(first - 1, 0), "[", STRONG)
        canvas.put(line, MAP_COLUMN + min(last + 1, len(chars) - 1), "]", STRONG)
    if layout.columns - layout.right > len(overview.said) + 1:
        canvas.put(line, layout.right + 1, overview.said, DIM)


def _middle_of(column: int, frame: Frame, layout: Layout) -> int:
    """The screen column in the middle of a time column."""
    return layout.right - (frame.columns - column) * layout.cell_width + layout.cell_width // 2
