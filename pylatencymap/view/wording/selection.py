"""The selection: where it is in the maps, and what is in it as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...moment_text import nearest
from ...number_text import (
    average_text,
    count_words,
    events_words,
    lasted_text,
    quantile_text,
    range_words,
    share_text,
    waiting_words,
)
from ...units import bound_meant
from ...window import IntArray, Matrix, Summary
from ..layout.geometry import Geometry
from ..layout.scene import Selected, SelectedFigures
from ..layout.status import Status
from ..style.styled_text import StyledSpan, StyledText, width_of
from ..style.styles import DIM, STRONG, TEXT, Ink, style
from .time_axis import clock_text, wall_clock

_CHIP = style(reverse=True)
_EVENTS, _WAITED = style(Ink.FREQUENCY), style(Ink.INTENSITY)
_GIVING_WAY = ("p90", "p50", "avg")
"""Figures in the order in which they are left out if the line is too short."""
_DAY, _BRIEF = 86_400_000_000, 120_000_000
"""Microseconds."""


NO_DATA = "no data in this time, which is not zero"
"""What is said of a time that is all gap."""


class SelectedCells(NamedTuple):
    """Where a selection is in the maps: its first and last time column and its upper and lower line, with the times
    at both ends; empty for an end that is not on the screen. ``fades``: what is outside is dimmed.
    """

    first: int
    last: int
    top: int
    bottom: int
    begins: str
    ends: str
    fades: bool


def find_selected(
    figures: SelectedFigures | None, geometry: Geometry, matrix: Matrix, status: Status, *, fades: bool
) -> SelectedCells | None:
    """The cells of the selection; None if there is none, or none of it is on the screen."""
    if figures is None:
        return None
    chosen, ends = figures.selected, geometry.ends
    columns = selected_columns(chosen, ends, status.interval)
    if columns is None:
        return None
    begin = int(ends[0]) - round(status.interval * 1e6)
    top, bottom = _lines(chosen, geometry)
    return SelectedCells(
        *columns,
        top,
        bottom,
        _time(chosen.begin, matrix, status) if chosen.begin >= begin else "",
        _time(chosen.end, matrix, status) if chosen.end <= int(ends[-1]) else "",
        fades,
    )


def selected_columns(chosen: Selected, ends: IntArray, interval: float) -> tuple[int, int] | None:
    """The first and the last of the columns that end at ``ends`` in which some of a selection is; None if in none."""
    if not ends.size or chosen.end <= int(ends[0]) - round(interval * 1e6) or chosen.begin >= int(ends[-1]):
        return None
    first = int(np.searchsorted(ends, chosen.begin, side="right"))
    return first, max(min(int(np.searchsorted(ends, chosen.end)), int(ends.size) - 1), first)


def _lines(chosen: Selected, geometry: Geometry) -> tuple[int, int]:
    """The upper and the lower line of the latencies of a selection."""
    rows = geometry.slots.max(axis=1)
    used = np.flatnonzero(rows >= 0)
    top, bottom = (int(used[0]), int(used[-1])) if used.size else (0, len(rows) - 1)
    if chosen.low is None:
        return top, bottom
    low, high = (np.inf if one is None else bound_meant(one, geometry.bounds) for one in (chosen.low, chosen.high))
    lowest = int(np.searchsorted(geometry.bounds, low * (1 + 1e-9), side="right")) - 1
    highest = int(np.searchsorted(geometry.bounds, high * (1 - 1e-9))) - 1
    inside = np.flatnonzero(
        ((geometry.slots >= max(lowest, 0)) & (geometry.slots <= max(highest, lowest, 0))).any(axis=1)
    )
    return (int(inside[0]), int(inside[-1])) if inside.size else (top, bottom)


def _time(micros: int, matrix: Matrix, status: Status, *, brief: bool = False) -> str:
    """A moment on the axis, to the nearest second, or tenth where columns are shorter than a second. If the columns
    cover more than a day, with the date, and then to the minute, unless it is of a ``brief`` time.
    """
    if status.interval < 1:
        tenths = (micros + 50_000) // 100_000
        return f"{clock_text(tenths * 100_000, status.tz, real=matrix.clock)}.{tenths % 10}"
    micros = nearest(micros)
    if matrix.clock and int(matrix.ends[-1]) - int(matrix.ends[0]) > _DAY:
        return wall_clock(micros, status.tz).strftime("%m-%d %H:%M:%S" if brief else "%m-%d %H:%M")
    return clock_text(micros, status.tz, real=matrix.clock)


def selected_time(chosen: Selected, matrix: Matrix, status: Status) -> str:
    """From when to when a selection is, with one date where both ends have the same."""
    brief = chosen.end - chosen.begin < _BRIEF
    begins, ends = (_time(one, matrix, status, brief=brief) for one in (chosen.begin, chosen.end))
    day, _, time = ends.partition(" ")
    if time and not begins.startswith(day):
        return f"{begins} to {ends}"
    return f"{begins}-{time or ends}"


def selection_lines(
    figures: SelectedFigures, matrix: Matrix, status: Status, noun: str, width: int, chip: str, *, around: bool = False
) -> tuple[StyledText, ...]:
    """What is in a selection, on two lines of at most ``width`` columns: its share, and the figures of its time; below
    them the same figures of the time ``around`` it.
    """
    chosen, summary = figures.selected, figures.summary
    lasted = lasted_text((chosen.end - chosen.begin) / 1e6)
    when = selected_time(chosen, matrix, status)
    low, high = figures.covered
    where = "" if low is None else range_words(low, float("inf") if high is None else high)
    events = share_text(figures.events / summary.events if summary.events else 0.0, "0 %")
    waited = share_text(figures.waited / summary.waited if summary.waited else 0.0, "0 %")
    head: list[StyledSpan] = [(chip, _CHIP), ("  ", TEXT), (when, STRONG), (f"  {lasted}", DIM)]
    if not summary.events:
        nothing = f"no {noun} in this time" if summary.span else NO_DATA
        return ((*head, (f"   {nothing}", DIM)),)
    count = events_words(figures.events, noun)
    full: list[StyledSpan] = [(f"   {count}", _EVENTS), (f"   {waiting_words(figures.waited)} waited", _WAITED)]
    if where:
        head.append((f"  {where}", STRONG))
        full = [
            (f"   {count}, {events} of this time", _EVENTS),
            (f"   {waiting_words(figures.waited)} waited, {waited}", _WAITED),
        ]
    brief = [((f"   {events}{named}", _EVENTS), (f" {waited} wait", _WAITED)) for named in (f" {noun}", "")]
    first = next((one for one in ((*head, *full), (*head, *brief[0])) if width_of(one) <= width), (*head, *brief[1]))
    beside = (("before", figures.before), ("after", figures.after)) if around else ()
    times = [("all of this time", summary)]
    times += [(f"{lasted_text(one.seconds)} {word}", one.summary) for word, one in beside if one is not None]
    return first, *_figures(times, width)


def _figures(times: Sequence[tuple[str, Summary]], width: int) -> list[StyledText]:
    """A line for each time with rate, average and percentiles of all that happened in it, as many as fit, aligned."""
    title = max(len(name) for name, _ in times) + 1
    rows = [_parts(summary) for _, summary in times]
    widest = {name: max(len(row.get(name, "")) for row in rows) for row in rows for name in row}
    for left_out in range(len(_GIVING_WAY) + 1):
        lines: list[StyledText] = []
        for (name, summary), row in zip(times, rows, strict=True):
            kept = [(part, text) for part, text in row.items() if part not in _GIVING_WAY[:left_out]]
            spans = [
                span for part, text in kept for span in ((f"   {part} ", DIM), (text.ljust(widest[part]), TEXT))
            ] or [(f"   {'no events' if summary.span else 'no data'}", DIM)]
            lines.append(((f"{name}:".ljust(title), DIM), *spans))
        if all(width_of(line) <= width for line in lines):
            break
    return lines


def _parts(summary: Summary) -> dict[str, str]:
    """Names and texts; none if nothing happened."""
    if not summary.events or not summary.span:
        return {}
    named = (("p50", summary.p50), ("p90", summary.p90), ("p99", summary.p99))
    return {
        "rate": f"{count_words(summary.events / summary.span)}/s",
        **({} if summary.average is None else {"avg": average_text(summary.average)}),
        **{name: quantile_text(value) for name, value in named if value is not None},
    }
