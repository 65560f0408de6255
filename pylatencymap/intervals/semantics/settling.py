"""Decides whether counts are per interval or totals, if the text does not say, by holding the first snapshots."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from ...errors import LatencyMapError
from ...record import LOST, Event, Record, Semantics, Tick
from ...report import Report
from ...text.clean import printable
from .doubts import FallingTotals
from .evidence import Evidence

MOST_SNAPSHOTS = 8
"""The most snapshots of a live source to wait for."""
MOST_RECORDS = 50_000
"""The most events of a live source to hold while waiting."""
SNAPSHOTS_OF_FILE = 64
"""Snapshots of a file that are held; a longer file is read to its end first if they leave a doubt."""
RECORDS_OF_FILE = 10_000
"""The most events of a file to hold."""
LONGEST = 80
"""The most characters of labels in a message."""

_USE = {
    Semantics.CUMULATIVE: "taken as totals; if they are per interval, use --semantics interval",
    Semantics.INTERVAL: "taken as per interval; if they are totals, use --semantics cumulative",
}
_GUESSES = {
    Semantics.CUMULATIVE: "never fell in the first prints",
    Semantics.INTERVAL: "neither fell in the first prints nor grew like totals",
}
Again = Callable[[], Iterable[Event]]
"""Reads a file once more: ticked events from its beginning."""


def settle_semantics(events: Iterable[Event], report: Report, again: Again | None = None) -> Iterator[Event]:
    """Ticked events, with records of Semantics.OPEN settled as INTERVAL or CUMULATIVE; other records pass unchanged.

    The first snapshots of a live source are held until they show what they are. Counts that fall or are missing make
    them counts per interval, at once, unless so few fell that it can be damage. Three snapshots that grow make them
    totals; if fewer counts than ENOUGH could have fallen, more snapshots are waited for. At the end of the text the
    more likely semantics apply; a single snapshot is one interval.

    A file is not settled before SNAPSHOTS_OF_FILE snapshots, or its end: one that fell says little against many that
    grew. If they leave a doubt, ``again`` is called, and the whole text decides.

    Each label is settled by its own counts, because of two maps one can be cleared and the other not, but all labels
    are settled at the same time. A note to the user says what was assumed if it can be wrong. Decoders yield one record
    per series and snapshot.
    """
    stage = _Stage(report) if again is None else _FileStage(report, again)
    try:
        for event in events:
            if stage.is_idle and not _is_open(event):
                yield event  # all that most sources have
            else:
                yield from stage.take(event)
    except Exception:
        yield from stage.end()
        raise
    yield from stage.end()


class _Stage:
    """Holds events from the first open record on, until all labels are settled."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._falls = FallingTotals(report)
        self._held: list[Event] = []
        self._evidence: dict[str, Evidence] = {}
        self._snapshots = 0
        self._settled: dict[str, Semantics] | None = None
        self.is_idle = True
        """Whether no open record has come yet."""

    def take(self, event: Event) -> Iterator[Event]:
        self.is_idle = False
        if self._settled is None and self._evidence and _is_snapshot(event):
            self._snapshots += 1
            _close(self._evidence)
            if self._is_enough():
                yield from self._release()
        if self._settled is not None or not (self._evidence or _is_open(event)):
            yield self._settled_event(event)
            return
        self._held.append(event)
        if isinstance(event, Record) and _tells(event):
            self._evidence.setdefault(event.label, Evidence()).take(event)
            if self._is_enough_within():
                yield from self._release()

    def end(self) -> Iterator[Event]:
        """Nothing more will come."""
        if self._settled is None:
            _close(self._evidence)
            yield from self._release()

    def _is_enough(self) -> bool:
        """Whether the snapshots so far settle it."""
        found = [evidence.sure() for evidence in self._evidence.values()]
        return None not in found or Semantics.INTERVAL in found or self._snapshots >= MOST_SNAPSHOTS

    def _is_enough_within(self) -> bool:
        """Whether this snapshot settles it before its end: counts have fallen, and the other labels have as many series
        in it as in the last one.
        """
        found = self._evidence.values()
        if not any(evidence.has_fallen for evidence in found):
            return len(self._held) >= MOST_RECORDS
        return all(evidence.has_fallen or evidence.is_up_to_date for evidence in found)

    def _release(self) -> Iterator[Event]:
        for evidence in self._evidence.values():
            if evidence.is_up_to_date:
                evidence.close()
        self._settled = self._verdict()
        held, self._held, self._evidence = self._held, [], {}
        for event in held:
            yield self._settled_event(event)

    def _verdict(self) -> dict[str, Semantics]:
        """The semantics of each label, by the snapshots so far."""
        settled = {label: evidence.sure() or evidence.likely() for label, evidence in self._evidence.items()}
        self._note_guesses(settled)
        return settled

    def _note_guesses(self, settled: dict[str, Semantics]) -> None:
        """Tell the user which semantics were assumed, if that can be wrong."""
        doubted: dict[str, list[str]] = {}
        for label, evidence in self._evidence.items():
            if evidence.is_guess:
                seldom = f"fell in {evidence.clear + evidence.slight} of {evidence.snapshots} prints"
                what = seldom if evidence.clear or evidence.slight else _GUESSES[settled[label]]
                doubted.setdefault(f"{what}: {_USE[settled[label]]}", []).append(label)
        for what, labels in doubted.items():
            self._note(labels, what)

    def _note(self, labels: list[str], what: str) -> None:
        line = next(event.line for event in self._held if isinstance(event, Record))
        self._report.note(line, f"the counts of {printable(', '.join(labels), LONGEST)} {what}")

    def _settled_event(self, event: Event) -> Event:
        """An event with its semantics."""
        if _is_snapshot(event):
            self._falls.close()
        if not isinstance(event, Record) or not _is_open(event):
            return event
        settled = replace(event, semantics=self._semantics(event.label))
        if settled.semantics is Semantics.CUMULATIVE and LOST not in event.flags:
            self._falls.take(settled)
        return settled

    def _semantics(self, label: str) -> Semantics:
        """The semantics of a label. A label that comes later has totals if all others have, else intervals."""
        settled = self._settled or {}
        if label not in settled:
            totals = all(semantics is Semantics.CUMULATIVE for semantics in settled.values())
            settled[label] = Semantics.CUMULATIVE if settled and totals else Semantics.INTERVAL
        return settled[label]


