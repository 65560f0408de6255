"""``live prometheus`` and ``collect prometheus``: the histograms of a Prometheus server, live or of the past."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ....errors import Exit, SourceError
from ....intervals import TakeBatch, TimeOptions, with_ticks
from ....oracle import ConnectionStatus
from ....prometheus import (
    ApiClient,
    Exemplars,
    ExpressionReader,
    PollingLoop,
    RawReader,
    ServerAccess,
    ServerTrouble,
    parse_selector,
)
from ....record import Event, Record
from ....report import Report
from ....session import Picture
from ....session.input import Excerpt, ReadPlan, StopRequest, intervals_of, limit_events
from ....text import zone_named
from ....text.clean import printable
from ....view.layout import LIVE
from ...acceptance import Acceptance
from ...alerts import Alerts
from ...recording import OwnRecording
from ...session import CommandSession
from ...setup import has_live_view
from ...standard_streams import print_notice, write_output, write_utf8

if TYPE_CHECKING:
    from datetime import tzinfo

    from ....interval import Interval

HISTORY = "HISTORY"
FIRST_SECONDS = 300.0
"""Of the past, a live view shows so much at first; with --count or --duration nothing."""
DEFAULT_STEP = 15.0
ADVICE = "the server has not answered yet"
ESTIMATES = 'what the server computes is an estimate; the name of the metric alone, as in NAME{job="a"}, is exact'


def collect(options: argparse.Namespace, access: ServerAccess) -> int:
    """Print what the options ask for; the exit status."""
    source = ServerSource(options, access, print_notice)
    recording = OwnRecording(options, live=False)
    write_utf8()
    written = False
    try:
        for text in _texts(options, source, recording):
            write_output(text)
            written = True
    finally:
        source.stop.set()
        recording.close()
    if not written:
        print_notice(source.why_empty())
    return Exit.OK if written else Exit.NO_INTERVAL


class SaidOutages(ConnectionStatus):
    """What the view shows of outages, and of a server without what is asked for; where there is no view, the begin and
    the end of each outage, and why there is nothing, are said. ``why_nothing``: empty if there is something.
    """

    def __init__(
        self,
        zone: tzinfo | None,
        say: Callable[[str], None] | None,
        why_nothing: Callable[[], str] = lambda: "",
    ) -> None:
        super().__init__(zone, advice=ADVICE)
        self._say = say
        self._is_away = False
        self._why_nothing = why_nothing
        self._nothing = ""

    def lost(self, reason: str, retry: float) -> None:
        """Note that the server does not answer, and that the next try is in ``retry`` seconds."""
        super().lost(reason, retry)
        if self._say and not self._is_away:
            self._say(f"{reason}; it is asked again until it answers")
        self._is_away = True

    def answered(self) -> str:
        """Note that the server has answered. If that ends an outage, return a text about it."""
        over = super().answered()
        self._is_away = False
        if self._say and over:
            self._say(f"the server answers again; {over}")
        before, self._nothing = self._nothing, self._why_nothing()
        if self._say and self._nothing and not before:
            self._say(self._nothing + (" It is asked again" if self._nothing.endswith("?") else "; it is asked again"))
        return over

    def silence_notice(self, usual_seconds: float) -> str:
        """What the screen should say now."""
        nothing = "" if self._is_away else self._nothing
        return nothing or super().silence_notice(usual_seconds)


class ServerSource:
    """A server with what is asked of it: ``events`` are the records of the span, or from then on."""

    def __init__(
        self, options: argparse.Namespace, access: ServerAccess, say: Callable[[str], None], *, has_view: bool = False
    ) -> None:
        self.options = options
        self.stop = StopRequest()
        self.report = Report(printable(access.url), say=say)
        tz = zone_named(options.tz) if options.tz else None
        self.watch = SaidOutages(tz, None if has_view else say, self._why_nothing)
        self._access = access
        self._client = ApiClient(access)
        self._selector = parse_selector(options.expression)
        self._reader: RawReader | ExpressionReader
        if self._selector is None:
            step = options.step or DEFAULT_STEP
            self._reader = ExpressionReader(self._client, options.expression, step, self.report, options.unit)
            self.report.say(ESTIMATES)
        else:
            self._reader = RawReader(self._client, self._selector, self.report, options.unit)
        self.plan = ReadPlan(
            time=TimeOptions(interval=options.step if self._selector else None, tz=tz),
            series=tuple(options.series),
        )
        try:
            self.now = self._client.server_time()
        except ServerTrouble as trouble:
            raise SourceError(str(trouble)) from None
        self.start, self.end = self._span()

    @property
    def is_past(self) -> bool:
        """Whether a part of the past is asked for, and nothing that is still to come."""
        return self.end is not None

    def exemplars(self) -> Exemplars | None:
        """What knows single events, for another thread than that of ``events``; None of an expression."""
        if self._selector is None or not isinstance(self._reader, RawReader):
            return None
        return Exemplars(ApiClient(self._access), self._selector, self._reader.series_of, self.plan.time.tz)

    def _span(self) -> tuple[float, float | None]:
        """When what is asked for begins and ends, in epoch seconds; None if it has no end."""
        options, tz = self.options, zone_named(self.options.tz)
        if options.last is not None:
            return self.now - options.last, None
        if options.since is None and options.until is None:
            is_short = options.count is not None or options.duration is not None
            # Two scrapes: with one alone, the loop would not know when the next one is due.
            return self.now - (2 * self._usual_seconds(self.now) if is_short else FIRST_SECONDS), None
        first, last = Excerpt(options.since, options.until, tz, self.now).bounds()
        end = self.now if last is None else min(last / 1e6, self.now)
        start = end - 3600 if first is None else first / 1e6
        if start >= end:
            raise SourceError(f"--from lies after what the server has: its clock shows {_clock(self.now, options.tz)}")
        return start, end

    def events(self) -> Iterator[Event]:
        """The records and marks by time, each snapshot with a tick. Raises SourceError."""
        return limit_events(with_ticks(self._untimed()), self.options.count, self.options.duration)

    def _untimed(self) -> Iterator[Event]:
        if self.end is None:
            yield from PollingLoop(
                self._reader, self._client.server_time, self.stop, self.watch, self.options.interval
            ).events(self.start)
            return
        yield from self._of_past(self.end)

    def _of_past(self, end: float) -> Iterator[Event]:
        """The records that end in the span; the last samples before it are the baseline."""
        begin = self.start - max(2 * self._usual_seconds(self.start), 2.0)
        try:
            for _, found in self._reader.span(begin, end):
                yield from (one for one in found.records if one.stamp and one.stamp.micros > self.start * 1e6)
                yield from (one for one in found.marks if one.stamp.micros > self.start * 1e6)
                if self.stop.is_set:
                    return
        except ServerTrouble as trouble:
            raise SourceError(str(trouble)) from None

    def _usual_seconds(self, start: float) -> float:
        """How far apart scrapes are: asked for a short time before the span."""
        if isinstance(self._reader, ExpressionReader) or self._selector is None:
            return 0.0
        probe = RawReader(self._client, self._selector, Report(""), self.options.unit)
        try:
            for _ in probe.span(start - FIRST_SECONDS, start):
                pass
        except ServerTrouble:
            return 60.0
        return probe.seconds or 60.0

    def _why_nothing(self) -> str:
        """Why no question so far had a histogram as its answer; empty if one had."""
        return "" if self._reader.any else self.why_empty()

    def why_empty(self) -> str:
        """The message if there was no interval."""
        if self._reader.why_not:
            return self._reader.why_not
        if not self._reader.any:
            what = printable(self.options.expression)
            if self._selector is None:
                why = "yields no histogram in this time; does it keep le, and are its names right?"
                return f"{self.report.name}: {what} {why}"
            return f"{self.report.name} has no histogram {what} in this time; is the name right, without _bucket?"
        return self.plan.why_empty()


def _clock(seconds: float, tz: str | None) -> str:
    from ....text import moment_text

    return moment_text(round(seconds) * 1_000_000, zone_named(tz))


def _texts(options: argparse.Namespace, source: ServerSource, recording: OwnRecording) -> Iterator[str]:
    """The output of ``collect``."""
    if options.to == "jsonl":
        from ....export import json_line

        found = intervals_of(source.events(), source.plan, lambda _: None, recording.tee, report=source.report)
        yield from (json_line(one, None) for one in found)
        return
    from ....stream import StreamWriter

    texts: list[str] = []
    writer = StreamWriter(texts.append)
    for event in source.events():
        if isinstance(event, Record) and not source.plan.wants_result(event.series):
            continue
        if recording.tee is not None:
            recording.tee(event)
        writer.event(event)
        yield from texts
        texts.clear()
    writer.end()
    yield from texts


def draw(options: argparse.Namespace, access: ServerAccess, acceptance: Acceptance, alerts: Alerts) -> int:
    """Draw what the options ask for; the exit status."""
    live_view = has_live_view(options)
    held: list[str] = []
    source = ServerSource(options, access, held.append if live_view else print_notice, has_view=live_view)
    recording = OwnRecording(options, live=live_view)

    def produce(picture: Picture, _: TakeBatch) -> Iterator[Interval]:
        found = intervals_of(source.events(), source.plan, picture.mark, recording.tee, report=source.report)
        return recording.marked(found, picture.marks)

    def close() -> None:
        recording.close()
        for message in held:
            print_notice(message)

    session = CommandSession(
        options,
        produce,
        source.stop,
        source.why_empty,
        state=HISTORY if source.is_past else LIVE,
        silence=None if source.is_past else source.watch,
        bad_count=lambda: source.report.bad_count,
        current_notice=recording.current_notice,
        keep=recording.keep,
        flags=recording.flags,
        close=close,
        seconds=options.duration,
        alerts=alerts,
        events=source.exemplars() if live_view else None,
    )
    return acceptance.of(session).run(live_view)
