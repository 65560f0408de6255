"""Looks through the files of a run for the values of a key that waited most."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeAlias

from ....errors import Refused, SourceError
from ....intervals import NO_EVENTS, ChosenValues, Division, LatestValues, Summing, ValueSums, sum_values, within_limits
from ....record import Clock, Sample
from ....report import Report
from ....text.clean import printable
from ..large_files import sum_values_of_large_file
from ..pipeline import RecognisedText, recognised
from ..plan import ReadPlan
from ..rolled.log import RolledLog
from ..source import Source

Bounds: TypeAlias = "tuple[int | None, int | None]"
LOOKED_AT = 2_000
"""So many events show which keys there are."""
MOST_NAMED = 30


def division_of(sources: Sequence[Source], plan: ReadPlan) -> Division | None:
    """How the events of the sources are divided; None if tables are divided by a column alone.

    All files are one: their values are ranked together. Those of a program in a pipe are ranked as they come. Raises
    Refused for sources without single events, and SourceError for a key that no event has.
    """
    for source in sources:
        if type(source) not in (Source, RolledLog):
            raise Refused(NO_EVENTS.format(name=source.name, key=plan.by))
    asked = plan.divided_by
    if any(source.live for source in sources):
        return LatestValues(asked)
    sums, texts = ValueSums(), list[RecognisedText]()
    for source in sources:
        text = recognised(source, plan.afresh(), Report(source.name))
        if text is None or not text.known.keys:
            continue
        texts.append(text)
        sums = _with_values_of(text, plan, sums, _bounds(texts[0], plan))
        if source.stop.is_set:
            return None
    if not texts:
        return None
    if sums.has_no_value:
        raise SourceError(_no_such_key(texts, plan.by))
    return ChosenValues(asked, sums)


def _bounds(text: RecognisedText, plan: ReadPlan) -> Bounds:
    """The time that is wanted of files, of which this is the first one."""
    if plan.excerpt is None:
        return None, None
    first = next((one for one in _events_of(text) if isinstance(one, Sample)), None)
    return plan.excerpt.bounds(None if first is None or first.clock is not Clock.EPOCH else first.micros)


def _with_values_of(text: RecognisedText, plan: ReadPlan, sums: ValueSums, bounds: Bounds) -> ValueSums:
    """The sums with those of a file."""
    again = sums.copy()
    by = Summing(sums, plan.divided_by, plan.wants, *bounds)
    if sum_values_of_large_file(text.source, text.collector, text.known, text.options, plan.jobs, by):
        return sums
    name = text.source.name
    sum_values(_events_of(text), by._replace(sums=again), name)
    return again


def _events_of(text: RecognisedText) -> Iterator[object]:
    report = Report(text.source.name)
    for event in within_limits(text.collector.decode(text.source.lines(), report, text.known), report):
        if text.source.stop.is_set:
            return
        yield event


def _no_such_key(texts: Iterable[RecognisedText], key: str) -> str:
    names: dict[str, None] = {}
    for text in texts:
        for event in islice(_events_of(text), LOOKED_AT):
            if isinstance(event, Sample):
                names.update(dict.fromkeys(one.name for one in event.keys))
    said = ", ".join(printable(name, 40) for name in [*names][:MOST_NAMED])
    there_are = f"there are: {said}" if said else "its events have no keys"
    return f"no event of {', '.join(text.source.name for text in texts)} has the key {key}; {there_are}"
