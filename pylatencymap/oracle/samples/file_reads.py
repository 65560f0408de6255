"""Samples of single-block reads by data file, from V$FILE_HISTOGRAM. It is filled with STATISTICS_LEVEL=ALL only."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from ...errors import SourceError, UsageError
from ...record import Record
from ...report import Report
from ...units import Unit
from .. import queries
from ..connection.driver import Connection, Trouble
from ..connection.privileges import grant_statement
from ..connection.troubles import is_missing_view
from ..queries import FILE_NAMES_VIEW, Views
from ..records import CountsByBound, RecordMaker, estimated_seconds
from ..views import NO_FILE_NAMES

EMPTY = (
    "{} is empty: it is filled only while STATISTICS_LEVEL is ALL, which costs the database time. A DBA sets it with: "
    "ALTER SYSTEM SET STATISTICS_LEVEL = ALL; and back to TYPICAL afterwards"
)


class ReadFiles(NamedTuple):
    """Files by number, the one with the most time waited first, with their names for series. ``others``: how many more
    there are.
    """

    names: dict[int, str]
    others: int = 0


def files_read(
    connection: Connection, views: Views, numbers: Sequence[int], most: int, user: str, on_notice: Callable[[str], None]
) -> ReadFiles:
    """The files of these numbers, else the ``most`` that cost the most time. Raises SourceError if the view is empty,
    UsageError if there is no such file.
    """
    rows = connection.rows(queries.files_since_startup(views), {})
    if not rows:
        raise SourceError(EMPTY.format(views.histogram.upper()))
    counts: dict[int, CountsByBound] = {}
    for file, bound, reads in rows:
        counts.setdefault(int(file), {})[bound] = reads
    ranked = sorted(counts, key=lambda file: (-estimated_seconds(counts[file], Unit.MS), file))
    missing = [number for number in numbers if number not in counts]
    if missing:
        known = ", ".join(map(str, sorted(counts)[:50]))
        raise UsageError(f"nothing was read from file {' or '.join(map(str, missing))}; there are {known}")
    chosen = list(numbers) or ranked[:most]
    names = _names(connection, user, on_notice)
    return ReadFiles({file: names.get(file, f"file {file}") for file in chosen}, len(counts) - len(chosen))


def _names(connection: Connection, user: str, on_notice: Callable[[str], None]) -> dict[int, str]:
    try:
        return {int(file): str(name) for file, name in connection.rows(queries.file_names(), {})}
    except Trouble as trouble:
        if not is_missing_view(trouble):
            raise
        on_notice(f"{NO_FILE_NAMES}. As SYS run: {grant_statement(FILE_NAMES_VIEW, user)}")
        return {}


class FileReadSamples:
    """Takes samples of files. Their series have the files' names; the times waited are estimated."""

    def __init__(
        self,
        views: Views,
        files: Mapping[int, str],
        instances: Sequence[int],
        report: Report,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.read = tuple(view for view in (views.histogram, views.instances) if view)
        """The views without which there is no sample."""
        self._files = files
        self._statement = queries.file_sample(views, list(files), instances)
        self._maker = RecordMaker(list(files.values()), views.histogram, Unit.MS, report)
        self._clock = monotonic

    def take(self, connection: Connection) -> list[Record]:
        """One sample. Raises Trouble."""
        return self._maker.records(list(self._named(connection.rows(*self._statement))), self._clock())

    def last_words(self) -> list[str]:
        """Nothing more is known."""
        return []

    def _named(self, rows: Iterable[tuple[object, ...]]) -> Iterable[tuple[object, ...]]:
        for instance, started, here, sampled, file, *counts in rows:
            yield (instance, started, here, sampled, None if file is None else self._files[int(str(file))], *counts)