class _FileStage(_Stage):
    """The same for a file, which can be read again."""

    def __init__(self, report: Report, again: Again) -> None:
        super().__init__(report)
        self._again = again
        self._has_ended = False

    def end(self) -> Iterator[Event]:
        self._has_ended = True
        yield from super().end()

    def _is_enough(self) -> bool:
        return self._snapshots >= SNAPSHOTS_OF_FILE

    def _is_enough_within(self) -> bool:
        return len(self._held) >= RECORDS_OF_FILE

    def _verdict(self) -> dict[str, Semantics]:
        first = {label: evidence.likely() for label, evidence in self._evidence.items()}
        if not self._has_ended and not all(evidence.is_overwhelming for evidence in self._evidence.values()):
            self._evidence = _weighed(self._again()) or self._evidence
        settled = {label: evidence.likely() for label, evidence in self._evidence.items()}
        for label, semantics in first.items():
            if settled.get(label, semantics) is not semantics:
                what = f"do not mean what the first {self._snapshots} prints look like, so the file was read again"
                self._note([label], f"{what}: {_USE[settled[label]]}")
        self._note_guesses(settled)
        return settled


def _weighed(events: Iterable[Event]) -> dict[str, Evidence]:
    """The evidence of a whole text, as far as it can be read."""
    found: dict[str, Evidence] = {}
    try:
        for event in events:
            if _is_snapshot(event):
                _close(found)
            elif isinstance(event, Record) and _tells(event):
                found.setdefault(event.label, Evidence()).take(event)
    except LatencyMapError:  # reading the text for good meets the same error, and reports it
        return found
    _close(found)
    return found


def _close(evidence: dict[str, Evidence]) -> None:
    """A snapshot is over."""
    for one in evidence.values():
        one.close()


def _is_open(event: Event) -> bool:
    """Whether the text does not say what the counts are."""
    return isinstance(event, Record) and event.semantics is Semantics.OPEN


def _tells(record: Record) -> bool:
    """Whether the counts of a record are evidence: those of a lost one are not there."""
    return _is_open(record) and LOST not in record.flags


def _is_snapshot(event: Event) -> bool:
    """Whether a snapshot of the source begins here."""
    return isinstance(event, Tick) and not event.joins
