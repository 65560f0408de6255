"""Where the colour scales of a picture end, and what it says about columns beyond that."""

from __future__ import annotations

from ...number_text import scale_text
from ..layout.colour_scale import ScaleMemory, clipped_above, wanted_maximum
from ..layout.latency_rows import LatencyRows
from ..style.options import FREQUENCY, SHARE, ViewOptions


def scale_maximum(kind: str, rows: LatencyRows, options: ViewOptions, memory: ScaleMemory) -> float:
    """The end of a colour scale: pinned, or from the memory and the values of the rows drawn, merged ones included."""
    return options.pinned(kind) or memory.maximum(kind, wanted_maximum(rows.values(kind)))


def clip_note(rows: LatencyRows, maxima: dict[str, float], options: ViewOptions, *, hint: bool) -> str:
    """A text that says how many columns are off which scale; empty if none is."""
    if options.scale == SHARE:
        return ""
    notes, free = [], False
    for kind, maximum in maxima.items():
        above = clipped_above(maximum, exact=options.is_exact(kind))
        count = int((rows.values(kind) > above).any(axis=0).sum()) if maximum > 0 else 0
        if count:
            end = scale_text(maximum, kind != FREQUENCY)
            pinned = bool(options.pinned(kind))
            free = free or not pinned
            scale = f"pinned {kind}" if pinned else kind
            notes.append(f"{count} column{'s are' if count > 1 else ' is'} off the {scale} scale of {end}/s")
    # Changing the scale does not help if its maximum is pinned.
    if free and hint:
        notes.append("c changes the scale")
    return "; ".join(notes)
