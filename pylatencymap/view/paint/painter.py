"""Paints a frame as cells, block by block."""

from typing import NamedTuple

import numpy as np

from ...number_text import share_text
from ..frame.frame import MERGED_SIGN, Frame, MapPanel
from ..last_picture import LastPicture
from ..layout.layout import AXIS_COLUMN, BAR_START, MAP_COLUMN, NUMBER_END, SHARE_END, Layout
from ..style.glyphs import Glyphs
from ..style.options import ViewOptions
from ..style.styled_text import StyledText, width_of
from ..style.styles import BLANK_BITS, DIM, STRONG, TEXT, Ink, style
from ..wording.overview import LABEL, STEPS, OverviewLine
from ..wording.selection import SelectedCells
from ..wording.time_axis import label_starts
from .canvas import BLANK, Area, Board, Canvas, Cells
from .legend import bar_text, legend_texts, line_values, number_texts, shares_of
from .maps import map_cells, unknown_cells
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
LABELS = "latency, up to"
SAME_SCALE = "same scale"


class _Legends(NamedTuple):
    """The legends of all maps, and the column at which they end."""

    texts: list[StyledText]
    end: int


class _Numbers(NamedTuple):
    """The texts right of a map: one column (the newest or the cursor's) as a number, share and bar for each line."""

    texts: tuple[tuple[str, int], ...] = ()
    """The number of each line with its style; empty without data."""
    total: str = ""
    unit: str = ""
    shares: tuple[str, ...] = ()
    bars: tuple[str, ...] = ()


def paint_frame(frame: Frame, layout: Layout, look: Glyphs, options: ViewOptions, last: LastPicture) -> Cells:
    """All cells of a frame, in the size of the layout. A block is painted only if what it shows has changed."""
    scale = options.scale

    def make() -> Board:
        return Board(layout.columns, layout.lines, ascii_only=look.ascii_only)

    # A board is reused only if no blocks overlap. The cursor is painted over blocks; with too few lines they overlap.
    stays = frame.cursor is None and frame.selected is None and layout.room_below >= 0
    board = last.kept("board", (layout, look), make) if stays else make()
    numbers = last.held(
        "numbers", frame.moment, (layout, look, frame.labels), lambda: _all_numbers(frame, layout, look)
    )
    board.block(_across(layout, 0, 1), (frame.title, frame.title_right), lambda canvas: _title(canvas, frame, layout))
    if layout.plan.blank("title"):
        board.block(_across(layout, 1, 2), any(frame.labels), lambda canvas: _paint_caption(canvas, frame))
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


def _paint_caption(canvas: Canvas, frame: Frame) -> None:
    """Say what the labels of the rows are: upper bounds."""
    if any(frame.labels):
        canvas.put(1, _LEFT, LABELS, DIM)


def _paint_footer(canvas: Canvas, frame: Frame, layout: Layout) -> None:
    for offset, text in enumerate(frame.below, layout.axis_line + 2):
        canvas.put_text(offset, _LEFT, text)
    canvas.put_text(layout.lines - 1, _LEFT, frame.keys)


def _paint_panel(
    board: Board, frame: Frame, position: int, layout: Layout, look: Glyphs, legends: _Legends, numbers: _Numbers
) -> None:
    """Paint one map with everything around it."""
    panel, words, heading = frame.panels[position], frame.headings[position], layout.heading_line(position)
    legend = legends.texts[position]
    top, bottom = heading + 1, heading + 1 + layout.height + layout.plan.totals
    board.block(
        _across(layout, heading, top),
        (words, legend, legends.end, numbers.unit if layout.narrow else "", frame.finished),
        lambda canvas: _paint_heading(canvas, frame, layout, heading, words, (legend, legends.end), numbers.unit),
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
        lambda canvas: _paint_numbers(canvas, panel, layout, top, numbers),
    )
    _paint_pointers(board.canvas, frame, layout, look, heading)


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
    unit: str,
) -> None:
    text, end = legend
    canvas.put_text(line, _LEFT, heading)
    canvas.put_text(line, end - width_of(text), text)
    if frame.cursor is not None:
        canvas.put(line, layout.right + (not layout.narrow), frame.cursor.time, _CURSOR)
    elif layout.narrow:
        canvas.put(line, layout.right + NUMBER_END - len(unit), unit, DIM)
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


def _all_numbers(frame: Frame, layout: Layout, look: Glyphs) -> tuple[_Numbers, ...]:
    """The numbers of each map. All maps have bars of one scale: the largest share has the longest bar."""
    values = [line_values(panel.latest, frame.slots) if panel.latest is not None else [] for panel in frame.panels]
    shares = [shares_of(panel, numbers) for panel, numbers in zip(frame.panels, values, strict=True)]
    longest = max((share for column in shares for share in column), default=0.0)
    largest = {panel.kind: max(one.total for one in frame.panels if one.kind == panel.kind) for panel in frame.panels}
    return tuple(
        _numbers_of(frame, panel, layout, look, numbers, parts, longest, largest[panel.kind])
        for panel, numbers, parts in zip(frame.panels, values, shares, strict=True)
    )


def _numbers_of(
    frame: Frame,
    panel: MapPanel,
    layout: Layout,
    look: Glyphs,
    values: list[float],
    shares: list[float],
    longest: float,
    largest: float,
) -> _Numbers:
    texts, total, unit = number_texts(panel, values, look, largest)
    if not values:
        return _Numbers(unit=unit)
    rows = frame.slots.max(axis=1).tolist()
    # Of a row with two lines, the upper one has the numbers.
    again = np.append(False, (frame.slots[1:] == frame.slots[:-1]).all(axis=1)).tolist() if len(rows) else []
    shown = [
        bool(value or label or row >= 0) and not is_again
        for value, label, row, is_again in zip(values, frame.labels, rows, again, strict=True)
    ]
    return _Numbers(
        texts=tuple(
            (text if wanted else "", TEXT if value else DIM)
            for text, value, wanted in zip(texts, values, shown, strict=True)
        ),
        total=total,
        unit=unit,
        shares=tuple(share_text(share) if wanted else "" for share, wanted in zip(shares, shown, strict=True))
        if not layout.narrow
        else (),
        bars=tuple(bar_text(share, longest, layout.bar_width, look) for share in shares) if layout.bar_width else (),
    )


def _paint_numbers(canvas: Canvas, panel: MapPanel, layout: Layout, top: int, numbers: _Numbers) -> None:
    """Paint numbers, the total of all rows (including those not shown), and shares and bars if there is room."""
    end, right = layout.right + NUMBER_END, layout.right
    for line, (text, number_style) in enumerate(numbers.texts, top):
        canvas.put(line, end - len(text), text, number_style)
    if numbers.texts and layout.plan.totals:
        line = top + layout.height
        canvas.put(line, end - len(numbers.total), numbers.total, STRONG)
        if not layout.narrow:
            canvas.put(line, right + SHARE_END - len(numbers.unit), numbers.unit, DIM)
    for line, text in enumerate(numbers.shares, top):
        canvas.put(line, right + SHARE_END - len(text), text, DIM)
    ink = style(Ink.FREQUENCY if panel.is_frequency else Ink.INTENSITY)
    for line, text in enumerate(numbers.bars, top):
        canvas.put(line, right + BAR_START, text, ink)


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
