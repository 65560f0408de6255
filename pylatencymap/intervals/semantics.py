"""Counts per interval or totals, where the text does not tell: the first prints are held until they show it."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..record import Event, RangeCounts, Record, Semantics, Tick, counts_of
from ..report import Report
from ..text.clean import printable
from ..units import Unit

# What the first prints of a source show of its counts: totals only grow, counts per interval also fall.


FEWEST_PRINTS = 3
"""So many prints in which nothing fell are totals, if they grew."""
ENOUGH = 8
"""Counts that did not fall, so that it was hardly by chance: of a source with one bucket more prints are needed."""
FEW = 4
"""Counts that did not fall, enough where the text ends after two prints."""

SeriesKey = tuple[str, Unit]


def fell(before: RangeCounts, now: RangeCounts) -> bool:
    """Whether a bucket has lost events or is missing."""
    return any(now.get(key, 0) < count for key, count in before.items())


class Evidence:
    """The prints of what was measured under one label, compared print by print.

    ``fallen``: a bucket lost events, or there were fewer series than in the print before, as of a map that was cleared.
    """

    def __init__(self) -> None:
        self.fallen = False
        self._prints = 0
        self._growths = 0
        self._compared = 0
        self._series = 0
        self._last: dict[SeriesKey, RangeCounts] = {}
        self._now: dict[SeriesKey, RangeCounts] = {}

    def take(self, record: Record) -> None:
        """A record of the print that is going on."""
        key = (record.series, record.unit)
        self._now[key] = counts_of(record.ranges)
        self.fallen = self.fallen or fell(self._last.get(key, {}), self._now[key])

    @property
    def is_up_to_date(self) -> bool:
        """Whether the print that is going on has as many series as the last one, so that nothing more need come."""
        return len(self._now) >= self._series

    def close(self) -> None:
        """The print is over. One in which nothing of this label was printed says nothing."""
        if not self._now:
            return
        self.fallen = self.fallen or len(self._now) < self._series
        again = [(self._last[key], counts) for key, counts in self._now.items() if key in self._last]
        self._compared += sum(len(before) for before, _ in again)
        self._growths += any(sum(now.values()) > sum(before.values()) for before, now in again)
        self._prints += 1
        self._series = len(self._now)
        self._last.update(self._now)
        self._now = {}

    def sure(self) -> Semantics | None:
        """The semantics, once they are clear."""
        if self.fallen:
            return Semantics.INTERVAL
        grew = self._prints >= FEWEST_PRINTS and self._growths >= FEWEST_PRINTS - 1
        return Semantics.CUMULATIVE if grew and self._compared >= ENOUGH else None

    @property
    def is_guess(self) -> bool:
        """Whether nothing fell in two prints or more, so that the counts may be either."""
        return not self.fallen and self._prints > 1

    def likely(self) -> Semantics:
        """The semantics as far as they are known, where nothing more can be waited for.

        A single print is one of all that happened, at the end of a program. Prints that are all alike are totals of a
        source that is idle, unless they are so small that one event after the other would look the same.
        """
        steps = max(self._prints - 1, 0)
        if self.fallen or not steps:
            return Semantics.INTERVAL
        if self._growths:
            total = self._prints >= FEWEST_PRINTS or self._compared >= FEW
        else:
            total = self._compared >= FEW * steps
        return Semantics.CUMULATIVE if total else Semantics.INTERVAL


# Totals that fall again and again: found to be cumulative in the first prints, but perhaps per interval.


SUSPICIOUS_FALLS = 3
"""In so many prints most series have fallen: a counter restarts, but not that often."""


class FallingTotals:
    """Compares the prints of series whose counts were found to be totals; tells once where they seem to be none."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._last: dict[SeriesKey, RangeCounts] = {}
        self._compared = self._fallen = 0
        self._line = 0
        self._prints = 0
        self._told = False

    def take(self, record: Record) -> None:
        """A record of the print that is going on."""
        if self._told:
            return
        key = (record.series, record.unit)
        counts = counts_of(record.ranges)
        if key in self._last:
            self._compared += 1
            self._fallen += fell(self._last[key], counts)
        self._last[key] = counts
        self._line = record.line

    def close(self) -> None:
        """The print is over."""
        self._prints += self._fallen * 2 > self._compared
        self._compared = self._fallen = 0
        if not self._told and self._prints >= SUSPICIOUS_FALLS:
            self._told = True
            self._last.clear()
            self._report.note(
                self._line,
                "the first prints only grew, so the counts were taken as totals, but they fall again and again; "
                "if they are per interval, use --semantics interval",
            )


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


def settle_semantics(events: Iterable[Event], report: Report) -> Iterator[Event]:
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
        self._falls = FallingTotals(report)
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


# Counts that only ever grow: per interval by their source's word, but perhaps totals.


SUSPICIOUS_GROWTH = 10
"""So many records in a row in which no range has lost a count and the sum has grown."""


def warn_of_growth(events: Iterable[Event], report: Report) -> Iterator[Event]:
    """The events themselves; a series of intervals whose counts only grow is told of once.

    Old releases of libbpf-tools' funclatency never cleared their map (bcc issue 4580).
    """
    last: dict[str, RangeCounts] = {}
    grown: dict[str, int] = {}
    told = False
    for event in events:
        if not told and isinstance(event, Record) and event.semantics is Semantics.INTERVAL and event.start is None:
            counts = counts_of(event.ranges)
            before = last.get(event.series, {})
            grown[event.series] = grown.get(event.series, 0) + 1 if _only_grew(before, counts) else 0
            last[event.series] = counts
            if grown[event.series] == SUSPICIOUS_GROWTH:
                told = True
                report.note(
                    event.line,
                    f"the counts of {event.series} only ever grow; if they are totals, use --semantics cumulative",
                )
        yield event


def _only_grew(before: RangeCounts, now: RangeCounts) -> bool:
    grew = all(now.get(key, 0) >= count for key, count in before.items())
    return grew and sum(now.values()) > sum(before.values()) > 0
