"""Reads the events of a file line by line: what no scan can read, and what is compressed.

Events are judged, and their times found, by the code that counts them for a picture.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from time import monotonic

from ..broken_texts import decode_lines
from ..intervals import (
    BinPrinter,
    Counted,
    EventBins,
    EventJudge,
    bin_width,
    on_one_clock,
    resolve_times,
    survey_midnights,
    within_limits,
)
from ..record import Clock, Event, Record, Sample, Tick
from ..report import Report
from ..text.lines import Line
from ..units import Unit
from .job import BinAxis, EventSink, ReadJob, WrongAxis
from .question import NoSingleEvents

STEP = 2_048
"""Lines after which a pass pauses, so that what was found can be shown."""
LINES_REMEMBERED = 4_096
"""The last lines whose texts are remembered: decoders hold some back, and so does the judge of their times."""
LONGEST_REMEMBERED = 2_001
"""Characters of them."""
NO_EVENTS = (
    "{name} holds counts per interval and no single events, so nothing in it says who they were; a trace, a table or a "
    "log of the same time does, read by pylatencymap events FILE"
)


class LinePass:
    """One pass through a file. ``shift`` is added to times of day, as far as that is known before; ``bins`` says it for
    each bin, once it is known.

    ``steps`` raises WrongAxis if the times are others: then all that was counted is void.
    """

    def __init__(self, job: ReadJob, shift: int, sink: EventSink, bins: BinAxis | None = None) -> None:
        self._job, self._sink, self._day_shift, self._axis = job, sink, shift, bins
        self._width = bin_width(job.options)
        self._texts: OrderedDict[int, str] = OrderedDict()
        self._clocks: list[Clock] = []
        self._bins: list[dict[int, Sample]] = []
        self._places = EventBins(self._width)
        self.span: tuple[int, int] | None = None

    def steps(self) -> Iterator[None]:
        """Read, some lines at a time."""
        job, judge, next_step = self._job, EventJudge(Clock.EPOCH, self._width, self._job.report, live=False), STEP
        events = decode_lines(job.collector, self._lines(), job.report, job.known._replace(keys=True))
        for sample in on_one_clock(within_limits(events, job.report), job.report):
            if isinstance(sample, Record | Tick):
                raise NoSingleEvents(NO_EVENTS.format(name=job.source.name))
            if not isinstance(sample, Sample):
                continue
            if not self._clocks or sample.clock is not self._clocks[-1]:
                self._end(judge)
                judge = EventJudge(sample.clock, self._width, job.report, live=False)
                self._clocks.append(sample.clock)
                self._bins.append({})
                self._places = EventBins(self._width)
            for one in judge.take(sample):
                self._count(one)
            if sample.line >= next_step:
                next_step = sample.line + STEP
                yield
        self._end(judge)
        if self._axis is None and not job.source.stop.is_set:
            self._check_axis()

    def _end(self, judge: EventJudge) -> None:
        for one in (*judge.rest(), *map(Counted, judge.settled())):
            self._count(one)

    def _lines(self) -> Iterator[Line | None]:
        stop, texts = self._job.source.stop, self._texts
        for line in self._job.source.lines(self._job.report.bad):
            if line is not None:
                texts[line.number] = line.text[:LONGEST_REMEMBERED]
                if len(texts) > LINES_REMEMBERED:
                    texts.popitem(last=False)
            if stop.is_set:
                return
            yield line

    def _count(self, one: Counted) -> None:
        """An event that counts."""
        sample, question = one.sample, self._job.question
        end = self._places.end_of(sample)
        number, clock = end // self._width, len(self._clocks) - 1
        if number not in self._bins[-1]:
            stub = Sample("", Unit.US, 1, sample.micros, sample.clock, sample.text, line=sum(map(len, self._bins)) + 1)
            self._bins[-1][number] = stub._replace(micros=end)
        shift = self._assumed(sample.clock) if self._axis is None else self._axis.get((clock, number))
        if shift is None:
            return
        moment = end + shift + question.shift
        self.span = (moment, moment) if self.span is None else (min(moment, self.span[0]), max(moment, self.span[1]))
        if question.is_at(moment) and question.is_of(sample) and question.fits(sample):
            self._sink.add(sample, moment, self._texts.get(sample.line), one.doubtful)

    def _assumed(self, clock: Clock) -> int:
        return self._day_shift if clock is Clock.DAY else 0

    def _check_axis(self) -> None:
        """Raise WrongAxis if the times of the file, seen as a whole, are not those that were assumed."""
        if self._clocks in ([], [Clock.EPOCH], [Clock.FREE], [Clock.COUNTED]):
            return
        axis = self._found_axis()
        assumed = {(clock, number): self._assumed(self._clocks[clock]) for clock, number in axis}
        if axis != assumed:
            raise WrongAxis(self._day_shift, bins=axis)

    def _found_axis(self) -> BinAxis:
        """Put the bins in time as the stages of a picture do, each with a single event in it."""
        printed: list[Event] = []
        for clock, bins in zip(self._clocks, self._bins, strict=True):
            printer = BinPrinter(clock, self._job.options, Report(""), monotonic)
            for number, stub in bins.items():
                printer.bins.add(stub, number * self._width)
            printed.extend(printer.rest())
        options = self._job.options._replace(survey=lambda: survey_midnights(printed))
        ends = {
            tick.line: tick.stamp.micros
            for tick in resolve_times(printed, options, Report(""))
            if isinstance(tick, Tick) and tick.stamp is not None
        }
        return {
            (clock, number): None if stub.line not in ends else ends[stub.line] - (number + 1) * self._width
            for clock, bins in enumerate(self._bins)
            for number, stub in bins.items()
        }
