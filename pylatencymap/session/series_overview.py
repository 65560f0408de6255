"""Lines about the series that are not drawn."""

from __future__ import annotations

from typing import NamedTuple

from ..units import format_measured, measured_digits
from ..window import Quantity, Window

# What each series has of the whole: rates, share of the time waited, average.


class SeriesShare(NamedTuple):
    """Over all that is kept: events and seconds waited per second, share of all time waited (0 to 1), average."""

    name: str
    events_per_second: float
    waited_per_second: float
    of_wait: float
    average: Quantity | None


def series_shares(window: Window) -> list[SeriesShare]:
    """Every series, the one with the most time waited first."""
    names = window.by_time_waited()
    everything = sum(window[name].waited for name in names) or 1.0
    return [share_of(window, name, everything) for name in names]


def share_of(window: Window, name: str, everything: float) -> SeriesShare:
    """One series, where all of them together waited ``everything`` seconds."""
    total = window[name].total()
    seconds = total.span or 1.0
    return SeriesShare(
        name, total.events / seconds, total.waited / seconds, window[name].waited / everything, total.average
    )


MOST = 8


def overview_lines(window: Window, names: list[str]) -> tuple[str, ...]:
    """One line each, over all that is kept: rate, time waited per second, average. What is too much is only counted."""
    lines = [_line(share_of(window, name, 1.0)) for name in names[:MOST]]
    if len(names) > MOST:
        lines.append(f"and {len(names) - MOST} more series; --series GLOB chooses what is drawn")
    return tuple(lines)


def _line(share: SeriesShare) -> str:
    average = share.average
    shown = "" if average is None else f", avg {'>= ' if average.beyond else ''}{format_measured(average.seconds)}"
    waited = waited_rate_text(share.waited_per_second)
    return f"{share.name}  {measured_digits(share.events_per_second)}/s, {waited}{shown}"


def waited_rate_text(rate: float) -> str:
    """Time waited per second: ``31.2 ms/s waited``."""
    return f"{format_measured(rate)}/s waited" if rate > 0 else "nothing waited"


# What the events of a source are called.


_BY_LABEL = {"biolatency": "I/Os", "demo": "I/Os"}
_BY_SOURCE = {"oracle": "waits"}


def event_noun(label: str, source: str) -> str:
    """A plural: I/Os, waits or events."""
    known = _BY_LABEL.get(label.lower()) or _BY_SOURCE.get(source)
    return known or ("I/Os" if "i/o" in label.lower() else "events")
