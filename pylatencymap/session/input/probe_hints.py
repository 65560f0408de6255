"""Facts about a probe we started that are not in its output: what it measures, and which series it watches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from ...record import Event, Record, Semantics, Tick
from ...units import Unit


class ProbeHints(NamedTuple):
    """What we know about a probe.

    ``label``: the label of all records; if empty, that of the text stays. ``watched_series``: one group of series for
    each thing that the probe watches; it may print nothing about a thing that is idle. Their records are per interval,
    in ``unit``.
    """

    label: str = ""
    watched_series: tuple[tuple[str, ...], ...] = ()
    unit: Unit = Unit.US
    source: str = ""

    def with_hints(self, events: Iterable[Event]) -> Iterator[Event]:
        """The events with the label, and with idle records at the end of the first snapshot for each group that is not
        in it. From then on a watched series that is missing from a snapshot counts as idle.
        """
        found = self._with_idle(iter(events)) if self.watched_series else iter(events)
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
        for group in self.watched_series:
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
