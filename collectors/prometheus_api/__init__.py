"""Answers of Prometheus' HTTP API in JSON: histograms, classic and native, of ``query`` and ``query_range``.

Counts of raw samples are cumulative; a difference of two samples is exact, and a restart differs from a hole. Of
an expression such as ``sum by (le) (rate(...))`` the answer does not say what its numbers are: that is detected.
Source: Prometheus' HTTP API, and answers of 2.42, 3.5 and VictoriaMetrics 1.145.
"""

import re
from collections.abc import Iterator

from ...collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from ...record import Event
from ...report import Report
from ...text.lines import Lines

DESCRIPTION = "answers of Prometheus' HTTP API (JSON): classic and native histograms, exact sums"

_ANSWER = re.compile(
    r"\A\s*\{\s*\"status\"\s*:\s*\"(?:success\"\s*,(?:\s*\"isPartial\"[^,]{0,20},)?\s*\"data\"|error\"\s*,\s*\"error)"
)


def detect(head: str) -> Likelihood:
    """Certain by the members that begin every answer."""
    return Likelihood(0.98, "an answer of Prometheus' HTTP API") if _ANSWER.match(head) else NOT_MINE


def decode(lines: Lines, report: Report, known: Known = NOTHING_KNOWN) -> Iterator[Event]:
    """Yield a record per interval and histogram, by time; raise Refused if no histogram measures time."""
    from .decoder import AnswerDecoder

    yield from AnswerDecoder(report, known).events(lines)
