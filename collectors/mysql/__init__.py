"""Histograms of MariaDB, Percona Server and MySQL that a client prints repeatedly.

QUERY_RESPONSE_TIME contains counts of queries by the upper, exclusive bound of their time in seconds, and the sums of
these times; it is cumulative. events_statements_histogram_* of MySQL 8 contain [BUCKET_TIMER_LOW, BUCKET_TIMER_HIGH) in
picoseconds. Source: plugin/query_response_time of MariaDB, table_esms_* of MySQL's performance_schema.
"""

import re
from collections.abc import Iterator

from ...collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from ...record import Event
from ...report import Report
from ...text.lines import Lines

DESCRIPTION = "MariaDB and Percona QUERY_RESPONSE_TIME, MySQL 8 statement histograms: batch, table or vertical output"

_FLAGS = re.MULTILINE | re.IGNORECASE
_RESPONSE_TIMES = (
    re.compile(r"^(?:[^\t\n]+\t)*time\t(?:\w+_)?count\t(?:\w+_)?total(?:\t|\r?$)", _FLAGS),
    re.compile(r"^\|(?:[^|\n]+\|)* *time *\| *(?:\w+_)?count *\| *(?:\w+_)?total *\|", _FLAGS),
    re.compile(r"^ *time: +(?:[0-9]+\.[0-9]{6}|TOO LONG.*)\r?\n *(?:\w+_)?count: [0-9]", _FLAGS),
    re.compile(r"^(?:[^\t\n]+\t)? *[0-9]+\.[0-9]{6}\t[0-9]+\t *[0-9]+\.[0-9]{6}\r?$", _FLAGS),
)
_STATEMENTS = re.compile(r"^(?:\||.*\t)? *bucket_timer_low(?: *\||\t|: )", _FLAGS)
_SUMS = re.compile(r"\bcount_star\b[\t |]+(?:\w+[\t |]+)*?sum_timer_wait\b|^ *sum_timer_wait: [0-9]", _FLAGS)


def detect(head: str) -> Likelihood:
    """Certain by the columns."""
    if any(form.search(head) for form in _RESPONSE_TIMES):
        return Likelihood(0.96, "columns TIME, COUNT, TOTAL of query response times")
    if _STATEMENTS.search(head):
        return Likelihood(0.98, "columns of a statement histogram")
    if _SUMS.search(head):
        return Likelihood(0.95, "columns of the performance schema")
    return NOT_MINE


def decode(lines: Lines, report: Report, known: Known = NOTHING_KNOWN) -> Iterator[Event]:
    """Yield a tick per snapshot and its cumulative histograms; raise Refused for sums without a histogram."""
    from .decoder import MysqlDecoder

    yield from MysqlDecoder(report, known).events(lines)
