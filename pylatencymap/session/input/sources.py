"""The sources of one run: reads them through the pipeline, puts several files on one axis, counts bad input."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping

from ...interval import Interval
from ...intervals import DEFAULT_INTERVAL, TakeBatch
from ...record import Mark
from .common_axis import PlacedFile, put_on_common_axis
from .pipeline import ReadPlan, Tee, intervals_from
from .several_files import MOST_HELD_INTERVALS, merged_by_time
from .source import Source, StoppableReport, StopRequest

OnMark = Callable[[Mark], object]


class Sources:
    """Sources that are read together, each with its report. ``say`` receives messages about them."""

    def __init__(self, plan: ReadPlan, say: Callable[[str], None], *, strict: bool = False) -> None:
        self.plan = plan
        self.stop = StopRequest()
        self.sources: list[Source] = []
        self.reports: list[StoppableReport] = []
        self._say = say
        self._strict = strict

    def add(self, source: Source) -> None:
        """Add an open source; ``close_all`` closes it."""
        self.sources.append(source)
        self.reports.append(StoppableReport(source.name, self.stop, strict=self._strict, say=self._say))

    def close_all(self) -> None:
        """Close every source, after the last read."""
        self.stop.close()
        for source in self.sources:
            os.close(source.descriptor)
        self.sources.clear()

    @property
    def live(self) -> bool:
        """Whether any source is a program, not a file."""
        return any(source.live for source in self.sources)

    def bad_count(self) -> int:
        """How many records could not be read so far."""
        return sum(report.bad_count for report in self.reports)

    def read(
        self,
        on_mark: OnMark,
        take_batch: TakeBatch | None = None,
        *,
        starts: Mapping[str, int] | None = None,
        tee: Tee | None = None,
    ) -> Iterator[Interval]:
        """Intervals of all sources, sorted by time; several files are put on one axis. Batches of a large file can go
        to ``take_batch`` instead. ``starts``: epoch microseconds at which files begin, by source name. All events go to
        ``tee`` first.
        """
        if len(self.sources) == 1 and not starts:
            return self._intervals_of(0, on_mark, tee, take_batch)
        held = 0 if self.live else MOST_HELD_INTERVALS  # do not wait for a program in a pipe
        return merged_by_time(self._on_one_axis(on_mark, starts or {}, tee), held)

    def _intervals_of(
        self, number: int, on_mark: OnMark, tee: Tee | None, take_batch: TakeBatch | None = None
    ) -> Iterator[Interval]:
        return intervals_from(self.sources[number], self.plan, self.reports[number], on_mark, tee, take_batch)

    def _on_one_axis(
        self, on_mark: OnMark, starts: Mapping[str, int], tee: Tee | None
    ) -> dict[str, Iterator[Interval]]:
        """The intervals of each file, once the first interval of every file is known."""
        time = self.plan.time
        width = time.interval or DEFAULT_INTERVAL
        files = [PlacedFile(source.name, on_mark) for source in self.sources]
        for number, file in enumerate(files):
            file.begin(self._intervals_of(number, file.mark, tee))
            if file.name in starts:
                file.start_at(starts[file.name], width)
        put_on_common_axis(files, self.plan.days_guessed - starts.keys(), width, time.tz, self._assumed)
        return {file.name: file.intervals() for file in files}

    def _assumed(self, name: str, what: str, more: str) -> None:
        """Report what was assumed about a file; ``what`` is shown on the picture as well."""
        self.plan.notices[name] = what
        self._say(what + more)
