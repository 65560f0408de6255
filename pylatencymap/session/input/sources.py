"""The sources of one run: reads them through the pipeline, puts several files on one axis, counts bad input."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from ...interval import Interval
from ...intervals import DEFAULT_INTERVAL, Batches, TakeBatch, one_by_one, only_wanted
from ...record import Mark
from ...report import Report
from .archived.parquet_source import ParquetSource
from .common_axis import PlacedFile, put_on_common_axis
from .excerpt import Excerpt, TimePart, cut, limited, newest
from .pipeline import OnMark, ReadPlan, Tee, batches_from, handed_over, intervals_from
from .recorded_folder import RecordedFolder
from .several_files import MOST_HELD_INTERVALS, merged_by_time
from .source import Source, StoppableReport, StopRequest

Bounds = tuple[int | None, int | None]
"""Two moments in epoch microseconds; None is no limit."""
ReadSource = Callable[[Source, ReadPlan, Report], Iterator[Interval]]
"""Reads the intervals of a source in another way than through the pipeline."""


class Sources:
    """Sources that are read together, each with its report. ``say`` receives messages about them. ``missed``: why an
    excerpt is empty, by its number, see ``read_excerpts``. ``read_source``: how each is read, if not through the
    pipeline. ``shifts``: what was added to the times of files to put them on one axis, microseconds by their names.
    """

    def __init__(self, plan: ReadPlan, say: Callable[[str], None], *, strict: bool = False) -> None:
        self.plan = plan
        self.stop = StopRequest()
        self.sources: list[Source] = []
        self.reports: list[StoppableReport] = []
        self.missed: dict[int, str] = {}
        self.read_source: ReadSource | None = None
        self.shifts: dict[str, int] = {}
        self._say = say
        self._strict = strict

    def add(self, source: Source) -> None:
        """Add an open source; ``close_all`` closes it."""
        self.sources.append(source)
        self.reports.append(StoppableReport(source.name, self.stop, strict=self._strict, say=self._say))

    def part(self, begin: int, end: int) -> Sources:
        """The same files once more, of which only the intervals between two moments (epoch microseconds) are read; it
        says nothing. Raises SourceError if a file has changed.
        """
        return self._once_more(self.plan.for_part(Excerpt.between(begin, end)))

    def once_more(self) -> Sources:
        """The same files once more; it says nothing. Raises SourceError if a file has changed."""
        return self._once_more(self.plan.afresh())

    def _once_more(self, plan: ReadPlan) -> Sources:
        others = Sources(plan, lambda _: None)
        others.read_source = self.read_source
        for source in self.sources:
            others.add(source.again(others.stop))
        return others

    def close_all(self) -> None:
        """Close every source, after the last read."""
        self.stop.close()
        for source in self.sources:
            source.close()
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
        ``tee`` first, unless only parts of the sources are read (``takes_parts``).
        """
        self.divide()
        if self.takes_parts:
            return self._parts(on_mark, starts or {}, None if self.live else take_batch)
        return self._together(self.plan, on_mark, starts or {}, tee, take_batch)

    def divide(self) -> None:
        """Find out how events are divided, if they are and that is not known. See ``division_of``."""
        if self.plan.by and self.plan.division is None and self.read_source is None:
            from .by_key.choice import division_of

            self.plan = replace(self.plan, division=division_of(self.sources, self.plan))

    @property
    def takes_parts(self) -> bool:
        """Whether the intervals are chosen by their time, or come from several recordings one after the other: then
        they are not those of one stream of events.
        """
        part = self.plan.excerpt is not None or self.plan.last is not None
        return part or any(isinstance(source, RecordedFolder | ParquetSource) for source in self.sources)

    def _together(
        self, plan: ReadPlan, on_mark: OnMark, starts: Mapping[str, int], tee: Tee | None, take_batch: TakeBatch | None
    ) -> Iterator[Interval]:
        if len(self.sources) == 1 and not starts:
            if self.read_source is not None:
                return self._otherwise(self.read_source, 0, plan)
            return intervals_from(self.sources[0], plan, self.reports[0], on_mark, tee, take_batch)
        if tee is None and not starts and self.read_source is None:
            from .pooled.traces import pooled_traces

            if (pooled := pooled_traces(self.sources, self.reports, plan)) is not None:
                return self._pooled(pooled, plan, take_batch)
        held = 0 if self.live else MOST_HELD_INTERVALS  # do not wait for a program in a pipe
        return merged_by_time(self._on_one_axis(plan, on_mark, starts, tee), held)

    def _pooled(self, found: Iterator[Batches], plan: ReadPlan, take_batch: TakeBatch | None) -> Iterator[Interval]:
        """The intervals of traces that are one, up to the limits."""
        wanted = only_wanted(found, plan.wants_result)
        if plan.takes_all:
            return handed_over(wanted, take_batch)
        return limited(one_by_one(wanted), plan.count, plan.duration)

    def _parts(self, on_mark: OnMark, starts: Mapping[str, int], take_batch: TakeBatch | None) -> Iterator[Interval]:
        """The intervals within the excerpt of the plan, up to its limits."""
        excerpt, marks = self.plan.excerpt, list[Mark]()
        plan = self.plan.without_limits()
        found = self._found_in_all(plan, marks.append, starts)
        if excerpt is not None:
            folders = any(isinstance(source, RecordedFolder) for source in self.sources)
            first, begin = ((), None) if folders else _looked_at(found)
            bounds = excerpt.bounds(begin)
            self._say_where(bounds)
            found = chain(first, found)
            found = cut(found, bounds, partial(self._say_elsewhere, bounds), partial(self._say_doubt, excerpt, bounds))
        else:
            bounds = None, None
        if self.plan.last is not None:
            found, bounds = newest(one_by_one(found), self.plan.last)
        if not self.plan.takes_all:
            found = limited(one_by_one(found), self.plan.count, self.plan.duration)
        for part in found:
            _hand_over(marks, bounds, on_mark)
            marks.clear()
            yield from handed_over((part,), take_batch)
        _hand_over(marks, bounds, on_mark)

    def read_excerpts(
        self,
        excerpts: Sequence[Excerpt | None],
        on_mark: Callable[[int, Mark], object],
        *,
        starts: Mapping[str, int] | None = None,
    ) -> Iterator[tuple[int, Interval | Batches]]:
        """The intervals of several excerpts of the same sources, which may overlap, each with the number of its
        excerpt; None is all there is. The sources are read once, up to the end of the last excerpt, and marks go to
        ``on_mark`` with the number of each excerpt that has them. ``missed`` says then why an excerpt is empty.
        """
        self.divide()
        marks: list[Mark] = []
        found = self._found_in_all(self.plan.without_limits(), marks.append, starts or {})
        first, begin = _looked_at(found)
        parts = [TimePart((None, None) if one is None else one.bounds(begin)) for one in excerpts]
        for one in chain(first, found):
            for number, part in enumerate(parts):
                _hand_over(marks, part.bounds, partial(on_mark, number))
                if not part.is_over:
                    yield from ((number, inside) for inside in part.within(one))
            marks.clear()
            if all(part.is_over for part in parts):
                break
        for number, part in enumerate(parts):
            _hand_over(marks, part.bounds, partial(on_mark, number))
        for number, (part, excerpt) in enumerate(zip(parts, excerpts, strict=True)):
            if excerpt is not None and part.begin is not None:
                self._judge(number, excerpt, part)

    def _judge(self, number: int, excerpt: Excerpt, part: TimePart) -> None:
        """What there is to say about an excerpt that was read; ``part`` has seen intervals."""
        if not part.has_any and part.begin is not None:
            self.missed[number] = excerpt.elsewhere(part.bounds, part.begin, None if part.is_over else part.end)
        elif not part.is_over:
            self._say_doubt(excerpt, part.bounds, part.end)

    def _found_in_all(self, plan: ReadPlan, on_mark: OnMark, starts: Mapping[str, int]) -> Iterator[Interval | Batches]:
        """The intervals of all sources as they are found, those of several on one axis."""
        if len(self.sources) == 1 and not starts:
            return self._found_in(0, plan, on_mark)
        return iter(self._together(plan, on_mark, starts, None, None))

    def _say_where(self, bounds: Bounds) -> None:
        """Prepare the message for the case that folders have nothing of the time that was asked for: not all of their
        segments are read then.
        """
        spans = [source.span() for source in self.sources if isinstance(source, RecordedFolder)]
        if spans:
            self._say_elsewhere(bounds, min(begin for begin, _ in spans), max(end for _, end in spans))

    def _say_elsewhere(self, bounds: Bounds, begin: int, end: int | None) -> None:
        if (excerpt := self.plan.excerpt) is not None and not self.plan.diagnosis.elsewhere:
            self.plan.diagnosis.elsewhere = excerpt.elsewhere(bounds, begin, end)

    def _say_doubt(self, excerpt: Excerpt, bounds: Bounds, end: int) -> None:
        if doubt := excerpt.doubt(bounds, end):
            self.reports[0].say(f"{self.sources[0].name}: {doubt}")

    def _found_in(self, number: int, plan: ReadPlan, on_mark: OnMark) -> Iterator[Interval | Batches]:
        """The intervals of a source as they are found."""
        source, report = self.sources[number], self.reports[number]
        if self.read_source is not None:
            return self._otherwise(self.read_source, number, plan)
        if isinstance(source, RecordedFolder):
            bounds = (None, None) if self.plan.excerpt is None else self.plan.excerpt.bounds()
            return source.intervals(plan, report, on_mark, bounds)
        if isinstance(source, ParquetSource):
            return source.intervals(plan)
        return batches_from(source, plan, report, on_mark)

    def _intervals_of(self, number: int, plan: ReadPlan, on_mark: OnMark, tee: Tee | None) -> Iterator[Interval]:
        source, report = self.sources[number], self.reports[number]
        if self.read_source is not None:
            return self._otherwise(self.read_source, number, plan)
        if isinstance(source, RecordedFolder | ParquetSource):
            return one_by_one(self._found_in(number, plan, on_mark))
        return intervals_from(source, plan, report, on_mark, tee)

    def _otherwise(self, read: ReadSource, number: int, plan: ReadPlan) -> Iterator[Interval]:
        """The intervals of a source that is not read through the pipeline."""
        found = read(self.sources[number], plan, self.reports[number])
        return found if plan.takes_all else limited(found, plan.count, plan.duration)

    def _on_one_axis(
        self, plan: ReadPlan, on_mark: OnMark, starts: Mapping[str, int], tee: Tee | None
    ) -> dict[str, Iterator[Interval]]:
        """The intervals of each file, once the first interval of every file is known."""
        time = self.plan.time
        width = time.interval or DEFAULT_INTERVAL
        files = [PlacedFile(source.name, on_mark) for source in self.sources]
        for number, file in enumerate(files):
            file.begin(self._intervals_of(number, plan, file.mark, tee))
            if file.name in starts:
                file.start_at(starts[file.name], width)
        put_on_common_axis(files, self.plan.days_guessed - starts.keys(), width, time.tz, self._assumed)
        self.shifts = {file.name: file.shift for file in files}
        return {file.name: file.intervals() for file in files}

    def _assumed(self, name: str, what: str, more: str) -> None:
        """Report what was assumed about a file; ``what`` is shown on the picture as well."""
        self.plan.notices[name] = what
        self._say(what + more)


def _hand_over(marks: list[Mark], bounds: Bounds, on_mark: OnMark) -> None:
    """Give the marks that are within the bounds to ``on_mark``."""
    first, last = bounds
    for mark in marks:
        if (first is None or mark.stamp.micros > first) and (last is None or mark.stamp.micros <= last):
            on_mark(mark)


def _looked_at(found: Iterator[Interval | Batches]) -> tuple[tuple[Interval | Batches, ...], int | None]:
    """The first of what is found, if there is any, and when it begins, epoch microseconds."""
    first = next(found, None)
    return ((), None) if first is None else ((first,), next(one_by_one([first])).start)
