"""The overview: all that is kept on one line, with the part that is on the screen."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ...number_text import count_text, short_span_text, waited_unit
from ...window import IntArray, Matrix, Overview
from ..layout.status import Status
from ..style.options import FREQUENCY

LABEL = 7
"""Characters left of the line."""
STEPS = 8


class OverviewLine(NamedTuple):
    """``levels`` int [characters]: 0 nothing waited, to STEPS; -1 where nothing was measured. From ``first`` to
    ``last`` is on the screen. ``label`` and ``said`` are texts left and right of it.
    """

    levels: IntArray
    first: int
    last: int
    label: str
    said: str


def sums_text(sums: Mapping[str, float], room: int) -> str:
    """The sums of maps, events and seconds waited per second, in so many characters; empty if they do not fit."""
    texts = []
    for kind, total in sums.items():
        factor, unit = (1.0, "/s") if kind == FREQUENCY else waited_unit(total)
        texts.append(f"{count_text(total * factor, '0')}{'' if kind == FREQUENCY else ' '}{unit}")
    return next((text for text in ("  ".join(texts), " ".join(texts)) if len(text) <= room), "")


def overview_line(overview: Overview, matrix: Matrix, status: Status, width: int, beside: str = "") -> OverviewLine:
    """The line in so many characters. Levels go by the square root. ``beside``: what is said instead of what it is."""
    rates = overview.resampled(width)
    top = float(np.nanmax(rates)) if (~np.isnan(rates)).any() else 0.0
    shares = np.sqrt(np.nan_to_num(rates) / top) if top > 0 else np.zeros(width)
    levels = np.ceil(shares * STEPS - 1e-9).astype(np.int64)
    levels[np.isnan(rates)] = -1
    first, last = _shown(overview, matrix, status, width)
    lasts = short_span_text((overview.end - overview.begin) / 1e6)
    label = f"all {lasts}" if len(lasts) + 4 <= LABEL else lasts
    shown = (
        short_span_text((int(matrix.ends[-1]) - int(matrix.ends[0])) / 1e6 + status.interval) if matrix.columns else ""
    )
    minute = "minute" if abs(overview.unit - 60) < 1 else short_span_text(overview.unit)
    what = f"worst {minute} of each part" if (first, last) == (0, width - 1) else f"shown: {shown}"
    return OverviewLine(levels, first, last, label, beside or what)


def _shown(overview: Overview, matrix: Matrix, status: Status, width: int) -> tuple[int, int]:
    if not matrix.columns:
        return 0, width - 1
    if status.shows_all(matrix.ends):
        return 0, width - 1
    begin, end = int(matrix.ends[0]) - round(status.interval * 1e6), int(matrix.ends[-1])
    length = max(overview.end - overview.begin, 1)
    first, last = ((moment - overview.begin) * width // length for moment in (begin, end - 1))
    return min(max(first, 0), width - 1), min(max(last, 0), width - 1)
