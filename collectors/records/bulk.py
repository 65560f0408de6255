"""The bulk decoder of the record stream: the twin of ``decode``, for long recordings."""

from collections.abc import Callable, Iterable, Iterator

from ...intervals import RecordRun
from ...record import Event
from ...report import Report
from ...scan import BulkReader


def decode(
    texts: Iterable[Iterable[bytes]],
    report: Report,
    arrived: Callable[[], float | None] = lambda: None,
    in_runs: Callable[[], bool] = lambda: True,
) -> Iterator[Event | RecordRun]:
    """What the line decoder yields of these texts one after the other, with most records in runs. Each text has its own
    numbers of lines. ``arrived`` says when what was read last arrived, and ``in_runs`` whether it may come in runs.
    """
    return BulkReader(texts, report, arrived, in_runs).events()
