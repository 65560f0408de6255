"""The bulk decoder of the record stream: the twin of ``decode``, for long recordings."""

from collections.abc import Iterable, Iterator

from ...intervals import RecordRun
from ...record import Event
from ...report import Report
from ...scan import BulkReader


def decode(texts: Iterable[Iterable[bytes]], report: Report) -> Iterator[Event | RecordRun]:
    """What the line decoder yields of these texts one after the other, with most records in runs. Each text has its own
    numbers of lines.
    """
    return BulkReader(texts, report).events()
