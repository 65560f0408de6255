"""Reads answers from text, one after the other, and turns them into records."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...collector import Known
from ...errors import Refused
from ...record import Event, Semantics
from ...report import Report
from ...text.clean import printable
from ...text.lines import Line, Lines
from .answers import ApiAnswer, parse_answer
from .histograms import SampledHistograms
from .samples import JoinedSamples, join_samples

MOST_CHARACTERS = 64_000_000
"""The longest answer that is read: in memory it takes several times as much."""
_BEGIN = re.compile(r'\s*\{\s*(?:"status"\s*:|$)')
_INSTEAD = "what would work is an answer about NAME_bucket, or about the name of a native histogram"


class AnswerDecoder:
    """Collects the lines of an answer until the next one begins, or the source pauses."""

    def __init__(self, report: Report, known: Known) -> None:
        self._report = report
        self._histograms = SampledHistograms(report, known.unit)
        self._parts: list[str] = []
        self._size = 0
        self._first = Line(0, "")
        self._why_not = "no histogram in these answers"

    def events(self, lines: Lines) -> Iterator[Event]:
        """Yield the records and marks of all answers; raise Refused if there is no histogram of a time."""
        for line in lines:
            if line is None:
                yield from self._end(paused=True)
                continue
            if _BEGIN.match(line.text):
                yield from self._end()
                self._first = line
            self._add(line)
        yield from self._end()
        if not self._histograms.any:
            raise Refused(f"{self._report.where(self._first.number)}: {self._histograms.why_not or self._why_not}")

    def _add(self, line: Line) -> None:
        if not (self._parts or _BEGIN.match(line.text)) or self._size > MOST_CHARACTERS:
            return
        self._parts.append(line.text)
        self._size += len(line.text) + 1
        if self._size > MOST_CHARACTERS:
            self._parts = []
            more = "pylatencymap live prometheus --from T --to T reads long ranges in parts"
            self._report.bad(self._first.number, f"an answer of more than {MOST_CHARACTERS // 10**6} MB; {more}")

    def _end(self, *, paused: bool = False) -> Iterator[Event]:
        """The answer is over; at a pause, only if it is whole."""
        if not self._parts:
            self._size = 0
            return
        text = "\n".join(self._parts)
        if paused and not text.rstrip().endswith("}"):
            return
        try:
            answer = parse_answer(text)
        except ValueError as error:
            if not paused:
                self._report.bad(self._first.number, f"an answer that cannot be read: {error}")
                self._parts, self._size = [], 0
            return
        self._parts, self._size = [], 0
        yield from self._events_of(answer)

    def _events_of(self, answer: ApiAnswer) -> Iterator[Event]:
        """The records of the histograms in an answer; reports what it warns of, or why there are none."""
        for warning in answer.warnings:
            self._report.note(self._first.number, f"the server says: {printable(warning)}")
        if answer.error:
            self._why_not = f"the server answered with an error, {printable(f'{answer.error_type}: {answer.error}')}"
            self._report.bad(self._first.number, self._why_not)
            return
        joined = join_samples(answer.series, lambda what: self._report.bad(self._first.number, what))
        self._histograms.note_instances(joined)
        if not joined.totals:
            names = ", ".join(sorted({one.name or "an expression" for one in answer.series})[:3]) or "nothing"
            self._why_not = f"no histogram in this answer, it is about {printable(names)}; {_INSTEAD}"
            return
        self._histograms.line = self._first.number
        named = {key: one for key, one in joined.totals.items() if key.metric}
        other = {key: one for key, one in joined.totals.items() if not key.metric}
        found = self._histograms.take(joined._replace(totals=named))
        yield from found.records
        yield from found.marks
        if other:
            yield from self._histograms.as_told(JoinedSamples(other, {}, {}, {}), Semantics.OPEN)
