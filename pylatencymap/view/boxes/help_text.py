"""Explains how to read the maps, with the data on the screen as the example."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ...number_text import scale_text, share_text, span_text
from ...text import fit
from ...text.clean import printable
from ...units import format_measured, measured_digits
from ...window import FloatArray
from ..layout.latency_rows import rows_per_doubling
from ..layout.scene import Scene
from ..style.glyphs import Glyphs
from ..style.options import FREQUENCY, INTENSITY, LINEAR, LOG, SHARE, SQRT, ViewOptions
from ..style.styled_text import StyledSpan, StyledText, width_of
from ..style.styles import DIM, STRONG, TEXT, Ink, style
from ..wording.reading import DIFFERENT_SHARE, EVENT_STYLE, WAIT_STYLE, ShownMode, modes_of
from ..wording.time_axis import column_span

MOST_MODES = 2
"""Most modes in the example."""
_SWATCH = 12
_ROBUST = "robust against hot columns and a 1-2-5 step"
_LABELS = {
    False: "its label is the upper bound.",
    True: "there are two rows per line, and its label is the bound between them.",
}
_MERGED = " Labels with a * are of rows that were merged from several: there is no room for all."
_SCALES = {
    SQRT: "Colour is sqrt(value / maximum): doubling the colour step takes four times as much.",
    LINEAR: "Colour is value / maximum.",
    LOG: "Colour is the logarithm of the value: three decades up to the maximum.",
    SHARE: "Colour is sqrt(value / sum of its column): columns compare in shape, not in amount.",
}


class HelpFacts(NamedTuple):
    """The facts about the data on the screen that the help mentions.

    interval   seconds of a column
    modes      the modes of the window
    waiting    seconds waited per second in the window; None without data
    maxima     end of the colour scale of each map drawn, per second
    half       whether a line has two rows
    merged     whether rows were merged, so that labels have signs
    """

    label: str
    series: str
    noun: str
    interval: float
    resolution: int
    modes: tuple[ShownMode, ...]
    waiting: float | None
    maxima: Mapping[str, float]
    estimated: bool
    resampled: bool
    half: bool = False
    merged: bool = False


def facts_of(
    scene: Scene, maxima: Mapping[str, float], *, half: bool = False, bounds: FloatArray | None = None
) -> HelpFacts:
    """The facts of a scene. ``maxima``, ``half`` and ``bounds``, of the rows, come from the picture's Geometry."""
    matrix, status, window = scene.matrix, scene.status, scene.window
    return HelpFacts(
        label=status.label,
        series=status.series,
        noun=fit(printable(status.noun), 24),
        interval=column_span(matrix.ends, status.interval),
        resolution=min(status.resolution, rows_per_doubling(matrix.bounds)),
        modes=modes_of(scene.reading),
        waiting=window.waited / window.span if window.span > 0 and window.events > 0 else None,
        maxima=maxima,
        estimated=bool(matrix.estimated.any()),
        resampled=matrix.resampled,
        half=half,
        merged=bounds is not None
        and bool((np.diff(np.searchsorted(matrix.bounds, bounds[bounds < np.inf])) > 1).any()),
    )


def reading_paragraphs(facts: HelpFacts, options: ViewOptions, look: Glyphs) -> list[tuple[StyledText, int]]:
    """Paragraphs on the axes, the two maps and the modes of the window, each with its hanging indent in columns."""
    swatches = [
        _map_line(FREQUENCY, f"how many {facts.noun} per second fell into the range", facts, options, look),
        _map_line(INTENSITY, "how long they waited, all together: count x latency", facts, options, look),
    ]
    compare: StyledText = (
        ("Compare the two: ", STRONG),
        ("strong in frequency only is many, but fast; strong in intensity only is what users wait for.", TEXT),
    )
    # Wrapped lines begin below the text, after heading and swatch.
    hanging = width_of(swatches[0][:-1]) + 2
    plain = [compare, *_example(facts), *_waiting(facts)]
    return [
        (_axes(facts), 0),
        ((), 0),
        *((line, hanging) for line in swatches),
        ((), 0),
        *((line, 0) for line in plain),
    ]


def picture_text(facts: HelpFacts, options: ViewOptions) -> StyledText:
    """How the colours and the figures of this picture were computed."""
    words = [_SCALES[options.scale]]
    if options.scale != SHARE:
        words.append(_maximum_words(facts, options))
    if facts.estimated:
        words.append("Time waited is estimated from the counts of neighbouring ranges: this source does not report it.")
    else:
        words.append("Time waited is as the source reports it.")
    if facts.resampled:
        words.append("Ranges of the source that lie across two rows are spread over both.")
    return ((" ".join(words), TEXT),)


