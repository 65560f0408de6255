"""Writes what is next to a map: its colour legend, and one column as numbers, shares and bars."""

from collections.abc import Iterator, Sequence

import numpy as np

from ...number_text import count_text, scale_text, waited_unit
from ...window import FloatArray
from ..frame.frame import MapPanel, SlotArray
from ..style.glyphs import Glyphs
from ..style.styled_text import StyledSpan, StyledText, width_of
from ..style.styles import DIM, STRONG, TEXT, Ink, style

FULL_LEGEND = 12
NARROW_STEPS = 6
_GIVING_WAY = ("scale", "more", "pinned")
_CLIP = style(Ink.CLIP_TEXT, Ink.CLIP, bold=True)


def legend_texts(
    panels: Sequence[MapPanel], look: Glyphs, scale: str, rooms: Sequence[int], *, narrow: bool
) -> list[StyledText]:
    """One legend per panel: ``0 ramp maximum``, ``pinned``, ``+ more`` if anything is clipped, and the scale.

    ``rooms`` are the columns available for each. If one legend is too long, a part is dropped from all of them, so
    that they look alike; the scale goes first, see _GIVING_WAY.
    """
    legends = [dict(_parts(panel, look, scale, narrow)) for panel in panels]
    for left_out in _GIVING_WAY:
        if all(_width(legend) <= room for legend, room in zip(legends, rooms, strict=True)):
            break
        for legend in legends:
            legend.pop(left_out, None)
    return [
        tuple(span for part in legend.values() for span in part) if _width(legend) <= room else ()
        for legend, room in zip(legends, rooms, strict=True)
    ]


def _parts(panel: MapPanel, look: Glyphs, scale: str, narrow: bool) -> Iterator[tuple[str, list[StyledSpan]]]:
    """The parts of a legend by name; none if there are no events."""
    if panel.maximum <= 0:
        return
    yield "ramp", [("0 ", DIM), *_ramp_spans(panel, look, narrow), (f" {panel.scale_end()}", TEXT)]
    if panel.pinned:
        yield "pinned", [(" pinned", DIM)]
    if panel.clipped.any():
        # Users who pinned the scale need to know how far the data exceed it.
        beyond = f"to {scale_text(panel.largest, not panel.is_frequency)}" if panel.pinned else "more"
        yield "more", [("  ", TEXT), ("+", _CLIP if look.coloured else STRONG), (f" {beyond}", DIM)]
    if scale and not narrow:
        yield "scale", [(f"  {scale}", DIM)]


def _width(legend: dict[str, list[StyledSpan]]) -> int:
    return sum(width_of(part) for part in legend.values())


def line_values(values: FloatArray, slots: SlotArray) -> list[float]:
    """The values of a column per line of the map: sums if a line has two rows."""
    padded = np.append(values, 0.0)
    upper, lower = padded[slots[:, 0]], padded[slots[:, 1]]
    sums: FloatArray = np.where(slots[:, 0] == slots[:, 1], upper, upper + lower)
    return sums.tolist()  # type: ignore[no-any-return]


def number_texts(panel: MapPanel, values: list[float], look: Glyphs, largest: float) -> tuple[list[str], str, str]:
    """The text of each value, the text of their total, and the unit of all of them, which is that of the ``largest``
    total of all maps that are compared.
    """
    total = panel.total
    factor, unit = (1.0, "/s") if panel.is_frequency else waited_unit(largest)
    texts = [count_text(value * factor, look.none) for value in values]
    return texts, count_text(total * factor, look.none), unit


def shares_of(panel: MapPanel, values: list[float]) -> list[float]:
    """The share of each value in the total of its column."""
    return [value / panel.total if panel.total else 0.0 for value in values]


def bar_text(share: float, longest: float, width: int, look: Glyphs) -> str:
    """A bar for a share. The bar of the share ``longest`` has ``width`` characters."""
    parts = len(look.bars)
    filled = round(share / longest * width * parts) if longest > 0 else 0
    whole, rest = divmod(filled, parts)
    return look.bars[-1] * whole + (look.bars[rest - 1] if rest else "")


def _ramp_spans(panel: MapPanel, look: Glyphs, narrow: bool) -> list[StyledSpan]:
    levels = range(1, look.levels + 1)
    if not look.coloured:
        return [(look.glyphs, TEXT)]
    base = Ink.FREQUENCY_RAMP if panel.is_frequency else Ink.INTENSITY_RAMP
    if narrow and look.levels > NARROW_STEPS:
        last = look.levels - 1
        levels_shown = [1 + round(step * last / (NARROW_STEPS - 1)) for step in range(NARROW_STEPS)]
        return [(" ", style(0, base + level)) for level in levels_shown]
    repeat = -(-(NARROW_STEPS if narrow else FULL_LEGEND) // look.levels)
    return [(" " * repeat, style(0, base + level)) for level in levels]
