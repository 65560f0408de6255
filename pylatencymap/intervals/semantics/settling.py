"""Decides whether counts are per interval or totals, if the text does not say, by holding the first snapshots."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from ...errors import LatencyMapError
from ...record import DOUBTFUL, LOST, Event, Record, Semantics, Tick
from ...report import Report
from ...text.clean import printable
from ..holding import Pace, through
from ..options import NextPulse, Pulse
from .doubts import FALL_AGAIN, FallingTotals
from .evidence import MANY, OVERWHELMING, Evidence

MOST_SNAPSHOTS = 8
"""The most snapshots of a live source to wait for."""
MOST_RECORDS = 50_000
"""The most events of a live source to hold while waiting."""
FEWEST_OF_LIVE = 1
"""A live snapshot that fell and has so many counts is not judged before those after it: it can be damaged."""
RUN_FOR_TOTALS = 3
"""Snapshots in a row that grew show that counts are totals which were doubtfully taken as per interval."""
RUN_AFTER_ONE = 6
"""As RUN_FOR_TOTALS, for counts that were taken as per interval because a single snapshot fell, which one damaged digit
can do.
"""
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
_RATES = "are no whole numbers: taken as per interval; if they are per second, as of rate(), use --semantics rate"
_GUESSES = {
    Semantics.CUMULATIVE: "never fell in the first prints",
    Semantics.INTERVAL: "neither fell in the first prints nor grew like totals",
}
Again = Callable[[], Iterable[Event]]
"""Reads a file once more: ticked events from its beginning."""


def settle_semantics(
    events: Iterable[Event | Pulse], report: Report, again: Again | None = None, pulse: NextPulse | None = None
) -> Iterator[Event | Pulse]:
    """Ticked events, with records of Semantics.OPEN settled as INTERVAL or CUMULATIVE; other records pass unchanged.

    The first snapshots of a live source are held until they show what they are. Counts that fall or are missing make
    them counts per interval, at once, unless the snapshot can be damaged: then the next ones decide, and if a snapshot
    has only one or two counts, the second one that falls. Three snapshots that grow make them totals; if fewer counts
    than ENOUGH could have fallen, more snapshots are waited for. At the end of the text, and after a silence, the more
    likely semantics apply; a single snapshot is one interval. What is then left in doubt has the flag DOUBTFUL. If
    later snapshots prove it wrong, those after them have the other semantics.

    A file is not settled before SNAPSHOTS_OF_FILE snapshots, or its end: one that fell says little against many that
    grew. If they leave a doubt, ``again`` is called, and the whole text decides. Live snapshots that arrive together
    are held like those of a file.

    Each label is settled by its own counts, because of two maps one can be cleared and the other not, but all labels
    are settled at the same time. A note to the user says what was assumed if it can be wrong. Decoders yield one record
    per series and snapshot.
    """
    return through(events, _LiveStage(report) if again is None else _FileStage(report, again), pulse)


class _Stage:
    """Holds events from the first open record on, until all labels are settled."""

    def __init__(self, report: Report, fewest: int) -> None:
        self._report = report
        self._fewest = fewest
        self._falls = FallingTotals()
        self._held: list[Event] = []
        self._evidence: dict[str, Evidence] = {}
        self._broken: dict[str, None] = {}  # labels with counts that are no whole numbers
        self._snapshots = 0
        self._settled: dict[str, Semantics] | None = None
        self._is_idle = True

    @property
    def waits_until(self) -> float | None:
        return None

    def take(self, event: Event) -> Iterable[Event]:
        """The events that are settled now."""
        if self._is_idle and not _is_open(event):
            return (event,)  # all that most sources have
        self._is_idle = False
        return self._weighed(event)

    def _weighed(self, event: Event) -> Iterator[Event]:
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
            self._weigh(event)
            if self._is_enough_within():
                yield from self._release()

    def rest(self) -> Iterator[Event]:
        """Nothing more will come, or not in time."""
        if self._settled is None and not self._is_idle:
            _close(self._evidence)
            yield from self._release()

    def _weigh(self, record: Record) -> None:
        if self._settled is None and any(count != int(count) for *_, count in record.ranges):
            self._broken[record.label] = None
        self._evidence.setdefault(record.label, Evidence(self._fewest)).take(record)

    def _is_enough(self) -> bool:
        """Whether the snapshots so far settle it."""
        raise NotImplementedError

    def _is_enough_within(self) -> bool:
        """Whether the current snapshot settles it before its end."""
        raise NotImplementedError

    def _release(self) -> Iterator[Event]:
        for evidence in self._evidence.values():
            if evidence.is_up_to_date:
                evidence.close()
        self._settled = self._verdict()
        held, self._held = self._held, []
        self._forget()
        for event in held:
            yield self._meant(event)

    def _forget(self) -> None:
        """What was weighed has settled it."""
        self._evidence = {}

    def _verdict(self) -> dict[str, Semantics]:
        """The semantics of each label, by the snapshots so far."""
        raise NotImplementedError

    def _note_guesses(self, settled: dict[str, Semantics]) -> None:
        """Tell the user which semantics were assumed, if that can be wrong."""
        doubted: dict[str, list[str]] = {}
        broken = [label for label in self._broken if settled.get(label) is Semantics.INTERVAL]
        if broken:
            self._note(broken, _RATES)
        for label, evidence in self._evidence.items():
            if evidence.is_guess and label not in broken:
                seldom = f"fell in {evidence.clear + evidence.slight} of {evidence.snapshots} prints"
                what = seldom if evidence.clear or evidence.slight else _GUESSES[settled[label]]
                doubted.setdefault(f"{what}: {_USE[settled[label]]}", []).append(label)
        for what, labels in doubted.items():
            self._note(labels, what)

    def _note(self, labels: list[str], what: str) -> None:
        line = next(event.line for event in self._held if isinstance(event, Record))
        self._report.note(line, f"{_counts_of(labels)} {what}")

    def _settled_event(self, event: Event) -> Event:
        """An event that comes after the labels were settled, with its semantics."""
        return self._meant(event)

    def _meant(self, event: Event) -> Event:
        """An event with its semantics."""
        if _is_snapshot(event) and self._falls.close():
            self._falls_again()
        if not isinstance(event, Record) or not _is_open(event):
            return event
        settled = replace(event, semantics=self._semantics(event.label))
        if settled.semantics is Semantics.CUMULATIVE and LOST not in event.flags:
            self._falls.take(settled)
        return settled

    def _falls_again(self) -> None:
        """The counts of most series have fallen suspiciously often."""
        self._falls.tell(self._report)

    def _semantics(self, label: str) -> Semantics:
        """The semantics of a label. A label that comes later has totals if all others have, else intervals."""
        settled = self._settled or {}
        if label not in settled:
            totals = all(semantics is Semantics.CUMULATIVE for semantics in settled.values())
            settled[label] = Semantics.CUMULATIVE if settled and totals else Semantics.INTERVAL
        return settled[label]


class _LiveStage(_Stage):
    """The same for a live source: what is settled is watched further, and can turn out to be wrong."""

    def __init__(self, report: Report) -> None:
        super().__init__(report, FEWEST_OF_LIVE)
        self._pace = Pace()
        self._doubted: set[str] = set()

    @property
    def waits_until(self) -> float | None:
        """A single snapshot waits for the next one, because nothing is known of it."""
        if self._settled is not None or not self._snapshots:
            return None
        return self._pace.waits_until

    def take(self, event: Event) -> Iterable[Event]:
        if self._settled is None and isinstance(event, Tick) and not event.joins:
            self._pace.note(event.arrival)
        return super().take(event)

    def _is_enough(self) -> bool:
        """Whether the snapshots so far settle it; the next one has begun."""
        if self._pace.together:
            return self._snapshots >= SNAPSHOTS_OF_FILE
        evidence = self._evidence.values()
        if self._snapshots >= MOST_SNAPSHOTS or any(one.is_overdue for one in evidence):
            return True
        found = [one.sure() for one in evidence]
        return not any(one.is_unsettled for one in evidence) and (None not in found or Semantics.INTERVAL in found)

    def _is_enough_within(self) -> bool:
        """Counts have fallen, and the other labels have as many series in this snapshot as in the last one."""
        found = self._evidence.values()
        if self._pace.together:
            return len(self._held) >= RECORDS_OF_FILE
        if not any(evidence.has_fallen for evidence in found) or any(evidence.is_unsettled for evidence in found):
            return len(self._held) >= MOST_RECORDS
        return all(evidence.has_fallen or evidence.is_up_to_date for evidence in found)

    def _verdict(self) -> dict[str, Semantics]:
        settled: dict[str, Semantics] = {}
        for label, evidence in self._evidence.items():
            settled[label] = evidence.likely() if self._pace.together else evidence.by_first()
            if not evidence.allows(settled[label]):
                self._doubted.add(label)
        self._note_guesses(settled)
        return settled

    def _forget(self) -> None:
        """It is weighed further, to find out whether it was right."""

    def _settled_event(self, event: Event) -> Event:
        if isinstance(event, Tick) and not event.joins:
            self._review(event.line)
        elif isinstance(event, Record) and _tells(event) and event.label in self._evidence:
            self._weigh(event)
        return self._meant(event)

    def _meant(self, event: Event) -> Event:
        settled = super()._meant(event)
        if isinstance(settled, Record) and settled.label in self._doubted and _is_open(event):
            return replace(settled, flags=settled.flags | {DOUBTFUL})
        return settled

    def _review(self, line: int) -> None:
        """A snapshot is over: whether it confirms what was settled, or proves it wrong for those that follow."""
        settled = self._settled or {}
        _close(self._evidence)
        for label, evidence in self._evidence.items():
            if settled[label] is Semantics.INTERVAL and self._seem_totals(label, evidence):
                self._change(label, Semantics.CUMULATIVE, line, "have only grown for many prints")
            if evidence.allows(settled[label]):
                self._doubted.discard(label)

    def _seem_totals(self, label: str, evidence: Evidence) -> bool:
        """Whether counts that were taken as per interval have grown so long that they are totals."""
        enough = RUN_FOR_TOTALS if label in self._doubted and not evidence.is_few else OVERWHELMING
        if evidence.clear + evidence.slight == 1:
            enough = min(enough, RUN_AFTER_ONE)
        return evidence.run >= enough and evidence.likely() is Semantics.CUMULATIVE

    def _falls_again(self) -> None:
        settled = self._settled or {}
        totals = [label for label, one in self._evidence.items() if settled[label] is Semantics.CUMULATIVE]
        wrong = [label for label in totals if self._evidence[label].likely() is Semantics.INTERVAL]
        for label in wrong:
            self._change(label, Semantics.INTERVAL, self._falls.line, FALL_AGAIN)
        if not wrong:
            super()._falls_again()

    def _change(self, label: str, semantics: Semantics, line: int, why: str) -> None:
        """What was settled is proven wrong: the snapshots that follow have the other meaning."""
        (self._settled or {})[label] = semantics
        self._report.note(line, f"{_counts_of([label])} {why}: from here on they are {_USE[semantics]}")


class _FileStage(_Stage):
    """The same for a file, which can be read again."""

    def __init__(self, report: Report, again: Again) -> None:
        super().__init__(report, MANY)
        self._again = again
        self._has_ended = False

    def rest(self) -> Iterator[Event]:
        self._has_ended = True
        return super().rest()

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


def _counts_of(labels: list[str]) -> str:
    """The counts in words; the result of an expression of PromQL has no label."""
    names = printable(", ".join(filter(None, labels)), LONGEST)
    return f"the counts of {names}" if names else "the counts"


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
