"""Counts per interval or totals, where the text does not tell: the first prints are held until they show it."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..record import Event, Record, Semantics, Tick
from ..report import Report
from ..text.clean import printable
from .evidence import Evidence
from .falls import Falls

MOST_PRINTS = 8
"""So many prints are waited for at most."""
MOST_RECORDS = 50_000
"""And so many records are held at most."""
LONGEST = 80
"""Characters of the names of what was measured, where they are told."""

_GUESSES = {
    Semantics.CUMULATIVE: "never fell in the first prints: taken as totals; if they are per interval, "
    "use --semantics interval",
    Semantics.INTERVAL: "neither fell in the first prints nor grew like totals: taken as per interval; if they are "
    "totals, use --semantics cumulative",
}


def settled(events: Iterable[Event], report: Report) -> Iterator[Event]:
    """Ticked events, their records with Semantics.OPEN settled as INTERVAL or CUMULATIVE; the others pass.

    What the first prints are held for: a count that falls or is missing makes them counts per interval, at once; three
    prints in which none does, and which grow, make them totals. Where fewer counts than ``evidence.ENOUGH`` could have
    fallen, more prints are waited for. At the end of the text the more likely is taken; a single print is one interval.
    Each label is settled for itself, as of two maps one may be cleared and the other not, but all at one time. What was
    taken for what is told where nothing fell. Decoders yield one record of a series in each print.
    """
    stage = _Stage(report)
    try:
        for event in events:
            if stage.is_idle and not _is_open(event):
                yield event  # of most sources nothing else comes
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
        self._falls = Falls(report)
        self._held: list[Event] = []
        self._evidence: dict[str, Evidence] = {}
        self._prints = 0
        self._settled: dict[str, Semantics] | None = None
        self.is_idle = True
        """Whether no open record has come yet."""

    def take(self, event: Event) -> Iterator[Event]:
        self.is_idle = False
        if self._settled is None and _is_print(event):
            yield from self._close()
        if self._settled is not None or not (self._evidence or _is_open(event)):
            yield self._meant(event)
            return
        self._held.append(event)
        if isinstance(event, Record) and _is_open(event):
            self._evidence.setdefault(event.label, Evidence()).take(event)
            if self._has_fallen() or len(self._held) >= MOST_RECORDS:
                yield from self._release()

    def end(self) -> Iterator[Event]:
        """Nothing more will come."""
        for evidence in self._evidence.values():
            evidence.close()
        if self._settled is None:
            yield from self._release()

    def _close(self) -> Iterator[Event]:
        """A print is over."""
        if not self._evidence:
            return
        for evidence in self._evidence.values():
            evidence.close()
        self._prints += 1
        found = [evidence.sure() for evidence in self._evidence.values()]
        if None not in found or Semantics.INTERVAL in found or self._prints >= MOST_PRINTS:
            yield from self._release()

    def _has_fallen(self) -> bool:
        """Whether a count has fallen, and the print holds as much of the other labels as they had before."""
        found = self._evidence.values()
        if not any(evidence.fallen for evidence in found):
            return False
        return all(evidence.fallen or evidence.is_up_to_date for evidence in found)

    def _release(self) -> Iterator[Event]:
        for evidence in self._evidence.values():
            if evidence.is_up_to_date:
                evidence.close()
        self._settled = {label: evidence.sure() or evidence.likely() for label, evidence in self._evidence.items()}
        self._tell(self._settled)
        held, self._held, self._evidence = self._held, [], {}
        for event in held:
            yield self._meant(event)

    def _tell(self, settled: dict[str, Semantics]) -> None:
        """Say what was taken for what, where it may be wrong."""
        for taken, what in _GUESSES.items():
            labels = [label for label, one in self._evidence.items() if settled[label] is taken and one.is_guess]
            if labels:
                line = next(event.line for event in self._held if isinstance(event, Record))
                self._report.note(line, f"the counts of {printable(', '.join(labels), LONGEST)} {what}")

    def _meant(self, event: Event) -> Event:
        """An event with its semantics."""
        if _is_print(event):
            self._falls.close()
        if not isinstance(event, Record) or not _is_open(event):
            return event
        settled = replace(event, semantics=self._semantics(event.label))
        if settled.semantics is Semantics.CUMULATIVE:
            self._falls.take(settled)
        return settled

    def _semantics(self, label: str) -> Semantics:
        """Of a label that comes later nothing is held: it is as the others are if they are all totals."""
        settled = self._settled or {}
        if label not in settled:
            totals = all(semantics is Semantics.CUMULATIVE for semantics in settled.values())
            settled[label] = Semantics.CUMULATIVE if settled and totals else Semantics.INTERVAL
        return settled[label]


def _is_open(event: Event) -> bool:
    """Whether the text does not tell what the counts are."""
    return isinstance(event, Record) and event.semantics is Semantics.OPEN


def _is_print(event: Event) -> bool:
    """Whether a print of the source begins here."""
    return isinstance(event, Tick) and not event.joins
