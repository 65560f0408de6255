"""Groups lines into scrapes, and turns scrapes into ticks and records."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timezone
from decimal import Decimal

from ...collector import Known
from ...errors import Refused
from ...record import Event, Record, Semantics, Stamp, Tick
from ...report import Report
from ...text import moment_text
from ...text.lines import Line, Lines
from .._bounded import BoundedDict
from .._metrics.names import MetricKey
from .._missing import Missing
from .boundary import Boundary, ScrapeLine, ScrapeVerdict, SeenLines
from .histograms import INFINITE, ScrapedHistogram
from .samples import Meta, MetricSample, is_broken_bucket, is_native, meta_of, process_start_of, sample_of, scraped_at
from .series import MetricSeries

PATIENCE = 3
"""Say what is missing after this many scrapes without a histogram of a time: some histograms appear
with the first request.
"""

MAX_HISTOGRAMS = 50_000
"""Most histograms in one scrape, including the sums and counts of other metrics."""

_INSTEAD = "what would work are classic histograms of a time: metric_seconds_bucket{le=...}"


class PrometheusDecoder:
    """Reads scrapes. One ends where the next begins: at a moment, or at repeated types or samples."""

    def __init__(self, report: Report, known: Known) -> None:
        self._report = report
        self._missing = Missing(report, live=known.live)
        self._series = MetricSeries(report, known.unit)
        self._histograms: dict[MetricKey, ScrapedHistogram] = {}
        self._boundary, self._seen = Boundary(), SeenLines()
        self._stamp: Stamp | None = None
        self._told_at: Stamp | None = None
        self._ticked = False
        self._bare: dict[MetricKey, list[Decimal]] = {}
        self._without_sums: dict[MetricKey, list[Decimal]] = {}
        self._gauges: BoundedDict[str, bool] = BoundedDict()
        self._empty = 0
        self._full = 0
        self._why_not = "no histogram"
        self._last = Line(0, "")
        self._held: list[Event] | None = []

    def events(self, lines: Lines) -> Iterator[Event]:
        """Yield a tick per scrape, and its histograms; if there is only one scrape, it is an interval of its own."""
        for line in lines:
            if line is None:
                yield from self._out(self._pause())
                yield from self._released()
            else:
                self._last = line
                yield from self._out(self._line(line))
        yield from self._out(self._settle())
        yield from self._out(self._end(self._histograms.popitem() if self._histograms else None))
        yield from self._single()
        if not self._series.any:
            self._refuse(self._last)

    def _line(self, line: Line) -> Iterator[Event]:
        if line.text.startswith("#") or "_" not in line.text:
            yield from self._comment(line)
        elif sample := sample_of(line.text):
            if sample.metric not in self._gauges:
                yield from self._add(ScrapeLine(line, sample))
        elif start := process_start_of(line.text):
            self._series.process_started(start)
        elif is_native(line.text):
            self._why_not = "native histograms in OpenMetrics text are not read"
        elif is_broken_bucket(line.text):
            self._report.bad(line.number, f"a bucket that cannot be read: {line.text}")

    def _out(self, events: Iterator[Event]) -> Iterator[Event]:
        """The events. Those of the first scrape are held back until a second scrape begins or the source pauses."""
        for event in events:
            if self._held and isinstance(event, Tick):
                yield from self._released()
            if self._held is None:
                yield event
            else:
                self._held.append(event)

    def _released(self) -> Iterator[Event]:
        held, self._held = self._held or (), None
        yield from held

    def _single(self) -> Iterator[Event]:
        """The text holds one scrape: what was counted since the counters started is drawn as one column."""
        held, self._held = self._held or [], None
        starts = {event.start for event in held if isinstance(event, Record) and event.stamp is not None}
        start = starts.pop() if len(starts) == 1 else None
        if held:
            since = _since(start, {event.start for event in held if isinstance(event, Record)})
            what = f"a single scrape: one column shows all that the counters have counted {since}"
            self._report.note(self._last.number, f"{what}; what would show changes is one scrape after the other")
        for event in held:
            if isinstance(event, Record):
                event = replace(event, semantics=Semantics.INTERVAL, start=start)
            yield event

    def _comment(self, line: Line) -> Iterator[Event]:
        if line.text.startswith("# EOF"):
            yield from self._explicit_end()
        elif meta := meta_of(line.text):
            yield from self._add(ScrapeLine(line, meta))
        elif stamp := scraped_at(line.text):
            yield from self._explicit_end()
            self._stamp = stamp

    def _explicit_end(self) -> Iterator[Event]:
        yield from self._settle()
        yield from self._end()

    def _settle(self) -> Iterator[Event]:
        """Nothing follows the lines that wait for others in their scrape."""
        while self._boundary.waits:
            yield from self._judged(self._boundary.end(self._seen))

    def _add(self, one: ScrapeLine) -> Iterator[Event]:
        """Add a line, unless it waits for those after it."""
        yield from self._judged(self._boundary.add(one, self._seen))

    def _judged(self, verdict: ScrapeVerdict) -> Iterator[Event]:
        """Go on with lines, of which the first begins a scrape or the one before them is bad."""
        if verdict.bad is not None:
            self._leave_out(verdict.bad)
        if verdict.begins:
            yield from self._end()
        lines = verdict.lines
        if len(lines) == 1 and verdict.bad is None:
            self._take(lines[0])
            return
        for one in lines:
            yield from self._add(one)

    def _take(self, one: ScrapeLine) -> None:
        """Add a line to the scrape."""
        if isinstance(one.content, Meta):
            self._meta(one.line, one.content)
        else:
            self._sample(one.line, one.key, one.content)
        self._seen.note(one)

    def _leave_out(self, one: ScrapeLine) -> None:
        """Report a line that the scrape has already. If the two differ, none of them can be relied on."""
        if isinstance(one.content, Meta):
            return
        histogram = self._seen.histograms[one.key]
        if not histogram.agrees(one.content):
            histogram.spoiled = "two of its samples contradict each other"
        self._report.bad(
            one.line.number, f"a sample twice in one scrape, or out of its place; it is left out: {one.line.text}"
        )

    def _meta(self, line: Line, meta: Meta) -> None:
        self._seen.metas[meta.kind, meta.metric] = line.number
        if meta.kind == "UNIT" and meta.word:
            self._series.unit_of[meta.metric] = meta.word
        elif meta.word == "summary":
            self._why_not = "summaries hold quantiles, no distribution"
        elif meta.word == "gaugehistogram":
            self._gauges[meta.metric] = True
            self._why_not = "gauge histograms do not count events over time"

    def _sample(self, line: Line, key: MetricKey, sample: MetricSample) -> None:
        try:
            if key not in self._histograms and self._has_room(line):
                one = self._histograms[key] = ScrapedHistogram(line.number, line.arrival)
                self._seen.histograms.setdefault(key, one)
            if key in self._histograms:
                self._histograms[key].add(sample)
        except ValueError as error:
            self._report.bad(line.number, f"{error}: {line.text}")
            if sample.kind == "bucket":  # without this bound, its events would count in the next range
                self._histograms[key].spoiled = "one of its buckets cannot be read"

    def _has_room(self, line: Line) -> bool:
        if len(self._histograms) == MAX_HISTOGRAMS:
            self._full = self._full or line.number
            if self._full == line.number:
                self._report.bad(line.number, f"more than {MAX_HISTOGRAMS} histograms in a scrape: others are left out")
        return len(self._histograms) < MAX_HISTOGRAMS

    def _pause(self) -> Iterator[Event]:
        """The source pauses: yield the complete histograms. Names depend on all of the first scrape: it waits."""
        self._boundary.pause()
        if self._series.any and not self._series.awaits_process_start:
            done = {key: one for key, one in self._histograms.items() if self._is_whole(key, one)}
            self._histograms = {key: one for key, one in self._histograms.items() if key not in done}
            yield from self._events_of(done)

    def _is_whole(self, key: MetricKey, one: ScrapedHistogram) -> bool:
        """Whether a histogram is complete. If the last scrape had no sum for it, its buckets decide. If it said how
        much of the sum is an estimate, this one has to say so too.
        """
        if one.estimated is None and self._series.tells_estimates(key):
            return False
        if one.complete:
            return True
        counted = one.total is None or one.total == one.buckets.get(INFINITE)
        return not one.has_sum and counted and one.has_all(self._without_sums.get(key))

    def _end(self, last: tuple[MetricKey, ScrapedHistogram] | None = None) -> Iterator[Event]:
        """Complete the scrape. At the end of the text, its ``last`` histogram can be cut off."""
        if last is not None and (self._is_whole(*last) or not last[1].buckets):
            self._histograms[last[0]] = last[1]
        elif last is not None:
            self._report.bad(last[1].line, f"{last[0][0]}: the text ends within a histogram; it is left out")
        yield from self._events_of({key: one for key, one in self._histograms.items() if one.buckets})
        if self._ticked:
            yield from self._series.absent(self._told_at, self._last.number)
        self._series.remember(self._histograms)
        self._without_sums, self._bare = self._bare, {}
        self._empty += bool(self._seen.metas) and not self._series.any
        if self._empty == PATIENCE:
            self._missing.add(self._last.number, self._reason())
        self._histograms, self._seen = {}, SeenLines()
        self._stamp, self._ticked = None, False

    def _events_of(self, histograms: dict[MetricKey, ScrapedHistogram]) -> Iterator[Event]:
        bare = {key: one for key, one in histograms.items() if not one.has_sum}
        self._bare.update((key, one.bounds) for key, one in bare.items())
        histograms = self._series.times(histograms)
        if not histograms:
            return
        moments = [one.moment for one in histograms.values() if one.moment is not None]
        stamp = self._told_at = self._stamp or (Stamp(max(moments)) if moments else None)
        first = next(iter(histograms.values()))
        if not self._ticked:
            self._ticked = True
            yield from self._series.baselines(histograms)
            yield Tick(stamp, first.arrival, first.line)
        yield from self._series.records(histograms, stamp)

    def _refuse(self, line: Line) -> None:
        raise Refused(f"{self._report.where(line.number)}: {self._reason()}")

    def _reason(self) -> str:
        return f"no latency in these metrics: {self._series.why_not or self._why_not}; {_INSTEAD}"


def _since(start: int | None, created: set[int | None]) -> str:
    """Since when the counters of a single scrape have counted: ``start``, if the interval begins there, else what the
    text says of them.
    """
    known = sorted(one for one in created if one is not None)
    if start is not None:
        return "since they started"
    if not known:
        return "since an unknown moment"
    first, last = (f"{moment_text(one, timezone.utc)} UTC" for one in (known[0], known[-1]))
    since = f"since {first}" if first == last else f"since moments from {first} to {last}"
    return since if None not in created else f"{since}, some since an unknown one"
