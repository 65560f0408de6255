"""What is to be compared, and where it comes from. Made by the view at a key, so nothing heavy is loaded here."""

from __future__ import annotations

from datetime import tzinfo
from typing import TYPE_CHECKING, NamedTuple

from ..detail import OpenPart
from ..series_overview import event_noun

if TYPE_CHECKING:
    from ...findings import SeriesRun
    from ...window import Selection, Window


class SideSource(NamedTuple):
    """Where the columns of a side come from: ``series`` of ``window``, or all added up as ``total``; between ``begin``
    and ``end``, epoch microseconds (None: all). ``part``: reads that time again, where memory holds it merged.
    """

    name: str
    window: Window
    series: str
    begin: int | None = None
    end: int | None = None
    total: str = ""
    part: OpenPart | None = None
    megabytes: float = 0.0

    def run(self) -> SeriesRun:
        """The side as comparisons take it. Its gaps end where it does, and ranges without events are left out, as if
        nothing else had been read.
        """
        from ...findings import SeriesRun, cut_to

        window = self._window()
        history = window[self.series]
        noun = event_noun(history.label, history.source)
        return SeriesRun(cut_to(self._columns(window), self.begin), noun, history.label)

    def _window(self) -> Window:
        if self.part is None or self.begin is None or self.end is None:
            return self.window
        from ...window import Window

        reader, window = self.part(self.begin, self.end), Window(self.megabytes)
        try:
            for interval in reader.intervals(window.take):
                window.add(interval)
        finally:
            reader.close()
        return window if self.series in window else self.window

    def _columns(self, window: Window) -> Selection:
        if not self.total:
            return window.between(self.series, self.begin, self.end)
        every = window.added_up(self.total)
        begin = every.start if self.begin is None else self.begin
        return every.between(begin, every.end if self.end is None else self.end, None)


class SidesQuestion(NamedTuple):
    """What is to be compared: ``first``, the earlier side, and ``second``. ``notes``: what is known to limit it;
    ``slo``: a latency in seconds whose share is wanted.
    """

    first: SideSource
    second: SideSource
    tz: tzinfo
    slo: float | None = None
    notes: tuple[str, ...] = ()
