"""Keys that change how the same data are drawn: maps, colours, latency rows, the SLO line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

from ...buckets import MAX_RESOLUTION
from ...errors import UsageError
from ...session import Viewpoint
from ...units import format_latency, parse_latency
from ...view.style import BACKGROUNDS, FREQUENCY, INTENSITY, PALETTES, SCALES
from ...window import finest_resolution
from ..viewer.prompts import ask_on_last_line
from ..viewer.viewer import Viewer

LOWEST, HIGHEST = 1e-9, 1e6
"""Seconds between which a range of latencies can be moved."""
LITTLE = 0.03
"""More of the events or of the wait than this does not go into merged rows for the sake of finer ones."""
SOME_KEYS = (("?", "help"),)
"""As the main view, a picture to be tried has a line of key hints."""
RANGE_HINT = "128us-16ms, 1ms- or -1s; empty: as the data are; Enter, Esc"
SLO_HINT = "a latency, as 10ms; empty: none; Enter, Esc"


def show_maps(kind: str) -> Callable[[Viewer], None]:
    """A key that chooses the maps."""

    def act(stage: Viewer) -> None:
        stage.at = stage.at.looking(map=kind)

    return act


def next_scale(stage: Viewer) -> None:
    """sqrt, linear, log, share."""
    stage.at = stage.at.looking(scale=_after(SCALES, stage.at.view.scale))
    stage.notice = f"colour scale: {stage.at.view.scale}"


def next_palette(stage: Viewer) -> None:
    """The next palette."""
    stage.at = stage.at.looking(palette=_after(PALETTES, stage.at.view.palette))
    stage.notice = f"palette: {stage.at.view.palette}"


def switch_background(stage: Viewer) -> None:
    """Colours for a dark terminal, or for a light one."""
    stage.at = stage.at.looking(background=_after(BACKGROUNDS, stage.at.view.background))
    stage.notice = f"colours for a {stage.at.view.background} background"


def pin_scales(stage: Viewer) -> None:
    """Hold both scales where they end now, or let them follow the data again."""
    view, geometry = stage.at.view, stage.geometry
    pinned = view.frequency_max or view.intensity_max or stage.at.intensity_max
    if pinned:
        stage.at = stage.at.looking(frequency_max=None, intensity_max=None, held=False)._replace(intensity_max=None)
        stage.notice = "the scales follow the data"
    elif geometry is not None and view.scale != "share":
        maxima = {**geometry.maxima}
        stage.at = stage.at.looking(
            frequency_max=maxima.get(FREQUENCY) or None, intensity_max=maxima.get(INTENSITY) or None, held=True
        )
        stage.notice = "the scales are pinned where they are; x lets them go"


def double_resolution(stage: Viewer) -> None:
    """Twice as many rows per doubling, as far as the source can tell latencies apart and there are lines for them."""
    most = finest_resolution(stage.picture.selection(stage.at, stage.picture.columns_at(stage.size)))
    if stage.at.resolution * 2 > most:
        reason = (
            "no finer rows are drawn" if most == MAX_RESOLUTION else "the source does not tell latencies apart further"
        )
        stage.notice = f"{stage.at.resolution} row{'s' * (stage.at.resolution > 1)} per doubling: {reason}"
        return
    finer_rows = stage.at._replace(resolution=stage.at.resolution * 2)
    if stage.picture.merged(finer_rows, stage.size, stage.status(SOME_KEYS, "")) > LITTLE:
        stage.notice = "finer rows do not fit here; r narrows the range"
    else:
        stage.at = finer_rows


def halve_resolution(stage: Viewer) -> None:
    """Half as many rows per doubling."""
    stage.at = stage.at._replace(resolution=max(1, stage.at.resolution // 2))


def pan_latencies(octaves: int) -> Callable[[Viewer], None]:
    """A key that moves a range of latencies, the one on the screen where none is fixed, by a doubling."""

    def act(stage: Viewer) -> None:
        low, high = _range(stage)
        if low is None or high is None:
            stage.notice = "there is no range of latencies to move"
            return
        factor = 2.0**octaves
        if low * factor < LOWEST or high * factor > HIGHEST:
            stage.notice = "the range of latencies ends here"
            return
        stage.at = _fixed(stage, low * factor, high * factor)

    return act


def ask_range(stage: Viewer) -> None:
    """Ask for the range of latencies."""
    low, high = stage.at.view.min_latency, stage.at.view.max_latency
    text = "-".join(format_latency(bound).replace(" ", "") if bound else "" for bound in (low, high))
    ask_on_last_line(stage, "latencies", text if low or high else "", RANGE_HINT, _fix_range)


def ask_slo(stage: Viewer) -> None:
    """Ask for the SLO; the upper bound of the cursor's row is the first suggestion."""
    pointer, geometry, latency = stage.at.pointer, stage.geometry, stage.at.view.slo
    if pointer is not None and geometry is not None and (row := geometry.row_of(pointer.latency)) is not None:
        bound = float(geometry.bounds[row + 1])
        latency = bound if bound != inf else float(geometry.bounds[row])
    ask_on_last_line(stage, "SLO", format_latency(latency).replace(" ", "") if latency else "", SLO_HINT, _set_slo)


def _set_slo(stage: Viewer, text: str) -> None:
    latency = _latency(stage, text) if text.strip() else None
    if latency is not None and latency <= 0:
        raise UsageError("an SLO is more than 0")
    stage.at = stage.at.looking(slo=latency)


def _latency(stage: Viewer, text: str) -> float:
    """Seconds of a latency as typed. One that is the label of a row means the row's bound: 16.4ms is 16.384 ms."""
    latency = parse_latency(text)
    bounds = stage.geometry.bounds.tolist() if stage.geometry is not None else []
    label = format_latency(latency)
    return next((bound for bound in bounds if 0 < bound < inf and format_latency(bound) == label), latency)


def _fix_range(stage: Viewer, text: str) -> None:
    if not text.strip():
        stage.at = stage.at.looking(min_latency=None, max_latency=None)._replace(buckets=(None, None))
        return
    lower, dash, upper = text.partition("-")
    if not dash:
        raise UsageError(f"{text!r} is no range; write 128us-16ms, 1ms- or -1s")
    low, high = (_latency(stage, bound) if bound.strip() else None for bound in (lower, upper))
    if low is not None and high is not None and low >= high:
        raise UsageError("the lower end of the range must be less than the upper one")
    stage.at = _fixed(stage, low, high)


def _fixed(stage: Viewer, low: float | None, high: float | None) -> Viewpoint:
    return stage.at.looking(min_latency=low, max_latency=high)._replace(buckets=(None, None))


def _range(stage: Viewer) -> tuple[float | None, float | None]:
    """The latencies that are fixed, else those on the screen, seconds."""
    view, geometry = stage.at.view, stage.geometry
    if geometry is None or geometry.bounds.size < 3:
        return view.min_latency, view.max_latency
    finite = geometry.bounds[geometry.bounds < inf]
    return view.min_latency or float(finite[finite > 0].min()), view.max_latency or float(finite.max())


def _after(choices: Sequence[str], now: str) -> str:
    """The next one; after the last the first."""
    return choices[(choices.index(now) + 1) % len(choices)]
