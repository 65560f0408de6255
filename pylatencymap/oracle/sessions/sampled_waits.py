"""The waits that were seen in samples of sessions, and which of them were in a cell."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import tzinfo
from threading import Lock
from typing import TYPE_CHECKING

from ...errors import SourceError
from ...events import CellQuestion, EventsFound
from ...events.sampled import NOT_ALONE, SeenWait, WaitsShown, answer_of, wait_line
from ...record import EventKey
from ...session.input import StopRequest
from ..connection.driver import DriverRow
from ..records import container_called, event_series
from ..server_clock import micros_of_utc
from .statements import MOST_ROWS, SessionRow, keys_of, more_of, session_rows

if TYPE_CHECKING:
    from ...events import FilteredInputs, Only

KEPT_SECONDS = 3600
MOST_WAITS = 20_000
"""Some 30 MB; the oldest go first."""
LINE_SECONDS = 60.0
"""What was seen in so much time is lost if the process is killed."""
WaitId = tuple[int, int, int, int]
"""Instance, SID, SERIAL# and SEQ#: one wait of one session."""


class SampledWaits:
    """The waits of the last hour that were seen: those of ``add``, in one thread, are asked for in another. A wait that
    several samples saw is one.

    ``noted`` explains the values of keys. ``refusal`` is set if nothing is sampled: why not, and what to do.
    ``is_full``: a sample had more sessions than are looked at.
    """

    are_files = False
    is_sample = True

    def __init__(
        self,
        tz: tzinfo | None = None,
        by_container: Mapping[int, str] | None = None,
        noted: Callable[[tuple[EventKey, ...]], tuple[EventKey, ...]] = lambda keys: keys,
    ) -> None:
        self._shown = WaitsShown(tz, noted)
        self._by_container = by_container
        self._lock = Lock()
        self._waits: dict[WaitId, SeenWait] = {}
        self._under_way: set[WaitId] = set()
        self._unrecorded: dict[WaitId, None] | None = None
        self.refusal = ""
        self.is_full = False

    def add(self, rows: Sequence[DriverRow]) -> None:
        """Take the rows of a sample."""
        seen = [(_id_of(row), seen_wait(row, self._by_container)) for row in session_rows(rows)]
        sampled = max((wait.seen for _, wait in seen), default=0)
        with self._lock:
            self.is_full = self.is_full or len(rows) >= MOST_ROWS
            for number, wait in seen:
                if self._unrecorded is not None and number not in self._waits:
                    self._unrecorded[number] = None
                before = self._waits.pop(number, wait)
                is_better = wait.is_over or wait.micros >= before.micros
                self._waits[number] = wait if is_better else before._replace(seen=wait.seen)
            if seen and len(rows) < MOST_ROWS:
                self._end({number for number, _ in seen}, sampled)
            self._under_way |= {number for number, wait in seen if not wait.is_over}
            self._forget()

    def _end(self, seen: set[WaitId], sampled: int) -> None:
        """What was under way and is seen no more has ended since then. Of a long wait that tells the length."""
        ended, self._under_way = self._under_way - seen, set()
        for number in ended:
            wait = self._waits.get(number)
            if wait is not None and wait.micros >= sampled - wait.seen:
                more = (sampled - wait.seen) // 2
                self._waits[number] = wait._replace(micros=wait.micros + more, end=wait.end + more, is_over=True)

    def _forget(self) -> None:
        """Forget the oldest waits; they are kept in the order in which they were last seen."""
        newest = max((wait.seen for wait in self._waits.values()), default=0)
        for number, wait in list(self._waits.items()):
            if len(self._waits) <= MOST_WAITS and wait.seen >= newest - KEPT_SECONDS * 1_000_000:
                break
            del self._waits[number]
            self._under_way.discard(number)

    def keep_for_recording(self) -> None:
        """Note from now on which waits have not been handed out by ``unrecorded``."""
        self._unrecorded = {}

    def unrecorded(self, *, is_end: bool) -> list[SeenWait]:
        """The waits that are not under way, or all at the end; each is handed out once, with what explains it."""
        with self._lock:
            noted = self._unrecorded or {}
            ready = [number for number in noted if is_end or number not in self._under_way]
            for number in ready:
                del noted[number]
            waits = [self._waits[number] for number in ready if number in self._waits]
        return [wait._replace(keys=self._shown.noted(wait.keys)) for wait in waits]

    def all(self) -> list[SeenWait]:
        """All waits that are kept."""
        with self._lock:
            return list(self._waits.values())

    def read(
        self, asked: CellQuestion, _stop: StopRequest, _on_progress: Callable[[str, int, int], object]
    ) -> Iterator[EventsFound]:
        """The waits that are asked for, as one answer; if there are few, those around that time with the same
        latencies. Raises SourceError if nothing is sampled.
        """
        waits = self.all()
        if self.refusal and not waits:
            raise SourceError(self.refusal)
        more = f"of more than {MOST_ROWS} sessions some are not looked at" * self.is_full
        yield answer_of(waits, asked, self._shown, lambda _: (self.refusal, more))

    def alone(self, _only: Only) -> FilteredInputs:
        """A picture of some waits alone would be one of a sample."""
        raise SourceError(NOT_ALONE)


class WaitsRecorder:
    """Hands the waits of ``waits`` to ``write``, each once, when it is over or at the end: a line each minute, so that
    few lines lie between records, which are read many at a time. ``view`` is where the waits are seen.
    """

    def __init__(
        self,
        waits: SampledWaits,
        view: str,
        write: Callable[[str], object],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        waits.keep_for_recording()
        self._waits, self._view, self._write, self._clock = waits, view.upper(), write, monotonic
        self._written = monotonic()

    def after_sample(self) -> None:
        """Write what has come to an end, if the last line was written a minute ago."""
        if self._clock() - self._written >= LINE_SECONDS:
            self._write_line(is_end=False)

    def end(self) -> None:
        """Write the rest."""
        self._write_line(is_end=True)

    def _write_line(self, *, is_end: bool) -> None:
        self._written = self._clock()
        waits = self._waits.unrecorded(is_end=is_end)
        if waits:
            self._write(wait_line(waits, self._view))


def _id_of(row: SessionRow) -> WaitId:
    return int(row.instance), int(row.sid), int(row.serial), int(row.seq)


def seen_wait(row: SessionRow, by_container: Mapping[int, str] | None) -> SeenWait:
    """The wait of a row."""
    sampled = micros_of_utc(row.sampled)
    end = sampled if row.is_waiting else sampled - int(row.since or 0)
    container = ""
    if by_container is not None:
        container = container_called(int(row.container or 0), row.container_name, by_container)
    series = event_series(row.event, int(row.instance), container)
    return SeenWait(series, int(row.micros or 0), end, not row.is_waiting, sampled, keys_of(row), more_of(row))