def _axes(facts: HelpFacts) -> StyledText:
    step = "a doubling of the row below" if facts.resolution == 1 else f"{facts.resolution} of them make a doubling"
    return (
        ("Time runs to the right, latency upward. ", STRONG),
        (f"A column is {span_text(facts.interval)}. A row is one range of latencies, {step}; ", TEXT),
        (_LABELS[facts.half], TEXT),
        (_MERGED * facts.merged, TEXT),
    )


def _map_line(kind: str, meaning: str, facts: HelpFacts, options: ViewOptions, look: Glyphs) -> StyledText:
    ink = Ink.FREQUENCY if kind == FREQUENCY else Ink.INTENSITY
    maximum = facts.maxima.get(kind, 0.0)
    end = f"; full at {scale_text(maximum, kind == INTENSITY)}/s" if maximum > 0 and options.scale != SHARE else ""
    return (
        (kind.upper().ljust(len(FREQUENCY) + 1), style(ink, bold=True)),
        *_swatch(kind, look),
        (f"  {meaning}{end}", TEXT),
    )


def _swatch(kind: str, look: Glyphs) -> list[StyledSpan]:
    """The ramp as it looks in the map."""
    if not look.coloured:
        return [(look.glyphs, style(0, Ink.SCREEN))]
    base = Ink.FREQUENCY_RAMP if kind == FREQUENCY else Ink.INTENSITY_RAMP
    repeat = max(1, _SWATCH // look.levels)
    return [(" " * repeat, style(0, base + level)) for level in range(1, look.levels + 1)]


def _example(facts: HelpFacts) -> list[StyledText]:
    """A sentence for each of the modes with the most wait, fastest first."""
    name = fit(printable(facts.series or facts.label), 24)
    most = sorted(facts.modes, key=lambda mode: mode.waited, reverse=True)[:MOST_MODES]
    return [_mode_line(mode, name, facts.noun) for mode in sorted(most, key=lambda mode: mode.place)]


def _mode_line(mode: ShownMode, name: str, noun: str) -> StyledText:
    joint = " but " if abs(mode.events - mode.waited) > DIFFERENT_SHARE else " and "
    return (
        (f"{name}, ", DIM),
        (mode.text, STRONG),
        (": ", TEXT),
        (f"{share_text(mode.events, '0 %')} of {noun}", EVENT_STYLE),
        (joint, DIM),
        (f"{share_text(mode.waited, '0 %')} of the wait", WAIT_STYLE),
        (f": {_verdict(mode)}.", TEXT),
    )


def _verdict(mode: ShownMode) -> str:
    if mode.events - mode.waited > DIFFERENT_SHARE:
        return "many and fast"
    if mode.waited - mode.events > DIFFERENT_SHARE:
        return "few and slow, this is what users wait for"
    return "as strong in one map as in the other"


def _waiting(facts: HelpFacts) -> list[StyledText]:
    """What time waited per second means. By Little's law it is the average number waiting at any moment."""
    if facts.waiting is None or facts.waiting <= 0:
        return [((f"1 s/s waited means that, on average, one of the {facts.noun} was waiting all the time.", TEXT),)]
    number = measured_digits(facts.waiting) if facts.waiting >= 0.005 else "fewer than 0.01"
    return [
        (
            (f"{format_measured(facts.waiting)}/s waited", WAIT_STYLE),
            (f" means that, on average, {number} {facts.noun} were waiting at any moment.", TEXT),
        )
    ]


def _maximum_words(facts: HelpFacts, options: ViewOptions) -> str:
    ends = {kind: _end_words(kind, facts) for kind in options.maps}
    pinned = [kind for kind in ends if options.pinned(kind)]
    robust = [kind for kind in ends if kind not in pinned]
    if pinned and robust:
        (held, value), (free, end) = ((kinds[0], ends[kinds[0]]) for kinds in (pinned, robust))
        return f"The maximum of {held} is pinned{value}. That of {free} is {_ROBUST}{end}."
    values = ends[options.maps[0]] + "".join(ends[kind].replace(": ", " and ") for kind in options.maps[1:])
    return f"The maximum is {'pinned' if pinned else _ROBUST}{values}."


def _end_words(kind: str, facts: HelpFacts) -> str:
    """The end of a scale as ``: 500 I/Os/s`` or ``: 1 s/s``; empty if there are no events."""
    maximum = facts.maxima.get(kind, 0.0)
    unit = "/s" if kind == INTENSITY else f" {facts.noun}/s"
    return f": {scale_text(maximum, kind == INTENSITY)}{unit}" if maximum > 0 else ""
