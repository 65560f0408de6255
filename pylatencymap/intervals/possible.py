"""Takes events out that calendars, 64-bit numbers and memory cannot hold: each costs itself, and is reported."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from ..record import MOST_SERIES, Decoded, Mark, Record, Sample, Tick, lost_record
from ..report import Report
from ..stream import flaw_of, flaw_of_times, is_quantity
from .runs.run import RecordRun


def within_limits(events: Iterable[Decoded], report: Report) -> Iterator[Any]:
    """The events of a decoder without impossible ones: each costs itself, and is reported.

    An impossible tick costs the records of its snapshot, because nothing else says when they were. An impossible time
    waited costs only itself. Of more than MOST_SERIES series the others are left out: each takes memory as long as the
    source lasts.
    """
    dropped: Tick | None = None
    known: set[str] = set()
    doubted: set[str] = set()
    for event in _apart(events, known):
        if isinstance(event, RecordRun):
            yield event
            continue
        if isinstance(event, Record) and event.waited is not None and not is_quantity(event.waited):
            event = _without_sum(event, doubted, report)
        flaw = flaw_of(event)
        new = False
        if isinstance(event, Record | Sample) and event.series not in known:
            new = True
            if len(known) >= MOST_SERIES:
                flaw = flaw or f"there are more than {MOST_SERIES} series"
            else:
                known.add(event.series)
        if isinstance(event, Tick):
            dropped = event if flaw else None
        elif dropped is not None and isinstance(event, Record) and event.stamp in (None, dropped.stamp):
            continue
        if flaw:
            report.bad(getattr(event, "line", 0), f"{flaw}; {_WHAT_IS_DROPPED[type(event)]} is dropped")
            if isinstance(event, Record) and not new and not flaw_of_times(event):
                yield lost_record(event)
        else:
            yield event


def _without_sum(record: Record, doubted: set[str], report: Report) -> Record:
    """The record without a time waited that is impossible. The first one of each series is reported."""
    if record.series not in doubted and len(doubted) < MOST_SERIES:
        doubted.add(record.series)
        what = f"{record.waited:g} s waited are impossible: such times are replaced by estimates"
        report.note(record.line, f"{record.series}: {what}")
    return replace(record, waited=None)


def _apart(events: Iterable[Decoded | RecordRun], known: set[str]) -> Iterator[Decoded | RecordRun]:
    """The events. A run comes record by record if it can have a series that is not known: all others were looked at
    before it was made.
    """
    for event in events:
        if isinstance(event, RecordRun) and not all(kind.series in known for kind in event.key_names.values()):
            yield from event.events()
        else:
            yield event


_WHAT_IS_DROPPED = {Sample: "the event", Record: "the record", Tick: "the print", Mark: "the mark"}
