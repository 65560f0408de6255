"""What a page shows, as values: series with their columns, sentences and figures. The session makes it."""

from __future__ import annotations

from datetime import tzinfo
from typing import NamedTuple

from ...view.style import ViewOptions
from ...window import History, SeriesSum, Summary


class PageMoment(NamedTuple):
    """A moment worth a look: from ``begin`` to ``end``, epoch microseconds, with its sign on the axis and its sentence.
    ``when`` and ``cost`` are words; ``low`` and ``high``, seconds, the latencies that it is about; None: no bound.
    """

    begin: int
    end: int
    sign: str
    when: str
    what: str
    cost: str = ""
    low: float | None = None
    high: float | None = None


class PageMode(NamedTuple):
    """A mode, or what is above the last one: its range in words, its shares of the events and of the time waited."""

    range: str
    events: float
    waited: float


class PageSeries(NamedTuple):
    """One series. ``noun``: what its events are called; ``tick``: the step of its clock in seconds, None if only the
    counts can show it; ``summary``, ``modes`` and ``moments`` are of all that is kept, the costliest moment first.
    ``history`` can be that of all series added up.
    """

    history: History | SeriesSum
    noun: str
    tick: float | None
    summary: Summary
    modes: tuple[PageMode, ...]
    moments: tuple[PageMoment, ...]


class PageContent(NamedTuple):
    """All of a page.

    title   the file, or what else was read
    files   names of the files
    series  in the order of the tabs; ``first`` is the number of the one that is shown at first. Where there are
            several, the last one is their sum
    tz      the zone in which times are written
    view    scale, palette, background, limits and the SLO, as pictures have them
    bad     how many records were left out
    """

    title: str
    files: tuple[str, ...]
    series: tuple[PageSeries, ...]
    first: int
    tz: tzinfo
    view: ViewOptions
    resolution: int = 1
    bad: int = 0

    @property
    def histories(self) -> list[History]:
        """What the page has data of: all series but their sum."""
        return [one.history for one in self.series if isinstance(one.history, History)]

    @property
    def begin(self) -> int:
        """When the oldest column of all series begins, epoch microseconds."""
        return min(one.history.start for one in self.series)

    @property
    def end(self) -> int:
        """When the newest column of all series ends, epoch microseconds."""
        return max(one.history.end for one in self.series)
