"""The waits that were seen in samples of sessions, and which of them were in a cell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, tzinfo
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from ...errors import SourceError
from ...events import CellQuestion, EventQuestion, EventsFound, EventTally
from ...record import EventKey, Sample
from ...session.input import StopRequest
from ...units import Unit
from ..connection.driver import DriverRow
from ..records import container_called, event_series
from ..server_clock import micros_of_utc
from .statements import MOST_ROWS, SessionRow, keys_of, more_of, place_of_key, session_rows

if TYPE_CHECKING:
    from ...events import FilteredInputs, Only

KEPT_SECONDS = 3600
MOST_WAITS = 20_000
"""Some 30 MB; the oldest go first."""
MOSTLY = 0.5
"""A wait that is under way is one of a row if most waits that get so far end there."""
ENOUGH = 10
"""If fewer waits were seen in a cell, more of its time is looked at, for the same latencies."""
NOT_ALONE = "what is sampled cannot be drawn alone"
WaitId = tuple[int, int, int, int]
"""Instance, SID, SERIAL# and SEQ#: one wait of one session."""


class SeenWait(NamedTuple):
    """A wait that was seen. ``micros`` is its length, or that until it was last seen; ``end``, epoch microseconds, is
    when it was over, or last seen.
    """

    series: str
    micros: int
    end: int
    is_over: bool
    seen: int
    keys: tuple[EventKey, ...]
    more: tuple[EventKey, ...]

    def as_sample(self, keys: tuple[EventKey, ...] | None = None) -> Sample:
        """As an event of a trace, perhaps with other keys."""
        return Sample(self.series, Unit.US, self.micros, self.end, keys=self.keys if keys is None else keys)

    def text(self, tz: tzinfo | None) -> str:
        """The wait on a line."""
        at = datetime.fromtimestamp(self.end / 1e6, tz).strftime("%H:%M:%S")
        how = "" if self.is_over else " (not over then)"
        return f"{at}{how}  " + " ".join(f"{name}={value}" for name, value, _ in (*self.keys, *self.more))


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
        self._noted = noted
        self._tz = tz
        self._by_container = by_container
        self._lock = Lock()
        self._waits: dict[WaitId, SeenWait] = {}
        self._under_way: set[WaitId] = set()
        self.refusal = ""
        self.is_full = False

    def add(self, rows: Sequence[DriverRow]) -> None:
        """Take the rows of a sample."""
        seen = [(_id_of(row), _seen(row, self._by_container)) for row in session_rows(rows)]
        sampled = max((wait.seen for _, wait in seen), default=0)
        with self._lock:
            self.is_full = self.is_full or len(rows) >= MOST_ROWS
            for number, wait in seen:
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
        whole = _question(asked, None, None)
        alike = [wait for wait in waits if whole.is_of(wait.as_sample())]
        if asked.ending < MOSTLY:
            alike = [wait for wait in alike if wait.is_over]
        here = [wait for wait in alike if _question(asked, asked.first, asked.last).is_at(wait.end)]
        shown, note = here, ""
        if len(here) < ENOUGH and len(alike) > len(here):
            shown = _around(alike, asked)
            note = f"shown: {len(shown)} as long, from {self._times(shown)}"
        notes = [note, self.refusal, f"of more than {MOST_ROWS} sessions some are not looked at" * self.is_full]
        yield self._found(shown)._replace(seen=len(here), note="; ".join(filter(None, notes)))

    def alone(self, _only: Only) -> FilteredInputs:
        """A picture of some waits alone would be one of a sample."""
        raise SourceError(NOT_ALONE)

    def _found(self, waits: Iterable[SeenWait]) -> EventsFound:
        tally = EventTally()
        for wait in waits:
            tally.add(wait.as_sample(self._noted(wait.keys)), wait.end, wait.text(self._tz))
        found = tally.found()
        keys = sorted(found.keys, key=lambda key: (key.is_flat, place_of_key(key.name)))
        return found._replace(keys=tuple(keys), is_complete=True)

    def _times(self, waits: Sequence[SeenWait]) -> str:
        first, last = (
            datetime.fromtimestamp(moment / 1e6, self._tz)
            for moment in (min(wait.end for wait in waits), max(wait.end for wait in waits))
        )
        return f"{first:%H:%M:%S} to {last:%H:%M:%S}"


def _question(asked: CellQuestion, first: int | None, last: int | None) -> EventQuestion:
    return EventQuestion(first, last, asked.low, asked.high, lambda series, _: series in asked.series)


def _around(alike: Sequence[SeenWait], asked: CellQuestion) -> list[SeenWait]:
    """The waits around the time that is asked about, within twice as long, four times and so on, until there are
    enough.
    """
    first, last = asked.first or 0, asked.last or 0
    while True:
        length = max(last - first, 1)
        first, last = first - (length + 1) // 2, last + (length + 1) // 2
        found = [wait for wait in alike if first <= wait.end < last]
        if len(found) >= ENOUGH or len(found) == len(alike):
            return found


def _id_of(row: SessionRow) -> WaitId:
    return int(row.instance), int(row.sid), int(row.serial), int(row.seq)


def _seen(row: SessionRow, by_container: Mapping[int, str] | None) -> SeenWait:
    sampled = micros_of_utc(row.sampled)
    end = sampled if row.is_waiting else sampled - int(row.since or 0)
    container = ""
    if by_container is not None:
        container = container_called(int(row.container or 0), row.container_name, by_container)
    series = event_series(row.event, int(row.instance), container)
    return SeenWait(series, int(row.micros or 0), end, not row.is_waiting, sampled, keys_of(row), more_of(row))
