"""Reads the samples of a histogram as they were scraped: exact, window by window."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from statistics import median_low

from ..collectors.prometheus_api.answers import ApiAnswer
from ..collectors.prometheus_api.histograms import NewRecords, SampledHistograms
from ..collectors.prometheus_api.samples import HistogramKey, JoinedSamples, join_samples
from ..report import Report
from ..text.clean import printable
from ..units import Unit
from .client import ApiClient, ServerTrouble
from .exemplars import NamedSeries
from .selector import Selector

FIRST_WINDOW = 300.0
"""Seconds; then windows are as long as answers of WANTED samples are."""
WANTED = 150_000
LONGEST_WINDOW = 86_400.0
LEAST_WINDOW = 1.0


class RawReader:
    """Reads windows of time, each of which begins where the one before ended. ``seconds``: what is usual between two
    scrapes, None until it is known.
    """

    def __init__(self, client: ApiClient, selector: Selector, report: Report, unit: Unit | None = None) -> None:
        self._client = client
        self._selector = selector
        self._report = report
        self._histograms = SampledHistograms(report, unit)
        self._window = FIRST_WINDOW
        self._said: set[str] = set()
        self.seconds: float | None = None

    @property
    def any(self) -> bool:
        """Whether there has been a histogram of a time."""
        return self._histograms.any

    @property
    def why_not(self) -> str:
        """Why a metric was left out."""
        return self._histograms.why_not

    def series_of(self, key: HistogramKey) -> NamedSeries | None:
        """The series that a histogram is drawn as."""
        found = self._histograms.series_of(key)
        return None if found is None else NamedSeries(found.name, found.unit_seconds)

    def span(self, start: float, end: float) -> Iterator[tuple[float, NewRecords]]:
        """What is new after ``start``, up to ``end`` (epoch seconds), window by window: the end of each, and its
        records. What lies before is known from earlier windows, or is the baseline. Raises ServerTrouble.
        """
        while start < end:
            until = min(start + self._window, end)
            try:
                yield until, self._read(until - start, until)
            except ServerTrouble as trouble:
                if not trouble.is_too_much or self._window <= LEAST_WINDOW:
                    raise
                self._window = max((until - start) / 2, LEAST_WINDOW)
                continue
            start = until

    def _read(self, seconds: float, until: float) -> NewRecords:
        """All samples of a window. The server leaves out, or has twice, what lies exactly on its edges: a millisecond
        more is asked for, and each sample is taken once.
        """
        seconds += 0.001
        answer = self._client.query(self._selector.of_histogram(seconds), until)
        joined = self._joined(answer)
        self._learn(seconds, joined)
        jobs = frozenset(key.place[0] for key in joined.totals if key.place[0])
        if jobs:
            about = self._joined(self._client.query(Selector.of_instances(jobs, seconds), until))
            joined = joined._replace(up=about.up, process_starts=about.process_starts)
        return self._histograms.take(joined)

    def _joined(self, answer: ApiAnswer) -> JoinedSamples:
        for warning in answer.warnings:
            if warning not in self._said and len(self._said) < 20:
                self._said.add(warning)
                self._report.note(0, f"the server says: {printable(warning)}")
        return join_samples(answer.series, lambda what: self._report.bad(0, what))

    def _learn(self, seconds: float, joined: JoinedSamples) -> None:
        """Learn how many samples a second are usual, and how far apart scrapes are."""
        samples = sum(
            len(totals) * max(len(next(iter(totals.values())).counts), 1) for totals in joined.totals.values()
        )
        if samples:
            self._window = min(max(seconds * WANTED / samples, LEAST_WINDOW), LONGEST_WINDOW)
        steps: list[int] = []
        for totals in list(joined.totals.values())[:50]:
            moments = sorted(totals)
            steps += [later - earlier for earlier, later in pairwise(moments)]
        if steps:
            self.seconds = median_low(steps) / 1e6
