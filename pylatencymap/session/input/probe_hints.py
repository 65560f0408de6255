"""What is known of a source that we started, and that its text does not say: what it measures, and what it watches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from ...record import Event, Record, Semantics, Tick
from ...units import Unit


class ProbeHints(NamedTuple):
    """``label``: of all records; empty: as the text has it. ``watched``: groups of series, each of one thing that is
    watched, of which nothing may be heard while it is idle. They are per interval, in ``unit``.
    """

    label: str = ""
    watched: tuple[tuple[str, ...], ...] = ()
    unit: Unit = Unit.US
    source: str = ""

    def told(self, events: Iterable[Event]) -> Iterator[Event]:
        """The events with all that is expected. A group of which the first print holds no series is told to be idle at
        its end; from then on a series that a print leaves out is known to have had no events.
        """
        found = self._with_idle(iter(events)) if self.watched else iter(events)
        return self._labelled(found) if self.label else found

    def _labelled(self, events: Iterator[Event]) -> Iterator[Event]:
        return (replace(event, label=self.label) if isinstance(event, Record) else event for event in events)

    def _with_idle(self, rest: Iterator[Event]) -> Iterator[Event]:
        seen: set[str] = set()
        first: Tick | None = None
        for event in rest:
            if isinstance(event, Tick) and first is not None:
                yield from self._idle(seen, first)
                yield event
                break
            first = event if isinstance(event, Tick) else first
            if isinstance(event, Record):
                seen.add(event.series)
            yield event
        else:
            if first is not None:
                yield from self._idle(seen, first)
        yield from rest

    def _idle(self, seen: set[str], tick: Tick) -> Iterator[Record]:
        for group in self.watched:
            for series in group if seen.isdisjoint(group) else ():
                yield Record(
                    series,
                    self.unit,
                    (),
                    Semantics.INTERVAL,
                    tick.stamp,
                    waited=0.0,
                    source=self.source,
                    arrival=tick.arrival,
                    line=tick.line,
                )


NO_PROBE_HINTS = ProbeHints()
