"""Keys that change how the same data are drawn: maps, colours, latency rows, the SLO line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timezone
from math import inf

from ...buckets import MAX_RESOLUTION
from ...errors import UsageError
from ...session import Viewpoint
from ...text import zone_named
from ...units import format_latency, parse_latency
from ...view.style import AUTO_CURVES, BACKGROUNDS, FREQUENCY, INTENSITY, NO_CURVES, ON_MAP, PALETTES, SCALES, STRIP
from ...window import finest_resolution
from ..viewer.prompts import ask_on_last_line
from ..viewer.viewer import Viewer
from .series_choice import NO_STRIP

LOWEST, HIGHEST = 1e-9, 1e6
"""Limits between which a range of latencies can be moved, in seconds."""
LITTLE = 0.03
"""Rows become finer only if at most this share of the events or of the time waited ends up in merged rows."""
SOME_KEYS = (("?", "help"),)
"""A trial picture has a line of key hints, as the main view has."""
CURVES_SAID = {
    NO_CURVES: "no percentiles over time",
    ON_MAP: "p50 and p99 of each column, in the maps",
    STRIP: "p50 and p99 of each column, below the maps",
}
RANGE_HINT = "128us-16ms, 1ms- or -1s; empty: as the data are; Enter, Esc"
SLO_HINT = "a latency, as 10ms; empty: none; Enter, Esc"


def show_maps(kind: str) -> Callable[[Viewer], None]:
    """A key that chooses the maps."""

    def act(viewer: Viewer) -> None:
        viewer.viewpoint = viewer.viewpoint.looking(map=kind)

    return act


def next_scale(viewer: Viewer) -> None:
    """The next colour scale: sqrt, linear, log, share."""
    viewer.viewpoint = viewer.viewpoint.looking(scale=_after(SCALES, viewer.viewpoint.view.scale))
    viewer.notice = f"colour scale: {viewer.viewpoint.view.scale}"


def next_palette(viewer: Viewer) -> None:
    """The next palette."""
    viewer.viewpoint = viewer.viewpoint.looking(palette=_after(PALETTES, viewer.viewpoint.view.palette))
    viewer.notice = f"palette: {viewer.viewpoint.view.palette}"


def next_curves(viewer: Viewer) -> None:
    """Percentiles over time: none, marks in the maps, a strip below them if there is room for one. A stack has no
    strip.
    """
    now, stacked = viewer.viewpoint.view.percentiles, viewer.picture.stack_at(viewer.viewpoint, viewer.size).names
    if now == AUTO_CURVES:
        now = STRIP if not stacked and _has_strip(viewer, AUTO_CURVES) else NO_CURVES
    wanted = {NO_CURVES: ON_MAP, ON_MAP: NO_CURVES if stacked else STRIP}.get(now, NO_CURVES)
    said = CURVES_SAID[wanted]
    if wanted == STRIP and not _has_strip(viewer, STRIP):
        wanted, said = NO_CURVES, f"{CURVES_SAID[NO_CURVES]}: there is no room for a strip of them"
    viewer.viewpoint = viewer.viewpoint.looking(percentiles=wanted)
    viewer.notice = f"{said}: {NO_STRIP}" if stacked and wanted == ON_MAP else said


def _has_strip(viewer: Viewer, choice: str) -> bool:
    """Whether there would be a strip of percentiles."""
    status = viewer.status(SOME_KEYS, "")
    return viewer.picture.has_strip(viewer.viewpoint.looking(percentiles=choice), viewer.size, status)


def switch_zone(viewer: Viewer) -> None:
    """Tell times in UTC, or in the zone of the session; if that is UTC, in the machine's own."""
    now, given = viewer.picture.options.tz, viewer.zone
    zone = (zone_named(None) if given is timezone.utc else given) if now is timezone.utc else timezone.utc
    viewer.picture.use_zone(zone)
    name = "UTC" if zone is timezone.utc else getattr(zone, "key", "") or "local time"
    viewer.notice = f"times are in {name}"


def switch_background(viewer: Viewer) -> None:
    """Switch between colours for a dark and for a light terminal."""
    viewer.viewpoint = viewer.viewpoint.looking(background=_after(BACKGROUNDS, viewer.viewpoint.view.background))
    viewer.notice = f"colours for a {viewer.viewpoint.view.background} background"


def pin_scales(viewer: Viewer) -> None:
    """Pin both scales at their present maximum, or let them follow the data again."""
    view, geometry = viewer.viewpoint.view, viewer.geometry
    pinned = view.frequency_max or view.intensity_max or viewer.viewpoint.intensity_max
    if pinned:
        viewer.viewpoint = viewer.viewpoint.looking(frequency_max=None, intensity_max=None, held=False)._replace(
            intensity_max=None
        )
        viewer.notice = "the scales follow the data"
    elif geometry is not None and view.scale != "share":
        maxima = {**geometry.maxima}
        viewer.viewpoint = viewer.viewpoint.looking(
            frequency_max=maxima.get(FREQUENCY) or None, intensity_max=maxima.get(INTENSITY) or None, held=True
        )
        viewer.notice = "the scales are pinned where they are; x lets them go"


