"""Oracle SQL trace (event 10046, DBMS_MONITOR): every wait at its exact time.

``WAIT #cursor: nam='event' ela= microseconds ... tim=end``. Source: My Oracle Support note 39817.1, "Interpreting Raw
SQL_TRACE output".
"""

import re
from collections.abc import Iterator

from ...collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from ...record import Decoded
from ...report import Report
from ...text.lines import Lines

DESCRIPTION = "Oracle SQL trace (event 10046): every wait event with its exact time"

_WAIT = re.compile(r"^WAIT # ?-?[0-9]+: *name? *= *'", re.IGNORECASE | re.MULTILINE)
_CALL = re.compile(
    r"^(?:PARSING IN CURSOR #-?[0-9]+ len=|(?:PARSE|EXEC|FETCH) #-?[0-9]+:c=[0-9]+,e=[0-9]+,)", re.MULTILINE
)


def detect(head: str) -> Likelihood:
    """Certain at the first wait or call."""
    if _WAIT.search(head):
        return Likelihood(1.0, "WAIT #cursor: nam='event' ela= ...")
    return Likelihood(0.95, "calls of a cursor") if _CALL.search(head) else NOT_MINE


def decode(lines: Lines, report: Report, known: Known = NOTHING_KNOWN) -> Iterator[Decoded]:
    """Yield a sample for each wait, as soon as its time is known; raise Refused for a trace without waits."""
    from .decoder import OracleTraceDecoder

    return OracleTraceDecoder(report, known).events(lines)
