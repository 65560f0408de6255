"""What each series has of the whole: rates, share of the time waited, average."""

from __future__ import annotations

from typing import NamedTuple

from ..window.stats import Quantity
from ..window.window import Window


class SeriesShare(NamedTuple):
    """Over all that is kept: events and seconds waited per second, share of all time waited (0 to 1), average."""

    name: str
    events_per_second: float
    waited_per_second: float
    of_wait: float
    average: Quantity | None


def shares(window: Window) -> list[SeriesShare]:
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
