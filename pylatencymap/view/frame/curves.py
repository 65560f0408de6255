"""Where percentiles over time go: into the cells of the maps, or into a strip below them."""

from __future__ import annotations

from ...window import FloatArray
from ..last_picture import LastPicture
from ..layout.latency_rows import LatencyRows
from ..layout.layout import Layout
from ..layout.scene import Scene
from ..style.glyphs import Glyphs
from ..style.options import AUTO_CURVES, ON_MAP, STRIP, ViewOptions
from ..style.styled_text import StyledText
from ..style.styles import DIM, STRONG, TEXT
from ..wording.percentiles import (
    MEDIAN,
    SIGN_STYLES,
    SLOW,
    PercentileStrip,
    curve_marks,
    octaves_of,
    percentile_strip,
    strip_demand,
    tall_strip_demand,
    worst_text,
)
from .frame import MapPanel, SlotArray

_RIGHT = 2
"""Blanks between a strip and what stands beside it, and at the edge of the screen."""


def with_marks(
    panels: tuple[MapPanel, ...], values: FloatArray | None, bounds: FloatArray, slots: SlotArray, options: ViewOptions
) -> tuple[MapPanel, ...]:
    """The maps with marks of percentiles [2, columns] in their cells, if the user wants them there."""
    if values is None or options.percentiles != ON_MAP:
        return panels
    marks = curve_marks(values, bounds, slots)
    return tuple(panel._replace(marks=marks) for panel in panels)


def curves_legend(options: ViewOptions, layout: Layout, look: Glyphs) -> StyledText:
    """What the marks in the maps are, for their headings; empty where there are none, or no room to say so."""
    if options.percentiles != ON_MAP or layout.narrow:
        return ()
    if layout.plan.half and look.coloured:
        signs = ("▀", SIGN_STYLES[MEDIAN]), ("▀", SIGN_STYLES[SLOW])
    else:
        signs = (look.curves[0], STRONG), (look.curves[1], STRONG)
    return (("   ", TEXT), signs[0], (" p50  ", DIM), signs[1], (" p99", DIM))


def strip_lines(scene: Scene, rows: LatencyRows, options: ViewOptions, *, roomy: bool) -> tuple[int, int]:
    """How many lines a strip would take, and a tall one; 0 if none is wanted. ``roomy``: there may be room for one
    beside all else.
    """
    if scene.percentiles is None or not scene.percentiles.shape[1]:
        return 0, 0
    wanted = options.percentiles == STRIP or (roomy and options.percentiles == AUTO_CURVES)
    octaves = octaves_of(rows.bounds)
    return (strip_demand(octaves), tall_strip_demand(octaves)) if wanted else (0, 0)


def strip_of(
    scene: Scene, rows: LatencyRows, layout: Layout, look: Glyphs, last: LastPicture
) -> PercentileStrip | None:
    """The strip that the layout has lines for; None if it has none."""
    if not layout.plan.strip or scene.percentiles is None:
        return None
    values, room = scene.percentiles, layout.columns - layout.right - _RIGHT
    beside = last.held(
        "worst p99", scene.moment, (layout,), lambda: worst_text(values[1], scene.matrix, scene.status, room)
    )
    octaves = last.kept("octaves", rows.bounds.tobytes(), lambda: octaves_of(rows.bounds))
    return percentile_strip(values, octaves, layout.plan.strip - 1, look, layout.right - 1, beside)
