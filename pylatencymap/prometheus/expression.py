"""Reads what the server computes of an expression: estimates, because it extrapolates to the edges of its windows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from ..collectors.prometheus_api.histograms import NewRecords, SampledHistograms
from ..collectors.prometheus_api.samples import join_samples
from ..errors import UsageError
from ..record import KEPT, Record, Semantics
from ..report import Report
from ..units import Unit
from .client import ApiClient

MOST_POINTS = 5_000
"""The server gives at most 11,000 points of a series."""
_LENGTH = re.compile(r"\[\s*((?:\d+(?:ms|[smhdwy]))+)\s*(?:\]|:)")
_PART = re.compile(r"(\d+)(ms|[smhdwy])")
_SECONDS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800, "y": 31_536_000}
_KEPT = frozenset({KEPT})


class Rate(NamedTuple):
    """What the numbers of an expression are: events in so many seconds."""

    seconds: float


def rate_of(expression: str) -> Rate:
    """What the numbers of an expression are. Raises UsageError if they are no rates."""
    if re.search(r"\bi?rate\s*\(", expression):
        return Rate(1.0)
    length = _LENGTH.search(expression)
    if re.search(r"\bincrease\s*\(", expression) and length:
        return Rate(sum(int(number) * _SECONDS[unit] for number, unit in _PART.findall(length[1])))
    if "(" not in expression:
        what = 'neither a metric with matchers, as in NAME{job="a"}, nor an expression'
        raise UsageError(f"{expression}: {what}; one that works is sum by (le) (rate(NAME_bucket[1m]))")
    what = "sums of totals fall when one of them goes. Exact is the name of the metric alone"
    raise UsageError(f"{expression}: {what}; an estimate is sum by (le) (rate(NAME_bucket[1m]))")


class ExpressionReader:
    """As RawReader, of an expression: one interval per step."""

    def __init__(
        self, client: ApiClient, expression: str, step: float, report: Report, unit: Unit | None = None
    ) -> None:
        self._client = client
        self._expression = expression
        self._rate = rate_of(expression)
        self._report = report
        self._histograms = SampledHistograms(report, unit)
        self._next: float | None = None
        self.seconds: float | None = step
        self._step = step

    @property
    def any(self) -> bool:
        """Whether there has been a histogram of a time."""
        return self._histograms.any

    @property
    def why_not(self) -> str:
        """Why a metric was left out."""
        return self._histograms.why_not

    def span(self, start: float, end: float) -> Iterator[tuple[float, NewRecords]]:
        """The steps after ``start``, up to ``end``, page by page. Raises ServerTrouble."""
        step = self._step
        at = self._next if self._next is not None else (start // step + 1) * step
        while at <= end:
            last = min(at + (MOST_POINTS - 1) * step, end // step * step)
            answer = self._client.query_range(self._expression, at, last, step)
            joined = join_samples(answer.series, lambda what: self._report.bad(0, what))
            records = [self._counted(one) for one in self._histograms.as_told(joined, Semantics.INTERVAL)]
            self._next = at = last + step
            yield last, NewRecords(records, [])

    def _counted(self, record: Record) -> Record:
        factor = self._step / self._rate.seconds
        ranges = tuple((lower, upper, count * factor) for lower, upper, count in record.ranges if count)
        start = None if record.stamp is None else record.stamp.micros - round(self._step * 1e6)
        return replace(record, ranges=ranges, start=start, flags=_KEPT)
