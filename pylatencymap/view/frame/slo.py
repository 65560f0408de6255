"""The SLO line: a latency to be kept, and how much is slower."""

from ...units import format_latency
from ...window.matrix import FloatArray
from ...window.statistics import Slow, Summary
from ..style.ink import DIM, TEXT, Ink, style
from ..style.text import Text, width_of
from .geometry import row_of
from .wording import percent_text

_NAME = style(Ink.MARK, bold=True)
_EVENTS, _WAITED = style(Ink.FREQUENCY), style(Ink.INTENSITY)


def slo_text(
    threshold: float, window: Summary, latest: Summary | None, bounds: FloatArray, noun: str, width: int
) -> Text:
    """Shares above the threshold (seconds) of the window and, where there is room, of the newest column.

    ``bounds`` are those of the rows shown.
    """
    name = ((f"▸ SLO {format_latency(threshold)}", _NAME), (_where(threshold, bounds), DIM), ("   ", TEXT))
    if window.slow is None or not window.events:
        return (*name, (f"no {noun} yet", DIM))
    now = _latest(latest.slow) if latest is not None and latest.slow is not None and latest.events else ()
    full, short = _full(window.slow, noun), _short(window.slow)
    for text in ((*name, *full, *now), (*name, *short, *now), (*name, *full), (*name, *short)):
        if width_of(text) <= width:
            return text
    return (*name[:1], ("   ", TEXT), *short)


def _where(threshold: float, bounds: FloatArray) -> str:
    if bounds.size < 2 or row_of(bounds, threshold) is not None:
        return ""
    return " (below the rows shown)" if threshold < bounds[0] else " (above the rows shown)"


def _full(slow: Slow, noun: str) -> Text:
    events, waited = _shares(slow)
    return ((f"{events} of {noun} are slower,", _EVENTS), (f" with {waited} of the wait", _WAITED))


def _short(slow: Slow) -> Text:
    events, waited = _shares(slow)
    return ((f"{events} slower", _EVENTS), (f", {waited} wait", _WAITED))


def _latest(slow: Slow) -> Text:
    events, waited = _shares(slow)
    return (("   latest: ", DIM), (events, _EVENTS), (", ", DIM), (waited, _WAITED))


def _shares(slow: Slow) -> tuple[str, str]:
    """Shares in percent, the first with how sure both are: slower events may lie in an open range, or in the SLO's."""
    sure = "at least " if slow.unsure else "" if slow.exact else "about "
    return sure + percent_text(slow.events), percent_text(slow.waited)
