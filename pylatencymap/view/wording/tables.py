"""The tables of a large screen, side by side: all modes, what stands out, all series with the time that they waited."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, isnan, sqrt

from ...number_text import exact_text, quantile_text, share_text, typical_words
from ...text import fit, text_width
from ...text.clean import printable
from ..layout.scene import Reading, SeriesFigure, TableFigures
from ..style.glyphs import Glyphs
from ..style.styled_text import StyledSpan, StyledText, fitted, padded, width_of
from ..style.styles import DIM, STRONG, TEXT, Ink, style
from .reading import EVENT_STYLE, WAIT_STYLE, ShownMode, modes_of, reading_text, size_of

APART = 4
"""Blanks between two tables."""
MOST_LINES = 14
LEAST_MOMENTS = 30
"""Columns; with less there is no table of moments."""
MOST_NAME = 18
_SIGN, _CURVE, _GAP = style(Ink.MARK, bold=True), style(Ink.TOTAL), style(Ink.GAP)
Row = list[StyledText]


def lines_wanted(figures: TableFigures, reading: Reading) -> int:
    """The lines that all rows of all tables would take, with the headings."""
    return min(1 + max(len(modes_of(reading)), len(figures.moments), len(figures.series), 1), MOST_LINES)


def table_lines(
    figures: TableFigures, reading: Reading, noun: str, lines: int, width: int, look: Glyphs
) -> tuple[StyledText, ...]:
    """The tables on so many lines of at most ``width`` columns. What has no room in a table is counted."""
    if lines < 2:
        return ()
    left = _modes(reading, noun, lines)
    right = _series(figures, noun, lines, look) if figures.series else []
    taken = sum(max(map(width_of, block)) + APART for block in (left, right) if block)
    room = width - taken
    if room < LEAST_MOMENTS and right:
        right, room = [], width - max(map(width_of, left)) - APART
    middle = _moments(figures, lines, room) if room >= LEAST_MOMENTS else []
    return tuple(fitted(line, width) for line in _beside([left, middle, right], lines))


def _beside(blocks: Sequence[list[StyledText]], lines: int) -> list[StyledText]:
    """Blocks of lines next to each other."""
    found: list[StyledText] = [()] * lines
    for block in blocks:
        if not block:
            continue
        wide = max(map(width_of, block))
        apart = (" " * APART if any(found) else "", TEXT)
        found = [
            (*line, apart, *padded(block[place] if place < len(block) else (), wide))
            for place, line in enumerate(found)
        ]
    return found


def _modes(reading: Reading, noun: str, lines: int) -> list[StyledText]:
    """The modes, fastest first, and the tail above them; if they have no room, the largest of them."""
    shown, modes = modes_of(reading), reading.modes
    if not shown or modes is None:
        return [((("MODES", STRONG),)), reading_text(reading, noun, 60, short=True, single=False) or (("none", DIM),)]
    found = modes.shown(reading.named)
    rows: list[Row] = [[(("MODES", STRONG),), *_heads("typical", f"{noun}/s", "share", "wait")]]
    for one in _largest(shown, lines - 1):
        mode = found[one.place] if one.place < len(found) else None
        only = "".join(reading.passing[one.place : one.place + 1])
        typical = only or (typical_words(mode.median) if mode is not None else "")
        rate = exact_text(one.rate) if one.rate is not None else ""
        rows.append(
            [
                ((("tail " if one.tail else "") + one.text, STRONG),),
                ((typical, TEXT),),
                ((rate, TEXT),),
                ((share_text(one.events, "0 %"), EVENT_STYLE),),
                ((share_text(one.waited, "0 %"), WAIT_STYLE),),
            ]
        )
    if missing := len(shown) - len(rows) + 1:
        rows.append([((f"{missing} more", DIM),)])
    elif modes.possible > len(found):
        rows.append([((f"possibly {modes.possible} modes", DIM),)])
    return _aligned(rows[:lines])


def _largest(shown: Sequence[ShownMode], count: int) -> list[ShownMode]:
    """The largest modes, fastest first, with a line left for how many there are besides."""
    if len(shown) <= count:
        return list(shown)
    kept = sorted(shown, key=size_of, reverse=True)[: max(count - 1, 0)]
    return sorted(kept, key=lambda one: one.place)


def _moments(figures: TableFigures, lines: int, width: int) -> list[StyledText]:
    """What stands out, most costly first."""
    moments = figures.moments
    heading: StyledText = (("MOMENTS", STRONG), ("  most costly first", DIM))
    if not moments:
        return [heading, (("nothing stands out" if figures.complete else "nothing stands out so far", DIM),)]
    shown = moments if len(moments) < lines else moments[: max(lines - 2, 0)]
    when = max((text_width(one.when) for one in shown), default=0)
    found: list[StyledText] = [heading]
    for one in shown:
        head: StyledText = ((f"{one.sign or ' '}  ", _SIGN), *padded(((one.when, STRONG),), when + 2))
        what = printable(one.what)
        texts = [f"{what}; cost: {one.cost}" if one.cost else what, what, what.partition("; ")[0]]
        room = width - width_of(head)
        text = next((text for text in texts if text_width(text) <= room), texts[-1])
        found.append((*head, (fit(text, max(room, 1)), TEXT)))
    if len(shown) < len(moments):
        found.append(((f"   {len(moments) - len(shown)} more: l lists them", DIM),))
    return found


def _series(figures: TableFigures, noun: str, lines: int, look: Glyphs) -> list[StyledText]:
    """All series, most time waited first, with the time waited in each part of all that is kept."""
    shown = _shown_series(figures, lines - 1)
    spark = _sparks([one for one in shown if one is not None], look)
    rows: list[Row] = [[(("SERIES", STRONG),), *_heads(f"{noun}/s", "p99", "wait over time", "wait")]]
    for one in shown:
        if one is None:
            rows.append([((f"{len(figures.series) - len(shown) + 1} more", DIM),)])
            continue
        sign = look.chosen if one.name == figures.chosen else " "
        name = f"{sign}{fit(printable(one.name), MOST_NAME)}"
        known = bool(one.curve)
        share = share_text(one.waited / figures.waited, "0 %") if known and figures.waited > 0 else ""
        rows.append(
            [
                ((name, STRONG if one.name == figures.chosen else TEXT),),
                ((exact_text(one.rate) if known else "", TEXT),),
                ((quantile_text(one.p99) if one.p99 is not None else "", TEXT),),
                spark(one),
                ((share, WAIT_STYLE),),
            ]
        )
    return _aligned(rows)


def _shown_series(figures: TableFigures, count: int) -> list[SeriesFigure | None]:
    """The first series, and the chosen one among them; None stands for those that there is no line for."""
    series = list(figures.series)
    if len(series) <= count:
        return list(series)
    kept = series[: max(count - 1, 0)]
    chosen = next((one for one in series if one.name == figures.chosen), None)
    if chosen is not None and kept and chosen not in kept:
        kept[-1] = chosen
    return [*kept, None]


def _sparks(series: Sequence[SeriesFigure], look: Glyphs) -> Callable[[SeriesFigure], StyledText]:
    """Writes curves on one scale, the square root, as all sparklines."""
    top = max((rate for one in series for rate in one.curve if not isnan(rate)), default=0.0)
    steps = len(look.spark)

    def sign(rate: float) -> str:
        if isnan(rate):
            return look.hatch
        return look.spark[min(ceil(sqrt(rate / top) * steps - 1e-9), steps) - 1] if rate > 0 and top > 0 else " "

    def drawn(one: SeriesFigure) -> StyledText:
        return (("".join(map(sign, one.curve)), _CURVE),)

    return drawn


def _heads(*names: str) -> list[StyledText]:
    return [((name, DIM),) for name in names]


def _aligned(rows: Sequence[Row]) -> list[StyledText]:
    """Rows as lines: the first column to the left, the others to the right."""
    wide = [max(width_of(row[place]) for row in rows if place < len(row)) for place in range(max(map(len, rows)))]
    lines = []
    for row in rows:
        spans: list[StyledSpan] = []
        for place, text in enumerate(row):
            missing = wide[place] - width_of(text)
            blank = (" " * missing, TEXT)
            spans += [*text, blank] if not place else [("   ", TEXT), blank, *text]
        lines.append(tuple(spans))
    return lines
