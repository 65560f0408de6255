"""Decides whether counts are per interval or totals, if the text does not say, by holding the first snapshots."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..record import Event, RangeCounts, Record, Semantics, Tick, counts_of
from ..report import Report
from ..text.clean import printable
from ..units import Unit

# Evidence from the first snapshots of a source: totals only grow, counts per interval also fall.


FEWEST_SNAPSHOTS = 3
"""With at least this many snapshots in which counts grew and none fell, they are totals."""
ENOUGH = 8
"""Counts that did not fall, enough to rule out chance; a source with one bucket needs more snapshots for that."""
FEW = 4
"""Counts that did not fall, enough if the text ends after two snapshots."""

SeriesKey = tuple[str, Unit]


def fell(before: RangeCounts, now: RangeCounts) -> bool:
    """Whether a bucket has lost events or is missing."""
    return any(now.get(key, 0) < count for key, count in before.items())


class Evidence:
    """The snapshots of one label, each compared with the one before it.

    ``fallen``: a bucket lost events, or a snapshot had fewer series than the one before, as after clearing a map.
    """

    def __init__(self) -> None:
        self.fallen = False
        self._snapshots = 0
        self._growths = 0
        self._compared = 0
        self._series = 0
        self._last: dict[SeriesKey, RangeCounts] = {}
        self._now: dict[SeriesKey, RangeCounts] = {}

    def take(self, record: Record) -> None:
        """A record of the current snapshot."""
        key = (record.series, record.unit)
        self._now[key] = counts_of(record.ranges)
        self.fallen = self.fallen or fell(self._last.get(key, {}), self._now[key])

    @property
    def is_up_to_date(self) -> bool:
        """Whether the current snapshot has as many series as the last one, so that it can be complete."""
        return len(self._now) >= self._series

    def close(self) -> None:
        """The snapshot is over. One without this label says nothing."""
        if not self._now:
            return
        self.fallen = self.fallen or len(self._now) < self._series
        again = [(self._last[key], counts) for key, counts in self._now.items() if key in self._last]
        self._compared += sum(len(before) for before, _ in again)
        self._growths += any(sum(now.values()) > sum(before.values()) for before, now in again)
        self._snapshots += 1
        self._series = len(self._now)
        self._last.update(self._now)
        self._now = {}

    def sure(self) -> Semantics | None:
        """The semantics if they are clear, else None."""
        if self.fallen:
            return Semantics.INTERVAL
        grew = self._snapshots >= FEWEST_SNAPSHOTS and self._growths >= FEWEST_SNAPSHOTS - 1
        return Semantics.CUMULATIVE if grew and self._compared >= ENOUGH else None

    @property
    def is_guess(self) -> bool:
        """Whether nothing fell in two or more snapshots, so that the counts can be either."""
        return not self.fallen and self._snapshots > 1

    def likely(self) -> Semantics:
        """The more likely semantics, if no more snapshots can be waited for.

        A single snapshot covers the whole run of a program that prints at its end. Snapshots that are all equal are
        totals of an idle source, unless they are so small that single events in each would look the same.
        """
        steps = max(self._snapshots - 1, 0)
        if self.fallen or not steps:
            return Semantics.INTERVAL
        if self._growths:
            total = self._snapshots >= FEWEST_SNAPSHOTS or self._compared >= FEW
        else:
            total = self._compared >= FEW * steps
        return Semantics.CUMULATIVE if total else Semantics.INTERVAL


# Totals that fall again and again: settled as cumulative by the first snapshots, but perhaps per interval.


SUSPICIOUS_FALLS = 3
"""Most series falling in this many snapshots is suspicious: counters restart, but not that often."""


class FallingTotals:
    """Compares the snapshots of series whose counts were settled as totals; warns once if they seem not to be."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._last: dict[SeriesKey, RangeCounts] = {}
        self._compared = self._fallen = 0
        self._line = 0
        self._snapshots = 0
        self._has_warned = False

    def take(self, record: Record) -> None:
        """A record of the current snapshot."""
        if self._has_warned:
            return
        key = (record.series, record.unit)
        counts = counts_of(record.ranges)
        if key in self._last:
            self._compared += 1
            self._fallen += fell(self._last[key], counts)
        self._last[key] = counts
        self._line = record.line

    def close(self) -> None:
        """The snapshot is over."""
        self._snapshots += self._fallen * 2 > self._compared
        self._compared = self._fallen = 0
        if not self._has_warned and self._snapshots >= SUSPICIOUS_FALLS:
            self._has_warned = True
            self._last.clear()
            self._report.note(
                self._line,
                "the first prints only grew, so the counts were taken as totals, but they fall again and again; "
                "if they are per interval, use --semantics interval",
            )


MOST_SNAPSHOTS = 8
"""The most snapshots to wait for."""
MOST_RECORDS = 50_000
"""The most events to hold while waiting."""
LONGEST = 80
"""The most characters of labels in a message."""

