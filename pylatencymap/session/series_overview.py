"""Rates of all series, and lines about the series that are not drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..units import format_measured, measured_digits
from ..window import OTHER_SERIES, History, Overview, Quantity, Summary, Window, overview_of, rank_of

# Rates, share of the time waited and average of each series.


class SeriesShare(NamedTuple):
    """Over the whole history: events per second, seconds waited per second, share of all time waited (0 to 1), and
    average latency.
    """

    name: str
    events_per_second: float
    waited_per_second: float
    of_wait: float
    average: Quantity | None


def series_shares(window: Window) -> list[SeriesShare]:
    """All series, sorted by time waited, most first."""
    totals = {name: window[name].total() for name in window.by_time_waited()}
    everything = sum(total.waited for total in totals.values()) or 1.0
    return [share_of(name, total, everything) for name, total in totals.items()]


def share_of(name: str, total: Summary, everything: float) -> SeriesShare:
    """One series; all series together waited ``everything`` seconds."""
    seconds = total.span or 1.0
    return SeriesShare(name, total.events / seconds, total.waited / seconds, total.waited / everything, total.average)


SWITCH_FACTOR = 1.5
"""Another series is drawn when its time waited exceeds this many times that of the series on the screen."""


class BusiestSeries:
    """The series with the most time waited. Another one takes its place only if it has waited much more."""

    def __init__(self) -> None:
        self._name: str | None = None

    def of(self, window: Window, *, follows: bool) -> str | None:
        """Its name; None while there is no series. Unless the picture ``follows`` the newest data, it stays."""
        if self._name is None or follows:
            ranking = window.by_time_waited()
            if ranking and (self._name is None or self._is_overtaken(ranking[0], self._name, window)):
                self._name = ranking[0]
        return self._name

    def choose(self, window: Window) -> None:
        """Choose it anew, by all data."""
        self._name = next(iter(window.by_time_waited()), None)

    @staticmethod
    def _is_overtaken(first: str, shown: str, window: Window) -> bool:
        if rank_of(first) < rank_of(shown):
            return True
        return first != shown and window[first].waited > SWITCH_FACTOR * window[shown].waited


MOST = 8


def overview_lines(window: Window, names: list[str]) -> tuple[str, ...]:
    """A line for each series with its rate, time waited per second and average over the whole history. After MOST lines
    the rest is only counted.
    """
    lines = [_line(share_of(name, window[name].total(), 1.0)) for name in names[:MOST]]
    if len(names) > MOST:
        lines.append(f"and {len(names) - MOST} more series; --series GLOB chooses what is drawn")
    if window.most_series is not None:
        lines.append(f"{OTHER_SERIES!r} are those after the first {window.most_series}: --history-mb holds no more")
    return tuple(lines)


def _line(share: SeriesShare) -> str:
    average = share.average
    shown = "" if average is None else f", avg {'>= ' if average.beyond else ''}{format_measured(average.seconds)}"
    waited = waited_rate_text(share.waited_per_second)
    return f"{share.name}  {measured_digits(share.events_per_second)}/s, {waited}{shown}"


def waited_rate_text(rate: float) -> str:
    """Time waited per second: ``31.2 ms/s waited``."""
    return f"{format_measured(rate)}/s waited" if rate > 0 else "nothing waited"


# The nouns for the events of a source.


_BY_LABEL = {"biolatency": "I/Os", "demo": "I/Os"}
_BY_SOURCE = {"oracle": "waits", "oracle_trace": "waits"}


def event_noun(label: str, source: str) -> str:
    """A plural: I/Os, waits or events."""
    known = _BY_LABEL.get(label.lower()) or _BY_SOURCE.get(source)
    return known or ("I/Os" if "i/o" in label.lower() else "events")


def short_label(history: History) -> str:
    """The label; or the source, if the label only repeats the name of the series."""
    said_again = history.name.lower() in history.label.lower()
    return (history.source if said_again else history.label) or history.source or "pylatencymap"


# All that is kept of the series shown, in one line.


OVERVIEW_STEPS = 4
"""The overview follows new data in so many steps for each of its characters."""


OVERVIEW_SECONDS = 60.0


def is_overview(width: float, *, all_shown: bool) -> bool:
    """Whether columns of so many seconds say what an overview would: all is on the screen, and no column is longer than
    the minutes of the overview.
    """
    return all_shown and width <= OVERVIEW_SECONDS


class LatestOverview:
    """The overview that was made last, for as long as it says what a new one would."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._made: Overview | None = None

    def of(self, histories: Sequence[History], columns: int, begin: int, end: int, *, held: bool) -> Overview:
        """The overview of these series from ``begin`` to ``end`` (epoch microseconds). ``held``: of a picture that is
        held still, it does not follow new data.
        """
        step = max((end - begin) // (columns * OVERVIEW_STEPS), 1)
        names = [one.name for one in histories]
        key = (names, columns, begin, end // step, [one.version for one in histories])
        stays = self._key == key or (held and self._key[:2] == key[:2])
        if self._made is None or not stays:
            self._key, self._made = key, overview_of(histories, columns)
        return self._made