def double_resolution(viewer: Viewer) -> None:
    """Twice as many rows per doubling, if the source distinguishes such latencies and there are lines for the rows."""
    most = finest_resolution(viewer.picture.selection(viewer.viewpoint, viewer.picture.columns_at(viewer.size)))
    if viewer.viewpoint.resolution * 2 > most:
        reason = (
            "no finer rows are drawn" if most == MAX_RESOLUTION else "the source does not tell latencies apart further"
        )
        viewer.notice = (
            f"{viewer.viewpoint.resolution} row{'s' * (viewer.viewpoint.resolution > 1)} per doubling: {reason}"
        )
        return
    finer_rows = viewer.viewpoint._replace(resolution=viewer.viewpoint.resolution * 2)
    if viewer.picture.merged(finer_rows, viewer.size, viewer.status(SOME_KEYS, "")) > LITTLE:
        viewer.notice = "finer rows do not fit here; r narrows the range"
    else:
        viewer.viewpoint = finer_rows


def halve_resolution(viewer: Viewer) -> None:
    """Half as many rows per doubling."""
    viewer.viewpoint = viewer.viewpoint._replace(resolution=max(1, viewer.viewpoint.resolution // 2))


def pan_latencies(octaves: int) -> Callable[[Viewer], None]:
    """A key that moves the range of latencies by a doubling; if none is fixed, the range on the screen."""

    def act(viewer: Viewer) -> None:
        low, high = _range(viewer)
        if low is None or high is None:
            viewer.notice = "there is no range of latencies to move"
            return
        factor = 2.0**octaves
        if low * factor < LOWEST or high * factor > HIGHEST:
            viewer.notice = "the range of latencies ends here"
            return
        viewer.viewpoint = _fixed(viewer, low * factor, high * factor)

    return act


def ask_range(viewer: Viewer) -> None:
    """Ask for the range of latencies."""
    low, high = viewer.viewpoint.view.min_latency, viewer.viewpoint.view.max_latency
    text = "-".join(format_latency(bound).replace(" ", "") if bound else "" for bound in (low, high))
    ask_on_last_line(viewer, "latencies", text if low or high else "", RANGE_HINT, _fix_range)


def ask_slo(viewer: Viewer) -> None:
    """Ask for the SLO. The suggestion is the upper bound of the cursor's row, else the present SLO."""
    pointer, geometry, latency = viewer.viewpoint.pointer, viewer.geometry, viewer.viewpoint.view.slo
    if pointer is not None and geometry is not None and (row := geometry.row_of(pointer.latency)) is not None:
        bound = float(geometry.bounds[row + 1])
        latency = bound if bound != inf else float(geometry.bounds[row])
    ask_on_last_line(viewer, "SLO", format_latency(latency).replace(" ", "") if latency else "", SLO_HINT, _set_slo)


def _set_slo(viewer: Viewer, text: str) -> None:
    latency = _latency(viewer, text) if text.strip() else None
    if latency is not None and latency <= 0:
        raise UsageError("an SLO is more than 0")
    viewer.viewpoint = viewer.viewpoint.looking(slo=latency)


def _latency(viewer: Viewer, text: str) -> float:
    """A typed latency in seconds. The label of a row means the exact bound of that row: 16.4ms is 16.384 ms."""
    latency = parse_latency(text)
    bounds = viewer.geometry.bounds.tolist() if viewer.geometry is not None else []
    label = format_latency(latency)
    return next((bound for bound in bounds if 0 < bound < inf and format_latency(bound) == label), latency)


def _fix_range(viewer: Viewer, text: str) -> None:
    if not text.strip():
        viewer.viewpoint = viewer.viewpoint.looking(min_latency=None, max_latency=None)._replace(buckets=(None, None))
        return
    lower, dash, upper = text.partition("-")
    if not dash:
        raise UsageError(f"{text!r} is no range; write 128us-16ms, 1ms- or -1s")
    low, high = (_latency(viewer, bound) if bound.strip() else None for bound in (lower, upper))
    if low is not None and high is not None and low >= high:
        raise UsageError("the lower end of the range must be less than the upper one")
    viewer.viewpoint = _fixed(viewer, low, high)


def _fixed(viewer: Viewer, low: float | None, high: float | None) -> Viewpoint:
    return viewer.viewpoint.looking(min_latency=low, max_latency=high)._replace(buckets=(None, None))


def _range(viewer: Viewer) -> tuple[float | None, float | None]:
    """The fixed range of latencies, else the range on the screen, in seconds."""
    view, geometry = viewer.viewpoint.view, viewer.geometry
    if geometry is None or geometry.bounds.size < 3:
        return view.min_latency, view.max_latency
    finite = geometry.bounds[geometry.bounds < inf]
    return view.min_latency or float(finite[finite > 0].min()), view.max_latency or float(finite.max())


def _after(choices: Sequence[str], now: str) -> str:
    """The next choice; after the last one comes the first."""
    return choices[(choices.index(now) + 1) % len(choices)]
