"""Writes what a stacked picture says: a heading for each map, figures of each series, what they do together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ...number_text import count_words, exact_text, lasted_text, percent_text, quantile_text, waited_text, waiting_words
from ...text import fit
from ...text.clean import printable
from ...window import Summary
from ..layout.geometry import Geometry
from ..layout.latency_rows import LatencyRows
from ..layout.layout import MEDIUM, WIDE, Layout
from ..style.glyphs import Glyphs
from ..style.styled_text import StyledSpan, StyledText, fitted, padded, width_of
from ..style.styles import DIM, NOTICE, STRONG, TEXT, Ink, style
from ..wording.captions import heading_text
from ..wording.crosshair import Crosshair
from ..wording.readout import MapCell, open_range
from ..wording.selection import NO_DATA
from .scene import StackedSeries, StackScene, ToldTogether

_CHIP = style(reverse=True)
_CHOSEN = style(bold=True, reverse=True)
_FREQUENCY, _INTENSITY, _GAP = style(Ink.FREQUENCY), style(Ink.INTENSITY), style(Ink.GAP)
MOST_NAME = 30
LEAST_NAME = 8
APART = "   "
FIRST_TOLD = 2
"""So many sentences come before the list of gaps, resets and marks."""
Figures: TypeAlias = dict[str, StyledText]
"""The figures of a series by their names, in the order in which they are shown."""
_GIVING_WAY = ("avg", "p90", "p50")
LEAST_HEADING = 30
"""Columns for what a map shows, beside the name of its series."""


def stack_heading(one: StackedSeries, kind: str, layout: Layout, look: Glyphs) -> StyledText:
    """The name of the series, that of the chosen one in reverse, and what the map shows."""
    name = fit(printable(one.name), max(LEAST_NAME, min(MOST_NAME, layout.map_width - LEAST_HEADING)))
    bracketed = f"[{name}]" if look.ascii_only else f" {name} "
    shown: StyledSpan = (bracketed, _CHOSEN) if one.chosen else (f" {name} ", STRONG)
    kind_text, *rest = heading_text(kind, one.status, one.matrix, layout)
    room = layout.map_width - len(bracketed) - len(kind_text[0]) - LEAST_HEADING
    what = tuple(rest) if room > width_of(rest) else ()
    return (shown, (" ", TEXT), kind_text, *what)


def stack_lines(
    scene: StackScene,
    rows: LatencyRows,
    geometry: Geometry,
    cursor: Crosshair | None,
    events: Sequence[StyledText],
    layout: Layout,
    look: Glyphs,
) -> tuple[StyledText, ...]:
    """The lines below the axis that fit: a message, the figures of each series, what they do together, remarks."""
    width = layout.columns - 2
    message = printable(scene.status.message)
    figures = _figure_lines(scene, rows, geometry, cursor, layout, look)
    lines: list[StyledText] = [((message, NOTICE),)] if message else []
    lines += figures
    room = max(layout.room_below, 1)
    told = [_told_line(one, width) for one in scene.told]
    lines += [*told[:FIRST_TOLD], *events, *told[FIRST_TOLD:]]
    if layout.plan.blank("axis") and len(lines) < room and not (message or cursor):
        lines.insert(0, ())
    return tuple(fitted(line, width) for line in lines[:room])


def _figure_lines(
    scene: StackScene,
    rows: LatencyRows,
    geometry: Geometry,
    cursor: Crosshair | None,
    layout: Layout,
    look: Glyphs,
) -> list[StyledText]:
    """A line for each series, with its parts in columns: those of the cursor's cell and column, of the selection, or of
    all that is on the screen.
    """
    width = layout.columns - 2
    head: StyledSpan
    if scene.pointer is not None:
        head, when = (look.chip.format("read-out"), _CHIP), cursor.span if cursor else "outside of what is shown"
        table = [_of_column(one, number, rows, geometry) for number, one in enumerate(scene.series)]
    elif scene.selected is not None:
        lasted = lasted_text((scene.selected.end - scene.selected.begin) / 1e6)
        head, when = (look.chip.format("selected"), _CHIP), lasted
        table = [_of_selection(one) for one in scene.series]
    else:
        span = max(one.window.span for one in scene.series)
        head, when = (f"window {lasted_text(span)}" if span else "", DIM), ""
        table = [_of_summary(one.window, one) for one in scene.series]
    names = [fit(printable(one.name), MOST_NAME if width >= WIDE else LEAST_NAME * 2) for one in scene.series]
    lead = width_of((head,)) + 2 * bool(head[0])
    if width < MEDIUM:
        head, lead = ("", TEXT), 0
    begun: list[StyledText] = [
        (
            *padded((head if not place else ("", TEXT),), lead),
            (name.ljust(max(map(len, names))), STRONG),
            (f"  {when}" if not place else "  " + " " * len(when), TEXT) if when else ("", TEXT),
        )
        for place, name in enumerate(names)
    ]
    return _aligned(begun, table, width)


def _aligned(begun: list[StyledText], table: list[Figures], width: int) -> list[StyledText]:
    """Lines of figures in columns. If there is no room for all, those of _GIVING_WAY are left out, then the last."""
    keys = list(dict.fromkeys(key for row in table for key in row))
    for left_out in ("", *_GIVING_WAY, *reversed(keys[1:])):
        keys = [key for key in keys if key != left_out]
        wide = {key: max((width_of(row[key]) for row in table if key in row), default=0) for key in keys}
        lines = []
        for head, row in zip(begun, table, strict=True):
            line: StyledText = (*head, ("  ", TEXT))
            present = [key for key in keys if key in row]
            for key in present:
                apart = ("", TEXT) if key == present[0] else (APART, TEXT)
                line = (*line, apart, *padded(row[key], wide[key]))
            lines.append(line)
        if max(map(width_of, lines), default=0) <= width:
            break
    return lines


def _of_summary(summary: Summary, one: StackedSeries) -> Figures:
    """Rates, percentiles and average over a time; the share above the SLO where there is one."""
    if not summary.events or not summary.span:
        return {"rate": (("no events" if summary.span else "no data", DIM),)}
    noun = fit(printable(one.status.noun), 16)
    figures: Figures = {
        "rate": ((f"{exact_text(summary.events / summary.span)} {noun}/s", _FREQUENCY),),
        "waited": ((f"{waited_text(summary.waited / summary.span)} waited", _INTENSITY),),
    }
    for name, value in (("p50", summary.p50), ("p90", summary.p90), ("p99", summary.p99), ("avg", summary.average)):
        if value is not None:
            figures[name] = ((f"{name} ", DIM), (quantile_text(value), TEXT))
    if summary.slow is not None:
        figures["slo"] = (("above the SLO ", DIM), (percent_text(summary.slow.events), TEXT))
    return figures


def _of_selection(one: StackedSeries) -> Figures:
    """What is in the selection, if it has latencies as a share of its time, and the figures of its time."""
    found = one.figures
    if found is None or not found.summary.span:
        return {"rate": ((NO_DATA, DIM),)}
    if not found.summary.events:
        return {"rate": (("no events in this time", DIM),)}
    whole = _of_summary(found.summary, one)
    if found.selected.low is None:
        return whole
    events, waited = found.events / found.summary.events, found.waited / (found.summary.waited or 1.0)
    inside: StyledText = (
        (f"{count_words(found.events)}, {percent_text(events)}", _FREQUENCY),
        (f"  {waiting_words(found.waited)} waited, {percent_text(waited)}", _INTENSITY),
    )
    return {"cell": inside, **whole, "rate": (("all: ", DIM), *whole["rate"])}


def _of_column(one: StackedSeries, number: int, rows: LatencyRows, geometry: Geometry) -> Figures:
    """The cell under the cursor, and the figures of its column."""
    if geometry.cursor is None:
        return {}
    column, row = geometry.cursor
    if one.matrix.gap[column]:
        return {"cell": (("gap: no data", _GAP),)}
    if one.matrix.seconds[column] <= 0:
        return {"cell": (("no data", _GAP),)}
    place = number * one.matrix.columns + column
    events, waited = float(rows.frequency[row, place]), float(rows.intensity[row, place])
    cell = MapCell(float(rows.bounds[row]), float(rows.bounds[row + 1]), events, waited, 0.0, 0.0, 0.0)
    where = open_range(cell, is_top=row == rows.size - 1 and rows.open_top)
    found: Figures = {
        "cell": (
            (f"{where} ", STRONG),
            (f"{exact_text(events)}/s", _FREQUENCY),
            (f" {waited_text(waited)}", _INTENSITY),
        )
    }
    if one.column is None:
        return found
    whole = _of_summary(one.column, one)
    return {**found, **whole, "rate": (("column: ", DIM), *whole["rate"])}


def _told_line(told: ToldTogether, width: int) -> StyledText:
    """A sentence in as many words as fit."""
    head: StyledText = ((told.head, STRONG), ("  ", TEXT))
    if told.when:
        head = (*head, (told.when, STRONG), ("  ", TEXT))
    lines = [(*head, (text, TEXT)) for text in told.texts]
    return next((line for line in lines if width_of(line) <= width), lines[-1] if lines else head)
