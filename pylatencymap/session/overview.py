"""Lines about the series that are not drawn."""

from ..units import format_measured, measured_digits
from ..window.window import Window
from .shares import SeriesShare, share_of

MOST = 8


def overview(window: Window, names: list[str]) -> tuple[str, ...]:
    """One line each, over all that is kept: rate, time waited per second, average. What is too much is only counted."""
    lines = [_line(share_of(window, name, 1.0)) for name in names[:MOST]]
    if len(names) > MOST:
        lines.append(f"and {len(names) - MOST} more series; --series GLOB chooses what is drawn")
    return tuple(lines)


def _line(share: SeriesShare) -> str:
    average = share.average
    shown = "" if average is None else f", avg {'>= ' if average.beyond else ''}{format_measured(average.seconds)}"
    return f"{share.name}  {measured_digits(share.events_per_second)}/s, {waited_rate(share.waited_per_second)}{shown}"


def waited_rate(rate: float) -> str:
    """Time waited per second: ``31.2 ms/s waited``."""
    return f"{format_measured(rate)}/s waited" if rate > 0 else "nothing waited"