_GUESSES = {
    Semantics.CUMULATIVE: "never fell in the first prints: taken as totals; if they are per interval, "
    "use --semantics interval",
    Semantics.INTERVAL: "neither fell in the first prints nor grew like totals: taken as per interval; if they are "
    "totals, use --semantics cumulative",
}


def settle_semantics(events: Iterable[Event], report: Report) -> Iterator[Event]:
    """Ticked events, with records of Semantics.OPEN settled as INTERVAL or CUMULATIVE; other records pass unchanged.

    The first snapshots are held until they show what they are. A count that falls or is missing makes them counts per
    interval, at once. Three snapshots that grow, and in which no count falls, make them totals; if fewer counts than
    ENOUGH could have fallen, more snapshots are waited for. At the end of the text the more likely semantics apply; a
    single snapshot is one interval. Each label is settled by its own counts, because of two maps one can be cleared and
    the other not, but all labels are settled at the same time. A note to the user says what was assumed if nothing
    fell. Decoders yield one record per series and snapshot.
    """
    stage = _Stage(report)
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
        if self._settled is None and _is_snapshot(event):
            yield from self._close()
        if self._settled is not None or not (self._evidence or _is_open(event)):
            yield self._settled_event(event)
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
        """A snapshot is over."""
        if not self._evidence:
            return
        for evidence in self._evidence.values():
            evidence.close()
        self._snapshots += 1
        found = [evidence.sure() for evidence in self._evidence.values()]
        if None not in found or Semantics.INTERVAL in found or self._snapshots >= MOST_SNAPSHOTS:
            yield from self._release()

    def _has_fallen(self) -> bool:
        """Whether a count has fallen, and the other labels have as many series in this snapshot as in the last one."""
        found = self._evidence.values()
        if not any(evidence.fallen for evidence in found):
            return False
        return all(evidence.fallen or evidence.is_up_to_date for evidence in found)

    def _release(self) -> Iterator[Event]:
        for evidence in self._evidence.values():
            if evidence.is_up_to_date:
                evidence.close()
        self._settled = {label: evidence.sure() or evidence.likely() for label, evidence in self._evidence.items()}
        self._note_guesses(self._settled)
        held, self._held, self._evidence = self._held, [], {}
        for event in held:
            yield self._settled_event(event)

    def _note_guesses(self, settled: dict[str, Semantics]) -> None:
        """Tell the user which semantics were assumed, if that can be wrong."""
        for taken, what in _GUESSES.items():
            labels = [label for label, one in self._evidence.items() if settled[label] is taken and one.is_guess]
            if labels:
                line = next(event.line for event in self._held if isinstance(event, Record))
                self._report.note(line, f"the counts of {printable(', '.join(labels), LONGEST)} {what}")

    def _settled_event(self, event: Event) -> Event:
        """An event with its semantics."""
        if _is_snapshot(event):
            self._falls.close()
        if not isinstance(event, Record) or not _is_open(event):
            return event
        settled = replace(event, semantics=self._semantics(event.label))
        if settled.semantics is Semantics.CUMULATIVE:
            self._falls.take(settled)
        return settled

    def _semantics(self, label: str) -> Semantics:
        """The semantics of a label. A label that comes later has totals if all others have, else intervals."""
        settled = self._settled or {}
        if label not in settled:
            totals = all(semantics is Semantics.CUMULATIVE for semantics in settled.values())
            settled[label] = Semantics.CUMULATIVE if settled and totals else Semantics.INTERVAL
        return settled[label]


def _is_open(event: Event) -> bool:
    """Whether the text does not say what the counts are."""
    return isinstance(event, Record) and event.semantics is Semantics.OPEN


def _is_snapshot(event: Event) -> bool:
    """Whether a snapshot of the source begins here."""
    return isinstance(event, Tick) and not event.joins


# Counts that only ever grow: per interval according to their source, but perhaps totals.


SUSPICIOUS_GROWTH = 10
"""This many records in a row without a falling count, and with a growing sum, are suspicious."""


def warn_of_growth(events: Iterable[Event], report: Report) -> Iterator[Event]:
    """The events, unchanged. Warns once of a series of intervals whose counts only grow.

    Old releases of libbpf-tools' funclatency never cleared their map. Source: bcc issue 4580.
    """
    last: dict[str, RangeCounts] = {}
    grown: dict[str, int] = {}
    warned = False
    for event in events:
        if not warned and isinstance(event, Record) and event.semantics is Semantics.INTERVAL and event.start is None:
            counts = counts_of(event.ranges)
            before = last.get(event.series, {})
            grown[event.series] = grown.get(event.series, 0) + 1 if _only_grew(before, counts) else 0
            last[event.series] = counts
            if grown[event.series] == SUSPICIOUS_GROWTH:
                warned = True
                report.note(
                    event.line,
                    f"the counts of {event.series} only ever grow; if they are totals, use --semantics cumulative",
                )
        yield event


def _only_grew(before: RangeCounts, now: RangeCounts) -> bool:
    grew = all(now.get(key, 0) >= count for key, count in before.items())
    return grew and sum(now.values()) > sum(before.values()) > 0
