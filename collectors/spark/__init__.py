"""Event logs of Apache Spark: JSON lines, one for each event of an application; tasks that ended tell their times."""

import re
from collections.abc import Iterator

from ...collector import NOT_MINE, NOTHING_KNOWN, Known, Likelihood
from ...record import Decoded
from ...report import Report
from ...text.lines import Lines

DESCRIPTION = "Spark event logs: run time, scheduler delay, GC, fetch wait and results of tasks, by stage"
_EVENT = re.compile(r'^\{"Event":"(?:org\.apache\.spark\.[\w.$]+\.)?SparkListener\w+"', re.MULTILINE)


def detect(head: str) -> Likelihood:
    """Certain if a line is an event of Spark's listeners."""
    return Likelihood(0.97, "events of SparkListener") if _EVENT.search(head) else NOT_MINE


def decode(lines: Lines, report: Report, known: Known = NOTHING_KNOWN) -> Iterator[Decoded]:
    """Yield samples for each task that ended, and marks; raise Refused if none has."""
    from .decoder import SparkDecoder

    return SparkDecoder(report, known).events(lines)
